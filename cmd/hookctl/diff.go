package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// maxText is how many bytes of a file are compared line by line; of a larger one
// the digests say enough.
const maxText = 256 << 10

type diffFlags struct{ json, noText bool }

func diffCmd(e *env) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff",
		Short: "Show what a sync would change: files, patterns, verdicts",
		Long: `diff fetches the branch and verifies its newest release as "hookctl sync --check" does,
and compares it with what is installed here: who signed it, each file with its SHA-256
before and after and the lines that change, what each gate gains and loses, and each
case of either release to which they give another verdict. It also tells what is damaged
here, and settings of agents that a sync would put right. Nothing is changed.

The cases are decided in process, with the answer recorded beside a case, else by the
builtin judge. Whether the release holds its own cases, sync asks before it activates it.

It exits with 0 when a sync would change nothing, with 1 when it would.`,
		Example: `  hookctl diff
  hookctl diff --no-text     digests and verdicts only
  hookctl diff --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.diff(cmd.Context(), f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "print as JSON")
	c.Flags().BoolVar(&f.noText, "no-text", false, "leave out the lines of the files that change")
	return c
}

// diffJSON is the JSON report of diff.
type diffJSON struct {
	Schema     int            `json:"schema"`
	Source     string         `json:"source"`
	Branch     string         `json:"branch"`
	Head       string         `json:"head"`
	Pending    int            `json:"pending"`
	Changes    bool           `json:"would_change"`
	Waits      bool           `json:"newer_waits"`
	From       pull.Accepted  `json:"from"`
	To         pull.Accepted  `json:"to"`
	Signers    []string       `json:"signers"`
	Protection protectionJSON `json:"protection"`
	Files      []textDiff     `json:"files"`
	Healed     []string       `json:"would_heal"`
	Settings   []settingsDiff `json:"settings"`
	behaviour
}

// textDiff is a file before and after. Text is a unified diff, "" for what is no
// text, too large, or made from the other files.
type textDiff struct {
	fileJSON
	Text string `json:"diff"`
}

// settingsDiff is an agent's settings file that a sync would put right.
type settingsDiff struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
}

// behaviourOf compares what runs with the release that waits. Its executables are
// run for their cases, as the sync would: they are verified.
func (e *env) behaviourOf(ctx context.Context, m *pull.Machine, w pull.Waiting) (b behaviour, err error) {
	inst, err := m.Installed()
	if err != nil {
		return b, err
	}
	dir, err := os.MkdirTemp("", "hookctl-diff-*")
	if err != nil {
		return b, err
	}
	defer os.RemoveAll(dir)
	if _, err := pull.CopyHooks(w.After, dir); err != nil {
		return b, err
	}
	was := edition{name: fmt.Sprintf("release %d", inst.Release), fsys: inst.Bundle, rules: inst.Rules, dir: e.home.Generation(inst.Digest)}
	is := edition{name: fmt.Sprintf("release %d", w.To.Release), fsys: w.After, rules: w.Rules, dir: dir}
	return e.diffBehaviour(ctx, was, is)
}

func (e *env) diff(ctx context.Context, f diffFlags) error {
	m := e.machine()
	w, err := m.Waiting(ctx)
	if err != nil {
		return err
	}
	d := newDiff(w, f.noText)
	if w.Newer() {
		if d.behaviour, err = e.behaviourOf(ctx, m, w); err != nil {
			return err
		}
	}
	if f.json {
		err = e.json(d)
	} else {
		e.printWaiting(w, d)
	}
	if err == nil && w.Changes {
		return finding
	}
	return err
}

// newDiff is what a sync would change, but for the behaviour.
func newDiff(w pull.Waiting, noText bool) diffJSON {
	d := diffJSON{
		Schema: schema, Source: w.Source.URL, Branch: w.Source.Branch, Head: w.Head, Pending: w.Pending, Changes: w.Changes, Waits: w.Newer(),
		From: w.From, To: w.To, Signers: signedBy(w.Signers), Protection: protectionJSON(w.Protection), Files: []textDiff{}, Healed: orEmpty(w.Healed),
		Settings: []settingsDiff{}, behaviour: behaviour{Gates: []gateDiff{}, Verdicts: []comparison{}},
	}
	for _, c := range w.Files {
		t := textDiff{fileJSON: fileJSON(c)}
		before, ok := readText(w.Before, c.Path)
		after, too := readText(w.After, c.Path)
		if ok && too && !noText {
			t.Text = unified(c.Path, before, after)
		}
		d.Files = append(d.Files, t)
	}
	for _, c := range w.Settings {
		s := settingsDiff{Path: c.Path}
		if !noText {
			s.Diff = c.Diff()
		}
		d.Settings = append(d.Settings, s)
	}
	return d
}

// readText is a file of a bundle, nil when it is not there; not ok is one that
// cannot be read, is too large, or is made from the other files.
func readText(fsys fs.FS, path string) (text []byte, ok bool) {
	if path == bundle.LockName || path == bundle.SigName {
		return nil, false
	}
	if fsys == nil {
		return nil, true
	}
	fi, err := fs.Stat(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true
	}
	if err != nil || fi.Size() > maxText {
		return nil, false
	}
	text, err = fs.ReadFile(fsys, path)
	return text, err == nil
}

// unified is the diff of two texts, "" when one of them is none. nil is a file that
// is not there.
func unified(path string, before, after []byte) string {
	for _, b := range [][]byte{before, after} {
		if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
			return ""
		}
	}
	from, to := "a/"+path, "b/"+path
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(before), string(after))
}

func (e *env) printWaiting(w pull.Waiting, d diffJSON) {
	switch {
	case d.Waits:
		e.printRelease(w.Report)
	case len(w.Healed) > 0:
		e.printf("release %d is damaged here; a sync heals:\n", w.To.Release)
		for _, p := range w.Healed {
			e.printf("  %s\n", e.short(p))
		}
	case w.Changes && len(w.Settings) == 0:
		e.printf("release %d is the newest; a sync proves it once more\n", w.To.Release)
	case w.RolledBack:
		e.printf("%s runs by a rollback, and nothing newer than what was left has come\n", receipt.Named(w.To.Release))
	default:
		e.printf("release %d is the newest, and what is installed is intact\n", w.To.Release)
	}
	e.printSums(w.Files)
	for _, s := range d.Settings {
		e.printf("  %s: a sync registers hookctl again\n", e.short(s.Path))
	}
	e.printPending(w.Report)
	for _, f := range d.Files {
		if f.Text != "" {
			e.printf("\n%s", shown(f.Text))
		}
	}
	for _, s := range d.Settings {
		if s.Diff != "" {
			e.printf("\n%s", shown(s.Diff))
		}
	}
	e.printBehaviour(d.behaviour)
	if d.Waits {
		e.printf("\n%s, %s; %s, %d with another verdict\n", plural(len(d.Files), "file changes", "files change"),
			plural(len(d.Gates), "gate", "gates"), plural(d.Cases, "case", "cases"), len(d.Verdicts))
		e.printf("take it with: hookctl sync\n")
	}
}

// shown is a text as a terminal may have it: a file can hold its codes.
func shown(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 {
			return utf8.RuneError
		}
		return c
	}, s)
}
