package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/install/agent"
)

// besides are keys that stand beside the events and are none.
func besides() []string {
	return []string{"state", "enabled", "disabled", "notifications", "managed_dir", "windows_managed_dir"}
}

func (in *inspector) hooks() {
	hooks := in.root.Member("hooks")
	switch {
	case hooks == nil || hooks.Kind == Null:
		return
	case hooks.Kind != Object:
		in.wrongType("hooks", "object", hooks)
		return
	}
	if in.Format == agent.Flat {
		in.version()
	}
	for i, list := range hooks.Kids {
		event := hooks.Names[i]
		if slices.Contains(besides(), event.Text) && (in.Agent != agent.Claude) {
			continue
		}
		path := "hooks." + event.Text
		if !in.Known(event.Text) {
			severity, mend := Error, ""
			if name := in.meant(event.Text); name != "" {
				mend = "write " + name
			}
			if list.Kind != Array && list.Kind != Object {
				severity = Note // whatever it is, it was not meant to run
			}
			in.add("unknown-event", severity, path, event.Line, mend, "is no event of %s: nothing below it runs", in.Title)
			if severity == Note {
				continue
			}
		}
		in.event(path, event.Text, list)
	}
}

// version is what a flat file must begin with.
func (in *inspector) version() {
	switch v := in.root.Member("version"); {
	case in.Agent == agent.Copilot && v == nil:
	case v == nil:
		in.add("wrong-type", Error, "version", in.root.Line, `write "version": 1`, "is missing: %s reads no hook of the file", in.Title) // by its documentation
	case v.Kind != Number || v.Text != "1":
		in.add("wrong-type", Error, "version", v.Line, `write "version": 1`, "%s reads version 1: no hook of the file runs", in.Title)
	}
}

func (in *inspector) event(path, event string, list *Node) {
	if list.Kind == Object && in.Agent == agent.Gemini { // it reads one group as a list of one
		in.group(path, event, list)
		return
	}
	if list.Kind != Array {
		if list.Kind != Null || in.noNull {
			in.wrongEvent(path, list)
		}
		return
	}
	before := len(in.found)
	for i, e := range list.Kids {
		at := fmt.Sprintf("%s[%d]", path, i)
		if in.Format == agent.Flat && e.Member("hooks") == nil {
			in.flat(at, event, e)
		} else {
			in.group(at, event, e)
		}
	}
	in.twice(event, in.found[before:])
}

// wrongEvent is an event without a list. Claude Code passes over it alone.
func (in *inspector) wrongEvent(path string, v *Node) {
	cost := ": nothing below it runs"
	if in.noNull {
		cost = ": no hook of the whole file runs"
	}
	in.add("wrong-type", Error, path, v.Line, "write an array of groups", "expected array, found %s%s", v.Kind, cost)
}

func (in *inspector) twice(event string, found []Registration) {
	own := 0
	for _, r := range found {
		if !r.Own {
			continue
		}
		if own++; own == 2 {
			in.add("registered-twice", Error, r.Path, r.Line, "hookctl doctor --fix", "hookctl is registered twice on %s", event)
		}
	}
}

func (in *inspector) group(path, event string, v *Node) {
	if v.Kind != Object {
		in.wrongType(path, "object", v)
		return
	}
	matcher := in.matcher(path, event, v)
	switch hooks := v.Member("hooks"); {
	case hooks == nil:
		in.add("wrong-type", Error, path, v.Line, `write {"hooks": [ … ]} around it`, "has no hooks: expected {\"hooks\": [ … ]}%s", in.cost())
	case hooks.Kind != Array:
		in.wrongType(path+".hooks", "array", hooks)
	default:
		for i, h := range hooks.Kids {
			in.hook(fmt.Sprintf("%s.hooks[%d]", path, i), event, matcher, h)
		}
	}
}

// matcher reads and judges the matcher of a group or of a flat hook.
func (in *inspector) matcher(path, event string, v *Node) string {
	m := v.Member("matcher")
	switch {
	case m == nil:
		return ""
	case m.Kind == Null && in.Agent != agent.Claude && in.Agent != agent.Copilot:
		return ""
	case m.Kind != String && in.Agent == agent.Gemini:
		in.add("wrong-type", Error, path+".matcher", m.Line, "write a string", "expected string, found %s: no hook on %s runs, in no file", m.Kind, event)
		return ""
	case m.Kind != String:
		in.wrongType(path+".matcher", "string", m)
		return ""
	}
	if p, bad := in.judge(event, m.Text); bad {
		p.Path, p.Line = path+".matcher", m.Line
		in.problems = append(in.problems, p)
	}
	return m.Text
}

func (in *inspector) flat(path, event string, v *Node) {
	if v.Kind != Object {
		in.wrongType(path, "object", v)
		return
	}
	in.hook(path, event, in.matcher(path, event, v), v)
}

func (in *inspector) hook(path, event, matcher string, v *Node) {
	if v.Kind != Object {
		in.wrongType(path, "object", v)
		return
	}
	r := Registration{Path: path, Line: v.Line, Offset: v.Offset, Event: event, Matcher: matcher}
	if n := v.Member("name"); n.Is(String) {
		r.Name = n.Text
	}
	switch t := v.Member("type"); {
	case t == nil && in.Format == agent.Flat:
		r.Type = "command"
	case t == nil:
		in.add("wrong-type", Error, path, r.Line, `write "type": "command"`, "has no type: expected \"command\"%s", in.cost())
	case t.Kind != String:
		in.wrongType(path+".type", "string", t)
	default:
		r.Type = t.Text
		in.kind(path+".type", t)
	}
	in.command(path, v, &r)
	in.timing(path, v, &r)
	in.fields(path, event, v, &r)
	in.environment(path+".env", v.Member("env"))
	in.found = append(in.found, r)
}

// kind judges the type of a hook.
func (in *inspector) kind(path string, t *Node) {
	if slices.Contains(in.kinds, t.Text) {
		return
	}
	mend := `write "command"`
	for _, k := range in.kinds {
		if strings.EqualFold(k, t.Text) {
			mend = strconv.Quote(k)
			mend = "write " + mend
		}
	}
	in.add("unknown-type", Error, path, t.Line, mend, "%q is no kind of hook of %s%s", t.Text, in.Title, in.cost())
}

// command reads what a hook starts. A flat file has a line for each shell.
func (in *inspector) command(path string, v *Node, r *Registration) {
	if in.Agent == agent.Copilot {
		if p := v.Member("powershell"); p.Is(String) {
			r.PowerShell = p.Text
		}
	}
	name := "command"
	for _, n := range []string{"bash", "exec"} {
		if in.Agent == agent.Copilot && v.Member(name) == nil && v.Member(n) != nil {
			name = n
		}
	}
	c := v.Member(name)
	switch {
	case c == nil:
		if r.Type == "command" && r.PowerShell == "" {
			in.add("wrong-type", Error, path, r.Line, `write "command": "…"`, "has no command%s", in.cost())
		}
		return
	case c.Kind != String:
		in.wrongType(path+"."+name, "string", c)
		return
	}
	r.Command = c.Text
	if a := v.Member("args"); a != nil && a.Kind != Null {
		var ok bool
		if r.Args, ok = a.Strings(); !ok {
			in.wrongType(path+".args", "array of strings", a)
			return
		}
	}
	if strings.TrimSpace(r.Command) == "" && r.Type == "command" {
		in.add("empty-command", Error, path+"."+name, c.Line, "write the command", "is empty: nothing runs")
	}
	r.Own = in.ours(r.Command, r.Args)
}

// fields judges what stands beside the command.
func (in *inspector) fields(path, event string, v *Node, r *Registration) {
	if cond := v.Member("if"); cond != nil {
		switch {
		case in.Agent == agent.Claude && !in.OnTools(event):
			in.add("if-without-tool", Error, path+".if", cond.Line, "take the line out", "counts on tool events only: on %s the hook never runs", event)
		case in.Agent != agent.Claude:
			in.add("field-ignored", Warning, path+".if", cond.Line, "decide it in the hook itself", "%s knows no \"if\": the hook runs for every tool that its matcher fits", in.Title)
		}
	}
	if a := v.Member("args"); a != nil && in.Agent != agent.Claude && v.Member("exec") == nil {
		in.add("field-ignored", Error, path+".args", a.Line, "write one command line into \"command\"", "%s knows no \"args\": the program is started without them", in.Title)
	}
	if a := v.Member("async"); a.True() || v.Member("asyncRewake").True() && in.Agent == agent.Claude {
		if r.Async = true; r.Own {
			in.add("async", Error, path+".async", r.Line, "hookctl doctor --fix", "true: an answer that comes later cannot block")
		}
	}
	if o := v.Member("once"); o.True() {
		in.add("once", Note, path+".once", o.Line, "take the line out", "counts in the front matter of skills only: here the hook runs each time")
	}
	if r.Own && v.Member("onFailure").Is(String) && in.Agent != agent.Claude {
		in.add("field-ignored", Note, path+".onFailure", r.Line, "", "%s knows no \"onFailure\"", in.Title)
	}
}

// minTimeout is the least that our own entry needs: all judges together have 10 s.
const minTimeout = 12 * time.Second

func (in *inspector) timing(path string, v *Node, r *Registration) {
	name := "timeout"
	if in.Agent == agent.Copilot && v.Member("timeoutSec") != nil {
		name = "timeoutSec"
	}
	t := v.Member(name)
	if t == nil || t.Kind == Null && in.Agent != agent.Claude {
		return
	}
	path += "." + name
	if t.Kind != Number {
		in.wrongType(path, "number of "+in.unit(), t)
		return
	}
	r.Timeout, _ = strconv.ParseFloat(t.Text, 64)
	if p, bad := in.judgeTimeout(r); bad {
		p.Path, p.Line = path, t.Line
		in.problems = append(in.problems, p)
	}
}
