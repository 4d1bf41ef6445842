package shell

import (
	"strings"
)

// Text is a word as far as it is known before the command runs. It is plain text
// but for marks, bytes that no UTF-8 text has, in the places of what only the run
// can tell.
type Text string

// The marks. A mark in a line itself can only stand in broken UTF-8, which JSON
// does not carry; it is taken for what it marks.
const (
	Any     = '\xff' // any text at all
	Star    = '\xfe' // any text within one name; at a name's beginning it begins with no dot
	One     = '\xfd' // one character of a name
	Set     = '\xfc' // one of the characters up to SetEnd, as "a-z"; "!" first: none of them
	SetEnd  = '\xfb'
	Home    = '\xfa' // the user's home folder; before a name: the home of that user
	Deep    = '\xf9' // any number of folders, none of which begins with a dot
	DeepDot = '\xf8' // any number of folders
	StarDot = '\xf7' // any text within one name
	Root    = '\xf6' // the root of the project around the folder
	Here    = '\xf5' // the event's folder
)

const marks = "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5"

// Plain reports whether the text is known to the last character.
func (t Text) Plain() bool { return !has(t, marks) }

// Exact reports whether the text names one file, if only from the home folder or
// the project's root.
func (t Text) Exact() bool { return !has(t, "\xff\xfe\xfd\xfc\xfb\xf9\xf8\xf7") }

// Glob reports whether the text is a pattern of names: it is not known which files
// it means, but every one of them fits the pattern.
func (t Text) Glob() bool { return !t.Exact() && !t.Unknown() }

// Unknown reports whether a part of the text can be anything.
func (t Text) Unknown() bool { return has(t, "\xff") }

func has(t Text, any string) bool {
	for i := 0; i < len(t); i++ {
		if t[i] >= Here && strings.IndexByte(any, t[i]) >= 0 {
			return true
		}
	}
	return false
}

// String shows the text to a person.
func (t Text) String() string {
	if t.Plain() {
		return string(t)
	}
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case Any:
			b.WriteString("…")
		case Star, StarDot:
			b.WriteByte('*')
		case One:
			b.WriteByte('?')
		case Set:
			b.WriteByte('[')
		case SetEnd:
			b.WriteByte(']')
		case Home:
			b.WriteByte('~')
		case Deep, DeepDot:
			b.WriteString("**")
		case Root:
			b.WriteString("${PROJECT}")
		case Here:
			b.WriteByte('.')
		default:
			b.WriteByte(t[i])
		}
	}
	return b.String()
}

// Base is the last name of a path.
func (t Text) Base() Text {
	s := strings.TrimRight(string(t), "/")
	return Text(s[strings.LastIndexByte(s, '/')+1:])
}

// dir is the folder of a path, "." for a bare name.
func (t Text) dir() Text {
	s := strings.TrimRight(string(t), "/")
	switch i := strings.LastIndexByte(s, '/'); {
	case i < 0:
		return "."
	case i == 0:
		return "/"
	default:
		return Text(s[:i])
	}
}

// rooted reports whether a path does not hang on the folder it is used in. What
// begins with anything at all may.
func (t Text) rooted() bool {
	return t != "" && (t[0] == '/' || t[0] == Home || t[0] == Root || t[0] == Here || len(t) > 2 && t[1] == ':' && (t[2] == '/' || t[2] == '\\'))
}

// in is the path as seen from the event's folder, when it is used in dir.
func (t Text) in(dir Text) Text {
	if dir == "" || t.rooted() {
		return t
	}
	return join(dir, t)
}

func join(dir, name Text) Text {
	if dir == "" || strings.HasSuffix(string(dir), "/") {
		return dir + name
	}
	return dir + "/" + name
}

// split cuts a text at white space, as the shell and xargs do.
func split(t Text) (words []Text) {
	for _, f := range strings.FieldsFunc(string(t), func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == 0 }) {
		words = append(words, Text(f))
	}
	return words
}

// lines cuts a text at line ends.
func lines(t Text) []Text {
	var out []Text
	for l := range strings.SplitSeq(strings.TrimRight(string(t), "\n"), "\n") {
		out = append(out, Text(l))
	}
	return out
}

// globs turns the unquoted pattern characters of a text into marks.
func globs(s string) string {
	if !strings.ContainsAny(s, "*?[") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '*':
			if strings.HasPrefix(s[i:], "**/") && (i == 0 || s[i-1] == '/') {
				b.WriteByte(Deep)
				i++
				continue
			}
			b.WriteByte(Star)
		case '?':
			b.WriteByte(One)
		case '[':
			set, n := class(s[i:])
			if n == 0 {
				b.WriteByte(c)
				continue
			}
			b.WriteString(set)
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// class reads a set of characters at the beginning of s; n is 0 when it is none.
func class(s string) (set string, n int) {
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	end := strings.IndexByte(s[min(i+1, len(s)):], ']')
	if end < 0 {
		return "", 0
	}
	end += i + 1
	body := s[1:end]
	if strings.Contains(body, "[:") || strings.Contains(body, "/") || has(Text(body), marks) {
		return string([]byte{One}), classEnd(s, end)
	}
	if body[0] == '^' {
		body = "!" + body[1:]
	}
	return string([]byte{Set}) + body + string([]byte{SetEnd}), end + 1
}

// classEnd is where a set with a named class such as [[:alpha:]] ends.
func classEnd(s string, end int) int {
	if s[end-1] == ':' && end+1 < len(s) {
		if more := strings.IndexByte(s[end+1:], ']'); more >= 0 {
			return end + 1 + more + 1
		}
	}
	return end + 1
}

// Quote writes words as a command line that a shell reads as these words.
func Quote(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
