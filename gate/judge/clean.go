package judge

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns what a program printed as text with "\n" at the end of lines:
// UTF-8, or UTF-16 where a byte order mark says so, as some Windows programs
// write it.
func decode(out []byte) string {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(out, []byte{0xFF, 0xFE}):
		order = binary.LittleEndian
	case bytes.HasPrefix(out, []byte{0xFE, 0xFF}):
		order = binary.BigEndian
	default:
		return lines(strings.TrimPrefix(string(out), "\uFEFF"))
	}
	units := make([]uint16, 0, len(out)/2)
	for b := out[2:]; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return lines(string(utf16.Decode(units)))
}

// lines strips what a terminal would not show and ends a line wherever a terminal
// goes back to the first column: "⠋ thinking", a carriage return and the verdict
// are two lines, as they are to the eye. A space in place of the carriage return
// makes them one sentence.
func lines(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7F || 0x80 <= r && r < 0xA0 }) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\x1b':
			n, fresh := escape(s[i:])
			if fresh {
				b.WriteByte('\n')
			}
			i += n
		case c == '\r':
			i++
			if i == len(s) || s[i] != '\n' {
				b.WriteByte('\n')
			}
		case c == '\n' || c == '\t':
			b.WriteByte(c)
			i++
		case c < ' ' || c == 0x7F:
			i++ // backspace, bell and the rest
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r < 0x80 || r >= 0xA0 {
				b.WriteString(s[i : i+n])
			}
			i += n
		}
	}
	return b.String()
}

// escape returns the length of the escape sequence that s begins with (ECMA-48),
// and whether it takes the cursor to another place of the screen. A sequence
// without its end stops at the line's end, so that it hides no later line.
func escape(s string) (n int, fresh bool) {
	if len(s) < 2 {
		return len(s), false
	}
	switch c := s[1]; {
	case c == '[':
		i := 2
		for i < len(s) && 0x20 <= s[i] && s[i] <= 0x3F {
			i++
		}
		if i == len(s) || s[i] < 0x40 || s[i] > 0x7E {
			return i, false
		}
		return i + 1, home(s[2:i], s[i])
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == '\x07':
				return i + 1, false
			case s[i] == '\x1b' && i+1 < len(s) && s[i+1] == '\\':
				return i + 2, false
			case s[i] == '\n' || s[i] == '\x1b':
				return i, false
			}
		}
		return len(s), false
	case 0x20 <= c && c <= 0x2F: // charset and the like: intermediates, then one final
		i := 2
		for i < len(s) && 0x20 <= s[i] && s[i] <= 0x2F {
			i++
		}
		if i < len(s) && 0x30 <= s[i] && s[i] <= 0x7E {
			i++
		}
		return i, false
	case 0x30 <= c && c <= 0x7E:
		return 2, c == 'c' || c == 'D' || c == 'E' || c == 'M'
	}
	return 1, false
}

// home reports whether a control sequence moves to a column of its own or wipes
// what stands before the cursor. Wiping only what comes after it (a bare K, as
// grep colours its hits) moves nothing.
func home(params string, final byte) bool {
	switch final {
	case 'E', 'F', 'G', 'H', 'f':
		return true
	case 'J', 'K':
		return params == "1" || params == "2"
	}
	return false
}

// maxNote bounds what a judge may say, in characters.
const maxNote = 300

// note makes a judge's words fit to be shown: one line, nothing that steers a
// terminal or hides in it, at most maxNote characters.
func note(s string) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range lines(s) {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			space = b.Len() > 0
			continue
		case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
			continue // Cf holds the marks that turn the direction or have no width
		}
		if space {
			if n == maxNote {
				break
			}
			b.WriteByte(' ')
			n++
			space = false
		}
		if n == maxNote {
			break
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimRight(b.String(), " ")
}
