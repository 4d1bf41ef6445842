package prose

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folder folds rows of items to text; its buffers are used again.
type folder struct {
	raw, wide, out []byte
}

// fold gives the text of items as Sentence.Own (own) or Sentence.Plain has it.
func (f *folder) fold(items []item, own bool) []byte {
	f.raw = f.raw[:0]
	ascii, stable := true, true
	for i := range items {
		r := items[i].r
		switch items[i].show {
		case dropped:
			continue
		case breaking:
			r = '\n'
		case plainly:
			if own {
				continue
			}
		case codeOwn:
			if !own {
				continue
			}
			r = CodeMark
		case quoted:
			r = QuoteMark
		case shown:
			if r == QuoteMark || r == CodeMark {
				r = utf8.RuneError
			}
		}
		if r < utf8.RuneSelf {
			if !isHidden(r) {
				f.raw = append(f.raw, byte(r))
			}
			continue
		}
		if isHidden(r) {
			continue
		}
		switch { // the commonest foldings, for speed
		case 0xFF01 <= r && r <= 0xFF5E:
			f.raw = append(f.raw, byte(r-0xFEE0))
			continue
		case r == 0x3000:
			f.raw = append(f.raw, ' ')
			continue
		case r == '…':
			f.raw = append(f.raw, "..."...)
			continue
		}
		ascii = false
		stable = stable && isStable(r)
		f.raw = utf8.AppendRune(f.raw, r)
	}
	if ascii {
		return f.tidyASCII()
	}
	src := f.raw
	if stable {
		return f.tidy(src)
	}
	if k := norm.NFKC.QuickSpan(src); k < len(src) {
		f.wide = norm.NFKC.Append(append(f.wide[:0], src[:k]...), src[k:]...)
		src = f.wide
	}
	return f.tidy(src)
}

func (f *folder) tidyASCII() []byte {
	f.out = f.out[:0]
	space := false
	for _, c := range f.raw {
		if c == ' ' || c >= '\t' && c <= '\r' {
			space = true
			continue
		}
		if space && len(f.out) > 0 {
			f.out = append(f.out, ' ')
		}
		space = false
		f.out = append(f.out, c)
	}
	return f.out
}

// tidy collapses white space, drops it where CJK meets Latin letters and where a
// line of CJK ends, and makes plain hyphens and apostrophes.
func (f *folder) tidy(src []byte) []byte {
	f.out = f.out[:0]
	const line = 2
	space, last := 0, rune(0) // 1 white space is due, 2 a line's end too
	for i := 0; i < len(src); {
		r, w := utf8.DecodeRune(src[i:])
		i += w
		switch {
		case r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029:
			space |= 1 | line
			continue
		case unicode.IsSpace(r):
			space |= 1
			continue
		case isHidden(r): // NFKC can bring these in
			continue
		case r == '’' && last != QuoteMark || r == 'ʼ':
			r = '\''
		case r == '‐' || r == '‑':
			r = '-'
		}
		if space != 0 && last != 0 && !joins(last, r, space&line != 0) {
			f.out = append(f.out, ' ')
		}
		space = 0
		f.out = utf8.AppendRune(f.out, r)
		last = r
	}
	return f.out
}

// joins reports whether the white space between a and b is dropped.
func joins(a, b rune, line bool) bool {
	aw, bw := isWide(a), isWide(b)
	switch {
	case aw && bw:
		return line
	case aw:
		return line && !isHangul(b) || isAlnum(b) || b == CodeMark
	case bw:
		return line && !isHangul(a) || isAlnum(a) || a == CodeMark
	}
	return false
}

// isStable knows runes that NFKC leaves alone next to each other, so that most
// sentences need no normalising at all. Any other rune sends its sentence there.
func isStable(r rune) bool {
	switch {
	case 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FE, 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3:
		return true
	case 0xC0 <= r && r <= 0x131, 0x2018 <= r && r <= 0x201E, 0x2190 <= r && r <= 0x21FF, 0x2700 <= r && r <= 0x27BF:
		return true
	case 0x3001 <= r && r <= 0x3015, 0x1F300 <= r && r <= 0x1F64F:
		return true
	}
	switch r {
	case 0x2013, 0x2014, 0xAB, 0xBB, 0xB7, 0xD7, QuoteMark, CodeMark, utf8.RuneError:
		return true
	}
	return false
}
