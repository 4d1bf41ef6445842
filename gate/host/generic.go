package host

import "github.com/agenthooks/hookctl/gate"

// The generic dialect serves any agent with a hook at the end of a turn:
// {"transcript_path"} or {"text"} on stdin; exit 2 with the feedback on stderr
// sends the agent back.

func genericKind(name string) gate.Kind {
	switch k := gate.Kind(name); k {
	case "":
		return gate.Stop
	case gate.Stop, gate.SubagentStop, gate.PreTool, gate.PostTool, gate.Prompt, gate.SessionStart:
		return k
	}
	for _, kind := range []func(string) gate.Kind{claudeKind, geminiKind, copilotKind, cursorKind} {
		if k := kind(name); k != "" {
			return k
		}
	}
	return ""
}

func genericFill(f fields, ev *gate.Event, _ func(string) string) {
	if ev.Kind.IsStop() && !ev.HasText {
		ev.Text, ev.HasText = f.text("text")
	}
}
