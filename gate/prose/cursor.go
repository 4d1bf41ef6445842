package prose

// cursor walks one line. Columns count tabs as Markdown does, to the next
// multiple of four; pad holds columns of a tab that is eaten in part.
type cursor struct {
	s        string
	pos, end int
	col, pad int
}

// indent gives the columns of white space ahead and where they end.
func (c *cursor) indent() (width, at int) {
	width, at = c.pad, c.pos
	for col := c.col; at < c.end; at++ {
		switch c.s[at] {
		case ' ':
			width++
			col++
		case '\t':
			k := 4 - col%4
			width += k
			col += k
		default:
			return width, at
		}
	}
	return width, at
}

// eat moves over up to n columns of white space.
func (c *cursor) eat(n int) {
	for ; n > 0; n-- {
		if c.pad > 0 {
			c.pad--
			continue
		}
		if c.pos >= c.end {
			return
		}
		switch c.s[c.pos] {
		case ' ':
			c.col++
		case '\t':
			k := 4 - c.col%4
			c.col += k
			c.pad = k - 1
		default:
			return
		}
		c.pos++
	}
}

// to moves to a byte of the line that is width columns away.
func (c *cursor) to(at, width int) {
	c.pos = at
	c.col += width
	c.pad = 0
}

func (c *cursor) rest() string { return c.s[c.pos:c.end] }
