package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var (
	shownFile    = regexp.MustCompile("(?s)`([^`\n]+)`:\n\n```[a-z]+\n(.*?)```")
	shownCommand = regexp.MustCompile("(?s)```console\n\\$ hookctl ([^\n]+)\n(.*?)```")
)

// What docs/simulate.md shows is what the commands print, on the files that it shows;
// with -update it is written there.
func TestSimulateDocumentIsTrue(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell scripts")
	}
	path, err := filepath.Abs(filepath.Join("..", "..", "docs", "simulate.md"))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, m := range shownFile.FindAllStringSubmatch(string(raw), -1) {
		if err := os.MkdirAll(filepath.Dir(m[1]), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(m[1], []byte(m[2]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	text := shownCommand.ReplaceAllStringFunc(string(raw), func(block string) string {
		n++
		m := shownCommand.FindStringSubmatch(block)
		e := testEnv(t)
		var out, errs bytes.Buffer
		e.out, e.err, e.dir = &out, &errs, dir
		if code := run(strings.Fields(m[1]), e); code > 1 {
			t.Errorf("hookctl %s: exit code %d: %s", m[1], code, errs.String())
		}
		if got := out.String(); got != m[2] && !*update {
			t.Errorf("hookctl %s prints another text; go test ./cmd/hookctl -run SimulateDocument -update writes this one:\n%s", m[1], got)
		}
		return "```console\n$ hookctl " + m[1] + "\n" + out.String() + "```"
	})
	if n != 7 { // the four scenarios, one by another agent, and two of one's own
		t.Errorf("the document shows %d commands", n)
	}
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestColourIsForATerminal(t *testing.T) {
	e := testEnv(t)
	if got := e.paint("█ prevented"); got != "█ prevented" {
		t.Errorf("no terminal, and %q", got)
	}
	for _, cell := range []string{"█ prevented", "· unseen", "deny", "not matched"} {
		if got := painted(cell); !strings.HasPrefix(got, "\x1b[") || !strings.HasSuffix(got, cell+"\x1b[0m") {
			t.Errorf("%q is painted %q", cell, got)
		}
	}
	if got := painted("Edit notes.txt"); got != "Edit notes.txt" {
		t.Errorf("other words are painted: %q", got)
	}
}
