package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Bounds of the part of a text that a pattern is run on, in bytes. What comes
// before the literal is the rest of a name; what comes after it is the rest of
// the name, the signs between name and value, and the value. A value is not cut
// before it is longer than longest.
const (
	before  = 256
	after   = 512
	longest = 4096
)

// literal is one that a rule needs. They are chained by the hash of their first
// three bytes, case folded.
type literal struct {
	text string
	rule int
	next uint16 // of the same hash, plus one; 0 = none
}

const hashBits = 12

type index struct {
	rules    []*rule
	literals []literal
	first    [1 << hashBits]uint16 // as next
}

// literals is made on the first text: a program that redacts nothing does not
// pay for it.
var literals = sync.OnceValue(newIndex)

func newIndex() *index {
	x := &index{rules: make([]*rule, 0, len(own)+len(gitleaks))}
	for i := range own {
		x.rules = append(x.rules, &own[i])
	}
	for i := range gitleaks {
		x.rules = append(x.rules, &gitleaks[i])
	}
	for i, r := range x.rules {
		for _, text := range r.literals {
			h := hash3(uint32(fold(text[0]))<<16 | uint32(fold(text[1]))<<8 | uint32(fold(text[2])))
			x.literals = append(x.literals, literal{text, i, x.first[h]})
			x.first[h] = uint16(len(x.literals))
		}
	}
	return x
}

func hash3(three uint32) uint32 { return three * 0x9e3779b1 >> (32 - hashBits) }

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// finding is a secret, and where it stands.
type finding struct {
	start, end int
	rule       int // its place among the rules
}

// find gives the secrets of s in their order. It reads s once; the cost of
// patterns grows with the places that hold a literal and what must follow it.
func (x *index) find(s string) []finding {
	var all []finding
	searched := make([]int, len(x.rules)) // to where, for rules that search
	var three uint32
	for i := range len(s) {
		three = (three<<8 | uint32(fold(s[i]))) & 0xffffff
		for n := x.first[hash3(three)]; n != 0; n = x.literals[n-1].next {
			l := &x.literals[n-1]
			r, at := x.rules[l.rule], i-2
			if at < 0 || !r.at(s, at, l.text) {
				continue
			}
			yield := func(start, end int) { all = append(all, finding{start, end, l.rule}) }
			if r.here {
				r.one(s, at, yield)
			} else if at+after > searched[l.rule] {
				searched[l.rule] = r.search(s, at, yield)
			}
		}
	}
	return apart(all)
}

// apart leaves findings that share no byte, in their order. Where two rules claim
// the same bytes, the earlier rule has them.
func apart(all []finding) (found []finding) {
	slices.SortStableFunc(all, func(a, b finding) int { return a.rule - b.rule })
	for _, f := range all {
		i, _ := slices.BinarySearchFunc(found, f, func(a, b finding) int { return a.start - b.start })
		if i < len(found) && found[i].start < f.end || i > 0 && found[i-1].end > f.start {
			continue
		}
		found = slices.Insert(found, i, f)
	}
	return found
}

// at reports whether the literal stands at a place of s, with what must follow.
func (r *rule) at(s string, at int, literal string) bool {
	end := at + len(literal)
	if end > len(s) {
		return false
	}
	if r.exact && s[at:end] != literal || !r.exact && !strings.EqualFold(s[at:end], literal) {
		return false
	}
	return r.follows == nil || r.follows(s[end:min(len(s), end+after)])
}

// one yields the secret that begins with the literal at a place of s.
func (r *rule) one(s string, at int, yield func(start, end int)) {
	end := min(len(s), at+r.reach)
	if r.reach == 0 {
		end = endOf(s, at, after)
	}
	if !r.enough(s[at:end]) {
		return
	}
	_, width := utf8.DecodeLastRuneInString(s[:at])
	if at >= 2 && s[at-2] == '\\' && strings.IndexByte("nrt", s[at-1]) >= 0 {
		width = 0 // a line end written out ends the word before it
	}
	start, end, _ := r.match(s, at-width, end)
	// Without a group the match has the character before the literal as well.
	if start = max(start, at); end > start && r.is(s[start:end], s[end:]) {
		yield(start, end)
	}
}

// search yields the secrets around a place of s and gives the place to where it
// has looked.
func (r *rule) search(s string, at int, yield func(start, end int)) int {
	from, to := max(0, at-max(before, r.reach)), endOf(s, at, 2*after)
	if i := strings.LastIndexByte(s[from:at], '\n'); i >= 0 && r.reach == 0 {
		from += i + 1
	}
	if r.whole {
		from, to = 0, len(s)
	}
	if !r.enough(s[from:to]) {
		return to
	}
	for from < to {
		start, end, next := r.match(s, from, to)
		if end == 0 {
			break
		}
		if r.is(s[start:end], s[end:]) {
			yield(start, end)
		}
		from = max(next, from+1)
	}
	return to
}

// endOf is the end of the line behind a place of s, or of the word that stands
// there after so many bytes.
func endOf(s string, at, bytes int) int {
	end := min(len(s), at+bytes)
	if i := strings.IndexByte(s[at:end], '\n'); i >= 0 {
		return at + i + 1
	}
	for last := min(len(s), at+longest); end < last && s[end-1] > ' '; end++ {
	}
	return end
}

// match finds the first secret-to-be between two places of s: the first group of
// the pattern, or all of it. end is 0 when there is none; next is where the match
// ends.
func (r *rule) match(s string, from, to int) (start, end, next int) {
	m := r.pattern().FindStringSubmatchIndex(s[from:to])
	if m == nil {
		return 0, 0, 0
	}
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return from + m[i], from + m[i+1], from + m[1]
		}
	}
	return from + m[0], from + m[1], from + m[1]
}

// is tells a secret from its like by the value and what follows it.
func (r *rule) is(v, rest string) bool {
	return (r.entropy == 0 || entropy(v) > r.entropy) && (r.secret == nil || r.secret(v, rest))
}

// set is a set of ASCII characters.
type set [2]uint64

func (c set) has(b byte) bool { return b < 128 && c[b/64]&(1<<(b%64)) != 0 }

// enough reports whether s holds as many characters in a row as the shortest
// secret of the rule has. It spares the pattern most texts that only name a
// service.
func (r *rule) enough(s string) bool {
	n := 0
	for i := range len(s) {
		if !r.chars.has(s[i]) {
			n = 0
		} else if n++; n >= r.least {
			return true
		}
	}
	return r.least == 0
}
