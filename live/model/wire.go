package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// The four APIs.
const (
	anthropic = "anthropic"
	responses = "responses"
	chat      = "chat"
	gemini    = "gemini"
)

type object map[string]any

// say answers a request in the words of its API.
func say(w http.ResponseWriter, n int, a ask, t Turn) {
	switch a.api {
	case anthropic:
		sayAnthropic(w, n, a, t)
	case responses:
		sayResponses(w, n, a, t)
	case chat:
		sayChat(w, n, a, t)
	case gemini:
		sayGemini(w, a, t)
	}
}

func fail(w http.ResponseWriter, status int, message string) {
	answer(w, status, object{"type": "error", "error": object{"type": "invalid_request_error", "code": status, "message": message}})
}

func answer(w http.ResponseWriter, status int, v object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone is no fault
}

// events sends server-sent events.
type events struct{ w http.ResponseWriter }

func newEvents(w http.ResponseWriter) events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return events{w}
}

// send sends one event; one without a name has data alone.
func (e events) send(name string, v object) {
	data, err := json.Marshal(v)
	if err != nil { // a script that no JSON can hold
		panic(http.ErrAbortHandler)
	}
	if name != "" {
		fmt.Fprintf(e.w, "event: %s\n", name)
	}
	fmt.Fprintf(e.w, "data: %s\n\n", data)
	_ = http.NewResponseController(e.w).Flush() // a client that has gone is no fault
}

// typed sends an event whose data repeats its name.
func (e events) typed(name string, v object) {
	v["type"] = name
	e.send(name, v)
}

// arguments are a call's input as JSON text.
func (c Call) arguments() string {
	if c.Input == nil {
		return "{}"
	}
	b, err := json.Marshal(c.Input)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return string(b)
}

func (t Turn) silent() bool { return t.Text == "" && len(t.Calls) > 0 }

func sayAnthropic(w http.ResponseWriter, n int, a ask, t Turn) {
	stop := "end_turn"
	var blocks []object
	if !t.silent() {
		blocks = append(blocks, object{"type": "text", "text": t.Text})
	}
	for i, c := range t.Calls {
		stop = "tool_use"
		blocks = append(blocks, object{"type": "tool_use", "id": callID(n, i), "name": c.Name, "input": json.RawMessage(c.arguments())})
	}
	message := object{
		"id": fmt.Sprintf("msg_fake%03d", n), "type": "message", "role": "assistant", "model": a.Model,
		"content": blocks, "stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 10},
	}
	if !a.stream {
		answer(w, http.StatusOK, message)
		return
	}
	// The whole message as a model sends it: empty, each block opened, filled and
	// closed, the end.
	message["content"], message["stop_reason"] = []object{}, nil
	e := newEvents(w)
	e.typed("message_start", object{"message": message})
	for i, b := range blocks {
		opened, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": b["text"]}
		if b["type"] == "tool_use" {
			opened = object{"type": "tool_use", "id": b["id"], "name": b["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(b["input"].(json.RawMessage))}
		}
		e.typed("content_block_start", object{"index": i, "content_block": opened})
		e.typed("content_block_delta", object{"index": i, "delta": delta})
		e.typed("content_block_stop", object{"index": i})
	}
	e.typed("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 10}})
	e.typed("message_stop", object{})
}

func callID(n, i int) string { return fmt.Sprintf("call_fake%03d%02d", n, i) }

func sayResponses(w http.ResponseWriter, n int, a ask, t Turn) {
	id := fmt.Sprintf("msg_fake%03d", n)
	part := func(text string) object { return object{"type": "output_text", "text": text, "annotations": []any{}} }
	items := []object{}
	if !t.silent() {
		items = append(items, object{"type": "message", "id": id, "status": "completed", "role": "assistant", "content": []object{part(t.Text)}})
	}
	for i, c := range t.Calls {
		item := object{"type": "function_call", "id": "fc_" + callID(n, i), "call_id": callID(n, i), "name": c.Name, "arguments": c.arguments(), "status": "completed"}
		if c.Patch != "" {
			item = object{"type": "custom_tool_call", "id": "ctc_" + callID(n, i), "call_id": callID(n, i), "name": c.Name, "input": c.Patch, "status": "completed"}
		}
		items = append(items, item)
	}
	whole := object{
		"id": fmt.Sprintf("resp_fake%03d", n), "object": "response", "created_at": time.Now().Unix(), "model": a.Model, "status": "completed", "output": items,
		"usage": object{
			"input_tokens": 10, "output_tokens": 10, "total_tokens": 20,
			"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
		},
	}
	if !a.stream {
		answer(w, http.StatusOK, whole)
		return
	}
	e := newEvents(w)
	e.typed("response.created", object{"response": object{"id": whole["id"], "object": "response", "status": "in_progress", "model": a.Model, "output": []any{}}})
	for i, item := range items {
		if item["type"] != "message" {
			e.typed("response.output_item.added", object{"output_index": i, "item": item})
			e.typed("response.output_item.done", object{"output_index": i, "item": item})
			continue
		}
		at := func(more object) object {
			more["item_id"], more["output_index"], more["content_index"] = id, i, 0
			return more
		}
		e.typed("response.output_item.added", object{"output_index": i, "item": object{"type": "message", "id": id, "status": "in_progress", "role": "assistant", "content": []any{}}})
		e.typed("response.content_part.added", at(object{"part": part("")}))
		e.typed("response.output_text.delta", at(object{"delta": t.Text}))
		e.typed("response.output_text.done", at(object{"text": t.Text}))
		e.typed("response.output_item.done", object{"output_index": i, "item": item})
	}
	e.typed("response.completed", object{"response": whole})
}

func sayChat(w http.ResponseWriter, n int, a ask, t Turn) {
	message, finish := object{"role": "assistant", "content": t.Text}, "stop"
	var calls []object
	for i, c := range t.Calls {
		calls = append(calls, object{"index": i, "id": callID(n, i), "type": "function", "function": object{"name": c.Name, "arguments": c.arguments()}})
	}
	if len(calls) > 0 {
		message["tool_calls"], finish = calls, "tool_calls"
	}
	usage := object{"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
	base := func(kind string, choices []object) object {
		return object{"id": fmt.Sprintf("chatcmpl-fake%03d", n), "object": kind, "created": time.Now().Unix(), "model": a.Model, "choices": choices}
	}
	if !a.stream {
		whole := base("chat.completion", []object{{"index": 0, "message": message, "finish_reason": finish}})
		whole["usage"] = usage
		answer(w, http.StatusOK, whole)
		return
	}
	const chunk = "chat.completion.chunk"
	e := newEvents(w)
	e.send("", base(chunk, []object{{"index": 0, "delta": message, "finish_reason": nil}}))
	e.send("", base(chunk, []object{{"index": 0, "delta": object{}, "finish_reason": finish}}))
	last := base(chunk, []object{})
	last["usage"] = usage
	e.send("", last)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func sayGemini(w http.ResponseWriter, a ask, t Turn) {
	var parts []object
	if !t.silent() {
		parts = append(parts, object{"text": t.Text})
	}
	for _, c := range t.Calls {
		parts = append(parts, object{"functionCall": object{"name": c.Name, "args": json.RawMessage(c.arguments())}})
	}
	whole := object{
		"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
	}
	if !a.stream {
		answer(w, http.StatusOK, whole)
		return
	}
	newEvents(w).send("", whole)
}
