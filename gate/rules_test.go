package gate

import "testing"

func TestDemote(t *testing.T) {
	for name, tt := range map[string]struct {
		change     func(*Rule)
		id, bundle string
		want       bool
	}{
		"an enforced gate":  {func(*Rule) {}, "a", "sha256:1", true},
		"another bundle":    {func(*Rule) {}, "a", "sha256:2", false},
		"another gate":      {func(*Rule) {}, "b", "sha256:1", false},
		"below the floor":   {func(r *Rule) { r.Demotable = false }, "a", "sha256:1", false},
		"it warns already":  {func(r *Rule) { r.Mode = Warn }, "a", "sha256:1", false},
		"it is off":         {func(r *Rule) { r.Mode = Off }, "a", "sha256:1", false},
		"only of subagents": {func(r *Rule) { r.Mode, r.Subagent = Shadow, Enforce }, "a", "sha256:1", true},
	} {
		r := &Rules{Header: Header{Bundle: "sha256:1"}, Gates: []Rule{{ID: "a", Mode: Enforce, Subagent: Warn, Demotable: true}}}
		tt.change(&r.Gates[0])
		before := r.Gates[0]
		got := r.Demote(tt.id, tt.bundle)
		after := r.Gates[0]
		if got != tt.want || !tt.want && (after.Mode != before.Mode || after.Subagent != before.Subagent) {
			t.Errorf("%s: %v, %v/%v", name, got, after.Mode, after.Subagent)
		}
		if tt.want && (after.Mode == Enforce || after.Subagent == Enforce) {
			t.Errorf("%s: it is enforced still: %v/%v", name, after.Mode, after.Subagent)
		}
		if r.Demote(tt.id, tt.bundle) {
			t.Errorf("%s: demoted a second time", name)
		}
	}
}
