package api

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agenthooks/hookctl/gate/judge"
)

// maxTokens bounds an answer, in the model's tokens: six gates have some 500. The
// Messages API wants a number.
const maxTokens = 2048

// verdictTool is the tool that the model must call: its input is the answer, and
// servers hold it to the schema.
const verdictTool = "verdict"

type object = map[string]any

// anthropicBody asks by a tool that has to be called, which all versions of the
// API and its imitations know. No temperature is sent: newer models refuse it.
func anthropicBody(model string, c judge.Call, s Shape) any {
	body := object{"model": model, "max_tokens": maxTokens, "messages": []object{{"role": "user", "content": c.Prompt}}}
	if !s.NoSchema {
		body["tools"] = []object{{"name": verdictTool, "description": "Give the answer.", "input_schema": c.Schema}}
		body["tool_choice"] = object{"type": "tool", "name": verdictTool}
	}
	return body
}

// anthropicWords opens a message: the input of the tool, else the text.
func anthropicWords(answer []byte) (string, error) {
	var m struct {
		Type    string
		Content []struct {
			Type, Text, Name string
			Input            json.RawMessage
		}
		Stop  string `json:"stop_reason"`
		Error *struct{ Type, Message string }
	}
	if err := json.Unmarshal(answer, &m); err != nil {
		return "", errors.New("the answer is not in the form of the Messages API")
	}
	if m.Error != nil || m.Type == "error" {
		return "", excused(answer)
	}
	var text, input strings.Builder
	for _, b := range m.Content {
		switch {
		case b.Type == "text":
			text.WriteString(b.Text + "\n")
		case b.Type == "tool_use" && b.Name == verdictTool:
			input.Write(b.Input)
			input.WriteString("\n")
		}
	}
	switch m.Stop {
	case "refusal":
		return "", &judge.Failure{Kind: judge.Declined}
	case "max_tokens", "model_context_window_exceeded":
		return "", &judge.Failure{Kind: judge.CutOff}
	}
	if input.Len() > 0 {
		return input.String(), nil
	}
	return text.String(), nil
}

// excused is the failure that an answer of success holds all the same.
func excused(answer []byte) error {
	if f := judge.Excuse(string(answer)); f != nil {
		return f
	}
	return &judge.Failure{Kind: judge.Refused, Detail: judge.Detail(string(answer))}
}
