package manifests

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// ErrByHand says that a YAML text is written in a way in which nothing can be put
// in without changing what a person wrote.
var ErrByHand = errors.New("cannot be added to as it is written; add this by hand")

// AddCounterExample puts one counter-example at the end of the list of a gate
// file, a whole gate or a patch, and leaves every other byte as it is. name is the
// file's path in the bundle, lang the example's language.
func AddCounterExample(name string, text []byte, lang, example string) ([]byte, error) {
	keys := []string{"judge", "counter_examples", lang}
	if isPatch(text) {
		keys[0] = "add"
	} else if g, err := ParseGate(name, text); err != nil {
		return nil, err
	} else if g.Judge == nil {
		return nil, fmt.Errorf("%s: the gate has no judge, and so no counter-examples", name)
	}
	out, err := appendTo(text, keys, quoted(example))
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w: %s", name, strings.Join(keys, "."), err, quoted(example))
	}
	if isPatch(text) {
		_, err = ParsePatch(name, out)
	} else {
		_, err = ParseGate(name, out)
	}
	return out, err
}

// NewPatch is a patch that adds one counter-example to an embedded gate.
func NewPatch(id, lang, example string) []byte {
	return []byte(fmt.Sprintf("schema: %d\nid: %s\nextends: %s\nadd:\n  counter_examples:\n    %s:\n      - %s\n", Schema, id, ExtendsEmbedded, lang, quoted(example)))
}

// AddDemotion puts a demotion into the text of config.yaml.
func AddDemotion(text []byte, d Demotion) ([]byte, error) {
	item := fmt.Sprintf("{gate: %s, bundle: %s, decision: %s}", quoted(d.Gate), quoted(d.Bundle), quoted(d.Decision))
	out, err := appendTo(text, []string{"demote"}, item)
	if err != nil {
		return nil, fmt.Errorf("config.yaml, demote: %w: %s", err, item)
	}
	_, err = ParseConfig(out)
	return out, err
}

// quoted is a one-line string as YAML.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// appendTo puts an item, a value of one line, at the end of the list that keys
// lead to from the top; what is missing on the way is made. It is the text that
// is changed: comments, order and style stay. The outcome is read again, and must
// mean the old value with the item and nothing else.
func appendTo(text []byte, keys []string, item string) (_ []byte, err error) {
	defer caught(&err, "YAML")
	var before, after, value any
	if err := unmarshal(text, &before); err != nil {
		return nil, errors.New(yaml.FormatError(err, false, false))
	}
	out, err := insert(string(text), keys, item)
	if err != nil {
		return nil, err
	}
	err = errors.Join(unmarshal([]byte(out), &after), unmarshal([]byte(item), &value))
	if want, ok := with1(before, keys, value); err != nil || !ok || !reflect.DeepEqual(after, want) {
		return nil, ErrByHand
	}
	return []byte(out), nil
}

// with1 is v with one value more at the end of a list in it.
func with1(v any, keys []string, item any) (any, bool) {
	if len(keys) == 0 {
		list, ok := v.([]any)
		return append(list, item), ok || v == nil
	}
	m, ok := v.(map[string]any)
	if v == nil {
		m, ok = map[string]any{}, true
	}
	if !ok {
		return nil, false
	}
	m[keys[0]], ok = with1(m[keys[0]], keys[1:], item)
	return m, ok
}

func insert(text string, keys []string, item string) (string, error) {
	f, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		return "", errors.New(yaml.FormatError(err, false, false))
	}
	if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
		return "", ErrByHand // ends a line in YAML, and hardly anywhere else
	}
	t := newLines(text)
	if len(f.Docs) == 0 || f.Docs[0].Body == nil || f.Docs[0].Body.Type() == ast.CommentType {
		return t.after(len(t.lines), block(keys, 0, item)), nil
	}
	node := f.Docs[0].Body
	for i := 0; ; i++ {
		m, ok := node.(ast.MapNode)
		if !ok {
			return "", ErrByHand
		}
		flow, isMap := node.(*ast.MappingNode)
		next := valueOf(m, keys[i])
		switch {
		case next == nil && isMap && flow.IsFlowStyle:
			return t.before(flow.End.Position.Line, flow.End.Position.Column, '}', len(flow.Values) > 0, flowed(keys[i:], item))
		case next == nil:
			first := m.MapRange()
			if !first.Next() {
				return "", ErrByHand
			}
			p := first.Key().GetToken().Position
			return t.after(t.end(p.Line, p.Column, false), block(keys[i:], p.Column-1, item)), nil
		case i < len(keys)-1:
			node = next
			continue
		}
		return t.append(next, item)
	}
}

// append puts an item into the list that node is.
func (t *textLines) append(node ast.Node, item string) (string, error) {
	list, ok := node.(*ast.SequenceNode)
	switch {
	case !ok:
		return "", ErrByHand
	case list.IsFlowStyle:
		return t.before(list.End.Position.Line, list.End.Position.Column, ']', len(list.Values) > 0, item)
	case len(list.Values) == 0:
		return "", ErrByHand
	}
	p := list.Start.Position
	return t.after(t.end(p.Line, p.Column, true), strings.Repeat(" ", p.Column-1)+"- "+item), nil
}

// valueOf is the value of a key, nil when the key is not there.
func valueOf(m ast.MapNode, key string) ast.Node {
	for it := m.MapRange(); it.Next(); {
		if it.Key().GetToken().Value == key {
			return it.Value()
		}
	}
	return nil
}

// block words an item below keys that are not there yet, each a line deeper.
func block(keys []string, indent int, item string) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(strings.Repeat(" ", indent) + k + ":\n")
		indent += 2
	}
	b.WriteString(strings.Repeat(" ", indent) + "- " + item)
	return b.String()
}

// flowed is the same within braces.
func flowed(keys []string, item string) string {
	s := "[" + item + "]"
	for i := len(keys) - 1; i >= 0; i-- {
		if s = keys[i] + ": " + s; i > 0 {
			s = "{" + s + "}"
		}
	}
	return s
}

// textLines is a text by its lines, each with its end.
type textLines struct {
	lines []string
	eol   string
}

func newLines(text string) *textLines {
	t := &textLines{eol: "\n"}
	for l := range strings.Lines(text) {
		t.lines = append(t.lines, l)
	}
	if strings.Contains(text, "\r\n") {
		t.eol = "\r\n"
	}
	return t
}

// end is the last line of the block that begins in a line (1-based) at a column: of
// the list when dash is set, else of the mapping. What is indented as far as it
// belongs to it; a comment behind it only when it is indented farther.
func (t *textLines) end(line, column int, dash bool) int {
	last := line
	for n := line + 1; n <= len(t.lines); n++ {
		s := strings.TrimRight(t.lines[n-1], " \t\r\n")
		body := strings.TrimLeft(s, " ")
		indent := len(s) - len(body)
		level := indent == column-1 && (!dash || strings.HasPrefix(body, "-"))
		switch {
		case body == "" || level && strings.HasPrefix(body, "#"):
			continue
		case indent == 0 && (strings.HasPrefix(body, "---") || strings.HasPrefix(body, "...")),
			indent < column-1, indent == column-1 && !level:
			return last
		}
		last = n
	}
	return last
}

// after puts lines after line n.
func (t *textLines) after(n int, more string) string {
	n = min(n, len(t.lines))
	head := strings.Join(t.lines[:n], "")
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += t.eol
	}
	return head + strings.ReplaceAll(more, "\n", t.eol) + t.eol + strings.Join(t.lines[n:], "")
}

// before puts a piece before the closing bracket at a place, in characters.
func (t *textLines) before(line, column int, closing byte, others bool, piece string) (string, error) {
	if line < 1 || line > len(t.lines) {
		return "", ErrByHand
	}
	at, s := 0, t.lines[line-1]
	for range column - 1 {
		_, w := utf8.DecodeRuneInString(s[at:])
		at += w
	}
	if at >= len(s) || s[at] != closing {
		return "", ErrByHand
	}
	head := strings.TrimRight(s[:at], " ")
	space := s[len(head):at]
	if head == "" && line > 1 {
		return t.ownLine(line, piece), nil
	}
	switch {
	case strings.HasSuffix(head, ","):
		piece = " " + piece
	case others:
		piece = ", " + piece
	}
	return strings.Join(t.lines[:line-1], "") + head + piece + space + s[at:] + strings.Join(t.lines[line:], ""), nil
}

// ownLine puts a piece into a line of its own before line n, which holds nothing
// before the closing bracket. A comment in the line before makes that no YAML that
// means the same, and is refused in the end.
func (t *textLines) ownLine(n int, piece string) string {
	prev := strings.TrimRight(t.lines[n-2], " \r\n")
	indent := prev[:len(prev)-len(strings.TrimLeft(prev, " "))]
	comma := strings.HasSuffix(prev, ",")
	if !comma {
		prev += ","
	} else {
		piece += ","
	}
	return strings.Join(t.lines[:n-2], "") + prev + t.eol + indent + piece + t.eol + strings.Join(t.lines[n-1:], "")
}
