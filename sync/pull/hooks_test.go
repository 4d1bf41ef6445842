package pull

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

const guard = "#!/bin/sh\ncase $(cat) in *forbidden*) echo not that >&2; exit 2;; esac\n"

// equipped is a team whose bundle brings an executable and a file beside it.
func equipped(t *testing.T) *team {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the executable is a shell script")
	}
	r := newTeam(t)
	r.put(tiny(1))
	r.write("hookctl.yaml", tiny(1)["hookctl.yaml"]+"hooks:\n  - {id: guard, file: hooks/gate.sh, events: [pre-tool], mode: enforce}\n")
	r.write("hooks/gate.sh", guard)
	r.write("hooks/lib/words", "forbidden\n")
	r.write("cases/guard/block/forbidden.json", toolEvent("${PROJECT}/forbidden"))
	r.write("cases/guard/allow/other.json", toolEvent("${PROJECT}/other"))
	must(t, os.Chmod(r.path("hooks/gate.sh"), 0o755))
	return r
}

// guarded is what the command in the settings says to a forbidden write.
func (b box) guarded() string {
	b.Helper()
	command, err := b.Command()
	must(b, err)
	c := manifests.Case{Name: "ask", Gate: "guard", IsEvent: true, Body: []byte(toolEvent("${PROJECT}/forbidden"))}
	return contract.Run(context.Background(), []manifests.Case{c}, b.Places(), contract.Shell(command, b.Environ(), "")).Results[0].Got
}

func (b box) hookFile(name string) string {
	b.Helper()
	p, err := home.ReadPointer(b.Home)
	must(b, err)
	return filepath.Join(b.Home.Generation(p.Digest), filepath.FromSlash(name))
}

// Executables are installed read-only with their mode, and every change of one is
// named by verify, keeps it from being started, and is healed by sync.
func TestHooksInTheStore(t *testing.T) {
	r := equipped(t)
	r.sign(1)
	r.commit("Release 1")
	b := newBox(t)
	if in := b.install(r.options()); in.Cases != 6 {
		t.Errorf("%d cases", in.Cases)
	}
	b.good(1)
	if got := b.guarded(); got != "block" {
		t.Fatalf("the hook says %s", got)
	}
	for name, want := range map[string]fs.FileMode{"hooks/gate.sh": 0o555, "hooks/lib/words": 0o444, "hooks": 0o555, "hooks/lib": 0o555} {
		fi, err := os.Stat(b.hookFile(name))
		must(t, err)
		if fi.Mode().Perm() != want {
			t.Errorf("%s has mode %04o, want %04o", name, fi.Mode().Perm(), want)
		}
	}
	for what, tt := range map[string]struct {
		change func(t *testing.T)
		name   string
	}{
		"edited": {func(t *testing.T) { b.replace(t, "hooks/gate.sh", guard+"exit 0\n", 0o555) }, "hooks/gate.sh: bytes differ"},
		"of the same size": {func(t *testing.T) {
			b.replace(t, "hooks/gate.sh", strings.Replace(guard, "forbidden", "FORBIDDEN", 1), 0o555)
		}, "hooks/gate.sh: bytes differ"},
		"not executable": {func(t *testing.T) { must(t, os.Chmod(b.hookFile("hooks/gate.sh"), 0o444)) }, "hooks/gate.sh: mode is 0444, want 0555"},
		"a neighbour":    {func(t *testing.T) { b.replace(t, "hooks/lib/words", "nothing\n", 0o444) }, "hooks/lib/words: bytes differ"},
		"one more":       {func(t *testing.T) { b.replace(t, "hooks/sh", guard, 0o755) }, "hooks/sh: does not belong to the bundle"},
	} {
		t.Run(what, func(t *testing.T) {
			tt.change(t)
			if problems := strings.Join(b.problems(), "\n"); !strings.Contains(problems, tt.name) {
				t.Errorf("verify says %s, want %q", problems, tt.name)
			}
			if got := b.guarded(); got != "ask" {
				t.Errorf("the gate says %s, want ask", got)
			}
			b.sync()
			b.good(1)
			if got := b.guarded(); got != "block" {
				t.Errorf("healed, the hook says %s", got)
			}
		})
	}
}

func (b box) replace(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	path := b.hookFile(name)
	must(t, os.Chmod(filepath.Dir(path), 0o755))
	_ = os.Remove(path)
	must(t, os.WriteFile(path, []byte(text), mode))
}

// A release whose executable does not do what its cases ask is not activated.
func TestHookThatFailsItsCases(t *testing.T) {
	r := equipped(t)
	r.sign(1)
	r.commit("Release 1")
	b := newBox(t)
	b.install(r.options())
	for what, script := range map[string]string{
		"lets through": "#!/bin/sh\n", "blocks all": "#!/bin/sh\nexit 2\n", "fails": "#!/bin/sh\nexit 7\n", "has no interpreter": "#!/no/such/sh\n",
	} {
		r.write("hooks/gate.sh", script)
		r.sign(2)
		r.commit("Release 2")
		if _, err := b.Sync(context.Background()); !isError[*ProofError](err) || !strings.Contains(err.Error(), "guard/") {
			t.Errorf("%s: %v", what, err)
		}
		b.good(1)
		r.reset(r.commits[0])
		r.commits = r.commits[:1]
	}
	if got := b.guarded(); got != "block" {
		t.Errorf("the old hook says %s", got)
	}
	r.write("hooks/gate.sh", strings.Replace(guard, "not that", "not that file", 1))
	r.sign(2)
	r.commit("Release 2")
	b.sync()
	b.good(2)
}

// Whatever a user's Git does to line ends, the installed script has those of the
// release.
func TestHooksKeepLineEnds(t *testing.T) {
	r := equipped(t)
	r.sign(1)
	r.commit("Release 1")
	config := filepath.Join(t.TempDir(), "gitconfig")
	must(t, os.WriteFile(config, []byte("[core]\n\tautocrlf = true\n"), 0o644))
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	b := newBox(t)
	must(t, os.WriteFile(filepath.Join(b.User, ".gitconfig"), []byte("[core]\n\tautocrlf = true\n"), 0o644))
	t.Setenv("HOME", b.User)
	b.install(r.options())
	got, err := os.ReadFile(b.hookFile("hooks/gate.sh"))
	must(t, err)
	if bytes.ContainsRune(got, '\r') || string(got) != guard {
		t.Errorf("installed: %q", got)
	}
	if out, err := exec.Command(b.hookFile("hooks/gate.sh")).CombinedOutput(); err != nil {
		t.Errorf("it does not start: %v %s", err, out)
	}
}

// A script that somebody released with CRLF, or without its mode, reaches no
// machine: the first is refused by its lock, the second when it is compiled.
func TestHooksThatCannotStart(t *testing.T) {
	r := equipped(t)
	r.write("hooks/gate.sh", strings.ReplaceAll(guard, "\n", "\r\n"))
	_, _, err := bundle.MakeLock(os.DirFS(r.dir), bundle.LockOptions{Release: 1})
	if !isError[*bundle.CarriageReturnError](err) || !strings.Contains(err.Error(), "hooks/gate.sh") || !strings.Contains(err.Error(), "CRLF") {
		t.Errorf("lock: %v", err)
	}
	r.write("hooks/gate.sh", guard)
	must(t, os.Chmod(r.path("hooks/gate.sh"), 0o644))
	r.sign(1)
	r.commit("Release 1")
	b := newBox(t)
	if _, err := b.Install(context.Background(), r.options()); err == nil || !strings.Contains(err.Error(), "hooks/gate.sh is not executable") {
		t.Errorf("install: %v", err)
	}
	if _, err := os.Stat(b.Home.Current()); !os.IsNotExist(err) {
		t.Errorf("something was activated: %v", err)
	}
}

// A kill at any file operation while a release with executables comes in leaves a
// gate that answers and executables that are whole.
func TestHooksKilledAnywhere(t *testing.T) {
	r := equipped(t)
	r.few(1)
	r.write("hookctl.yaml", tiny(1)["hookctl.yaml"]+"hooks:\n  - {id: guard, file: hooks/gate.sh, events: [pre-tool], mode: enforce}\n")
	r.sign(2)
	r.commit("Release 2")
	b := newBox(t)
	n := 0
	b.Files.Before = func(files.Op) error { n++; return nil }
	b.install(r.options())
	b.Files.Before = nil
	step := max(n/6, 1)
	for kill := 1; kill <= n; kill += step {
		b := newBox(t)
		o := r.options()
		cmd := job{User: b.User, Program: program, Install: &o, Kill: kill}.command(t)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != killed {
			t.Fatalf("operation %d of %d: exit %d: %s", kill, n, code, out)
		}
		if got := b.install(o); got.To.Release != 2 {
			t.Errorf("operation %d: the next install says %+v", kill, got)
		}
		if p, err := home.ReadPointer(b.Home); err != nil || p.Release != 2 || !p.Hooks {
			t.Errorf("operation %d: %+v, %v", kill, p, err)
		}
		for _, problem := range b.problems() {
			if strings.Contains(problem, "hooks/") {
				t.Errorf("operation %d: %s", kill, problem)
			}
		}
		if got := b.guarded(); got != "block" {
			t.Errorf("operation %d: the hook says %s", kill, got)
		}
	}
}
