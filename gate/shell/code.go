package shell

import (
	"slices"
	"strings"
)

// reader looks for the calls of a program that write files.
type reader struct {
	c     *call
	lang  string
	args  []Text // of the program
	toks  []tok
	bound map[string][]Text // what names may hold, as far as strings tell
	used  map[int]bool      // strings that a call has been given that only reads
	asked bool              // a call writes what cannot be told
	globs bool              // the program looks for files by patterns
	reach Reach             // of the call that is read
	deep  int               // programs around this one
}

func (r *reader) read() {
	r.used = map[int]bool{}
	for _, t := range r.toks {
		r.globs = r.globs || t.kind == 'n' && (t.text == "glob" || t.text == "iglob" || t.text == "rglob" || t.text == "globSync")
	}
	for range 2 { // a name may be used above the place that binds it
		r.bind()
	}
	for i := range r.toks {
		switch t := r.toks[i]; {
		case t.kind == 'x':
			r.c.shell(Text(t.text), nil)
		case t.kind == 's' && i > 1 && r.toks[i-1].text == "script" && r.toks[i-2].text == "shell": // AppleScript
			r.c.shell(Text(t.text), nil)
		case t.kind == 'n':
			r.called(i)
			r.renamed(i)
		case r.lang == "awk" && (t.text == ">" || t.text == ">>" || t.text == "|"):
			r.awkTo(i)
		}
	}
	if r.asked {
		r.maybe()
	}
}

// maybe notes every string that could be the file that is written: it cannot be
// told which.
func (r *reader) maybe() {
	for i, t := range r.toks {
		if t.kind == 's' && !r.used[i] && len(t.text) < maxPath && !strings.ContainsAny(t.text, "\n\x00") && t.text != "" {
			r.c.change(Text(t.text), Code, File)
		}
	}
	for _, a := range r.args {
		r.c.change(a, Code, File)
	}
}

// bind notes what names are set to.
func (r *reader) bind() {
	for i, t := range r.toks {
		switch {
		case t.kind == 'p' && (t.text == "=" || t.text == "=>" && r.lang == "node") && i > 0 && r.toks[i-1].kind == 'n':
			if t.text == "=" {
				r.put(r.toks[i-1].text, r.value(i+1, r.end(i+1)))
			} else { // files.forEach(f => …)
				r.put(r.toks[i-1].text, r.value(r.begin(i-1), i-1))
			}
		case t.kind == 'n' && (t.text == "in" || t.text == "of") && i > 0 && r.toks[i-1].kind == 'n':
			r.put(r.toks[i-1].text, r.value(i+1, r.end(i+1)))
		case t.kind == 'n' && (t.text == "foreach" || t.text == "for") && r.lang == "perl" && i+1 < len(r.toks) && r.toks[i+1].text == "(":
			r.put("$_", r.value(i+2, r.close(i+1)))
		case t.kind == 'n' && (t.text == "foreach" || t.text == "for") && r.lang == "perl":
			for j := i + 1; j < min(i+4, len(r.toks)); j++ {
				if r.toks[j].text == "(" && r.toks[j-1].kind == 'n' {
					r.put(r.toks[j-1].text, r.value(j+1, r.close(j)))
				}
			}
		case t.text == "|" && r.lang == "ruby" && i+2 < len(r.toks) && r.toks[i+2].text == "|" && r.toks[i+1].kind == 'n':
			r.put(r.toks[i+1].text, r.value(r.begin(i), i))
		case t.text == "as" && i+1 < len(r.toks) && r.lang == "php":
			r.put(r.toks[i+1].text, r.value(r.begin(i), i))
		}
	}
}

func (r *reader) put(name string, values []Text) {
	for _, v := range values {
		if len(r.bound[name]) < 16 && !slices.Contains(r.bound[name], v) {
			r.bound[name] = append(r.bound[name], v)
		}
	}
}

// end is where the statement that goes on at i ends, begin where it began.
func (r *reader) end(i int) int {
	depth := 0
	for j := i; j < len(r.toks); j++ {
		t := r.toks[j]
		if j > i && t.nl && depth == 0 || t.text == ";" && t.kind == 'p' {
			return j
		}
		if t.kind != 'p' {
			continue
		}
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			if depth--; depth < 0 {
				return j
			}
		case "}":
			if depth == 0 && j > i {
				return j
			}
		case "{", ":":
			if depth == 0 && j > i && r.lang != "ruby" {
				return j
			}
		}
	}
	return len(r.toks)
}

func (r *reader) begin(i int) int {
	for j := i - 1; j >= 0; j-- {
		if t := r.toks[j]; t.kind == 'p' && (t.text == ";" || t.text == "{" || t.text == "}") || r.toks[j+1].nl {
			return j + 1
		}
	}
	return 0
}

// close is where the bracket at i closes.
func (r *reader) close(i int) int {
	depth := 0
	for j := i; j < len(r.toks); j++ {
		if r.toks[j].kind != 'p' {
			continue
		}
		switch r.toks[j].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return len(r.toks)
}

// value is what an expression may be, as paths: each of its strings, and all of
// them put together where something joins them.
func (r *reader) value(from, to int) (all []Text) {
	var pieces [][]Text
	joins, open, home, plus := r.lang == "awk", false, false, r.lang == "awk"
	for i := from; i < to && i < len(r.toks); i++ {
		t := r.toks[i]
		next := ""
		if i+1 < len(r.toks) {
			next = r.toks[i+1].text
		}
		switch {
		case t.kind == 's' && r.homeKey(i):
			home, joins = true, true
		case t.kind == 's' && r.moduleName(i):
		case t.kind == 's':
			if r.lang == "perl" && strings.Contains(t.text, " ") && i > 0 && r.toks[i-1].text == "(" {
				for f := range strings.FieldsSeq(t.text) {
					all = append(all, Text(f))
				}
			}
			pieces = append(pieces, []Text{r.pattern(tilde(t.text))})
		case t.kind == 'p':
			plus = plus || t.text == "+" || t.text == "." && (r.lang == "perl" || r.lang == "php")
			joins = joins || t.text == "+" || t.text == "/" || t.text == "." && (r.lang == "perl" || r.lang == "php") || t.text == ".." && r.lang == "other"
		case t.text == "join" || t.text == "joinpath" || t.text == "resolve" || t.text == "Path":
			joins = true
		case t.text == "home" || t.text == "homedir" || t.text == "HOME" || t.text == "Home":
			home, joins = true, true
		case t.text == "argv" || t.text == "ARGV" || t.text == "@ARGV" || t.text == "$ARGV" || t.text == "$argv" || t.text == "args":
			pieces = append(pieces, r.args)
		case r.bound[t.text] != nil:
			pieces = append(pieces, r.bound[t.text])
		case strings.Contains(strings.ToLower(t.text), "env"):
		case next != "(" && next != "." && next != "::" && !keyword(t.text) && (i+1 == to || t.text[0] == '$' || joins):
			open = true
			pieces = append(pieces, []Text{unknown})
		}
	}
	if home {
		pieces = append([][]Text{{"\xfa"}}, pieces...)
	}
	// What is put together comes first: where the name that it is bound to is put
	// together once more, the first value counts.
	if joins && len(pieces) > 1 {
		all = append(all, combine(pieces, "/"), combine(pieces, ""))
		if plus {
			all[0], all[1] = all[1], all[0]
		}
	}
	for _, p := range pieces {
		for _, t := range p {
			if t != unknown && t != "\xfa" && !(open && joins) && !home {
				all = append(all, t)
			}
		}
	}
	if len(all) == 0 && open {
		all = []Text{unknown}
	}
	return all
}

// homeKey reports whether the string at i is the key under which the environment
// has the home: os.environ["HOME"], getenv("HOME").
func (r *reader) homeKey(i int) bool {
	if s := r.toks[i].text; s != "HOME" && s != "USERPROFILE" || i < 2 {
		return false
	}
	return strings.Contains(strings.ToLower(r.toks[i-2].text), "env") || r.toks[i-2].text == "get"
}

// moduleName reports whether the string at i only names a module: require("fs").
func (r *reader) moduleName(i int) bool {
	return i > 1 && r.toks[i-1].text == "(" && (r.toks[i-2].text == "require" || r.toks[i-2].text == "import" || r.toks[i-2].text == "__import__")
}

// pattern is a string that the program uses as a pattern of names.
func (r *reader) pattern(t Text) Text {
	if r.globs {
		return Text(globs(string(t)))
	}
	return t
}

// tilde is a path in which a program of its own puts the home in the place of "~".
func tilde(s string) Text {
	if s == "~" || strings.HasPrefix(s, "~/") {
		return Text("\xfa" + s[1:])
	}
	return Text(s)
}

func keyword(s string) bool {
	switch s {
	case "f", "r", "b", "rb", "u", "new", "my", "const", "let", "var", "not", "or", "and", "if", "else", "None", "null", "true", "false", "True", "False", "lambda", "str", "do", "then", "await", "async":
		return true
	}
	return len(s) > 0 && s[0] >= '0' && s[0] <= '9'
}

// combine joins the first value of each piece.
func combine(pieces [][]Text, sep string) Text {
	var b strings.Builder
	for i, p := range pieces {
		if len(p) == 0 {
			continue
		}
		s := string(p[0])
		if i > 0 && sep != "" {
			if strings.HasPrefix(s, "/") {
				b.Reset() // an absolute path takes the place of what stood before
			} else if !strings.HasSuffix(b.String(), "/") {
				b.WriteString(sep)
			}
		}
		b.WriteString(s)
		if b.Len() > maxPath {
			return unknown
		}
	}
	return Text(b.String())
}
