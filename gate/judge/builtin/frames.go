package builtin

import (
	"slices"
	"strings"
)

// frame words of one language are kept in groups; a conj says which groups must
// stand together in a sentence. "place", "move" and "rest" of a split are such
// groups: a group is a place to add a word, a conj is grammar.
type conj struct {
	all [][]string // of each group one word stands in the sentence
	not []string   // and none of these
}

func (c conj) in(s string) bool {
	for _, group := range c.all {
		if !has(s, group) {
			return false
		}
	}
	return !has(s, c.not)
}

// anyConj reports whether one of them holds.
func anyConj(s string, conjs []conj) bool {
	for _, c := range conjs {
		if c.in(s) {
			return true
		}
	}
	return false
}

// follows reports whether a word of seconds stands among the gap words after one
// of firsts. It is how an adjective finds its noun, and a person its verb, in a
// sentence that norm has cut into words.
func follows(s string, firsts, seconds []string, gap int) bool {
	words := strings.Fields(s)
	for i, w := range words {
		if !slices.Contains(firsts, w) {
			continue
		}
		for _, next := range words[i+1 : min(len(words), i+1+gap)] {
			if slices.Contains(seconds, next) {
				return true
			}
		}
	}
	return false
}

// near reports whether one of the words stands within n bytes before (or after)
// one of the heads in s. It is how a negation finds what it denies.
func near(s string, heads, words []string, before, after int) bool {
	for _, h := range heads {
		for from := 0; ; {
			i := strings.Index(s[from:], h)
			if i < 0 {
				break
			}
			i += from
			from = i + len(h)
			if before > 0 && has(s[max(0, i-before):i+1], words) || after > 0 && has(s[from-1:min(len(s), from+after)], words) {
				return true
			}
		}
	}
	return false
}
