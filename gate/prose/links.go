package prose

import "unicode"

// bracket takes a closing bracket: the end of a link's text, perhaps.
func (n *inline) bracket(i int) int {
	if len(n.opens) == 0 {
		return i + 1
	}
	open := int(n.opens[len(n.opens)-1])
	n.opens = n.opens[:len(n.opens)-1]
	if i+1 >= len(n.items) {
		return i + 1
	}
	switch n.items[i+1].r {
	case '(':
		from, to, end, ok := n.target(i + 2)
		if !ok {
			return i + 1
		}
		if open > 0 && n.items[open-1].r == '!' {
			n.mask(open-1, end+1, dropped)
			return end + 1
		}
		n.items[open].show = dropped
		n.mask(i, end+1, dropped)
		n.mask(from, to, plainly)
		n.items[i] = item{r: ' ', at: n.items[i].at, w: n.items[i].w, show: plainly}
		return end + 1
	case '[':
		for j := i + 2; j < len(n.items) && j < i+200; j++ {
			switch n.items[j].r {
			case '[', '\n':
				return i + 1
			case ']':
				if j > i+2 && i > open+1 {
					n.items[open].show = dropped
					n.mask(i, j+1, dropped)
					return j + 1
				}
				return i + 1
			}
		}
	}
	return i + 1
}

// target reads "address "title")" and gives where the address stands and where
// the parenthesis closes. It gives up at the next "](", so that all its calls
// together stay within the block's length.
func (n *inline) target(i int) (from, to, end int, ok bool) {
	depth, inTitle := 0, rune(0)
	from, to = i, -1
	for j := i; j < len(n.items); j++ {
		r := n.items[j].r
		if r == ']' && j+1 < len(n.items) && n.items[j+1].r == '(' {
			return
		}
		switch {
		case inTitle != 0:
			if r == inTitle {
				inTitle = 0
			}
		case r == ')' && depth == 0:
			if to < 0 {
				to = j
			}
			return from, to, j, true
		case r == ')':
			depth--
		case r == '(':
			if depth++; depth > maxOpen {
				return
			}
		case r == '\n':
			return
		case unicode.IsSpace(r):
			if to < 0 {
				to = j
			}
		case to >= 0 && (r == '"' || r == '\''):
			inTitle = r
		case to >= 0:
			return // "](a b)" is text
		}
	}
	return
}
