package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// kind says what a line means for the turn.
type kind int

const (
	other    kind = iota // nothing: metadata, an error of the service, an unknown line
	prompt               // a real user turn: the person has spoken
	result               // the result of a tool call
	sentBack             // a hook has sent the assistant back to work
	speech               // the assistant, with or without words
	queued               // a person's prompt, or the reason of a block that stands in the line before
	asked                // the agent has started its hooks at a stop
	blocked              // a hook has blocked a stop
)

// row is one line of any agent's transcript.
type row struct {
	kind  kind
	side  bool     // belongs to a subagent
	id    string   // of the message that a speech is part of, "" when it stands alone
	turn  string   // of a prompt
	texts []string // what the assistant said; of queued and blocked, the words
	at    int64    // of asked: when, in milliseconds
	// whole marks a line that holds its message from the beginning, so that a
	// later line with the same id takes its place; without it the lines with
	// one id are the message's parts.
	whole bool
}

// entry holds the members that one of the known formats uses.
type entry struct {
	Type    string `json:"type"`
	Role    string `json:"role"`
	ID      string `json:"id"`
	UUID    string `json:"uuid"`
	AgentID string `json:"agentId"`

	IsSidechain       bool            `json:"isSidechain"`
	IsMeta            bool            `json:"isMeta"`
	IsCompactSummary  bool            `json:"isCompactSummary"`
	IsTranscriptOnly  bool            `json:"isVisibleInTranscriptOnly"`
	IsAPIErrorMessage bool            `json:"isApiErrorMessage"`
	ParentToolUseID   string          `json:"parent_tool_use_id"`
	ToolUseResult     json.RawMessage `json:"toolUseResult"`
	Origin            json.RawMessage `json:"origin"`
	Provenance        string          `json:"provenance"`
	Content           json.RawMessage `json:"content"`
	Message           message         `json:"message"`
	Payload           payload         `json:"payload"`
	Data              data            `json:"data"`
}

type message struct {
	ID      string          `json:"id"`
	Role    string          `json:"role"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"`
	Parts   json.RawMessage `json:"parts"`
}

// parse reads one line. ok is false when the line is no JSON object.
func parse(line []byte) (r row, ok bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return row{}, false
	}
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		// A member of an unexpected type is left out and the rest is read.
		if wrong := (*json.UnmarshalTypeError)(nil); !errors.As(err, &wrong) {
			return row{}, false
		}
	}
	switch {
	case e.Type == "response_item":
		return e.Payload.row(), true
	case strings.HasSuffix(e.Type, ".message"), strings.HasPrefix(e.Type, "hook."):
		return copilot(e), true
	case e.Type == "gemini":
		texts, _ := words(e.Content)
		return row{kind: speech, id: e.ID, texts: texts, whole: true}, true
	}
	return turnRow(e), true
}

// block is one part of a message's content.
type block struct {
	Type             string          `json:"type"`
	Text             string          `json:"text"`
	Thought          bool            `json:"thought"`
	FunctionResponse json.RawMessage `json:"functionResponse"`
}

// words reads content in any of its shapes: a string, or blocks. answers says
// that it holds the result of a tool call.
func words(content json.RawMessage) (texts []string, answers bool) {
	if len(content) == 0 {
		return nil, false
	}
	if content[0] == '"' {
		var s string
		if json.Unmarshal(content, &s) == nil && strings.TrimSpace(s) != "" {
			texts = []string{s}
		}
		return texts, false
	}
	var blocks []block
	if err := json.Unmarshal(content, &blocks); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); !errors.As(err, &wrong) {
			return nil, false
		}
	}
	for _, b := range blocks {
		switch b.Type {
		case "text", "output_text", "input_text", "":
			if !b.Thought && strings.TrimSpace(b.Text) != "" {
				texts = append(texts, b.Text)
			}
		case "tool_result":
			answers = true
		}
		if len(b.FunctionResponse) > 0 {
			answers = true
		}
	}
	return texts, answers
}
