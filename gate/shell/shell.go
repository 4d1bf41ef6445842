// Package shell reads a command line as a shell would and tells which files it
// writes. It runs nothing. So far it knows plain redirections; a word that only
// the shell can expand is not told.
package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxMarks bounds what may begin another level in a command line that is parsed.
// The parser calls itself for each level, and a stack that runs over ends the
// program. As many as this can take a quarter of a second already.
const maxMarks = 16 << 10

// Readable reports whether a command line can be parsed without harm: whether it
// can hold no more than 16 Ki levels.
func Readable(line string) bool {
	if len(line) <= maxMarks {
		return true
	}
	n := 0
	for i := 0; i < len(line); i++ {
		if c := line[i]; c > ' ' && c < 0x7f && !alnum(c) {
			n++
		}
	}
	for _, word := range []string{"if", "while", "until", "for", "select", "case", "do", "time", "coproc", "function"} {
		n += strings.Count(line, word)
	}
	return n <= maxMarks
}

func alnum(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// Redirections lists the files that a bash command line writes by redirection,
// as the words name them. bash runs the statements before one that is broken, so
// those count in a line that is no valid bash; of the rest, and of a line that is
// not [Readable], there are none.
func Redirections(line string) []string {
	if !strings.Contains(line, ">") || !Readable(line) {
		return nil
	}
	var out []string
	for stmt, err := range syntax.NewParser(syntax.Variant(syntax.LangBash)).StmtsSeq(strings.NewReader(line)) {
		if err != nil {
			continue // the parser ends by itself, and yields on to a loop that was left
		}
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if r, ok := n.(*syntax.Redirect); ok {
				if name, ok := word(r.Word); ok && writes(r.Op, name) {
					out = append(out, name)
				}
			}
			return true
		})
	}
	return out
}

func writes(op syntax.RedirOperator, name string) bool {
	switch op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
		return true
	case syntax.DplOut: // >&2 and >&- name a descriptor, >&file a file
		return strings.Trim(name, "0123456789-") != ""
	}
	return false
}

// word is the text of a word without expansions but for $HOME, which is told as
// a leading tilde.
func word(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", false
	}
	var b strings.Builder
	for i, part := range w.Parts {
		if !appendPart(&b, part, i == 0) {
			return "", false
		}
	}
	return b.String(), b.Len() > 0
}

func appendPart(b *strings.Builder, part syntax.WordPart, first bool) bool {
	switch p := part.(type) {
	case *syntax.Lit:
		b.WriteString(unescape(p.Value))
	case *syntax.SglQuoted:
		b.WriteString(p.Value)
	case *syntax.DblQuoted:
		for i, inner := range p.Parts {
			if !appendPart(b, inner, first && i == 0) {
				return false
			}
		}
	case *syntax.ParamExp:
		if !first || p.Param == nil || p.Param.Value != "HOME" || p.Exp != nil || p.Slice != nil || p.Repl != nil {
			return false
		}
		b.WriteString("~")
	default:
		return false
	}
	return true
}

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
