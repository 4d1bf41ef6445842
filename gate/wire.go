package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// The parts of a gate's line, in their order. What a tool call needs is no JSON: to
// get encoding/json ready for these types takes longer than the decision.
const (
	wireEvents = iota // with spaces between them
	wireID
	wireMode
	wireSubagent
	wireDemotable // "demotable" or nothing
	wireProtect   // a list
	wireFeedback  // JSON
	wireJudge     // JSON
	wireCommands
	wireFields
)

// Separators, outermost first: of guards, of the parts of a guard, of the lists of
// one of its forms, of what is in a list.
const guardSep, partSep, listSep, itemSep = "\x1c", "\x1d", "\x1e", "\x1f"

// lists are all lists of a form, in the order in which they are written.
func (f *Form) lists() []*[]string {
	return []*[]string{&f.Run, &f.Flags, &f.None, &f.Args, &f.Env, &f.Config, &f.Branches, &f.Refspecs, &f.Changes, &f.How}
}

// rule writes a gate's line.
func (w *writer) rule(g Rule) {
	var f [wireFields]string
	var events []string
	for _, k := range g.Events {
		events = append(events, string(k))
	}
	f[wireEvents] = strings.Join(events, " ")
	f[wireID], f[wireMode], f[wireSubagent] = g.ID, string(g.Mode), string(g.Subagent)
	if g.Demotable {
		f[wireDemotable] = "demotable"
	}
	f[wireProtect] = w.list(g.Protect)
	f[wireFeedback], f[wireJudge] = w.text(g.Feedback), w.text(g.Judge)
	f[wireCommands] = w.guards(g.Commands)
	w.fields(f[:]...)
}

func (w *writer) guards(all []Guard) string {
	var out []string
	for _, g := range all {
		verdict := ""
		switch {
		case g.Ask && g.Off:
			verdict = "ask off"
		case g.Ask:
			verdict = "ask"
		case g.Off:
			verdict = "off"
		}
		parts := []string{w.item(g.ID), w.item(g.Why), verdict}
		for _, f := range g.Any {
			var lists []string
			for _, l := range f.lists() {
				lists = append(lists, w.list(*l))
			}
			parts = append(parts, strings.Join(lists, listSep))
		}
		out = append(out, strings.Join(parts, partSep))
	}
	return strings.Join(out, guardSep)
}

func (w *writer) list(items []string) string {
	for _, s := range items {
		if w.item(s); s == "" {
			w.err = errors.Join(w.err, fmt.Errorf("an empty item in %q", items))
		}
	}
	return strings.Join(items, itemSep)
}

func (w *writer) item(s string) string {
	if strings.ContainsAny(s, guardSep+partSep+listSep+itemSep) {
		w.err = errors.Join(w.err, fmt.Errorf("%q holds a separator", s))
	}
	return s
}

// rule reads a gate's line, but for its patterns.
func rule(f [wireFields][]byte) (g Rule, err error) {
	for _, e := range strings.Fields(string(f[wireEvents])) {
		g.Events = append(g.Events, Kind(e))
	}
	g.ID, g.Mode, g.Subagent = string(f[wireID]), Mode(f[wireMode]), Mode(f[wireSubagent])
	g.Demotable = len(f[wireDemotable]) > 0
	g.Protect = list(string(f[wireProtect]))
	err = json.Unmarshal(f[wireFeedback], &g.Feedback)
	if string(f[wireJudge]) != "{}" {
		err = errors.Join(err, json.Unmarshal(f[wireJudge], &g.Judge))
	}
	if s := string(f[wireCommands]); s != "" {
		var e error
		g.Commands, e = guards(s)
		err = errors.Join(err, e)
	}
	return g, err
}

func guards(s string) (all []Guard, err error) {
	for one := range strings.SplitSeq(s, guardSep) {
		parts := strings.Split(one, partSep)
		if len(parts) < 3 {
			return nil, fmt.Errorf("half a guard: %.80q", one)
		}
		g := Guard{ID: parts[0], Why: parts[1], Ask: strings.HasPrefix(parts[2], "ask"), Off: strings.HasSuffix(parts[2], "off")}
		for _, part := range parts[3:] {
			var f Form
			lists := f.lists()
			all := strings.Split(part, listSep)
			if len(all) != len(lists) {
				return nil, fmt.Errorf("a guard %s of another hookctl: %d lists, want %d", g.ID, len(all), len(lists))
			}
			for i, l := range lists {
				*l = list(all[i])
			}
			g.Any = append(g.Any, f)
		}
		all = append(all, g)
	}
	return all, nil
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, itemSep)
}
