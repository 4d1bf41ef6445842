package host

import (
	"github.com/agenthooks/hookctl/gate"
)

// OpenCode runs no command as a hook. The plugin that install writes sends events
// with Claude's names and fields, marked {"agent": "opencode"}, and acts on
// {"decision": "block", "reason"}: before a call it throws the reason, which stops
// the call and reaches the model, and after a call it adds the reason to what the
// tool has said. A plugin that hands on what OpenCode gave it, {input, output}
// under OpenCode's own names, is understood too.

func openCodeKind(name string) gate.Kind {
	switch name {
	case "tool.execute.before":
		return gate.PreTool
	case "tool.execute.after":
		return gate.PostTool
	}
	return claudeKind(name)
}

// openCodeOnly reports whether no other agent has an event of this name.
func openCodeOnly(name string) bool {
	return name == "tool.execute.before" || name == "tool.execute.after" || name == "session.idle"
}

func openCodeFill(f fields, ev *gate.Event, _ func(string) string) {
	if !f.has("input", "properties") {
		return
	}
	in, out, about := f.object("input"), f.object("output"), f.object("properties")
	ev.Session = in.str("sessionID")
	if ev.Session == "" {
		ev.Session = about.str("sessionID")
	}
	if ev.Kind == gate.PreTool || ev.Kind == gate.PostTool {
		// Before a call its arguments are output, which a plugin may change.
		ev.Tool = gate.Tool{Name: in.str("tool"), Input: out.raw("args")}
		if ev.Tool.Input == nil {
			ev.Tool.Input = in.raw("args")
		}
	}
}

// openCodeAnswer: a plugin cannot ask, so what a person should decide is denied. It
// hears of a stop when the turn is over, and there is no way back.
func openCodeAnswer(ev gate.Event, d gate.Decision, reason string) any {
	if ev.Kind == gate.PreTool || ev.Kind == gate.PostTool && d == gate.Block {
		return decisionReason{"block", reason}
	}
	return nil
}
