package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// show says where a rune of the original turns up.
type show uint8

const (
	shown    show = iota
	dropped       // nowhere: a mark of Markdown, struck text, the rest of a quote
	plainly       // in Plain alone: code, the address of a link
	codeOwn       // CodeMark in Own, nothing in Plain: the opening backtick
	quoted        // QuoteMark: the first rune of a quote
	breaking      // nowhere, and the sentence ends here
)

// item is one rune of a block. Rows of items, not bytes, are what the passes
// over a block work on: marks go by changing show, and offsets stay true.
type item struct {
	r    rune
	at   int32 // byte in Doc.Text; for a line's end, where the line ends
	w    uint8 // bytes
	show show
}

// inline reads the marks inside one block.
type inline struct {
	items []item
	runs  []tickRun
	opens []int32 // brackets not closed yet
	quote quoteStack

	closeFrom, closeTo int // see closers

	noComment bool
	codeTag   int // 1 + where a <code> opened
	struckTag int // 1 + where a <del> opened
	emphasis  [6]int32
}

// tickRun is a row of backticks; next is the next row as long, or 0.
type tickRun struct {
	at, size int32
	next     int32
}

// load makes the items of a block.
func (n *inline) load(text string, segs []span) {
	size := 0
	for _, g := range segs {
		size += g.b - g.a + 1
	}
	n.items = slices.Grow(n.items[:0], size)
	for i, g := range segs {
		for at := g.a; at < g.b; {
			r, w := rune(text[at]), 1
			if r >= utf8.RuneSelf {
				r, w = utf8.DecodeRuneInString(text[at:g.b])
			}
			n.items = append(n.items, item{r: r, at: int32(at), w: uint8(w)})
			at += w
		}
		if i == len(segs)-1 {
			break
		}
		end := item{r: '\n', at: int32(g.b)}
		if g.hard {
			end.show = breaking
			if k := len(n.items) - 1; k >= 0 && n.items[k].r == '\\' {
				n.items[k].show = dropped
			}
		}
		n.items = append(n.items, end)
	}
}

// marks finds code spans, links, tags and emphasis in one walk, and then quotes.
func (n *inline) marks() {
	n.opens, n.noComment, n.codeTag, n.struckTag = n.opens[:0], false, 0, 0
	for i := range n.emphasis {
		n.emphasis[i] = -1
	}
	n.closeFrom, n.closeTo = -1, -2
	n.ticks()
	quotes, run := false, 0
	for i := 0; i < len(n.items); {
		switch r := n.items[i].r; r {
		case '\\':
			if i+1 < len(n.items) && n.items[i+1].r < utf8.RuneSelf && isPunct(n.items[i+1].r) {
				n.items[i].show = dropped
				quotes = quotes || n.items[i+1].r == '"'
				i++
			}
			i++
		case '`':
			for run < len(n.runs) && int(n.runs[run].at) < i {
				run++
			}
			i = n.code(i, run)
		case '<':
			i = n.angle(i)
		case '[':
			if len(n.opens) == maxOpen {
				n.opens = n.opens[:0]
			}
			n.opens = append(n.opens, int32(i))
			i++
		case ']':
			i = n.bracket(i)
		case '*', '_', '~':
			i = n.emphasise(i)
		case '"', '\'':
			quotes = true
			i++
		default:
			quotes = quotes || r >= 0xAB && isQuote(r)
			i++
		}
	}
	if quotes {
		n.quotes()
	}
}

// ticks lists the rows of backticks. Rows longer than 32 open no code span.
func (n *inline) ticks() {
	n.runs = n.runs[:0]
	for i := 0; i < len(n.items); {
		if n.items[i].r != '`' {
			i++
			continue
		}
		j := i
		for j < len(n.items) && n.items[j].r == '`' {
			j++
		}
		n.runs = append(n.runs, tickRun{at: int32(i), size: int32(j - i)})
		i = j
	}
	var last [33]int32
	for k := len(n.runs) - 1; k >= 0; k-- {
		if r := &n.runs[k]; int(r.size) < len(last) {
			r.next = last[r.size]
			last[r.size] = int32(k)
		}
	}
}

// code marks the code span that opens at i, and returns where to go on.
func (n *inline) code(i, run int) int {
	if run >= len(n.runs) || int(n.runs[run].at) != i {
		return i + 1 // the rest of a row whose first backtick is escaped
	}
	r := n.runs[run]
	inside := i + int(r.size)
	if r.next == 0 {
		return inside
	}
	end := int(n.runs[r.next].at)
	n.mask(i, inside, dropped)
	n.mask(inside, end, plainly)
	n.mask(end, end+int(r.size), dropped)
	n.items[i].show = codeOwn
	return end + int(r.size)
}

func (n *inline) mask(from, to int, how show) {
	for i := from; i < to; i++ {
		n.items[i].show = how
	}
}

// has reports whether the items from i on spell s.
func (n *inline) has(i int, s string) bool {
	if i+len(s) > len(n.items) {
		return false
	}
	for k := range len(s) {
		if n.items[i+k].r != rune(s[k]) {
			return false
		}
	}
	return true
}

// angle reads what begins with "<": a comment, an address, a tag, or text.
func (n *inline) angle(i int) int {
	if n.has(i, "<!--") && !n.noComment {
		for j := i + 4; j < len(n.items); j++ {
			if n.has(j, "-->") {
				n.mask(i, j+3, dropped)
				return j + 3
			}
		}
		n.noComment = true
	}
	const longest = 300
	var buf [longest]byte
	k := 0
	for j := i + 1; j < len(n.items) && k < longest; j++ {
		r := n.items[j].r
		if r == '<' || r == '\n' {
			break
		}
		if r == '>' {
			return n.tag(i, j, string(buf[:k]))
		}
		buf[k] = byte(min(r, utf8.RuneSelf))
		k++
	}
	return i + 1
}

// tag takes the tag or address in items i to j, the angle brackets.
func (n *inline) tag(i, j int, s string) int {
	if strings.Contains(s, "://") && !strings.ContainsAny(s, " \t") {
		n.items[i].show, n.items[j].show = dropped, dropped
		return j + 1
	}
	name := strings.TrimPrefix(s, "/")
	if k := strings.IndexAny(name, " \t/"); k >= 0 {
		name = name[:k]
	}
	name = strings.ToLower(name)
	known, block := htmlTag(name)
	if !known {
		return i + 1
	}
	n.mask(i, j+1, dropped)
	if block {
		n.items[i].show = breaking
	}
	shut := s[0] == '/'
	switch name {
	case "code", "kbd", "pre", "samp":
		if !shut {
			n.codeTag = i + 1
		} else if n.codeTag > 0 {
			n.mask(n.codeTag, i, plainly)
			n.items[n.codeTag-1].show = codeOwn
			n.codeTag = 0
		}
	case "del", "s", "strike":
		if !shut {
			n.struckTag = i + 1
		} else if n.struckTag > 0 {
			n.mask(n.struckTag, i, dropped)
			n.struckTag = 0
		}
	}
	return j + 1
}

// htmlTag reports whether a name is one of HTML's that agents use, and whether
// it starts on a line of its own. Others, as in "<token>", are text.
func htmlTag(name string) (known, block bool) {
	switch name {
	case "br", "p", "div", "li", "ul", "ol", "tr", "td", "th", "table", "thead", "tbody", "hr", "details", "summary",
		"h1", "h2", "h3", "h4", "h5", "h6", "center":
		return true, true
	case "a", "b", "i", "u", "s", "em", "strong", "code", "kbd", "samp", "pre", "sub", "sup", "span", "img", "del",
		"ins", "mark", "small", "strike", "font":
		return true, false
	}
	return false, false
}

// emphasise takes a row of *, _ or ~. The rows of one length pair up when text
// touches them on the inner side; unlike CommonMark it asks no more than that of
// *, because its rule fails next to CJK punctuation.
func (n *inline) emphasise(i int) int {
	ch := n.items[i].r
	j := i
	for j < len(n.items) && n.items[j].r == ch {
		j++
	}
	size := j - i
	kind := size - 1 // *, **, *** and then _, __, ~~
	switch {
	case ch == '*' && size <= 3:
	case ch == '_' && size <= 2:
		kind += 3
	case ch == '~' && size == 2:
		kind = 5
	default:
		return j
	}
	before, after := n.near(i-1), n.near(j)
	opens, closes := !unicode.IsSpace(after), !unicode.IsSpace(before)
	if ch == '_' {
		opens = opens && !isAlnum(before)
		closes = closes && !isAlnum(after)
	} else if ch == '*' && size == 1 && unicode.IsDigit(before) && unicode.IsDigit(after) {
		return j // 2*3
	}
	open := int(n.emphasis[kind])
	switch {
	case closes && open >= 0 && open+size < i:
		n.mask(open, open+size, dropped)
		n.mask(i, j, dropped)
		if ch == '~' {
			n.mask(open, i, dropped)
		}
		n.emphasis[kind] = -1
	case opens:
		n.emphasis[kind] = int32(i)
	}
	return j
}

// near is the rune at i, white space beyond the ends.
func (n *inline) near(i int) rune {
	if i < 0 || i >= len(n.items) {
		return ' '
	}
	return n.items[i].r
}
