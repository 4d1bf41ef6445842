package exam

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// embedded are the rules and the messages of the embedded bundle.
func embedded(t *testing.T) (*gate.Rules, []Case) {
	t.Helper()
	rules, err := gate.DecodeRules(compiled.Rules())
	if err != nil {
		t.Fatal(err)
	}
	all, err := manifests.Cases(manifests.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	for _, c := range all {
		if !c.IsEvent && c.Note.Event == nil {
			cases = append(cases, Case{Name: c.Name, Gate: c.Gate, Text: string(c.Body), Block: c.Block})
		}
	}
	return rules, cases
}

func TestItems(t *testing.T) {
	rules, cases := embedded(t)
	items := Items(rules, cases, 3)
	got := map[string]int{}
	for _, i := range items {
		got[fmt.Sprint(i.Case.Gate, " ", i.Case.Block)]++
		if len(i.q.Gates) != 1 || i.q.Gates[0].Rule.ID != i.Case.Gate || len(i.q.Gates[0].Hits) == 0 || !strings.Contains(i.q.Text, strings.TrimSpace(i.Case.Text)) {
			t.Errorf("%s: question %+v", i.Case.Name, i.q)
		}
	}
	for _, id := range []string{"commit-before-verification", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction", "handoff"} {
		if got[id+" true"] != 2 || got[id+" false"] != 1 {
			t.Errorf("%s: %d to block and %d to allow, want 2 and 1", id, got[id+" true"], got[id+" false"])
		}
	}
	if all := Items(rules, cases, 0); len(all) < 2*len(items) || len(all) >= len(cases) {
		t.Errorf("%d of %d cases are questions", len(all), len(cases))
	}
}

// The builtin judge agrees with the cases: they are its own.
func TestRunBuiltin(t *testing.T) {
	rules, cases := embedded(t)
	items := Items(rules, cases, 4)
	var told []int
	r := Run(context.Background(), builtin.Ask, items, func(i int) { told = append(told, i) })
	agreed, n := r.Agreed()
	if r.Asked != len(items) || r.Answered != len(items) || n != len(items) || agreed != n || r.Stopped || len(told) != n || r.Slowest < r.Median {
		t.Errorf("%+v", r)
	}
}

func TestRunCounts(t *testing.T) {
	rules, cases := embedded(t)
	items := Items(rules, cases, 2)
	yes := func(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
		fields := map[string]bool{}
		for _, f := range q.Gates[0].Rule.Judge.Fields {
			fields[f.Name] = f.Blocks
		}
		return map[string]gate.Answer{q.Gates[0].Rule.ID: {Fields: fields}}, nil
	}
	r := Run(context.Background(), yes, items, nil)
	if agreed, n := r.Agreed(); n != 12 || agreed != 6 {
		t.Errorf("a judge that blocks everything agrees with %d of %d", agreed, n)
	}
	for _, g := range r.Gates {
		if len(g.Wrong) != 1 || !strings.Contains(g.Wrong[0], "/allow/") {
			t.Errorf("%+v", g)
		}
	}
	// One that fails is left after two questions, unless it has answered before.
	boom := errors.New("boom")
	if r := Run(context.Background(), func(context.Context, gate.Question) (map[string]gate.Answer, error) { return nil, boom }, items, nil); r.Asked != 2 || !r.Stopped || len(r.Errors) != 1 {
		t.Errorf("%+v", r)
	}
	n := 0
	r = Run(context.Background(), func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
		if n++; n > 1 {
			return map[string]gate.Answer{}, nil
		}
		return yes(ctx, q)
	}, items, nil)
	if r.Asked != 12 || r.Answered != 1 || r.Stopped || !slices.ContainsFunc(r.Errors, func(err error) bool { return strings.Contains(err.Error(), "no verdict") }) {
		t.Errorf("%+v", r)
	}
}
