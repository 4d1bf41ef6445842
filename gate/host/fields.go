package host

import (
	"bytes"
	"encoding/json"
)

// fields are the members of an event, each still in its own bytes: a member of
// an unexpected type is found out when it is asked for and counts as absent.
// Names are matched exactly; of a name given twice the last one holds.
type fields map[string]json.RawMessage

// has reports whether one of the names is there and not null.
func (f fields) has(names ...string) bool {
	for _, n := range names {
		if v, ok := f[n]; ok && string(v) != "null" {
			return true
		}
	}
	return false
}

// text is the first of the names that holds a string.
func (f fields) text(names ...string) (string, bool) {
	for _, n := range names {
		v := f[n]
		if len(v) == 0 || v[0] != '"' {
			continue
		}
		var s string
		if json.Unmarshal(v, &s) == nil {
			return s, true
		}
	}
	return "", false
}

func (f fields) str(names ...string) string {
	s, _ := f.text(names...)
	return s
}

func (f fields) yes(names ...string) bool {
	for _, n := range names {
		if string(f[n]) == "true" {
			return true
		}
	}
	return false
}

// count is a member that is a number above nought.
func (f fields) count(name string) bool {
	var n float64
	return json.Unmarshal(f[name], &n) == nil && n > 0
}

// raw is the first of the names that is there and not null. An object that
// comes packed into a string is unpacked.
func (f fields) raw(names ...string) json.RawMessage {
	for _, n := range names {
		if !f.has(n) {
			continue
		}
		if s, ok := f.text(n); ok {
			if t := bytes.TrimSpace([]byte(s)); len(t) > 0 && t[0] == '{' && json.Valid(t) {
				return t
			}
		}
		return f[n]
	}
	return nil
}

// object is a member that is an object; empty when it is none.
func (f fields) object(name string) fields {
	var o fields
	if json.Unmarshal(f[name], &o) != nil {
		return nil
	}
	return o
}

// tasks counts the background tasks that have not finished. A task without a
// status counts: better to wait for one too many than to judge half a turn.
func (f fields) tasks() int {
	var list []json.RawMessage
	if json.Unmarshal(f["background_tasks"], &list) != nil {
		return 0
	}
	n := 0
	for _, item := range list {
		var t fields
		if json.Unmarshal(item, &t) != nil || t == nil {
			continue
		}
		switch t.str("status") {
		case "completed", "complete", "finished", "done", "succeeded", "success", "failed", "failure", "error",
			"killed", "stopped", "cancelled", "canceled", "aborted", "timeout", "timed_out", "exited":
		default:
			n++
		}
	}
	return n
}
