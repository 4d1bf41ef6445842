package gate

import (
	"strings"
	"unicode/utf8"
)

// Prefilter tells in microseconds that no signal can match, by literals alone.
// It errs only towards "maybe": what it lets by, the patterns decide.
type Prefilter struct {
	// Literals are folded by [Squeeze].
	Literals []string `json:"literals"`
	// Signals holds, for each signal, a conjunction of clauses; a clause is a
	// list of indexes into Literals of which one must occur.
	Signals [][][]int `json:"signals"`
	// Evidence holds the same for each pattern of evidence; one without a clause
	// may match any text.
	Evidence [][][]int `json:"evidence,omitempty"`
}

// Maybe reports whether a signal might match somewhere in text. A paragraph is
// looked at alone, since no sentence reaches over an empty line.
func (p Prefilter) Maybe(text string) bool {
	if len(p.Signals) == 0 {
		return false
	}
	seen := make([]int8, len(p.Literals)) // 0 unknown, 1 there, -1 not there
	for para := range paragraphs(text) {
		folded, plain := Squeeze(para)
		if !plain {
			return true
		}
		clear(seen)
		has := func(i int) bool {
			if seen[i] == 0 {
				seen[i] = -1
				if strings.Contains(folded, p.Literals[i]) {
					seen[i] = 1
				}
			}
			return seen[i] == 1
		}
		for _, clauses := range p.Signals {
			if all(clauses, has) {
				return true
			}
		}
	}
	return false
}

// Possible reports whether a pattern with these clauses might match in folded, a
// text that [Squeeze] has folded.
func (p Prefilter) Possible(clauses [][]int, folded string) bool {
	return all(clauses, func(i int) bool { return strings.Contains(folded, p.Literals[i]) })
}

func all(clauses [][]int, has func(int) bool) bool {
	for _, clause := range clauses {
		one := false
		for _, i := range clause {
			if has(i) {
				one = true
				break
			}
		}
		if !one {
			return false
		}
	}
	return true
}

// paragraphs yields text split at lines that hold only white space.
func paragraphs(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		start, blank := 0, true
		for i := 0; i < len(text); {
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				end = len(text) - i
			} else {
				end++
			}
			if strings.TrimSpace(text[i:i+end]) == "" {
				if !blank && !yield(text[start:i]) {
					return
				}
				start, blank = i+end, true
			} else {
				blank = false
			}
			i += end
		}
		if !blank {
			yield(text[start:])
		}
	}
}

// Squeeze folds text for a search by literals: lower case, full-width ASCII as
// ASCII, no white space at all, no marks of emphasis, no characters of zero
// width. plain is false when the text holds a character that compatibility
// normalisation would change in another way (half-width katakana, combining
// marks, ligatures …); then only the patterns can tell.
func Squeeze(text string) (folded string, plain bool) {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c <= ' ' || c == '*' || c == '_' || c == '`':
			case 'A' <= c && c <= 'Z':
				b = append(b, c+'a'-'A')
			default:
				b = append(b, c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case r == 0x2018, r == 0x2019:
			b = append(b, '\'')
		case r == 0x201C, r == 0x201D:
			b = append(b, '"')
		case 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FE, // kana
			0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3, // han, hangul
			0x2010 <= r && r <= 0x2023, 0x2190 <= r && r <= 0x23FF, 0x2500 <= r && r <= 0x2BFF, // dashes, arrows, shapes
			0x3001 <= r && r <= 0x3030, 0x1F300 <= r && r <= 0x1FAFF, 0x00C0 <= r && r <= 0x0131: // punctuation, emoji, Latin letters
			b = utf8.AppendRune(b, lower(r))
		case r == 0x2026 || r == 0x2025:
			b = append(b, "..."...) // the form that compatibility normalisation gives
		case 0xFF01 <= r && r <= 0xFF5E:
			r -= 0xFF01 - '!'
			if r != '*' && r != '_' && r != '`' {
				b = utf8.AppendRune(b, lower(r))
			}
		case r == 0x3000, r == 0xA0, 0x2000 <= r && r <= 0x200F, 0x2028 <= r && r <= 0x202F, r == 0x2060, r == 0xFEFF, r == 0xFE0F, r == 0xAD:
		case r == 0xB7, r == 0xA7, r == 0xD7, r == 0x20AC, r == 0xB1, r == 0xAB, r == 0xBB:
			b = utf8.AppendRune(b, r)
		default:
			return "", false
		}
	}
	return string(b), true
}

func lower(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z', 0xC0 <= r && r <= 0xDE && r != 0xD7:
		return r + 0x20
	}
	return r
}
