package decide

import (
	"strings"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

const (
	maxReason   = 600 // characters of feedback to the agent
	maxSentence = 160 // of them for a sentence
	maxNote     = 300 // of a judge's note
)

// settle merges the findings of all gates to one decision and words it.
func settle(ev gate.Event, v *gate.Verdict) {
	v.Decision = gate.Silent
	for _, f := range v.Findings {
		switch f.Mode {
		case gate.Enforce:
			v.Decision = max(v.Decision, gate.Block)
		case gate.Warn:
			v.Decision = max(v.Decision, gate.Notice)
		}
	}
	if len(v.Faults) > 0 {
		if ev.Kind == gate.PreTool {
			v.Decision = max(v.Decision, gate.Ask)
		} else {
			v.Decision = max(v.Decision, gate.Notice)
		}
	}
	switch v.Decision {
	case gate.Block:
		v.Reason = reason(v.Findings)
	case gate.Ask:
		v.Reason = "hookctl could not check this call: " + oneLine(join(v.Faults), 300)
	}
}

// reason words the findings that block in one text. The gate's id in brackets is
// the handle a person looks up, and by it a message that repeats the feedback is
// known again.
func reason(findings []gate.Finding) string {
	var blocking []gate.Finding
	for _, f := range findings {
		if f.Mode == gate.Enforce {
			blocking = append(blocking, f)
		}
	}
	share := maxReason/len(blocking) - 2
	var lines []string
	for _, f := range blocking {
		head := "hookctl [" + f.Gate + "] "
		room := share - utf8.RuneCountInString(head) - utf8.RuneCountInString(f.Feedback) - 6
		sentence := oneLine(f.Sentence, min(maxSentence, max(room, 12)))
		line := head + "\"" + sentence + "\": " + f.Feedback
		if left := share - utf8.RuneCountInString(line) - 18; f.Note != "" && left > 40 {
			line += " (judge's note: " + oneLine(f.Note, min(maxNote, left)) + ")"
		}
		lines = append(lines, oneLine(line, share))
	}
	return strings.Join(lines, "\n")
}

// oneLine makes data from outside fit to be shown: no control characters, one
// line, at most n characters.
func oneLine(s string, n int) string {
	var b strings.Builder
	space := false
	count := 0
	for _, r := range s {
		if r <= ' ' || r == 0x7f || (0x80 <= r && r < 0xa0) || r == 0x2028 || r == 0x2029 || (0x202A <= r && r <= 0x202E) || (0x2066 <= r && r <= 0x2069) || r == 0xFEFF || r == utf8.RuneError {
			space = b.Len() > 0
			continue
		}
		if count >= n-1 {
			b.WriteString("…")
			break
		}
		if space {
			b.WriteByte(' ')
			count++
			space = false
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

func join(s []string) string { return strings.Join(s, ", ") }

func feedback(r *gate.Rule, lang string) string {
	if t := r.Feedback[lang]; t != "" {
		return t
	}
	return r.Feedback["en"]
}

func langOf(sentence string) string {
	for _, s := range prose.Parse(sentence).Sentences {
		return s.Lang
	}
	return "en"
}
