// Package builtin is the judge that needs no network and no key: it reads the
// sentences that hit by tense, mood, person, condition, negation and question,
// precision first. It is pure.
//
// A sentence becomes a [Record]; small tables of words per language make it, not
// a wall of patterns. What the tables do not know is no finding: understanding
// is the work of a judge behind a model.
package builtin

import (
	"context"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// Mood is the way in which a clause speaks of an action.
type Mood string

const (
	Offer    Mood = "offer"    // asks for a yes: "shall I commit?"
	Announce Mood = "announce" // says that it will be done: "I'll push this"
	Ready    Mood = "ready"    // says that it could be done now: "ready to merge"
	Report   Mood = "report"   // says that it was done: "fixed the crash"
	Request  Mood = "request"  // asks the user to do it
)

// Condition is what a clause's action hangs on.
type Condition string

const (
	Event      Condition = "event"      // something that has not come yet: "once it is green"
	Permission Condition = "permission" // the user's nod, which leaves a proposal one: "if you like"
)

// Record is what was read of one sentence for one gate. A sentence in which no
// frame of the gate stands has no record.
type Record struct {
	Gate      string
	Sentence  string // the original
	Start     int    // byte offset of the sentence in the text
	Lang      string
	Action    string // commit, push, …, split, defer, fix, or the verb of a request
	Mood      Mood
	Actor     string // agent, user or other
	Negated   bool
	Condition Condition // "" = none
	Choice    bool      // one of several ways that are put to the user
	Kind      prose.Kind
	Heading   bool   // stands under or in a heading that makes it a plan, a menu or a history
	Excuse    string // why the record holds nothing against the message, "" = it does
}

// finding tells whether the record speaks against the message by itself.
func (r Record) finding() bool { return r.Excuse == "" }

// analyzer reads a message for one gate and answers the gate's fields.
type analyzer func(*message, gate.Asked) ([]Record, gate.Answer)

func analyzerOf(name string) analyzer {
	switch name {
	case "commit":
		return readCommit
	case "scope-check":
		return readSplit
	case "scope-change":
		return readDeferral
	case "shallow-bugfix":
		return readCause
	case "bugfix-without-reproduction":
		return readReproduction
	case "handoff":
		return readHandoff
	}
	return nil
}

// Ask answers for every gate whose analyzer it knows; a gate with another has no
// answer. It never fails, and it does not look at the context's deadline: a
// message is bounded and takes microseconds.
func Ask(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
	m := newMessage(q)
	answers := make(map[string]gate.Answer, len(q.Gates))
	for _, a := range q.Gates {
		if read := analyzerOf(a.Rule.Judge.Analyzer); read != nil {
			_, answers[a.Rule.ID] = read(m, a)
		}
	}
	return answers, nil
}

// Explain returns the records behind Ask's answers, in the order of the gates
// and of the text.
func Explain(q gate.Question) []Record {
	m := newMessage(q)
	var all []Record
	for _, a := range q.Gates {
		if read := analyzerOf(a.Rule.Judge.Analyzer); read != nil {
			rs, _ := read(m, a)
			all = append(all, rs...)
		}
	}
	return all
}

// answer makes the two-field answer that five of the gates ask for: the first
// record that holds something against the message, or the first excuse.
func answer(rs []Record, why string) gate.Answer {
	a := gate.Answer{Fields: map[string]bool{"new_proposal": false, "retraction_or_quote": false}}
	for _, r := range rs {
		if r.finding() {
			a.Fields["new_proposal"] = true
			a.Sentence, a.Note = r.Sentence, why
			return a
		}
	}
	a.Note = "nothing of the kind is said"
	if len(rs) > 0 {
		a.Fields["retraction_or_quote"] = true
		a.Sentence, a.Note = rs[0].Sentence, rs[0].Excuse
	}
	return a
}
