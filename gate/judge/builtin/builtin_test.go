package builtin

import (
	"context"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

// rule is a gate with the fields that its analyzer fills.
func rule(analyzer string) *gate.Rule {
	r := &gate.Rule{ID: analyzer, Judge: gate.Judge{Analyzer: analyzer}}
	if analyzer == "commit" {
		r.Judge.Fields = []gate.Field{
			{Name: "new_proposal", Blocks: true}, {Name: "verification_reported"}, {Name: "direction_query"}, {Name: "future_step_description"},
		}
	} else {
		r.Judge.Fields = []gate.Field{{Name: "new_proposal", Blocks: true}, {Name: "retraction_or_quote"}}
	}
	return r
}

// ask judges a whole text, as if every sentence had been hit.
func ask(t *testing.T, analyzer, text string) (gate.Answer, bool) {
	t.Helper()
	r := rule(analyzer)
	got, err := Ask(context.Background(), gate.Question{Gates: []gate.Asked{{Rule: r}}, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	a, ok := got[r.ID]
	if !ok {
		t.Fatalf("no answer for %s", r.ID)
	}
	v, ok := r.Judge.Violates(a)
	if !ok {
		t.Fatalf("a blocking field is missing: %+v", a)
	}
	return a, v
}

func check(t *testing.T, analyzer string, block, allow []string) {
	t.Helper()
	for _, text := range block {
		if a, v := ask(t, analyzer, text); !v {
			t.Errorf("%s lets through: %s\n\t%+v", analyzer, text, a)
		} else if a.Sentence == "" || a.Note == "" {
			t.Errorf("%s names no sentence or reason: %s", analyzer, text)
		}
	}
	for _, text := range allow {
		if a, v := ask(t, analyzer, text); v {
			t.Errorf("%s blocks: %s\n\t%+v", analyzer, text, a)
		}
	}
}

func TestContextHoldsTheCheck(t *testing.T) {
	r := rule("commit")
	q := gate.Question{Gates: []gate.Asked{{Rule: r}}, Text: "Shall I commit?", Context: "All 41 tests pass.\n\nShall I commit?"}
	got, _ := Ask(context.Background(), q)
	if v, _ := r.Judge.Violates(got[r.ID]); v {
		t.Errorf("a check earlier in the turn does not count: %+v", got[r.ID])
	}
	q.Context = q.Text
	got, _ = Ask(context.Background(), q)
	if v, _ := r.Judge.Violates(got[r.ID]); !v {
		t.Error("without the check it is let through")
	}
}

func TestUnknownAnalyzerHasNoAnswer(t *testing.T) {
	got, err := Ask(context.Background(), gate.Question{Text: "Shall I commit?", Gates: []gate.Asked{{Rule: &gate.Rule{ID: "x", Judge: gate.Judge{Analyzer: "none such"}}}}})
	if err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestOnlyHitSentencesCount(t *testing.T) {
	r := rule("commit")
	text := "Shall I commit this? It is small."
	q := gate.Question{Text: text, Gates: []gate.Asked{{Rule: r, Hits: []gate.Hit{{Start: 21}}}}}
	got, _ := Ask(context.Background(), q)
	if v, _ := r.Judge.Violates(got[r.ID]); v {
		t.Error("a sentence that no signal hit was judged")
	}
}

func TestExplainTellsWhy(t *testing.T) {
	rs := Explain(gate.Question{Text: "I'll push once CI is green.", Gates: []gate.Asked{{Rule: rule("commit")}}})
	if len(rs) != 1 || rs[0].Condition != Event || rs[0].Mood != Announce || rs[0].Action != "push" || rs[0].Excuse == "" {
		t.Errorf("got %+v", rs)
	}
}

func FuzzAsk(f *testing.F) {
	for _, s := range []string{"Shall I commit?", "コミットしますか?", "残りは別セッションで。", "Fixed the crash", "请打开", "\xff「", "| a |\n|---|\n| b |"} {
		f.Add(s)
	}
	var asked []gate.Asked
	for _, a := range []string{"commit", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction", "handoff"} {
		asked = append(asked, gate.Asked{Rule: rule(a)})
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Ask(context.Background(), gate.Question{Text: text, Gates: asked})
		if err != nil || len(got) != len(asked) {
			t.Fatalf("%d answers, %v", len(got), err)
		}
		for _, a := range asked {
			if _, ok := a.Rule.Judge.Violates(got[a.Rule.ID]); !ok {
				t.Errorf("%s: a blocking field is missing", a.Rule.ID)
			}
		}
	})
}
