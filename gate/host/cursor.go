package host

import (
	"encoding/json"

	"github.com/agenthooks/hookctl/gate"
)

func cursorKind(name string) gate.Kind {
	switch name {
	case "stop":
		return gate.Stop
	case "subagentStop":
		return gate.SubagentStop
	case "preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeTabFileRead":
		return gate.PreTool
	case "postToolUse", "postToolUseFailure", "afterShellExecution", "afterMCPExecution", "afterFileEdit", "afterTabFileEdit":
		return gate.PostTool
	case "beforeSubmitPrompt":
		return gate.Prompt
	case "sessionStart":
		return gate.SessionStart
	}
	return claudeKind(name)
}

func cursorFill(f fields, ev *gate.Event, _ func(string) string) {
	if ev.CWD == "" {
		var roots []string
		if json.Unmarshal(f["workspace_roots"], &roots) == nil && len(roots) > 0 {
			ev.CWD = roots[0]
		}
	}
	// These events put the call's own fields at the top, under no tool's name.
	switch ev.Name {
	case "beforeShellExecution", "afterShellExecution":
		ev.Tool = gate.Tool{Name: "Shell", Input: pick(f, "command", "cwd")}
	case "beforeReadFile", "beforeTabFileRead":
		ev.Tool = gate.Tool{Name: "Read", Input: pick(f, "file_path")}
	case "afterFileEdit", "afterTabFileEdit":
		ev.Tool = gate.Tool{Name: "Edit", Input: pick(f, "file_path", "edits")}
	}
}

// pick makes one object of some members.
func pick(f fields, names ...string) json.RawMessage {
	m := fields{}
	for _, n := range names {
		if f.has(n) {
			m[n] = f[n]
		}
	}
	b, err := json.Marshal(m)
	if err != nil { // a member is valid JSON, so this cannot be
		return nil
	}
	return b
}

type cursorPermission struct {
	Permission string `json:"permission"`
	User       string `json:"user_message"`
	Agent      string `json:"agent_message"`
}

func cursorAnswer(ev gate.Event, d gate.Decision, reason string) any {
	if pascal(ev.Name) { // a registration made for Claude is answered in its words
		if ev.Kind == gate.PreTool {
			d = gate.Block // no "ask" there either
		}
		return claudeAnswer(ev, d, reason)
	}
	switch ev.Kind {
	case gate.PreTool:
		p := cursorPermission{"deny", reason, reason}
		if d == gate.Ask && (ev.Name == "beforeShellExecution" || ev.Name == "beforeMCPExecution") {
			p.Permission = "ask" // on the other events it is taken and not enforced
		}
		return p
	case gate.Stop, gate.SubagentStop:
		if d != gate.Block {
			return nil
		}
		return struct {
			Followup string `json:"followup_message"`
		}{reason}
	case gate.PostTool:
		if d != gate.Block {
			return nil
		}
		return struct {
			Context string `json:"additional_context"`
		}{reason}
	case gate.Prompt:
		if d != gate.Block {
			return nil
		}
		return struct {
			Continue bool   `json:"continue"`
			User     string `json:"user_message"`
		}{false, reason}
	}
	return nil
}
