package host

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
)

// Answer is what the hook prints and how it exits.
type Answer struct {
	Stdout, Stderr []byte
	Exit           int
}

// maxNote bounds a word to the user, in characters.
const maxNote = 400

// Encode words a verdict for the agent that asked: at most one JSON object on
// stdout, or one line on stderr, never both, and nothing at all when there is
// nothing to say. Exit is 0 whatever happened, save for a block in the generic
// dialect.
func Encode(ev gate.Event, v gate.Verdict) Answer {
	d := dialectOf(ev.Host)
	if v.Decision == gate.Block || (v.Decision == gate.Ask && ev.Kind == gate.PreTool) {
		if a, ok := said(ev, v, d); ok {
			return a
		}
	}
	return noted(v, ev.Kind, d)
}

// said words a block or an ask. ok is false when the agent has no way to hear
// it on this event; then the user is told instead.
func said(ev gate.Event, v gate.Verdict, d dialect) (a Answer, ok bool) {
	reason := v.Reason
	if strings.TrimSpace(reason) == "" { // Codex lets a block without a reason pass
		reason = "hookctl: this was stopped, and no reason was given."
	}
	if ev.Host == Generic {
		if ev.Kind == gate.SessionStart || ev.Kind == "" {
			return Answer{}, false
		}
		return Answer{Stderr: append([]byte(strings.ToValidUTF8(reason, "\uFFFD")), '\n'), Exit: 2}, true
	}
	obj := d.answer(ev, v.Decision, reason)
	if obj == nil {
		return Answer{}, false
	}
	return Answer{Stdout: object(obj)}, true
}

// noted tells the user of faults and of findings that do not block. It states
// and asks for nothing: agents have read a note with next steps as an order.
func noted(v gate.Verdict, kind gate.Kind, d dialect) Answer {
	line := note(v, kind)
	if line == "" {
		return Answer{}
	}
	if !d.notes {
		return Answer{Stderr: []byte(line + "\n")}
	}
	return Answer{Stdout: object(struct {
		Message string `json:"systemMessage"`
	}{line})}
}

func note(v gate.Verdict, kind gate.Kind) string {
	if len(v.Faults) > 0 {
		text := strings.TrimRight(plain(strings.Join(v.Faults, ", "), maxNote), ".… ")
		switch {
		case kind.IsStop():
			text += "; the stop was not checked"
		case kind == gate.PreTool || kind == gate.PostTool:
			text += "; the tool call was not checked"
		}
		return "hookctl: " + text + "."
	}
	if v.Decision == gate.Silent {
		return ""
	}
	if len(v.Degraded) > 0 {
		text := strings.TrimRight(plain(strings.Join(v.Degraded, ", "), maxNote), ".… ")
		if kind.IsStop() {
			text += "; the stop was checked all the same"
		}
		return "hookctl: " + text + "."
	}
	for _, f := range v.Findings {
		if f.Mode == gate.Off || f.Mode == gate.Shadow {
			continue
		}
		if f.Fault {
			return "hookctl [" + f.Gate + "] " + gate.CouldNot + strings.TrimRight(plain(f.Sentence, maxNote/2), ".… ") + "."
		}
		text := "hookctl [" + f.Gate + "] noted, and let through: \"" + plain(f.Sentence, maxNote/2) + "\""
		if f.Note != "" {
			text += " (" + plain(f.Note, maxNote/4) + ")"
		}
		return text + "."
	}
	return ""
}

// object is one JSON object and a newline. The characters < > & stay as they
// are: the text is read by people and models, not by a browser.
func object(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { // strings and bools only: this cannot be
		return nil
	}
	return b.Bytes()
}

// plain makes text from outside one line of at most n characters, without
// control characters.
func plain(s string, n int) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case r <= ' ' || (0x7f <= r && r < 0xa0) || (0x2028 <= r && r <= 0x202E) || (0x2066 <= r && r <= 0x2069) || r == utf8.RuneError:
			space = b.Len() > 0
			continue
		case n <= 1:
			b.WriteString("…")
			return b.String()
		}
		if space {
			b.WriteByte(' ')
			n--
			space = false
		}
		b.WriteRune(r)
		n--
	}
	return b.String()
}
