package prose

import "strings"

// raw feeds a line to an open leaf that is not read as Markdown. It reports
// whether the line is used up; if not, c stands where speech may go on.
func (s *scanner) raw(c *cursor, m, next int) bool {
	all := m == len(s.open)
	switch s.leaf {
	case leafFence:
		if !all && !s.fenceGoesOn(c, m) {
			return false
		}
		return s.fenceLine(c)
	case leafComment:
		if !all {
			return false
		}
		k := strings.Index(c.rest(), "-->")
		if k < 0 {
			s.last = c.end
			return true
		}
		s.last = c.pos + k + 3
		s.close()
		c.to(s.last, k+3)
		c.eat(c.end)
		return c.pos == c.end
	case leafHTML:
		if !all {
			return false
		}
		s.add(c.pos, c.end)
		s.last = c.end
		if closesTag(c.rest(), s.html) {
			s.close()
		}
		return true
	case leafDiff:
		if all && s.diff.line(c.rest(), s.peek(next)) {
			s.add(c.pos, c.end)
			return true
		}
		s.close()
	}
	return false
}

// fenceLine takes a line of a fence, or closes it.
func (s *scanner) fenceLine(c *cursor) bool {
	w, p := c.indent()
	if p == c.end {
		return true // shows nothing, and is no part of a fence left open
	}
	s.last = c.end
	if (w <= 3 || s.fence.loose) && s.fence.closedBy(s.text[p:c.end]) {
		s.close()
		return true
	}
	s.add(c.pos, c.end)
	return true
}

// fenceGoesOn reports whether a fence in a list item goes on over a line that is
// indented too little: the next line that could close it stands in the item.
func (s *scanner) fenceGoesOn(c *cursor, m int) bool {
	for _, o := range s.open[m:] {
		if o.quote {
			return false
		}
	}
	if k := s.closer(s.fence, c.pos); k.end == 0 || k.indent < s.fence.indent {
		return false
	}
	// Its lines are no longer indented: it stands in no item now.
	s.open = s.open[:m]
	s.fence.loose, s.loosened = true, true
	return true
}

// closing is a line that could close a fence: looked for from one byte on, found
// to end at another, with so many bytes of white space before its mark.
type closing struct{ from, end, indent int }

// longestLooked bounds the fences that are looked ahead for, in marks.
const longestLooked = 10

// closer finds the first line from at on that would close f; its end is 0 if
// there is none. What was found is kept, so that many open fences do not each
// read the whole text.
func (s *scanner) closer(f fence, at int) closing {
	if f.size > longestLooked {
		return closing{}
	}
	kept := &s.closers[f.size]
	if f.char == '~' {
		kept = &s.closers[f.size+longestLooked+1]
	}
	if kept.from > 0 && kept.from <= at && (kept.end == 0 || at < kept.end) {
		return *kept
	}
	*kept = closing{from: at}
	for at < len(s.text) {
		stop, next := lineEnd(s.text, at)
		line := s.text[at:stop]
		mark := strings.TrimLeft(line, " \t")
		if f.closedBy(mark) {
			kept.end, kept.indent = stop, len(line)-len(mark)
			break
		}
		at = next
	}
	return *kept
}

// deepFence opens a fence that is indented too far to be one: a paragraph to
// CommonMark, but agents write it under list items and mean it. It must be closed
// later, or it is text.
func (s *scanner) deepFence(p, end int) bool {
	f, ok := fenceOpen(s.text[p:end])
	if !ok {
		return false
	}
	if s.closer(f, end).end == 0 {
		return false
	}
	s.close()
	f.loose, s.loosened = true, true
	f.indent = p - lineStart(s.text, p)
	s.fence, s.leaf, s.first, s.last = f, leafFence, p, end
	return true
}

// close ends the open leaf and makes its block.
func (s *scanner) close() {
	l := s.leaf
	s.leaf = leafNone
	switch l {
	case leafPara:
		if len(s.segs) > 0 {
			s.prose(Paragraph, s.segs[0].a, s.segs[len(s.segs)-1].b)
		}
	case leafCode:
		for len(s.segs) > 0 && s.segs[len(s.segs)-1].a == s.segs[len(s.segs)-1].b {
			s.segs = s.segs[:len(s.segs)-1]
		}
		if len(s.segs) > 0 {
			s.lines(Code, s.segs[0].a, s.segs[len(s.segs)-1].b)
		}
	case leafFence:
		s.lines(Fence, s.first, s.last)
	case leafDiff:
		s.lines(Diff, s.first, s.segs[len(s.segs)-1].b)
	case leafHTML:
		s.lines(rawTags[s.html].kind, s.first, s.last)
	case leafComment:
		s.comment(s.first, s.last)
	}
	s.segs = s.segs[:0]
}

// begin makes a block; what stands in a block quote is the quote's.
func (s *scanner) begin(k Kind, start, end int) int {
	b := Block{Kind: k, Start: start, End: end, Depth: len(s.open), First: len(s.doc.Sentences)}
	for i := range s.open {
		if s.open[i].quote {
			b.Kind = Quote
		}
	}
	if n := len(s.open); n > 0 && !s.open[n-1].quote {
		o := &s.open[n-1]
		if b.Kind == Paragraph {
			b.Kind = ListItem
			b.Continues = o.started
		}
		b.Ordered = o.ordered
		if !o.started {
			b.Task = o.task
		}
		o.started = true
	}
	s.doc.Blocks = append(s.doc.Blocks, b)
	return len(s.doc.Blocks) - 1
}

// prose makes a block of the lines gathered, cut into sentences.
func (s *scanner) prose(k Kind, start, end int) {
	s.leaf = leafNone
	s.sent.prose(s.begin(k, start, end), s.segs)
	s.segs = s.segs[:0]
}

// lines makes a block in which each line is a sentence.
func (s *scanner) lines(k Kind, start, end int) {
	at := s.begin(k, start, end)
	for _, g := range s.segs {
		s.sent.line(at, g)
	}
}

// comment makes a block of a comment; each of its lines is a sentence.
func (s *scanner) comment(start, end int) {
	at := s.begin(Comment, start, end)
	for start < end {
		stop, next := lineEnd(s.text[:end], start)
		s.sent.line(at, span{a: start, b: stop})
		start = next
	}
}
