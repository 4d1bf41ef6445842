package host

import (
	"strings"

	"github.com/agenthooks/hookctl/gate"
)

// recognise tells the event's name and the agent. The environment only settles
// what the payload leaves open: an agent started by another one inherits the
// other's variables, and a repository's settings can set any.
func recognise(f fields, as string, getenv func(string) string) (name, host string) {
	name = f.str("hook_event_name", "hookEventName")
	if as == Generic {
		if name == "" {
			name = f.str("event")
		}
		return name, Generic
	}
	switch {
	case f.has("cursor_version"):
		return name, Cursor
	case f.has("sessionId", "toolName", "hookName") && !f.has("session_id"):
		if name == "" {
			name = copilotName(f)
		}
		return name, Copilot
	case f.str("agent") == OpenCode, openCodeOnly(name):
		return name, OpenCode
	case geminiOnly(name):
		return name, Gemini
	case f.has("timestamp"):
		return name, stamped(f, name, getenv)
	case f.has("turn_id") && !f.has("prompt_id"), rollout(f.str("transcript_path")):
		return name, Codex
	}
	return name, Claude
}

// stamped tells apart the three agents that send a time with Claude's names.
func stamped(f fields, name string, getenv func(string) string) string {
	switch {
	case f.has("permission_mode", "tool_call_id"):
		return Qwen
	case f.has("transcript_path") && geminiKind(name) == gate.SessionStart:
		return Gemini // Copilot sends no transcript here
	case f.has("stop_reason", "tool_result", "initial_prompt"), getenv("COPILOT_CLI") != "":
		return Copilot
	case getenv("QWEN_PROJECT_DIR") != "":
		return Qwen
	case f.has("transcript_path") && claudeKind(name) == "":
		return Gemini // SessionEnd, Notification, PreCompress: nothing hangs on it
	}
	return Copilot
}

// rollout reports whether path is a Codex session: of SessionStart and
// SessionEnd the payload alone does not tell.
func rollout(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.HasPrefix(base, "rollout-")
}
