package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

var rules = []byte("compiled rules")

func bundle() map[string]File {
	return map[string]File{
		"hookctl.yaml":                 {Data: []byte("schema: 1\n")},
		"gates/handoff.yaml":           {Data: []byte("id: handoff\n"), Mode: 0o644},
		"hooks/format.sh":              {Data: []byte("#!/bin/sh\n"), Mode: 0o755},
		"cases/handoff/allow/one.md":   {Data: []byte("")},
		"cases/all/allow/ünïcode 名.md": {Data: []byte("x")},
	}
}

func digest(n int) string { return fmt.Sprintf("sha256:%064x", n) }

func wanted(bundle map[string]File) map[string]Want {
	want := map[string]Want{}
	for name, f := range bundle {
		want[name] = Want{Sum(f.Data), int64(len(f.Data)), f.Mode&0o100 != 0}
	}
	return want
}

func intact(t testing.TB, h home.Dir, d string) {
	t.Helper()
	problems, err := VerifyStore(h, d, wanted(bundle()), Sum(rules))
	if err != nil || len(problems) > 0 {
		t.Errorf("generation: %v %v", problems, err)
	}
}

func TestStage(t *testing.T) {
	m := newMachine(t)
	d := digest(1)
	if err := Stage(nil, m.home, d, bundle(), rules); err != nil {
		t.Fatal(err)
	}
	intact(t, m.home, d)
	dir := m.home.Generation(d)
	for name, mode := range map[string]fs.FileMode{".": 0o555, "hooks": 0o555, "hooks/format.sh": 0o555, "hookctl.yaml": 0o444, home.RulesFile(Sum(rules)): 0o444} {
		if fi, err := os.Stat(filepath.Join(dir, name)); err != nil || modesCount && fi.Mode().Perm() != mode {
			t.Errorf("%s: %v %v, want %o", name, fi.Mode(), err, mode)
		}
	}
	ops := 0
	l := &files.Layer{Before: func(files.Op) error { ops++; return nil }}
	if err := Stage(l, m.home, d, bundle(), rules); err != nil || ops > 0 {
		t.Errorf("an intact generation was touched: %d operations, %v", ops, err)
	}
	for _, name := range []string{"../x", "/x", "", ".", "rules-", "rules-0123/x", `a\b`, "c:x", "a//b"} {
		if err := Stage(nil, m.home, digest(2), map[string]File{name: {}}, rules); !errors.As(err, new(*NameError)) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	for _, bad := range []string{"", "sha256:", "sha256:../..", strings.TrimPrefix(d, "sha256:"), strings.ToUpper(digest(0xabc))} {
		if err := Stage(nil, m.home, bad, bundle(), rules); !errors.As(err, new(*NameError)) {
			t.Errorf("digest %q: %v", bad, err)
		}
	}
}

// TestHeal damages a generation in each way, sees that VerifyStore names it and
// that Stage mends it.
func TestHeal(t *testing.T) {
	m := newMachine(t)
	d := digest(1)
	dir := m.home.Generation(d)
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name    string
		damage  func()
		mention string
	}{
		{"byte", func() { must(os.WriteFile(in("gates/handoff.yaml"), []byte("id: handofF\n"), 0o444)) }, "handoff.yaml: bytes differ: digest"},
		{"longer", func() { must(os.WriteFile(in("gates/handoff.yaml"), []byte("id: handoff\n\n"), 0o444)) }, "size is 13, want 12"},
		{"rules", func() { must(os.WriteFile(in(home.RulesFile(Sum(rules))), nil, 0o444)) }, home.RulesFile(Sum(rules)) + ": bytes differ"},
		{"missing", func() { must(os.Remove(in("hookctl.yaml"))) }, "hookctl.yaml: is missing"},
		{"extra", func() { must(os.WriteFile(in("hooks/evil.sh"), nil, 0o755)) }, "evil.sh: does not belong"},
		{"extra folder", func() { must(os.MkdirAll(in("x/y"), 0o755)) }, "x: does not belong"},
		{"mode", func() { must(os.Chmod(in("hooks/format.sh"), 0o444)) }, "mode is 0444, want 0555"},
		{"writable", func() { must(os.Chmod(in("hookctl.yaml"), 0o644)) }, "mode is 0644, want 0444"},
		{"folder mode", func() { must(os.Chmod(in("hooks"), 0o777)) }, "hooks: mode is 0777"},
		{"link for file", func() { must(os.Remove(in("hookctl.yaml"))); must(os.Symlink("/etc/passwd", in("hookctl.yaml"))) }, "another type"},
		{"link for folder", func() { must(os.RemoveAll(in("gates"))); must(os.Symlink("/etc", in("gates"))) }, "gates: is of another type"},
		{"folder for file", func() { must(os.Remove(in("hookctl.yaml"))); must(os.Mkdir(in("hookctl.yaml"), 0o755)) }, "another type"},
		{"file for folder", func() { must(os.RemoveAll(in("gates"))); must(os.WriteFile(in("gates"), nil, 0o444)) }, "another type"},
		{"gone", func() { must(os.RemoveAll(dir)) }, "is missing"},
		{"link for all", func() { must(os.RemoveAll(dir)); must(os.Symlink("/etc", dir)) }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must(Stage(nil, m.home, d, bundle(), rules))
			must(chmodDirs(nil, dir, openMode))
			must(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					os.Chmod(path, storeMode(strings.HasSuffix(path, ".sh"))|0o200)
				}
				return err
			}))
			must(Stage(nil, m.home, d, bundle(), rules)) // the modes are mended too
			intact(t, m.home, d)
			must(chmodDirs(nil, dir, openMode))
			tt.damage()
			if tt.name != "folder mode" && tt.name != "gone" && tt.name != "link for all" {
				must(chmodDirs(nil, dir, dirMode))
			}
			problems, err := VerifyStore(m.home, d, wanted(bundle()), Sum(rules))
			if tt.mention != "" && (err != nil || !strings.Contains(fmt.Sprint(problems), tt.mention)) {
				t.Errorf("VerifyStore: %v %v, want %q", problems, err, tt.mention)
			}
			must(Stage(nil, m.home, d, bundle(), rules))
			intact(t, m.home, d)
			m.noTemp()
		})
	}
}

func TestActivate(t *testing.T) {
	m := newMachine(t)
	pointer := func(n int) home.Pointer {
		return home.Pointer{Digest: digest(n), Rules: Sum(rules), Release: n}
	}
	if _, err := Activate(nil, m.home, pointer(1)); !errors.As(err, new(*IncompleteError)) {
		t.Errorf("nothing staged: %v", err)
	}
	for n := range 4 {
		if err := Stage(nil, m.home, digest(n), bundle(), rules); err != nil {
			t.Fatal(err)
		}
	}
	wrong := pointer(1)
	wrong.Rules = digest(9)
	if _, err := Activate(nil, m.home, wrong); !errors.As(err, new(*IncompleteError)) {
		t.Errorf("other rules: %v", err)
	}
	if changed, err := Activate(nil, m.home, pointer(1)); err != nil || !changed {
		t.Fatal(changed, err)
	}
	if changed, err := Activate(nil, m.home, pointer(1)); err != nil || changed {
		t.Errorf("the same again: %v %v", changed, err)
	}
	for _, n := range []int{2, 3, 3} {
		if _, err := Activate(nil, m.home, pointer(n)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := home.ReadPointer(m.home)
	if err != nil || p.Release != 3 || p.Previous == nil || p.Previous.Release != 2 || p.Previous.Previous != nil || !p.Hooks || !p.Previous.Hooks {
		t.Errorf("pointer %+v, %v", p, err)
	}
	if text := m.read(m.home.Current()); strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "}\n") {
		t.Errorf("current is %q", text)
	}
}

func TestGC(t *testing.T) {
	m := newMachine(t)
	now := time.Now()
	for n := range 10 {
		if err := Stage(nil, m.home, digest(n), bundle(), rules); err != nil {
			t.Fatal(err)
		}
		if n < 2 {
			if _, err := Activate(nil, m.home, home.Pointer{Digest: digest(n), Rules: Sum(rules)}); err != nil {
				t.Fatal(err)
			}
		}
		age := now.Add(-time.Duration(20-n) * 24 * time.Hour)
		if n == 2 {
			age = now.Add(-25 * time.Hour) // among the last five by age
		}
		if err := os.Chtimes(m.home.Generation(digest(n)), age, age); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(m.home.Store(), "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	gone, err := GC(nil, m.home, now)
	if err != nil || len(gone) != 3 { // 3, 4 and 5
		t.Errorf("gone %v, %v", gone, err)
	}
	for n := range 10 {
		_, err := os.Stat(m.home.Generation(digest(n)))
		if kept := err == nil; kept != (n < 3 || n > 5) {
			t.Errorf("generation %d kept: %v", n, kept)
		}
	}
	m.noTemp()
	// Young ones all stay.
	for n := range 10 {
		if err := Stage(nil, m.home, digest(100+n), bundle(), rules); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := GC(nil, m.home, now); err != nil {
		t.Fatal(err)
	}
	for n := range 10 {
		intact(t, m.home, digest(100+n))
	}
	// Without a pointer nothing is known to be needless.
	m.put(m.home.Current(), "{")
	if gone, err := GC(nil, m.home, now.Add(1000*time.Hour)); err == nil || len(gone) > 0 {
		t.Errorf("with a broken pointer: gone %v, %v", gone, err)
	}
}
