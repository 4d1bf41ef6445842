package host

import (
	"encoding/json"
	"time"

	"github.com/agenthooks/hookctl/gate"
)

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

// copilotFill: the text of a stop is not sent and stands in the session's events,
// behind a line with this event's time.
func copilotFill(f fields, ev *gate.Event, getenv func(string) string) {
	if ev.Kind != gate.Stop || ev.HasText {
		return
	}
	ev.At = stamp(f)
	if ev.Transcript == "" && plainName(ev.Session) {
		folder := getenv("COPILOT_HOME")
		if folder == "" {
			folder = "~/.copilot"
		}
		ev.Transcript = folder + "/session-state/" + ev.Session + "/events.jsonl"
	}
}

// stamp is the time of an event in milliseconds: a number with camelCase fields, a
// text with the others. 0 when it cannot be told.
func stamp(f fields) int64 {
	var ms int64
	if json.Unmarshal(f["timestamp"], &ms) == nil {
		return ms
	}
	t, err := time.Parse(time.RFC3339Nano, f.str("timestamp"))
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}

// plainName reports whether a session's id can be the name of a folder, and none
// but that.
func plainName(id string) bool {
	for _, c := range id {
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return id != "" && len(id) <= 128
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
