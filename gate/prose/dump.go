package prose

import (
	"fmt"
	"strings"
)

var kindNames = [...]string{"paragraph", "heading", "item", "cell", "quote", "fence", "code", "comment", "diff"}

// String names the kind as a person would.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// String shows how the message was cut: a line for each block and each sentence.
// What was masked shows as ⟨quote⟩ and ⟨code⟩. It is meant for people; its form
// may change.
func (d *Doc) String() string {
	var b strings.Builder
	marks := strings.NewReplacer(string(QuoteMark), "⟨quote⟩", string(CodeMark), "⟨code⟩")
	for i, bl := range d.Blocks {
		fmt.Fprintf(&b, "%d %v [%d:%d]", i, bl.Kind, bl.Start, bl.End)
		if bl.Depth > 0 {
			fmt.Fprintf(&b, " depth %d", bl.Depth)
		}
		if bl.Ordered {
			b.WriteString(" ordered")
		}
		if bl.Continues {
			b.WriteString(" continues")
		}
		if bl.Task != 0 {
			fmt.Fprintf(&b, " task %q", bl.Task)
		}
		if bl.Kind == Cell {
			fmt.Fprintf(&b, " row %d col %d", bl.Row, bl.Col)
		}
		b.WriteByte('\n')
		for _, s := range d.Sentences[bl.First : bl.First+bl.N] {
			fmt.Fprintf(&b, "  %s [%d:%d] %s\n", s.Lang, s.Start, s.End, oneLine(d.Text[s.Start:s.End]))
			if s.Own != "" {
				fmt.Fprintf(&b, "     own   %s\n", marks.Replace(s.Own))
			}
			if s.Plain != "" && s.Plain != s.Own {
				fmt.Fprintf(&b, "     plain %s\n", marks.Replace(s.Plain))
			}
		}
	}
	return b.String()
}

// oneLine makes line ends and controls of a shown text harmless.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7F || isHidden(r) {
			return ' '
		}
		return r
	}, s)
}
