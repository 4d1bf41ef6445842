// Package redact takes secrets out of text before a judge or the journal sees
// it. It keeps counts, never values, and never looks outside the text.
//
// A known form (a provider's prefix, a PEM block, a header) is enough; a mere
// name with a value (password: …) must also look random. Commit hashes, UUIDs,
// digests and paths stay, because a judge needs them as evidence. It finds what
// is written plainly: a secret split over lines, encoded once more or without
// any mark stays in the text.
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
	for range maxPasses {
		before := s
		lower := strings.ToLower(s)
		for i := range rules {
			r := &rules[i]
			if !r.maybe(s, lower) {
				continue
			}
			var n int
			if s, n = r.apply(s); n > 0 {
				if counts == nil {
					counts = Counts{}
				}
				counts[r.kind] += n
			}
		}
		if s == before {
			break
		}
	}
	return s, counts
}

// maybe is the prefilter. lower may be older than s: a replacement only takes
// literals away.
func (r *rule) maybe(s, lower string) bool {
	if r.fold {
		s = lower
	}
	for _, literal := range r.literals {
		if strings.Contains(s, literal) {
			return true
		}
	}
	return false
}

// apply replaces what r finds. Most rules look at one line at a time, so that a
// long text costs the patterns no more than its few lines with a literal.
func (r *rule) apply(s string) (string, int) {
	if r.whole {
		return r.replace(s)
	}
	var b strings.Builder
	total := 0
	for line := range strings.Lines(s) {
		n := 0
		if r.maybe(line, foldFor(r, line)) {
			line, n = r.replace(line)
		}
		total += n
		b.WriteString(line)
	}
	if total == 0 {
		return s, 0
	}
	return b.String(), total
}

func foldFor(r *rule, line string) string {
	if r.fold {
		return strings.ToLower(line)
	}
	return ""
}

// replace works on the last group of the pattern, or on all of the match when
// there is none.
func (r *rule) replace(s string) (string, int) {
	var b strings.Builder
	last, n := 0, 0
	for _, m := range r.expr().FindAllStringSubmatchIndex(s, -1) {
		start, end := m[0], m[1]
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				start, end = m[i], m[i+1]
			}
		}
		if r.secret != nil && !r.secret(s[start:end], s[end:]) {
			continue
		}
		b.WriteString(s[last:start])
		b.WriteString("[redacted:" + r.kind + "]")
		last = end
		n++
	}
	if n == 0 {
		return s, 0
	}
	b.WriteString(s[last:])
	return b.String(), n
}
