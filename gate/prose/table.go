package prose

import "strings"

// isDelimiter reports whether a line is a table's second row: pipes, dashes and
// colons, with at least one pipe and one dash.
func isDelimiter(rest string) bool {
	return strings.Trim(rest, "|-: \t") == "" && strings.Contains(rest, "|") && strings.Contains(rest, "-")
}

// tableFits reports whether head and the delimiter row make a table: as many
// cells, or both framed by a pipe, as agents that miscount still write.
func tableFits(head, delim string) bool {
	if !strings.Contains(head, "|") {
		return false
	}
	if head[0] == '|' && delim[0] == '|' {
		return true
	}
	n := 0
	eachCell(head, func(int, int) { n++ })
	eachCell(delim, func(int, int) { n-- })
	return n == 0
}

// eachCell calls f with where each cell of a row stands, white space left out. As
// on GitHub a pipe in a code span divides too, unless it is escaped.
func eachCell(row string, f func(a, b int)) {
	a := 0
	if strings.HasPrefix(row, "|") {
		a = 1
	}
	row = strings.TrimRight(row, " \t")
	for i := a; a < len(row); i++ {
		switch {
		case i < len(row) && row[i] == '\\':
			i++
			continue
		case i < len(row) && row[i] != '|':
			continue
		}
		b := min(i, len(row))
		from := a
		for from < b && (row[from] == ' ' || row[from] == '\t') {
			from++
		}
		to := b
		for to > from && (row[to-1] == ' ' || row[to-1] == '\t') {
			to--
		}
		f(from, to)
		a = b + 1
	}
}

// cells makes a block of each cell of a row that holds anything.
func (s *scanner) cells(row span) {
	col := 0
	eachCell(s.text[row.a:row.b], func(a, b int) {
		if a < b {
			s.segs = append(s.segs[:0], span{a: row.a + a, b: row.a + b})
			at := s.begin(Cell, row.a+a, row.a+b)
			s.doc.Blocks[at].Row, s.doc.Blocks[at].Col = s.row, col
			s.sent.prose(at, s.segs)
			s.segs = s.segs[:0]
		}
		col++
	})
	s.row++
}

// table reads the delimiter row that makes a table's head of the line above it,
// even where the rows stand under a list item and are not indented.
func (s *scanner) table(p, end int) bool {
	last := s.segs[len(s.segs)-1]
	delim := strings.TrimRight(s.text[p:end], " \t")
	if !isDelimiter(delim) || !tableFits(s.text[last.a:last.b], delim) {
		return false
	}
	s.segs = s.segs[:len(s.segs)-1]
	s.close()
	s.leaf, s.row = leafTable, 0
	s.cells(last)
	return true
}
