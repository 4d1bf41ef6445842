package bundle

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/manifests"
)

func extendingFS() fstest.MapFS {
	return fstest.MapFS{
		"hookctl.yaml":       {Data: []byte("schema: 1\nname: team\nextends: embedded\n")},
		"gates/handoff.yaml": {Data: []byte("schema: 1\nid: handoff\nextends: embedded\nmode: shadow\nadd: {signals: {en: ['kindly do it']}}\n")},
		"gates/talk.yaml":    {Data: []byte(gateYAML)},
		"cases/talk/x/.keep": {Data: nil},
	}
}

func TestCompileAnExtension(t *testing.T) {
	fsys := extendingFS()
	r, err := Compile(fsys, "", "", 3)
	if err != nil {
		t.Fatal(err)
	}
	base, err := Compile(manifests.Embedded(), "", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "team" || len(r.Gates) != len(base.Gates)+1 {
		t.Errorf("%s has %d gates, want the %d embedded ones and one", r.Name, len(r.Gates), len(base.Gates))
	}
	for _, g := range r.Gates {
		if g.ID == "handoff" && (g.Mode != gate.Shadow || g.Signals[len(g.Signals)-1].Expr == "" || !hasSignal(g, "kindly do it")) {
			t.Errorf("handoff is %+v", g)
		}
	}
}

func hasSignal(g gate.Rule, expr string) bool {
	for _, p := range g.Signals {
		if p.Expr == expr {
			return true
		}
	}
	return false
}

// The lock covers the bundle's own files only, and says what they stand on.
func TestLockRecordsItsBase(t *testing.T) {
	fsys := extendingFS()
	delete(fsys, "cases/talk/x/.keep")
	embedded, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	l, raw, err := MakeLock(fsys, LockOptions{Release: 1})
	if err != nil {
		t.Fatal(err)
	}
	if l.Base != embedded.Digest() || len(l.Files) != 3 {
		t.Errorf("base %q, %d files; want %q and 3", l.Base, len(l.Files), embedded.Digest())
	}
	if back, err := ParseLock(raw); err != nil || back.Base != l.Base {
		t.Errorf("read again: %q, %v", back.Base, err)
	}
	c := signLock(t, fsys, raw, "alice")
	v, err := Verify(c, trust(t))
	if err != nil {
		t.Fatal(err)
	}
	if v.Lock().Base != l.Base {
		t.Errorf("verified with base %q", v.Lock().Base)
	}
	// A lock made by another hookctl is good; only the base is another.
	other := []byte(strings.Replace(string(raw), l.Base, "sha256:"+strings.Repeat("0", 64), 1))
	v, err = Verify(signLock(t, fsys, other, "alice"), trust(t))
	if err != nil {
		t.Fatal(err)
	}
	if v.Lock().Base == l.Base {
		t.Error("the base of another hookctl is taken for ours")
	}
	if l, _, err = MakeLock(bundleFS(), LockOptions{Release: 1}); err != nil || l.Base != "" {
		t.Errorf("a bundle that stands alone has base %q, %v", l.Base, err)
	}
	for _, bad := range []string{"sha256:00", "md5:" + strings.Repeat("0", 64), "sha256:" + strings.Repeat("A", 64)} {
		if _, err := ParseLock([]byte(strings.Replace(string(raw), embedded.Digest(), bad, 1))); !errors.As(err, new(*LockError)) {
			t.Errorf("base %q: %v", bad, err)
		}
	}
}

func TestCompileAsksForTheProgram(t *testing.T) {
	was := program
	t.Cleanup(func() { program = was })
	fsys := bundleFS()
	fsys["hookctl.yaml"] = &fstest.MapFile{Data: []byte("schema: 1\nname: team\nrequires: 1.4.0\n")}
	for version, want := range map[string]bool{"v1.3.9": false, "v1.4.0": true, "(devel)": true} {
		program = func() string { return version }
		_, err := Compile(fsys, "", "", 1)
		if (err == nil) != want || err != nil && !errors.As(err, new(*manifests.RequiresError)) {
			t.Errorf("hookctl %s: %v", version, err)
		}
	}
}
