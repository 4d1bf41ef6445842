package prose

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// TestAgainstGoldmark compares where words end up, speech, quote, fence, code,
// code span or cell, with what a whole Markdown parser says, on texts made of the
// lines that matter. Texts that use a departure of the package comment are left
// out or not made.
func TestAgainstGoldmark(t *testing.T) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	rnd := rand.New(rand.NewPCG(1, 2))
	n := 20000
	if testing.Short() {
		n = 3000
	}
	compared := 0
	for range n {
		in := markdown(rnd)
		s := newScanner(in)
		s.run()
		s.sent.languages()
		if s.loosened {
			continue
		}
		compared++
		want := oracle(md.Parse(text.NewReader([]byte(in))), []byte(in))
		got := placed(s.doc)
		for w, g := range got {
			if want[w] != g {
				t.Fatalf("%s is %q, goldmark says %q\ntext:\n%s\nquoted: %q\n%v", w, g, want[w], in, in, s.doc)
			}
		}
		for w, g := range want {
			if got[w] == "" {
				t.Fatalf("%s is gone, goldmark says %q\ntext:\n%s\nquoted: %q\n%v", w, g, in, in, s.doc)
			}
		}
		check(t, s.doc)
	}
	if compared < n/2 {
		t.Errorf("only %d of %d texts were compared", compared, n)
	}
}

// markdown makes a text of few lines whose words are all different.
func markdown(rnd *rand.Rand) string {
	lines := []string{
		"", "", "", "WORD", "WORD", "WORD WORD", "  WORD", "   WORD", "    WORD", "     WORD", "       WORD", "\tWORD",
		"> WORD", "> WORD", ">WORD", "> > WORD", ">", ">     WORD", "> - WORD", "> ```", "> ~~~~",
		"- WORD", "* WORD", "  - WORD", "    - WORD", "1. WORD", "1) WORD", "2. WORD", "-   WORD", "-\tWORD", "- > WORD",
		"- ```", "   ```", "1. ~~~",
		"```", "```", "```sh", "~~~", "~~~", "````", "  ```", "    ```", "```WORD `x` WORD", "``` `", "~~~ a`b",
		"# WORD", "## WORD ##", "WORD `WORD` WORD", "WORD ``WORD ` WORD`` WORD", "`WORD", "WORD`", "***", "===", "---",
		"| WORD | WORD |\n|---|:-:|\n| WORD | `WORD` |\nWORD | WORD\n", "WORD | WORD",
	}
	var b strings.Builder
	word := 0
	end := "\n"
	if rnd.IntN(4) == 0 {
		end = "\r\n"
	}
	for range 1 + rnd.IntN(9) {
		l := lines[rnd.IntN(len(lines))]
		for strings.Contains(l, "WORD") {
			word++
			l = strings.Replace(l, "WORD", fmt.Sprintf("w%dw", word), 1)
		}
		b.WriteString(strings.ReplaceAll(l, "\n", end) + end)
	}
	return b.String()
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r != 'w' && (r < '0' || r > '9') })
}

func isWord(s string) bool { return len(s) > 2 && s[0] == 'w' && s[len(s)-1] == 'w' }

// placed says for each word where this package has it.
func placed(d *Doc) map[string]string {
	out := map[string]string{}
	for _, b := range d.Blocks {
		for _, s := range d.Sentences[b.First : b.First+b.N] {
			for _, w := range words(d.Text[s.Start:s.End]) {
				if !isWord(w) {
					continue
				}
				switch {
				case !b.Kind.Own():
					out[w] = b.Kind.String()
				case strings.Contains(s.Own, w):
					out[w] = "speech"
				default:
					out[w] = "span"
				}
			}
		}
	}
	return out
}

// oracle says for each word where goldmark has it.
func oracle(root ast.Node, src []byte) map[string]string {
	out := map[string]string{}
	put := func(s []byte, where string) {
		for _, w := range words(string(s)) {
			if isWord(w) {
				out[w] = where
			}
		}
	}
	_ = ast.Walk(root, func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if !in {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			where := "fence"
			if n.Kind() == ast.KindCodeBlock {
				where = "code"
			}
			if quotedNode(n) {
				where = "quote"
			}
			for i := range n.Lines().Len() {
				seg := n.Lines().At(i)
				put(seg.Value(src), where)
			}
		case *ast.Text:
			put(n.Segment.Value(src), inlineKind(n))
		}
		return ast.WalkContinue, nil
	})
	return out
}

func inlineKind(n ast.Node) string {
	where := "speech"
	for p := n.Parent(); p != nil; p = p.Parent() {
		switch p.Kind() {
		case ast.KindBlockquote:
			return "quote"
		case ast.KindCodeSpan:
			where = "span"
		}
		if strings.HasSuffix(p.Kind().String(), "TableCell") {
			where = "cell"
		}
	}
	return where
}

func quotedNode(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return false
}
