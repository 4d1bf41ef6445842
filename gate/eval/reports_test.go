package eval

import (
	"context"
	"os"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// TestReports measures the embedded gates with the builtin judge on reports that
// were written for it, in five languages and for each gate on both sides
// (docs/quality.md says how). None may be blocked wrongly. What is missed is
// counted: a change of the rules may not add to it.
func TestReports(t *testing.T) {
	rules, err := gate.DecodeRules(compiled.Rules())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/reports.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reports, broken, err := Run(context.Background(), f, []*Subject{NewSubject(rules, "builtin", builtin.Ask)}, 1)
	if err != nil || len(broken) > 0 {
		t.Fatal(err, broken)
	}
	missed := map[string]int{
		"commit-before-verification": 1, "scope-change": 1, "shallow-bugfix": 1, "bugfix-without-reproduction": 6, "handoff": 1,
	}
	for id, c := range reports[0].Gates {
		if c.TP < 20 || c.FP > 0 || c.FN > missed[id] {
			t.Errorf("%s: %d true, %d false, %d missed, want none false and %d missed", id, c.TP, c.FP, c.FN, missed[id])
		}
	}
	if len(reports[0].Gates) != 6 {
		t.Errorf("%d gates, want 6", len(reports[0].Gates))
	}
}
