package settings

import (
	"bytes"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// ParseTOML reads TOML. A value stands on the line of its key. It fails with
// [*SyntaxError] and [*DepthError].
func ParseTOML(src []byte) (Tree, error) {
	var t Tree
	src, t.BOM = cutBOM(src)
	if blank(src) {
		return t, nil
	}
	if line := tooDeepTOML(src); line > 0 {
		return t, &DepthError{Line: line}
	}
	var all map[string]any // the syntax and what stands twice is the decoder's to judge
	if err := toml.Unmarshal(src, &all); err != nil {
		e := &SyntaxError{Line: 1, Column: 1, What: strings.TrimPrefix(err.Error(), "toml: ")}
		if d, ok := errors.AsType[*toml.DecodeError](err); ok {
			e.Line, e.Column = d.Position()
		}
		return t, e
	}
	b := tomlTree{src: src, root: &Node{Kind: Object, Line: 1}}
	b.p.Reset(src)
	b.table = b.root
	for b.p.NextExpression() {
		b.expression(b.p.Expression())
	}
	if err := b.p.Error(); err != nil {
		return t, &SyntaxError{Line: 1, Column: 1, What: err.Error()}
	}
	t.Node = b.root
	return t, nil
}

type tomlTree struct {
	src   []byte
	p     unstable.Parser
	root  *Node
	table *Node // into which keys go
}

func (b *tomlTree) expression(e *unstable.Node) {
	switch e.Kind {
	case unstable.Table, unstable.ArrayTable:
		n := b.root
		for it := e.Key(); it.Next(); {
			last := it.IsLast()
			n = b.below(n, it.Node(), last && e.Kind == unstable.ArrayTable)
		}
		b.table = n
	case unstable.KeyValue:
		b.keyValue(b.table, e)
	}
}

// below is the table of a name in n, made if need be; of an array of tables the
// last one, or with more another one.
func (b *tomlTree) below(n *Node, key *unstable.Node, more bool) *Node {
	name, line, off := string(key.Data), b.line(key), int(key.Raw.Offset)
	kid := n.Member(name)
	if kid == nil {
		kid = &Node{Kind: Object, Line: line, Offset: off}
		if more {
			kid.Kind = Array
		}
		n.Names, n.Kids = append(n.Names, Name{name, line}), append(n.Kids, kid)
	}
	if more {
		kid.Kids = append(kid.Kids, &Node{Kind: Object, Line: line, Offset: off})
	}
	if kid.Kind == Array && len(kid.Kids) > 0 {
		return kid.Kids[len(kid.Kids)-1]
	}
	return kid
}

func (b *tomlTree) line(key *unstable.Node) int {
	return lineAt(b.src, min(int(key.Raw.Offset), len(b.src)))
}

func (b *tomlTree) keyValue(n *Node, e *unstable.Node) {
	for it := e.Key(); it.Next(); {
		key := it.Node()
		if !it.IsLast() {
			n = b.below(n, key, false)
			continue
		}
		line := b.line(key)
		n.Names = append(n.Names, Name{string(key.Data), line})
		n.Kids = append(n.Kids, b.value(e.Value(), line, int(key.Raw.Offset)))
	}
}

func (b *tomlTree) value(v *unstable.Node, line, off int) *Node {
	n := &Node{Kind: String, Text: string(v.Data), Line: line, Offset: off}
	switch v.Kind {
	case unstable.Bool:
		n.Kind = Boolean
	case unstable.Integer, unstable.Float:
		n.Kind, n.Text = Number, strings.ReplaceAll(n.Text, "_", "")
	case unstable.Array:
		n.Kind, n.Text = Array, ""
		for it := v.Children(); it.Next(); {
			n.Kids = append(n.Kids, b.value(it.Node(), line, off))
		}
	case unstable.InlineTable:
		n.Kind, n.Text = Object, ""
		for it := v.Children(); it.Next(); {
			b.keyValue(n, it.Node())
		}
	}
	return n
}

// tooDeepTOML is the line on which the nesting passes maxDepth, or 0.
func tooDeepTOML(src []byte) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '"', '\'':
			i = endOfString(src, i)
		case '#':
			n := bytes.IndexByte(src[i:], '\n')
			if n < 0 {
				return 0
			}
			i += n
		case '[', '{':
			if depth++; depth > maxDepth {
				return lineAt(src, i)
			}
		case ']', '}':
			depth--
		}
	}
	return 0
}

// endOfString is the offset of the last byte of the string that begins at i.
func endOfString(src []byte, i int) int {
	quote := src[i : i+1]
	if triple := bytes.Repeat(quote, 3); bytes.HasPrefix(src[i:], triple) {
		quote = triple
	}
	for j := i + len(quote); j < len(src); j++ {
		switch {
		case src[j] == '\\' && quote[0] == '"':
			j++
		case bytes.HasPrefix(src[j:], quote):
			return j + len(quote) - 1
		}
	}
	return len(src)
}
