package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineEnds reports whether a sentence ends where a line of a paragraph does. A
// soft break joins, unless the line above is complete by its own form or the
// next one begins as an entry: agents write lists without the marks of one.
func (n *inline) lineEnds(i int) bool {
	p := i - 1
	for p >= 0 && p > i-16 && (n.items[p].show == dropped || unicode.IsSpace(n.items[p].r)) {
		p--
	}
	if p < 0 {
		return false
	}
	if r := n.items[p].r; n.items[p].show == shown && (r == ':' || r == '：') {
		return true
	}
	return n.entry(n.skipSpace(i+1)) || n.polite(p) || n.label(i+1)
}

// entry reports whether a line starts at i as an entry of a list.
func (n *inline) entry(i int) bool {
	r, after := n.near(i), n.near(i+1)
	switch {
	case r == '-' || r == '*' || r == '+':
		return after == ' '
	case '0' <= r && r <= '9':
		for k := 1; k < 4; k++ {
			switch c := n.near(i + k); {
			case '0' <= c && c <= '9':
			case c == '.' || c == ')':
				return n.near(i+k+1) == ' '
			default:
				return false
			}
		}
		return false
	case r < 0x2190:
		return r == '•' || r == '‣'
	}
	switch r {
	case '・', '→', '⇒', '※':
		return true
	}
	return 0x231A <= r && r <= 0x23FF || 0x2460 <= r && r <= 0x24FF || 0x25A0 <= r && r <= 0x27BF || 0x2B00 <= r && r <= 0x2BFF ||
		0x1F300 <= r && r <= 0x1FAFF
}

// label reports whether a line starts at i with a word or three and a colon.
func (n *inline) label(i int) bool {
	i = n.skipSpace(i)
	if r := n.near(i); !unicode.IsUpper(r) && !isWide(r) && !isHangul(r) && !unicode.IsDigit(r) {
		return false
	}
	spaces := 0
	for k := i; k < len(n.items) && k < i+30; k++ {
		switch r := n.items[k].r; r {
		case '：':
			return true
		case ':':
			after := n.near(k + 1)
			return unicode.IsSpace(after) || after == '*' || isWide(after)
		case ' ':
			if spaces++; spaces > 2 {
				return false
			}
		case '\n', '。', '、', ',', '.', '!', '?', '！', '？':
			return false
		}
	}
	return false
}

// politeEnds are ends of Japanese and Korean statements that nothing can follow in
// the same sentence but a particle, which would stand before the line's end.
var politeEnds = [...]string{
	"です", "ます", "ました", "ません", "でした", "ください", "下さい", "しょう", "ですか", "ますか", "ましたか", "ませんか",
	"しょうか", "ですね", "ますね", "ました！", "니다", "니까", "세요", "까요", "해요", "어요", "아요",
}

// polite reports whether the line that ends at p closes a statement.
func (n *inline) polite(p int) bool {
	for k := 0; k < 4 && p >= 0 && n.items[p].show == shown; k++ { // closing brackets and emoji
		r := n.items[p].r
		if isKana(r) || isHangul(r) {
			break
		}
		if isAlnum(r) || isWide(r) && isHan(r) {
			return false
		}
		p--
	}
	var buf [8]rune
	k := len(buf)
	for ; p >= 0 && k > 0 && n.items[p].show == shown; p-- {
		k--
		buf[k] = n.items[p].r
	}
	s := string(buf[k:])
	if s == "" {
		return false
	}
	if r, _ := utf8.DecodeLastRuneInString(s); !isHiragana(r) && !isHangul(r) {
		return false
	}
	for _, e := range politeEnds {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// endsSentence reports whether a line ends as a statement or a question does.
func endsSentence(line string) bool {
	line = strings.TrimRight(line, " \t*_)）」』\"'`”’")
	r, _ := utf8.DecodeLastRuneInString(line)
	switch r {
	case '.', '!', '?', '。', '！', '？', '｡', '…':
		return true
	}
	for _, e := range politeEnds {
		if strings.HasSuffix(line, e) {
			return true
		}
	}
	return false
}
