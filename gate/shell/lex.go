package shell

import "strings"

// tok is a piece of a program: a name, a string, or a sign.
type tok struct {
	kind byte // 'n' name, 's' string, 'x' string that a shell runs, 'p' sign
	text string
	nl   bool // a line ends before it
}

// lex cuts a program into names, strings and signs, as far as the languages agree
// on it. Comments are left out.
func lex(lang, code string) (toks []tok) {
	nl := false
	add := func(k byte, s string) {
		toks = append(toks, tok{k, s, nl})
		nl = false
	}
	for i := 0; i < len(code) && len(toks) < maxText; {
		c := code[i]
		switch {
		case c == '\n':
			nl = true
			i++
		case c <= ' ':
			i++
		case comment(lang, code[i:]) > 0:
			i += comment(lang, code[i:])
		case c == '\'' || c == '"' || c == '`':
			s, n, kind := str(lang, code[i:], lastName(toks))
			add(kind, s)
			i += n
		case wordByte(c) || c == '$' || c == '@' && i+1 < len(code) && wordByte(code[i+1]):
			j := i + 1
			for j < len(code) && wordByte(code[j]) {
				j++
			}
			if s, n := perlQuote(lang, code[i:j], code[j:]); n > 0 {
				add('s', s)
				i = j + n
				continue
			}
			add('n', code[i:j])
			i = j
		default:
			n := 1
			for _, two := range []string{"=>", "==", "!=", "<=", ">=", ">>", "->", "::", "+=", "||", "&&", "=~"} {
				if strings.HasPrefix(code[i:], two) {
					n = 2
				}
			}
			add('p', code[i:i+n])
			i += n
		}
	}
	return toks
}

func wordByte(c byte) bool { return alnum(c) || c == '_' || c >= 0x80 }

func lastName(toks []tok) string {
	if n := len(toks); n > 0 && toks[n-1].kind == 'n' {
		return toks[n-1].text
	}
	return ""
}

// comment is how long a comment at the beginning of s is; 0: there is none.
func comment(lang, s string) int {
	line := func() int {
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			return i
		}
		return len(s)
	}
	switch {
	case s[0] == '#' && lang != "node" && (lang != "awk" || len(s) < 2 || s[1] != '{'):
		return line()
	case strings.HasPrefix(s, "//") && (lang == "node" || lang == "php"):
		return line()
	case strings.HasPrefix(s, "/*") && (lang == "node" || lang == "php"):
		if i := strings.Index(s, "*/"); i >= 0 {
			return i + 2
		}
		return len(s)
	}
	return 0
}

// str reads a string at the beginning of s. What is put into it when the program
// runs is marked as unknown.
func str(lang, s, before string) (text string, n int, kind byte) {
	kind = 's'
	q := s[:1]
	if strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, "'''") {
		q = s[:3]
	}
	if q == "`" && (lang == "ruby" || lang == "perl" || lang == "php") {
		kind = 'x'
	}
	raw := strings.EqualFold(before, "r") || q == "'" && (lang == "perl" || lang == "php" || lang == "ruby")
	var b strings.Builder
	i := len(q)
	for i < len(s) && !strings.HasPrefix(s[i:], q) {
		if s[i] == '\\' && i+1 < len(s) {
			if raw && s[i+1] != q[0] && s[i+1] != '\\' {
				b.WriteByte('\\')
			}
			i++
			if !raw && strings.IndexByte("nrt0xu", s[i]) >= 0 {
				if s[i] != 'x' && s[i] != 'u' {
					b.WriteString(ansi(s[i-1 : i+1]))
					i++
					continue
				}
				used := map[byte]int{'x': 3, 'u': 5}[s[i]]
				b.WriteString(ansi(s[i-1 : min(i+used, len(s))]))
				i = min(i+used, len(s))
				continue
			}
			b.WriteByte(s[i])
			i++
			continue
		}
		if k := inserted(lang, q, s[i:], before); k > 0 {
			b.WriteByte(filled(s[i : i+k]))
			i += k
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String(), min(i+len(q), len(s)), kind
}

// filled is what an inserted value is known to be.
func filled(s string) byte {
	if s = strings.ToLower(s); strings.Contains(s, "env") && strings.Contains(s, "home") || strings.Contains(s, "homedir()") || strings.Contains(s, "path.home()") || strings.Contains(s, "dir.home") {
		return Home
	}
	return Any
}

// inserted is how long a piece at the beginning of s is that the language puts a
// value in the place of.
func inserted(lang, q, s, before string) int {
	open := ""
	switch {
	case lang == "node" && q == "`":
		open = "${"
	case lang == "ruby" && q != "'":
		open = "#{"
	case lang == "python" && strings.ContainsAny(before, "fF") && len(before) <= 2:
		open = "{"
	case (lang == "perl" || lang == "php") && q != "'" && (s[0] == '$' || s[0] == '@'):
		i := 1
		for i < len(s) && (wordByte(s[i]) || s[i] == '{' || s[i] == '}') {
			i++
		}
		if i == 1 {
			return 0
		}
		return i
	}
	if open == "" || !strings.HasPrefix(s, open) {
		return 0
	}
	end := strings.IndexByte(s, '}')
	if end < 0 {
		return 0
	}
	return end + 1
}

// perlQuote reads q{…}, qq(…), %w[…]: word is what stands before the bracket.
func perlQuote(lang, word, rest string) (text string, n int) {
	if lang != "perl" && lang != "ruby" || word != "q" && word != "qq" && word != "qw" && word != "w" && word != "qx" || rest == "" {
		return "", 0
	}
	ends := map[byte]byte{'{': '}', '(': ')', '[': ']', '<': '>', '/': '/', '|': '|', '!': '!'}
	end, ok := ends[rest[0]]
	if !ok {
		return "", 0
	}
	i := strings.IndexByte(rest[1:], end)
	if i < 0 {
		return "", 0
	}
	return rest[1 : 1+i], i + 2
}
