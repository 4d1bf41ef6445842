package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// turn is one answer in the fake model's script.
type turn struct {
	Text  string         `json:"text,omitempty"`
	Tool  string         `json:"tool,omitempty"`
	Input map[string]any `json:"input,omitempty"`
}

func call(tool string, input map[string]any) turn { return turn{Tool: tool, Input: input} }

// request is what the fake model was asked once.
type request struct {
	Kind string `json:"kind"`
	Body struct {
		Messages []json.RawMessage `json:"messages"`
	} `json:"body"`
}

// newText gives the messages that the request before did not hold: what the
// client added between two questions. They are JSON, unescaped for reading.
func (r request) newText(before request) string {
	var text []string
	for _, m := range r.Body.Messages[min(len(before.Body.Messages), len(r.Body.Messages)):] {
		text = append(text, words(m)...)
	}
	return strings.Join(text, "\n")
}

// words collects every string in a JSON value that stands for text.
func words(raw json.RawMessage) []string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var text []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			text = append(text, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if v["role"] == "assistant" {
				return // the model's own words, said again
			}
			walk(v["content"])
			walk(v["text"])
		}
	}
	walk(v)
	return text
}

// readLog gives the requests of the main conversation. Asides (titles, topics)
// and counts are the client's own affair.
func readLog(t *testing.T, file string) []request {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var main []request
	for line := range strings.Lines(string(b)) {
		var r request
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", file, err))
		}
		if r.Kind == "turn" || r.Kind == "over" {
			main = append(main, r)
		}
	}
	return main
}
