package host

import (
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

func TestEncode(t *testing.T) {
	stop := func(host, name string) gate.Event { return gate.Event{Kind: gate.Stop, Host: host, Name: name} }
	pre := func(host, name string) gate.Event { return gate.Event{Kind: gate.PreTool, Host: host, Name: name} }
	post := func(host, name string) gate.Event { return gate.Event{Kind: gate.PostTool, Host: host, Name: name} }
	block := gate.Verdict{Decision: gate.Block, Reason: "a <b> & c", Faults: []string{"left out"}}
	ask := gate.Verdict{Decision: gate.Ask, Reason: "r"}
	fault := gate.Verdict{Decision: gate.Notice, Faults: []string{"the judge did not answer (timeout after 5s)"}}
	const faultLine = "hookctl: the judge did not answer (timeout after 5s); the stop was not checked."
	for _, c := range []struct {
		name           string
		ev             gate.Event
		v              gate.Verdict
		stdout, stderr string
		exit           int
	}{
		{"silence", stop(Claude, "Stop"), gate.Verdict{}, "", "", 0},
		{"silence, skipped", stop(Generic, ""), gate.Verdict{Skipped: "x"}, "", "", 0},
		{"claude stop", stop(Claude, "Stop"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"codex stop", stop(Codex, "Stop"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"codex without a reason", stop(Codex, "Stop"), gate.Verdict{Decision: gate.Block}, `{"decision":"block","reason":"hookctl: this was stopped, and no reason was given."}`, "", 0},
		{"qwen stop", stop(Qwen, "Stop"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"gemini stop", stop(Gemini, "AfterAgent"), block, `{"decision":"deny","reason":"a <b> & c"}`, "", 0},
		{"copilot stop", stop(Copilot, "agentStop"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"cursor stop", stop(Cursor, "stop"), block, `{"followup_message":"a <b> & c"}`, "", 0},
		{"cursor, Claude's stop", stop(Cursor, "Stop"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"generic stop", stop(Generic, ""), block, "", "a <b> & c", 2},
		{"no host", gate.Event{Kind: gate.Stop}, block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},

		{"claude deny", pre(Claude, "PreToolUse"), block, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"a <b> & c"}}`, "", 0},
		{"claude ask", pre(Claude, "PreToolUse"), ask, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"}}`, "", 0},
		{"codex ask", pre(Codex, "PreToolUse"), ask, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`, "", 0},
		{"gemini deny", pre(Gemini, "BeforeTool"), block, `{"decision":"deny","reason":"a <b> & c"}`, "", 0},
		{"gemini ask", pre(Gemini, "BeforeTool"), ask, `{"decision":"deny","reason":"r"}`, "", 0},
		{"qwen ask", pre(Qwen, "PreToolUse"), ask, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"}}`, "", 0},
		{"copilot camel", pre(Copilot, "preToolUse"), ask, `{"permissionDecision":"ask","permissionDecisionReason":"r"}`, "", 0},
		{"copilot snake", pre(Copilot, "PreToolUse"), ask, `{"permissionDecision":"ask","permissionDecisionReason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"}}`, "", 0},
		{"cursor ask", pre(Cursor, "preToolUse"), ask, `{"permission":"deny","user_message":"r","agent_message":"r"}`, "", 0},
		{"cursor shell ask", pre(Cursor, "beforeShellExecution"), ask, `{"permission":"ask","user_message":"r","agent_message":"r"}`, "", 0},
		{"generic deny", pre(Generic, "pre-tool"), ask, "", "r", 2},

		{"claude post", post(Claude, "PostToolUse"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"qwen post", post(Qwen, "PostToolUse"), block, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a <b> & c"}}`, "", 0},
		{"gemini post", post(Gemini, "AfterTool"), block, `{"decision":"deny","reason":"a <b> & c"}`, "", 0},
		{"copilot post", post(Copilot, "postToolUse"), block, `{"additionalContext":"a <b> & c"}`, "", 0},
		{"cursor post", post(Cursor, "postToolUse"), block, `{"additional_context":"a <b> & c"}`, "", 0},
		{"opencode deny", pre(OpenCode, "tool.execute.before"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"opencode ask", pre(OpenCode, "tool.execute.before"), ask, `{"decision":"block","reason":"r"}`, "", 0},
		{"opencode post", post(OpenCode, "tool.execute.after"), block, `{"decision":"block","reason":"a <b> & c"}`, "", 0},
		{"opencode cannot go on", stop(OpenCode, "Stop"), gate.Verdict{Decision: gate.Block, Reason: "r", Findings: []gate.Finding{{Gate: "g", Mode: gate.Enforce, Sentence: "s"}}}, "", `hookctl [g] noted, and let through: "s".`, 0},
		{"prompt", gate.Event{Kind: gate.Prompt, Host: Cursor, Name: "beforeSubmitPrompt"}, block, `{"continue":false,"user_message":"a <b> & c"}`, "", 0},

		{"fault, claude", stop(Claude, "Stop"), fault, `{"systemMessage":"` + faultLine + `"}`, "", 0},
		{"fault, gemini", stop(Gemini, "AfterAgent"), fault, `{"systemMessage":"` + faultLine + `"}`, "", 0},
		{"fault, copilot", stop(Copilot, "agentStop"), fault, "", faultLine, 0},
		{"fault, generic", stop(Generic, ""), fault, "", faultLine, 0},
		{"fault, nobody known", gate.Event{}, gate.Verdict{Faults: []string{ErrEmpty.Error()}}, "", "hookctl: the agent sent nothing on stdin.", 0},
		{"fault in many lines", stop(Claude, "Stop"), gate.Verdict{Decision: gate.Notice, Faults: []string{"a\nb\x1b[31m", "c."}}, `{"systemMessage":"hookctl: a b [31m, c; the stop was not checked."}`, "", 0},
		{"warning", stop(Claude, "Stop"), gate.Verdict{Decision: gate.Notice, Findings: []gate.Finding{{Gate: "handoff", Mode: gate.Warn, Sentence: "Open the\npage", Note: "blocked 2 times before"}}}, `{"systemMessage":"hookctl [handoff] noted, and let through: \"Open the page\" (blocked 2 times before)."}`, "", 0},
		{"shadow says nothing", stop(Claude, "Stop"), gate.Verdict{Findings: []gate.Finding{{Gate: "g", Mode: gate.Shadow, Sentence: "s"}}}, "", "", 0},
		{"ask on a stop is no block", stop(Generic, ""), ask, "", "", 0},
		{"block on an event that cannot", gate.Event{Kind: gate.SessionStart, Host: Claude, Name: "SessionStart"}, gate.Verdict{Decision: gate.Block, Reason: "r"}, "", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Encode(c.ev, c.v)
			check(t, c.ev, a)
			line := func(s string) string {
				if s != "" {
					s += "\n"
				}
				return s
			}
			if string(a.Stdout) != line(c.stdout) || string(a.Stderr) != line(c.stderr) || a.Exit != c.exit {
				t.Errorf("got  %q %q %d\nwant %q %q %d", a.Stdout, a.Stderr, a.Exit, c.stdout, c.stderr, c.exit)
			}
		})
	}
}
