package pull

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// TestTrustFile: a trust.json that is missing, broken or from the future. Sync
// takes nothing without it; only an install that names source and keys pins anew,
// and never over one that a newer hookctl wrote.
func TestTrustFile(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	r.release(2)
	good := string(must1(t)(os.ReadFile(b.Home.Trust())))
	start := b.snapshot()
	unusable := isError[*TrustError]
	for _, tt := range []struct {
		name, text string
		is         func(error) bool
		repin      bool
	}{
		{"empty", "", unusable, true},
		{"garbage", "\x00\xff{", unusable, true},
		{"cut off", good[:len(good)/2], unusable, true},
		{"array", "[]", unusable, true},
		{"null", "null", unusable, true},
		{"no schema", "{}", unusable, true},
		{"no keys", `{"schema":1,"source":{"URL":"/x","Branch":"main"}}`, unusable, true},
		{"no source", `{"schema":1,"signers":"x"}`, unusable, true},
		{"newer schema", strings.Replace(good, `"schema": 1`, `"schema": 2`, 1), unusable, false},
		{"damaged keys", strings.Replace(good, "ssh-ed25519 AAAA", "ssh-ed25519 AAAB", 1), isError[*bundle.SignersError], true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start.back(t)
			must(t, os.WriteFile(b.Home.Trust(), []byte(tt.text), 0o600))
			before := tree(t, b.User)
			if _, err := b.Sync(context.Background()); !tt.is(err) {
				t.Errorf("sync: %T %v", err, err)
			}
			if _, err := b.Check(context.Background()); !tt.is(err) {
				t.Errorf("check: %T %v", err, err)
			}
			if _, err := b.Install(context.Background(), Options{Agents: Agents}); !tt.is(err) {
				t.Errorf("install: %T %v", err, err)
			}
			same(t, "refused", before, tree(t, b.User))
			if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, "source "+b.Home.Trust()) {
				t.Errorf("verify: %s", got)
			}
			if got := b.protects(); got != 1 {
				t.Errorf("%d secrets are protected, want 1", got)
			}
			_, err := b.Install(context.Background(), r.options())
			if !tt.repin {
				if !tt.is(err) {
					t.Errorf("install with a source: %v", err)
				}
				same(t, "refused", before, tree(t, b.User))
				return
			}
			must(t, err)
			b.good(2)
		})
	}
	t.Run("missing", func(t *testing.T) {
		start.back(t)
		must(t, os.Remove(b.Home.Trust()))
		before := tree(t, b.User)
		if _, err := b.Sync(context.Background()); !errors.Is(err, ErrNoSource) {
			t.Errorf("sync: %v", err)
		}
		same(t, "no trust.json", before, tree(t, b.User))
	})
}

// TestSyncLeavesNoTrace: a sync on a machine where nothing is installed makes no
// home.
func TestSyncLeavesNoTrace(t *testing.T) {
	b := newBox(t)
	for _, do := range []func(context.Context) (Report, error){b.Sync, b.Check} {
		if _, err := do(context.Background()); !errors.Is(err, ErrNoSource) {
			t.Errorf("%v", err)
		}
	}
	if _, err := os.Lstat(string(b.Home)); !os.IsNotExist(err) {
		t.Error("the home was made")
	}
}

// TestNeverLower: whatever the branch does, what was accepted only grows, also
// when the pointer was lost or set back by hand.
func TestNeverLower(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	one := r.release(1)
	b.install(r.options())
	old := must1(t)(os.ReadFile(b.Home.Current()))
	r.release(2)
	b.sync()
	accepted := b.trust().Accepted
	must(t, os.WriteFile(b.Home.Current(), old, 0o644))
	if got := strings.Join(b.problems(), "\n"); !strings.Contains(got, "release 1 runs, but release 2 was accepted last") {
		t.Errorf("verify: %s", got)
	}
	if rep := b.sync(); !rep.Changed || rep.To.Release != 2 {
		t.Errorf("report %+v", rep)
	}
	b.good(2)
	r.reset(one)
	for range 2 {
		must(t, os.Remove(b.Home.Current()))
		if _, err := b.Sync(context.Background()); !isError[*bundle.RewrittenError](err) {
			t.Errorf("sync: %v", err)
		}
		if _, err := b.Install(context.Background(), r.options()); !isError[*bundle.RewrittenError](err) {
			t.Errorf("install: %v", err)
		}
		if got := b.trust().Accepted; got != accepted {
			t.Errorf("accepted %+v, was %+v", got, accepted)
		}
		must(t, os.WriteFile(b.Home.Current(), old, 0o644))
	}
}

// TestGenerationIsALink: a generation is never looked for through a link that somebody
// else has put there.
func TestGenerationIsALink(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	p, err := home.ReadPointer(b.Home)
	must(t, err)
	gen, outside := b.Home.Generation(p.Digest), filepath.Join(b.User, "outside")
	must(t, os.MkdirAll(outside, 0o755))
	must(t, os.WriteFile(filepath.Join(outside, "keep"), []byte("theirs"), 0o644))
	must(t, b.Files.RemoveAll(gen))
	must(t, os.Symlink(outside, gen))
	if b.problems() == nil {
		t.Error("verify finds nothing")
	}
	b.sync()
	if fi, err := os.Lstat(gen); err != nil || fi.Mode()&fs.ModeSymlink != 0 {
		t.Errorf("%v, %v", fi, err)
	}
	if got := string(must1(t)(os.ReadFile(filepath.Join(outside, "keep")))); got != "theirs" {
		t.Errorf("keep is %q", got)
	}
	b.good(1)
}

// TestAnotherConfigFolder: an install with CLAUDE_CONFIG_DIR, and a sync without
// it (from a timer): the command is found and proven all the same.
func TestAnotherConfigFolder(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	with := *b.Machine
	with.Getenv = func(k string) string {
		if k == "CLAUDE_CONFIG_DIR" {
			return filepath.Join(b.User, "cfg")
		}
		return b.Getenv(k)
	}
	_, err := with.Install(context.Background(), r.options())
	must(t, err)
	r.release(2)
	if rep := b.sync(); !rep.Wired {
		t.Errorf("report %+v", rep)
	}
	must(t, os.WriteFile(b.Home.Record(), []byte("garbage"), 0o600))
	r.release(3)
	if rep := b.sync(); rep.Wired || rep.To.Release != 3 {
		t.Errorf("report %+v", rep)
	}
}

// TestBrokenSettings: an install refuses a settings file that it cannot edit,
// before anything is written.
func TestBrokenSettings(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.release(1)
	for _, text := range []string{"{", `{"hooks": []}`, "[]", `{"hooks": {"Stop": 1}}`} {
		must(t, os.WriteFile(b.settings(), []byte(text), 0o600))
		before := tree(t, b.User)
		if _, err := b.Install(context.Background(), r.options()); err == nil || !strings.Contains(err.Error(), b.settings()) {
			t.Errorf("%s: %v", text, err)
		}
		same(t, text, before, tree(t, b.User))
	}
}
