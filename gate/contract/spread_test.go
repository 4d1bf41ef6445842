package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/manifests"
)

func TestSpread(t *testing.T) {
	var cases []manifests.Case
	add := func(gate string, block bool, n int) {
		for i := range n {
			cases = append(cases, manifests.Case{Name: fmt.Sprintf("%s/%v/%03d", gate, block, i), Gate: gate, Block: block})
		}
	}
	add("all", false, 5)
	add("a", false, 200)
	add("a", true, 300)
	add("b", true, 1)
	for _, n := range []int{0, 1, 4, 5, 60, 505, 506, 1000} {
		got := Spread(cases, n)
		if want := min(max(n, 4), len(cases)); len(got) != want {
			t.Errorf("%d of %d: %d cases, want %d", n, len(cases), len(got), want)
		}
		sides := map[string]bool{}
		for _, c := range got {
			sides[fmt.Sprint(c.Gate, c.Block)] = true
		}
		if len(sides) != 4 {
			t.Errorf("%d: sides %v, want all four", n, sides)
		}
		if !slices.IsSortedFunc(got, func(a, b manifests.Case) int {
			return slices.Index(names(cases), a.Name) - slices.Index(names(cases), b.Name)
		}) {
			t.Errorf("%d: the order has changed: %v", n, names(got))
		}
		if len(slices.Compact(names(got))) != len(got) {
			t.Errorf("%d: a case is there twice: %v", n, names(got))
		}
	}
	got := strings.Join(names(Spread(cases, 60)), " ")
	for _, part := range []string{"a/false/1", "a/true/0", "a/true/1", "a/true/2"} {
		if !strings.Contains(got, part) {
			t.Errorf("none of %s… is among %s", part, got)
		}
	}
	if got := Spread(nil, 3); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func names(cases []manifests.Case) (all []string) {
	for _, c := range cases {
		all = append(all, c.Name)
	}
	return all
}
