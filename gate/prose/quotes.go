package prose

import "unicode"

// mark is a kind of quotation mark that opens.
type mark uint8

const (
	noMark   mark = iota
	corner        // 「
	double        // 『
	curly         // “
	low           // „
	angled        // «
	reversed      // », closed by «
	small         // ‹
	prime         // 〝
	swedish       // ” on both sides
	ascii         // "
	single        // ‘
	lowOne        // ‚
	asciiOne      // '
	marks
)

// weak marks are apostrophes too: they close only what stands open last.
func (m mark) weak() bool { return m >= single }

type openQuote struct {
	mark mark
	at   int32
}

type quotePair struct{ open, shut int32 }

// quoteStack holds the quotes of a block that stand open.
type quoteStack struct {
	open  []openQuote
	count [marks]int
	pairs []quotePair
}

// isQuote reports whether a rune beyond ASCII is a quotation mark.
func isQuote(r rune) bool {
	switch r {
	case '「', '」', '『', '』', '｢', '｣', '﹁', '﹂', '﹃', '﹄', '“', '”', '„', '‟', '«', '»', '‹', '›', '〝', '〞', '〟',
		'‘', '’', '‚', '‛', '＂', '＇':
		return true
	}
	return false
}

// quotes masks what stands in quotation marks, in one walk with a stack. A mark
// that finds no partner masks nothing. Strong marks close across unmatched ones,
// so that a stray one cannot keep a later pair from being seen.
func (n *inline) quotes() {
	q := &n.quote
	q.open, q.pairs, q.count = q.open[:0], q.pairs[:0], [marks]int{}
	odd := n.asciiQuotes()%2 == 1
	for i := range n.items {
		if n.items[i].show != shown {
			continue
		}
		switch r := n.items[i].r; r {
		case '"', '＂':
			n.plainDouble(i, odd)
		case '\'', '＇':
			n.plainSingle(i)
		default:
			if r >= 0xAB && isQuote(r) {
				n.typographic(i, r)
			}
		}
	}
	// Pairs stand in the order of their ends, so the last is an outermost one.
	limit := int32(len(n.items))
	for k := len(q.pairs) - 1; k >= 0; k-- {
		p := q.pairs[k]
		if p.shut >= limit {
			continue
		}
		limit = p.open
		if n.governed(p) {
			n.items[p.open].show, n.items[p.shut].show = dropped, dropped
			continue
		}
		if p.shut > p.open+1 {
			n.mask(int(p.open)+1, int(p.shut), dropped)
			n.items[p.open+1].show = quoted
		}
	}
}

func (n *inline) asciiQuotes() int {
	c := 0
	for i := range n.items {
		if r := n.items[i].r; (r == '"' || r == '＂') && n.items[i].show == shown {
			c++
		}
	}
	return c
}

func (q *quoteStack) push(m mark, i int) {
	q.open = append(q.open, openQuote{m, int32(i)})
	q.count[m]++
}

// shut pairs the mark at i with the last open one of its kind.
func (q *quoteStack) shut(m mark, i int) bool {
	if q.count[m] == 0 || m.weak() && q.top() != m {
		return false
	}
	for {
		o := q.pop()
		if o.mark == m {
			q.pairs = append(q.pairs, quotePair{o.at, int32(i)})
			return true
		}
	}
}

func (q *quoteStack) pop() openQuote {
	o := q.open[len(q.open)-1]
	q.open = q.open[:len(q.open)-1]
	q.count[o.mark]--
	return o
}

func (q *quoteStack) top() mark {
	if len(q.open) == 0 {
		return noMark
	}
	return q.open[len(q.open)-1].mark
}

// strongTop is the last open mark that is no apostrophe; it looks past few.
func (q *quoteStack) strongTop() mark {
	for k := len(q.open) - 1; k >= 0 && k >= len(q.open)-4; k-- {
		if m := q.open[k].mark; !m.weak() {
			return m
		}
	}
	return noMark
}

// typographic takes a mark whose form tells, mostly, which side it is.
func (n *inline) typographic(i int, r rune) {
	q := &n.quote
	opens, closes := n.sides(i)
	switch r {
	case '「', '｢', '﹁':
		q.push(corner, i)
	case '」', '｣', '﹂':
		q.shut(corner, i)
	case '『', '﹃':
		q.push(double, i)
	case '』', '﹄':
		q.shut(double, i)
	case '〝':
		q.push(prime, i)
	case '〞', '〟':
		q.shut(prime, i)
	case '„':
		q.push(low, i)
	case '‚':
		if opens {
			q.push(lowOne, i)
		}
	case '“', '‟': // opens in English, closes in German
		switch {
		case closes && q.strongTop() == low && q.shut(low, i):
		case closes && !opens && q.shut(curly, i):
		default:
			q.push(curly, i)
		}
	case '”':
		switch {
		case q.strongTop() == low && q.shut(low, i):
		case q.shut(curly, i), q.shut(low, i):
		case closes && q.shut(swedish, i):
		case opens && !closes:
			q.push(swedish, i)
		}
	case '«':
		if !closes || !q.shut(reversed, i) {
			q.push(angled, i)
		}
	case '»':
		if !q.shut(angled, i) && opens && !closes {
			q.push(reversed, i)
		}
	case '‹':
		q.push(small, i)
	case '›':
		q.shut(small, i)
	case '‘', '‛':
		if !closes || !q.shut(lowOne, i) {
			q.push(single, i)
		}
	case '’':
		if isAlnum(n.beside(i, -1)) && isAlnum(n.beside(i, 1)) {
			return // an apostrophe
		}
		if !q.shut(single, i) {
			q.shut(lowOne, i)
		}
	}
}

// plainDouble takes an ASCII quote, whose side is told by what stands around it.
// Between CJK letters it can be either; then one is taken to close what is open,
// unless the quotes of the block are odd in number and a sentence would end
// within: then the earlier one is the stray.
func (n *inline) plainDouble(i int, odd bool) {
	q := &n.quote
	opens, closes := n.sides(i)
	if closes {
		switch top := q.strongTop(); {
		case q.count[ascii] > 0 && (top == ascii || top != low && top != curly):
			if opens && odd && n.endsWithin(i) {
				break
			}
			q.shut(ascii, i)
			return
		case top == low || top == curly:
			q.shut(top, i)
			return
		}
	}
	if opens {
		q.push(ascii, i)
	}
}

// endsWithin reports whether a sentence ends between the last open ASCII quote
// and i, with more after it. It looks back over a bounded stretch.
func (n *inline) endsWithin(i int) bool {
	for k := i - 2; k >= 0 && k > i-400; k-- {
		switch n.items[k].r {
		case '"', '＂':
			return false
		case '。', '！', '？', '\n':
			return true
		}
	}
	return false
}

// plainSingle takes an ASCII quote that may be an apostrophe.
func (n *inline) plainSingle(i int) {
	q := &n.quote
	opens, closes := n.sides(i)
	switch {
	case closes && q.shut(asciiOne, i):
	case closes && q.top() == lowOne:
		q.shut(lowOne, i)
	case opens && !closes && (isAlnum(n.beside(i, 1)) || isWide(n.beside(i, 1)) || isHangul(n.beside(i, 1))):
		q.push(asciiOne, i)
	}
}

// sides tells whether a mark at i may open and may close, by what it touches.
func (n *inline) sides(i int) (opens, closes bool) {
	before, after := n.beside(i, -1), n.beside(i, 1)
	opens = !unicode.IsSpace(after) && !isAlnum(before)
	closes = !unicode.IsSpace(before) && !isAlnum(after)
	return opens, closes
}

// beside is the next visible rune in a direction, white space beyond the ends,
// and a letter for a code span.
func (n *inline) beside(i, step int) rune {
	for i += step; i >= 0 && i < len(n.items); i += step {
		switch it := &n.items[i]; it.show {
		case shown:
			if !isHidden(it.r) {
				return it.r
			}
		case plainly, codeOwn:
			return 'x'
		case breaking:
			return ' '
		}
	}
	return ' '
}
