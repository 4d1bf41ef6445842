package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// carrier is where the marks in code hide while it is parsed: the parser takes no
// bytes that are not UTF-8. These are the last characters of Unicode that nobody
// may give a meaning.
const carrier = 0x10FF00

// carry hides the marks in code. It reports whether there are any.
func carry(code string) (string, bool) {
	if !has(Text(code), marks) {
		return code, false
	}
	var b strings.Builder
	for i := 0; i < len(code); i++ {
		if code[i] >= Here {
			b.WriteRune(carrier + rune(code[i]))
			continue
		}
		b.WriteByte(code[i])
	}
	return b.String(), true
}

// uncarry brings them back in what was parsed.
func uncarry(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			n.Value = unhidden(n.Value)
		case *syntax.SglQuoted:
			n.Value = unhidden(n.Value)
		}
		return true
	})
}

func unhidden(s string) string {
	if !strings.Contains(s, "\xf4\x8f\xbf") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r >= carrier+Here && n > 1 {
			b.WriteByte(byte(r - carrier))
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
