package settings

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// at is the place of one hook: hooks.<event>[group].hooks[hook].
type at struct {
	event       string
	list        *hujson.Value // the event's array
	group, hook int
	groupObj    *hujson.Object
	hooks       *hujson.Value  // the group's array
	obj         *hujson.Value  // the hook
	fields      *hujson.Object // its value
}

// hooksObject is the file's hooks, or nil.
func (d *doc) hooksObject() (*hujson.Value, *hujson.Object) {
	_, v := member(d.root, "hooks")
	if v == nil {
		return nil, nil
	}
	obj, _ := v.Value.(*hujson.Object)
	return v, obj
}

// own finds our hooks, in the order of the file; event "" means every event.
// What has an unexpected type is not ours.
func (d *doc) own(event string, ours Ours) []at {
	_, hooks := d.hooksObject()
	if hooks == nil {
		return nil
	}
	var found []at
	for i := range hooks.Members {
		name := hooks.Members[i].Name.Value.(hujson.Literal).String()
		if event != "" && name != event {
			continue
		}
		for a := range hooksOf(name, &hooks.Members[i].Value) {
			if command, args, ok := commandOf(a.fields); ok && ours(command, args) {
				found = append(found, a)
			}
		}
	}
	return found
}

// hooksOf yields every well-formed hook of an event.
func hooksOf(event string, v *hujson.Value) func(func(at) bool) {
	return func(yield func(at) bool) {
		groups, _ := v.Value.(*hujson.Array)
		if groups == nil {
			return
		}
		for g := range groups.Elements {
			group, _ := groups.Elements[g].Value.(*hujson.Object)
			if group == nil {
				continue
			}
			_, hooks := member(group, "hooks")
			if hooks == nil {
				continue
			}
			list, _ := hooks.Value.(*hujson.Array)
			if list == nil {
				continue
			}
			for h := range list.Elements {
				fields, _ := list.Elements[h].Value.(*hujson.Object)
				if fields != nil && !yield(at{event, v, g, h, group, hooks, &list.Elements[h], fields}) {
					return
				}
			}
		}
	}
}

// commandOf reads a hook's command and args; ok is false when one of them has
// another type than the agent takes.
func commandOf(hook *hujson.Object) (command string, args []string, ok bool) {
	_, c := member(hook, "command")
	if c == nil || c.Value.Kind() != '"' {
		return "", nil, false
	}
	if _, a := member(hook, "args"); a != nil && !isNull(a) {
		if args, ok = stringsOf(a); !ok {
			return "", nil, false
		}
	}
	return c.Value.(hujson.Literal).String(), args, true
}

func stringsOf(v *hujson.Value) ([]string, bool) {
	arr, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, false
	}
	list := []string{}
	for i := range arr.Elements {
		if arr.Elements[i].Value.Kind() != '"' {
			return nil, false
		}
		list = append(list, arr.Elements[i].Value.(hujson.Literal).String())
	}
	return list, true
}

// register brings one entry into the file and says what it changed.
func (d *doc) register(e Entry, ours Ours) (note string, err error) {
	list, err := d.eventList(e.Event)
	if err != nil {
		return "", err
	}
	if list == nil {
		return "", d.addEvent(e)
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

// addEvent adds an event that has no list, and the hooks object if need be.
func (d *doc) addEvent(e Entry) error {
	v, hooks := d.hooksObject()
	if v == nil {
		return d.add(&d.top, "hooks", node{keys: []string{e.Event}, kids: []node{list(e.group())}})
	}
	if isNull(v) {
		return d.replace(v, node{keys: []string{e.Event}, kids: []node{list(e.group())}})
	}
	if _, null := member(hooks, e.Event); null != nil {
		return d.replace(null, list(e.group()))
	}
	return d.add(v, e.Event, list(e.group()))
}

// replace writes n in the place of v.
func (d *doc) replace(v *hujson.Value, n node) error {
	indent := lineIndent(d.src, v.StartOffset)
	return d.splice(v.StartOffset, v.EndOffset, d.st.render(n, indent, d.st.oneLine))
}

// group is the entry in Claude Code's nested form.
func (e Entry) group() node {
	g := node{}
	if e.Matcher != "" {
		g.keys, g.kids = append(g.keys, "matcher"), append(g.kids, text(e.Matcher))
	}
	g.keys = append(g.keys, "hooks")
	g.kids = append(g.kids, list(node{
		keys: []string{"type", "command", "timeout"},
		kids: []node{text("command"), text(e.Command), {lit: strconv.Itoa(e.Timeout)}},
	}))
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
	hook := func() at { return d.own(e.Event, ours)[0] }
	for _, f := range []struct {
		name string
		want node
	}{
		{"command", text(e.Command)},
		{"type", text("command")},
		{"timeout", node{lit: strconv.Itoa(e.Timeout)}},
	} {
		a := hook()
		_, v := member(a.fields, f.name)
		var err error
		switch {
		case v == nil:
			err = d.add(a.obj, f.name, f.want)
		case !sameLiteral(v, f.want.lit):
			err = d.splice(v.StartOffset, v.EndOffset, f.want.lit)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range []string{"args", "async", "asyncRewake", "if"} {
		a := hook()
		if i, _ := member(a.fields, name); i >= 0 {
			if err := d.drop(a.obj, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameLiteral compares what two literals mean: "\u0061" is "a".
func sameLiteral(v *hujson.Value, want string) bool {
	lit, ok := v.Value.(hujson.Literal)
	w := hujson.Literal(want)
	return ok && lit.Kind() == w.Kind() && lit.String() == w.String()
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
	v, hooks := d.hooksObject()
	i, _ := member(hooks, a.event)
	if b := boxOf(v); len(b.items) > 1 || b.hasComment() {
		return d.drop(v, i)
	}
	i, _ = member(d.root, "hooks")
	return d.drop(&d.top, i)
}
