package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param is the value of a parameter expansion.
func (w *walker) param(st *state, p *syntax.ParamExp) Text {
	if p.Param == nil || p.Flags != nil || p.NestedParam != nil || p.Names != 0 || len(p.Modifiers) > 0 {
		return unknown
	}
	if p.Excl { // the name stands in a variable
		name := st.vars[p.Param.Value]
		if !name.Plain() || !syntax.ValidName(string(name)) || p.Index != nil {
			return unknown
		}
		direct := *p
		direct.Excl, direct.Param = false, &syntax.Lit{Value: string(name)}
		return w.param(st, &direct)
	}
	if p.Length || p.Width {
		return Text([]byte{Star})
	}
	v, set := w.value(st, p)
	if l, ok := w.list(st, p); ok {
		return joined(l)
	}
	switch {
	case p.Repl != nil:
		return w.replaced(st, p.Repl, v)
	case p.Slice != nil && (p.Param.Value == "@" || p.Param.Value == "*" || p.Index != nil):
		return unknown
	case p.Slice != nil:
		return w.sliced(st, p.Slice, v)
	case p.Exp != nil:
		return w.expanded(st, p, v, set)
	}
	return v
}

// value is what a parameter holds. set is false when the line has not set it, so
// that the environment decides.
func (w *walker) value(st *state, p *syntax.ParamExp) (v Text, set bool) {
	name := p.Param.Value
	if p.Index != nil {
		w.inside(st, p.Index)
		if list, ok := st.lists[name]; ok {
			if i, ok := w.index(p.Index); ok {
				if i = fromEnd(i, len(list)); i >= 0 && i < len(list) {
					return list[i], true
				}
			}
			if len(list) == 1 {
				return list[0], true
			}
			if all(p.Index) {
				return joined(list), true
			}
		}
		return unknown, false
	}
	if v, ok := st.vars[name]; ok {
		return v, true
	}
	if list, ok := st.lists[name]; ok && len(list) > 0 {
		return list[0], true
	}
	switch name {
	case "HOME":
		return Text([]byte{Home}), true
	case "PWD":
		return st.pwd(), true
	case "@", "*":
		if st.args != nil {
			return joined(st.args), true
		}
	case "#", "?", "$", "!", "RANDOM", "SECONDS", "UID", "EUID", "PPID", "LINENO":
		return Text([]byte{Star}), true
	case "0":
		if st.zero != "" {
			return st.zero, true
		}
		return "bash", true
	case "IFS":
		return " \t\n", true
	default:
		if i, err := strconv.Atoi(name); err == nil && st.args != nil {
			if i <= len(st.args) {
				return st.args[i-1], true
			}
			return "", false
		}
	}
	return unknown, false
}

// pwd is the current folder as a text.
func (s *state) pwd() Text {
	switch {
	case len(s.dirs) != 1:
		return unknown
	case s.dirs[0] == "":
		return Text([]byte{Here})
	case !s.dirs[0].rooted():
		return Text([]byte{Here, '/'}) + s.dirs[0]
	}
	return s.dirs[0]
}

// list is "$@", "${list[@]}": several words in one pair of quotes.
func (w *walker) list(st *state, p *syntax.ParamExp) ([]Text, bool) {
	if p.Param == nil || p.Exp != nil || p.Repl != nil || p.Excl || p.Length {
		return nil, false
	}
	switch {
	case p.Param.Value == "@" && st.args != nil:
		if p.Slice != nil {
			return w.part(p.Slice, append([]Text{"bash"}, st.args...))
		}
		return st.args, true
	case p.Index != nil && all(p.Index):
		l, ok := st.lists[p.Param.Value]
		if ok && p.Slice != nil {
			return w.part(p.Slice, l)
		}
		return l, ok
	}
	return nil, false
}

// part is ${list[@]:1:2}, by numbers that are written out.
func (w *walker) part(s *syntax.Slice, list []Text) ([]Text, bool) {
	from, ok := w.index(s.Offset)
	if from = fromEnd(from, len(list)); !ok || from < 0 || from > len(list) {
		return nil, false
	}
	if s.Length == nil {
		return list[from:], true
	}
	n, ok := w.index(s.Length)
	return list[from:max(from, min(len(list), from+n))], ok
}

func all(index syntax.ArithmExpr) bool {
	word, ok := index.(*syntax.Word)
	return ok && (word.Lit() == "@" || word.Lit() == "*")
}

func (w *walker) index(index syntax.ArithmExpr) (int, bool) {
	sign := 1
	if u, ok := index.(*syntax.UnaryArithm); ok && u.Op == syntax.Minus {
		index, sign = u.X, -1
	}
	word, ok := index.(*syntax.Word)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(word.Lit())
	return sign * i, err == nil && i >= 0
}

// fromEnd is a place in n that counts from the end when it is negative.
func fromEnd(i, n int) int {
	if i < 0 {
		return i + n
	}
	return i
}

func joined(list []Text) Text {
	var b strings.Builder
	for i, t := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(t))
	}
	return Text(b.String())
}

// expanded is ${x:-y} and its like.
func (w *walker) expanded(st *state, p *syntax.ParamExp, v Text, set bool) Text {
	e := p.Exp
	word := w.text(st, e.Word)
	w.say(word)
	switch e.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if v == "" && p.Index == nil {
			st.vars[p.Param.Value] = word
		}
		fallthrough
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		if set && v != "" {
			return v
		}
		if v == "" {
			return word
		}
		return v // the environment may hold anything
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if set && v != "" && v.Plain() {
			return word
		}
		return unknown
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return removed(e.Op, v, word)
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		if e.Word == nil {
			return cased(e.Op, v)
		}
	}
	return unknown
}

// cased is ${x^^} and its like, for ASCII.
func cased(op syntax.ParExpOperator, v Text) Text {
	b := []byte(v)
	for i, c := range b {
		switch {
		case i > 0 && (op == syntax.UpperFirst || op == syntax.LowerFirst):
			return Text(b)
		case (op == syntax.UpperFirst || op == syntax.UpperAll) && 'a' <= c && c <= 'z':
			b[i] = c - 'a' + 'A'
		case (op == syntax.LowerFirst || op == syntax.LowerAll) && 'A' <= c && c <= 'Z':
			b[i] = c - 'A' + 'a'
		}
	}
	return Text(b)
}

// sliced is ${x:2} and ${x:2:3} of a value that is known, by numbers that are
// written out.
func (w *walker) sliced(st *state, s *syntax.Slice, v Text) Text {
	w.inside(st, s.Offset)
	w.inside(st, s.Length)
	from, ok := w.index(s.Offset)
	if from = fromEnd(from, len(v)); !ok || !v.Plain() || from < 0 || from > len(v) {
		return unknown
	}
	v = v[from:]
	if s.Length == nil {
		return v
	}
	if n, ok := w.index(s.Length); ok && n >= 0 {
		return v[:min(n, len(v))]
	}
	return unknown
}

// removed is ${x%y} and ${x#y}, for what has no pattern but a star at its end.
func removed(op syntax.ParExpOperator, v, word Text) Text {
	s, cut := string(v), string(word)
	star := string([]byte{Star})
	switch {
	case !word.Plain() && strings.Trim(cut, star+"./") != "" || !v.Exact():
		return unknown
	case word.Plain() && (op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix):
		return Text(strings.TrimSuffix(s, cut))
	case word.Plain():
		return Text(strings.TrimPrefix(s, cut))
	case cut == "/"+star && op == syntax.RemSmallSuffix:
		if i := strings.LastIndexByte(s, '/'); i >= 0 {
			return Text(s[:i])
		}
		return v
	case cut == star+"/" && op == syntax.RemLargePrefix:
		return Text(s[strings.LastIndexByte(s, '/')+1:])
	case cut == "."+star && op == syntax.RemSmallSuffix:
		return Text(strings.TrimSuffix(s, path.Ext(s)))
	}
	return unknown
}

// replaced is ${x/y/z} for plain y.
func (w *walker) replaced(st *state, r *syntax.Replace, v Text) Text {
	old, with := w.text(st, r.Orig), w.text(st, r.With)
	if !old.Plain() || old == "" || !v.Exact() || strings.ContainsAny(string(old[:1]), "#%") {
		return unknown
	}
	n := 1
	if r.All {
		n = -1
	}
	return Text(strings.Replace(string(v), string(old), string(with), n))
}

// number is an arithmetic expansion: a number, of which commands inside count.
func (w *walker) number(st *state, p *syntax.ArithmExp) Text {
	w.inside(st, p.X)
	return Text([]byte{Star})
}

// ansi reads the escapes of $'…'.
func ansi(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case strings.IndexByte("abefnrtv", c) >= 0:
			b.WriteByte("\a\b\x1b\f\n\r\t\v"[strings.IndexByte("abefnrtv", c)])
		case c == 'E':
			b.WriteByte(0x1b)
		case c == 'x' || c == 'u' || c == 'U':
			n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			v, used := digits(s[i+1:], n, 16)
			if used == 0 {
				b.WriteString(s[i-1 : i+1])
				continue
			}
			i += used
			if c == 'x' {
				b.WriteByte(byte(v))
			} else {
				b.WriteRune(rune(v))
			}
		case '0' <= c && c <= '7':
			v, used := digits(s[i:], 3, 8)
			i += used - 1
			b.WriteByte(byte(v))
		case c == 'c' && i+1 < len(s):
			i++
			b.WriteByte(s[i] & 0x1f)
		case strings.IndexByte(`\'"?`, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString(s[i-1 : i+1])
		}
	}
	return b.String()
}

// digits reads at most n digits.
func digits(s string, n, base int) (v int64, used int) {
	for used < n && used < len(s) {
		if _, err := strconv.ParseUint(s[used:used+1], base, 8); err != nil {
			break
		}
		used++
	}
	v, _ = strconv.ParseInt(s[:used], base, 64)
	return v, used
}
