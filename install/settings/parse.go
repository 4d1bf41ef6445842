package settings

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// maxDepth bounds the nesting of arrays and objects. Settings nest five deep;
// the parser calls itself, and its stack must not be the sender's to choose.
const maxDepth = 100

// SyntaxError says that a file is neither JSON nor JSON with comments.
type SyntaxError struct {
	Line, Column int // from 1, the column in bytes
	What         string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

// TypeError says that a value has a type that has no meaning in its place.
type TypeError struct {
	Path string // hooks.Stop[0]; "" = the whole file
	Line int
	Want string
	Got  string
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("line %d: %sexpected %s, found %s", e.Line, prefix(e.Path), e.Want, e.Got)
}

// DuplicateError says that a name stands twice in one object. Which of the two
// the agent reads is not ours to guess.
type DuplicateError struct {
	Path        string // of the second
	Line, First int
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("line %d: %sduplicate key, first on line %d", e.Line, prefix(e.Path), e.First)
}

// DepthError says that arrays and objects nest too deep.
type DepthError struct{ Line int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("line %d: nested more than %d deep", e.Line, maxDepth)
}

func prefix(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

func typeError(src []byte, off int, path, want string, got hujson.ValueTrimmed) *TypeError {
	return &TypeError{Path: path, Line: lineAt(src, off), Want: want, Got: typeName(got)}
}

func typeName(v hujson.ValueTrimmed) string {
	switch v.Kind() {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case '0':
		return "number"
	case 'n':
		return "null"
	default:
		return "boolean"
	}
}

// lineAt is the line of an offset, from 1.
func lineAt(src []byte, off int) int { return 1 + bytes.Count(src[:off], []byte("\n")) }

// parseValue parses JSON with comments and trailing commas.
func parseValue(src []byte) (hujson.Value, error) {
	if line := tooDeep(src); line > 0 {
		return hujson.Value{}, &DepthError{Line: line}
	}
	v, err := hujson.Parse(src)
	if err == nil {
		return v, nil
	}
	// A line comment at the very end needs a line end for the parser; offsets
	// before it stay what they are.
	if v, err := hujson.Parse(append(src[:len(src):len(src)], '\n')); err == nil {
		return v, nil
	}
	e := &SyntaxError{Line: 1, Column: 1, What: err.Error()}
	text := strings.TrimPrefix(e.What, "hujson: ")
	if n, _ := fmt.Sscanf(text, "line %d, column %d:", &e.Line, &e.Column); n == 2 {
		_, e.What, _ = strings.Cut(text, ": ")
	}
	if strings.HasPrefix(e.What, "invalid literal") { // goes on to quote it, however long
		e.What = "invalid literal"
	}
	e.What = strings.Replace(e.What, "unexpected EOF", "the file ends too early", 1)
	return hujson.Value{}, e
}

// tooDeep is the line on which the nesting passes maxDepth, or 0. It knows
// strings and comments and needs no stack.
func tooDeep(src []byte) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '/':
			i = skipComment(src, i)
		case '{', '[':
			if depth++; depth > maxDepth {
				return lineAt(src, i)
			}
		case '}', ']':
			depth--
		}
	}
	return 0
}

// skipComment is the offset of the last byte of the comment that begins at i,
// or i when none does.
func skipComment(src []byte, i int) int {
	var end string
	switch {
	case bytes.HasPrefix(src[i:], []byte("//")):
		end = "\n"
	case bytes.HasPrefix(src[i:], []byte("/*")):
		end = "*/"
	default:
		return i
	}
	n := bytes.Index(src[i+2:], []byte(end))
	if n < 0 {
		return len(src)
	}
	return i + 2 + n + len(end) - 1
}

// unique refuses a name that stands twice in obj itself.
func unique(src []byte, path string, obj *hujson.Object) error {
	first := make(map[string]int, len(obj.Members))
	for i := range obj.Members {
		name := &obj.Members[i].Name
		key := name.Value.(hujson.Literal).String()
		line := lineAt(src, name.StartOffset)
		if l, ok := first[key]; ok {
			return &DuplicateError{Path: join(path, key), Line: line, First: l}
		}
		first[key] = line
	}
	return nil
}

// uniqueBelow refuses it in v and everything below.
func uniqueBelow(src []byte, path string, v *hujson.Value) error {
	switch c := v.Value.(type) {
	case *hujson.Object:
		if err := unique(src, path, c); err != nil {
			return err
		}
		for i := range c.Members {
			m := &c.Members[i]
			if err := uniqueBelow(src, join(path, m.Name.Value.(hujson.Literal).String()), &m.Value); err != nil {
				return err
			}
		}
	case *hujson.Array:
		for i := range c.Elements {
			if err := uniqueBelow(src, fmt.Sprintf("%s[%d]", path, i), &c.Elements[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
