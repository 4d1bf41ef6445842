package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/gate/redact"
	"github.com/agenthooks/hookctl/manifests"
)

// captureOptions say which message becomes which case.
type captureOptions struct {
	wanted
	redact           bool
	gate, side, slug string
	dir, why         string
}

func captureCmd(e *env) *cobra.Command {
	var o captureOptions
	c := &cobra.Command{
		Use:   "capture [TRANSCRIPT]",
		Short: "Cut a message out of a transcript into a contract case",
		Long: `capture copies one message of the assistant, byte for byte, from a transcript into
cases/GATE/allow or cases/GATE/block of the bundle in --dir, with a note beside it
that says where it is from. It is never retyped.

The message is named by its id (--id), by the user's turn that it ends (--turn), by words
in it (--contains), as the last one (--last), or by a line of the decision log (--journal,
the first characters are enough). Then the transcript is known, and the hash in the log
proves that the text is the one that was judged. A tool call that was denied or asked
about becomes an event (JSON), with ${HOME} and ${PROJECT} for this machine's folders and
without what it would have written. Without TRANSCRIPT, --last is the newest stop that was
blocked. By the log --gate is the gate that blocked, unless it is given.

When the transcript is gone, the log's redacted copy is taken, and the note says so.`,
		Example: `  hookctl capture --last --slug push-report --why report
  hookctl capture session.jsonl --last --gate handoff --side allow --slug open-docs
  hookctl capture --journal 3f2a91c0 --gate commit-before-verification --side allow`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := ""
			if len(args) == 1 {
				file = args[0]
			}
			return e.capture(file, o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.id, "id", "", "the message's id in the transcript")
	f.StringVar(&o.turn, "turn", "", "id of the user's turn in the transcript; its last message")
	f.StringVar(&o.contains, "contains", "", "words that the message contains")
	f.BoolVar(&o.last, "last", false, "the last message; without TRANSCRIPT: the last that was blocked")
	f.StringVar(&o.journal, "journal", "", "id of a line in the decision log")
	f.StringVar(&o.gate, "gate", "", `the gate that the case is for, or "all"`)
	f.StringVar(&o.side, "side", "allow", "what the gate must do: allow or block")
	f.StringVar(&o.slug, "slug", "", "name of the case (default: the first words)")
	f.StringVar(&o.dir, "dir", ".", "the bundle's folder")
	f.StringVar(&o.why, "why", "", "why this is the right answer")
	f.BoolVar(&o.redact, "redact", false, "take secrets out; the case is then no longer verbatim")
	c.MarkFlagsMutuallyExclusive("id", "turn", "contains", "last", "journal")
	return c
}

func (e *env) capture(file string, o captureOptions) error {
	if o.side != "allow" && o.side != "block" || o.gate == "all" && o.side == "block" {
		return &usageError{err: fmt.Errorf("--side %q for gate %q: want allow or block, and allow for all", o.side, o.gate)}
	}
	if !o.last && o.id+o.turn+o.contains+o.journal == "" {
		return &usageError{errors.New("which message? name it by --last, --id, --turn, --contains or --journal")}
	}
	m, err := e.message(file, o.wanted)
	if err != nil {
		return err
	}
	if o.gate == "" {
		if o.gate, err = oneGate(m.line); err != nil {
			return err
		}
	}
	if m.event {
		m.text = e.portable(m)
	}
	c, err := newCase(m, o)
	if err != nil {
		return err
	}
	if m.redacted {
		e.note("the message could only be got redacted: %s", m.source)
	}
	if c.secrets > 0 && !o.redact {
		e.note("the case holds what looks like %s; take it out with --redact", plural(c.secrets, "secret", "secrets"))
	}
	if err := c.write(o.dir); err != nil {
		return err
	}
	e.printf("%s\n", filepath.Join(o.dir, c.path))
	return nil
}

// portable puts ${PROJECT} and ${HOME} in the place of this machine's folders, so
// that a tool call means the same on every machine.
func (e *env) portable(m message) string {
	text := m.text
	for _, place := range []struct{ dir, name string }{{m.line.CWD, "${PROJECT}"}, {e.user, "${HOME}"}} {
		if quoted, err := json.Marshal(place.dir); err == nil && len(place.dir) > 1 {
			text = strings.ReplaceAll(text, string(quoted[1:len(quoted)-1]), place.name)
		}
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", " ") != nil {
		return text
	}
	return b.String() + "\n"
}

// oneGate is the gate that a decision blocks by.
func oneGate(l *journal.Line) (string, error) {
	if l == nil {
		return "", &usageError{errors.New("which gate is the case for? --gate ID, or --gate all")}
	}
	switch ids := blamed(*l); len(ids) {
	case 1:
		return ids[0], nil
	case 0:
		return "", &usageError{fmt.Errorf("decision %s (%s) is no gate's; name one with --gate", l.ID, l.Decision)}
	default:
		return "", &usageError{fmt.Errorf("decision %s is that of %s; name one with --gate", l.ID, strings.Join(ids, " and "))}
	}
}

// newCaseFile is a case that is about to be written.
type newCaseFile struct {
	path    string // in the bundle
	text    string
	note    []byte
	secrets int // found in the text, taken out or not
}

// newCase makes a case of a message. Its gate and slug must be fit to name a file.
func newCase(m message, o captureOptions) (newCaseFile, error) {
	for flag, name := range map[string]string{"--gate": o.gate, "--slug": o.slug} {
		if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return newCaseFile{}, &usageError{err: fmt.Errorf("%s %q: want letters, digits, - and _, since it names a file", flag, name)}
		}
	}
	c := newCaseFile{text: m.text}
	clean, counts := redact.Text(m.text)
	for _, n := range counts {
		c.secrets += n
	}
	source := m.source
	if o.redact && c.secrets > 0 {
		c.text, source = clean, source+" (redacted)"
	}
	slug := o.slug
	if slug == "" {
		slug = slugOf(c.text)
		if m.event {
			slug = "tool-" + hashOf(c.text)[:12]
		}
	}
	c.path = filepath.Join("cases", o.gate, o.side, slug+".md")
	if m.event {
		c.path = strings.TrimSuffix(c.path, ".md") + ".json"
	}
	var err error
	c.note, err = yaml.Marshal(manifests.CaseNote{Why: o.why, Source: source})
	return c, err
}

// write puts the case and its note into a bundle's folder, or neither.
func (c newCaseFile) write(dir string) error {
	path := filepath.Join(dir, c.path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := writeNew(path, []byte(c.text)); err != nil {
		return err
	}
	if err := writeNew(notePath(path), withSchema(dir, notePath(c.path), "case", c.note)); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

func notePath(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".yaml" }

// slugOf makes a file name of a message: its first Latin words, else a piece of
// its hash.
func slugOf(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	slug := strings.Join(words[:min(len(words), 5)], "-")
	if len(slug) < 8 {
		return "case-" + hashOf(text)[:12]
	}
	return slug[:min(len(slug), 48)]
}

// writeNew writes a file that must not be there yet.
func writeNew(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; give the case another name with --slug", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}
