package contract

import "github.com/agenthooks/hookctl/manifests"

// Spread chooses cases that stand for all: of each gate and side one, and of the
// rest as many as n leaves, evenly. It is for what does not depend on the case:
// that a command starts the program and the rules by which all have passed. The
// order stays.
func Spread(cases []manifests.Case, n int) []manifests.Case {
	if len(cases) <= n {
		return cases
	}
	type side struct {
		gate  string
		block bool
	}
	seen := map[side]bool{}
	chosen := make([]bool, len(cases))
	var rest []int
	for i, c := range cases {
		if s := (side{c.Gate, c.Block}); !seen[s] {
			seen[s], chosen[i] = true, true
		} else {
			rest = append(rest, i)
		}
	}
	left := max(n-len(seen), 0)
	for k := range left {
		chosen[rest[k*len(rest)/left]] = true
	}
	out := make([]manifests.Case, 0, n)
	for i, c := range cases {
		if chosen[i] {
			out = append(out, c)
		}
	}
	return out
}
