package host

import (
	"github.com/agenthooks/hookctl/gate"
)

// OpenCode runs no command as a hook. A plugin that install writes there hands on
// what OpenCode gives it, {hook_event_name, cwd, input, output}, and acts on one
// shape: {"decision":"block","reason"} before a call is thrown, which stops it and
// tells the model why, and after a call is added to what the tool has said.
// session.idle comes after the turn, with nothing but the session's id: there is
// nothing to judge and no way back, so it is let through.

func openCodeKind(name string) gate.Kind {
	switch name {
	case "tool.execute.before":
		return gate.PreTool
	case "tool.execute.after":
		return gate.PostTool
	}
	return ""
}

// openCodeOnly reports whether no other agent has an event of this name.
func openCodeOnly(name string) bool {
	return openCodeKind(name) != "" || name == "session.idle"
}

func openCodeFill(f fields, ev *gate.Event, _ func(string) string) {
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

// openCodeAnswer: a plugin cannot ask, so what a person should decide is denied.
func openCodeAnswer(ev gate.Event, d gate.Decision, reason string) any {
	if ev.Kind == gate.PreTool || ev.Kind == gate.PostTool && d == gate.Block {
		return decisionReason{"block", reason}
	}
	return nil
}
