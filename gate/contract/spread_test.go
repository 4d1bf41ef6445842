package contract

import (
	"fmt"
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
	place := map[string]int{}
	for i, c := range cases {
		place[c.Name] = i
	}
	for n := range len(cases) + 2 {
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
		for i := 1; i < len(got); i++ {
			if place[got[i].Name] <= place[got[i-1].Name] {
				t.Errorf("%d: %s comes after %s", n, got[i].Name, got[i-1].Name)
			}
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
