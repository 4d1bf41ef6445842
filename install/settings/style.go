package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// style is how a file is written; what is added is written the same way.
type style struct {
	eol     string
	unit    string // one step of indent
	oneLine bool   // the whole file stands on one line
	colon   string // after a colon
	comma   string // after a comma, on one line
	objPad  string // inside the braces, on one line
	arrPad  string // inside the brackets, on one line
}

// eolOf is the file's line end: that of its first line.
func eolOf(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func styleOf(src []byte, top *hujson.Value) style {
	st := style{eol: eolOf(src), unit: "  ", colon: " ", comma: " "}
	root := boxOf(top)
	if len(root.items) == 0 {
		return st
	}
	st.oneLine = bytes.IndexByte(src[root.open:root.close], '\n') < 0
	obj := top.Value.(*hujson.Object)
	st.colon = pad(obj.Members[0].Value.BeforeExtra)
	st.comma = st.colon
	var unit, comma, objPad, arrPad bool // seen
	for v := range top.All() {
		if v.Value.Kind() != '{' && v.Value.Kind() != '[' {
			continue
		}
		b := boxOf(v)
		if len(b.items) == 0 {
			continue
		}
		if hasEOL(b.items[0].before) {
			in, out := lastIndent(b.items[0].before), lineIndent(src, b.open)
			if !unit && len(in) > len(out) && strings.HasPrefix(in, out) {
				st.unit, unit = in[len(out):], true
			}
			continue
		}
		if len(b.items) > 1 && !comma && !hasEOL(b.items[1].before) {
			st.comma, comma = pad(b.items[1].before), true
		}
		if v.Value.Kind() == '{' && !objPad {
			st.objPad, objPad = pad(b.items[0].before), true
		}
		if v.Value.Kind() == '[' && !arrPad {
			st.arrPad, arrPad = pad(b.items[0].before), true
		}
	}
	if !arrPad {
		st.arrPad = st.objPad
	}
	return st
}

// pad is the space that a file puts somewhere, taken as one or none.
func pad(e hujson.Extra) string {
	if len(e) > 0 && !hasEOL(e) {
		return " "
	}
	return ""
}

func hasEOL(b []byte) bool { return bytes.IndexByte(b, '\n') >= 0 }

// lastIndent is the white space that begins the last line of b.
func lastIndent(b []byte) string { return leading(b[bytes.LastIndexByte(b, '\n')+1:]) }

// lineIndent is the white space that begins the line of an offset.
func lineIndent(src []byte, off int) string {
	return leading(src[bytes.LastIndexByte(src[:off], '\n')+1 : off])
}

func leading(line []byte) string {
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// node is a value to be written: an object (keys), an array, or a literal.
type node struct {
	lit  string
	keys []string // of an object
	kids []node
}

func text(s string) node { return node{lit: string(hujson.String(s))} }

func list(kids ...node) node { return node{kids: kids} }

// render writes n; indent is that of the line on which it begins.
func (st style) render(n node, indent string, inline bool) string {
	if n.lit != "" {
		return n.lit
	}
	open, closing, pad := "[", "]", st.arrPad
	if n.keys != nil {
		open, closing, pad = "{", "}", st.objPad
	}
	first, sep, last := pad, ","+st.comma, pad
	if !inline {
		first = st.eol + indent + st.unit
		sep, last = ","+first, st.eol+indent
	}
	var b strings.Builder
	b.WriteString(open + first)
	for i, kid := range n.kids {
		if i > 0 {
			b.WriteString(sep)
		}
		if n.keys != nil {
			b.WriteString(st.key(n.keys[i]))
		}
		b.WriteString(st.render(kid, indent+st.unit, inline))
	}
	b.WriteString(last + closing)
	return b.String()
}

func (st style) key(name string) string { return string(hujson.String(name)) + ":" + st.colon }
