package settings

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// Node is a value of a settings file, whatever its format, with the place where
// it stands.
type Node struct {
	Kind   Kind
	Text   string // a string decoded, a number as it is written
	Names  []Name // of an object, one for each of Kids
	Kids   []*Node
	Line   int // from 1
	Offset int // in bytes
}

// Name is the name of a member of an object.
type Name struct {
	Text string
	Line int
}

// Kind is the type of a [Node].
type Kind string

// The kinds, as a person calls them.
const (
	Object  Kind = "object"
	Array   Kind = "array"
	String  Kind = "string"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Null    Kind = "null"
)

// Tree is a settings file as far as reading it needs.
type Tree struct {
	*Node           // nil for a file without a value, such as an empty one
	BOM     bool    // it begins with a byte order mark
	Lenient bool    // it has comments or trailing commas
	Commas  bool    // it has trailing commas
	Twice   []Twice // names that stand twice in one object
}

// Twice is a name that stands twice in one object; agents read the last one.
type Twice struct {
	Path        string
	Line, First int
}

// ParseJSON reads JSON, comments and trailing commas allowed. It fails with
// [*SyntaxError] and [*DepthError].
func ParseJSON(src []byte) (Tree, error) {
	var t Tree
	src, t.BOM = cutBOM(src)
	if blank(src) {
		return t, nil
	}
	v, err := parseValue(src)
	if err != nil {
		return t, err
	}
	t.Lenient = !v.IsStandard()
	t.Commas = trailing(&v)
	t.Node = nodeOf(src, &v)
	t.Twice = t.twice("", nil)
	return t, nil
}

// trailing reports a comma before a closing bracket.
func trailing(v *hujson.Value) bool {
	switch c := v.Value.(type) {
	case *hujson.Object:
		if n := len(c.Members); n > 0 && c.Members[n-1].Value.AfterExtra != nil {
			return true
		}
		return slices.ContainsFunc(c.Members, func(m hujson.ObjectMember) bool { return trailing(&m.Value) })
	case *hujson.Array:
		if n := len(c.Elements); n > 0 && c.Elements[n-1].AfterExtra != nil {
			return true
		}
		return slices.ContainsFunc(c.Elements, func(e hujson.Value) bool { return trailing(&e) })
	}
	return false
}

func nodeOf(src []byte, v *hujson.Value) *Node {
	n := &Node{Kind: Kind(typeName(v.Value)), Line: lineAt(src, v.StartOffset), Offset: v.StartOffset}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			name := &c.Members[i].Name
			n.Names = append(n.Names, Name{name.Value.(hujson.Literal).String(), lineAt(src, name.StartOffset)})
			n.Kids = append(n.Kids, nodeOf(src, &c.Members[i].Value))
		}
	case *hujson.Array:
		for i := range c.Elements {
			n.Kids = append(n.Kids, nodeOf(src, &c.Elements[i]))
		}
	case hujson.Literal:
		n.Text = c.String()
	}
	return n
}

// twice lists the names that stand twice in n and below.
func (n *Node) twice(path string, found []Twice) []Twice {
	first := map[string]int{}
	for i, k := range n.Kids {
		below := fmt.Sprintf("%s[%d]", path, i)
		if n.Kind == Object {
			name := n.Names[i]
			below = join(path, name.Text)
			if line, ok := first[name.Text]; ok {
				found = append(found, Twice{Path: below, Line: name.Line, First: line})
			} else {
				first[name.Text] = name.Line
			}
		}
		found = k.twice(below, found)
	}
	return found
}

// Member is the last member of that name: agents read the last of several. It is
// nil for one that is not there, and in what is no object.
func (n *Node) Member(name string) *Node {
	if n == nil {
		return nil
	}
	for i := len(n.Names) - 1; i >= 0; i-- {
		if n.Names[i].Text == name {
			return n.Kids[i]
		}
	}
	return nil
}

// At follows names; nil where one is missing.
func (n *Node) At(names ...string) *Node {
	for _, name := range names {
		n = n.Member(name)
	}
	return n
}

// Is reports the kind; nothing is of no kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// True reports the boolean true.
func (n *Node) True() bool { return n.Is(Boolean) && n.Text == "true" }

// False reports the boolean false.
func (n *Node) False() bool { return n.Is(Boolean) && n.Text == "false" }

// Strings are the strings of an array; ok is false for any other value.
func (n *Node) Strings() (list []string, ok bool) {
	if !n.Is(Array) {
		return nil, false
	}
	list = []string{}
	for _, k := range n.Kids {
		if k.Kind != String {
			return nil, false
		}
		list = append(list, k.Text)
	}
	return list, true
}

func blank(src []byte) bool { return len(bytes.TrimSpace(src)) == 0 }
