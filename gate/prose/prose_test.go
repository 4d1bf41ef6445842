package prose

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// own gives what the assistant itself says, masks made readable.
func own(d *Doc) []string {
	var out []string
	for _, s := range d.Sentences {
		if s.Own != "" {
			out = append(out, readable(s.Own))
		}
	}
	return out
}

func plain(d *Doc) []string {
	var out []string
	for _, s := range d.Sentences {
		if s.Plain != "" {
			out = append(out, readable(s.Plain))
		}
	}
	return out
}

func readable(s string) string {
	return strings.NewReplacer(string(QuoteMark), "Q", string(CodeMark), "C").Replace(s)
}

// shape gives each block's kind and text.
func shape(d *Doc) []string {
	var out []string
	for _, b := range d.Blocks {
		out = append(out, fmt.Sprintf("%v: %s", b.Kind, d.Text[b.Start:b.End]))
	}
	return out
}

func TestBlocks(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"blank lines", "\n \n\t\n", nil},
		{"paragraph of two lines", "one\ntwo\n\nthree", []string{"paragraph: one\ntwo", "paragraph: three"}},
		{"byte order mark", "\uFEFF# one", []string{"heading: # one"}},
		{"lone CR ends a line", "a\r\rb", []string{"paragraph: a", "paragraph: b"}},
		{"fence", "a\n```sh\ngit push\n```\nb", []string{"paragraph: a", "fence: ```sh\ngit push\n```", "paragraph: b"}},
		{"fence with CRLF", "a\r\n\r\n```\r\ngit push\r\n```\r\nb", []string{"paragraph: a", "fence: ```\r\ngit push\r\n```", "paragraph: b"}},
		{"tildes hold backticks", "~~~\n```\nx\n~~~\nb", []string{"fence: ~~~\n```\nx\n~~~", "paragraph: b"}},
		{"four hold three", "````\n```\nx\n```\npush now?\n````\nb", []string{"fence: ````\n```\nx\n```\npush now?\n````", "paragraph: b"}},
		{"a close is not shorter", "````\nx\n```\ny", []string{"fence: ````\nx\n```\ny"}},
		{"a close has no info", "```\nx\n``` y\nz\n```", []string{"fence: ```\nx\n``` y\nz\n```"}},
		{"unclosed fence runs to the end", "a\n\n```\nb\n\nc", []string{"paragraph: a", "fence: ```\nb\n\nc"}},
		{"empty fence", "```\n```\na", []string{"fence: ```\n```", "paragraph: a"}},
		{"three backticks in a line are a span", "```x``` a", []string{"paragraph: ```x``` a"}},
		{"fence in an item", "- a\n  ```\n  push\n  ```\n  b", []string{"item: a", "fence: ```\n  push\n  ```", "item: b"}},
		{"fence opens an item", "1. ```\n   push\n   ```\n2. b", []string{"fence: ```\n   push\n   ```", "item: b"}},
		{"fence in an item, lines not indented", "1. a\n   ```\npush\n\nnow?\n   ```\nb", []string{"item: a", "fence: ```\npush\n\nnow?\n   ```", "paragraph: b"}},
		{"fence indented too far", "- a\n      ```\n      push\n\n      now?\n      ```\n- b", []string{"item: a", "fence: ```\n      push\n\n      now?\n      ```", "item: b"}},
		{"fence too far and never closed", "- a\n      ```\n- b", []string{"item: a\n      ```", "item: b"}},
		{"unclosed fence ends with its item", "- a\n  ```\n  push\n\nb", []string{"item: a", "fence: ```\n  push", "paragraph: b"}},
		{"fence in a quote", "> ```\n> push\n> ```\nb", []string{"quote: ```\n> push\n> ```", "paragraph: b"}},
		{"fence ends with its quote", "> ```\n> push\nb", []string{"quote: ```\n> push", "paragraph: b"}},
		{"indented code", "a\n\n    push\n\n    now\nb", []string{"paragraph: a", "code: push\n\n    now", "paragraph: b"}},
		{"code by tab", "a\n\n\tpush", []string{"paragraph: a", "code: push"}},
		{"no code inside a paragraph", "a\n    b", []string{"paragraph: a\n    b"}},
		{"code in an item", "1. a\n\n       push\n\n   b", []string{"item: a", "code: push", "item: b"}},
		{"no code in a wider item", "-   a\n\n    b", []string{"item: a", "item: b"}},
		{"quote", "> a\n> b\n\nc", []string{"quote: a\n> b", "paragraph: c"}},
		{"quote goes on lazily", "> a\nb\n\nc", []string{"quote: a\nb", "paragraph: c"}},
		{"quote of two paragraphs", "> a\n>\n> b", []string{"quote: a", "quote: b"}},
		{"list in a quote", "> - a\n> - b", []string{"quote: a", "quote: b"}},
		{"quote in a list", "- a\n  > b\n- c", []string{"item: a", "quote: b", "item: c"}},
		{"quote breaks a paragraph", "a\n> b", []string{"paragraph: a", "quote: b"}},
		{"headings", "# a\n## b ##\n#c\n####### d", []string{"heading: # a", "heading: ## b ##", "paragraph: #c\n####### d"}},
		{"setext", "a\nb\n===\nc\n---\nd", []string{"heading: a\nb\n===", "heading: c\n---", "paragraph: d"}},
		{"rule under a statement", "Shall I push?\n---\nb", []string{"paragraph: Shall I push?", "paragraph: b"}},
		{"rule under a polite line", "コミットします\n---\nb", []string{"paragraph: コミットします", "paragraph: b"}},
		{"rules", "a\n***\nb\n\n- - -\nc", []string{"paragraph: a", "paragraph: b", "paragraph: c"}},
		{"items", "- a\n- b\n  c\n* d\n+ e", []string{"item: a", "item: b\n  c", "item: d", "item: e"}},
		{"item goes on lazily", "- a\nb", []string{"item: a\nb"}},
		{"ordered", "1. a\n2) b\n10. c", []string{"item: a", "item: b", "item: c"}},
		{"nested", "- a\n  - b\n    1. c\n- d", []string{"item: a", "item: b", "item: c", "item: d"}},
		{"later paragraph", "- a\n\n  b\n\nc", []string{"item: a", "item: b", "paragraph: c"}},
		{"a number does not break a paragraph", "in\n1986. A year", []string{"paragraph: in\n1986. A year"}},
		{"bullets of other kinds", "・一つ\n・二つ\n• three", []string{"item: 一つ", "item: 二つ", "item: three"}},
		{"not a list", "-a\n1.5 b\n**c** d", []string{"paragraph: -a\n1.5 b\n**c** d"}},
		{"check boxes", "- [ ] a\n- [x] b\n- [y] c", []string{"item: a", "item: b", "item: [y] c"}},
		{"table", "x\n\n| a | b |\n|---|:-:|\n| c | d \\| e |\n\nf", []string{"paragraph: x", "cell: a", "cell: b", "cell: c", "cell: d \\| e", "paragraph: f"}},
		{"table after a line", "x:\n| a | b |\n|---|---|\n| c ||\ny", []string{"paragraph: x:", "cell: a", "cell: b", "cell: c", "paragraph: y"}},
		{"table without a frame", "a | b\n-|-\nc | d", []string{"cell: a", "cell: b", "cell: c", "cell: d"}},
		{"table that miscounts", "| a | b |\n|---|\n| c |", []string{"cell: a", "cell: b", "cell: c"}},
		{"table in an item", "- x\n\n  | a |\n  |---|\n  | b |\n- y", []string{"item: x", "cell: a", "cell: b", "item: y"}},
		{"table in a quote", "> | a |\n> |---|\n> | b |", []string{"quote: a", "quote: b"}},
		{"no table under a heading's line", "|a|\n---", []string{"heading: |a|\n---"}},
		{"no table", "a | b\nc", []string{"paragraph: a | b\nc"}},
		{"list ends a table", "| a |\n|---|\n- b | c", []string{"cell: a", "item: b | c"}},
		{"comment", "<!-- push? -->\na", []string{"comment: <!-- push? -->", "paragraph: a"}},
		{"comment over lines", "a\n<!-- push\n\nnow? -->\nb", []string{"paragraph: a", "comment: <!-- push\n\nnow? -->", "paragraph: b"}},
		{"speech after a comment", "<!-- x --> push?", []string{"comment: <!-- x -->", "paragraph: push?"}},
		{"speech far after a comment", "<!-- x -->      push?", []string{"comment: <!-- x -->", "paragraph: push?"}},
		{"speech after a long comment", "<!-- x\n--> push?", []string{"comment: <!-- x\n-->", "paragraph: push?"}},
		{"unclosed comment", "a\n\n<!-- b\n\nc", []string{"paragraph: a", "comment: <!-- b\n\nc"}},
		{"pre", "<pre>\npush\n\nnow\n</pre>\na", []string{"code: <pre>\npush\n\nnow\n</pre>", "paragraph: a"}},
		{"html quote", "<blockquote>\npush\n</blockquote>\na", []string{"quote: <blockquote>\npush\n</blockquote>", "paragraph: a"}},
		{"html that is never closed", "<blockquote>\na", []string{"paragraph: <blockquote>\na"}},
		{"diff", "a\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ f\n one\n-two\n+push now?\n\n three\n\nb", []string{
			"paragraph: a",
			"diff: diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ f\n one\n-two\n+push now?\n\n three",
			"paragraph: b",
		}},
		{"diff without its head", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nText", []string{"diff: --- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", "paragraph: Text"}},
		{"hunk alone, uncounted", "@@ ... @@\n-a\n+b\n\n- c", []string{"diff: @@ ... @@\n-a\n+b", "item: c"}},
		{"diff with CRLF", "@@ -1 +1 @@\r\n-a\r\n+push\r\n\r\nb", []string{"diff: @@ -1 +1 @@\r\n-a\r\n+push", "paragraph: b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(tt.in)
			if diff := cmp.Diff(tt.want, shape(d)); diff != "" {
				t.Errorf("Parse(%q): blocks differ (-want +got)\n%s\n%v", tt.in, diff, d)
			}
			check(t, d)
		})
	}
}

func TestBlockFields(t *testing.T) {
	d := Parse("# h\n\n- [ ] a\n\n  again\n  1. [X] b\n\n> > q\n\n| c | d |\n|---|---|\n| | e |\n")
	type fields struct {
		Kind            Kind
		Depth, Row, Col int
		Ordered, Cont   bool
		Task            byte
	}
	want := []fields{
		{Kind: Heading},
		{Kind: ListItem, Depth: 1, Task: ' '},
		{Kind: ListItem, Depth: 1, Cont: true},
		{Kind: ListItem, Depth: 2, Ordered: true, Task: 'x'},
		{Kind: Quote, Depth: 2},
		{Kind: Cell},
		{Kind: Cell, Col: 1},
		{Kind: Cell, Row: 1, Col: 1},
	}
	var got []fields
	for _, b := range d.Blocks {
		got = append(got, fields{b.Kind, b.Depth, b.Row, b.Col, b.Ordered, b.Continues, b.Task})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields differ (-want +got)\n%s\n%v", diff, d)
	}
}

func TestWhatIsNotSpeech(t *testing.T) {
	for _, in := range []string{
		"```\nShall I push?\n```", "~~~\nShall I push?", "> Shall I push?", "> a\nShall I push?", "| x |\n|---|\n| Shall I push? |",
		"<!-- Shall I push? -->", "@@ -1 +1 @@\n-a\n+Shall I push?", "x\n\n    Shall I push?", "- x\n\n      Shall I push?",
		"`Shall I push?`", "``Shall I `push`?``", "~~Shall I push?~~", "<code>Shall I push?</code>", "a <!-- Shall I\npush? --> b",
		"![Shall I push?](x.png)", "“Shall I push?”", `"Shall I push?"`, "<del>Shall I push?</del>", "> - ```\n> Shall I push?",
		"1. x\n\n   ```\nShall I push?\n   ```", "x\n    ```\n    Shall I push?\n\n    y\n    ```",
	} {
		for _, s := range Parse(in).Sentences {
			if strings.Contains(s.Own, "push") {
				t.Errorf("Parse(%q): own speech %q", in, s.Own)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"`go test` ok", []string{"go test ok"}},
		{"```\na  b\n\n「c」\n```", []string{"a b", "「c」"}},
		{"> tests pass", nil},
		{"<!-- tests pass -->", nil},
		{"| `go test` | 3 passed |\n|---|---|", []string{"go test", "3 passed"}},
		{"he said “tests pass” twice", []string{"he said “Q” twice"}},
		{"see [the log](https://x.test/a_b_c \"t\").", []string{"see the log https://x.test/a_b_c."}},
		{"- [x] done", []string{"done"}},
		{"    a\tb", []string{"a b"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, plain(Parse(tt.in))); diff != "" {
			t.Errorf("Parse(%q): plain text differs (-want +got)\n%s", tt.in, diff)
		}
	}
}

// TestCases looks at the project's own cases, when they are there: none may break
// what holds for every text.
func TestCases(t *testing.T) {
	for _, pattern := range []string{"../../manifests/cases/*/*/*.md", "../../testdata/cases/*/body.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			check(t, Parse(string(b)))
		}
	}
}

func TestString(t *testing.T) {
	got := Parse("- [x] `a` は「b」です\n\n| c |\n|---|\n").String()
	want := `0 item [6:26] depth 1 task 'x'
  ja [6:26] ` + "`a` は「b」です" + `
     own   ⟨code⟩は「⟨quote⟩」です
     plain aは「⟨quote⟩」です
1 cell [30:31] row 0 col 0
  en [30:31] c
     plain c
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("String differs (-want +got)\n%s", diff)
	}
}
