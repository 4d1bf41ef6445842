package simulate

import (
	"slices"
	"time"

	"github.com/agenthooks/hookctl/gate/host"
)

// phase is when a hook is asked about a tool call.
type phase int

const (
	before phase = iota
	after
	afterFailure
)

// agent is what sets one agent apart from the others in how it dispatches a tool
// call. The facts are those seen in the real clients (Claude Code 2.1.332, Codex
// 0.171, Gemini CLI 0.61, Qwen Code 0.24, Copilot CLI 1.0.102); Cursor's are those of
// its documentation.
type agent struct {
	name string
	// events are those on which it asks hooks, in its order and words.
	events func(p phase, tool string) []string
	// tool is its own name and input for a call.
	tool func(event string, c *call) (name string, input map[string]any)
	// payload is what it adds to the event's own fields.
	payload func(event string, c *call) map[string]any
	// read takes a hook's answer as it does.
	read func(event string, p phase, o outcome) answer
	// timeout is how long it waits for a hook that names no time of its own.
	timeout time.Duration
	// shell starts a command line.
	shell []string
	// fits tells that it looks whether an edit fits the file before it asks a hook.
	fits bool
	// once tells that it asks a command once, however often it is registered.
	once bool
}

// Agents are the agents whose dispatch can be played. OpenCode has no command hooks
// and is none of them.
func Agents() []string {
	return []string{host.Claude, host.Codex, host.Gemini, host.Qwen, host.Copilot, host.Cursor}
}

func agentOf(name string) agent {
	switch name {
	case host.Codex:
		return agent{
			name: name, events: named("PreToolUse", "PostToolUse", ""), tool: codexTool, payload: codexPayload,
			read: readCodex, timeout: 600 * time.Second, shell: []string{"/bin/sh", "-lc"},
		}
	case host.Gemini:
		return agent{
			name: name, events: named("BeforeTool", "AfterTool", "AfterTool"), tool: geminiTool, payload: stampedPayload,
			read: readGemini, timeout: 60 * time.Second, shell: []string{"bash", "-c"}, once: true,
		}
	case host.Qwen:
		return agent{
			name: name, events: named("PreToolUse", "PostToolUse", "PostToolUseFailure"), tool: qwenTool, payload: qwenPayload,
			read: readQwen, timeout: 60 * time.Second, shell: []string{"bash", "-c"},
		}
	case host.Copilot:
		return agent{
			name: name, events: copilotEvents, tool: copilotTool, payload: copilotPayload,
			read: readCopilot, timeout: 30 * time.Second, shell: []string{"bash", "-c"},
		}
	case host.Cursor:
		return agent{
			name: name, events: cursorEvents, tool: cursorTool, payload: cursorPayload,
			read: readCursor, timeout: 60 * time.Second, shell: []string{"/bin/sh", "-c"},
		}
	}
	return agent{
		name: host.Claude, events: named("PreToolUse", "PostToolUse", "PostToolUseFailure"), tool: claudeTool, payload: claudePayload,
		read: readClaude, timeout: 600 * time.Second, shell: []string{"/bin/sh", "-c"}, fits: true, once: true,
	}
}

// named are the events of an agent that has one for each phase; "" = none.
func named(pre, post, failed string) func(phase, string) []string {
	return func(p phase, _ string) []string {
		name := [...]string{before: pre, after: post, afterFailure: failed}[p]
		if name == "" {
			return nil
		}
		return []string{name}
	}
}

// copilotEvents: it knows its own names and Claude's, and the spelling that is
// registered decides the payload.
func copilotEvents(p phase, _ string) []string {
	return [...][]string{
		before:       {"preToolUse", "PreToolUse"},
		after:        {"postToolUse", "PostToolUse"},
		afterFailure: {"postToolUseFailure", "PostToolUseFailure"},
	}[p]
}

// cursorEvents: some tools have an event of their own beside the general one.
func cursorEvents(p phase, tool string) []string {
	own := map[phase]map[string]string{
		before: {toolBash: "beforeShellExecution", toolRead: "beforeReadFile"},
		after:  {toolBash: "afterShellExecution", toolEdit: "afterFileEdit", toolWrite: "afterFileEdit", toolPatch: "afterFileEdit"},
	}[p][tool]
	general := [...][]string{
		before:       {"preToolUse", "PreToolUse"},
		after:        {"postToolUse", "PostToolUse"},
		afterFailure: {"postToolUseFailure", "PostToolUseFailure"},
	}[p]
	if own == "" {
		return general
	}
	return append(slices.Clone(general), own)
}

// toolEvents are all events on which an agent may ask about some tool.
func (a agent) toolEvents() (all []string) {
	for _, p := range []phase{before, after, afterFailure} {
		for _, t := range tools {
			for _, e := range a.events(p, t) {
				if !slices.Contains(all, e) {
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// event is an agent's name for an event that a scenario may call by hookctl's words.
func (a agent) event(name string) string {
	switch name {
	case "pre-tool":
		return a.events(before, toolEdit)[0]
	case "post-tool":
		return a.events(after, toolEdit)[0]
	}
	return name
}
