package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

var marks = strings.NewReplacer(string(prose.QuoteMark), "…", string(prose.CodeMark), "`…`")

func (e *env) printExplanation(x explanation) {
	e.printf("%s", strings.ToUpper(x.Decision))
	if x.Skipped != "" {
		e.printf(" (not judged: %s)", x.Skipped)
	}
	e.printf("\n")
	if x.Reason != "" {
		e.printf("  %s\n", strings.ReplaceAll(x.Reason, "\n", "\n  "))
	}
	for _, f := range x.Faults {
		e.printf("  fault: %s\n", f)
	}
	e.printf("\nrules: %s\n", x.Rules)
	var quiet []string
	for _, g := range x.Gates {
		if g.Hook == nil && len(g.Hits)+len(g.Evidence)+len(g.Fields) == 0 && g.Outcome == "no hit" {
			quiet = append(quiet, g.Gate)
			continue
		}
		e.printGate(x, g)
	}
	if len(quiet) > 0 {
		e.printf("\nno hit: %s\n", strings.Join(quiet, ", "))
	}
	if x.tool {
		e.printShell(x.Shell)
	} else {
		e.printSentences(x.Text)
	}
	e.printf("\ntime:")
	for _, k := range sortedKeys(x.Micros) {
		e.printf(" %s %d µs", k, x.Micros[k])
	}
	e.printf("\n")
}

func (e *env) printSentences(all []explainedSpeech) {
	e.printf("\nsentences (own speech is what signals look at):\n")
	for _, s := range all {
		own := s.Own
		if own == "" {
			own = "(not own speech)"
		}
		e.printf("  %-9s %s\n", s.Kind, own)
	}
}

func (e *env) printGate(x explanation, g gate.GateTrace) {
	e.printf("\n%s: %s\n", g.Gate, g.Outcome)
	for _, h := range g.Hits {
		if x.tool {
			e.printf("  %s\n    %s: %s\n", oneLine(h.Sentence), h.Kind, h.Pattern)
			continue
		}
		e.printHit(x, h, "hit by")
	}
	for _, h := range g.Evidence {
		e.printHit(x, h, "freed by")
	}
	read := false
	for _, r := range x.Read {
		if r.Gate == g.Gate {
			read = true
			e.printf("  builtin reads: %s\n    %s\n", r.Sentence, r)
		}
	}
	if rule := x.rule(g.Gate); len(g.Hits) > 0 && !read && rule != nil && rule.Judge.Analyzer != "" {
		e.printf("  builtin reads: nothing that the gate is about in what was hit\n")
	}
	e.printFields(x.rule(g.Gate), g)
	if h := g.Hook; h != nil {
		e.printf("  exit code %d after %d µs\n", h.Exit, h.Took.Microseconds())
		if said := h.Said + h.Failure; said != "" {
			e.printf("  said: %s\n", said)
		}
	}
}

// maxPattern bounds a pattern where a person reads, in characters: its beginning
// is enough to find it in the gate's file. --json has all of it.
const maxPattern = 120

func (e *env) printHit(x explanation, h gate.Hit, how string) {
	e.printf("  line %d: %s\n    %s %s", h.Line, h.Sentence, how, h.Kind)
	if words := x.matched(h); words != "" {
		e.printf(" on %q", words)
	}
	pattern := h.Pattern
	if r := []rune(pattern); len(r) > maxPattern {
		pattern = string(r[:maxPattern]) + "…"
	}
	e.printf("\n    %s\n", pattern)
}

// matched are the words of a message that a pattern matches, as they were folded
// for it; "" where the hit stands in an earlier message of the turn.
func (x explanation) matched(h gate.Hit) string {
	re, err := regexp.Compile("(?i)" + h.Pattern)
	if err != nil {
		return ""
	}
	for _, s := range x.doc.Sentences {
		if x.doc.Text[s.Start:s.End] != h.Sentence {
			continue
		}
		text := s.Plain
		if h.Kind == "signal" {
			text = s.Own
		}
		return marks.Replace(re.FindString(text))
	}
	return ""
}

func (x explanation) rule(id string) *gate.Rule {
	if x.rules != nil {
		for i := range x.rules.Gates {
			if x.rules.Gates[i].ID == id {
				return &x.rules.Gates[i]
			}
		}
	}
	return nil
}

// printFields prints the judge's answer, those that block first, with what each
// would do.
func (e *env) printFields(rule *gate.Rule, g gate.GateTrace) {
	if rule == nil || len(g.Fields) == 0 {
		return
	}
	for _, blocks := range []bool{true, false} {
		for _, f := range rule.Judge.Fields {
			if f.Blocks == blocks {
				e.printf("  judge: %s = %s (%s)\n", f.Name, yesNo(g.Fields[f.Name]), effect(g.Fields[f.Name], blocks))
			}
		}
	}
	if g.Note != "" {
		e.printf("  judge's note: %s\n", g.Note)
	}
}

// effect is what a field does, or would do if it were true.
func effect(v *bool, blocks bool) string {
	switch is := v != nil && *v; {
	case is && blocks:
		return "this blocks, unless something below allows"
	case is:
		return "this allows, whatever blocks"
	case blocks:
		return "true would block"
	}
	return "true would allow"
}

func yesNo(b *bool) string {
	if b == nil {
		return "not given"
	}
	return fmt.Sprint(*b)
}

// moods word what a record says of its action; %s is who.
var moods = map[string]string{
	"offer":    "%s asks for a yes to this: ",
	"announce": "%s says that this will be done: ",
	"ready":    "%s says that this could be done now: ",
	"report":   "%s reports this as done: ",
	"request":  "%s is asked to do this: ",
}

var actors = map[string]string{"agent": "the agent", "user": "the user", "other": "somebody else"}

// actions word those that are no words of the message.
var actions = map[string]string{
	"split": "split work off", "defer": "defer work", "fix": "a fix", "hope": "a fix, as a hope", "pr": "open a pull request",
}

// conditions word what an action hangs on.
var conditions = map[string]string{"event": "once something else has come", "permission": "if the user agrees"}

// String words a record for a person, and what follows from it.
func (r explainedRecord) String() string {
	who := actors[r.Actor]
	if who == "" {
		who = "somebody"
	}
	said := "this is spoken of: "
	if m := moods[r.Mood]; m != "" {
		said = fmt.Sprintf(m, who)
	}
	action := r.Action
	if w := actions[action]; w != "" {
		action = w
	}
	said += action
	if r.Negated {
		said += ", and it is denied"
	}
	if r.Choice {
		said += ", as one of several ways"
	}
	if r.Condition != "" {
		said += ", " + conditions[r.Condition]
	}
	if r.Excuse != "" {
		return said + "; does not count: " + r.Excuse
	}
	return said + "; counts against the message"
}
