// Package redact takes secrets out of text before a judge or the journal sees
// it. It keeps counts, never values, and never looks outside the text.
//
// A known form (a provider's prefix, a PEM block, a header) is enough; a mere
// name with a value (password: …) must also look random. Commit hashes, UUIDs,
// digests and paths stay, because a judge needs them as evidence. It finds what
// is written plainly: a secret split over lines, encoded once more or without
// any mark stays in the text.
//
// There are two tables of rules: this package's own, and those made from the
// rule data of gitleaks. A text is searched once for the literals of all of
// them; a pattern is compiled, and run on a window of the text, only where one
// of its literals stands beside enough of the characters that its secret is
// made of.
package redact

import "strings"

// Counts tells how many secrets of each kind were taken out.
type Counts map[string]int

// maxPasses bounds the search for a state in which nothing more is found. Two are
// enough for every text known; the bound is against a text made to need many.
const maxPasses = 4

// Text returns s with each secret replaced by "[redacted:KIND]". Counts is nil
// when there was none. What Text has returned it returns unchanged.
func Text(s string) (string, Counts) {
	var counts Counts
	x := literals()
	for range maxPasses {
		found := x.find(s)
		if len(found) == 0 {
			break
		}
		if counts == nil {
			counts = Counts{}
		}
		var b strings.Builder
		last := 0
		for _, f := range found {
			b.WriteString(s[last:f.start])
			kind := x.rules[f.rule].kind
			b.WriteString("[redacted:" + kind + "]")
			last = f.end
			counts[kind]++
		}
		b.WriteString(s[last:])
		s = b.String()
	}
	return s, counts
}
