package settings

import (
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

// replace writes n in the place of v.
func (d *doc) replace(v *hujson.Value, n node) error {
	indent := lineIndent(d.src, v.StartOffset)
	return d.splice(v.StartOffset, v.EndOffset, d.st.render(n, indent, d.st.oneLine))
}

// sameLiteral compares what two literals mean: "\u0061" is "a".
func sameLiteral(v *hujson.Value, want string) bool {
	lit, ok := v.Value.(hujson.Literal)
	w := hujson.Literal(want)
	return ok && lit.Kind() == w.Kind() && lit.String() == w.String()
}
