package pull

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
)

// sweep is one command that is cut short at every operation.
type sweep struct {
	name  string
	j     job
	b     box
	start snapshot
	old   int // release that ran before, 0 = none
	want  int

	program []byte // that the release brings
}

// bringsProgram is the sync of a release that brings another program.
const bringsProgram = "sync that brings a program"

// sweeps are a sync that brings another program, a first install, a sync of rules
// alone, and an install over an older release and another program; short is how
// many of them are not left to the long run:
//
//	HOOKCTL_SWEEP=all go test -timeout 60m -run 'KilledAnywhere|FailsAnywhere|Embedded|FirstInstallFails' ./sync/pull
func sweeps(t *testing.T, short int) []*sweep {
	all := []*sweep{
		{name: bringsProgram, old: 1, want: 3},
		{name: "first install", want: 1},
		{name: "sync", old: 1, want: 2},
		{name: "install over another", old: 1, want: 2},
	}
	if !longSweep() {
		all = all[:short]
	}
	for _, s := range all {
		r := newTeam(t)
		s.b = newBox(t)
		o := r.options()
		r.few(1)
		if s.old > 0 {
			s.b.install(o)
			r.few(2)
		}
		s.j = job{User: s.b.User, Program: program}
		if s.name == bringsProgram {
			s.program = wrapped("")
			r.releaseWith(s.want, s.program)
		}
		if s.name != "sync" && s.name != bringsProgram {
			s.j.Install = &o
		}
		if s.name == "install over another" {
			s.age()
		}
		s.start = s.b.snapshot()
	}
	return all
}

func longSweep() bool { return os.Getenv("HOOKCTL_SWEEP") == "all" }

// stride is how many operations a sweep goes on by: one in the long run.
func stride() int {
	if longSweep() {
		return 1
	}
	return 3
}

// age makes the installation that of another program, with another registration.
func (s *sweep) age() {
	b := s.b
	text := append(must1(b)(os.ReadFile(program)), "older"...) // after its end: it runs all the same
	must(b, os.Remove(b.Home.Binary()))
	must(b, os.WriteFile(b.Home.Binary(), text, 0o755))
	must(b, os.WriteFile(programSum(b.Home.Binary()), []byte(hashFile(b.Home.Binary())+"\n"), 0o644))
	registered := string(must1(b)(os.ReadFile(b.settings())))
	must(b, os.WriteFile(b.settings(), []byte(strings.ReplaceAll(registered, `"timeout": 30`, `"timeout": 20`)), 0o600))
}

// answers asks that the gate answers whenever it is registered, and with a whole
// generation: that of before or the new one.
func (s *sweep) answers(t testing.TB, at string) {
	t.Helper()
	b := box{t, s.b.Machine}
	if err := validJSON(b.settings()); err != nil {
		t.Errorf("%s: %v", at, err)
	}
	command, err := b.Command()
	must(t, err)
	p, err := home.ReadPointer(b.Home)
	if err == nil && p.Release != s.old && p.Release != s.want {
		t.Errorf("%s: release %d runs", at, p.Release)
	}
	if err != nil {
		if s.old > 0 || command != "" {
			t.Errorf("%s: %v", at, err)
		}
		return // nothing is active, and nothing is registered
	}
	if command == "" {
		if s.old > 0 {
			t.Errorf("%s: hookctl is not registered any more", at)
		}
		command = b.Home.Binary() + " gate"
	}
	// To allow is silence: no fault is told, nothing was fallen back to.
	cases := []manifests.Case{
		{Name: "done", Gate: "all", Body: []byte("All done.\n")},
		{Name: "secret", Gate: "secrets", Block: true, IsEvent: true, Body: []byte(toolEvent("${HOME}/secret-1"))},
	}
	if r := contract.Run(context.Background(), cases, b.Places(), contract.Shell(command, b.Environ(), "")); r.Failed > 0 {
		t.Errorf("%s: %+v", at, r.Failures())
	}
}

// heals runs the command once more, undisturbed.
func (s *sweep) heals(t testing.TB, at string) {
	t.Helper()
	s.b.Files.Before = nil
	if _, err := s.j.do(s.b.Machine); err != nil {
		t.Errorf("%s, once more: %v", at, err)
	}
	b := box{t, s.b.Machine}
	b.good(s.want)
	if s.program != nil {
		b.runs(s.program)
	}
}

// whole asks that the installed program is the one of before or the new one, and
// there.
func (s *sweep) whole(t testing.TB, at string) {
	t.Helper()
	if got := hashFile(s.b.Home.Binary()); s.program != nil && got != hexSum(s.program) && got != hashFile(program) {
		t.Errorf("%s: the installed program is %q, neither the old nor the new one", at, got)
	}
}

// TestKilledAnywhere kills install and sync at single operations on the file
// system, in the long run at each. After each the gate answers, the settings are whole, and the next
// run comes to the very end.
func TestKilledAnywhere(t *testing.T) {
	for _, s := range sweeps(t, 2) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			old := must1(t)(os.ReadFile(s.b.settings()))
			var settings []byte
			s.j.Kill = 0
			out, err := s.j.command(t).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			settings = must1(t)(os.ReadFile(s.b.settings()))
			n := 1
			for ; ; n += stride() {
				s.start.back(t)
				s.j.Kill = n
				out, err := s.j.command(t).CombinedOutput()
				at := "killed at operation " + strconv.Itoa(n)
				if err == nil {
					break
				}
				if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != killed {
					t.Fatalf("%s: %v: %s", at, err, out)
				}
				if now, err := os.ReadFile(s.b.settings()); err != nil || !bytes.Equal(now, old) && !bytes.Equal(now, settings) {
					t.Errorf("%s: the settings are neither the old nor the new ones: %s", at, now)
				}
				s.answers(t, at)
				s.whole(t, at)
				sweepOld(t, s.b)
				s.heals(t, at)
				if t.Failed() {
					t.FailNow()
				}
			}
			t.Logf("killed at every %d. of %d operations", stride(), n)
		})
	}
}

// sweepOld takes away the unfinished files of a process that has just been
// killed; the next command leaves those alone that are not old enough to be
// surely dead.
func sweepOld(t testing.TB, b box) {
	t.Helper()
	must(t, filepath.WalkDir(b.User, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !files.IsTemp(path) {
			return err
		}
		if err := (&files.Layer{}).RemoveAll(path); err != nil {
			return err
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}))
}

// TestFailsAnywhere has single operations fail, in the long run each, alone and with all that
// come after it, as on a full disk. A failure that is told has changed nothing.
// It does not run in parallel: while one goroutine has a program open for
// writing, another that starts a process keeps it busy (ETXTBSY).
func TestFailsAnywhere(t *testing.T) {
	for _, s := range sweeps(t, 1) {
		t.Run(s.name, func(t *testing.T) {
			before := tree(t, s.b.User)
			for _, lasting := range []bool{false, true} {
				if lasting && !longSweep() {
					break
				}
				n := 1
				for ; ; n += stride() {
					s.start.back(t)
					count := 0
					s.b.Files.Before = func(files.Op) error {
						if count++; count == n || lasting && count > n {
							return syscall.ENOSPC
						}
						return nil
					}
					_, err := s.j.do(s.b.Machine)
					at := fmt.Sprintf("operation %d fails (lasting: %v): %v", n, lasting, err)
					if count < n {
						break
					}
					if err != nil && !errors.Is(err, syscall.ENOSPC) {
						t.Errorf("%s: not the error that was met", at)
					}
					if err != nil && !lasting {
						same(t, at, before, tree2(t, s, before))
					}
					s.answers(t, at)
					s.whole(t, at)
					s.heals(t, at)
					if t.Failed() {
						t.FailNow()
					}
				}
				t.Logf("failed at every %d. of %d operations, lasting: %v", stride(), n, lasting)
			}
		})
	}
}

// tree2 is the tree after a failure, less the empty folders that a first install
// has made.
func tree2(t testing.TB, s *sweep, before map[string]string) map[string]string {
	t.Helper()
	after := tree(t, s.b.User)
	for _, name := range []string{".hookctl", ".hookctl/bin", ".hookctl/store"} {
		if _, ok := before[name]; !ok {
			delete(after, name)
		}
	}
	return after
}

// TestKilledInTheLastProof: the cases through the settings were never run to
// their end. The next sync runs them, and goes back when they fail.
func TestKilledInTheLastProof(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	flag := filepath.Join(b.User, "broken")
	b.intercept("PreToolUse", flag)
	first := b.trust().Accepted
	one, err := home.ReadPointer(b.Home)
	must(t, err)

	r.release(2)
	half := func() {
		t.Helper()
		ops := 0
		b.Files.Before = func(op files.Op) error {
			if ops++; op.Path == b.Home.Current() {
				b.Files.Before = func(files.Op) error { return errors.New("dead") } // right after the activation
			}
			return nil
		}
		must(t, os.WriteFile(flag, nil, 0o644))
		if _, err := b.Sync(context.Background()); err == nil {
			t.Fatal("the sync lived")
		}
		b.Files.Before = nil
		p, err := home.ReadPointer(b.Home)
		if err != nil || p.Release != 2 {
			t.Fatalf("release %d runs, %v", p.Release, err)
		}
		if tr := b.trust(); tr.Accepted != first || tr.Activating == nil || tr.Activating.Release != 2 {
			t.Fatalf("trust.json %+v", tr)
		}
	}
	half()
	if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, "cut short before its last proof") {
		t.Errorf("verify: %s", got)
	}
	// The branch must not lead back behind what runs, proven or not.
	head := r.commits[1]
	r.reset(r.commits[0])
	if _, err := b.Sync(context.Background()); err == nil || !strings.Contains(err.Error(), "rewritten") {
		t.Errorf("a rewound branch: %v", err)
	}
	r.reset(head)
	// Still broken: back to release 1, with nothing of 2 accepted.
	if _, err := b.Sync(context.Background()); !isError[*ProofError](err) {
		t.Errorf("sync: %v", err)
	}
	p, err := home.ReadPointer(b.Home)
	if err != nil || p.Digest != one.Digest || p.Rules != one.Rules || b.trust().Accepted != first {
		t.Errorf("current %+v, accepted %+v, %v", p, b.trust().Accepted, err)
	}
	// Mended: release 2, with its changes told as such.
	half()
	must(t, os.Remove(flag))
	rep := b.sync()
	if !rep.Changed || rep.From.Release != 1 || rep.To.Release != 2 || len(rep.Files) != 5 {
		t.Errorf("report %+v", rep)
	}
	if tr := b.trust(); tr.Accepted.Release != 2 || tr.Activating != nil {
		t.Errorf("trust.json %+v", tr)
	}
	if rep := b.sync(); rep.Changed || len(rep.Healed) > 0 {
		t.Errorf("and again: %+v", rep)
	}
}

// tenAtOnce runs ten syncs as processes: one activates, all succeed.
func (b box) tenAtOnce() {
	b.Helper()
	outs := make([][]byte, 10)
	errs := make([]error, len(outs))
	var wg sync.WaitGroup
	for i := range outs {
		cmd := job{User: b.User, Program: program}.command(b)
		wg.Go(func() { outs[i], errs[i] = cmd.CombinedOutput() })
	}
	wg.Wait()
	changed := 0
	for i, out := range outs {
		if errs[i] != nil {
			b.Errorf("sync %d: %v: %s", i, errs[i], out)
		}
		if string(out) == "changed true\n" {
			changed++
		}
	}
	if changed != 1 {
		b.Errorf("%d syncs activated, want one", changed)
	}
}

// TestTenAtOnce: ten syncs are one.
func TestTenAtOnce(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	r.few(2)
	must(t, os.MkdirAll(filepath.Join(b.Home.Cache(), "hookctl-trial-0", "bin"), 0o700)) // of a killed one
	b.tenAtOnce()
	b.good(2)
	p, err := home.ReadPointer(b.Home)
	if err != nil || p.Previous == nil || p.Previous.Release != 1 {
		t.Errorf("current %+v, %v", p, err)
	}
}

// TestClearingAwayFails: what is left over is told, and the sync has succeeded.
func TestClearingAwayFails(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	stale := filepath.Join(b.Home.Generation(b.trust().Accepted.Digest), "rules-0123456789abcdef")
	must(t, os.Chmod(filepath.Dir(stale), 0o755))
	must(t, os.WriteFile(stale, nil, 0o444))
	b.Files.Before = func(op files.Op) error {
		if op.Kind == files.Remove {
			return syscall.EROFS
		}
		return nil
	}
	r.few(2)
	rep := b.sync()
	b.Files.Before = nil
	if !rep.Changed || len(rep.Notes) != 1 {
		t.Errorf("report %+v", rep)
	}
	b.good(2)
}
