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

// settle merges the findings of all gates and hooks to one decision and words it.
func settle(ev gate.Event, v *gate.Verdict) {
	v.Decision = gate.Silent
	for _, f := range v.Findings {
		v.Decision = max(v.Decision, demands(f))
	}
	if len(v.Faults) > 0 {
		if ev.Kind == gate.PreTool {
			v.Decision = max(v.Decision, gate.Ask)
		} else {
			v.Decision = max(v.Decision, gate.Notice)
		}
	}
	if v.Decision != gate.Block && v.Decision != gate.Ask {
		return
	}
	// What only asks is said beside what denies: the agent hears of all at once.
	var say []gate.Finding
	for _, d := range []gate.Decision{gate.Block, gate.Ask} {
		for _, f := range v.Findings {
			if demands(f) == d {
				say = append(say, f)
			}
		}
	}
	faults := ""
	if v.Decision == gate.Ask && len(v.Faults) > 0 {
		faults = "hookctl could not check this call: " + oneLine(join(v.Faults), 300)
	}
	v.Reason = reason(say, faults)
}

// demands is the decision that one finding asks for.
func demands(f gate.Finding) gate.Decision {
	switch {
	case f.Mode == gate.Enforce && f.Ask:
		return gate.Ask
	case f.Mode == gate.Enforce:
		return gate.Block
	case f.Mode == gate.Warn:
		return gate.Notice
	}
	return gate.Silent
}

// reason words the findings that decide in one text, behind hookctl's own faults.
// The gate's id in brackets is the handle a person looks up, and by it a message
// that repeats the feedback is known again.
func reason(findings []gate.Finding, faults string) string {
	var lines []string
	room := maxReason
	if faults != "" {
		lines, room = []string{faults}, maxReason-utf8.RuneCountInString(faults)-1
	}
	for _, f := range findings {
		lines = append(lines, line(f, room/len(findings)-2))
	}
	return strings.Join(lines, "\n")
}

// line words one finding in at most share characters.
func line(f gate.Finding, share int) string {
	head := "hookctl [" + f.Gate + "] "
	switch {
	case f.Fault:
		return oneLine(head+gate.CouldNot+f.Sentence, share)
	case f.Feedback == "" && f.Sentence == "":
		return oneLine(head+"no reason was given", share)
	case f.Feedback == "": // a hook words its reason itself
		return oneLine(head+f.Sentence, share)
	}
	room := share - utf8.RuneCountInString(head) - utf8.RuneCountInString(f.Feedback) - 6
	sentence := oneLine(f.Sentence, min(maxSentence, max(room, 12)))
	text := head + "\"" + sentence + "\": " + f.Feedback
	if left := share - utf8.RuneCountInString(text) - 18; f.Note != "" && left > 40 {
		text += " (judge's note: " + oneLine(f.Note, min(maxNote, left)) + ")"
	}
	return oneLine(text, share)
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

// LangOf is the language of a sentence's first part, "en" when it has none.
func LangOf(sentence string) string {
	for _, s := range prose.Parse(sentence).Sentences {
		return s.Lang
	}
	return "en"
}
