// Package shrink finds the smallest part of a message that still does what the
// whole does, by delta debugging: first it leaves out blocks, then sentences, then
// words. What is left is part of the original, byte for byte. It is pure.
package shrink

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agenthooks/hookctl/gate/prose"
)

// Result is what is left of a message.
type Result struct {
	Text  string
	Tries int // how often the test was asked
	// Whole tells that nothing more can be left out: no block, no sentence, no word
	// alone. Without it the time was over before.
	Whole bool
}

// Smallest shrinks text while still holds for what is left. It must hold for text
// itself. over ends the search; what has been found by then is the result.
func Smallest(text string, still func(string) bool, over func() bool) Result {
	s := &search{still: still, over: over, seen: map[string]bool{}}
	for _, cut := range []func(string) []string{blocks, sentences, words} {
		text = s.level(text, cut)
	}
	// The edges of what was left out may have left white space.
	if t := strings.TrimSpace(text); t != text && s.holds(t) {
		text = t
	}
	return Result{Text: text, Tries: s.tries, Whole: !s.stopped}
}

type search struct {
	still   func(string) bool
	over    func() bool
	seen    map[string]bool
	tries   int
	stopped bool
}

// holds asks once about each text. After the time is over nothing holds.
func (s *search) holds(text string) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	if held, ok := s.seen[text]; ok {
		return held
	}
	if s.stopped = s.stopped || s.over(); s.stopped {
		return false
	}
	s.tries++
	held := s.still(text)
	s.seen[text] = held
	return held
}

// level leaves out pieces of one size until none of them alone can be spared.
// This is ddmin of A. Zeller and R. Hildebrandt, Simplifying and isolating
// failure-inducing input, IEEE TSE 28 (2002), without the step that tests a chunk
// by itself but for halves, where it pays.
func (s *search) level(text string, cut func(string) []string) string {
	pieces := cut(text)
	for n := 2; len(pieces) > 1 && !s.stopped; {
		n = min(n, len(pieces))
		rest, found := s.spare(pieces, n)
		switch {
		case found:
			pieces = rest
			n = max(n-1, 2)
		case n == len(pieces):
			return strings.Join(pieces, "")
		default:
			n *= 2
		}
	}
	return strings.Join(pieces, "")
}

// spare cuts pieces into n chunks and leaves one of them out.
func (s *search) spare(pieces []string, n int) ([]string, bool) {
	for i := range n {
		from, to := i*len(pieces)/n, (i+1)*len(pieces)/n
		if n == 2 && s.holds(strings.Join(pieces[from:to], "")) {
			return pieces[from:to:to], true
		}
		rest := slices.Concat(pieces[:from], pieces[to:])
		if s.holds(strings.Join(rest, "")) {
			return rest, true
		}
	}
	return nil, false
}

// blocks cuts a message before each of its Markdown blocks.
func blocks(text string) []string {
	d := prose.Parse(text)
	at := make([]int, 0, len(d.Blocks))
	for _, b := range d.Blocks {
		// A block begins with its line: the marks before it belong to it.
		at = append(at, strings.LastIndexByte(text[:b.Start], '\n')+1)
	}
	return split(text, at)
}

// sentences cuts a message before each sentence.
func sentences(text string) []string {
	d := prose.Parse(text)
	at := make([]int, 0, len(d.Sentences))
	for _, s := range d.Sentences {
		at = append(at, s.Start)
	}
	return split(text, at)
}

// words cuts a text where a word begins. Japanese does not put spaces between
// words: there a new script begins one. Where no kana stands at all, as in
// Chinese, every character of the Han script is a word.
func words(text string) []string {
	kana := strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
	var at []int
	before := space
	for i, r := range text {
		is := scriptOf(r)
		if is != before && is != space && is != mark || is == han && !kana {
			at = append(at, i)
		}
		before = is
	}
	return split(text, at)
}

type script int

const (
	space script = iota
	letter
	mark
	han
	hiragana
	katakana
)

func scriptOf(r rune) script {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Han, r) || r == '々':
		return han
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Katakana, r) || r == 'ー':
		return katakana
	case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’' || r == '_' || unicode.IsMark(r):
		return letter
	}
	return mark
}

// split cuts text at offsets that grow; equal ones count once. The pieces are the
// whole text.
func split(text string, at []int) []string {
	var out []string
	from := 0
	for _, i := range at {
		if i > from {
			out = append(out, text[from:i])
			from = i
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}
