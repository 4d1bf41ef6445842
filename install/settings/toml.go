package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Codex's hooks in config.toml are [[hooks.Stop]] with [[hooks.Stop.hooks]] below
// it. A user's trust in a hook hangs on its place among the others, so that ours
// are written at the end of the file and nothing is ever moved.

func registerTOML(src []byte, ours Ours, entries []Entry) (Result, error) {
	text, bom := cutBOM(src)
	d, err := parseTOML(text)
	if err != nil {
		return Result{}, err
	}
	for _, e := range entries {
		if err := recognised(e.Command, ours); err != nil {
			return Result{}, err
		}
		if err := d.register(e, ours); err != nil {
			return Result{}, err
		}
	}
	return Result{Out: marked(d.src, bom)}, nil
}

// marked puts a byte order mark back: Codex reads a file with one.
func marked(src []byte, bom bool) []byte {
	if bom {
		return append([]byte(BOM), src...)
	}
	return src
}

func removeTOML(src []byte, ours Ours) ([]byte, error) {
	text, bom := cutBOM(src)
	d, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	for found := false; ; found = true {
		if err := d.inlineOwn("", ours); err != nil {
			return nil, err
		}
		all := d.own("", ours)
		switch {
		case len(all) == 0 && !found:
			return src, nil
		case len(all) == 0:
			return append([]byte{}, marked(d.src, bom)...), nil // not nil: an empty file is a file
		}
		if err := d.remove(all[0]); err != nil {
			return nil, err
		}
	}
}

func blankTOML(src []byte) bool {
	text, _ := cutBOM(src)
	return isSpace(text)
}

func listTOML(src []byte, ours Ours) ([]Registration, error) {
	text, _ := cutBOM(src)
	d, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	var found []Registration
	for _, h := range d.hooks() {
		r := Registration{
			Path: fmt.Sprintf("hooks.%s[%d].hooks[%d]", h.event, h.group.index, h.index), Line: lineAt(text, h.header.from), Offset: h.header.from,
			Event: h.event, Command: h.command(), Own: ours(h.command(), nil),
		}
		if m, ok := h.group.field("matcher"); ok {
			r.Matcher = m.text
		}
		if t, ok := h.field("type"); ok {
			r.Type = t.text
		}
		if t, ok := h.field("timeout"); ok {
			r.Timeout, _ = strconv.ParseFloat(string(text[t.value.from:t.value.to]), 64)
		}
		found = append(found, r)
	}
	for _, c := range d.inlineCommands() {
		found = append(found, Registration{
			Path: "hooks." + c.event, Line: d.inlineLine(c.event), Event: c.event, Type: "command", Command: c.line, Own: ours(c.line, nil),
		})
	}
	return found, nil
}

// hooks are all that are written as tables, in the order of the file.
func (d *tomlDoc) hooks() (all []*tomlHook) {
	for _, g := range d.groups {
		all = append(all, g.hooks...)
	}
	return all
}

// own are ours; event "" means every event.
func (d *tomlDoc) own(event string, ours Ours) []*tomlHook {
	return slices.DeleteFunc(d.hooks(), func(h *tomlHook) bool {
		return event != "" && h.event != event || !ours(h.command(), nil)
	})
}

// inlineCommand is a command line that stands in an inline value.
type inlineCommand struct{ event, line string }

// inlineCommands are those that the file holds beyond the ones in tables.
func (d *tomlDoc) inlineCommands() (all []inlineCommand) {
	tables := map[inlineCommand]int{}
	for _, h := range d.hooks() {
		tables[inlineCommand{h.event, h.command()}]++
	}
	events := d.tree.Member("hooks")
	if !events.Is(Object) {
		return nil
	}
	for i, event := range events.Names {
		for _, g := range events.Kids[i].tables() {
			for _, h := range g.Member("hooks").tables() {
				c := inlineCommand{event: event.Text}
				if line := h.Member("command"); line.Is(String) {
					c.line = line.Text
				}
				if tables[c]--; tables[c] < 0 {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// tables are those of an array.
func (n *Node) tables() []*Node {
	if !n.Is(Array) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(n.Kids), func(k *Node) bool { return k.Kind != Object })
}

// inlineOwn is an error when hookctl stands in an inline value.
func (d *tomlDoc) inlineOwn(event string, ours Ours) error {
	for _, c := range d.inlineCommands() {
		if (event == "" || c.event == event) && ours(c.line, nil) {
			return &InlineError{Path: "hooks." + c.event, Line: d.inlineLine(c.event)}
		}
	}
	return nil
}

// inlineLine is the line of an event's inline value, of the first group that may
// hold one, or 1.
func (d *tomlDoc) inlineLine(event string) int {
	for _, key := range []string{event, ""} {
		if line, ok := d.inline[key]; ok {
			return line
		}
	}
	for _, g := range d.groups {
		if f, ok := g.field("hooks"); ok && g.event == event {
			return lineAt(d.src, f.whole.from)
		}
	}
	return 1
}

func (d *tomlDoc) register(e Entry, ours Ours) error {
	for _, key := range []string{e.Event, ""} {
		if line, ok := d.inline[key]; ok {
			return &InlineError{Path: strings.TrimSuffix("hooks."+key, "."), Line: line}
		}
	}
	if err := d.inlineOwn(e.Event, ours); err != nil {
		return err
	}
	kept := func() int {
		return slices.IndexFunc(d.own(e.Event, ours), func(h *tomlHook) bool { return h.group.everything() })
	}
	if kept() < 0 {
		if err := d.appendGroup(e); err != nil {
			return err
		}
	}
	for all := d.own(e.Event, ours); len(all) > 1; all = d.own(e.Event, ours) {
		victim := 0
		if kept() == 0 {
			victim = 1
		}
		if err := d.remove(all[victim]); err != nil {
			return err
		}
	}
	return d.update(e, ours)
}

// tomlLines are the fields of a hook of ours.
func (e Entry) tomlLines() []field {
	return []field{{"type", node{lit: quote("command")}}, {"command", node{lit: quote(e.Command)}}, {"timeout", node{lit: strconv.Itoa(e.Timeout)}}}
}

// quote is a basic string: JSON's escapes are TOML's as well.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// appendGroup writes a group with one hook at the end, after an empty line. A file
// without a line end at its end gets none.
func (d *tomlDoc) appendGroup(e Entry) error {
	lines := []string{"[[hooks." + e.Event + "]]", "[[hooks." + e.Event + ".hooks]]"}
	for _, f := range e.tomlLines() {
		lines = append(lines, f.name+" = "+f.want.lit)
	}
	text := strings.Join(lines, d.eol)
	switch {
	case len(d.src) == 0:
		text += d.eol
	case bytes.HasSuffix(d.src, []byte("\n")):
		text = d.eol + text + d.eol
	default:
		text = d.eol + d.eol + text
	}
	return d.splice(span{len(d.src), len(d.src)}, text)
}

// update makes our one hook of the event what e says.
func (d *tomlDoc) update(e Entry, ours Ours) error {
	hook := func() *tomlHook { return d.own(e.Event, ours)[0] }
	for _, want := range e.tomlLines() {
		h := hook()
		f, ok := h.field(want.name)
		var err error
		switch {
		case !ok:
			at := h.header.to
			if n := len(h.fields); n > 0 {
				at = h.fields[n-1].whole.to
			}
			at = d.line(at).to
			text := want.name + " = " + want.want.lit + d.eol
			if at == len(d.src) && !bytes.HasSuffix(d.src, []byte("\n")) {
				text = d.eol + strings.TrimSuffix(text, d.eol)
			}
			err = d.splice(span{at, at}, text)
		case f.kind == unstable.String && quote(f.text) != want.want.lit,
			f.kind != unstable.String && string(d.src[f.value.from:f.value.to]) != want.want.lit:
			err = d.splice(f.value, want.want.lit)
		}
		if err != nil {
			return wrote(err)
		}
	}
	for _, name := range []string{"async", "commandWindows", "command_windows"} {
		if f, ok := hook().field(name); ok {
			if err := d.cut([]span{f.whole}, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove takes one hook away, and the group that it leaves empty.
func (d *tomlDoc) remove(h *tomlHook) error {
	if h.below {
		return &InlineError{Path: "hooks." + h.event, Line: lineAt(d.src, h.header.from)}
	}
	whole := []span{h.header}
	for _, f := range h.fields {
		whole = append(whole, f.whole)
	}
	_, inline := h.group.field("hooks")
	alone := len(h.group.hooks) == 1 && !h.group.below && !inline
	if alone {
		whole = append(whole, h.group.header)
		for _, f := range h.group.fields {
			whole = append(whole, f.whole)
		}
	}
	return d.cut(whole, alone)
}

// line is the lines that hold an offset, with the line end.
func (d *tomlDoc) line(off int) span {
	s := span{bytes.LastIndexByte(d.src[:off], '\n') + 1, len(d.src)}
	if i := bytes.IndexByte(d.src[off:], '\n'); i >= 0 {
		s.to = off + i + 1
	}
	return s
}

// cut takes lines away, with the empty lines between them and, with above, the one
// before the first. Comments stay.
func (d *tomlDoc) cut(whole []span, above bool) error {
	slices.SortFunc(whole, func(a, b span) int { return a.from - b.from })
	var out []byte
	at := 0
	for i, s := range whole {
		first, last := d.line(s.from), d.line(s.to)
		between := d.src[at:first.from]
		if i == 0 && above {
			between = dropEmptyLine(between)
		}
		if i == 0 || !isSpace(between) {
			out = append(out, between...)
		}
		if rest := bytes.TrimLeft(d.src[s.to:last.to], " \t"); bytes.HasPrefix(rest, []byte("#")) {
			out = append(out, rest...)
		}
		at = last.to
	}
	if at == len(d.src) && !bytes.HasSuffix(d.src, []byte("\n")) { // the end had no line end
		out = bytes.TrimSuffix(bytes.TrimSuffix(out, []byte("\n")), []byte("\r"))
	}
	return d.load(append(out, d.src[at:]...))
}

// dropEmptyLine drops an empty last line.
func dropEmptyLine(b []byte) []byte {
	line := b[:len(b)-len("\n")*min(1, len(b))]
	i := bytes.LastIndexByte(line, '\n') + 1
	if len(b) > 0 && b[len(b)-1] == '\n' && len(bytes.TrimSpace(b[i:])) == 0 {
		return b[:i]
	}
	return b
}
