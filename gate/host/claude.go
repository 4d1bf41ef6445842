package host

import "github.com/agenthooks/hookctl/gate"

// Claude, Codex and Qwen share names and shapes; Copilot and Cursor speak them
// too when they run a registration made for Claude.

func claudeKind(name string) gate.Kind {
	switch name {
	case "Stop":
		return gate.Stop
	case "SubagentStop":
		return gate.SubagentStop
	case "PreToolUse":
		return gate.PreTool
	case "PostToolUse", "PostToolUseFailure", "PostToolBatch":
		return gate.PostTool
	case "UserPromptSubmit":
		return gate.Prompt
	case "SessionStart":
		return gate.SessionStart
	}
	return ""
}

type decisionReason struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

type specific struct {
	Output any `json:"hookSpecificOutput"`
}

type permission struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

type addition struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

func claudeAnswer(ev gate.Event, d gate.Decision, reason string) any {
	if ev.Kind == gate.PreTool {
		verb := "deny"
		if d == gate.Ask {
			verb = "ask"
		}
		return specific{permission{ev.Name, verb, reason}}
	}
	if d != gate.Block || ev.Kind == gate.SessionStart || ev.Kind == "" {
		return nil
	}
	return decisionReason{"block", reason}
}

// codexAnswer: Codex runs the tool on "ask", and drops the whole answer for one
// unknown key, so nothing is added to these shapes.
func codexAnswer(ev gate.Event, d gate.Decision, reason string) any {
	if ev.Kind == gate.PreTool {
		d = gate.Block
	}
	return claudeAnswer(ev, d, reason)
}

// qwenAnswer: after a tool has run, Qwen passes on additional context only.
func qwenAnswer(ev gate.Event, d gate.Decision, reason string) any {
	if ev.Kind == gate.PostTool && d == gate.Block {
		return specific{addition{ev.Name, reason}}
	}
	return claudeAnswer(ev, d, reason)
}
