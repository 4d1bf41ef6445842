package decide

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
)

// hooked are rules with one hook on every event.
func hooked(t *testing.T, change func(*gate.Hook)) *gate.Rules {
	t.Helper()
	r := compile(t, rule("g", "commit"))
	h := gate.Hook{
		ID: "h", File: "hooks/h", Mode: gate.Enforce, Failure: gate.FailAsk,
		Events: []gate.Kind{gate.Stop, gate.PreTool, gate.PostTool, gate.SessionStart},
	}
	if change != nil {
		change(&h)
	}
	r.Hooks = []gate.Hook{h}
	return r
}

// says is a hook with this answer.
func says(a gate.HookAnswer) gate.Starter {
	return func(_ context.Context, _ gate.Event, hooks []*gate.Hook) func() []gate.HookAnswer {
		all := make([]gate.HookAnswer, len(hooks))
		for i := range all {
			all[i] = a
		}
		return func() []gate.HookAnswer { return all }
	}
}

func TestHookDecisions(t *testing.T) {
	blocks, asks := gate.HookAnswer{Decision: gate.Block, Said: "no"}, gate.HookAnswer{Decision: gate.Ask, Said: "may it?"}
	broken := gate.HookAnswer{Exit: -1, Failure: "no answer within 5s"}
	direction := func(d gate.Direction) func(*gate.Hook) { return func(h *gate.Hook) { h.Failure = d } }
	mode := func(m gate.Mode) func(*gate.Hook) { return func(h *gate.Hook) { h.Mode = m } }
	const could = "hookctl [h] could not check this: "
	for _, tt := range []struct {
		name   string
		kind   gate.Kind
		change func(*gate.Hook)
		answer gate.HookAnswer
		want   gate.Decision
		reason string
	}{
		{"blocks a stop", gate.Stop, nil, blocks, gate.Block, "hookctl [h] no"},
		{"denies a call", gate.PreTool, nil, blocks, gate.Block, "hookctl [h] no"},
		{"blocks without a word", gate.Stop, nil, gate.HookAnswer{Decision: gate.Block}, gate.Block, "hookctl [h] no reason was given"},
		{"after a call", gate.PostTool, nil, blocks, gate.Block, "hookctl [h] no"},
		{"at a start", gate.SessionStart, nil, blocks, gate.Block, "hookctl [h] no"},
		{"asks", gate.PreTool, nil, asks, gate.Ask, "hookctl [h] may it?"},
		{"asks at a stop", gate.Stop, nil, asks, gate.Notice, ""},
		{"asks after a call", gate.PostTool, direction(gate.FailClosed), asks, gate.Block, could + "it asks the user, which only a tool call can do"},
		{"allows", gate.PreTool, nil, gate.HookAnswer{}, gate.Silent, ""},
		{"fails at a stop", gate.Stop, nil, broken, gate.Notice, ""},
		{"fails before a call", gate.PreTool, nil, broken, gate.Ask, could + broken.Failure},
		{"fails after a call", gate.PostTool, nil, broken, gate.Notice, ""},
		{"fails open", gate.PreTool, direction(gate.FailOpen), broken, gate.Notice, ""},
		{"fails closed at a stop", gate.Stop, direction(gate.FailClosed), broken, gate.Block, could + broken.Failure},
		{"fails closed before a call", gate.PreTool, direction(gate.FailClosed), broken, gate.Block, could + broken.Failure},
		{"warns", gate.PreTool, mode(gate.Warn), blocks, gate.Notice, ""},
		{"warns, asking", gate.PreTool, mode(gate.Warn), asks, gate.Notice, ""},
		{"warns and fails", gate.PreTool, func(h *gate.Hook) { h.Mode, h.Failure = gate.Warn, gate.FailClosed }, broken, gate.Notice, ""},
		{"shadow", gate.PreTool, mode(gate.Shadow), blocks, gate.Silent, ""},
		{"shadow and fails", gate.PreTool, func(h *gate.Hook) { h.Mode, h.Failure = gate.Shadow, gate.FailClosed }, broken, gate.Silent, ""},
		{"off", gate.PreTool, mode(gate.Off), blocks, gate.Silent, ""},
		{"another tool", gate.PreTool, func(h *gate.Hook) { h.Tools = []string{"Read"} }, blocks, gate.Silent, ""},
		{"its tools do not matter at a stop", gate.Stop, func(h *gate.Hook) { h.Tools = []string{"Read"} }, blocks, gate.Block, "hookctl [h] no"},
		{"another event", gate.SubagentStop, nil, blocks, gate.Silent, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev := gate.Event{Kind: tt.kind, Text: "Done.", HasText: true, Tool: gate.Tool{Name: "Task"}}
			v, tr := (&Engine{Rules: hooked(t, tt.change), Ask: yes, Start: says(tt.answer)}).Decide(t.Context(), ev)
			if v.Decision != tt.want || v.Reason != tt.reason {
				t.Errorf("%v %q, want %v %q; %+v", v.Decision, v.Reason, tt.want, tt.reason, tr.Gates)
			}
		})
	}
}

// The strictest wins, and what asks is not told beside what blocks.
func TestHooksJoinTheGates(t *testing.T) {
	r := hooked(t, nil)
	r.Hooks = append(r.Hooks, r.Hooks[0])
	r.Hooks[1].ID = "i"
	e := &Engine{Rules: r, Ask: yes, Start: says(gate.HookAnswer{Decision: gate.Block, Said: strings.Repeat("much ", 200)})}
	v, tr := e.Decide(t.Context(), said("Shall I commit this?"))
	for _, id := range []string{"[g]", "[h]", "[i]"} {
		if !strings.Contains(v.Reason, id) {
			t.Errorf("%s is not in %q", id, v.Reason)
		}
	}
	if utf8.RuneCountInString(v.Reason) >= maxReason || len(tr.Gates) != 3 {
		t.Errorf("%d characters, %+v", utf8.RuneCountInString(v.Reason), tr.Gates)
	}
	e.Start = func(_ context.Context, _ gate.Event, hooks []*gate.Hook) func() []gate.HookAnswer {
		return func() []gate.HookAnswer {
			return []gate.HookAnswer{{Decision: gate.Ask, Said: "may it?"}, {Decision: gate.Block, Said: "no"}}
		}
	}
	if v, _ := e.Decide(t.Context(), gate.Event{Kind: gate.PreTool}); v.Decision != gate.Block || v.Reason != "hookctl [i] no\nhookctl [h] may it?" {
		t.Errorf("%v %q", v.Decision, v.Reason)
	}
}

// A hook that nobody can start, or that gives no answer, has failed.
func TestHooksAreNotPassedOver(t *testing.T) {
	none := func(context.Context, gate.Event, []*gate.Hook) func() []gate.HookAnswer {
		return func() []gate.HookAnswer { return nil }
	}
	for name, start := range map[string]gate.Starter{"no starter": nil, "no answers": none} {
		v, _ := (&Engine{Rules: hooked(t, nil), Start: start}).Decide(t.Context(), gate.Event{Kind: gate.PreTool})
		if v.Decision != gate.Ask || !strings.Contains(v.Reason, "it was not started") {
			t.Errorf("%s: %v %q", name, v.Decision, v.Reason)
		}
	}
}

// What a hook prints is one line of data.
func TestHookWordsAreData(t *testing.T) {
	words := "first\n\x1b]0;title\x07second\u202e\r\n" + strings.Repeat("x", 2000)
	for _, a := range []gate.HookAnswer{{Decision: gate.Block, Said: words}, {Failure: words}} {
		v, tr := (&Engine{Rules: hooked(t, func(h *gate.Hook) { h.Failure = gate.FailClosed }), Start: says(a)}).Decide(t.Context(), gate.Event{Kind: gate.PreTool})
		if strings.ContainsAny(v.Reason, "\n\r\x1b\x07\u202e") || utf8.RuneCountInString(v.Reason) >= maxReason || !strings.Contains(v.Reason, "first ") {
			t.Errorf("%q", v.Reason)
		}
		if h := tr.Gates[0].Hook; strings.ContainsAny(h.Said+h.Failure, "\n\r\x1b\x07\u202e") {
			t.Errorf("trace %q %q", h.Said, h.Failure)
		}
	}
}

func TestAdmitHooks(t *testing.T) {
	for _, a := range []gate.HookAnswer{{Decision: gate.Block, Said: "no"}, {Failure: "broken"}} {
		e := &Engine{
			Rules: hooked(t, func(h *gate.Hook) { h.Failure = gate.FailClosed }), Start: says(a),
			Admit: func(id string) string { return id + " often enough" },
		}
		v, tr := e.Decide(t.Context(), said("Done."))
		if v.Decision != gate.Notice || tr.Gates[1].Outcome != "h often enough" || v.Findings[0].Mode != gate.Warn {
			t.Errorf("%v, %+v", v.Decision, tr.Gates)
		}
	}
}

// While background tasks run no hook is started.
func TestHooksWaitForTasks(t *testing.T) {
	ev := said("Done.")
	ev.Tasks = 1
	v, tr := (&Engine{Rules: hooked(t, nil), Start: says(gate.HookAnswer{Decision: gate.Block})}).Decide(t.Context(), ev)
	if v.Decision != gate.Silent || v.Skipped == "" || len(tr.Gates) > 0 {
		t.Errorf("%+v", v)
	}
}
