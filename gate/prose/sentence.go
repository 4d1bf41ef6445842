package prose

import (
	"strings"
	"unicode"
)

// sentencer cuts blocks into sentences and folds them.
type sentencer struct {
	doc    *Doc
	inline inline
	fold   folder
	scores []score // one a sentence, for languages
}

// prose cuts a block of Markdown into sentences.
func (s *sentencer) prose(block int, segs []span) {
	if len(segs) == 0 {
		return
	}
	n := &s.inline
	n.load(s.doc.Text, segs)
	n.marks()
	from := 0
	for i := 0; i < len(n.items); {
		end, ok := n.border(i)
		if !ok {
			i++
			continue
		}
		s.sentence(block, n.items[from:end])
		from, i = end, end
	}
	s.sentence(block, n.items[from:])
}

// line makes a sentence of a line that is not read as Markdown.
func (s *sentencer) line(block int, g span) {
	s.inline.load(s.doc.Text, []span{g})
	s.sentence(block, s.inline.items)
}

// sentence adds a sentence, unless nothing shows of it.
func (s *sentencer) sentence(block int, items []item) {
	for len(items) > 0 && isBlank(items[0]) {
		items = items[1:]
	}
	for len(items) > 0 && isBlank(items[len(items)-1]) {
		items = items[:len(items)-1]
	}
	if len(items) == 0 {
		return
	}
	b := &s.doc.Blocks[block]
	last := items[len(items)-1]
	out := Sentence{Block: block, Start: int(items[0].at), End: int(last.at) + int(last.w)}
	masked := false
	for i := range items {
		masked = masked || items[i].show == plainly || items[i].show == codeOwn
	}
	plain := string(s.fold.fold(items, false))
	seen := plain
	if b.Kind.Own() {
		out.Own = plain
		if masked {
			out.Own = string(s.fold.fold(items, true))
			seen = out.Own
		}
	}
	if plain == "" && out.Own == "" {
		return
	}
	if !b.Kind.mute() {
		out.Plain = plain
	}
	s.doc.Sentences = append(s.doc.Sentences, out)
	s.scores = append(s.scores, scoreOf(seen))
	b.N++
}

func isBlank(it item) bool {
	return it.w == 0 || unicode.IsSpace(it.r) && it.show != plainly
}

// border reports whether a sentence ends with the item at i, and where the next
// one begins.
func (n *inline) border(i int) (int, bool) {
	it := n.items[i]
	switch it.show {
	case breaking:
		return i + 1, true
	case shown:
	default:
		return 0, false
	}
	switch it.r {
	case '\n':
		return i + 1, n.lineEnds(i)
	case '。', '！', '？', '｡', '．':
		if it.r == '．' && unicode.IsDigit(n.near(i+1)) {
			return 0, false
		}
		end := n.closers(i + 1)
		return end, true
	case '!', '?':
		end := n.closers(i + 1)
		return end, n.opensNext(end) || n.near(end) >= 0x2000
	case '.':
		end := n.closers(i + 1)
		if !n.opensNext(end) && !isWide(n.near(end)) {
			return 0, false
		}
		return end, !n.abbreviates(i, end)
	case '…':
		end := n.closers(i + 1)
		return end, i > 0 && !unicode.IsSpace(n.items[i-1].r) && n.newThought(end)
	case '"', '”', '“', '」':
		// "It works." Then: the sentence ended inside, the mark closes it.
		if i < 2 || n.items[i-1].show == shown || !strings.ContainsRune(".!?", n.items[i-1].r) {
			return 0, false
		}
		end := n.closers(i + 1)
		return end, n.newThought(end)
	}
	return 0, false
}

// closers moves over more ends and whatever closes with the sentence. What it
// found is kept, for a row of ends asks at each of them.
func (n *inline) closers(i int) int {
	if i < n.closeFrom || i > n.closeTo {
		n.closeFrom, n.closeTo = i, n.findClosers(i)
	}
	return n.closeTo
}

func (n *inline) findClosers(i int) int {
	for ; i < len(n.items); i++ {
		it := n.items[i]
		if it.show == dropped {
			// The mark that opens the next sentence is not this one's.
			if it.r == '*' || it.r == '_' || it.r == '~' || it.r == '>' {
				continue
			}
			return i
		}
		if it.show != shown {
			return i
		}
		if isHidden(it.r) {
			continue
		}
		switch it.r {
		case '.', '!', '?', '。', '！', '？', '｡', ')', ']', '）', '］', '｝', '】', '〕', '》', '〉', '」', '』', '｣', '”', '’',
			'"', '\'', '»':
			if i+1 < len(n.items) && n.items[i+1].show == quoted {
				return i // it opens a quote
			}
		default:
			if it.r < 0x2600 || isWide(it.r) || isHangul(it.r) || !unicode.Is(unicode.So, it.r) {
				return i
			}
		}
	}
	return i
}

// opensNext reports whether white space or the end stands at i.
func (n *inline) opensNext(i int) bool {
	return i >= len(n.items) || n.items[i].show == breaking || unicode.IsSpace(n.items[i].r)
}

// newThought reports whether white space and a capital letter follow.
func (n *inline) newThought(i int) bool {
	if i >= len(n.items) || !unicode.IsSpace(n.items[i].r) {
		return false
	}
	j := n.skipSpace(i)
	return j < len(n.items) && n.items[j].show == shown && unicode.IsUpper(n.items[j].r)
}

// skipSpace moves over white space and dropped marks, but not far.
func (n *inline) skipSpace(i int) int {
	for k := 0; i < len(n.items) && k < 16; k++ {
		if it := n.items[i]; it.show != dropped && !unicode.IsSpace(it.r) {
			break
		}
		i++
	}
	return i
}

// word is the run of letters and points before i, lower case, at most 12 bytes.
func (n *inline) word(i int) string {
	var buf [12]byte
	k := len(buf)
	for j := i - 1; j >= 0; j-- {
		it := n.items[j]
		if it.show != shown || !isAlnum(it.r) && it.r != '.' {
			break
		}
		if k == 0 || it.r >= 0x80 {
			return "" // too long to be an abbreviation
		}
		k--
		c := byte(it.r)
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		buf[k] = c
	}
	return string(buf[k:])
}

// abbreviates reports whether the point at i ends no sentence. end is where the
// text goes on.
func (n *inline) abbreviates(i, end int) bool {
	if i == 0 || unicode.IsSpace(n.items[i-1].r) {
		// " . " ends one; ".env" and " ... " do not.
		return i+1 < len(n.items) && !unicode.IsSpace(n.items[i+1].r)
	}
	if n.items[i-1].show != shown {
		return false
	}
	next := n.skipSpace(end)
	if next >= len(n.items) {
		return false
	}
	if n.near(i-1) == '.' || n.near(i+1) == '.' { // an ellipsis, as …
		return !n.newThought(end) || n.near(i-1) == '.'
	}
	w := n.word(i)
	after := n.items[next].r
	switch w {
	case "e.g", "i.e", "eg", "mr", "mrs", "ms", "dr", "prof", "vs", "cf", "approx", "z.b", "d.h", "u.a", "s.o", "s.u", "o.ä",
		"bzw", "ca", "evtl", "ggf", "vgl", "inkl", "exkl", "zzgl", "sog", "abb", "bspw", "z", "d", "v.a", "i.d.r", "i.d", "resp",
		"viz":
		return true
	case "etc", "usw", "no", "nr", "fig", "incl", "est", "al", "st", "jr", "p.m", "a.m", "min", "max":
		return unicode.IsLower(after) || w == "nr" || w == "fig" ||
			w == "no" && unicode.IsDigit(after)
	case "":
		return false
	}
	if strings.Trim(w, "0123456789") == "" && n.startsLine(i-len(w)-1) {
		return true // the number of a heading
	}
	if len(w) <= 2 && strings.Trim(w, "0123456789") == "" {
		return unicode.IsLower(after) && n.items[next].show == shown || n.month(next)
	}
	return false
}

// startsLine reports whether nothing shows between i and the line's start, i
// included.
func (n *inline) startsLine(i int) bool {
	for k := 0; i >= 0 && k < 16; i, k = i-1, k+1 {
		it := n.items[i]
		if it.r == '\n' || it.show == breaking {
			return true
		}
		if it.show != dropped && it.r != ' ' && it.r < 0x2190 {
			return false
		}
	}
	return i < 0
}

// month reports whether a German month stands at i, after its ordinal.
func (n *inline) month(i int) bool {
	for _, m := range [...]string{
		"Januar", "Februar", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
	} {
		if n.has(i, m) {
			return true
		}
	}
	return n.near(i) == 'M' && n.near(i+1) == 'ä' && n.near(i+2) == 'r'
}
