package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// register brings one entry into the file and says what it changed.
func (d *doc) register(e Entry, ours Ours) (note string, err error) {
	list, err := d.eventList(e.Event)
	if err != nil {
		return "", err
	}
	if list == nil {
		return "", d.addList(e.Event, e.group())
	}
	kept := func(all []at) int {
		return slices.IndexFunc(all, func(a at) bool { return sameMatcher(a.groupObj, e.Matcher) })
	}
	all := d.own(e.Event, ours)
	if kept(all) < 0 {
		if err := d.add(list, "", e.group()); err != nil {
			return "", err
		}
		all = d.own(e.Event, ours)
	}
	if n := len(all) - 1; n > 0 {
		note = fmt.Sprintf("%s: dropped %d surplus entries of hookctl", e.Event, n)
	}
	for len(all) > 1 {
		victim := 0
		if kept(all) == 0 {
			victim = 1
		}
		if err := d.removeHook(all[victim], false); err != nil {
			return "", err
		}
		all = d.own(e.Event, ours)
	}
	return note, d.update(e, ours)
}

// eventList is the event's array, or nil when there is none yet.
func (d *doc) eventList(event string) (*hujson.Value, error) {
	v, hooks := d.hooksObject()
	if v == nil || isNull(v) {
		return nil, nil
	}
	if hooks == nil {
		return nil, typeError(d.src, v.StartOffset, "hooks", "object", v.Value)
	}
	_, list := member(hooks, event)
	if list == nil || isNull(list) {
		return nil, nil
	}
	if list.Value.Kind() != '[' {
		return nil, typeError(d.src, list.StartOffset, "hooks."+event, "array", list.Value)
	}
	return list, nil
}

// addList adds the list of an event that has none, with one element in it, and
// the hooks object if need be.
func (d *doc) addList(event string, first node) error {
	v, hooks := d.hooksObject()
	if v == nil {
		return d.add(&d.top, "hooks", node{keys: []string{event}, kids: []node{list(first)}})
	}
	if isNull(v) {
		return d.replace(v, node{keys: []string{event}, kids: []node{list(first)}})
	}
	if _, null := member(hooks, event); null != nil {
		return d.replace(null, list(first))
	}
	return d.add(v, event, list(first))
}

// group is the entry in Claude Code's nested form.
func (e Entry) group() node {
	g := node{}
	if e.Matcher != "" {
		g.keys, g.kids = append(g.keys, "matcher"), append(g.kids, text(e.Matcher))
	}
	hook := node{
		keys: []string{"type", "command", "timeout"},
		kids: []node{text("command"), text(e.Command), {lit: strconv.Itoa(e.Timeout)}},
	}
	if e.Name != "" {
		hook.keys, hook.kids = append([]string{"name"}, hook.keys...), append([]node{text(e.Name)}, hook.kids...)
	}
	g.keys, g.kids = append(g.keys, "hooks"), append(g.kids, list(hook))
	return g
}

// sameMatcher compares a group's matcher; none, "" and "*" all mean every
// occurrence.
func sameMatcher(group *hujson.Object, want string) bool {
	all := func(s string) bool { return s == "" || s == "*" }
	_, m := member(group, "matcher")
	if m == nil || isNull(m) {
		return all(want)
	}
	got := m.Value.(hujson.Literal).String()
	return m.Value.Kind() == '"' && (got == want || all(got) && all(want))
}

// update makes our one hook of the event what e says. Fields that would keep it
// from answering go; others, such as a status message, are left.
func (d *doc) update(e Entry, ours Ours) error {
	hook := func() (*hujson.Value, *hujson.Object) {
		a := d.own(e.Event, ours)[0]
		return a.obj, a.fields
	}
	want := []field{{"command", text(e.Command)}, {"type", text("command")}, {"timeout", node{lit: strconv.Itoa(e.Timeout)}}}
	if e.Name != "" {
		want = append(want, field{"name", text(e.Name)})
	}
	return d.setFields(hook, want, "args", "async", "asyncRewake", "if")
}

type field struct {
	name string
	want node
}

// setFields gives an object, which hook finds anew after each edit, the wanted
// fields, each where it stands or else last, and takes away those named.
func (d *doc) setFields(hook func() (*hujson.Value, *hujson.Object), want []field, away ...string) error {
	for _, f := range want {
		obj, fields := hook()
		_, v := member(fields, f.name)
		var err error
		switch {
		case v == nil:
			err = d.add(obj, f.name, f.want)
		case !sameLiteral(v, f.want.lit):
			err = d.splice(v.StartOffset, v.EndOffset, f.want.lit)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range away {
		obj, fields := hook()
		if i, _ := member(fields, name); i >= 0 {
			if err := d.drop(obj, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// switchedOff tells of Gemini CLI's own switches, which stand beside the hooks
// and are the user's to turn.
func (d *doc) switchedOff(entries []Entry) (notes []string) {
	_, v := member(d.root, "hooksConfig")
	if v == nil {
		return nil
	}
	conf, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	if _, on := member(conf, "enabled"); on != nil && on.Value.Kind() == 'f' {
		notes = append(notes, "hooksConfig.enabled is false: no hook runs until you turn it on")
	}
	_, off := member(conf, "disabled")
	if off == nil {
		return notes
	}
	names, _ := stringsOf(off)
	for _, e := range entries {
		if slices.Contains(names, e.Command) || e.Name != "" && slices.Contains(names, e.Name) {
			return append(notes, "hooksConfig.disabled names hookctl: its hooks do not run until you take it out")
		}
	}
	return notes
}

// remove takes all our hooks away and reports whether there were any.
func (d *doc) remove(ours Ours) (found bool, err error) {
	for {
		all := d.own("", ours)
		if len(all) == 0 {
			return found, nil
		}
		found = true
		if err := d.removeHook(all[0], true); err != nil {
			return found, err
		}
	}
}

// removeHook takes one hook away, the group that it leaves empty, and with up
// also the event and the hooks object. A comment beside keeps what holds it.
func (d *doc) removeHook(a at, up bool) error {
	if len(boxOf(a.hooks).items) > 1 {
		return d.drop(a.hooks, a.hook)
	}
	if b := boxOf(a.list); len(b.items) > 1 || !up || b.hasComment() {
		return d.drop(a.list, a.group)
	}
	return d.dropEvent(a.event)
}

// dropEvent takes an event's list away, and the hooks object that it leaves empty.
func (d *doc) dropEvent(event string) error {
	v, hooks := d.hooksObject()
	i, _ := member(hooks, event)
	if b := boxOf(v); len(b.items) > 1 || b.hasComment() {
		return d.drop(v, i)
	}
	i, _ = member(d.root, "hooks")
	return d.drop(&d.top, i)
}

func listNested(src []byte, ours Ours) ([]Registration, error) {
	found, _, err := Inspect(src, ours, false)
	return found, err
}

func blankNested(src []byte) bool {
	s := strings.TrimSpace(strings.TrimPrefix(string(src), BOM))
	return s == "" || s == "{}"
}
