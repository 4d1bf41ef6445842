// Package journal owns the decision log: one JSON line a decision, in one file a
// day, appended in one write so that no line of 16 processes at once is lost. It
// takes no lock, waits for nobody and never panics: a line that cannot be
// written is an error, and the decision stands without it. What it is given has
// been redacted already.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Schema is the version of a line.
const Schema = 1

// Line is one decision.
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

const ext = ".jsonl"

// Append adds a line to the journal in dir, which it makes when it is missing.
// It never waits for a lock: the system places each append as a whole. The file
// is that of the line's day, in UTC; old days may be deleted at any time.
func Append(dir string, l Line) error {
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	f, err := openDay(dir, l.Time)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	n, err := f.Write(b.Bytes())
	if err != nil && n > 0 {
		// A full disk cut the line; end it, if only that byte still fits, so that
		// the next line is one of its own.
		_, _ = f.WriteString("\n")
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// newID names a decision: the process and the moment, short enough to be typed.
func newID(t time.Time) string {
	return strconv.FormatInt(t.UnixMicro()%(36*36*36*36*36*36), 36) + strconv.FormatInt(int64(os.Getpid()%(36*36*36)), 36)
}

func openDay(dir string, day time.Time) (*os.File, error) {
	file := path.Join(dir, day.Format(time.DateOnly)+ext)
	const flags = os.O_APPEND | os.O_CREATE | os.O_WRONLY | noHang
	f, err := os.OpenFile(file, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.OpenFile(file, flags, 0o600)
		}
	}
	return f, err
}

// Read walks the journal in dir, newest line first, until each returns false. A
// line that is torn or of another schema is passed over. A journal that does not
// exist is empty.
func Read(dir string, each func(Line) bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	for _, e := range slices.Backward(entries) { // ReadDir sorts by name, and a name is a day
		day, ok := strings.CutSuffix(e.Name(), ext)
		if _, err := time.Parse(time.DateOnly, day); !ok || err != nil || !e.Type().IsRegular() {
			continue
		}
		raw, err := os.ReadFile(path.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted meanwhile
		}
		if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if !backward(raw, each) {
			return nil
		}
	}
	return nil
}

// backward gives the lines of one day and reports whether to go on.
func backward(raw []byte, each func(Line) bool) bool {
	for len(raw) > 0 {
		raw = bytes.TrimSuffix(raw, []byte("\n"))
		at := bytes.LastIndexByte(raw, '\n') + 1
		l, ok := decode(raw[at:])
		raw = raw[:at]
		if ok && !each(l) {
			return false
		}
	}
	return true
}

// decode reads a line. When it is none, a whole line may still stand behind one
// that was cut off by a full disk.
func decode(line []byte) (Line, bool) {
	var l Line
	if json.Unmarshal(line, &l) == nil {
		return l, l.Schema == Schema
	}
	at := bytes.LastIndex(line, []byte(`{"schema":`))
	l = Line{}
	if at <= 0 || json.Unmarshal(line[at:], &l) != nil {
		return Line{}, false
	}
	return l, l.Schema == Schema
}
