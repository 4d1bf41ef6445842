package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Prefilter tells in microseconds that no signal can match, by literals alone.
// It errs only towards "maybe": what it lets by, the patterns decide.
type Prefilter struct {
	Literals []string // folded by [Squeeze]
	Signals  []Needs
}

// Needs is what a text must hold for a pattern to match: of each of some clauses,
// one literal. It is flat, since every start of the program pays for each piece of
// memory: for each clause the number of its literals, and their indexes. Without
// any clause every text may match.
type Needs []uint16

// NeedsOf makes the flat form of clauses, each a list of indexes of literals.
func NeedsOf(clauses [][]int) (n Needs, err error) {
	for _, c := range clauses {
		n = append(n, uint16(min(len(c), math.MaxUint16)))
		for _, i := range c {
			if i > math.MaxUint16 || len(c) > math.MaxUint16 {
				return nil, fmt.Errorf("more than %d literals", math.MaxUint16)
			}
			n = append(n, uint16(i))
		}
	}
	return n, nil
}

// Maybe reports whether a signal might match somewhere in text. A paragraph is
// looked at alone, since no sentence reaches over an empty line.
func (p Prefilter) Maybe(text string) bool {
	if len(p.Signals) == 0 {
		return false
	}
	seen := make([]int8, len(p.Literals)) // 0 unknown, 1 there, -1 not there
	var grams Grams
	for para := range paragraphs(text) {
		folded, plain := Squeeze(para)
		if !plain {
			return true
		}
		clear(seen)
		grams.Set(folded)
		has := func(i int) bool {
			if seen[i] == 0 {
				seen[i] = -1
				if l := p.Literals[i]; grams.May(l) && strings.Contains(folded, l) {
					seen[i] = 1
				}
			}
			return seen[i] == 1
		}
		for _, needs := range p.Signals {
			if needs.Possible(has) {
				return true
			}
		}
	}
	return false
}

// Possible reports whether a pattern with these needs might match in a text; has
// tells whether the text, folded by [Squeeze], holds a literal.
func (n Needs) Possible(has func(int) bool) bool {
	for len(n) > 0 {
		end := 1 + int(n[0])
		if !slices.ContainsFunc(n[1:end], func(i uint16) bool { return has(int(i)) }) {
			return false
		}
		n = n[end:]
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
// ASCII, no white space, no marks of emphasis, no characters of zero width, and
// one space at each border of an ASCII word, so that a literal can ask for a
// whole word. plain is false when the text holds what Markdown takes out of the
// middle of a sentence (links, struck text, tags, escapes) or a character that
// compatibility normalisation would change in another way (half-width katakana,
// combining marks, ligatures …); then only the patterns can tell.
func Squeeze(text string) (folded string, plain bool) { return squeeze(text, true) }

// WordBorder stands in the argument of [SqueezeLiteral] for the border of a word.
const WordBorder = '\x00'

// SqueezeLiteral folds a piece of a pattern: as Squeeze, but what stands before
// and after it is not known.
func SqueezeLiteral(s string) (folded string, plain bool) { return squeeze(s, false) }

func squeeze(text string, whole bool) (string, bool) {
	f := folder{b: make([]byte, 0, len(text)+len(text)/4), known: whole}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == WordBorder && !whole:
				f.border = true
			case c == '*' && f.word && wordFollows(text[i:]):
				return "", false // emphasis that begins or ends inside a word
			case c <= ' ' || c == '`' || c == '*':
				f.at(false)
			case c == '_': // emphasis, or a letter of a name: folded the same in both
			case markup(text, i-1):
				return "", false
			default:
				f.ascii(c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		if !f.rune(r) {
			return "", false
		}
	}
	if f.border || whole && f.word {
		f.b = append(f.b, ' ')
	}
	return string(f.b), true
}

// wordFollows reports that an ASCII word goes on after a run of asterisks, and
// characters of zero width between them.
func wordFollows(text string) bool {
	for i, r := range text {
		if r != '*' && !zeroWidth(r) {
			return r < utf8.RuneSelf && wordByte(text[i])
		}
	}
	return false
}

// markup reports that Markdown takes something out of a sentence here.
func markup(text string, i int) bool {
	if i+1 >= len(text) {
		return false
	}
	next := text[i+1]
	switch text[i] {
	case ']':
		return next == '(' || next == '['
	case '~':
		return next == '~'
	case '<':
		return next == '/' || next == '!' || 'a' <= next|0x20 && next|0x20 <= 'z'
	case '\\':
		return '!' <= next && next <= '~' && !wordByte(next)
	}
	return false
}

// folder is a text on its way through Squeeze.
type folder struct {
	b      []byte
	word   bool // the character before belongs to an ASCII word
	known  bool // it is known what stands before
	border bool // a border was asked for here
}

// at comes before each character and writes the border of a word.
func (f *folder) at(word bool) {
	if f.border || f.known && f.word != word {
		f.b = append(f.b, ' ')
	}
	f.word, f.known, f.border = word, true, false
}

func (f *folder) ascii(c byte) {
	f.at(wordByte(c))
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	f.b = append(f.b, c)
}

func wordByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
}

// rune folds a character beyond ASCII; false means that only the patterns can
// tell.
func (f *folder) rune(r rune) bool {
	switch {
	case r == 0x2018, r == 0x2019:
		f.ascii('\'')
	case r == 0x201C, r == 0x201D:
		f.ascii('"')
	case 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FE, // kana
		0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3, // han, hangul
		0x2010 <= r && r <= 0x2023, 0x2190 <= r && r <= 0x23FF, 0x2500 <= r && r <= 0x2BFF, // dashes, arrows, shapes
		0x3001 <= r && r <= 0x3030, 0x1F300 <= r && r <= 0x1FAFF, 0x00C0 <= r && r <= 0x0131, // punctuation, emoji, Latin letters
		r == 0xB7, r == 0xA7, r == 0x20AC, r == 0xB1, r == 0xAB, r == 0xBB:
		f.at(false)
		if 0xC0 <= r && r <= 0xDE && r != 0xD7 {
			r += 0x20
		}
		f.b = utf8.AppendRune(f.b, r)
	case r == 0x2026:
		f.at(false)
		f.b = append(f.b, "..."...) // the form that compatibility normalisation gives
	case r == 0x3000, r == 0xA0, 0x2000 <= r && r <= 0x200A, r == 0x2028, r == 0x2029, r == 0x202F: // white space
		f.at(false)
	case zeroWidth(r):
	case 0xFF01 <= r && r <= 0xFF5E:
		switch c := byte(r - 0xFF01 + '!'); c {
		case '_':
		case '*', '`':
			f.at(false)
		default:
			f.ascii(c)
		}
	default:
		return false
	}
	return true
}

func zeroWidth(r rune) bool {
	return 0x200B <= r && r <= 0x200F || 0x202A <= r && r <= 0x202E || r == 0x2060 || r == 0xFEFF || r == 0xFE0F || r == 0xAD
}
