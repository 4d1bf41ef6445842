package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agenthooks/hookctl/gate"
)

// Errors of Parse. Both come with as much of the event as can be told.
var (
	ErrEmpty    = errors.New("the agent sent nothing on stdin")
	ErrNotEvent = errors.New("the agent sent no JSON object on stdin")
)

// Parse reads the bytes an agent wrote to the hook. as is "" or "generic". The
// bytes are UTF-8 whatever the locale says. An event that hookctl does not
// handle has Kind "" and is no error. Broken bytes are an [ErrEmpty] or an
// [ErrNotEvent]; the event then holds what could still be read, so that a tool
// call that came cut off can be answered as one.
func Parse(raw []byte, as string, getenv func(string) string) (gate.Event, error) {
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	raw = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("\xef\xbb\xbf")))
	if len(raw) == 0 {
		return gate.Event{Host: as, Kind: defaultKind(as)}, ErrEmpty
	}
	var f fields
	err := json.Unmarshal(raw, &f)
	if err == nil && f == nil { // null
		err = errors.New("null")
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrNotEvent, err)
		if f = salvage(raw); f == nil {
			return gate.Event{Host: as, Kind: defaultKind(as)}, err
		}
	}
	return event(f, as, getenv), err
}

// defaultKind is the kind of an event without a name.
func defaultKind(as string) gate.Kind {
	if as == Generic {
		return gate.Stop
	}
	return ""
}

func event(f fields, as string, getenv func(string) string) gate.Event {
	name, host := recognise(f, as, getenv)
	d := dialectOf(host)
	ev := gate.Event{
		Host:     host,
		Name:     name,
		Kind:     d.kind(name),
		Session:  f.str("session_id", "sessionId", "conversation_id"),
		Turn:     f.str("prompt_id", "turn_id", "generation_id"),
		CWD:      f.str("cwd"),
		Active:   f.yes("stop_hook_active", "stopHookActive") || f.count("loop_count"),
		Tasks:    f.tasks(),
		Contract: f.yes("hookctl_contract"),
	}
	if ev.Contract {
		ev.Recorded = f.raw("hookctl_recorded")
	}
	if ev.Kind.IsStop() {
		ev.Text, ev.HasText = f.text("last_assistant_message", "lastAssistantMessage", "prompt_response")
	}
	if ev.Kind == gate.SubagentStop {
		ev.Transcript = f.str("agent_transcript_path", "agentTranscriptPath")
	}
	if ev.Transcript == "" {
		ev.Transcript = f.str("transcript_path", "transcriptPath")
	}
	if ev.Kind == gate.PreTool || ev.Kind == gate.PostTool {
		ev.Tool = gate.Tool{Name: f.str("tool_name", "toolName"), Input: f.raw("tool_input", "toolInput", "toolArgs")}
	}
	if d.fill != nil {
		d.fill(f, &ev, getenv)
	}
	return ev
}

// salvage reads what it can from bytes that are no JSON: the members that came
// whole before the bytes end, or the first object when more follows it, or else
// the event's name alone. nil when there is none.
func salvage(raw []byte) fields {
	if raw[0] != '{' {
		return named(raw)
	}
	whole, comma := shape(raw)
	tries := [][]byte{raw[:whole]}
	if whole == 0 {
		// The value after the last comma may be whole or cut; try it whole first.
		tries = [][]byte{closed(raw), closed(raw[:comma])}
	}
	for _, t := range tries {
		var f fields
		if json.Unmarshal(t, &f) == nil && len(f) > 0 {
			return f
		}
	}
	return named(raw)
}

// named finds the event's name somewhere in the bytes. Inside a JSON string the
// quotes are escaped, so a text that talks of the field does not match.
func named(raw []byte) fields {
	_, rest, ok := bytes.Cut(raw, []byte(`"hook_event_name"`))
	if !ok {
		return nil
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":"))
	if !ok {
		return nil
	}
	rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 {
		return nil
	}
	name := rest[:end]
	for _, c := range name { // a name is a plain word
		if c <= ' ' || c >= 0x7f || c == '\\' {
			return nil
		}
	}
	return fields{"hook_event_name": json.RawMessage(`"` + string(name) + `"`)}
}

func closed(b []byte) []byte { return append(b[:len(b):len(b)], '}') }

// shape finds where the first object ends (0: it does not) and its last comma.
func shape(raw []byte) (whole, comma int) {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1, comma
			}
		case c == ',' && depth == 1:
			comma = i
		}
	}
	return 0, comma
}
