package host

import "github.com/agenthooks/hookctl/gate"

// Copilot has two dialects, set by the spelling of the registered event: a
// lower-case name gives camelCase fields and no name in the payload, Claude's
// spelling gives snake_case and Claude's tool names.

func copilotKind(name string) gate.Kind {
	switch name {
	case "agentStop":
		return gate.Stop
	case "subagentStop":
		return gate.SubagentStop
	case "preToolUse":
		return gate.PreTool
	case "postToolUse", "postToolUseFailure":
		return gate.PostTool
	case "userPromptSubmitted":
		return gate.Prompt
	case "sessionStart":
		return gate.SessionStart
	}
	return claudeKind(name)
}

// copilotName tells the event of a camelCase payload, which carries no name,
// from the fields that only this event has.
func copilotName(f fields) string {
	switch {
	case f.has("hookName"):
		return f.str("hookName")
	case f.has("toolName") && f.has("toolResult"):
		return "postToolUse"
	case f.has("toolName") && f.has("error"):
		return "postToolUseFailure"
	case f.has("toolName"):
		return "preToolUse"
	case f.has("stopReason", "transcriptPath", "stop_hook_active", "stopHookActive"):
		if f.has("agentName", "agentId", "agentType", "agentTranscriptPath") {
			return "subagentStop"
		}
		return "agentStop"
	case f.has("source"):
		return "sessionStart"
	case f.has("reason"):
		return "sessionEnd"
	case f.has("prompt"):
		return "userPromptSubmitted"
	}
	return ""
}

// camelSaid is the answer to a lower-case event; bothSaid holds Claude's shape
// as well, for the events in Claude's spelling.
type camelSaid struct {
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

type bothSaid struct {
	camelSaid
	Output permission `json:"hookSpecificOutput"`
}

func copilotAnswer(ev gate.Event, d gate.Decision, reason string) any {
	switch ev.Kind {
	case gate.PreTool:
		said := camelSaid{"deny", reason}
		if d == gate.Ask {
			said.Decision = "ask"
		}
		if pascal(ev.Name) {
			return bothSaid{said, permission{ev.Name, said.Decision, reason}}
		}
		return said
	case gate.PostTool:
		if d != gate.Block {
			return nil
		}
		return struct {
			Context string `json:"additionalContext"`
		}{reason}
	case gate.Stop, gate.SubagentStop:
		return claudeAnswer(ev, d, reason)
	}
	return nil // it drops what a hook says to a prompt
}

// pascal reports whether an event's name is spelled as Claude spells it.
func pascal(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }
