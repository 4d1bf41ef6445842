package pull

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/sync/bundle"
)

func (b box) rollback(n int) Report {
	b.Helper()
	rep, err := b.Rollback(context.Background(), n)
	must(b, err)
	return rep
}

// TestRollback: it holds through syncs, heals what was rolled back to, and ends
// with a release above the one that was left.
func TestRollback(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	r.few(2)
	b.sync()
	if rep := b.rollback(0); rep.From.Release != 2 || rep.To.Release != 1 || !rep.Changed || len(rep.Files) == 0 {
		t.Errorf("report %+v", rep)
	}
	if b.running().Release != 1 || b.protects() != 1 {
		t.Errorf("release %d, %d secrets", b.running().Release, b.protects())
	}
	for range 2 {
		if rep := b.sync(); rep.Changed || !rep.RolledBack || rep.To.Release != 1 {
			t.Errorf("report %+v", rep)
		}
	}
	rep, err := b.Check(context.Background())
	if err != nil || rep.Newer() {
		t.Errorf("check: newer %v, %v", rep.Newer(), err)
	}
	gate := filepath.Join(b.Home.Generation(b.running().Digest), "gates", "secrets.yaml")
	must(t, os.Chmod(gate, 0o600))
	if rep := b.sync(); len(rep.Healed) != 1 || b.running().Release != 1 {
		t.Errorf("report %+v", rep)
	}
	// The way back behind what was accepted stays closed.
	head := r.commits[1]
	r.reset(r.commits[0])
	if _, err := b.Sync(context.Background()); !isError[*bundle.RewrittenError](err) {
		t.Errorf("a rewound branch: %v", err)
	}
	r.reset(head)
	r.few(3)
	if rep := b.sync(); rep.From.Release != 1 || rep.To.Release != 3 {
		t.Errorf("report %+v", rep)
	}
	b.good(3)
	if b.trust().RolledBack != nil {
		t.Errorf("trust.json %+v", b.trust())
	}
	// By number, and back again.
	b.rollback(1)
	b.rollback(3)
	b.good(3)
	if _, err := b.Rollback(context.Background(), 3); !isError[*NoGenerationError](err) {
		t.Errorf("to what runs: %v", err)
	}
}

// TestRollbackRefuses what is not the release that was installed.
func TestRollbackRefuses(t *testing.T) {
	for name, harm := range map[string]func(gen string) error{
		"edited":    func(gen string) error { return overwrite(filepath.Join(gen, "gates", "secrets.yaml"), "x") },
		"extra":     func(gen string) error { return overwrite(filepath.Join(gen, "gates", "more.yaml"), "x") },
		"unsigned":  func(gen string) error { return (&files.Layer{}).RemoveAll(filepath.Join(gen, bundle.SigName)) },
		"lock gone": func(gen string) error { return (&files.Layer{}).RemoveAll(filepath.Join(gen, bundle.LockName)) },
	} {
		t.Run(name, func(t *testing.T) {
			r, b := newTeam(t), newBox(t)
			r.few(1)
			b.install(r.options())
			one := b.running()
			r.few(2)
			b.sync()
			gen := b.Home.Generation(one.Digest)
			for _, dir := range []string{gen, filepath.Join(gen, "gates")} {
				must(t, os.Chmod(dir, 0o755))
			}
			must(t, harm(gen))
			before := tree(t, b.User)
			if _, err := b.Rollback(context.Background(), 0); err == nil {
				t.Error("rolled back")
			}
			same(t, name, before, tree(t, b.User))
			b.good(2)
		})
	}
}

func overwrite(path, text string) error {
	_ = os.Chmod(path, 0o644)
	return os.WriteFile(path, []byte(text), 0o444)
}

// TestRollbackCutShort: killed or failing at any operation, the gate answers, and
// the next sync comes to one of the two ends.
func TestRollbackCutShort(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	r.few(2)
	b.sync()
	start := b.snapshot()
	for n := 1; ; n++ {
		start.back(t)
		count := 0
		b.Files.Before = func(files.Op) error {
			if count++; count == n {
				panic("dead")
			}
			return nil
		}
		func() {
			defer func() { _ = recover() }()
			_, _ = b.Rollback(context.Background(), 0)
		}()
		b.Files.Before = nil
		p, err := home.ReadPointer(b.Home)
		if err != nil || p.Release != 1 && p.Release != 2 {
			t.Fatalf("operation %d: release %d, %v", n, p.Release, err)
		}
		if got := b.protects(); got != p.Release {
			t.Errorf("operation %d: %d secrets are protected by release %d", n, got, p.Release)
		}
		sweepOld(t, b)
		b.sync()
		if want := b.trust().runs(); b.running().Digest != want.Digest {
			t.Errorf("operation %d: release %d runs, want %d", n, b.running().Release, want.Release)
		}
		if count < n {
			t.Logf("cut short at %d operations", n-1)
			return
		}
	}
}

// TestRollbackToExpired: a person who goes back at night is not kept from it by a
// date; verify says that it is over.
func TestRollbackToExpired(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.put(tiny(1))
	r.lock(bundle.LockOptions{Release: 1, Expires: now.AddDate(0, 0, 1)}, r.key)
	r.commit("Release 1")
	b.install(r.options())
	r.few(2)
	b.sync()
	b.Now = now.AddDate(0, 0, 2)
	if rep := b.rollback(0); rep.To.Release != 1 || len(rep.Notes) != 1 || !strings.Contains(rep.Notes[0], "expired") {
		t.Errorf("report %+v", rep)
	}
	if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, "expired") {
		t.Errorf("verify: %s", got)
	}
}

// TestAnswer asks after merges.
func TestAnswer(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	ask := func(q Question) string {
		t.Helper()
		a := b.Answer(q)
		if a == nil {
			return ""
		}
		return a.Is + ": " + a.Why
	}
	expect := func(q Question, want string) {
		t.Helper()
		if got := ask(q); !strings.HasPrefix(got, want) {
			t.Errorf("%+v: %q, want %q", q, got, want)
		}
	}
	expect(Question{}, "")
	expect(Question{Release: 1}, "unknown: nothing is installed")
	r.few(1)
	b.install(r.options())
	one := r.commits[0].String()
	expect(Question{}, "yes: release 1 runs")
	expect(Question{Commit: one}, "yes: it is release 1")
	expect(Question{Commit: strings.ToUpper(one[:7])}, "yes")
	expect(Question{Commit: one[:6]}, "unknown: no such commit")
	expect(Question{Commit: strings.Repeat("0", 40)}, "unknown: no such commit")
	expect(Question{Release: 2}, "no: release 1 runs")

	fix := r.commit("a fix").String()
	expect(Question{Commit: fix}, "unknown: no such commit")
	r.few(2)
	if _, err := b.Check(context.Background()); err != nil {
		t.Fatal(err)
	}
	expect(Question{}, "no: release 1 runs, and release 2 is the newest")
	expect(Question{Commit: fix}, "no: it is not in release 1")
	b.sync()
	expect(Question{Commit: fix}, "yes: it is in release 2")
	expect(Question{}, "yes: release 2 runs")

	// A refused release is none that a machine could run.
	r.put(tiny(3))
	r.lock(bundle.LockOptions{Release: 3}, newKey(t))
	r.commit("by a stranger")
	if _, err := b.Sync(context.Background()); err == nil {
		t.Fatal("taken")
	}
	expect(Question{}, "yes: release 2 runs; what was fetched since is refused")
	b.rollback(0)
	expect(Question{}, "no: release 1 runs, and release 2 is the newest")
	must(t, (&files.Layer{}).RemoveAll(b.quarantine()))
	expect(Question{}, "unknown: what was fetched cannot be read")
}
