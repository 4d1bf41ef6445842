package prose

import "unicode"

// isPunct reports whether r is ASCII punctuation, which Markdown can escape.
func isPunct(r rune) bool {
	return r > ' ' && r < 0x7F && !isAlnum(r)
}

// isAlnum reports whether r is a letter or digit of an alphabet that puts spaces
// between words.
func isAlnum(r rune) bool {
	switch {
	case r < 0x80:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	case isWide(r) || isHangul(r):
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isWide reports whether r is of a script written without spaces: kana, han and
// their punctuation. Half-width kana count.
func isWide(r rune) bool {
	if r < 0x2E80 {
		return false
	}
	return r <= 0x2FDF || 0x3001 <= r && r <= 0x30FF || 0x31F0 <= r && r <= 0x31FF || 0x3400 <= r && r <= 0x4DBF ||
		0x4E00 <= r && r <= 0x9FFF || 0xF900 <= r && r <= 0xFAFF || 0xFF61 <= r && r <= 0xFF9F ||
		0x20000 <= r && r <= 0x3FFFF
}

func isKana(r rune) bool {
	return 0x3041 <= r && r <= 0x30FF && r != '・' || 0x31F0 <= r && r <= 0x31FF || 0xFF66 <= r && r <= 0xFF9F
}

func isHiragana(r rune) bool { return 0x3041 <= r && r <= 0x309F }

func isHan(r rune) bool { return isWide(r) && !isKana(r) && unicode.Is(unicode.Han, r) }

func isHangul(r rune) bool {
	return 0xAC00 <= r && r <= 0xD7AF || 0x1100 <= r && r <= 0x11FF || 0x3130 <= r && r <= 0x318F ||
		0xA960 <= r && r <= 0xA97F || 0xD7B0 <= r && r <= 0xD7FF
}

// isHidden reports whether r shows nothing: zero-width and bidi controls, fillers,
// variation selectors, tags and the other controls.
func isHidden(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\t' && r != '\n' && r != '\r' && r != '\v' && r != '\f'
	case r < 0xA0:
		return r >= 0x7F && r != 0x85
	case r < 0x034F:
		return r == 0xAD
	}
	switch r {
	case 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFEFF, 0xFFA0:
		return true
	}
	return 0x180B <= r && r <= 0x180F || 0x200B <= r && r <= 0x200F || 0x202A <= r && r <= 0x202E ||
		0x2060 <= r && r <= 0x206F || 0xFE00 <= r && r <= 0xFE0F || 0xFFF9 <= r && r <= 0xFFFB ||
		0x1D173 <= r && r <= 0x1D17A || 0xE0000 <= r && r <= 0xE0FFF
}
