package settings

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// InlineError says that hooks stand in a TOML file as inline values, which are not
// edited: the agent ties a user's trust to the place of each, and an inline array
// cannot be added to from elsewhere.
type InlineError struct {
	Path string // hooks.Stop
	Line int
}

func (e *InlineError) Error() string {
	return fmt.Sprintf("line %d: %s: hooks written as an inline value are not edited; write them as [[hooks.<Event>]]", e.Line, e.Path)
}

// span is a part of the text.
type span struct{ from, to int }

// tomlField is one "name = value" line.
type tomlField struct {
	name  string // a dotted key joined
	value span
	whole span   // from the key to the end of the value
	text  string // of a string, decoded
	kind  unstable.Kind
}

// tomlHook is one [[hooks.<event>.hooks]], or a [[hooks.<event>]] as its group.
type tomlHook struct {
	event  string
	header span // with its brackets
	fields []tomlField
	group  *tomlHook   // nil for a group
	hooks  []*tomlHook // of a group
	index  int         // in the event, or in the group
	below  bool        // a table stands below it
}

// tomlDoc is a parsed file. As with [doc], every edit splices the text and parses
// it again.
type tomlDoc struct {
	src    []byte
	eol    string
	groups []*tomlHook
	inline map[string]int // event, or "" for all, to the line of an inline value
	tree   Tree
}

func parseTOML(src []byte) (*tomlDoc, error) {
	d := &tomlDoc{eol: eolOf(src)}
	if err := d.load(src); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *tomlDoc) load(src []byte) error {
	tree, err := ParseTOML(src) // which judges the text
	if err != nil {
		return err
	}
	d.src, d.groups, d.inline, d.tree = src, nil, map[string]int{}, tree
	p := unstable.Parser{}
	p.Reset(src)
	r := tomlReader{d: d}
	for p.NextExpression() {
		r.expression(p.Expression())
	}
	return p.Error()
}

// tomlReader goes through a file from header to header.
type tomlReader struct {
	d     *tomlDoc
	table []string  // of the last header
	open  *tomlHook // what the fields belong to; nil = nothing of ours
}

func (r *tomlReader) expression(e *unstable.Node) {
	key, at := keyOf(e)
	switch e.Kind {
	case unstable.Table:
		r.table, r.open = key, nil
		r.below(key)
	case unstable.ArrayTable:
		r.table, r.open = key, nil
		r.arrayTable(key, at)
	case unstable.KeyValue:
		v := e.Value()
		f := tomlField{name: strings.Join(key, "."), kind: v.Kind, whole: spanOf(e.Raw), value: spanOf(v.Raw)}
		if v.Kind == unstable.String {
			f.text = string(v.Data)
		}
		if v.Kind == unstable.Array || v.Kind == unstable.InlineTable { // their own range is empty
			f.value = span{at.to, f.whole.to}
		}
		if r.open != nil {
			r.open.fields = append(r.open.fields, f)
		}
		r.noteInline(append(r.table[:len(r.table):len(r.table)], key...), at.from)
	}
}

// keyOf is a key and where it stands.
func keyOf(e *unstable.Node) (key []string, at span) {
	if e.Kind == unstable.Comment {
		return nil, at
	}
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if key == nil {
			at.from = int(n.Raw.Offset)
		}
		key, at.to = append(key, string(n.Data)), int(n.Raw.Offset+n.Raw.Length)
	}
	return key, at
}

func spanOf(r unstable.Range) span { return span{int(r.Offset), int(r.Offset + r.Length)} }

func (r *tomlReader) arrayTable(key []string, at span) {
	if len(key) < 2 || key[0] != "hooks" || key[1] == trustTable {
		return
	}
	last := r.last(key[1])
	switch {
	case len(key) == 2:
		n := 0
		if last != nil {
			n = last.index + 1
		}
		r.open = &tomlHook{event: key[1], header: r.brackets(at), index: n}
		r.d.groups = append(r.d.groups, r.open)
	case len(key) == 3 && key[2] == "hooks" && last != nil:
		r.open = &tomlHook{event: key[1], header: r.brackets(at), group: last, index: len(last.hooks)}
		last.hooks = append(last.hooks, r.open)
	default:
		r.below(key)
	}
}

// trustTable holds what a user has approved in Codex. It stands below hooks and is
// no event.
const trustTable = "state"

// below notes a table that belongs to a hook or a group.
func (r *tomlReader) below(key []string) {
	if len(key) < 3 || key[0] != "hooks" {
		return
	}
	if g := r.last(key[1]); g != nil {
		g.below = true
		if n := len(g.hooks); n > 0 && key[2] == "hooks" {
			g.hooks[n-1].below = true
		}
	}
}

func (r *tomlReader) last(event string) *tomlHook {
	for i := len(r.d.groups) - 1; i >= 0; i-- {
		if r.d.groups[i].event == event {
			return r.d.groups[i]
		}
	}
	return nil
}

// brackets is the header around a key.
func (r *tomlReader) brackets(key span) span {
	src := r.d.src
	return span{bytes.LastIndexByte(src[:key.from], '\n') + 1, key.to + bytes.Index(src[key.to:], []byte("]]")) + 2}
}

// noteInline notes a value that holds hooks of an event.
func (r *tomlReader) noteInline(key []string, at int) {
	if key[0] != "hooks" || len(key) > 1 && key[1] == trustTable || r.open != nil {
		return
	}
	event := ""
	if len(key) > 1 {
		event = key[1]
	}
	if _, ok := r.d.inline[event]; !ok {
		r.d.inline[event] = lineAt(r.d.src, at)
	}
}

// splice replaces a part of the text and parses anew.
func (d *tomlDoc) splice(at span, text string) error {
	out := make([]byte, 0, len(d.src)+len(text))
	out = append(append(append(out, d.src[:at.from]...), text...), d.src[at.to:]...)
	return d.load(out)
}

// field finds a field by its name.
func (h *tomlHook) field(name string) (tomlField, bool) {
	for _, f := range h.fields {
		if f.name == name {
			return f, true
		}
	}
	return tomlField{}, false
}

// command is the hook's command line.
func (h *tomlHook) command() string {
	f, _ := h.field("command")
	return f.text
}

// everything reports whether a group's matcher, if any, is met by every event.
func (h *tomlHook) everything() bool {
	f, ok := h.field("matcher")
	return !ok || f.kind == unstable.String && (f.text == "" || f.text == "*")
}
