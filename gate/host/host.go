// Package host speaks the agents' dialects: their bytes to a [gate.Event], a
// [gate.Verdict] to the bytes and the exit code that each of them honours. Which
// agent asks is told from the payload, never from the registration, because
// Cursor and Copilot run Claude's registrations too. It never fails on a field
// of an unexpected type (the field counts as absent), reads no file, and never
// exits with a code that an agent could take for a block, save for the generic
// dialect, where 2 is the agreed sign. It runs before anything else is
// initialised, so it imports the light part of the standard library only.
package host

import "github.com/agenthooks/hookctl/gate"

// The names of the agents, as Event.Host carries them.
const (
	Claude   = "claude"
	Codex    = "codex"
	Gemini   = "gemini"
	Qwen     = "qwen"
	Copilot  = "copilot"
	Cursor   = "cursor"
	OpenCode = "opencode"
	Generic  = "generic"
)

// A dialect is what sets one agent apart from the others.
type dialect struct {
	// kind names an event in hookctl's words, "" for one that is let through.
	kind func(name string) gate.Kind
	// fill reads what only this agent sends. May be nil.
	fill func(f fields, ev *gate.Event, getenv func(string) string)
	// answer words a block or an ask as the object that the agent parses; nil
	// when the agent offers no way to say it on this event.
	answer func(ev gate.Event, d gate.Decision, reason string) any
	// notes reports that the agent shows {"systemMessage"} to the user.
	notes bool
}

// Hears reports whether the agent of an event can be told to go on, or not to do
// what it has in mind.
func Hears(ev gate.Event) bool {
	return ev.Host == Generic || dialectOf(ev.Host).answer(ev, gate.Block, "no") != nil
}

// dialectOf is a switch and not a map, so that it costs nothing at start.
func dialectOf(host string) dialect {
	switch host {
	case Codex:
		return dialect{kind: claudeKind, answer: codexAnswer, notes: true}
	case Gemini:
		return dialect{kind: geminiKind, fill: geminiFill, answer: geminiAnswer, notes: true}
	case Qwen:
		return dialect{kind: claudeKind, answer: qwenAnswer, notes: true}
	case Copilot:
		return dialect{kind: copilotKind, fill: copilotFill, answer: copilotAnswer}
	case Cursor:
		return dialect{kind: cursorKind, fill: cursorFill, answer: cursorAnswer}
	case OpenCode:
		return dialect{kind: openCodeKind, fill: openCodeFill, answer: openCodeAnswer}
	case Generic:
		return dialect{kind: genericKind, fill: genericFill}
	default:
		return dialect{kind: claudeKind, answer: claudeAnswer, notes: host == Claude}
	}
}
