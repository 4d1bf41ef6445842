package prose

import (
	"strings"
	"unicode/utf8"
)

// Clauses cuts a folded sentence at the borders where a negation or a condition
// ends, which are those between clauses of equal rank. A subordinate clause stays
// with its main one: in "once it is green, I push" the condition reaches to the
// end. What stands at a border (a comma, a Japanese connective) stays with the
// clause before it, a conjunction goes to the one after; white space at the cut
// is dropped. A sentence without borders is one clause, an empty one none.
//
//	en  ";", dashes, ", but", ", so", ", and", ", then", " and then ", ", yet", ", however"
//	de  ";", dashes, ", aber", ", und", ", sondern", ", doch", ", dann", ", danach", ", denn"
//	ja  "、" after が, ので, ため, けど, て, し; not after として, について and the like
//	zh  "," and ";", to which "，" and "；" are folded
//	ko  a word that ends in 지만, 는데 or 고, unless 고 is part of a noun or 고 있다
func Clauses(folded, lang string) []string {
	var out []string
	from := 0
	cut := func(at int) {
		if c := strings.TrimSpace(folded[from:at]); c != "" {
			out = append(out, c)
		}
		from = at
	}
	for i := 0; i < len(folded); {
		if at := clauseEnd(folded, i, lang); at > from {
			cut(at)
			i = at
			continue
		}
		_, w := utf8.DecodeRuneInString(folded[i:])
		i += w
	}
	cut(len(folded))
	return out
}

// clauseEnd gives where the clause ends if there is a border at i, else 0.
func clauseEnd(s string, i int, lang string) int {
	switch s[i] {
	case ';':
		return i + 1
	case ' ':
		for _, dash := range [...]string{" — ", " – ", " -- "} {
			if strings.HasPrefix(s[i:], dash) {
				return i + len(dash)
			}
		}
		switch {
		case lang == "en" && strings.HasPrefix(s[i:], " and then "):
			return i
		case lang == "ko":
			return koreanEnd(s, i)
		}
	case ',':
		switch lang {
		case "zh":
			if i+1 < len(s) && (s[i+1] < '0' || s[i+1] > '9') {
				return i + 1
			}
		case "en":
			return afterComma(s, i, englishJoins[:])
		case "de":
			return afterComma(s, i, germanJoins[:])
		case "ko":
			if strings.HasPrefix(s[i:], ", ") && koreanEnd(s, i) > 0 {
				return i + 1
			}
		case "ja":
			return japaneseEnd(s, i, i+1)
		}
	case "、"[0]:
		if lang == "ja" && strings.HasPrefix(s[i:], "、") {
			return japaneseEnd(s, i, i+len("、"))
		}
	}
	return 0
}

var englishJoins = [...]string{"but", "so", "and", "then", "yet", "however", "though", "although"}

var germanJoins = [...]string{"aber", "und", "sondern", "doch", "dann", "danach", "denn", "jedoch", "also", "deshalb", "daher"}

// afterComma cuts behind a comma that one of these words follows.
func afterComma(s string, i int, words []string) int {
	rest := s[i+1:]
	if !strings.HasPrefix(rest, " ") {
		return 0
	}
	rest = rest[1:]
	for _, w := range words {
		if strings.HasPrefix(rest, w) && len(rest) > len(w) && (rest[len(w)] == ' ' || rest[len(w)] == ',') {
			return i + 1
		}
	}
	return 0
}

var japaneseJoins = [...]string{"が", "ので", "ため", "けど", "けれど", "けれども", "て", "し", "のに", "から"}

// japaneseParticles end like a connective and are none: what they mark belongs to
// the predicate that follows.
var japaneseParticles = [...]string{
	"として", "について", "にて", "によって", "にとって", "において", "に対して", "に関して", "に向けて", "に加えて", "そして",
	"したがって", "従って", "併せて", "あわせて", "合わせて", "改めて", "あらためて", "続けて", "もし", "ただし", "しかし", "なし",
	"すべて", "全て", "初めて", "はじめて", "それから", "これから", "だから", "すから",
}

func japaneseEnd(s string, i, end int) int {
	before := s[max(0, i-30):i]
	for _, p := range japaneseParticles {
		if strings.HasSuffix(before, p) {
			return 0
		}
	}
	for _, j := range japaneseJoins {
		if strings.HasSuffix(before, j) {
			return end
		}
	}
	return 0
}

// koreanEnd cuts at the white space i after a connective ending.
func koreanEnd(s string, i int) int {
	before := s[max(0, i-30):i]
	if strings.HasSuffix(before, "지만") || strings.HasSuffix(before, "는데") {
		return i
	}
	if !strings.HasSuffix(before, "고") {
		return 0
	}
	for _, noun := range [...]string{"참고", "경고", "보고", "권고", "재고", "창고", "최고", "광고", "신고", "사고", "그리고", " 고"} {
		if strings.HasSuffix(before, noun) {
			return 0
		}
	}
	next := strings.TrimLeft(s[i:min(len(s), i+16)], ", ")
	for _, aux := range [...]string{"있", "싶", "나서", "나면", "계"} { // 고 있다: one predicate
		if strings.HasPrefix(next, aux) {
			return 0
		}
	}
	return i
}
