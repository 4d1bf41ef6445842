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
	fresh := false // the old leaf cannot go on
	shut := func() {
		if !fresh {
			s.close()
			s.open = s.open[:m]
			fresh = true
		}
	}
	for {
		w, p := c.indent()
		if p == end {
			shut()
			return
		}
		inPara := !fresh && (s.leaf == leafPara || s.leaf == leafTable)
		if w >= 4 {
			if inPara && s.deepFence(p, end) {
				s.fence.indent = p - at
				return
			}
			if inPara {
				break
			}
			if s.leaf != leafCode || m < len(s.open) {
				shut()
			}
			c.eat(4)
			s.leaf = leafCode
			s.add(c.pos, end)
			return
		}
		rest := s.text[p:end]
		if rest[0] == '>' && m < maxOpen {
			shut()
			s.open = append(s.open, container{quote: true})
			m++
			c.to(p+1, w+1)
			c.eat(1)
			continue
		}
		if f, ok := fenceOpen(rest); ok {
			shut()
			f.indent = p - at
			s.fence, s.leaf, s.first, s.last = f, leafFence, p, end
			return
		}
		if a, b, ok := atx(s.text, p, end); ok {
			shut()
			s.add(a, b)
			s.prose(Heading, p, end)
			return
		}
		if s.diffStart(rest, next) {
			shut()
			s.leaf, s.first = leafDiff, p
			s.diff = diff{}
			s.diff.line(rest, "")
			s.add(p, end)
			return
		}
		if strings.HasPrefix(rest, "<!--") {
			shut()
			if k := strings.Index(rest[4:], "-->"); k >= 0 {
				s.comment(p, p+4+k+3)
				c.to(p+4+k+3, w+4+k+3)
				c.eat(end)
				continue
			}
			s.leaf, s.first = leafComment, p
			s.last = end
			return
		}
		if t, ok := s.rawTag(rest, p); ok {
			shut()
			s.html, s.leaf, s.first, s.last = t, leafHTML, p, end
			s.add(p, end)
			if closesTag(rest, t) {
				s.close()
			}
			return
		}
		if inPara && s.leaf == leafPara && (s.table(p, end) || m == len(s.open) && s.setext(p, end)) {
			return
		}
		if isRule(rest) {
			shut()
			return
		}
		if mk, ok := listMarker(rest); ok && m < maxOpen {
			if inPara && m == len(s.open) && s.leaf == leafPara && !mk.interrupts(rest) {
				break
			}
			shut()
			s.item(&c, mk, w, p)
			m++
			continue
		}
		break
	}
	_, p := c.indent()
	s.textLine(p, end, m, fresh)
}

// textLine takes a line that starts no block.
func (s *scanner) textLine(p, end, m int, fresh bool) {
	if !fresh {
		switch {
		case s.leaf == leafPara: // goes on, be it by laziness
			s.add(p, end)
			return
		case s.leaf == leafTable && strings.Contains(s.text[p:end], "|"):
			s.cells(span{a: p, b: end})
			return
		}
		s.close()
		s.open = s.open[:m]
	}
	s.leaf = leafPara
	s.add(p, end)
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
