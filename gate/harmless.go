package gate

import (
	"slices"
	"strings"
)

// Harmless reports whether a shell command line is so plain that it can be told at
// a glance to change no file and to run nothing that is guarded: words without
// escapes, substitutions or here-documents, in which every command is one of a
// short list that only reads, and output that goes to another command, to the
// screen or to /dev/null. It errs towards no; the full analysis then looks.
func Harmless(line string) bool {
	s := plainScan{line: line}
	for s.pos < len(line) {
		if !s.next() {
			return false
		}
	}
	return s.end()
}

// plainScan goes over a line once.
type plainScan struct {
	line  string
	pos   int
	words []string // of the command so far, without quotes
	word  []byte
	open  bool // a word has begun
	bare  bool // and nothing in it was quoted or expanded
}

// next takes one character or quoted string; false: the line is not plain.
func (s *plainScan) next() bool {
	c := s.line[s.pos]
	rest := s.line[s.pos:]
	switch {
	case c == ' ' || c == '\t':
		s.pos++
		s.close()
	case c == '\'' || c == '"':
		end := strings.IndexByte(rest[1:], c)
		if end < 0 || c == '"' && strings.ContainsAny(rest[1:1+end], "\\`") || c == '"' && strings.Contains(rest[1:1+end], "$(") {
			return false
		}
		s.add(rest[1:1+end], false)
		s.pos += end + 2
	case c == ';' || c == '\n' || c == '|' || c == '&':
		if n := quietOutput(rest); n > 0 {
			s.pos += n
			return true
		}
		if strings.HasPrefix(rest, "&>") || strings.HasPrefix(rest, "|&") {
			return false
		}
		s.pos++
		return s.end()
	case c == '>' || (c == '1' || c == '2') && !s.open:
		if n := quietOutput(rest); n > 0 {
			s.close()
			s.pos += n
			return true
		}
		if c == '>' || len(rest) > 1 && rest[1] == '>' {
			return false
		}
		s.add(rest[:1], true)
		s.pos++
	case c == '$':
		if len(rest) > 1 && strings.IndexByte("('\"[", rest[1]) >= 0 || strings.HasPrefix(rest, "${") {
			return false
		}
		s.add("$", false)
		s.pos++
	case c < ' ' || c >= 0x7f || strings.IndexByte("\\`(){}<#!", c) >= 0:
		return false
	default:
		s.add(rest[:1], strings.IndexByte("*?[]~=", c) < 0)
		s.pos++
	}
	return true
}

// quietOutput is the length of a redirection that writes no file.
func quietOutput(s string) int {
	for _, r := range []string{"2>&1", "1>&2", ">&2", ">&1", "2>/dev/null", "2> /dev/null", "1>/dev/null", ">/dev/null", "> /dev/null", "&>/dev/null", "&> /dev/null"} {
		if strings.HasPrefix(s, r) && (len(s) == len(r) || strings.IndexByte(" \t\n;|&", s[len(r)]) >= 0) {
			return len(r)
		}
	}
	return 0
}

func (s *plainScan) add(text string, bare bool) {
	if !s.open {
		s.open, s.bare = true, true
	}
	s.bare = s.bare && bare
	s.word = append(s.word, text...)
}

func (s *plainScan) close() {
	if !s.open {
		return
	}
	w := string(s.word)
	if len(s.words) == 0 && !s.bare { // the program must be written out
		w = "?"
	}
	s.words = append(s.words, w)
	s.word, s.open = s.word[:0], false
}

// end ends a command; false: it is not one of the list.
func (s *plainScan) end() bool {
	s.close()
	words := s.words
	s.words = s.words[:0]
	return len(words) == 0 || OnlyReads(words)
}

// readers are programs that change no file whatever their arguments are.
const readers = " ls cat head tail wc grep egrep fgrep echo printf pwd which true false test sleep cut tr basename dirname stat du df ps uname whoami id diff cmp nl seq jq cd type printenv column rev "

// OnlyReads reports whether a command, by its words, is one of those that
// [Harmless] lets pass. A guard for one of them has to wake the gate.
func OnlyReads(words []string) bool {
	name := words[0]
	if strings.Contains(readers, " "+name+" ") {
		return true
	}
	sub := ""
	if len(words) > 1 {
		sub = words[1]
	}
	switch name {
	case "git":
		return strings.Contains(" status log diff show rev-parse ls-files blame describe shortlog rev-list ", " "+sub+" ") && !slices.ContainsFunc(words, writingFlag)
	case "go":
		return strings.Contains(" test vet list version doc ", " "+sub+" ") && !slices.ContainsFunc(words, writingFlag)
	case "rg":
		return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--pre") || strings.HasPrefix(w, "--hostname-bin") })
	}
	return false
}

// writingFlag finds the options by which these programs write files or run others.
func writingFlag(w string) bool {
	if !strings.HasPrefix(w, "-") {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
	switch name {
	case "o", "c", "C", "exec", "toolexec", "vettool", "trace", "outputdir", "ext-diff", "textconv", "fuzz":
		return true
	}
	return strings.HasSuffix(name, "profile") || strings.HasPrefix(w, "--ou") || strings.HasPrefix(w, "-o")
}
