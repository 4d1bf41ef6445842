package main

import (
	"context"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
)

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
