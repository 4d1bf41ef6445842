package decide

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
)

// compile makes rules of gates, as a release would.
func compile(t testing.TB, gates ...gate.Rule) *gate.Rules {
	t.Helper()
	r := &gate.Rules{Header: gate.Header{Schema: gate.RulesSchema}, Gates: gates}
	clauses := func(expr string) gate.Needs {
		var all [][]int
		need, err := Literals(expr)
		if err != nil {
			t.Fatal(err)
		}
		for _, alternatives := range need {
			var clause []int
			for _, l := range alternatives {
				clause = append(clause, len(r.Literals))
				r.Literals = append(r.Literals, l)
			}
			all = append(all, clause)
		}
		n, err := gate.NeedsOf(all)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, g := range gates {
		for i, s := range g.Signals {
			g.Signals[i].Needs = clauses(s.Expr)
		}
		for i, ev := range g.Evidence {
			g.Evidence[i].Needs = clauses(ev.Expr)
		}
	}
	return r
}

// rule is a gate that a signal starts and one field decides.
func rule(id, signal string) gate.Rule {
	return gate.Rule{
		ID: id, Events: []gate.Kind{gate.Stop, gate.SubagentStop}, Mode: gate.Enforce, Subagent: gate.Warn,
		Signals:  []gate.Pattern{{Lang: "en", Expr: signal}},
		Judge:    gate.Judge{Fields: []gate.Field{{Name: "bad", Blocks: true}, {Name: "good"}}},
		Feedback: map[string]string{"en": "Say what was checked.", "ja": "確認した結果を書いてください。", "de": "Nenne die Prüfung."},
	}
}

// yes is a judge that finds every hit at fault.
func yes(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
	all := map[string]gate.Answer{}
	for _, a := range q.Gates {
		all[a.Rule.ID] = gate.Answer{Fields: map[string]bool{"bad": true}, Note: "the judge's own words"}
	}
	return all, nil
}

func said(text string) gate.Event { return gate.Event{Kind: gate.Stop, Text: text, HasText: true} }

func decideText(t *testing.T, r *gate.Rules, text string) (gate.Verdict, gate.GateTrace) {
	t.Helper()
	v, tr := (&Engine{Rules: r, Ask: yes}).Decide(t.Context(), said(text))
	return v, tr.Gates[0]
}

func TestEvidence(t *testing.T) {
	g := rule("g", "commit")
	g.Evidence = []gate.Evidence{
		{Kind: "past", Scope: "sentence", Pattern: gate.Pattern{Expr: "committed"}},
		{Kind: "option", Scope: "block", Pattern: gate.Pattern{Expr: "which of"}},
		{Kind: "verification", Scope: "anywhere", Pattern: gate.Pattern{Expr: "tests? pass"}},
	}
	r := compile(t, g)
	for _, tt := range []struct{ name, text, want string }{
		{"no hit", "The list is sorted.", "no hit"},
		{"a hit alone", "Shall I commit this?", "violation"},
		{"past in its own sentence", "I committed this.", "evidence"},
		{"past in another sentence", "I committed the list. Shall I commit the rest?", "violation"},
		{"option in its block", "Shall I commit or wait? Which of the two?", "evidence"},
		{"option in another block", "Which of the two?\n\nShall I commit this?", "violation"},
		{"verification in another block", "The tests pass.\n\nThe list is sorted.\n\nShall I commit this?", "evidence"},
		{"verification after the hit", "Shall I commit this?\n\nThe tests pass.", "evidence"},
		{"in code", "```\n41 tests pass\n```\n\nShall I commit this?", "evidence"},
		{"in a cell", "| a | b |\n|---|---|\n| unit | tests pass |\n\nShall I commit this?", "evidence"},
		{"in a quote", "> the tests pass\n\nShall I commit this?", "violation"},
		{"in quotation marks", "Write \"tests pass\" there.\n\nShall I commit this?", "violation"},
		{"in a comment", "<!-- tests pass -->\n\nShall I commit this?", "violation"},
		{"negated", "It is not that the tests pass. Shall I commit this?", "violation"},
		{"negated by not", "The tests pass not. Shall I commit this?", "violation"},
		{"conditional", "If the tests pass, tell me. Shall I commit this?", "violation"},
		{"a wish", "The tests should say tests pass. Shall I commit this?", "violation"},
		{"to come", "The tests will say tests pass. Shall I commit this?", "violation"},
		{"denied, then affirmed", "If in doubt, ask. The tests pass. Shall I commit this?", "evidence"},
	} {
		v, gt := decideText(t, r, tt.text)
		if gt.Outcome != tt.want || (v.Decision == gate.Block) != (tt.want == "violation") {
			t.Errorf("%s: %q, %v, want %q", tt.name, gt.Outcome, v.Decision, tt.want)
		}
	}
	// What was said before in the turn counts as well, for what may stand anywhere.
	for text, want := range map[string]gate.Decision{
		"The tests pass.\n\nShall I commit this?":         gate.Silent,
		"I committed that.\n\nShall I commit this?":       gate.Block,
		"Which of the two?\n\nShall I commit this?":       gate.Block,
		"> the tests pass\n\nShall I commit this?":        gate.Block,
		"Shall I commit that?\n\nWhat now?\n\nNothing.":   gate.Block, // signals look at the message alone
		"Which of it? Commit that.\n\nShall I commit it?": gate.Block,
	} {
		ev := said("Shall I commit this?")
		ev.Context = text
		if v, _ := (&Engine{Rules: r, Ask: yes}).Decide(t.Context(), ev); v.Decision != want {
			t.Errorf("turn %q: %v, want %v", text, v.Decision, want)
		}
	}
}

// The text of a turn is bounded, with a transcript and without.
func TestContextIsBounded(t *testing.T) {
	g := rule("g", "commit")
	g.Evidence = []gate.Evidence{{Kind: "verification", Scope: "anywhere", Pattern: gate.Pattern{Expr: "tests? pass"}}}
	r := compile(t, g)
	far := "The tests pass.\n\n" + strings.Repeat("日本語の文です。\n\n", 300) + "Shall I commit this?"
	var asked gate.Question
	e := &Engine{Rules: r, Ask: func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
		asked = q
		return yes(ctx, q)
	}}
	if v, _ := e.Decide(t.Context(), said(far)); v.Decision != gate.Block {
		t.Errorf("evidence %d bytes back frees a hit", len(far))
	}
	if len(asked.Context) > gate.ContextBytes || !utf8.ValidString(asked.Context) || !strings.HasSuffix(asked.Text, asked.Context) {
		t.Errorf("the judge got %d bytes, want the last %d", len(asked.Context), gate.ContextBytes)
	}
	long := strings.Repeat("x\n\n", maxText) + "Shall I commit this?"
	_, gt := decideText(t, r, long)
	if len(gt.Hits) != 1 || gt.Hits[0].Line != 2*maxText+1 || long[gt.Hits[0].Start:] != "Shall I commit this?" {
		t.Errorf("%d hits in a long text", len(gt.Hits))
	}
}

// What repeats the feedback is no new offer.
func TestOwnFeedbackIsNoHit(t *testing.T) {
	r := compile(t, rule("my-gate", "commit"))
	v, _ := decideText(t, r, "Shall I commit this?")
	for _, text := range []string{
		v.Reason, "Understood: " + v.Reason, "I was told:\n\n- " + v.Reason + "\n\nThe list is sorted.", "The gate [my-gate] says that I may not commit yet.",
	} {
		if again, gt := decideText(t, r, text); again.Decision != gate.Silent {
			t.Errorf("%q: %v %q", text, again.Decision, gt.Outcome)
		}
	}
	for _, text := range []string{
		v.Reason + "\n\nShall I commit this?", "my-gate: shall I commit this?", "[other] shall I commit this?",
	} {
		if again, _ := decideText(t, r, text); again.Decision != gate.Block {
			t.Errorf("%q passes", text)
		}
	}
}

func TestReasonOfManyGates(t *testing.T) {
	for n := 1; n <= 8; n++ {
		var gates []gate.Rule
		for i := range n {
			g := rule(fmt.Sprintf("gate-with-a-long-name-%d", i), "commit")
			g.Feedback = map[string]string{"en": strings.Repeat("Do the one thing that is asked for. ", 2+10*(i%2))}
			gates = append(gates, g)
		}
		v, _ := decideText(t, compile(t, gates...), "Shall I commit "+strings.Repeat("all of these many files ", 40)+"?")
		if got := utf8.RuneCountInString(v.Reason); got >= maxReason || strings.Count(v.Reason, "\n") != n-1 || len(v.Findings) != n {
			t.Errorf("%d gates: %d findings, %d characters in %d lines", n, len(v.Findings), got, 1+strings.Count(v.Reason, "\n"))
		}
		for _, g := range gates {
			if !strings.Contains(v.Reason, "["+g.ID+"]") {
				t.Errorf("%d gates: %s is not named in %q", n, g.ID, v.Reason)
			}
		}
	}
}

func TestFeedbackSpeaksTheMessage(t *testing.T) {
	r := compile(t, rule("g", "commit|コミット"))
	for text, want := range map[string]string{
		"Shall I commit this?":               "Say what was checked.",
		"このままコミットしますか？":                      "確認した結果を書いてください。",
		"Soll ich das jetzt commiten?":       "Nenne die Prüfung.",
		"要提交 commit 吗？现在就可以提交了。":             "Say what was checked.", // no Chinese text: English serves
		"# English\n\nThen:\n\n今すぐコミットしますか？": "確認した結果を書いてください。",
	} {
		v, _ := decideText(t, r, text)
		if !strings.Contains(v.Reason, want) {
			t.Errorf("%q: %q, want %q in it", text, v.Reason, want)
		}
	}
	v, _ := decideText(t, r, "The list is sorted, and more of it to come.\nShall I commit this? Tell me.")
	if !strings.Contains(v.Reason, `"Shall I commit this?"`) {
		t.Errorf("the reason does not hold the sentence that was hit: %q", v.Reason)
	}
}

func TestModes(t *testing.T) {
	for _, tt := range []struct {
		mode, subagent gate.Mode
		kind           gate.Kind
		want           gate.Decision
		findings       int
	}{
		{gate.Enforce, gate.Off, gate.Stop, gate.Block, 1},
		{gate.Warn, gate.Off, gate.Stop, gate.Notice, 1},
		{gate.Shadow, gate.Off, gate.Stop, gate.Silent, 1},
		{gate.Off, gate.Enforce, gate.Stop, gate.Silent, 0},
		{gate.Enforce, gate.Warn, gate.SubagentStop, gate.Notice, 1},
		{gate.Enforce, gate.Off, gate.SubagentStop, gate.Silent, 0},
		{gate.Off, gate.Enforce, gate.SubagentStop, gate.Block, 1},
		{gate.Enforce, gate.Shadow, gate.SubagentStop, gate.Silent, 1},
		{gate.Enforce, "", gate.SubagentStop, gate.Silent, 1}, // an unknown mode decides nothing
		{gate.Enforce, gate.Enforce, gate.Prompt, gate.Silent, 0},
	} {
		g := rule("g", "commit")
		g.Mode, g.Subagent = tt.mode, tt.subagent
		ev := said("Shall I commit this?")
		ev.Kind = tt.kind
		v, _ := (&Engine{Rules: compile(t, g), Ask: yes}).Decide(t.Context(), ev)
		if v.Decision != tt.want || len(v.Findings) != tt.findings || (v.Reason != "") != (tt.want == gate.Block) {
			t.Errorf("mode %q, subagent %q on %s: %v with %d findings, want %v with %d", tt.mode, tt.subagent, tt.kind, v.Decision, len(v.Findings), tt.want, tt.findings)
		}
	}
	// One gate that warns beside one that blocks: the block holds only its own.
	warns := rule("warns", "commit")
	warns.Mode = gate.Warn
	v, _ := decideText(t, compile(t, warns, rule("blocks", "commit")), "Shall I commit this?")
	if v.Decision != gate.Block || strings.Contains(v.Reason, "[warns]") || len(v.Findings) != 2 {
		t.Errorf("%v: %q", v.Decision, v.Reason)
	}
}

func TestUnfinishedTasksPass(t *testing.T) {
	ev := said("Shall I commit this?")
	ev.Tasks = 1
	v, _ := (&Engine{Rules: compile(t, rule("g", "commit")), Ask: yes}).Decide(t.Context(), ev)
	if v.Decision != gate.Silent || v.Skipped == "" {
		t.Errorf("%v, skipped %q", v.Decision, v.Skipped)
	}
}

// A judge that fails is hookctl's own fault, and says so.
func TestJudgeFails(t *testing.T) {
	r := compile(t, rule("g", "commit"), rule("h", "sorted"))
	answer := func(a map[string]gate.Answer, err error) gate.Asker {
		return func(context.Context, gate.Question) (map[string]gate.Answer, error) { return a, err }
	}
	bad := gate.Answer{Fields: map[string]bool{"bad": true}}
	for name, tt := range map[string]struct {
		ask      gate.Asker
		want     gate.Decision
		findings int
		fault    string
	}{
		"an error":              {answer(nil, errors.New("no\x1b network\nat all")), gate.Notice, 0, "no network at all"},
		"no answer":             {answer(nil, nil), gate.Notice, 0, "no verdict for g, h"},
		"one gate's answer":     {answer(map[string]gate.Answer{"h": {Fields: map[string]bool{"bad": false}}}, nil), gate.Notice, 0, "no verdict for g"},
		"one gate blocks":       {answer(map[string]gate.Answer{"g": bad}, nil), gate.Block, 1, "no verdict for h"},
		"only what allows":      {answer(map[string]gate.Answer{"g": {Fields: map[string]bool{"good": true}}, "h": bad}, nil), gate.Block, 1, "no verdict for g"},
		"a block and an error":  {answer(map[string]gate.Answer{"g": bad, "h": bad}, errors.New("late")), gate.Block, 2, "late"},
		"a gate nobody asked":   {answer(map[string]gate.Answer{"other": bad}, nil), gate.Notice, 0, "no verdict for g, h"},
		"it panics":             {func(context.Context, gate.Question) (map[string]gate.Answer, error) { panic("oh") }, gate.Notice, 0, "internal error: oh"},
		"no judge":              {nil, gate.Silent, 0, ""},
		"both allow":            {answer(map[string]gate.Answer{"g": {Fields: map[string]bool{"bad": true, "good": true}}, "h": {Fields: map[string]bool{"bad": false}}}, nil), gate.Silent, 0, ""},
		"a verdict all the way": {yes, gate.Block, 2, ""},
	} {
		v, _ := (&Engine{Rules: r, Ask: tt.ask}).Decide(t.Context(), said("The list is sorted. Shall I commit this?"))
		faults := strings.Join(v.Faults, "; ")
		if v.Decision != tt.want || len(v.Findings) != tt.findings || !strings.Contains(faults, tt.fault) || (faults == "") != (tt.fault == "") {
			t.Errorf("%s: %v, %d findings, faults %q", name, v.Decision, len(v.Findings), faults)
		}
		if strings.ContainsAny(faults, "\x1b\n") || strings.Contains(v.Reason, "did not answer") {
			t.Errorf("%s: faults %q, reason %q", name, faults, v.Reason)
		}
	}
	if v, _ := (&Engine{}).Decide(t.Context(), said("x")); v.Decision != gate.Notice {
		t.Errorf("without rules: %v", v.Decision)
	}
	if v, _ := (&Engine{}).Decide(t.Context(), gate.Event{Kind: gate.PreTool}); v.Decision != gate.Ask || v.Reason == "" {
		t.Errorf("a tool call without rules: %v", v.Decision)
	}
}

func TestNotes(t *testing.T) {
	r := compile(t, rule("g", "commit"))
	for notes, want := range map[bool]int{true: 1, false: 0} {
		v, tr := (&Engine{Rules: r, Ask: yes, Notes: notes}).Decide(t.Context(), said("Shall I commit this?"))
		if got := strings.Count(v.Reason, "(judge's note: the judge's own words)"); got != want || tr.Gates[0].Note == "" {
			t.Errorf("Notes=%v: %q, traced %q", notes, v.Reason, tr.Gates[0].Note)
		}
	}
	long := func(context.Context, gate.Question) (map[string]gate.Answer, error) {
		return map[string]gate.Answer{"g": {Fields: map[string]bool{"bad": true}, Note: strings.Repeat("\x1b[31mgo\u202e on\n\n", 200)}}, nil
	}
	v, _ := (&Engine{Rules: r, Ask: long, Notes: true}).Decide(t.Context(), said("Shall I commit this?"))
	_, note, _ := strings.Cut(v.Reason, "(judge's note: ")
	if n := utf8.RuneCountInString(note); n < 100 || n > maxNote+1 || strings.ContainsAny(v.Reason, "\x1b\n\u202e") || utf8.RuneCountInString(v.Reason) >= maxReason {
		t.Errorf("a note of %d characters: %q", n, v.Reason)
	}
}

func TestAdmit(t *testing.T) {
	r := compile(t, rule("g", "commit"), rule("h", "commit"))
	e := &Engine{Rules: r, Ask: yes, Admit: func(id string) string {
		if id == "g" {
			return "often enough"
		}
		return ""
	}}
	v, tr := e.Decide(t.Context(), said("Shall I commit this?"))
	if v.Decision != gate.Block || strings.Contains(v.Reason, "[g]") || tr.Gates[0].Outcome != "often enough" || v.Findings[0].Mode != gate.Warn {
		t.Errorf("%v %q, %+v", v.Decision, v.Reason, tr.Gates[0])
	}
}
