package decide

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

// others reads a call of a tool that no agent comes with: paths anywhere in its
// input, a patch, and of a tool of which nothing is known a command line.
func (e *Engine) others(ev gate.Event, a *acts, in map[string]json.RawMessage, kind shell.Kind) (*acts, error) {
	copies := slices.Contains(nameWords(ev.Tool.Name), "copy")
	e.names(a, ev, kind, inputPaths(in, func(field string) bool { return copies && slices.Contains(sources, field) }, 0))
	if kind == shell.Code {
		if str(in, "command", "cmd") == "" {
			return a, nil
		}
		found := a.effects
		a, err := e.runs(ev, a, in, toolShell)
		if a != nil {
			a.effects = append(found, a.effects...)
		}
		return a, err
	}
	if patch := str(in, "patch", "diff", "patch_text", "patchText"); patch != "" {
		a.effects = append(append(a.effects, shell.PatchNames(patch)...), diffEffects(patch)...)
	}
	return a, nil
}

const maxNested = 6 // objects in objects

// inputPaths are the paths that an input names, in the objects and lists in it as
// well, and as the keys of an object that stands where paths do.
func inputPaths(in map[string]json.RawMessage, skip func(field string) bool, deep int) (all []string) {
	for _, field := range slices.Sorted(maps.Keys(in)) {
		raw := in[field]
		isPath := slices.Contains(pathFields, field)
		if len(raw) == 0 || isPath && skip(field) {
			continue
		}
		var list []json.RawMessage
		if raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
			list = []json.RawMessage{raw}
		}
		for _, one := range list {
			var s string
			var object map[string]json.RawMessage
			switch {
			case len(one) == 0:
			case one[0] == '"' && isPath:
				if json.Unmarshal(one, &s) == nil {
					all = append(all, s)
				}
			case one[0] == '{' && deep < maxNested && json.Unmarshal(one, &object) == nil:
				all = append(all, inputPaths(object, skip, deep+1)...)
				for key := range object {
					if isPath && strings.ContainsAny(key, `/\.`) {
						all = append(all, key)
					}
				}
			}
		}
	}
	return all
}

// ofURI is the path in a file address; other texts stay as they are. net/url, which
// would do it, is initialised so late that every tool call would wait for it.
func ofURI(s string) string {
	rest, ok := strings.CutPrefix(s, "file://")
	if !ok {
		return s
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		rest = rest[i:] // the machine's name
	}
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		if rest[i] == '%' && i+2 < len(rest) {
			if v, err := strconv.ParseUint(rest[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(rest[i])
	}
	if p := b.String(); len(p) > 2 && p[2] == ':' { // /C:/x
		return p[1:]
	}
	return b.String()
}
