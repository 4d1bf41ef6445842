package pull

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

const programPath = "bin/hookctl"

// brings makes the bundle in the work tree name a program for this platform.
func (r *team) brings(data []byte) {
	r.Helper()
	r.names(fmt.Sprintf("{path: %s}", programPath))
	r.write(programPath, string(data))
}

func (r *team) names(entry string) {
	r.Helper()
	manifest := tiny(1)["hookctl.yaml"]
	r.write("hookctl.yaml", manifest+"binaries:\n  "+bundle.Platform()+": "+entry+"\n")
}

// releaseWith releases the tiny bundle of that number, with one case and a program.
func (r *team) releaseWith(n int, data []byte) plumbing.Hash {
	r.Helper()
	must(r, os.RemoveAll(r.path("cases")))
	files := tiny(n)
	for name := range files {
		if strings.HasPrefix(name, "cases/") && name != "cases/secrets/block/write.json" {
			delete(files, name)
		}
	}
	r.put(files)
	r.brings(data)
	r.sign(n)
	return r.commit(fmt.Sprintf("Release %d", n))
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

// wrapped is a program that is the built one, preceded by what sh does. An
// installed one finds its home by where it lies; a script's interpreter does not
// lie there, and is told.
func wrapped(before string) []byte {
	return fmt.Appendf(nil, "#!/bin/sh\n%s\nbin=${0%%/*}\nHOOKCTL_HOME=${bin%%/*} exec '%s' \"$@\"\n", before, built)
}

// runs asks that a program is installed, with its digest beside it.
func (b box) runs(data []byte) {
	b.Helper()
	if got, want := hashFile(b.Home.Binary()), hexSum(data); got != want {
		b.Errorf("the installed program is %s, want %s", got, want)
	}
	if got := strings.TrimSpace(string(read(b, programSum(b.Home.Binary())))); got != hexSum(data) {
		b.Errorf("the digest beside it is %s, want %s", got, hexSum(data))
	}
}

// A release brings another program: it compiles the rules, the cases run by it,
// it is in place with its digest, and the one before is kept.
func TestSyncBringsTheProgram(t *testing.T) {
	one, two := read(t, program), read(t, built)
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	b.runs(one)
	r.releaseWith(2, two)
	if rep, err := b.Check(context.Background()); err != nil || !rep.Newer() {
		t.Errorf("check: %+v, %v", rep, err)
	}
	b.runs(one)
	rep := b.sync()
	if !rep.Changed || !rep.Foreign || rep.Binary != (Change{b.Home.Binary(), hexSum(one), hexSum(two)}) {
		t.Errorf("report %+v", rep)
	}
	b.runs(two)
	if string(read(t, b.Home.OldBinary())) != string(one) {
		t.Error("the program before is not kept")
	}
	b.good(2)
	if n := b.protects(); n != 2 {
		t.Errorf("%d secrets are protected", n)
	}
	v, err := b.Verify(context.Background(), "", Agents)
	must(t, err)
	if want := (ProgramState{b.Home.Binary(), hexSum(two), hexSum(two), hexSum(one)}); v.Program != want {
		t.Errorf("verify: %+v, want %+v", v.Program, want)
	}
	// By the same program or by another one, the next sync finds nothing to do.
	for _, m := range []string{program, b.Home.Binary()} {
		b.Program = m
		before := tree(t, b.User)
		if rep := b.sync(); rep.Changed || len(rep.Healed) > 0 {
			t.Errorf("the next one, by %s: %+v", m, rep)
		}
		same(t, "the next sync", before, tree(t, b.User))
	}
	b.Program = b.Home.Binary()
	// Another program on the disk is named by verify and healed by sync; that it
	// lies there with its digest does not make it right.
	must(t, os.Remove(b.Home.Binary()))
	must(t, os.WriteFile(b.Home.Binary(), one, 0o755))
	must(t, os.WriteFile(programSum(b.Home.Binary()), []byte(hexSum(one)+"\n"), 0o644))
	if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, "release 2 brings "+hexSum(two)) {
		t.Errorf("verify: %s", got)
	}
	rep = b.sync()
	if rep.Changed || len(rep.Healed) != 1 || rep.Healed[0] != b.Home.Binary() || rep.Binary.After != hexSum(two) {
		t.Errorf("report %+v", rep)
	}
	b.runs(two)
	b.good(2)
	// A lost digest and a lost mode.
	must(t, os.Remove(programSum(b.Home.Binary())))
	b.sync()
	must(t, os.Chmod(b.Home.Binary(), 0o700))
	b.sync()
	b.runs(two)
	b.good(2)
	// And back to the program before, in a release of its own: it lies here.
	r.releaseWith(3, one)
	b.Program = program
	rep = b.sync()
	if rep.Binary.After != hexSum(one) || rep.Foreign {
		t.Errorf("report %+v", rep)
	}
	b.runs(one)
	b.good(3)
}

// install takes the program of the release, not the running one; where the
// release brings none for this platform, the running one, and says so.
func TestInstallTakesTheProgramOfTheRelease(t *testing.T) {
	two := wrapped("")
	r, b := newTeam(t), newBox(t)
	r.releaseWith(1, two)
	in := b.install(r.options())
	if in.Binary != (Change{b.Home.Binary(), "", hexSum(two)}) || len(in.Notes) > 0 {
		t.Errorf("%+v, notes %q", in.Binary, in.Notes)
	}
	b.runs(two)
	b.good(1)
	if in := b.install(r.options()); in.Changed || in.Binary.Before != in.Binary.After {
		t.Errorf("once more: %+v", in)
	}

	b = newBox(t)
	r.write("hookctl.yaml", tiny(1)["hookctl.yaml"]+"binaries: {plan9/mips: {path: "+programPath+"}}\n")
	r.sign(2)
	r.commit("Release 2")
	in = b.install(r.options())
	if len(in.Notes) != 1 || !strings.Contains(in.Notes[0], "no hookctl for "+bundle.Platform()) {
		t.Errorf("notes %q", in.Notes)
	}
	b.runs(read(t, program))
	b.good(2)
}

// What a release brings in the place of a program is refused, and nothing has
// changed. The names are those of the reports that the cases come from.
func TestProgramRefused(t *testing.T) {
	arm := filepath.Join(t.TempDir(), "hookctl")
	must(t, os.WriteFile(filepath.Join(filepath.Dir(arm), "main.go"), []byte("package main\nfunc main() {}\n"), 0o644))
	other := "arm64"
	if strings.HasSuffix(bundle.Platform(), other) {
		other = "amd64"
	}
	cmd := exec.Command("go", "build", "-o", arm, filepath.Join(filepath.Dir(arm), "main.go"))
	cmd.Env = append(os.Environ(), "GOARCH="+other, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	good := read(t, program)
	for name, tt := range map[string]struct {
		data []byte
		is   func(error) bool
		says []string
	}{
		"e15-wrong-arch":     {read(t, arm), isError[*bundle.PlatformError], []string{"is for linux/" + other, "this machine is " + bundle.Platform()}},
		"e16-html-as-binary": {[]byte("<!doctype html><title>Sign in</title>\n"), isError[*bundle.NotProgramError], []string{"an HTML page"}},
		"e19-quarantine":     {[]byte("#!/bin/sh\nkill -9 $$\n"), isError[*StartError], []string{"--version", "killed"}},
		"cut off":            {read(t, built)[:4096], isError[*StartError], []string{programPath, "--version"}},
		"no interpreter":     {[]byte("#!/no/such/interpreter\n"), isError[*StartError], []string{"no such file"}},
		"fails at once":      {[]byte("#!/bin/sh\necho too old a system >&2\nexit 3\n"), isError[*StartError], []string{"exit code 3", "too old a system"}},
		"does not compile":   {wrapped(`[ "$1" = --version ] || [ "$1" = gate ] || { echo no; exit 1; }`), isError[*StartError], []string{"bundle compile", "no"}},
		"compiles nothing":   {wrapped(`[ "$1" = --version ] || [ "$1" = gate ] || exit 0`), isError[*StartError], []string{"bundle compile"}},
		"compiles another": {
			wrapped(`[ "$1" = bundle ] && { for f; do :; done; echo '{"schema":1,"bundle":"x"}' > "$f"; exit 0; }`),
			isError[*StartError],
			[]string{"no rules of release 2"},
		},
		"fails the cases": {wrapped(`[ "$1" = gate ] && exit 0`), isError[*ProofError], []string{"on the staged copy", "want block"}},
		"answers garbage": {wrapped(`[ "$1" = gate ] && { echo hello; exit 0; }`), isError[*ProofError], []string{"garbage"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, b := newTeam(t), newBox(t)
			r.few(1)
			b.install(r.options())
			before := tree(t, b.User)
			r.releaseWith(2, tt.data)
			_, err := b.Sync(context.Background())
			if err == nil || !tt.is(err) {
				t.Fatalf("error %T: %v", err, err)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%q does not say %q", err, s)
				}
			}
			same(t, "after it", before, tree(t, b.User))
			b.runs(good)
			b.good(1)
		})
	}
}

// The program passes on the staged copy and fails through the settings: pointer
// and program both go back, to the byte.
func TestProgramGoesBackWithThePointer(t *testing.T) {
	for name, behaviour := range map[string]string{
		"fails":     `[ "$1" = gate ] && case "$0" in *.hookctl/bin/hookctl) exit 0;; esac`,
		"is killed": `[ "$1" = gate ] && case "$0" in *.hookctl/bin/hookctl) kill -9 $$;; esac`,
	} {
		t.Run(name, func(t *testing.T) {
			r, b := newTeam(t), newBox(t)
			r.few(1)
			b.install(r.options())
			before := tree(t, b.User)
			r.releaseWith(2, wrapped(behaviour))
			_, err := b.Sync(context.Background())
			if p, ok := errors.AsType[*ProofError](err); !ok || p.Where != "through the settings" {
				t.Fatalf("error %v", err)
			}
			same(t, "after it", before, tree(t, b.User))
			b.good(1)
		})
	}
}

// Going back fails too: it is told, with where the program before lies.
func TestGoingBackFails(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	old := read(t, b.Home.Binary())
	r.releaseWith(2, wrapped(`[ "$1" = gate ] && case "$0" in *.hookctl/bin/hookctl) exit 0;; esac`))
	placed := false
	b.Files.Before = func(op files.Op) error {
		if op.Kind == files.Rename && op.Path == b.Home.Binary() {
			if placed {
				return syscall.EIO
			}
			placed = true
		}
		return nil
	}
	_, err := b.Sync(context.Background())
	b.Files.Before = nil
	if !isError[*ProofError](err) || !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), b.Home.OldBinary()) || !strings.Contains(err.Error(), hexSum(old)) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(b.Home.Binary()); err != nil {
		t.Error(err)
	}
	// The next release, with a good program, mends it.
	r.releaseWith(3, wrapped(""))
	b.sync()
	b.good(3)
}

// dropMost drops all embedded cases but a few of each gate and side: each is a
// process, some times over.
func dropMost(t *testing.T) string {
	t.Helper()
	all, err := manifests.Cases(manifests.Embedded())
	must(t, err)
	kept := contract.Spread(all, 30)
	out := "drop_cases:\n"
	for _, c := range all {
		if !slices.ContainsFunc(kept, func(k manifests.Case) bool { return k.Name == c.Name }) {
			out += fmt.Sprintf("  - {case: %s, why: a few are enough here}\n", c.Name)
		}
	}
	return out
}

// The program of the release carries another embedded bundle than this one; of a
// bundle that extends it, that program compiles the base and runs its cases.
func TestProgramCompilesItsOwnBase(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	log := filepath.Join(t.TempDir(), "log")
	two := wrapped(fmt.Sprintf(`echo "$1" "$2" >> '%s'`, log))
	r.put(map[string]string{"gates/secrets.yaml": toolGate(2)})
	must(t, os.Remove(r.path("gates/banana.yaml")))
	r.write("hookctl.yaml", "schema: 1\nname: tiny\nextends: embedded\nbinaries:\n  "+bundle.Platform()+": {path: "+programPath+"}\n"+dropMost(t))
	r.write(programPath, string(two))
	r.write("cases/secrets/block/write.json", toolEvent("${HOME}/secret-2"))
	r.sign(2)
	r.commit("Release 2")
	rep := b.sync()
	if rep.Cases != 1 {
		t.Errorf("%d cases were run here, want the bundle's own", rep.Cases)
	}
	said := string(read(t, log))
	for _, did := range []string{"--version", "bundle compile", "test ", "gate "} {
		if !strings.Contains(said, did) {
			t.Errorf("the program was not asked for %q: %s", did, said)
		}
	}
	b.good(2)

	// One whose own base does not hold is not taken.
	three := wrapped(`[ "$1" = test ] && { echo "FAIL handoff/block/x: want block, got allow"; exit 1; }`)
	r.write(programPath, string(three))
	r.sign(3)
	r.commit("Release 3")
	if _, err := b.Sync(context.Background()); !isError[*StartError](err) || !strings.Contains(err.Error(), "handoff/block/x") {
		t.Errorf("error %v", err)
	}
	b.runs(two)
	b.good(2)
}

// Ten syncs at once bring one program once.
func TestTenAtOnceBringOneProgram(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	two := wrapped("")
	r.releaseWith(2, two)
	b.tenAtOnce()
	b.runs(two)
	b.good(2)
}

// A program that is linked to from elsewhere is replaced, not what the link leads
// to.
func TestProgramThatIsALink(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	theirs := filepath.Join(t.TempDir(), "hookctl")
	must(t, os.Rename(b.Home.Binary(), theirs))
	must(t, os.Symlink(theirs, b.Home.Binary()))
	two := wrapped("")
	r.releaseWith(2, two)
	b.sync()
	b.runs(two)
	if string(read(t, theirs)) != string(read(t, program)) {
		t.Error("what the link led to was written")
	}
	if _, err := home.ReadPointer(b.Home); err != nil {
		t.Error(err)
	}
	b.good(2)
}
