// Package journal owns the decision log: one JSON line a decision, appended in
// one write so that no line of many processes at once is lost or torn. There is
// one file a day, and further ones when a day is busy; what is older than 30 days
// goes, and the oldest goes when all files together come near 64 MiB.
//
// It takes no lock, waits for nobody and never panics: a line that cannot be
// written is an error, and the decision stands without it. It deletes only
// regular files that it wrote itself. What it is given has been redacted already.
package journal

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Schema is the version of a line.
const Schema = 1

// Line is one decision. encode writes its members by hand.
type Line struct {
	Schema   int            `json:"schema"`
	Time     time.Time      `json:"time"`
	ID       string         `json:"id"` // names the decision for capture and wrong
	Host     string         `json:"host,omitempty"`
	Event    string         `json:"event,omitempty"`
	Session  string         `json:"session,omitempty"`
	Turn     string         `json:"turn,omitempty"`
	CWD      string         `json:"cwd,omitempty"`
	Tool     string         `json:"tool,omitempty"`
	Decision string         `json:"decision"` // allow, notice, ask, block, skipped, failed
	Why      string         `json:"why,omitempty"`
	Gates    []Gate         `json:"gates,omitempty"`
	Faults   []string       `json:"faults,omitempty"`
	Judge    string         `json:"judge,omitempty"` // which judge answered, and which did not; "" = builtin
	Bundle   string         `json:"bundle,omitempty"`
	Release  int            `json:"release"`
	Program  string         `json:"program,omitempty"` // hookctl's version
	Redacted map[string]int `json:"redacted,omitempty"`
	// Transcript, Message and SHA256 let capture find the exact text again; Text
	// is the redacted final message and is kept for blocks only.
	Transcript string           `json:"transcript,omitempty"`
	Message    string           `json:"message,omitempty"`
	SHA256     string           `json:"sha256,omitempty"`
	Text       string           `json:"text,omitempty"`
	Micros     map[string]int64 `json:"us,omitempty"` // time by layer, in microseconds
}

// Gate is one gate's part in a decision, or one hook's.
type Gate struct {
	ID       string `json:"id"`
	Outcome  string `json:"outcome"`
	Sentence string `json:"sentence,omitempty"` // redacted
	// Of a hook, flat: the outcome is its decision, or "failed".
	Exit    *int   `json:"exit,omitempty"` // its exit code; -1: not started, or killed
	Failure string `json:"failure,omitempty"`
	Micros  int64  `json:"us,omitempty"`
}

// maxLine bounds a line, in bytes: what an agent sends may be of any length.
const maxLine = 256 << 10

// Append adds a line to the journal in dir, which it makes when it is missing.
// It never waits for a lock: the system places each append as a whole. The file
// is that of the line's time, in UTC. Whoever begins a new file deletes the old
// ones.
func Append(dir string, l Line) error {
	if err := standard.append(dir, l); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

func (b bounds) append(dir string, l Line) error {
	if l.Schema == 0 {
		l.Schema = Schema
	}
	if l.Time.IsZero() {
		l.Time = time.Now()
	}
	l.Time = l.Time.UTC()
	if l.ID == "" {
		l.ID = newID(l.Time)
	}
	raw, err := encode(l)
	if err != nil {
		return err
	}
	f, begun, err := b.open(dir, l.Time)
	if err != nil {
		return err
	}
	n, err := f.Write(raw)
	if err != nil && n > 0 {
		// A full disk cut the line; end it, if only that byte still fits, so that
		// the next line is one of its own.
		_, _ = f.WriteString("\n")
	}
	err = errors.Join(err, f.Close())
	if begun > 0 {
		b.sweep(dir, l.Time, begun)
	}
	return err
}

// newID names a decision: the process and the moment, short enough to be typed.
func newID(t time.Time) string {
	return strconv.FormatInt(t.UnixMicro()%(36*36*36*36*36*36), 36) + strconv.FormatInt(int64(os.Getpid()%(36*36*36)), 36)
}
