package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// appeal is what was wrong, and what is to be written because of that.
type appeal struct {
	line    journal.Line
	gate    string
	example string
	lang    string // of the example
	made    newCaseFile
	file    string // the gate's file in the bundle
	was, is []byte // its text; was nil = there is none yet
}

// appealOf gathers all that wrong needs, and refuses before anything is written.
func (e *env) appealOf(id string, o wrongOptions) (b appeal, err error) {
	if b.line, err = e.journalLine(id); err != nil {
		return b, err
	}
	if b.gate, err = blockedBy(b.line, o.gate); err != nil {
		return b, err
	}
	if _, err := os.Stat(filepath.Join(o.dir, bundle.Manifest)); err != nil {
		return b, &usageError{fmt.Errorf("%s is no bundle (%w); name its folder with --dir", o.dir, err)}
	}
	m, err := e.judged("", b.line)
	if err != nil {
		return b, err
	}
	if m.redacted && !o.redact {
		return b, fmt.Errorf("only a redacted copy is left of the message (%s); take that with --redact", m.source)
	}
	b.made, err = newCase(m, captureOptions{gate: b.gate, side: "allow", slug: o.slug, why: o.why, redact: o.redact})
	if err != nil {
		return b, err
	}
	if b.made.secrets > 0 && !o.redact {
		return b, fmt.Errorf("the message holds what looks like %s, and a pull request is read by others; take it out with --redact", plural(b.made.secrets, "secret", "secrets"))
	}
	if _, err := os.Lstat(filepath.Join(o.dir, b.made.path)); err == nil {
		return b, fmt.Errorf("%s is there already; give the case another name with --slug", filepath.Join(o.dir, b.made.path))
	}
	b.example, b.lang = exampleOf(b.line, b.gate, o)
	if b.example == "" {
		return b, &usageError{errors.New("the log holds no sentence; word the counter-example with --example")}
	}
	err = b.gateFile(o.dir)
	return b, err
}

// blockedBy is the gate that a decision blocks by: the one asked for, or the only
// one.
func blockedBy(l journal.Line, asked string) (string, error) {
	if l.Decision != gate.Block.String() || !gate.Kind(l.Event).IsStop() {
		return "", fmt.Errorf("decision %s was %s on %s: only a stop that was blocked can be a false block of a gate's judgement", l.ID, l.Decision, orNone(l.Event))
	}
	ids := blamed(l)
	switch {
	case asked != "" && slices.Contains(ids, asked):
		return asked, nil
	case asked != "":
		return "", &usageError{fmt.Errorf("decision %s is not %s's but that of %s", l.ID, asked, orNone(strings.Join(ids, " and ")))}
	case len(ids) == 0:
		return "", fmt.Errorf("decision %s is that of an executable of the bundle, which has no counter-examples; write its case with: hookctl capture --journal %s --gate ID", l.ID, l.ID)
	}
	return oneGate(&l)
}

// exampleOf words the counter-example in one line, and tells its language: that
// of the sentence which was hit.
func exampleOf(l journal.Line, id string, o wrongOptions) (example, lang string) {
	if o.example != "" {
		return oneLine(o.example), decide.LangOf(o.example)
	}
	for _, g := range l.Gates {
		if g.ID == id && g.Sentence != "" {
			said := `"` + oneLine(g.Sentence) + `"`
			if o.why != "" {
				said += " (" + oneLine(o.why) + ")"
			}
			return said, decide.LangOf(g.Sentence)
		}
	}
	return oneLine(o.why), decide.LangOf(o.why)
}

// gateFile makes the new text of the gate's file.
func (b *appeal) gateFile(dir string) error {
	b.file = "gates/" + b.gate + ".yaml"
	raw, err := os.ReadFile(filepath.Join(dir, b.file))
	if err == nil {
		b.was = raw
		b.is, err = manifests.AddCounterExample(b.file, raw, b.lang, b.example)
		return err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	gates, err := manifests.Gates(os.DirFS(dir))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(gates, func(g manifests.Gate) bool { return g.ID == b.gate })
	switch { // only an embedded gate is there without a file
	case i < 0:
		return fmt.Errorf("the bundle in %s has no gate %s", dir, b.gate)
	case gates[i].Judge == nil:
		return fmt.Errorf("gate %s has no judge, and so no counter-examples", b.gate)
	}
	b.is = withSchema(dir, b.file, "gate", manifests.NewPatch(b.gate, b.lang, b.example))
	return nil
}

// write writes the case and the gate's file, or neither.
func (b *appeal) write(dir string) error {
	if err := b.made.write(dir); err != nil {
		return err
	}
	l := &files.Layer{}
	path := filepath.Join(dir, b.file)
	_, err := l.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = l.WriteFileIfUnchanged(path, b.was, b.is, 0o644)
	}
	if err != nil {
		made := filepath.Join(dir, b.made.path)
		return errors.Join(err, os.Remove(made), os.Remove(notePath(made)))
	}
	return nil
}

// demoteHere lets the gate warn only on this machine. It tells why not, where it
// does not.
func (e *env) demoteHere(b appeal) (kept string, err error) {
	r, err := gate.DecodeRules(generation.Open(e.home).Rules)
	if err != nil {
		return "", err
	}
	if b.line.Bundle != r.Bundle {
		return "another release runs here than the one that blocked", nil
	}
	e.demote(r)
	i := slices.IndexFunc(r.Gates, func(g gate.Rule) bool { return g.ID == b.gate })
	switch {
	case i < 0:
		return "what runs here has no such gate", nil
	case !r.Gates[i].Demotable:
		return "the floor of the bundle does not let a machine weaken it", nil
	case !r.Demote(b.gate, r.Bundle):
		return "it does not block here any more", nil
	}
	raw, err := home.ReadConfig(e.home)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text, err := manifests.AddDemotion(raw, manifests.Demotion{Gate: b.gate, Bundle: r.Bundle, Decision: b.line.ID})
	if err != nil {
		return "", fmt.Errorf("%s: %w", e.short(e.home.Config()), err)
	}
	l := &files.Layer{}
	if _, err := l.MkdirAll(string(e.home), 0o700); err != nil {
		return "", err
	}
	return "", l.WriteFileIfUnchanged(e.home.Config(), raw, text, 0o600)
}
