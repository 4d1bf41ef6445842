package prose

import (
	"strings"
	"unicode/utf8"
)

// score counts what tells a sentence's language.
type score struct {
	hiragana, kana, han, hangul, latin int32
	english, german                    int32 // their little words
}

func scoreOf(s string) score {
	var c score
	var buf [12]byte
	k := 0
	word := func() {
		if k > 0 && k <= len(buf) {
			switch {
			case isGerman(string(buf[:k])):
				c.german++
			case isEnglish(string(buf[:k])):
				c.english++
			}
		}
		k = 0
	}
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			i++
			if b == ':' && strings.HasPrefix(s[i:], "//") { // an address is of no language
				for i < len(s) && s[i] > ' ' && s[i] < utf8.RuneSelf && s[i] != ')' {
					i++
				}
				k = 0
				continue
			}
			if !isAlnum(rune(b)) && b != '_' { // and_so_on is a name, not words
				word()
				continue
			}
			c.latin++
			if 'A' <= b && b <= 'Z' {
				b |= 0x20
			}
			if k < len(buf) {
				buf[k] = b
			}
			k++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		i += w
		switch {
		case isHiragana(r):
			c.hiragana++
			c.kana++
		case isKana(r):
			c.kana++
		case isHan(r):
			c.han++
		case isHangul(r):
			c.hangul++
		case isAlnum(r):
			c.latin++
			switch r {
			case 'ä', 'ö', 'ü', 'Ä', 'Ö', 'Ü', 'ß':
				c.german++
			}
			for j := i - w; j < i; j++ { // für and wäre are words too
				if k < len(buf) {
					buf[k] = s[j]
				}
				k++
			}
			continue
		}
		word()
	}
	word()
	return c
}

// isEnglish and isGerman know words that stand in most sentences of the one
// language and hardly in the other.
func isEnglish(w string) bool {
	switch w {
	case "the", "and", "is", "are", "to", "of", "for", "with", "this", "that", "it", "i", "you", "we", "not", "be", "been",
		"have", "has", "now", "on", "by", "from", "shall", "should", "would", "your", "my", "if", "when", "but", "as", "at",
		"no", "do", "let", "me", "can", "or", "all", "after", "before":
		return true
	}
	return false
}

func isGerman(w string) bool {
	switch w {
	case "und", "der", "die", "das", "den", "dem", "nicht", "ist", "sind", "ich", "wir", "soll", "jetzt", "noch", "wurde",
		"wurden", "für", "mit", "ein", "eine", "einen", "wird", "werden", "auf", "auch", "aus", "bei", "nach", "zu", "zum",
		"zur", "von", "vom", "im", "ins", "bitte", "kein", "keine", "habe", "haben", "kann", "können", "sollen", "sie", "es",
		"dann", "wenn", "oder", "aber", "schon", "alle", "dafür", "danach", "direkt", "fertig", "dies", "diese", "mich", "mir",
		"uns", "dass", "wie", "nur", "bereits", "erst", "gleich", "sobald":
		return true
	}
	return false
}

// lang tells a sentence's language from its own letters, "" when they do not
// decide. An English sentence may hold a Japanese word, and a Japanese one mostly
// Latin letters: so few CJK letters count unless English's little words stand
// around them.
func (c score) lang() string {
	cjk := c.kana + c.han + c.hangul
	if cjk > 0 && (c.english+c.german < 2 || cjk*4 > c.latin) {
		switch {
		case c.hangul > c.kana && c.hangul*2 >= c.han:
			return "ko"
		case c.hiragana > 0 || c.kana*2 > c.han:
			return "ja"
		case c.kana > 0 || c.han > 0: // kana here are few among han
			return "" // ja or zh, as the message
		}
	}
	switch {
	case c.german > c.english:
		return "de"
	case c.english > 0:
		return "en"
	}
	return ""
}

// languages sets each sentence's language; those that do not tell take that of
// the message, within what their letters allow.
func (s *sentencer) languages() {
	var sum score
	de, en, ja, zh, ko := 0, 0, 0, 0, 0
	for i := range s.scores {
		c := &s.scores[i]
		l := c.lang()
		switch l {
		case "de":
			de++
		case "en":
			en++
		case "ja":
			ja++
		case "ko":
			ko++
		case "":
			if c.han > 0 && c.kana == 0 {
				zh++
			}
		}
		sum.kana += c.kana
		sum.han += c.han
		s.doc.Sentences[i].Lang = l
	}
	// A Japanese text has about as many kana as han.
	han := "zh"
	if sum.kana*4 > sum.han && (ja > 0 || zh == 0) {
		han = "ja"
	}
	latin := "en"
	if de > en {
		latin = "de"
	}
	most := latin
	switch {
	case ja > max(de, en, zh, ko):
		most = "ja"
	case zh > max(de, en, ko):
		most = han
	case ko > max(de, en):
		most = "ko"
	}
	for i := range s.scores {
		if s.doc.Sentences[i].Lang != "" {
			continue
		}
		c := &s.scores[i]
		switch {
		case c.han > 0 && (c.english+c.german == 0 || (c.han+c.kana)*6 >= c.latin):
			s.doc.Sentences[i].Lang = han
		case c.kana > 0 && c.latin == 0:
			s.doc.Sentences[i].Lang = "ja"
		case c.latin == 0: // marks and digits alone
			s.doc.Sentences[i].Lang = most
		default:
			s.doc.Sentences[i].Lang = latin
		}
	}
}
