package prose

import (
	"strings"
	"unicode/utf8"
)

// fence is an open code fence.
type fence struct {
	char   byte
	size   int
	indent int  // bytes before its mark in the opening line
	loose  bool // the closing line may be indented by any width
}

// fenceOpen reads the opening line of a fence.
func fenceOpen(rest string) (fence, bool) {
	n := run(rest)
	if n < 3 || rest[0] != '`' && rest[0] != '~' {
		return fence{}, false
	}
	if rest[0] == '`' && strings.Contains(rest[n:], "`") {
		return fence{}, false // an inline code span
	}
	return fence{char: rest[0], size: n}, true
}

// closedBy reports whether rest, a line from its first mark on, closes f.
func (f fence) closedBy(rest string) bool {
	if rest == "" || rest[0] != f.char {
		return false
	}
	n := run(rest)
	return n >= f.size && strings.Trim(rest[n:], " \t") == ""
}

// run counts how often the first byte of s is repeated from its start on.
func run(s string) int {
	n := 0
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

// atx reads a heading of the form "## text ##" and gives where its text stands.
func atx(text string, p, end int) (a, b int, ok bool) {
	if text[p] != '#' {
		return 0, 0, false
	}
	n := run(text[p:end])
	a = p + n
	if n > 6 || a < end && text[a] != ' ' && text[a] != '\t' {
		return 0, 0, false
	}
	for a < end && (text[a] == ' ' || text[a] == '\t') {
		a++
	}
	s := strings.TrimRight(text[a:end], " \t")
	if t := strings.TrimRight(s, "#"); t == "" || strings.HasSuffix(t, " ") || strings.HasSuffix(t, "\t") {
		s = strings.TrimRight(t, " \t")
	}
	return a, a + len(s), true
}

// isRule reports whether a line is a thematic break.
func isRule(rest string) bool {
	ch := rest[0]
	if ch != '-' && ch != '*' && ch != '_' {
		return false
	}
	n := 0
	for i := range len(rest) {
		switch rest[i] {
		case ch:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// marker is what a list item starts with.
type marker struct {
	size, cols int // bytes and columns
	ordered    bool
	number     string
}

// listMarker reads "-", "*", "+", "1." and "1)" before white space or the line's
// end, and the bullets • and ・ before anything.
func listMarker(rest string) (marker, bool) {
	switch c := rest[0]; {
	case c == '-' || c == '*' || c == '+':
		return marker{size: 1, cols: 1}, spaceAt(rest, 1)
	case '0' <= c && c <= '9':
		n := 1
		for n < len(rest) && n < 10 && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
		if n > 9 || n == len(rest) || rest[n] != '.' && rest[n] != ')' {
			return marker{}, false
		}
		return marker{size: n + 1, cols: n + 1, ordered: true, number: rest[:n]}, spaceAt(rest, n+1)
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(rest)
		return marker{size: n, cols: 1}, (r == '•' || r == '・') && len(rest) > n
	}
	return marker{}, false
}

// interrupts reports whether the item may follow a line of a paragraph.
func (m marker) interrupts(rest string) bool {
	return strings.Trim(rest[m.size:], " \t") != "" && (!m.ordered || m.number == "1")
}

func spaceAt(s string, i int) bool { return i >= len(s) || s[i] == ' ' || s[i] == '\t' }

// rawTags are elements whose inside is not read as Markdown speech.
var rawTags = [...]struct {
	name string
	kind Kind
}{
	{"pre", Code},
	{"script", Code},
	{"style", Code},
	{"textarea", Code},
	{"blockquote", Quote},
}

// rawTag reads an opening tag of such an element. One that is never closed is
// text, so that it cannot hide the rest of the message.
func (s *scanner) rawTag(rest string, p int) (int, bool) {
	if rest[0] != '<' {
		return 0, false
	}
	for i, t := range rawTags {
		if s.noTag[i] || !tagIs(rest[1:], t.name) {
			continue
		}
		if indexFold(s.text[p:], "</"+t.name) < 0 {
			s.noTag[i] = true
			continue
		}
		return i, true
	}
	return 0, false
}

// tagIs reports whether s, what follows "<", begins with this element's name.
func tagIs(s, name string) bool {
	if len(s) < len(name) || !strings.EqualFold(s[:len(name)], name) {
		return false
	}
	return len(s) == len(name) || strings.IndexByte(" \t/>", s[len(name)]) >= 0
}

func closesTag(line string, t int) bool { return indexFold(line, "</"+rawTags[t].name) >= 0 }

// indexFold finds an ASCII string that starts with "<" whatever its case.
func indexFold(s, sub string) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 || at+i+len(sub) > len(s) {
			return -1
		}
		if at += i; strings.EqualFold(s[at:at+len(sub)], sub) {
			return at
		}
		at++
	}
}
