package prose

import "strings"

// maxOpen bounds how deep lists and quotes nest; markers beyond it are text. It
// keeps a line's cost in proportion to its length.
const maxOpen = 32

// container is an open block quote or list item.
type container struct {
	quote   bool
	ordered bool
	started bool // the item has had its first block
	task    byte
	width   int // columns its lines are indented by
}

type leaf int

const (
	leafNone leaf = iota
	leafPara
	leafTable
	leafFence
	leafCode
	leafComment
	leafHTML
	leafDiff
)

// span is a stretch of the text that belongs to a block.
type span struct {
	a, b int
	hard bool // a hard line break follows
}

type scanner struct {
	doc  *Doc
	text string
	open []container
	leaf leaf
	segs []span // lines of the open leaf
	sent sentencer

	first, last int // bytes of a raw leaf, its marker lines included
	fence       fence
	diff        diff
	html        int // index in rawTags
	row         int // of the open table

	noTag    [len(rawTags)]bool               // no closing tag follows any more
	loosened bool                             // some fence went on as CommonMark would not have it
	closers  [2 * (longestLooked + 1)]closing // by the size of ` and of ~
}

func (s *scanner) run() {
	text := s.text
	at := 0
	if strings.HasPrefix(text, "\uFEFF") {
		at = len("\uFEFF")
	}
	for at < len(text) {
		end, next := lineEnd(text, at)
		s.line(at, end, next)
		at = next
	}
	s.close()
}

// lineEnd finds where the line that starts at ends and where the next begins.
func lineEnd(text string, at int) (end, next int) {
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return i, i + 1
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				return i, i + 2
			}
			return i, i + 1
		}
	}
	return len(text), len(text)
}

// lineStart finds where the line of a byte begins.
func lineStart(text string, at int) int {
	return strings.LastIndexAny(text[:at], "\r\n") + 1
}

// match walks over the markers of open containers and counts those that go on.
func (s *scanner) match(c *cursor) int {
	for i, o := range s.open {
		w, p := c.indent()
		switch {
		case o.quote:
			if w > 3 || p == c.end || s.text[p] != '>' {
				return i
			}
			c.to(p+1, w+1)
			c.eat(1)
		case p == c.end: // a blank line ends no item
		case w >= o.width:
			c.eat(o.width)
		default:
			return i
		}
	}
	return len(s.open)
}

// line takes one line [at,end); next is where the following one begins.
func (s *scanner) line(at, end, next int) {
	c := cursor{s: s.text, pos: at, end: end}
	m := s.match(&c)
	if s.raw(&c, m, next) {
		return
	}
	if _, p := c.indent(); p == end {
		s.blank(m)
		return
	}
	l := opening{cursor: &c, matched: m, next: next}
	for {
		w, p := c.indent()
		if p == end {
			s.shut(&l)
			return
		}
		inPara := !l.fresh && (s.leaf == leafPara || s.leaf == leafTable)
		if w >= 4 {
			if s.indented(&l, p, inPara) {
				return
			}
			break
		}
		rest := s.text[p:end]
		if rest[0] == '>' && l.matched < maxOpen {
			s.shut(&l)
			s.open = append(s.open, container{quote: true})
			l.matched++
			c.to(p+1, w+1)
			c.eat(1)
			continue
		}
		if s.startsRaw(&l, p) {
			if c.pos == end {
				return
			}
			continue // behind a comment
		}
		if inPara && s.leaf == leafPara && (s.table(p, end) || l.matched == len(s.open) && s.setext(p, end)) {
			return
		}
		if isRule(rest) {
			s.shut(&l)
			return
		}
		mk, ok := listMarker(rest)
		if !ok || l.matched == maxOpen ||
			inPara && l.matched == len(s.open) && s.leaf == leafPara && !mk.interrupts(rest) {
			break
		}
		s.shut(&l)
		s.item(&c, mk, w, p)
		l.matched++
	}
	_, p := c.indent()
	s.textLine(&l, p)
}

// opening is a line while its block starts are read.
type opening struct {
	*cursor
	matched int  // containers that go on, opened ones included
	next    int  // where the next line begins
	fresh   bool // a block started: the old leaf cannot go on
}

// shut ends the open leaf and the containers that do not go on, once a line.
func (s *scanner) shut(l *opening) {
	if !l.fresh {
		s.close()
		s.open = s.open[:l.matched]
		l.fresh = true
	}
}

// indented takes a line indented by four columns or more: code, unless a paragraph
// goes on.
func (s *scanner) indented(l *opening, p int, inPara bool) bool {
	if inPara {
		return s.deepFence(p, l.end)
	}
	if s.leaf != leafCode || l.matched < len(s.open) {
		s.shut(l)
	}
	l.eat(4)
	s.leaf = leafCode
	s.add(l.pos, l.end)
	return true
}

// startsRaw reads, at p, the start of what is one line or not read as Markdown. It
// leaves the cursor where speech may go on, mostly at the line's end.
func (s *scanner) startsRaw(l *opening, p int) bool {
	rest := s.text[p:l.end]
	if f, ok := fenceOpen(rest); ok {
		s.shut(l)
		f.indent = p - lineStart(s.text, p)
		s.fence, s.leaf, s.first, s.last = f, leafFence, p, l.end
	} else if a, b, ok := atx(s.text, p, l.end); ok {
		s.shut(l)
		s.add(a, b)
		s.prose(Heading, p, l.end)
	} else if s.diffStart(rest, l.next) {
		s.shut(l)
		s.leaf, s.first = leafDiff, p
		s.diff = diff{}
		s.diff.line(rest, "")
		s.add(p, l.end)
	} else if strings.HasPrefix(rest, "<!--") {
		s.shut(l)
		if k := strings.Index(rest[4:], "-->"); k >= 0 {
			at := p + 4 + k + 3
			s.comment(p, at)
			l.to(at, at-p)
			l.eat(l.end)
			return true
		}
		s.leaf, s.first, s.last = leafComment, p, l.end
	} else if t, ok := s.rawTag(rest, p); ok {
		s.shut(l)
		s.html, s.leaf, s.first, s.last = t, leafHTML, p, l.end
		s.add(p, l.end)
		if closesTag(rest, t) {
			s.close()
		}
	} else {
		return false
	}
	l.to(l.end, 0)
	return true
}

// textLine takes a line that starts no block.
func (s *scanner) textLine(l *opening, p int) {
	switch {
	case l.fresh:
	case s.leaf == leafPara: // goes on, be it by laziness
		s.add(p, l.end)
		return
	case s.leaf == leafTable && strings.Contains(s.text[p:l.end], "|"):
		s.cells(span{a: p, b: l.end})
		return
	}
	s.shut(l)
	s.leaf = leafPara
	s.add(p, l.end)
}

// blank takes a blank line on which m containers go on.
func (s *scanner) blank(m int) {
	if m < len(s.open) || s.leaf == leafPara || s.leaf == leafTable {
		s.close()
	}
	s.open = s.open[:m]
}

// item opens a list item whose marker stands at p.
func (s *scanner) item(c *cursor, mk marker, w, p int) {
	c.to(p+mk.size, w+mk.cols)
	o := container{ordered: mk.ordered, width: w + mk.cols + 1}
	n, q := c.indent()
	switch {
	case q == c.end:
	case n >= 5:
		c.eat(1)
	default:
		o.width = w + mk.cols + n
		c.eat(n)
	}
	if box := c.rest(); len(box) > 3 && box[0] == '[' && box[2] == ']' && (box[3] == ' ' || box[3] == '\t') {
		switch box[1] {
		case ' ':
			o.task = ' '
		case 'x', 'X':
			o.task = 'x'
		}
		if o.task != 0 {
			c.to(c.pos+4, 4)
		}
	}
	s.open = append(s.open, o)
}

// add puts [a,b) to the open leaf, without white space at its end.
func (s *scanner) add(a, b int) {
	line := s.text[a:b]
	trimmed := strings.TrimRight(line, " \t")
	hard := len(line)-len(trimmed) >= 2
	if s.leaf == leafPara && strings.HasSuffix(trimmed, `\`) {
		hard = true
	}
	s.segs = append(s.segs, span{a, a + len(trimmed), hard})
}

// setext reads the underline that makes a heading of the paragraph above it.
func (s *scanner) setext(p, end int) bool {
	rest := strings.TrimRight(s.text[p:end], " \t")
	if strings.Trim(rest, "=") != "" && strings.Trim(rest, "-") != "" {
		return false
	}
	last := s.segs[len(s.segs)-1]
	if rest[0] == '-' && endsSentence(s.text[last.a:last.b]) {
		return false // a rule, see the package comment
	}
	s.prose(Heading, s.segs[0].a, end)
	return true
}
