package manifests

import (
	"bytes"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// Line is where in a YAML text a value stands, 1-based, by a path such as
// "$.add.signals.en[2]"; 0 when it is not there.
func Line(text []byte, path string) (n int) {
	var err error
	defer caught(&err, "YAML") // then it stands nowhere
	p, err := yaml.PathString(path)
	if err != nil {
		return 0
	}
	node, err := p.ReadNode(bytes.NewReader(text))
	if err != nil || node == nil || node.GetToken() == nil {
		return 0
	}
	return node.GetToken().Position.Line
}

// Comment is one comment of a YAML text.
type Comment struct {
	Line int    // 1-based
	Text string // without the # and the spaces around it
	On   string // what it speaks of: the rest of its line, or the next line that is no comment
}

// Comments lists the comments of a YAML text. The lexer tells them from a # in a
// pattern or in a block of text.
func Comments(text []byte) []Comment {
	lines := strings.Split(string(text), "\n")
	at := map[int]int{} // line to the column of its comment, 0-based
	var out []Comment
	for _, t := range tokens(text) {
		if t.Type != token.CommentType || t.Position.Line < 1 || t.Position.Line > len(lines) {
			continue
		}
		n := t.Position.Line
		col := strings.LastIndex(lines[n-1], "#"+t.Value)
		if col < 0 || strings.TrimSpace(t.Value) == "" {
			continue
		}
		at[n] = col
		out = append(out, Comment{Line: n, Text: strings.TrimSpace(t.Value)})
	}
	content := func(n int) string {
		line := lines[n-1]
		if col, ok := at[n]; ok {
			line = line[:col]
		}
		return strings.TrimSpace(strings.TrimRight(line, "\r"))
	}
	for i := range out {
		for n := out[i].Line; n <= len(lines) && out[i].On == ""; n++ {
			out[i].On = content(n)
		}
	}
	return out
}
