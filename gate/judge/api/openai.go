package api

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agenthooks/hookctl/gate/judge"
)

// openaiBody asks for Chat Completions, the one API that all the servers which
// call themselves compatible have. No bound of tokens is sent: its name differs
// between servers, and the deadline ends an answer without an end.
func openaiBody(model string, c judge.Call, s Shape) any {
	body := object{"model": model, "messages": []object{{"role": "user", "content": c.Prompt}}}
	if !s.NoTemperature {
		body["temperature"] = 0
	}
	if !s.NoSchema {
		body["response_format"] = object{
			"type":        "json_schema",
			"json_schema": object{"name": "verdict", "strict": true, "schema": c.Schema},
		}
	}
	return body
}

// openaiWords opens a completion.
func openaiWords(answer []byte) (string, error) {
	var m struct {
		Choices []struct {
			Message struct {
				Content *string
				Refusal *string
			}
			Finish string `json:"finish_reason"`
		}
		Error json.RawMessage
	}
	if err := json.Unmarshal(answer, &m); err != nil {
		return "", errors.New("the answer is not in the form of the Chat Completions API")
	}
	if len(m.Error) > 0 && string(m.Error) != "null" {
		return "", excused(answer)
	}
	if len(m.Choices) == 0 {
		return "", errors.New("the answer holds no choice")
	}
	c := m.Choices[0]
	switch {
	case c.Message.Refusal != nil && *c.Message.Refusal != "", c.Finish == "content_filter":
		return "", &judge.Failure{Kind: judge.Declined}
	case c.Finish == "length":
		return "", &judge.Failure{Kind: judge.CutOff}
	case c.Message.Content == nil:
		return "", errors.New("the answer holds no text")
	}
	return withoutThoughts(*c.Message.Content), nil
}

// withoutThoughts drops what a local model thought aloud before its answer: a draft
// in it is no verdict.
func withoutThoughts(s string) string {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(s), "<think>"); ok {
		if _, answer, closed := strings.Cut(rest, "</think>"); closed {
			return answer
		}
		return ""
	}
	return s
}
