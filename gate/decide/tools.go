package decide

import (
	"encoding/json"
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
	// Protect is added to what the rules protect.
	Protect []string
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
	targets := writes(ev)
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
			gt.Outcome = "violation"
			gt.Hits = append(gt.Hits, gate.Hit{Kind: "path", Pattern: pattern, Sentence: t})
			v.Findings = append(v.Findings, gate.Finding{Gate: rule.ID, Mode: mode, Sentence: t + " (" + pattern + ")", Feedback: feedback(rule, "en")})
			break
		}
		tr.Gates = append(tr.Gates, gt)
	}
}

// writes lists the files that a call names as written, as it names them.
func writes(ev gate.Event) []string {
	if shells[ev.Tool.Name] {
		var in struct{ Command string }
		if json.Unmarshal(ev.Tool.Input, &in) != nil {
			return nil
		}
		return shell.Redirections(in.Command)
	}
	fields := writers[ev.Tool.Name]
	if fields == nil {
		return nil
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(ev.Tool.Input, &in) != nil {
		return nil
	}
	var out []string
	for _, f := range fields {
		var s string
		if json.Unmarshal(in[f], &s) == nil && s != "" {
			out = append(out, s)
		}
	}
	return out
}

// protectedBy returns the pattern that protects target, or "".
func (e *Engine) protectedBy(rule *gate.Rule, cwd, target string) string {
	names := e.spellings(cwd, target)
	for _, pattern := range append(rule.Protect[:len(rule.Protect):len(rule.Protect)], e.Paths.Protect...) {
		for _, p := range e.expand(cwd, pattern) {
			for _, n := range names {
				if globMatch(p, n) {
					return pattern
				}
			}
		}
	}
	return ""
}

// spellings are the absolute names of one file: as given, and with links
// followed.
func (e *Engine) spellings(cwd, target string) []string {
	t := slashed(target)
	var all []string
	switch {
	case t == "~" || strings.HasPrefix(t, "~/"):
		for _, h := range e.Paths.Homes {
			all = append(all, path.Join(slashed(h), t[1:]))
		}
	case absolute(t):
		all = []string{path.Clean(t)}
	default:
		all = []string{path.Join(slashed(cwd), t)}
	}
	if e.Paths.Resolve != nil {
		for _, a := range all[:len(all):len(all)] {
			if r := slashed(e.Paths.Resolve(a)); r != a {
				all = append(all, r)
			}
		}
	}
	for i := range all {
		all[i] = e.fold(all[i])
	}
	return all
}

func (e *Engine) expand(cwd, pattern string) []string {
	p := slashed(pattern)
	var all []string
	switch {
	case strings.HasPrefix(p, "~/"):
		for _, h := range e.Paths.Homes {
			all = append(all, path.Join(slashed(h), p[1:]))
		}
	case strings.HasPrefix(p, "${PROJECT}/"):
		rest := strings.TrimPrefix(p, "${PROJECT}")
		all = append(all, path.Join(slashed(cwd), rest))
		if e.Paths.Project != nil {
			if root := e.Paths.Project(cwd); root != "" && root != cwd {
				all = append(all, path.Join(slashed(root), rest))
			}
		}
	case absolute(p):
		all = []string{path.Clean(p)}
	default: // a bare name or relative pattern: anywhere
		all = []string{"**/" + p}
	}
	if e.Paths.Resolve != nil {
		for _, a := range all[:len(all):len(all)] {
			dir, rest := globBase(a)
			if r := slashed(e.Paths.Resolve(dir)); r != dir {
				all = append(all, path.Join(r, rest))
			}
		}
	}
	for i := range all {
		all[i] = e.fold(all[i])
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
