package install

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// TestRecompiledRules brings other rules of a bundle that runs, as a newer
// hookctl compiles them: whatever is killed in between, the rules that current
// names are there to the byte. Then the old ones go.
func TestRecompiledRules(t *testing.T) {
	m := newMachine(t)
	d, newer := digest(1), []byte("compiled by a newer hookctl")
	running := func() string {
		t.Helper()
		p, err := home.ReadPointer(m.home)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(m.home.Generation(d), home.RulesFile(p.Rules)))
		if err != nil || Sum(b) != p.Rules {
			t.Fatalf("current names rules that are not there: %v", err)
		}
		return string(b)
	}
	for kill := 1; ; kill++ {
		if err := (*files.Layer)(nil).RemoveAll(string(m.home)); err != nil {
			t.Fatal(err)
		}
		if err := Stage(nil, m.home, d, bundle(), rules); err != nil {
			t.Fatal(err)
		}
		if _, err := Activate(nil, m.home, home.Pointer{Digest: d, Rules: Sum(rules)}); err != nil {
			t.Fatal(err)
		}
		n := 0
		l := &files.Layer{Before: func(files.Op) error {
			if n++; n >= kill {
				return os.ErrProcessDone // from here on nothing happens any more
			}
			return nil
		}}
		bring := func(l *files.Layer) error {
			if err := Stage(l, m.home, d, bundle(), newer); err != nil {
				return err
			}
			running()
			if _, err := Activate(l, m.home, home.Pointer{Digest: d, Rules: Sum(newer)}); err != nil {
				return err
			}
			running()
			_, err := GC(l, m.home, time.Now())
			return err
		}
		err := bring(l)
		running()
		if err == nil {
			break
		}
		if err := bring(nil); err != nil {
			t.Fatal(err)
		}
		if got := running(); got != string(newer) {
			t.Errorf("killed at %d and run again: %q runs", kill, got)
		}
		if problems, err := VerifyStore(m.home, d, wanted(bundle()), Sum(newer)); err != nil || len(problems) > 0 {
			t.Errorf("killed at %d and run again: %v %v", kill, problems, err)
		}
	}
	if p, _ := home.ReadPointer(m.home); p.Previous != nil {
		t.Errorf("other rules of one bundle are no previous generation: %+v", p)
	}
}

// TestGCStaysInTheStore: a pointer with a digest that is a path leads nowhere.
func TestGCStaysInTheStore(t *testing.T) {
	m := newMachine(t)
	if err := Stage(nil, m.home, digest(1), bundle(), rules); err != nil {
		t.Fatal(err)
	}
	outside := m.path("rules-of-the-user")
	m.put(outside, "mine")
	m.put(m.home.Current(), `{"schema":1,"digest":"sha256:../..","rules":"sha256:x"}`)
	if _, err := GC(nil, m.home, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := m.read(outside); got != "mine" {
		t.Errorf("%s holds %q", outside, got)
	}
}

// TestActivateForgetsGarbage: a pointer that names no generation does not become
// the previous one.
func TestActivateForgetsGarbage(t *testing.T) {
	m := newMachine(t)
	if err := Stage(nil, m.home, digest(1), bundle(), rules); err != nil {
		t.Fatal(err)
	}
	for _, now := range []string{
		`{"schema":1,"digest":"sha256:../..","rules":"` + Sum(rules) + `"}`,
		`{"schema":1,"digest":"` + digest(2) + `","rules":"x"}`,
		`{"schema":1,"digest":"` + digest(1) + `","rules":"x","previous":{"schema":1,"digest":"/","rules":"/"}}`,
		`{"schema":1`,
	} {
		m.put(m.home.Current(), now)
		if _, err := Activate(nil, m.home, home.Pointer{Digest: digest(1), Rules: Sum(rules)}); err != nil {
			t.Fatal(err)
		}
		if p, err := home.ReadPointer(m.home); err != nil || p.Digest != digest(1) || p.Previous != nil {
			t.Errorf("after %s: %+v, %v", now, p, err)
		}
	}
}
