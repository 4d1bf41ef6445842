package shell

import "strings"

// enter makes a folder the current one for the rest of the program.
func (r *reader) enter(to []Text) {
	if len(to) == 0 {
		return
	}
	c := *r.c
	c.st = c.st.fork()
	(&call{w: c.w, st: c.st, name: "cd", span: c.span}).enter(to[0])
	r.c = &c
}

// evaluates follows code that the program runs, when it is written out; other code
// cannot be read.
func (r *reader) evaluates(args [][2]int) {
	if len(args) == 1 && args[0][1]-args[0][0] == 1 && r.toks[args[0][0]].kind == 's' && r.deep < maxDepth {
		r.c.inlineAt(r.lang, Text(r.toks[args[0][0]].text), r.args, nil, r.deep+1)
		return
	}
	if len(args) > 0 {
		r.c.opaque()
	}
}

// renamed looks at a name that writes but is not called: as another name it will be,
// and it cannot be told with what.
func (r *reader) renamed(i int) {
	switch kindOf(r.toks[i].text) {
	case first, both, second, receiver:
	default:
		return
	}
	next, last := "", i+1 == len(r.toks)
	if !last {
		next, last = r.toks[i+1].text, r.toks[i+1].nl || r.toks[i+1].text == ";"
	}
	takes := i > 2 && r.toks[i-1].text == "." && module(r.toks[i-2].text) && r.toks[i-3].text == "="
	r.asked = r.asked || next == "as" && r.lang == "python" || next == ":" && r.lang == "node" && i > 0 && (r.toks[i-1].text == "{" || r.toks[i-1].text == ",") && r.imports() || last && takes
}

// imports reports whether a program takes modules of files in.
func (r *reader) imports() bool {
	for _, t := range r.toks {
		if t.kind == 's' && (t.text == "fs" || t.text == "node:fs" || strings.HasSuffix(t.text, "fs/promises") || t.text == "fs-extra") {
			return true
		}
	}
	return false
}
