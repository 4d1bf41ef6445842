package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// The flat form is {"version": 1, "hooks": {"stop": [{"command": …}]}}. Cursor's
// hook has one command line and a timeout; Copilot's has one for each shell and
// counts timeoutSec.

// flatVersion is the one version of the form that there is.
const flatVersion = "1"

// flatAt is the place of one hook: hooks.<event>[index].
type flatAt struct {
	event  string
	list   *hujson.Value // the event's array
	index  int
	obj    *hujson.Value
	fields *hujson.Object
	lines  []string // its command lines, one for each shell that it names
	args   []string
}

// flat yields every well-formed hook of the file, in its order.
func (d *doc) flat() func(func(flatAt) bool) {
	return func(yield func(flatAt) bool) {
		_, hooks := d.hooksObject()
		if hooks == nil {
			return
		}
		for i := range hooks.Members {
			event, list := hooks.Members[i].Name.Value.(hujson.Literal).String(), &hooks.Members[i].Value
			arr, _ := list.Value.(*hujson.Array)
			if arr == nil {
				continue
			}
			for j := range arr.Elements {
				fields, _ := arr.Elements[j].Value.(*hujson.Object)
				if fields == nil {
					continue
				}
				a := flatAt{event: event, list: list, index: j, obj: &arr.Elements[j], fields: fields}
				if a.read() && !yield(a) {
					return
				}
			}
		}
	}
}

// read finds the command lines; false when there is none, or one of a type that
// the agent does not take.
func (a *flatAt) read() bool {
	for _, name := range []string{"command", "bash", "powershell", "exec"} {
		_, v := member(a.fields, name)
		if v == nil || isNull(v) {
			continue
		}
		if v.Value.Kind() != '"' {
			return false
		}
		a.lines = append(a.lines, v.Value.(hujson.Literal).String())
	}
	if _, v := member(a.fields, "args"); v != nil && !isNull(v) {
		var ok bool
		if a.args, ok = stringsOf(v); !ok {
			return false
		}
	}
	return len(a.lines) > 0
}

// own reports whether every line of the hook is hookctl's.
func (a flatAt) own(ours Ours) bool {
	return !slices.ContainsFunc(a.lines, func(line string) bool { return !ours(line, a.args) })
}

func (d *doc) ownFlat(event string, ours Ours) (found []flatAt) {
	for a := range d.flat() {
		if (event == "" || a.event == event) && a.own(ours) {
			found = append(found, a)
		}
	}
	return found
}

func registerFlat(src []byte, ours Ours, entries []Entry) (Result, error) {
	return edited(src, "{}", func(d *doc) ([]string, error) {
		if err := d.version(); err != nil {
			return nil, err
		}
		for _, e := range entries {
			if err := recognised(e.Command, ours); err != nil {
				return nil, err
			}
			if err := d.registerFlat(e, ours); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
}

// version sees to it that the file says of which version it is: without it the
// agents pass over the whole file.
func (d *doc) version() error {
	_, v := member(d.root, "version")
	switch {
	case v == nil:
		return d.add(&d.top, "version", node{lit: flatVersion})
	case !sameLiteral(v, flatVersion):
		e := typeError(d.src, v.StartOffset, "version", flatVersion, v.Value)
		if v.Value.Kind() == '0' {
			e.Got = string(v.Value.(hujson.Literal))
		}
		return e
	}
	return nil
}

func (d *doc) registerFlat(e Entry, ours Ours) error {
	list, err := d.eventList(e.Event)
	if err != nil {
		return err
	}
	if list == nil {
		return d.addList(e.Event, e.flat())
	}
	if len(d.ownFlat(e.Event, ours)) == 0 {
		return d.add(list, "", e.flat())
	}
	for all := d.ownFlat(e.Event, ours); len(all) > 1; all = d.ownFlat(e.Event, ours) {
		if err := d.drop(all[1].list, all[1].index); err != nil {
			return err
		}
	}
	hook := func() (*hujson.Value, *hujson.Object) {
		a := d.ownFlat(e.Event, ours)[0]
		return a.obj, a.fields
	}
	want, away := e.flatFields()
	return d.setFields(hook, want, away...)
}

// flat is the entry in the flat form.
func (e Entry) flat() (n node) {
	want, _ := e.flatFields()
	for _, f := range want {
		n.keys, n.kids = append(n.keys, f.name), append(n.kids, f.want)
	}
	return n
}

// flatFields are the fields of a hook of ours, and those that would keep it from
// answering.
func (e Entry) flatFields() (want []field, away []string) {
	timeout := node{lit: strconv.Itoa(e.Timeout)}
	away = []string{"matcher", "args", "exec", "async"}
	if e.PowerShell == "" {
		want = []field{{"type", text("command")}, {"command", text(e.Command)}, {"timeout", timeout}}
		return want, append(away, "bash", "powershell", "timeoutSec", "failClosed")
	}
	want = []field{{"type", text("command")}, {"bash", text(e.Command)}, {"powershell", text(e.PowerShell)}, {"timeoutSec", timeout}}
	return want, append(away, "command", "timeout", "cwd")
}

func removeFlat(src []byte, ours Ours) ([]byte, error) {
	return reduced(src, func(d *doc) (found bool, err error) {
		for {
			all := d.ownFlat("", ours)
			if len(all) == 0 {
				return found, nil
			}
			found = true
			a := all[0]
			if b := boxOf(a.list); len(b.items) > 1 || b.hasComment() {
				err = d.drop(a.list, a.index)
			} else {
				err = d.dropEvent(a.event)
			}
			if err != nil {
				return found, err
			}
		}
	})
}

func listFlat(src []byte, ours Ours) ([]Registration, error) {
	text, _ := cutBOM(src)
	if isSpace(text) {
		return nil, nil
	}
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	var found []Registration
	for a := range d.flat() {
		r := Registration{
			Path: "hooks." + a.event + "[" + strconv.Itoa(a.index) + "]", Line: lineAt(d.src, a.obj.StartOffset), Offset: a.obj.StartOffset,
			Event: a.event, Type: "command", Command: a.lines[0], Args: a.args, Own: a.own(ours),
		}
		if _, t := member(a.fields, "type"); t != nil && t.Value.Kind() == '"' {
			r.Type = t.Value.(hujson.Literal).String()
		}
		if _, m := member(a.fields, "matcher"); m != nil && m.Value.Kind() == '"' {
			r.Matcher = m.Value.(hujson.Literal).String()
		}
		for _, name := range []string{"timeout", "timeoutSec"} {
			if _, t := member(a.fields, name); t != nil && t.Value.Kind() == '0' {
				r.Timeout, _ = strconv.ParseFloat(string(t.Value.(hujson.Literal)), 64)
			}
		}
		found = append(found, r)
	}
	return found, nil
}

// blankFlat: the version alone says nothing.
func blankFlat(src []byte) bool {
	if blankNested(src) {
		return true
	}
	s := strings.TrimPrefix(string(src), BOM)
	return strings.Join(strings.Fields(s), "") == `{"version":`+flatVersion+`}`
}
