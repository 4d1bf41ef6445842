package prose

import (
	"slices"
	"strings"
)

// maxLabel is the length in characters of a word that is put in quotes and yet
// used: "コミット", "deployen".
const maxLabel = 16

// governed reports a quoted word that the sentence uses as its own verb: the
// ending stands outside (「コミット」しましょうか, '커밋'할까요), or what governs it
// stands right before (shall I "commit" this?). Such quotes hide nothing.
func (n *inline) governed(p quotePair) bool {
	var word strings.Builder
	for i := p.open + 1; i < p.shut; i++ {
		it := n.items[i]
		switch {
		case it.show != shown || word.Len() > 4*maxLabel || !isAlnum(it.r) && !isWide(it.r) && !isHangul(it.r) && it.r != 'ー':
			return false
		}
		word.WriteRune(it.r)
	}
	w := word.String()
	if w == "" || len([]rune(w)) > maxLabel {
		return false
	}
	after := n.ahead(int(p.shut))
	for _, ending := range labelEndings {
		if strings.HasPrefix(after, ending) {
			return true
		}
	}
	if w != strings.ToLower(w) || w[0] >= 0x80 {
		return false
	}
	before := n.wordBefore(int(p.open))
	return slices.Contains(labelGovernors, before) || before == "das" && strings.HasSuffix(w, "en") // an infinitive and its object
}

var (
	// labelEndings do what the word in quotes names, for now. An ending that only
	// names the doing (する機能, 하는 기능) leaves it a mention.
	labelEndings = []string{
		"します", "しましょ", "しておき", "しても", "してよ", "していい", "してしま", "させて", "をします", "をしましょ", "を実行します", "を実行しましょ",
		"할까", "하겠", "할게", "해도", "하죠", "합시다", "해 드릴까", "해드릴까",
		"一下",
	}
	// labelGovernors are the words between which and a verb nothing stands.
	labelGovernors = []string{"i", "to", "we", "ich", "wir", "jetzt", "gleich", "zu"}
)

// ahead is the text shown after i, as far as an ending reaches.
func (n *inline) ahead(i int) string {
	var b strings.Builder
	for i++; i < len(n.items) && b.Len() < 32 && n.items[i].show == shown; i++ {
		b.WriteRune(n.items[i].r)
	}
	return b.String()
}

// wordBefore is the word before i, in lower case, "" when something else than one
// space stands between.
func (n *inline) wordBefore(i int) string {
	if i < 1 || n.items[i-1].show != shown || n.items[i-1].r != ' ' {
		return ""
	}
	end := i - 1
	start := end
	for start > 0 && end-start <= maxLabel && n.items[start-1].show == shown && isAlnum(n.items[start-1].r) {
		start--
	}
	var b strings.Builder
	for _, it := range n.items[start:end] {
		b.WriteRune(it.r)
	}
	return strings.ToLower(b.String())
}
