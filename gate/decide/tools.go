package decide

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

// Paths is what a tool gate must know of the machine.
type Paths struct {
	// Homes are the folders that "~" may mean; Project the root of the project
	// that lies around a folder.
	Homes   []string
	Project func(cwd string) string
	// Resolve follows links as far as the path exists.
	Resolve func(path string) string
	// Stat tells what lies at a path; nil: nobody knows, and everything may be there.
	Stat func(path string) shell.Stat
	// FoldCase is true where names that differ in case are one file.
	FoldCase bool
	// Protect is added to what the rules protect; so are Folders, which are files
	// or folders with all that is in them, whatever characters their names have.
	Protect, Folders []string
	// Commands are ids of guards that this machine has enforced, or command lines of
	// its own that no agent is to run ("terraform destroy").
	Commands []string
}

// acts is what a tool call would do.
type acts struct {
	cwd      string // the folder that its paths hang on
	base     string // the event's folder, which the rules speak of
	line     string // the command line, "" for a tool that runs none
	effects  []shell.Effect
	commands []shell.Command
	words    []shell.Text
}

// tool judges a tool call by the files that it would change and the commands that
// it would run.
func (e *Engine) tool(ev gate.Event, v *gate.Verdict, tr *gate.Trace) {
	a, err := e.acts(ev)
	if err != nil {
		v.Faults = append(v.Faults, err.Error())
		if a == nil {
			return
		}
	}
	if a.line != "" {
		tr.Shell = traced(a)
	}
	for i := range e.Rules.Gates {
		rule := &e.Rules.Gates[i]
		mode := modeFor(rule, ev.Kind)
		if mode == gate.Off || len(rule.Protect)+len(rule.Commands) == 0 {
			continue
		}
		gt := gate.GateTrace{Gate: rule.ID, Outcome: "no hit"}
		found := strictest(append(e.protected(rule, a), e.guarded(rule, a)...))
		if ev.Kind == gate.PostTool { // nothing is left to be asked
			found = slices.DeleteFunc(found, func(h hit) bool { return h.ask })
			found = append(found, e.changed(rule, ev.CWD)...)
		}
		for _, h := range found {
			gt.Hits = append(gt.Hits, h.Hit)
		}
		if len(found) > 0 {
			gt.Outcome = gate.OutcomeViolation
			h := found[0]
			if h.own && mode == gate.Enforce {
				mode = gate.Warn
			}
			v.Findings = append(v.Findings, gate.Finding{Gate: rule.ID, Mode: mode, Sentence: h.said, Feedback: feedback(rule, "en"), Ask: h.ask})
		}
		tr.Gates = append(tr.Gates, gt)
	}
}

// hit is what one rule of a tool gate holds against a call.
type hit struct {
	gate.Hit
	said string
	ask  bool // it cannot be told, or the rule leaves it to the user
	own  bool // the agent itself may have done it
}

// strictest puts what is denied before what is asked.
func strictest(hits []hit) []hit {
	var deny, ask []hit
	for _, h := range hits {
		if h.ask {
			ask = append(ask, h)
		} else {
			deny = append(deny, h)
		}
	}
	return append(deny, ask...)
}

// acts reads a call. A call of a tool that writes, of which it cannot be told what,
// is an error; what could be told comes with it.
func (e *Engine) acts(ev gate.Event) (*acts, error) {
	kind := kindOf(ev.Tool.Name)
	if kind == toolReads {
		return &acts{}, nil
	}
	var in map[string]json.RawMessage
	if err := json.Unmarshal(ev.Tool.Input, &in); err != nil || in == nil {
		var s string // some agents send the object as a string
		if json.Unmarshal(ev.Tool.Input, &s) != nil || json.Unmarshal([]byte(s), &in) != nil || in == nil {
			if kind == toolOther {
				return &acts{}, nil
			}
			return nil, unread(ev, "input")
		}
	}
	a := &acts{cwd: ev.CWD, base: ev.CWD}
	if d := str(in, "workdir", "cwd", "directory", "dir_path", "working_directory"); d != "" && (kind == toolShell || kind == toolPowerShell) {
		a.cwd = e.spelled(ev.CWD, d)
	}
	switch kind {
	case toolShell, toolPowerShell:
		return e.runs(ev, a, in, kind)
	case toolPatch:
		patch := str(in, "command", "input", "patch", "patchText", "patch_text", "diff")
		if patch == "" {
			return nil, unread(ev, "patch")
		}
		a.effects = append(shell.PatchNames(patch), diffEffects(patch)...)
		return a, nil
	}
	return e.writes(ev, a, in, kind)
}

func unread(ev gate.Event, what string) error {
	return fmt.Errorf("the call of %s has no readable %s", ev.Tool.Name, what)
}

// runs reads a command line, or its words.
func (e *Engine) runs(ev gate.Event, a *acts, in map[string]json.RawMessage, kind toolKind) (*acts, error) {
	for _, f := range []string{"command", "cmd", "script", "code"} {
		raw, ok := in[f]
		if !ok {
			continue
		}
		var words []string
		switch {
		case json.Unmarshal(raw, &a.line) == nil:
			if args, err := strs(in["args"]); err == nil && strings.HasPrefix(ev.Tool.Name, "mcp") {
				a.line += " " + shell.Quote(args)
			}
		case f == "command" && !listed(ev.Tool.Name):
			return nil, unread(ev, f)
		case json.Unmarshal(raw, &words) == nil:
			a.line = shell.Quote(words)
		default:
			return nil, unread(ev, f)
		}
		o := shell.Options{}
		if e.Paths.Stat != nil {
			o.Stat = func(t shell.Text) shell.Stat { return e.stat(a.cwd, t) }
		}
		read := shell.Analyze
		if kind == toolPowerShell {
			read = shell.AnalyzePowerShell
		}
		got, err := read(a.line, o)
		a.effects, a.commands, a.words = got.Effects, got.Commands, got.Words
		if err != nil {
			err = fmt.Errorf("%s: %w", ev.Tool.Name, err)
		}
		return a, err
	}
	if _, known := exactly(ev.Tool.Name); known {
		return nil, unread(ev, "command")
	}
	return a, nil
}

// listed reports whether a tool takes its command as a list of words.
func listed(name string) bool {
	switch name {
	case "shell", "local_shell", "container.exec", "exec_command":
		return true
	}
	return strings.HasPrefix(name, "mcp")
}

// stat is what lies at a path of a line.
func (e *Engine) stat(cwd string, t shell.Text) shell.Stat {
	all := e.absolute(cwd, t)
	if len(all) == 0 || !all[0].Plain() {
		return shell.Unknown
	}
	return e.Paths.Stat(string(all[0]))
}

// spelled is the first absolute spelling of a path that a tool names.
func (e *Engine) spelled(cwd, p string) string {
	if all := e.absolute(cwd, named(p)); len(all) > 0 {
		return string(all[0])
	}
	return cwd
}

// named is a path that a tool names: as it is, but for a leading tilde.
func named(p string) shell.Text {
	if strings.HasPrefix(p, "~") {
		return shell.Text([]byte{shell.Home}) + shell.Text(p[1:])
	}
	return shell.Text(p)
}

// str is the first of some members that is a string and not empty.
func str(in map[string]json.RawMessage, names ...string) string {
	for _, n := range names {
		var s string
		if json.Unmarshal(in[n], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// strs are the strings of a member: one, or a list, or a list of objects with a
// path.
func strs(raw json.RawMessage) ([]string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []string{s}, nil
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list, nil
	}
	var objs []map[string]json.RawMessage
	if json.Unmarshal(raw, &objs) != nil {
		return nil, errors.New("neither a path nor a list of paths")
	}
	for _, o := range objs {
		list = append(list, str(o, pathFields...))
	}
	return list, nil
}
