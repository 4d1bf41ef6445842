package settings

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show prints a tree with its lines.
func show(n *Node) string {
	if n == nil {
		return "-"
	}
	var b strings.Builder
	switch n.Kind {
	case Object:
		for i, k := range n.Kids {
			fmt.Fprintf(&b, " %s@%d:%s", n.Names[i].Text, n.Names[i].Line, show(k))
		}
		return "{" + strings.TrimSpace(b.String()) + "}"
	case Array:
		for _, k := range n.Kids {
			b.WriteString(" " + show(k))
		}
		return "[" + strings.TrimSpace(b.String()) + "]"
	}
	return fmt.Sprintf("%s %s", n.Kind, n.Text)
}

func TestParseTOML(t *testing.T) {
	src := `# comment
model = "x"
[features]
hooks = false
[[hooks.Stop]]
matcher = 'a'
[[hooks.Stop.hooks]]
type = "command"
command = """
echo a"""
timeout = 1_0
[[hooks.Stop.hooks]]
args = ["a", { b = 1.5, c.d = true }]
[hooks.state."/a/b.json:stop:0:0"]
enabled = false
`
	tree, err := ParseTOML([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	want := `{model@2:string x features@3:{hooks@4:boolean false} hooks@5:{Stop@5:[{matcher@6:string a hooks@7:[{type@8:string command command@9:string echo a timeout@11:number 10} {args@13:[string a {b@13:number 1.5 c@13:{d@13:boolean true}}]}]}] state@14:{/a/b.json:stop:0:0@14:{enabled@15:boolean false}}}}`
	if d := cmp.Diff(want, show(tree.Node)); d != "" {
		t.Error(d)
	}
	for src, line := range map[string]int{"a = 1\nb = ": 2, "a = 1\na = 2": 2, "[a]\n[a]\n": 2, "a = \"\n": 1} {
		_, err := ParseTOML([]byte(src))
		if e, ok := errors.AsType[*SyntaxError](err); !ok || e.Line != line {
			t.Errorf("%q: %v, want line %d", src, err, line)
		}
	}
	if _, err := ParseTOML([]byte("a = " + strings.Repeat("[", 1e6))); !errors.As(err, new(*DepthError)) {
		t.Errorf("deep: %v", err)
	}
	if tree, err := ParseTOML([]byte(BOM + " \n")); err != nil || tree.Node != nil || !tree.BOM {
		t.Errorf("blank: %v %v", tree, err)
	}
}

func FuzzParseTOML(f *testing.F) {
	f.Add([]byte("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'x'\na.b = [{c = 1}]\n"))
	f.Fuzz(func(_ *testing.T, src []byte) {
		tree, err := ParseTOML(src)
		if err == nil {
			show(tree.Node)
		}
	})
}
