package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agenthooks/hookctl/sync/bundle"
)

func TestUnified(t *testing.T) {
	for name, tt := range map[string]struct {
		before, after []byte
		want          string
	}{
		"added":       {nil, []byte("x\n"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n"},
		"removed":     {[]byte("x\n"), nil, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"},
		"changed":     {[]byte("x\ny\n"), []byte("x\nz\n"), "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"},
		"no line end": {[]byte("x"), []byte("x\n"), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"},
		"same":        {[]byte("x\n"), []byte("x\n"), ""},
		"binary":      {[]byte("x\n"), []byte("x\x00\n"), ""},
		"no UTF-8":    {[]byte("x\xff\n"), []byte("x\n"), ""},
		"neither":     {nil, nil, ""},
	} {
		if got := unified("f", tt.before, tt.after); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

func TestReadText(t *testing.T) {
	fsys := fstest.MapFS{
		"gates/a.yaml": {Data: []byte("id: a\n")}, "gates/big.yaml": {Data: []byte(strings.Repeat("x", maxText+1))},
		bundle.LockName: {Data: []byte("{}")}, bundle.SigName: {Data: []byte("sig")},
		"gates/empty.yaml": {},
	}
	for path, want := range map[string]struct {
		text string
		ok   bool
	}{
		"gates/a.yaml": {"id: a\n", true}, "gates/empty.yaml": {"", true}, "gone": {"", true},
		"gates/big.yaml": {"", false}, "gates": {"", false}, bundle.LockName: {"", false}, bundle.SigName: {"", false},
	} {
		got, ok := readText(fsys, path)
		if string(got) != want.text || ok != want.ok || path == "gates/empty.yaml" && got == nil {
			t.Errorf("%s: %q, %v", path, got, ok)
		}
	}
	if text, ok := readText(nil, "gates/a.yaml"); text != nil || !ok {
		t.Errorf("no generation: %q, %v", text, ok)
	}
}

// A file of a bundle does not steer the terminal of who looks at it.
func TestShown(t *testing.T) {
	const text = "+ä\x1b[2J\r\tb\u009b\x7f\n"
	if got, want := shown(text), "+ä\ufffd[2J\ufffd\tb\ufffd\ufffd\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
