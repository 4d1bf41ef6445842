package decide

import (
	"context"

	"github.com/agenthooks/hookctl/gate"
)

// due are the hooks that are to see an event.
func (e *Engine) due(ev gate.Event) (hooks []*gate.Hook) {
	for i := range e.Rules.Hooks {
		if h := &e.Rules.Hooks[i]; h.Wants(ev.Kind, ev.Tool.Name) {
			hooks = append(hooks, h)
		}
	}
	return hooks
}

// start starts hooks before the gates judge, so that both take the same time.
func (e *Engine) start(ctx context.Context, ev gate.Event, hooks []*gate.Hook) (wait func() []gate.HookAnswer) {
	switch {
	case len(hooks) == 0:
		return func() []gate.HookAnswer { return nil }
	case e.Start == nil:
		return func() []gate.HookAnswer { return nil } // heard names each of them
	}
	return e.Start(ctx, ev, hooks)
}

// heard turns the hooks' answers into findings. A hook without an answer has
// failed: it is never passed over.
func (e *Engine) heard(ev gate.Event, hooks []*gate.Hook, answers []gate.HookAnswer, v *gate.Verdict, tr *gate.Trace) {
	for i, h := range hooks {
		a := gate.HookAnswer{Exit: -1, Failure: "it was not started"}
		if i < len(answers) {
			a = answers[i]
		}
		if a.Decision == gate.Ask && ev.Kind != gate.PreTool && a.Failure == "" {
			a.Decision, a.Failure = gate.Silent, "it asks the user, which only a tool call can do"
		}
		a.Said, a.Failure = oneLine(a.Said, maxReason), oneLine(a.Failure, maxNote)
		tr.Gates = append(tr.Gates, gate.GateTrace{Gate: h.ID, Outcome: a.Decision.String(), Hook: &a})
		gt := &tr.Gates[len(tr.Gates)-1]
		if a.Failure != "" {
			gt.Outcome = "failed"
		}
		f, found := holds(h, ev.Kind, a)
		if !found {
			continue
		}
		if f.Mode == gate.Enforce && !f.Ask && e.Admit != nil {
			if why := e.Admit(h.ID); why != "" {
				gt.Outcome, f.Mode, f.Note = why, gate.Warn, why
			}
		}
		v.Findings = append(v.Findings, f)
	}
}

// holds is what a hook's answer holds against an event.
func holds(h *gate.Hook, kind gate.Kind, a gate.HookAnswer) (f gate.Finding, found bool) {
	f = gate.Finding{Gate: h.ID, Mode: h.Mode, Sentence: a.Said, Ask: a.Decision == gate.Ask}
	if a.Failure == "" {
		return f, a.Decision != gate.Silent
	}
	f.Sentence, f.Fault, f.Ask = a.Failure, true, false
	if h.Mode != gate.Enforce {
		return f, true
	}
	switch {
	case h.Failure == gate.FailClosed:
	case h.Failure == gate.FailAsk && kind == gate.PreTool:
		f.Ask = true
	default:
		f.Mode = gate.Warn
	}
	return f, true
}
