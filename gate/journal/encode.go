package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// encode gives the line with its end. Of one that is too long only what the
// decision was is kept.
func encode(l Line) ([]byte, error) {
	b, err := object(l)
	if err == nil && len(b) > maxLine {
		b, err = object(Line{
			Schema: l.Schema, Time: l.Time, ID: l.ID, Event: l.Event, Decision: l.Decision, Release: l.Release, Micros: l.Micros,
			Why: fmt.Sprintf("the rest of this line is left out: it had %d bytes", len(b)),
		})
	}
	return b, err
}

// object writes what encoding/json would, which for a type of so many members needs
// longer to get ready than all else that a hook does for an event without a hit.
// Members that most lines lack go to it all the same.
func object(l Line) ([]byte, error) {
	o := writer{b: make([]byte, 0, 512)}
	o.int("schema", l.Schema)
	o.b = l.Time.AppendFormat(append(o.b, `,"time":"`...), time.RFC3339Nano)
	o.b = append(o.b, '"')
	o.string("id", l.ID)
	o.text("host", l.Host)
	o.text("event", l.Event)
	o.text("session", l.Session)
	o.text("turn", l.Turn)
	o.text("cwd", l.CWD)
	o.text("tool", l.Tool)
	o.string("decision", l.Decision)
	o.text("why", l.Why)
	o.any("gates", l.Gates, len(l.Gates))
	o.any("faults", l.Faults, len(l.Faults))
	o.text("judge", l.Judge)
	o.text("bundle", l.Bundle)
	o.int("release", l.Release)
	o.text("program", l.Program)
	o.any("redacted", l.Redacted, len(l.Redacted))
	o.text("transcript", l.Transcript)
	o.text("message", l.Message)
	o.text("sha256", l.SHA256)
	o.text("text", l.Text)
	o.micros("us", l.Micros)
	return append(o.b, "}\n"...), o.err
}

type writer struct {
	b   []byte
	err error
}

func (o *writer) key(name string) {
	begin := `,"`
	if len(o.b) == 0 {
		begin = `{"`
	}
	o.b = append(append(append(o.b, begin...), name...), `":`...)
}

func (o *writer) int(name string, n int) {
	o.key(name)
	o.b = strconv.AppendInt(o.b, int64(n), 10)
}

// text leaves out what is empty.
func (o *writer) text(name, s string) {
	if s != "" {
		o.string(name, s)
	}
}

func (o *writer) string(name, s string) {
	if o.key(name); verbatim(s) {
		o.b = append(append(append(o.b, '"'), s...), '"')
	} else {
		o.value(s)
	}
}

// verbatim reports that a string stands in JSON as it is.
func verbatim(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func (o *writer) any(name string, v any, n int) {
	if n > 0 {
		o.key(name)
		o.value(v)
	}
}

func (o *writer) value(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		o.err = err
	}
	o.b = append(o.b, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

func (o *writer) micros(name string, m map[string]int64) {
	if len(m) == 0 {
		return
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	o.key(name)
	inner := writer{}
	for _, k := range keys {
		inner.int(k, int(m[k]))
	}
	o.b = append(append(o.b, inner.b...), '}')
}
