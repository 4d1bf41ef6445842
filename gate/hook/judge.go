package hook

import (
	"context"
	"encoding/json"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/gate/redact"
	"github.com/agenthooks/hookctl/home"
)

// Judge makes layer 2 for one event, on a machine that has chosen others than the
// builtin judge; nil: a hit alone never blocks. notes tells that its reasons are for
// the agent; builtin's tell how it read.
type Judge func(Setting) (ask gate.Asker, notes bool)

// Setting is what a judge is made for.
type Setting struct {
	Home, State home.Dir
	Getenv      func(string) string
	Floor       gate.Floor
	Redacted    func(redact.Counts) // told of the secrets that were taken out
	Heard       func(string)        // told who answered, and who did not
}

// layer2 is the judge for this event.
func (r *run) layer2() (ask gate.Asker, notes bool) {
	switch {
	case r.in.Event.Contract:
		return contractAsker(r.in.Event.Recorded), false
	case r.cfg.Judge == nil:
		return builtin.Ask, false
	}
	s := Setting{
		Home: r.in.Home, State: r.in.State(), Getenv: r.in.Getenv,
		Redacted: func(c redact.Counts) { r.redacted = c }, Heard: func(h string) { r.heard = h },
	}
	if r.rules != nil {
		s.Floor = r.rules.Floor
	}
	return r.cfg.Judge(s)
}

// contractAsker gives the answer that a contract case carries, else builtin's:
// what a case must yield cannot depend on a machine's model.
func contractAsker(recorded json.RawMessage) gate.Asker {
	if len(recorded) == 0 {
		return builtin.Ask
	}
	return func(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
		return judge.Parse(recorded, q)
	}
}
