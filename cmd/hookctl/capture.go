package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/gate/redact"
	"github.com/agenthooks/hookctl/gate/transcript"
	"github.com/agenthooks/hookctl/manifests"
)

// captureOptions say which message becomes which case.
type captureOptions struct {
	id, journal, contains string
	last, redact          bool
	gate, side, slug      string
	dir, why              string
}

func captureCmd(e *env) *cobra.Command {
	var o captureOptions
	c := &cobra.Command{
		Use:   "capture [TRANSCRIPT]",
		Short: "Cut a message out of a transcript into a contract case",
		Long: `capture copies one message of the assistant, byte for byte, from a transcript into
cases/GATE/allow or cases/GATE/block of the bundle in --dir, with a note beside it
that says where it is from. It is never retyped.

The message is named by its id (--id), by words in it (--contains), as the last one
(--last), or by the line of the decision log (--journal): then the transcript is
known, and the hash in the log proves that the text is the one that was judged.`,
		Example: `  hookctl capture session.jsonl --last --gate handoff --side allow --slug open-docs
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
	f.StringVar(&o.contains, "contains", "", "words that the message contains")
	f.BoolVar(&o.last, "last", false, "the last message")
	f.StringVar(&o.journal, "journal", "", "id of a line in the decision log")
	f.StringVar(&o.gate, "gate", "", `the gate that the case is for, or "all"`)
	f.StringVar(&o.side, "side", "allow", "what the gate must do: allow or block")
	f.StringVar(&o.slug, "slug", "", "name of the case (default: the first words)")
	f.StringVar(&o.dir, "dir", ".", "the bundle's folder")
	f.StringVar(&o.why, "why", "", "why this is the right answer")
	f.BoolVar(&o.redact, "redact", false, "take secrets out; the case is then no longer verbatim")
	_ = c.MarkFlagRequired("gate")
	return c
}

func (e *env) capture(file string, o captureOptions) error {
	if o.side != "allow" && o.side != "block" || o.gate == "all" && o.side == "block" {
		return &usageError{err: fmt.Errorf("--side %q for gate %q: want allow or block, and allow for all", o.side, o.gate)}
	}
	if !o.last && o.id == "" && o.contains == "" && o.journal == "" {
		return &usageError{errors.New("which message? name it by --last, --id, --contains or --journal")}
	}
	for flag, name := range map[string]string{"--gate": o.gate, "--slug": o.slug} {
		if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return &usageError{err: fmt.Errorf("%s %q: want letters, digits, - and _, since it names a file", flag, name)}
		}
	}
	text, source, err := e.find(file, o)
	if err != nil {
		return err
	}
	if o.redact {
		clean, counts := redact.Text(text)
		if len(counts) > 0 {
			source += " (redacted)"
		}
		text = clean
	}
	slug := o.slug
	if slug == "" {
		slug = slugOf(text)
	}
	path := filepath.Join(o.dir, "cases", o.gate, o.side, slug+".md")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	note, err := yaml.Marshal(manifests.CaseNote{Why: o.why, Source: source})
	if err != nil {
		return err
	}
	if err := writeNew(path, []byte(text)); err != nil {
		return err
	}
	if err := writeNew(strings.TrimSuffix(path, ".md")+".yaml", note); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	e.printf("%s\n", path)
	return nil
}

// find gives the message, verbatim, and words on where it is from that name no
// person and no machine.
func (e *env) find(file string, o captureOptions) (text, source string, err error) {
	var sum string
	if o.journal != "" {
		l, err := e.journalLine(o.journal)
		if err != nil {
			return "", "", err
		}
		sum = l.SHA256
		if file == "" {
			file = l.Transcript
		}
		source = "decision " + l.ID
	}
	if file == "" {
		return "", "", &usageError{err: errors.New("name a transcript, or --journal with the id of a decision")}
	}
	var last *transcript.Message
	match := func(m transcript.Message) bool {
		last = &m
		switch {
		case sum != "":
			return slices.ContainsFunc(append(m.Parts, m.Text), func(s string) bool {
				return hashOf(s) == sum || hashOf(strings.TrimSpace(s)) == sum
			})
		case o.id != "":
			return m.ID == o.id
		case o.contains != "":
			return strings.Contains(m.Text, o.contains)
		}
		return false
	}
	m, ok, err := transcript.Find(file, e.user, match)
	if err != nil {
		return "", "", err
	}
	if !ok && o.last && sum == "" && last != nil {
		m, ok = *last, true
	}
	if !ok {
		return "", "", fmt.Errorf("%s holds no such message", file)
	}
	if source == "" {
		source = "message " + m.ID + " of a transcript"
	}
	return m.Text, source, nil
}

func (e *env) journalLine(id string) (journal.Line, error) {
	var found *journal.Line
	err := journal.Read(e.home.Journal(), func(l journal.Line) bool {
		if strings.HasPrefix(l.ID, id) {
			found = &l
			return false
		}
		return true
	})
	if err != nil {
		return journal.Line{}, err
	}
	if found == nil {
		return journal.Line{}, fmt.Errorf("the decision log holds no line %s", id)
	}
	return *found, nil
}

func hashOf(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

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
