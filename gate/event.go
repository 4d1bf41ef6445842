// Package gate holds the nouns of a decision: the event an agent reports, the
// compiled rules that judge it, the verdict and its trace. It is pure: it opens
// no file, starts no process and reads no clock, and it stays light, because
// the hook's fast path imports it before anything else is initialised.
package gate

import "encoding/json"

// Kind names an event in hookctl's own words, whatever the agent calls it.
type Kind string

// The events that agents report. The empty Kind is an event hookctl does not
// handle: it is let through in silence.
const (
	Stop         Kind = "stop"
	SubagentStop Kind = "subagent-stop"
	PreTool      Kind = "pre-tool"
	PostTool     Kind = "post-tool"
	Prompt       Kind = "prompt"
	SessionStart Kind = "session-start"
)

// IsStop reports whether the assistant has just ended a turn, so that its words
// are to be judged.
func (k Kind) IsStop() bool { return k == Stop || k == SubagentStop }

// IsTool reports whether it is about a call of a tool.
func (k Kind) IsTool() bool { return k == PreTool || k == PostTool }

// akin reports whether both are stops, or both calls, or the same.
func (k Kind) akin(other Kind) bool {
	return k == other || k.IsStop() && other.IsStop() || k.IsTool() && other.IsTool()
}

// Event is what an agent reported, in one shape for every agent.
type Event struct {
	Kind    Kind
	Host    string // claude, codex, gemini, qwen, copilot, cursor, opencode or generic
	Name    string // the agent's own name of the event, "Stop", "AfterAgent"
	Session string // the agent's id of the session
	Turn    string // the agent's id of the user's turn, "" when it sends none
	Message string // id of the final message, "" when unknown
	CWD     string
	Active  bool // the agent is already going on because a stop was blocked
	Tasks   int  // background tasks that have not finished
	Tool    Tool

	// Text is the final message of the assistant. HasText is false when the
	// agent sent none and the transcript has to be read.
	Text    string
	HasText bool
	// Context is the assistant's own text since the last real user turn, at most
	// [ContextBytes], and ends with Text. Evidence and the judge look here.
	Context string
	// Transcript is the path the agent gave, unread and untrusted.
	Transcript string
	// At is when the agent reported the event, in milliseconds, where its transcript
	// is read by that time; 0 elsewhere.
	At int64
	// Contract marks an event that hookctl made itself from a contract case: the
	// builtin judge (or Recorded) answers, no counter counts, no line is journalled.
	Contract bool
	// Recorded is the judge's answer that a contract case carries, raw.
	Recorded json.RawMessage
	// Raw are the agent's own bytes, for the executables of the bundle.
	Raw []byte
}

// ContextBytes bounds Event.Context, in bytes; the cut falls on a character.
const ContextBytes = 4000

// Tool is a tool call. Input is the agent's own JSON.
type Tool struct {
	Name  string
	Input json.RawMessage
}
