package simulate

import (
	"strings"
	"testing"
)

// TestAnswers holds the readers to what the real clients did with each answer.
func TestAnswers(t *testing.T) {
	const (
		deny   = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`
		ask    = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"}}`
		allow  = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`
		block  = `{"decision":"block","reason":"r"}`
		gdeny  = `{"decision":"deny","reason":"r"}`
		camel  = `{"permissionDecision":"deny","permissionDecisionReason":"r"}`
		cursor = `{"permission":"deny","user_message":"r","agent_message":"r"}`
		told   = `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"r"}}`
	)
	gone := outcome{lost: "not started"}
	late := outcome{lost: "no answer in time", late: true}
	out := func(s string) outcome { return outcome{stdout: []byte(s)} }
	exit := func(n int, stdout, stderr string) outcome {
		return outcome{exit: n, stdout: []byte(stdout), stderr: []byte(stderr)}
	}
	for _, c := range []struct {
		agent, what string
		p           phase
		o           outcome
		want        string
	}{
		{"claude", "silence", before, out(""), None},
		{"claude", "deny", before, out(deny), Deny},
		{"claude", "ask", before, out(ask), Ask},
		{"claude", "allow", before, out(allow), Allow},
		{"claude", "block", before, out(block), Deny},
		{"claude", "exit 2", before, exit(2, "", "r"), Deny},
		{"claude", "exit 2 beats allow", before, exit(2, allow, "r"), Deny},
		{"claude", "exit 1", before, exit(1, "", "boom"), Failed},
		{"claude", "exit 127", before, exit(127, "", "not found"), Failed},
		{"claude", "exit 1 with JSON", before, exit(1, deny, ""), Deny},
		{"claude", "not started", before, gone, Failed},
		{"claude", "late", before, late, Failed},
		{"claude", "words before the JSON", before, out("hello\n" + deny), Failed},
		{"claude", "broken JSON", before, out(deny[:60]), Failed},
		{"claude", "words", before, out("all is well"), None},
		{"claude", "stop, and the tool runs", before, out(`{"continue":false}`), Failed},
		{"claude", "block after", after, out(block), Tell},
		{"claude", "exit 2 after", after, exit(2, "", "r"), Tell},
		{"claude", "context after", after, out(told), Tell},
		{"claude", "another event's answer", after, out(deny), Failed},
		{"claude", "no event named", before, out(strings.Replace(deny, `"hookEventName":"PreToolUse",`, "", 1)), Failed},

		{"codex", "deny", before, out(deny), Deny},
		{"codex", "no event named", before, out(strings.Replace(deny, `"hookEventName":"PreToolUse",`, "", 1)), Failed},
		{"codex", "another event's name", before, out(strings.Replace(deny, "PreToolUse", "Stop", 1)), Deny},
		{"qwen", "no event named", before, out(strings.Replace(deny, `"hookEventName":"PreToolUse",`, "", 1)), Deny},
		{"codex", "block", before, out(block), Deny},
		{"codex", "ask runs the tool", before, out(ask), Failed},
		{"codex", "bare allow", before, out(allow), Failed},
		{"codex", "unknown key", before, out(`{"decision":"block","reason":"r","x":1}`), Failed},
		{"codex", "suppressOutput", before, out(strings.TrimSuffix(deny, "}") + `,"suppressOutput":true}`), Failed},
		{"codex", "systemMessage", before, out(strings.TrimSuffix(deny, "}") + `,"systemMessage":"m"}`), Deny},
		{"codex", "stop is not supported", before, out(`{"continue":false}`), Failed},
		{"codex", "exit 2 after", after, exit(2, "", "r"), Tell},
		{"codex", "no reason", before, out(`{"decision":"block"}`), Failed},
		{"codex", "exit 2", before, exit(2, "", "r"), Deny},
		{"codex", "exit 2 without words", before, exit(2, "", " "), Failed},
		{"codex", "exit 1 with deny", before, exit(1, deny, ""), Failed},
		{"codex", "late", before, late, Failed},
		{"codex", "block after", after, out(block), Tell},
		{"codex", "context after", after, out(told), Tell},

		{"gemini", "deny", before, out(gdeny), Deny},
		{"gemini", "Claude's deny", before, out(deny), Failed},
		{"gemini", "ask", before, out(`{"decision":"ask","reason":"r"}`), Ask},
		{"gemini", "JSON on stderr", before, exit(0, "", gdeny), Deny},
		{"gemini", "stop", before, out(`{"continue":false,"stopReason":"r"}`), Deny},
		{"gemini", "exit 1", before, exit(1, "", "boom"), Failed},
		{"gemini", "exit 2", before, exit(2, "", "r"), Deny},
		{"gemini", "exit 127", before, exit(127, "", "not found"), Deny},
		{"gemini", "late", before, late, Failed},
		{"gemini", "deny after", after, out(gdeny), Tell},

		{"qwen", "deny", before, out(deny), Deny},
		{"qwen", "stop", before, out(`{"continue":false,"stopReason":"r"}`), Deny},
		{"qwen", "exit 127", before, exit(127, "", ""), Failed},
		{"qwen", "block after does not arrive", after, out(block), Failed},
		{"qwen", "exit 2 after does not arrive", after, exit(2, "", "r"), Failed},
		{"qwen", "context after", after, out(told), Tell},

		{"copilot", "deny", before, out(camel), Deny},
		{"copilot", "Claude's deny", before, out(deny), Deny},
		{"copilot", "block is not read", before, out(block), Failed},
		{"copilot", "exit 1", before, exit(1, "", "boom"), Deny},
		{"copilot", "exit 127", before, exit(127, "", ""), Deny},
		{"copilot", "not started", before, gone, Deny},
		{"copilot", "late", before, late, Failed},
		{"copilot", "words", before, out("hm"), None},
		{"copilot", "exit 1 after", after, exit(1, "", ""), Failed},
		{"copilot", "block after does not arrive", after, out(block), Failed},
		{"copilot", "context after", after, out(`{"additionalContext":"r"}`), Tell},

		{"cursor", "deny", before, out(cursor), Deny},
		{"cursor", "ask is not heeded", before, out(`{"permission":"ask"}`), Failed},
		{"cursor", "exit 2", before, exit(2, "", "r"), Deny},
		{"cursor", "exit 1", before, exit(1, "", ""), Failed},
		{"cursor", "context after", after, out(`{"additional_context":"r"}`), Tell},
	} {
		a := agentOf(c.agent)
		got := a.read(a.events(c.p, toolEdit)[0], c.p, c.o)
		if got.decision != c.want {
			t.Errorf("%s: %s: %+v, want %s", c.agent, c.what, got, c.want)
		}
		if all := string(c.o.stdout) + string(c.o.stderr); got.decision == Deny || got.decision == Tell {
			if !strings.Contains(all, got.reason) || got.reason == "" && strings.Contains(all, `"r"`) {
				t.Errorf("%s: %s: the reason is %q", c.agent, c.what, got.reason)
			}
		}
	}
}
