package shell

// prints reports whether the statement up to i prints; else ">" only compares.
func (r *reader) prints(i int) bool {
	for j := r.begin(i); j < i; j++ {
		if t := r.toks[j]; t.kind == 'n' && (t.text == "print" || t.text == "printf") {
			return true
		}
	}
	return false
}

// awkTo is a redirection or a pipe in awk.
func (r *reader) awkTo(i int) {
	if i+1 >= len(r.toks) {
		return
	}
	next := r.toks[i+1]
	switch {
	case r.toks[i].text == "|" && next.text == "getline" && i > 0 && r.toks[i-1].kind == 's':
		r.c.shell(Text(r.toks[i-1].text), nil)
	case r.toks[i].text == "|" && next.kind == 's':
		r.c.shell(Text(next.text), nil)
	case r.toks[i].text == "|":
	case r.prints(i):
		r.write(r.value(i+1, r.end(i+1)), Write)
	}
}
