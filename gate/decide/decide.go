// Package decide is the one decision path: an event and compiled rules to a
// verdict and its trace. explain, test, verify and the hook all call it, so that
// none of them can tell another story. It is pure: what it needs of the machine
// is handed to it as functions.
package decide

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agenthooks/hookctl/gate"
)

// Engine decides events by one set of rules.
type Engine struct {
	Rules *gate.Rules
	// Ask is layer 2; nil means a hit alone never blocks.
	Ask gate.Asker
	// Paths knows the machine's paths, for the tool gates.
	Paths Paths
	// Now times the layers; nil leaves them out of the trace.
	Now func() time.Time
	// Start starts the bundle's own executables; without it each of them has
	// failed.
	Start gate.Starter
	// Admit is asked before a block of an enforcing gate or hook counts. When it
	// returns a reason, the event passes it with that notice (the loop breaker, a
	// block that somebody else began). nil admits all.
	Admit func(id string) (passes string)
	// Changed are paths that are not as they were before the tool ran; nil when
	// nobody has looked.
	Changed []string
	// Notes shows the judge's note in the feedback. The builtin judge's notes are
	// for explain: they tell how it read, not what to do.
	Notes bool

	known map[string][]area // protected areas that were worked out
}

// Decide answers ev. It returns no error: what it could not tell is a fault in
// the verdict, and a stop then passes while a tool call asks.
func (e *Engine) Decide(ctx context.Context, ev gate.Event) (v gate.Verdict, tr gate.Trace) {
	defer func() {
		if r := recover(); r != nil {
			v = Fault(ev.Kind, fmt.Sprintf("internal error: %v", r))
		}
	}()
	tr.Layer = map[string]time.Duration{}
	if e.Rules == nil {
		return Fault(ev.Kind, "no rules"), tr
	}
	hooks := e.due(ev)
	switch {
	case ev.Kind.IsStop() && ev.Tasks > 0:
		v.Skipped = "background tasks are still running"
		return v, tr
	case !ev.Kind.IsStop() && !ev.Kind.IsTool() && len(hooks) == 0:
		v.Skipped = "no gate on this event"
		return v, tr
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // also ends the hooks when a gate panics
	began := e.now()
	wait := e.start(ctx, ev, hooks)
	if ev.Kind.IsStop() {
		e.text(ctx, ev, &v, &tr)
	} else if ev.Kind.IsTool() {
		e.tool(ev, &v, &tr)
	}
	if len(hooks) > 0 {
		e.heard(ev, hooks, wait(), &v, &tr)
		tr.Layer["hooks"] = e.since(began)
	}
	settle(ev, &v)
	return v, tr
}

// Fault is the verdict when hookctl itself failed: a stop passes with a word to
// the user, a tool call asks.
func Fault(kind gate.Kind, why string) gate.Verdict {
	v := gate.Verdict{Faults: []string{why}}
	settle(gate.Event{Kind: kind}, &v)
	return v
}

// text judges the assistant's words.
func (e *Engine) text(ctx context.Context, ev gate.Event, v *gate.Verdict, tr *gate.Trace) {
	start := e.now()
	m := newMessage(ev)
	var q gate.Question
	for i := range e.Rules.Gates {
		rule := &e.Rules.Gates[i]
		if mode := modeFor(rule, ev.Kind); mode == gate.Off || len(rule.Signals) == 0 {
			continue
		}
		gt := e.layer1(rule, m)
		if gt.Outcome == "" {
			q.Gates = append(q.Gates, gate.Asked{Rule: rule, Hits: gt.Hits})
		}
		tr.Gates = append(tr.Gates, gt)
	}
	tr.Layer["layer1"] = e.since(start)
	if len(q.Gates) == 0 {
		return
	}
	if e.Ask == nil {
		eachOpen(tr, func(gt *gate.GateTrace) { gt.Outcome = "hit, no judge" })
		return
	}
	q.Text, q.Context = m.final.Text, m.context.Text
	q.Lang = LangOf(q.Gates[0].Hits[0].Sentence)
	start = e.now()
	answers, err := e.Ask(ctx, q)
	tr.Layer["judge"] = e.since(start)
	for _, asked := range q.Gates {
		e.verdictOf(ev, asked, answers[asked.Rule.ID], v, tr)
	}
	if err != nil {
		v.Faults = append(v.Faults, "the judge did not answer ("+oneLine(err.Error(), 160)+")")
	} else if failed := outcomes(tr, gate.OutcomeFailed); len(failed) > 0 {
		v.Faults = append(v.Faults, "the judge gave no verdict for "+join(failed))
	}
}

// verdictOf turns a judge's answer on one gate into a finding, or into none.
func (e *Engine) verdictOf(ev gate.Event, asked gate.Asked, a gate.Answer, v *gate.Verdict, tr *gate.Trace) {
	gt := find(tr, asked.Rule.ID)
	gt.Fields, gt.Note = pointers(a.Fields), a.Note
	violation, ok := asked.Rule.Judge.Violates(a)
	switch {
	case !ok:
		gt.Outcome = gate.OutcomeFailed
		return
	case !violation:
		gt.Outcome = "judge allows"
		return
	}
	gt.Outcome = gate.OutcomeViolation
	f := gate.Finding{Gate: asked.Rule.ID, Mode: modeFor(asked.Rule, ev.Kind), Sentence: a.Sentence}
	if e.Notes {
		f.Note = a.Note
	}
	if f.Sentence == "" {
		f.Sentence = asked.Hits[0].Sentence
	}
	f.Feedback = feedback(asked.Rule, LangOf(f.Sentence))
	if f.Mode == gate.Enforce && e.Admit != nil {
		if why := e.Admit(asked.Rule.ID); why != "" {
			gt.Outcome = why
			f.Mode = gate.Warn
			f.Note = why
		}
	}
	v.Findings = append(v.Findings, f)
}

func modeFor(r *gate.Rule, k gate.Kind) gate.Mode {
	for _, e := range r.Events {
		if e == k {
			if k == gate.SubagentStop {
				return r.Subagent
			}
			return r.Mode
		}
	}
	return gate.Off
}

func (e *Engine) now() time.Time {
	if e.Now == nil {
		return time.Time{}
	}
	return e.Now()
}

func (e *Engine) since(start time.Time) time.Duration {
	if e.Now == nil {
		return 0
	}
	return e.Now().Sub(start)
}

func find(tr *gate.Trace, id string) *gate.GateTrace {
	for i := range tr.Gates {
		if tr.Gates[i].Gate == id {
			return &tr.Gates[i]
		}
	}
	panic(errors.New("no trace of gate " + id))
}

func eachOpen(tr *gate.Trace, f func(*gate.GateTrace)) {
	for i := range tr.Gates {
		if tr.Gates[i].Outcome == "" {
			f(&tr.Gates[i])
		}
	}
}

func outcomes(tr *gate.Trace, outcome string) (ids []string) {
	for _, gt := range tr.Gates {
		if gt.Outcome == outcome {
			ids = append(ids, gt.Gate)
		}
	}
	return ids
}

func pointers(fields map[string]bool) map[string]*bool {
	out := make(map[string]*bool, len(fields))
	for k, v := range fields {
		out[k] = &v
	}
	return out
}
