package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// Registration is one hook found in a settings file.
type Registration struct {
	Path    string // hooks.Stop[0].hooks[1]
	Line    int    // from 1
	Offset  int    // in bytes, of the hook's object
	Event   string
	Matcher string
	Type    string   // command, http, prompt, …; "" = missing
	Command string   // "" also when it is not a string
	Args    []string // nil = shell form
	Timeout float64  // seconds; 0 = not given
	Own     bool
}

// Problem is one way in which the file keeps hooks from running as they seem
// to. Path and Line say where, Text what, for a person who will mend it.
type Problem struct {
	Code string // stable, for --json and for hints
	Path string // "" = the whole file
	Line int    // from 1
	Text string
	Warn bool // worth saying, but hooks run
}

func (p Problem) String() string {
	return fmt.Sprintf("line %d: %s%s", p.Line, prefix(p.Path), p.Text)
}

// Inspect lists every hook registration of one of Claude Code's settings files
// and the problems in it. managed says that the file belongs to the managed
// settings, where switches count that are ignored elsewhere. A file that does not
// parse is an error, as of [Register]; a wrong type or a name that stands twice
// is a problem.
func Inspect(src []byte, ours Ours, managed bool) ([]Registration, []Problem, error) {
	text, bom := cutBOM(src)
	in := &inspector{ours: ours}
	if bom {
		in.add("bom", "", 1, true, "begins with a byte order mark")
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, in.problems, nil
	}
	in.d = &doc{}
	if err := in.d.load(text); err != nil {
		return nil, in.problems, err
	}
	if !in.d.top.IsStandard() {
		in.add("not-strict-json", "", 1, false, notStrict)
	}
	if err := in.d.check(); err != nil {
		if dup, ok := errors.AsType[*DuplicateError](err); ok {
			in.add("duplicate-key", dup.Path, dup.Line, false, "duplicate key, first on line %d", dup.First)
		}
	}
	in.switches(managed)
	in.environment()
	in.hooks()
	return in.found, in.problems, nil
}

type inspector struct {
	d        *doc
	ours     Ours
	found    []Registration
	problems []Problem
}

func (in *inspector) add(code, path string, line int, warn bool, format string, args ...any) {
	in.problems = append(in.problems, Problem{Code: code, Path: path, Line: line, Warn: warn, Text: fmt.Sprintf(format, args...)})
}

func (in *inspector) line(v *hujson.Value) int { return lineAt(in.d.src, v.StartOffset) }

// wrongType notes a value that has no meaning in its place.
func (in *inspector) wrongType(path, want string, v *hujson.Value) {
	in.add("wrong-type", path, in.line(v), false, "expected %s, found %s", want, typeName(v.Value))
}

// switches looks for what turns hooks off as a whole.
func (in *inspector) switches(managed bool) {
	if _, v := member(in.d.root, "disableAllHooks"); v != nil && v.Value.Kind() == 't' {
		in.add("disable-all-hooks", "disableAllHooks", in.line(v), false, "true: no hook runs")
	}
	if !managed {
		return
	}
	// An invalid value counts as true here, says the agent's documentation.
	if _, v := member(in.d.root, "allowManagedHooksOnly"); v != nil && v.Value.Kind() != 'f' {
		in.add("managed-only", "allowManagedHooksOnly", in.line(v), false, "managed settings allow managed hooks only: hooks of the user and the project never run")
	}
	if _, v := member(in.d.root, "strictPluginOnlyCustomization"); v != nil {
		names, _ := stringsOf(v)
		if v.Value.Kind() == 't' || slices.Contains(names, "hooks") {
			in.add("managed-only", "strictPluginOnlyCustomization", in.line(v), false, "managed settings allow hooks of plugins only: hooks of the user and the project never run")
		}
	}
}

// environment looks for variables that a settings file sets for every hook and
// that switch hooks off or move what they read.
func (in *inspector) environment() {
	_, v := member(in.d.root, "env")
	if v == nil {
		return
	}
	env, ok := v.Value.(*hujson.Object)
	if !ok {
		return
	}
	for i := range env.Members {
		name := env.Members[i].Name.Value.(hujson.Literal).String()
		var what string
		switch name {
		case "STOP_HOOK_LLM_JUDGE_ACTIVE", "HOOKCTL_JUDGE_ACTIVE":
			what = "marks every hook as a judge's own: stop gates stay silent"
		case "HOOKCTL_HOME":
			what = "points hookctl at another home"
		case "CLAUDE_CODE_SIMPLE":
			what = "only hooks of the session and of managed plugins run"
		case "CLAUDE_CODE_SHELL_PREFIX":
			what = "every hook's command is handed to another program"
		default:
			continue
		}
		in.add("environment", "env."+name, in.line(&env.Members[i].Name), name == "CLAUDE_CODE_SHELL_PREFIX", "%s", what)
	}
}

func (in *inspector) hooks() {
	v, hooks := in.d.hooksObject()
	if v == nil || isNull(v) {
		return
	}
	if hooks == nil {
		in.wrongType("hooks", "object", v)
		return
	}
	for i := range hooks.Members {
		m := &hooks.Members[i]
		event := m.Name.Value.(hujson.Literal).String()
		path := "hooks." + event
		if !slices.Contains(claudeEvents(), event) {
			in.add("unknown-event", path, in.line(&m.Name), false, "is no event of Claude Code%s: nothing below it runs", near(event, claudeEvents()))
		}
		in.event(path, event, &m.Value)
	}
}

func (in *inspector) event(path, event string, v *hujson.Value) {
	groups, ok := v.Value.(*hujson.Array)
	if !ok {
		if !isNull(v) {
			in.wrongType(path, "array", v)
		}
		return
	}
	before := len(in.found)
	for i := range groups.Elements {
		in.group(fmt.Sprintf("%s[%d]", path, i), event, &groups.Elements[i])
	}
	own := 0
	for _, r := range in.found[before:] {
		if r.Own {
			if own++; own == 2 {
				in.add("registered-twice", r.Path, r.Line, false, "hookctl is registered twice on %s", event)
			}
		}
	}
}

func (in *inspector) group(path, event string, v *hujson.Value) {
	group, ok := v.Value.(*hujson.Object)
	if !ok {
		in.wrongType(path, "object", v)
		return
	}
	matcher := ""
	if _, m := member(group, "matcher"); m != nil && !isNull(m) {
		if m.Value.Kind() != '"' {
			in.wrongType(path+".matcher", "string", m)
		} else {
			matcher = m.Value.(hujson.Literal).String()
			if code, warn, what := judgeMatcher(event, matcher); what != "" {
				in.add(code, path+".matcher", in.line(m), warn, "%q %s", matcher, what)
			}
		}
	}
	_, hooks := member(group, "hooks")
	if hooks == nil {
		in.add("wrong-type", path, in.line(v), false, "has no hooks: expected {\"hooks\": [ … ]}")
		return
	}
	list, ok := hooks.Value.(*hujson.Array)
	if !ok {
		in.wrongType(path+".hooks", "array", hooks)
		return
	}
	for i := range list.Elements {
		in.hook(fmt.Sprintf("%s.hooks[%d]", path, i), event, matcher, &list.Elements[i])
	}
}

func (in *inspector) hook(path, event, matcher string, v *hujson.Value) {
	fields, ok := v.Value.(*hujson.Object)
	if !ok {
		in.wrongType(path, "object", v)
		return
	}
	r := Registration{Path: path, Line: in.line(v), Offset: v.StartOffset, Event: event, Matcher: matcher}
	if _, t := member(fields, "type"); t == nil {
		in.add("wrong-type", path, r.Line, false, "has no type: expected \"command\"")
	} else if t.Value.Kind() != '"' {
		in.wrongType(path+".type", "string", t)
	} else if r.Type = t.Value.(hujson.Literal).String(); !slices.Contains([]string{"command", "http", "mcp_tool", "prompt", "agent"}, r.Type) {
		in.add("unknown-type", path+".type", in.line(t), false, "%q is no kind of hook: it never runs", r.Type)
	}
	in.command(path, fields, &r)
	in.timing(path, fields, &r)
	if _, cond := member(fields, "if"); cond != nil && !toolEvent(event) {
		in.add("if-without-tool", path+".if", in.line(cond), false, "counts on tool events only: on %s the hook never runs", event)
	}
	if _, a := member(fields, "async"); r.Own && a != nil && a.Value.Kind() == 't' {
		in.add("async", path+".async", in.line(a), false, "true: an answer that comes later cannot block")
	}
	in.found = append(in.found, r)
}

func (in *inspector) command(path string, fields *hujson.Object, r *Registration) {
	_, c := member(fields, "command")
	switch {
	case c == nil:
		if r.Type == "command" {
			in.add("wrong-type", path, r.Line, false, "has no command")
		}
		return
	case c.Value.Kind() != '"':
		in.wrongType(path+".command", "string", c)
		return
	}
	r.Command = c.Value.(hujson.Literal).String()
	if _, a := member(fields, "args"); a != nil && !isNull(a) {
		if r.Args, _ = stringsOf(a); r.Args == nil {
			in.wrongType(path+".args", "array of strings", a)
			return
		}
	}
	if r.Command == "" && r.Type == "command" {
		in.add("empty-command", path+".command", in.line(c), false, "is empty")
	}
	r.Own = in.ours(r.Command, r.Args)
}

// minTimeout is the least that our own entry needs, in seconds: all judges
// together have 10 s.
const minTimeout = 12

func (in *inspector) timing(path string, fields *hujson.Object, r *Registration) {
	_, t := member(fields, "timeout")
	if t == nil || isNull(t) {
		return
	}
	if t.Value.Kind() != '0' {
		in.wrongType(path+".timeout", "number of seconds", t)
		return
	}
	r.Timeout, _ = strconv.ParseFloat(string(t.Value.(hujson.Literal)), 64)
	switch path := path + ".timeout"; {
	case r.Timeout <= 0:
		in.add("timeout", path, in.line(t), false, "%v: the hook is ended at once", r.Timeout)
	case r.Own && r.Timeout < minTimeout:
		in.add("timeout", path, in.line(t), false, "%v s is less than the %d s that a judge may need: the hook is ended before it answers", r.Timeout, minTimeout)
	case r.Timeout >= 3600:
		in.add("timeout-unit", path, in.line(t), true, "%v: the unit is seconds, not milliseconds", r.Timeout)
	}
}
