package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// field is a word on its way through expansion.
type field struct {
	t      Text
	quoted bool // an empty one stays when it was quoted
}

// fields expands words as a command's arguments.
func (w *walker) fields(st *state, words []*syntax.Word) (out []Text) {
	for _, word := range words {
		out = append(out, w.expand(st, word)...)
		if len(out) > maxFields {
			w.spent = maxSteps + 1
			return out[:maxFields]
		}
	}
	return out
}

// expand gives the words that one word becomes.
func (w *walker) expand(st *state, word *syntax.Word) (out []Text) {
	for _, parts := range w.braces(word) {
		fs := w.parts(st, parts, []field{{}}, false)
		for _, f := range fs {
			if f.t != "" || f.quoted {
				out = append(out, f.t)
				w.weigh(f.t)
			}
		}
	}
	return out
}

// text expands a word without splitting it, as for an assignment or a redirection.
func (w *walker) text(st *state, word *syntax.Word) Text {
	if word == nil {
		return ""
	}
	t := w.parts(st, word.Parts, []field{{}}, true)[0].t
	w.weigh(t)
	if len(t) > maxText {
		return unknown
	}
	return t
}

// weigh makes long texts count as more than one step.
func (w *walker) weigh(t Text) { w.spent += len(t) / 256 }

// braces are the words, as lists of parts, that brace expansion makes of one.
func (w *walker) braces(word *syntax.Word) [][]syntax.WordPart {
	if !hasBrace(word) {
		return [][]syntax.WordPart{word.Parts}
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), word.Parts...)}
	if !syntax.SplitBraces(split) {
		return [][]syntax.WordPart{word.Parts}
	}
	return w.product(split)
}

func hasBrace(word *syntax.Word) bool {
	for _, p := range word.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.Contains(l.Value, "{") {
			return true
		}
	}
	return false
}

func (w *walker) product(word *syntax.Word) [][]syntax.WordPart {
	all := [][]syntax.WordPart{nil}
	for _, p := range word.Parts {
		ends := [][]syntax.WordPart{{p}}
		if b, ok := p.(*syntax.BraceExp); ok {
			ends = nil
			if b.Sequence {
				ends = append(ends, []syntax.WordPart{&syntax.Lit{Value: "*"}})
			} else {
				for _, e := range b.Elems {
					ends = append(ends, w.product(e)...)
				}
			}
		}
		if w.spent += len(all) * len(ends); w.spent > maxSteps || len(all)*len(ends) > maxFields {
			w.spent = maxSteps + 1
			return all
		}
		var next [][]syntax.WordPart
		for _, a := range all {
			for _, e := range ends {
				next = append(next, append(a[:len(a):len(a)], e...))
			}
		}
		all = next
	}
	return all
}

// parts appends parts to the last of fs. In quotes, or where one says so, nothing
// is split and no pattern is meant.
func (w *walker) parts(st *state, parts []syntax.WordPart, fs []field, whole bool) []field {
	for i, part := range parts {
		w.step()
		last := &fs[len(fs)-1]
		switch p := part.(type) {
		case *syntax.Lit:
			name, value, ok := strings.Cut(p.Value, "=~")
			if i == 0 && ok && syntax.ValidName(name) { // bash expands it in such a word as well
				last.t += Text(name) + "=" + lit(st, "~"+value, true)
				continue
			}
			last.t += lit(st, p.Value, i == 0 && last.t == "")
		case *syntax.SglQuoted:
			last.quoted = true
			v := p.Value
			if p.Dollar {
				v = ansi(v)
			}
			last.t += Text(v)
		case *syntax.DblQuoted:
			fs = w.double(st, p, fs, whole)
		case *syntax.ParamExp:
			fs = spread(fs, st.separate(w.param(st, p), whole), whole)
		case *syntax.CmdSubst:
			fs = spread(fs, st.separate(w.subst(st, p), whole), whole)
		case *syntax.ArithmExp:
			last.t += w.number(st, p)
		case *syntax.ProcSubst:
			name := w.process(st, p)
			fs[len(fs)-1].t += name
		case *syntax.ExtGlob:
			last.t += Text([]byte{Star})
		default:
			last.t += unknown
		}
		if len(fs) > maxFields || len(fs[len(fs)-1].t) > maxText {
			w.spent = maxSteps + 1
			return fs[:1]
		}
	}
	return fs
}

// double is a double-quoted string; "$@" in it becomes several words.
func (w *walker) double(st *state, p *syntax.DblQuoted, fs []field, whole bool) []field {
	for _, inner := range p.Parts {
		fs[len(fs)-1].quoted = true
		last := &fs[len(fs)-1]
		switch q := inner.(type) {
		case *syntax.Lit:
			last.t += Text(unescapeDouble(q.Value))
			continue
		case *syntax.ParamExp:
			if list, ok := w.list(st, q); ok && !whole {
				for i, t := range list {
					if i > 0 {
						fs = append(fs, field{quoted: true})
					}
					fs[len(fs)-1].t += t
				}
				if len(list) == 0 && len(p.Parts) == 1 {
					fs[len(fs)-1].quoted = false
				}
				continue
			}
		}
		one := w.parts(st, []syntax.WordPart{inner}, []field{{}}, true)
		fs[len(fs)-1].t += one[0].t
	}
	fs[len(fs)-1].quoted = fs[len(fs)-1].quoted || len(p.Parts) == 0
	return fs
}

// separate puts spaces where a changed IFS splits a value. Of one that is not known
// nobody can tell where.
func (s *state) separate(v Text, whole bool) Text {
	if !s.ifs || whole || v == "" {
		return v
	}
	ifs := s.vars["IFS"]
	switch {
	case !ifs.Plain():
		return unknown
	case ifs == "" || !strings.ContainsAny(string(v), string(ifs)):
		return v
	}
	b := []byte(v)
	for i := range b {
		if strings.IndexByte(string(ifs), b[i]) >= 0 {
			b[i] = ' '
		}
	}
	return Text(b)
}

// spread appends the value of an unquoted expansion, which is split at white
// space and in which pattern characters count.
func spread(fs []field, v Text, whole bool) []field {
	last := &fs[len(fs)-1]
	if whole {
		last.t += v
		return fs
	}
	if !strings.ContainsAny(string(v), " \t\n") {
		last.t += Text(globs(string(v)))
		return fs
	}
	words := split(v)
	if strings.IndexByte(" \t\n", v[0]) >= 0 && (last.t != "" || last.quoted) {
		fs = append(fs, field{})
	}
	for i, word := range words {
		if i > 0 {
			fs = append(fs, field{})
		}
		fs[len(fs)-1].t += Text(globs(string(word)))
	}
	if strings.IndexByte(" \t\n", v[len(v)-1]) >= 0 {
		fs = append(fs, field{})
	}
	return fs
}

// lit is unquoted text: a leading tilde, escapes, patterns.
func lit(st *state, s string, first bool) Text {
	home := ""
	if first && s != "" && s[0] == '~' {
		user := s[1:]
		if i := strings.IndexByte(user, '/'); i >= 0 {
			user = user[:i]
		}
		switch {
		case user == "+":
			s = "." + s[2:]
		case !strings.ContainsAny(user, "\\*?[-"):
			home, s = string([]byte{Home}), s[1:]
			if set, ok := st.vars["HOME"]; ok && user == "" {
				home = string(set)
			}
		}
	}
	if !strings.Contains(s, `\`) {
		return Text(home + globs(s))
	}
	// An escaped character is no pattern: the pieces between are read alone, but for
	// a set, which may hold one.
	var b strings.Builder
	b.WriteString(home)
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		b.WriteString(globs(s[start:i]))
		if i+1 < len(s) {
			i++
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
		}
		start = i + 1
	}
	if start < len(s) {
		b.WriteString(globs(s[start:]))
	}
	return Text(b.String())
}

func unescapeDouble(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\\"$`\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
