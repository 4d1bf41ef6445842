package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type object map[string]any

// say answers a Messages request, as one object or as a stream of events.
func say(w http.ResponseWriter, n int, a ask, t Turn) {
	stop := "end_turn"
	if t.Tool != "" {
		stop = "tool_use"
	}
	message := object{
		"id": fmt.Sprintf("msg_fake%04d", n), "type": "message", "role": "assistant", "model": a.Model,
		"content": content(n, t), "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": 1, "output_tokens": 1},
	}
	if !a.Stream {
		answer(w, http.StatusOK, message)
		return
	}
	stream(w, message)
}

// content gives the blocks of a turn: words first, then the call.
func content(n int, t Turn) []object {
	var blocks []object
	if t.Text != "" {
		blocks = append(blocks, object{"type": "text", "text": t.Text})
	}
	if t.Tool != "" {
		blocks = append(blocks, object{"type": "tool_use", "id": fmt.Sprintf("toolu_fake%04d", n), "name": t.Tool, "input": t.Input})
	}
	return blocks
}

// stream sends a whole message as the events that a model streaming it would
// send: an empty message, each block opened, filled and closed, the end.
func stream(w http.ResponseWriter, message object) {
	blocks, stop := message["content"].([]object), message["stop_reason"]
	message["content"], message["stop_reason"] = []object{}, nil

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	send := func(kind string, fields object) {
		fields["type"] = kind
		data, err := json.Marshal(fields)
		if err != nil { // the input was checked when the script was read
			panic(http.ErrAbortHandler)
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data)
		_ = http.NewResponseController(w).Flush() // a client that has gone is no fault
	}
	send("message_start", object{"message": message})
	for i, block := range blocks {
		opened, delta := open(block)
		send("content_block_start", object{"index": i, "content_block": opened})
		send("content_block_delta", object{"index": i, "delta": delta})
		send("content_block_stop", object{"index": i})
	}
	send("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 1}})
	send("message_stop", object{})
}

// open splits a block into its empty form and the one delta that fills it.
func open(block object) (opened, delta object) {
	if block["type"] == "text" {
		return object{"type": "text", "text": ""}, object{"type": "text_delta", "text": block["text"]}
	}
	opened = object{"type": "tool_use", "id": block["id"], "name": block["name"], "input": object{}}
	return opened, object{"type": "input_json_delta", "partial_json": string(block["input"].(json.RawMessage))}
}

func fail(w http.ResponseWriter, status int, kind, message string) {
	answer(w, status, object{"type": "error", "error": object{"type": kind, "message": message}})
}

func answer(w http.ResponseWriter, status int, v object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone is no fault
}
