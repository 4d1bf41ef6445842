package host

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/agenthooks/hookctl/gate"
)

func geminiKind(name string) gate.Kind {
	switch name {
	case "AfterAgent":
		return gate.Stop
	case "BeforeTool":
		return gate.PreTool
	case "AfterTool":
		return gate.PostTool
	case "BeforeAgent":
		return gate.Prompt
	case "SessionStart":
		return gate.SessionStart
	}
	return ""
}

// geminiOnly reports whether no other agent has an event of this name.
func geminiOnly(name string) bool {
	switch name {
	case "AfterAgent", "BeforeTool", "AfterTool", "BeforeAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return true
	}
	return false
}

func geminiFill(f fields, ev *gate.Event, _ func(string) string) {
	if ev.Kind != gate.Stop {
		return
	}
	// Gemini names no turn, but sends the user's prompt with each stop of it.
	if p := f.str("prompt"); p != "" && ev.Turn == "" {
		sum := sha256.Sum256([]byte(p))
		ev.Turn = "prompt-" + hex.EncodeToString(sum[:8])
	}
	// prompt_response grows over blocks: after the first it still holds the text
	// that was sent back. The transcript has the last message by itself.
	if ev.Active && ev.Transcript != "" {
		ev.Text, ev.HasText = "", false
	}
}

// geminiAnswer: Gemini ignores hookSpecificOutput for decisions. Without a screen it
// waits for ever for the answer to an "ask", and a hook cannot tell whether there is
// one, so what a person should decide is denied.
func geminiAnswer(ev gate.Event, d gate.Decision, reason string) any {
	if ev.Kind == gate.PreTool || d == gate.Block && ev.Kind != gate.SessionStart && ev.Kind != "" {
		return decisionReason{"deny", reason}
	}
	return nil
}
