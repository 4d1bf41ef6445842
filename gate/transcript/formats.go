package transcript

import (
	"encoding/json"
	"strings"
)

// turnRow reads the line that Claude, Qwen and Cursor share, and Gemini's user
// lines: {type or role, message{content or parts} or content}.
func turnRow(e entry) row {
	role := e.Type
	if role == "" {
		role = e.Role
	}
	if role == "" {
		role = e.Message.Role
	}
	side := e.IsSidechain || e.ParentToolUseID != ""
	switch role {
	case "assistant", "model":
		if e.IsAPIErrorMessage || e.Message.Model == "<synthetic>" {
			return row{}
		}
		texts, _ := words(e.content())
		return row{kind: speech, side: side, id: e.Message.ID, texts: texts}
	case "tool_result":
		return row{kind: result, side: side}
	case "user":
		return userRow(e, side)
	}
	return row{}
}

func (e entry) content() json.RawMessage {
	for _, c := range []json.RawMessage{e.Message.Content, e.Message.Parts} {
		if len(c) > 0 {
			return c
		}
	}
	return e.Content
}

// userRow tells a person's prompt from all else that is written under the user's
// role. There is no official rule; this one is put together from public readers
// of Claude's format. A prompt typed in the middle of a turn is no line of this
// kind, and does not end what the assistant has reported in that turn.
func userRow(e entry, side bool) row {
	texts, answers := words(e.content())
	if answers || len(e.ToolUseResult) > 0 {
		return row{kind: result, side: side}
	}
	first := ""
	if len(texts) > 0 {
		first = strings.TrimSpace(texts[0])
	}
	if strings.HasPrefix(first, "Stop hook feedback:") {
		return row{kind: sentBack, side: side}
	}
	if e.IsMeta || e.IsCompactSummary || e.IsTranscriptOnly || len(e.content()) == 0 || !byPerson(e) || injected(first) {
		return row{side: side}
	}
	turn := e.UUID
	if turn == "" {
		turn = e.ID
	}
	return row{kind: prompt, side: side, turn: turn}
}

// byPerson reads the marks of origin that newer releases add.
func byPerson(e entry) bool {
	if e.Provenance != "" && e.Provenance != "real_user" {
		return false
	}
	var o struct {
		Kind string `json:"kind"`
	}
	if len(e.Origin) == 0 || e.Origin[0] != '{' || json.Unmarshal(e.Origin, &o) != nil {
		return true
	}
	return o.Kind == "" || o.Kind == "human"
}

// injected reports whether a user's text was put there by a program.
func injected(text string) bool {
	for _, p := range [...]string{
		"<command-name>", "<command-message>", "<local-command-", "<task-notification>", "<system-reminder>", "<bash-",
		"Caveat:", "[Request interrupted", "This session is being continued", "Base directory for this skill", "Another Claude session",
		"<environment_context>", "<user_instructions>", "# AGENTS.md", "<turn_aborted>", "<recommended_plugins>",
	} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// payload is Codex's: {type: response_item, payload: {…}}. Its event_msg lines
// say the same again and are passed over.
type payload struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	ID      string          `json:"id"`
	Content json.RawMessage `json:"content"`
	Passed  struct {
		Turn string `json:"turn_id"`
	} `json:"internal_chat_message_metadata_passthrough"`
}

func (p payload) row() row {
	switch {
	case p.Type == "message" && p.Role == "assistant":
		texts, _ := words(p.Content)
		return row{kind: speech, id: p.ID, texts: texts}
	case p.Type == "message" && p.Role == "user":
		texts, _ := words(p.Content)
		first := strings.TrimSpace(strings.Join(texts, "\n"))
		turn := p.Passed.Turn
		if turn == "" {
			turn = p.ID
		}
		switch {
		case strings.HasPrefix(first, "<hook_prompt"):
			return row{kind: sentBack}
		case injected(first):
			return row{}
		}
		return row{kind: prompt, turn: turn}
	case strings.HasSuffix(p.Type, "_output"):
		return row{kind: result}
	case strings.HasSuffix(p.Type, "_call"), p.Type == "reasoning":
		return row{kind: speech}
	}
	return row{}
}

// data is Copilot's: {type: assistant.message, data: {content}}.
type data struct {
	MessageID    string `json:"messageId"`
	Content      string `json:"content"`
	Source       string `json:"source"`
	Delivery     string `json:"delivery"`
	Continuation bool   `json:"isAutopilotContinuation"`

	// Of hook.start and hook.end.
	HookType string `json:"hookType"`
	Input    struct {
		Timestamp int64 `json:"timestamp"`
	} `json:"input"`
	Output struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	} `json:"output"`
}

func copilot(e entry) row {
	side := e.AgentID != ""
	switch e.Type {
	case "assistant.message":
		r := row{kind: speech, side: side, id: e.Data.MessageID, whole: true}
		if strings.TrimSpace(e.Data.Content) != "" {
			r.texts = []string{e.Data.Content}
		}
		return r
	case "user.message":
		r := row{kind: prompt, side: side, turn: e.ID}
		switch {
		case e.Data.Source != "" || e.Data.Continuation:
			return row{kind: sentBack, side: side}
		case e.Data.Delivery == "queued":
			r.kind, r.texts = queued, []string{e.Data.Content}
		}
		return r
	case "hook.start":
		if e.Data.HookType == "agentStop" {
			return row{kind: asked, at: e.Data.Input.Timestamp}
		}
	case "hook.end":
		if e.Data.HookType == "agentStop" && e.Data.Output.Decision == "block" {
			return row{kind: blocked, texts: []string{e.Data.Output.Reason}}
		}
	}
	return row{}
}

// resolve tells a queued line from the one before it: the reason of a block is
// handed to the assistant as if the user had said it.
func (r row) resolve(before row) row {
	if before.kind == blocked && before.texts[0] == r.texts[0] {
		return row{kind: sentBack, side: r.side}
	}
	return row{kind: prompt, side: r.side, turn: r.turn}
}
