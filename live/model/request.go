package model

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kind says what a request was.
type Kind string

// The kinds of requests.
const (
	Scripted Kind = "turn"  // of the conversation, answered by the script
	Over     Kind = "over"  // of the conversation, after the script's end
	Aside    Kind = "aside" // of the agent's own errand
	Other    Kind = "other"
)

// Request is what the model was asked once.
type Request struct {
	Kind Kind
	Path string
	Body json.RawMessage // nil when it was not JSON
}

// News are the words that the request before did not hold: what the agent put
// into the conversation between two questions, less what the model itself said.
func (r Request) News(before Request) string {
	old := before.words()
	var news []string
	for _, w := range r.words() {
		if i := slices.Index(old, w); i >= 0 {
			old = slices.Delete(old, i, i+1)
			continue
		}
		news = append(news, w)
	}
	return strings.Join(news, "\n")
}

// words collects every text in the conversation but the model's own, from any of
// the four APIs.
func (r Request) words() []string {
	var body struct {
		Messages []json.RawMessage `json:"messages"` // Anthropic, Chat Completions
		Input    json.RawMessage   `json:"input"`    // Responses: items or a text
		Contents []json.RawMessage `json:"contents"` // Gemini
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	var all []string
	for _, m := range slices.Concat(body.Messages, body.Contents, []json.RawMessage{body.Input}) {
		var v any
		if json.Unmarshal(m, &v) == nil {
			gather(v, &all)
		}
	}
	return all
}

func gather(v any, all *[]string) {
	switch v := v.(type) {
	case string:
		*all = append(*all, v)
	case []any:
		for _, e := range v {
			gather(e, all)
		}
	case map[string]any:
		if v["role"] == "assistant" || v["role"] == "model" {
			return
		}
		switch v["type"] {
		case "function_call", "custom_tool_call", "reasoning":
			return
		}
		for _, name := range []string{"content", "text", "output", "parts", "functionResponse", "response", "error"} {
			gather(v[name], all)
		}
	}
}
