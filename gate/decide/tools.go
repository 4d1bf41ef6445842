package decide

import (
	"encoding/json"
	"fmt"
	"path"
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
	// FoldCase is true where names that differ in case are one file.
	FoldCase bool
	// Protect is added to what the rules protect; so are Folders, which are files
	// or folders with all that is in them, whatever characters their names have.
	Protect, Folders []string
}

// writers are the tools that write a file, with the fields that may name it.
var writers = map[string][]string{
	"Write": {"file_path"}, "Edit": {"file_path"}, "MultiEdit": {"file_path"},
	"NotebookEdit": {"notebook_path", "file_path"},
	"write_file":   {"file_path"}, "replace": {"file_path"}, "edit": {"file_path", "filePath", "path"},
	"create": {"path", "file_path"}, "write": {"filePath", "file_path"},
}

// shells are the tools that run a command line.
var shells = map[string]bool{"Bash": true, "run_shell_command": true, "bash": true, "Shell": true}

// tool judges a tool call by the files that it would write.
func (e *Engine) tool(ev gate.Event, v *gate.Verdict, tr *gate.Trace) {
	targets, err := writes(ev)
	if err != nil {
		v.Faults = append(v.Faults, err.Error())
		return
	}
	for i := range e.Rules.Gates {
		rule := &e.Rules.Gates[i]
		mode := modeFor(rule, ev.Kind)
		if mode == gate.Off || len(rule.Protect) == 0 {
			continue
		}
		gt := gate.GateTrace{Gate: rule.ID, Outcome: "no hit"}
		for _, t := range targets {
			pattern := e.protectedBy(rule, ev.CWD, t)
			if pattern == "" {
				continue
			}
			gt.Outcome = gate.OutcomeViolation
			gt.Hits = append(gt.Hits, gate.Hit{Kind: "path", Pattern: pattern, Sentence: t})
			v.Findings = append(v.Findings, gate.Finding{Gate: rule.ID, Mode: mode, Sentence: t + " (" + pattern + ")", Feedback: feedback(rule, "en")})
			break
		}
		tr.Gates = append(tr.Gates, gt)
	}
}

// writes lists the files that a call names as written, as it names them. A call
// of a tool that writes, of which it cannot be told what, is an error.
func writes(ev gate.Event) ([]string, error) {
	unread := func(what string) error {
		return fmt.Errorf("the call of %s has no readable %s", ev.Tool.Name, what)
	}
	fields, isShell := writers[ev.Tool.Name], shells[ev.Tool.Name]
	if fields == nil && !isShell {
		return nil, nil
	}
	var in map[string]json.RawMessage
	if err := json.Unmarshal(ev.Tool.Input, &in); err != nil || in == nil {
		return nil, unread("input")
	}
	if isShell {
		var line string
		if json.Unmarshal(in["command"], &line) != nil {
			return nil, unread("command")
		}
		if !shell.Readable(line) {
			return nil, fmt.Errorf("the command line of %s is nested too deeply", ev.Tool.Name)
		}
		return shell.Redirections(line), nil
	}
	var out []string
	for _, f := range fields {
		var s string
		if raw, given := in[f]; given && json.Unmarshal(raw, &s) != nil {
			return nil, unread(f)
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return out, nil
}

// protectedBy returns the pattern that protects target, or "".
func (e *Engine) protectedBy(rule *gate.Rule, cwd, target string) string {
	names := e.spellings(cwd, target)
	for _, pattern := range append(rule.Protect[:len(rule.Protect):len(rule.Protect)], e.Paths.Protect...) {
		for _, p := range e.expand(cwd, pattern) {
			if matchesAny(p, names) {
				return pattern
			}
		}
	}
	for _, f := range e.Paths.Folders {
		for _, p := range e.under(f, "**") {
			if matchesAny(e.fold(p), names) {
				return f
			}
		}
	}
	return ""
}

func matchesAny(pattern string, names []string) bool {
	for _, n := range names {
		if globMatch(pattern, n) {
			return true
		}
	}
	return false
}

// spellings are the absolute names of one file: as given, and with links
// followed. What is followed still has its "..": behind a link to a folder they
// lead elsewhere than the spelling says.
func (e *Engine) spellings(cwd, target string) []string {
	t := slashed(target)
	var given []string
	switch {
	case strings.HasPrefix(t, "~"):
		given = e.underHome(t)
	case absolute(t):
		given = []string{t}
	}
	if given == nil {
		given = []string{slashed(cwd) + "/" + t}
	}
	var all []string
	for _, g := range given {
		all = append(all, e.fold(path.Clean(g)))
		if e.Paths.Resolve != nil {
			all = append(all, e.fold(slashed(e.Paths.Resolve(g))))
		}
	}
	return all
}

// underHome puts the homes in the place of a leading "~" or "~name", the home of
// the user with that name. nil when it means none of them.
func (e *Engine) underHome(t string) (all []string) {
	name, rest, _ := strings.Cut(t, "/")
	for _, h := range e.Paths.Homes {
		h = slashed(h)
		if name == "~" || name[1:] == path.Base(h) {
			all = append(all, h+"/"+rest)
		}
	}
	return all
}

// expand makes the absolute patterns that a pattern stands for.
func (e *Engine) expand(cwd, pattern string) []string {
	p := slashed(pattern)
	var all []string
	switch {
	case strings.HasPrefix(p, "~/"):
		for _, h := range e.Paths.Homes {
			all = append(all, e.under(h, p[2:])...)
		}
	case strings.HasPrefix(p, "${PROJECT}/"):
		rest := strings.TrimPrefix(p, "${PROJECT}/")
		all = e.under(cwd, rest)
		if e.Paths.Project != nil {
			if root := e.Paths.Project(cwd); root != "" && root != cwd {
				all = append(all, e.under(root, rest)...)
			}
		}
	case absolute(p):
		clean := path.Clean(p)
		root := clean[:strings.IndexByte(clean, '/')+1]
		all = e.under(root, clean[len(root):])
	default: // a bare name or relative pattern: anywhere
		all = []string{"**/" + p}
	}
	for i := range all {
		all[i] = e.fold(all[i])
	}
	return all
}

// under places a pattern in a folder, whose name comes from the machine and is
// taken literally, and follows the links in what comes before the first
// wildcard. Without a wildcard the file itself is followed as well: who writes to
// where it leads has changed it.
func (e *Engine) under(folder, rest string) []string {
	dir := slashed(folder)
	all := []string{path.Join(quoted(dir), rest)}
	if e.Paths.Resolve == nil {
		return all
	}
	base, wild := globBase(rest)
	all = append(all, path.Join(quoted(slashed(e.Paths.Resolve(path.Join(dir, base)))), wild))
	if !strings.ContainsAny(rest, wildcards) {
		all = append(all, quoted(slashed(e.Paths.Resolve(path.Join(dir, rest)))))
	}
	return all
}

func (e *Engine) fold(s string) string {
	if e.Paths.FoldCase {
		return strings.ToLower(s)
	}
	return s
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

func absolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
