package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// model speaks as much of the APIs of the three programs as one answer takes:
// Anthropic's Messages, OpenAI's Responses and Gemini's, all streamed.
type model struct {
	*httptest.Server
	status int // other than 0: the answer is this error

	mu   sync.Mutex
	seen []string // bodies
}

var endMark = regexp.MustCompile(`--- text-end ([0-9a-f]{32}) ---`)

type object = map[string]any

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

func (m *model) bodies() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.seen...)
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	if r.Method != http.MethodPost || strings.HasSuffix(r.URL.Path, "count_tokens") || strings.HasSuffix(r.URL.Path, "countTokens") {
		fmt.Fprint(w, `{"data":[],"input_tokens":1,"totalTokens":1}`)
		return
	}
	m.mu.Lock()
	m.seen = append(m.seen, string(b))
	m.mu.Unlock()
	if m.status != 0 {
		w.WriteHeader(m.status)
		fmt.Fprint(w, `{"type":"error","error":{"type":"rate_limit_error","code":429,"message":"You exceeded your current quota"}}`)
		return
	}
	nonce := ""
	if all := endMark.FindAllStringSubmatch(string(b), -1); all != nil {
		nonce = all[len(all)-1][1]
	}
	answer := object{"nonce": nonce, "reason": "it offers", "new_proposal": true}
	text, _ := json.Marshal(answer)
	w.Header().Set("Content-Type", "text/event-stream")
	switch {
	case strings.HasSuffix(r.URL.Path, "/messages"):
		messages(w, string(b), answer, string(text))
	case strings.HasSuffix(r.URL.Path, "/responses"):
		responses(w, string(text))
	default:
		event(w, "", object{"candidates": []object{{"index": 0, "content": object{"role": "model", "parts": []object{{"text": string(text)}}}, "finishReason": "STOP"}}, "usageMetadata": object{"totalTokenCount": 2}})
	}
}

func event(w io.Writer, name string, v object) {
	b, _ := json.Marshal(v)
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", b)
}

func messages(w io.Writer, body string, answer object, text string) {
	send := func(kind string, v object) {
		v["type"] = kind
		event(w, kind, v)
	}
	send("message_start", object{"message": object{"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []any{}, "usage": object{"input_tokens": 1, "output_tokens": 1}}})
	stop := "end_turn"
	if strings.Contains(body, `"name":"StructuredOutput"`) {
		stop = "tool_use"
		send("content_block_start", object{"index": 0, "content_block": object{"type": "tool_use", "id": "t", "name": "StructuredOutput", "input": object{}}})
		input, _ := json.Marshal(answer)
		send("content_block_delta", object{"index": 0, "delta": object{"type": "input_json_delta", "partial_json": string(input)}})
	} else {
		send("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
		send("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": text}})
	}
	send("content_block_stop", object{"index": 0})
	send("message_delta", object{"delta": object{"stop_reason": stop}, "usage": object{"output_tokens": 1}})
	send("message_stop", object{})
}

func responses(w io.Writer, text string) {
	item := object{"type": "message", "id": "i", "status": "completed", "role": "assistant", "content": []object{{"type": "output_text", "text": text, "annotations": []any{}}}}
	event(w, "response.created", object{"type": "response.created", "response": object{"id": "r", "object": "response", "status": "in_progress", "output": []any{}}})
	event(w, "response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item})
	event(w, "response.completed", object{"type": "response.completed", "response": object{
		"id": "r", "object": "response", "status": "completed", "output": []object{item},
		"usage": object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0}},
	}})
}
