package simulate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// The ids of a simulated session. They say what they are wherever a hook keeps them.
const (
	session = "00000000-0000-4000-8000-00000051111a"
	turn    = "00000000-0000-4000-8000-0000000a1111"
)

// stdin is what the agent hands to a hook on stdin.
func (a agent) stdin(event string, p phase, c *call, contract bool) []byte {
	name, input := a.tool(event, c)
	m := a.payload(event, c)
	if camel(a, event) {
		m["toolName"], m["toolArgs"] = name, input
	} else {
		m["hook_event_name"], m["tool_name"], m["tool_input"] = event, name, input
	}
	if c.ran != nil {
		a.said(event, p, c, m)
	}
	if contract {
		m["hookctl_contract"] = true
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(m) != nil { // strings, bools and numbers only: this cannot be
		return nil
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// camel reports whether Copilot speaks its own dialect on an event.
func camel(a agent, event string) bool { return a.name == "copilot" && !pascal(event) }

// said adds what the tool answered.
func (a agent) said(event string, p phase, c *call, m map[string]any) {
	text := c.ran.text()
	switch {
	case a.name == "copilot" && p == afterFailure:
		m["error"] = text
	case camel(a, event):
		m["toolResult"] = map[string]any{"resultType": "success", "textResultForLlm": text}
	case a.name == "copilot":
		m["tool_result"] = map[string]any{"result_type": "success", "text_result_for_llm": text}
	case a.name == "cursor" && p == afterFailure:
		m["error_message"], m["failure_type"], m["is_interrupt"] = text, "error", false
	case a.name == "cursor" && !pascal(event):
		m["tool_output"], m["duration"] = fmt.Sprintf("%q", text), 1
	case a.name == "codex":
		m["tool_response"] = text
	case a.name == "gemini", a.name == "qwen":
		m["tool_response"] = map[string]any{"llmContent": text, "returnDisplay": text}
	case p == afterFailure:
		m["error"], m["is_interrupt"] = text, false
	default:
		m["tool_response"] = c.claudeResponse()
	}
}

func (c *call) claudeResponse() map[string]any {
	switch c.Tool {
	case toolEdit:
		return map[string]any{"filePath": c.path(), "oldString": c.Old, "newString": c.New, "originalFile": c.ran.old, "userModified": false, "replaceAll": false}
	case toolWrite:
		kind := "create"
		if c.ran.old != "" {
			kind = "update"
		}
		return map[string]any{"type": kind, "filePath": c.path(), "content": c.Content, "userModified": false}
	case toolRead:
		return map[string]any{"type": "text", "file": map[string]any{"filePath": c.path(), "content": c.ran.stdout}}
	}
	return map[string]any{"stdout": c.ran.stdout, "stderr": c.ran.stderr, "interrupted": false, "isImage": false}
}

func claudePayload(_ string, c *call) map[string]any {
	return map[string]any{
		"session_id": session, "transcript_path": c.box.transcript(), "cwd": c.box.project, "prompt_id": turn,
		"permission_mode": "bypassPermissions", "tool_use_id": fmt.Sprintf("toolu_simulated%04d", c.n),
	}
}

func codexPayload(_ string, c *call) map[string]any {
	return map[string]any{
		"session_id": session, "turn_id": turn, "transcript_path": nil, "cwd": c.box.project, "model": "simulated",
		"permission_mode": "bypassPermissions", "tool_use_id": fmt.Sprintf("call_simulated%04d", c.n),
	}
}

func stampedPayload(_ string, c *call) map[string]any {
	return map[string]any{
		"session_id": session, "transcript_path": c.box.transcript(), "cwd": c.box.project, "timestamp": c.at.UTC().Format(time.RFC3339Nano),
	}
}

func qwenPayload(event string, c *call) map[string]any {
	m := stampedPayload(event, c)
	m["permission_mode"], m["prompt_id"] = "yolo", turn
	m["tool_use_id"], m["tool_call_id"] = fmt.Sprintf("toolu_simulated%04d", c.n), fmt.Sprintf("call_simulated%04d", c.n)
	return m
}

func copilotPayload(event string, c *call) map[string]any {
	if pascal(event) {
		return map[string]any{"session_id": session, "timestamp": c.at.UTC().Format(time.RFC3339Nano), "cwd": c.box.project}
	}
	return map[string]any{"sessionId": session, "timestamp": c.at.UnixMilli(), "cwd": c.box.project}
}

func cursorPayload(event string, c *call) map[string]any {
	m := map[string]any{
		"conversation_id": session, "generation_id": turn, "model": "simulated", "cursor_version": "simulated",
		"workspace_roots": []string{c.box.project}, "user_email": nil, "transcript_path": nil,
		"tool_use_id": fmt.Sprintf("call_simulated%04d", c.n), "cwd": c.box.project,
	}
	switch event {
	case "beforeShellExecution", "afterShellExecution":
		m["command"], m["sandbox"] = c.Command, false
	case "beforeReadFile":
		content, _ := c.box.read(c.File)
		m["file_path"], m["content"], m["attachments"] = c.path(), content, []string{}
	case "afterFileEdit":
		m["file_path"], m["edits"] = c.path(), []any{map[string]any{"old_string": c.Old, "new_string": c.New + c.Content}}
	}
	return m
}
