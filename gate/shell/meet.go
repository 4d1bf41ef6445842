package shell

import "strings"

// maxPath bounds what is taken for a path, in bytes; systems refuse longer ones.
const maxPath = 4096

// Meet reports whether some path fits both a text and a pattern, in which * and ?
// stay within one name, [..] is a set, \ takes the next character literally, and
// ** spans any number of folders. What a text has in the place of a home or a
// project must have been put in.
func Meet(t Text, pattern string) bool {
	if len(t) > maxPath || len(pattern) > maxPath {
		return false
	}
	a, b := fromText(t), fromPattern(pattern)
	// Each pair of places is visited once: at most 16 Mi of them, in practice some
	// hundred, because what is written out has to agree first.
	seen := map[[2]int]bool{}
	todo := [][2]int{{0, 0}}
	push := func(i, j int) {
		if p := [2]int{i, j}; !seen[p] {
			seen[p] = true
			todo = append(todo, p)
		}
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, j := p[0], p[1]
		if i == len(a) && j == len(b) {
			return true
		}
		for _, skip := range skips(a, i) {
			push(skip, j)
		}
		for _, skip := range skips(b, j) {
			push(i, skip)
		}
		for _, x := range moves(a, i) {
			for _, y := range moves(b, j) {
				if x.set.meets(y.set) {
					push(x.to, y.to)
				}
			}
		}
	}
	return false
}

// charset is a set of bytes.
type charset [4]uint64

func (s *charset) add(c byte)          { s[c>>6] |= 1 << (c & 63) }
func (s charset) meets(o charset) bool { return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0 }
func (s charset) without(c byte) charset {
	s[c>>6] &^= 1 << (c & 63)
	return s
}

var (
	every   = charset{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	slashed = charset{1 << '/'}
	inName  = every.without('/')
	atStart = inName.without('.')
)

// item is one step of a pattern: a character out of set, or any number of them,
// or folders.
type item struct {
	set charset
	how byte // 1 one character; '*' any number; '^' the first of any number, out of set, or none; 'd' folders, of which set begins the name; 'n' within the name of such a folder
}

// skips are the places that are reached without a character.
func skips(p []item, i int) []int {
	if i == len(p) {
		return nil
	}
	switch p[i].how {
	case '*':
		return []int{i + 1}
	case '^', 'd':
		return []int{i + 2}
	}
	return nil
}

type move struct {
	set charset
	to  int
}

// moves are the places that are reached with one character.
func moves(p []item, i int) []move {
	if i == len(p) {
		return nil
	}
	switch it := p[i]; it.how {
	case '*':
		return []move{{it.set, i}}
	case 'n':
		return []move{{inName, i}, {slashed, i - 1}}
	case 'd': // an empty name is no folder more
		return []move{{it.set, i + 1}, {slashed, i}}
	default: // one character, or the first of several
		return []move{{it.set, i + 1}}
	}
}

func literal(c byte) item {
	var s charset
	s.add(c)
	return item{s, 1}
}

func fromText(t Text) (p []item) {
	start := true // of a name
	for i := 0; i < len(t); i++ {
		c := t[i]
		first := inName
		if start {
			first = atStart
		}
		begins := start
		start = c == '/'
		switch c {
		case Any:
			p = append(p, item{every, '*'})
			start = true // a slash may come last of what is unknown, which then is no worse
		case StarDot:
			p = append(p, item{inName, '*'})
		case Star:
			how := byte('^')
			if begins && i+1 < len(t) && t[i+1] == '.' { // "*.*" is no name that begins with the dot
				how = 1
			}
			p = append(p, item{first, how}, item{inName, '*'})
		case One:
			p = append(p, item{first, 1})
		case Set:
			end := strings.IndexByte(string(t[i:]), SetEnd)
			if end < 0 {
				return p
			}
			p = append(p, item{setOf(string(t[i+1:i+end]), first), 1})
			i += end
		case Deep, DeepDot:
			if i+1 < len(t) && t[i+1] == '/' {
				i++
			}
			set := inName
			if c == Deep {
				set = atStart
			}
			p = append(p, item{set, 'd'}, item{inName, 'n'})
			start = begins
		default:
			p = append(p, literal(c))
		}
	}
	return p
}

// setOf is the set of a class such as "a-z" or "!x", of what may stand there.
func setOf(body string, may charset) charset {
	not := strings.HasPrefix(body, "!")
	body = strings.TrimPrefix(body, "!")
	var s charset
	for i := 0; i < len(body); i++ {
		if i+2 < len(body) && body[i+1] == '-' {
			for c := int(body[i]); c <= int(body[i+2]); c++ {
				s.add(byte(c))
			}
			i += 2
			continue
		}
		s.add(body[i])
	}
	for i := range s {
		if not {
			s[i] = ^s[i]
		}
		s[i] &= may[i]
	}
	return s
}

func fromPattern(s string) (p []item) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			p = append(p, literal(s[i]))
		case c == '*' && strings.HasPrefix(s[i:], "**") && (i == 0 || s[i-1] == '/'):
			if i+2 < len(s) { // "**/"
				p = append(p, item{inName, 'd'}, item{inName, 'n'})
				i += 2
				continue
			}
			// The folder itself fits what lies below it.
			if n := len(p); n > 1 {
				return append(p[:n-1], item{slashed, '^'}, item{every, '*'})
			}
			return append(p, item{every, '*'})
		case c == '*':
			p = append(p, item{inName, '*'})
		case c == '?':
			p = append(p, item{inName, 1})
		case c == '[':
			set, n := class(s[i:])
			if n == 0 || set[0] != Set {
				p = append(p, item{inName, 1})
				i += max(n, 1) - 1
				continue
			}
			p = append(p, item{setOf(set[1:len(set)-1], inName), 1})
			i += n - 1
		default:
			p = append(p, literal(c))
		}
	}
	return p
}
