package main

import (
	"context"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/eval"
	"github.com/agenthooks/hookctl/gate/shrink"
)

// minimized is the smallest part of a message in which a gate still finds a
// violation.
type minimized struct {
	Gate  string `json:"gate"`
	Text  string `json:"text"`
	Bytes int    `json:"bytes"`
	Of    int    `json:"of"` // bytes of the whole message
	Tries int    `json:"tries"`
	// Complete is false when the time was over before nothing more could be left out.
	Complete bool `json:"complete"`
	// Alone is false when the gate finds nothing in the message by itself: then
	// what it needs stands elsewhere in the turn, and there is no Text.
	Alone bool `json:"alone"`
}

// minimize shrinks the message of an event for each gate that finds a violation
// in it.
func (e *env) minimize(ctx context.Context, in *early.Input, tr gate.Trace, within time.Duration) ([]minimized, error) {
	out := []minimized{}
	rules, err := gate.DecodeRules(in.Opened.Rules)
	if err != nil {
		return nil, err
	}
	text := in.Event.Text
	judge, _ := e.chosen() // a fault was told with the decision
	engine := eval.NewSubject(rules, "", judge.Asker(e.home, rules)).Engine()
	for _, gt := range tr.Gates {
		if gt.Outcome != gate.OutcomeViolation || gt.Hook != nil || !in.Event.Kind.IsStop() {
			continue
		}
		end := time.Now().Add(within)
		m := minimized{Gate: gt.Gate, Of: len(text)}
		still := func(part string) bool { return violates(ctx, engine, gt.Gate, part) }
		if m.Alone = still(text); m.Alone {
			r := shrink.Smallest(text, still, func() bool { return time.Now().After(end) || ctx.Err() != nil })
			m.Text, m.Bytes, m.Complete, m.Tries = r.Text, len(r.Text), r.Whole, r.Tries
		}
		m.Tries++ // the whole message
		out = append(out, m)
	}
	return out, ctx.Err()
}

// violates tells whether a message by itself is a violation of a gate.
func violates(ctx context.Context, e *decide.Engine, id, text string) bool {
	_, tr := e.Decide(ctx, gate.Event{Kind: gate.Stop, Text: text, HasText: true, Context: text})
	for _, gt := range tr.Gates {
		if gt.Gate == id {
			return gt.Outcome == gate.OutcomeViolation
		}
	}
	return false
}

func (e *env) printMinimized(all []minimized) {
	if len(all) == 0 {
		e.printf("\nnothing to minimize: no gate finds a violation\n")
	}
	for _, m := range all {
		if !m.Alone {
			e.printf("\n%s finds nothing in the message by itself: it hangs on what was said before in the turn\n", m.Gate)
			continue
		}
		e.printf("\nsmallest part that %s still blocks (%d of %d bytes, %s):\n  %s\n", m.Gate, m.Bytes, m.Of, plural(m.Tries, "try", "tries"), strings.ReplaceAll(m.Text, "\n", "\n  "))
		if !m.Complete {
			e.printf("The time was over; give it more with --within.\n")
		}
	}
}
