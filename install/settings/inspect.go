package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/install/agent"
)

// Registration is one hook found in a settings file.
type Registration struct {
	Path       string // hooks.Stop[0].hooks[1]
	Line       int    // from 1
	Offset     int    // in bytes, of the hook's object
	Event      string
	Matcher    string
	Type       string   // command, http, prompt, …; "" = missing
	Name       string   // by which some agents switch it off
	Command    string   // "" also when it is not a string
	PowerShell string   // the line for PowerShell, where a file holds one for each shell
	Args       []string // nil = shell form
	Timeout    float64  // in the agent's unit; 0 = not given
	Async      bool     // its answer comes too late to block
	Own        bool
}

// Severity is how much of a hook a problem costs.
type Severity string

// Error: a hook does not run, or cannot block. Warning: it runs, but not as it
// seems. Note: worth knowing.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Problem is one way in which the file keeps hooks from running as they seem
// to. Path and Line say where, Text what, Mend the very edit, for a person.
type Problem struct {
	Code     string // stable; docs/doctor.md has them all
	Severity Severity
	Path     string // "" = the whole file
	Line     int    // from 1
	Text     string
	Mend     string // "" = see the code's own advice
}

func (p Problem) String() string {
	s := prefix(p.Path) + p.Text
	if p.Line > 0 { // a folder has no lines
		s = fmt.Sprintf("line %d: %s", p.Line, s)
	}
	if p.Mend != "" {
		s += "; " + p.Mend
	}
	return s
}

// Inspect is [Reader.Inspect] of one of Claude Code's settings files.
func Inspect(src []byte, ours Ours, managed bool) ([]Registration, []Problem, error) {
	return ReaderOf(agent.Claude, agent.Nested).Inspect(src, ours, managed)
}

// Inspect lists every hook registration of a settings file and the problems in
// it. managed says that the file belongs to the managed settings, where switches
// count that are ignored elsewhere. A file that does not parse is an error, as of
// [Register]; a wrong type or a name that stands twice is a problem.
func (r Reader) Inspect(src []byte, ours Ours, managed bool) ([]Registration, []Problem, error) {
	if r.Format == agent.Plugin {
		return nil, nil, nil
	}
	t, err := Parse(src, r.Format)
	in := &inspector{Reader: r, ours: ours}
	if t.BOM {
		in.bom()
	}
	if err != nil || t.Node == nil {
		return nil, in.problems, err
	}
	if t.Kind != Object {
		return nil, in.problems, &TypeError{Line: t.Line, Want: string(Object), Got: string(t.Kind)}
	}
	in.root = t.Node
	switch {
	case t.Lenient && r.strict:
		in.add("not-strict-json", Error, "", 1, "take the comments and the trailing commas out", "has comments or trailing commas; %s reads strict JSON and skips the whole file", r.Title)
	case t.Commas && r.Agent == agent.Gemini:
		in.add("not-strict-json", Error, "", 1, "take the trailing commas out", "has trailing commas; %s does not start with such a file", r.Title)
	}
	for _, d := range t.Twice {
		if d.Path == "hooks" || strings.HasPrefix(d.Path, "hooks.") || !strings.ContainsAny(d.Path, ".[") {
			in.add("duplicate-key", Error, d.Path, d.Line, "make one of the two", "duplicate key, first on line %d: what stands there is not read", d.First)
		}
	}
	in.switches(managed)
	in.environment("env", t.Member("env"))
	in.hooks()
	return in.found, in.problems, nil
}

// Parse reads a file of a format. It fails with [*SyntaxError] and [*DepthError].
func Parse(src []byte, f agent.Format) (Tree, error) {
	if f == agent.TOML {
		return ParseTOML(src)
	}
	return ParseJSON(src)
}

type inspector struct {
	Reader
	root     *Node
	ours     Ours
	found    []Registration
	problems []Problem
	seen     map[string]Problem // matchers that were judged, by event and text
}

func (in *inspector) add(code string, s Severity, path string, line int, mend, format string, args ...any) {
	in.problems = append(in.problems, Problem{Code: code, Severity: s, Path: path, Line: line, Text: fmt.Sprintf(format, args...), Mend: mend})
}

func (in *inspector) bom() {
	const mend = "save the file without one"
	if in.noBOM {
		in.add("bom", Error, "", 1, mend, "begins with a byte order mark: %s cannot read the file", in.Title)
		return
	}
	in.add("bom", Warning, "", 1, mend, "begins with a byte order mark")
}

// cost says what a value of a wrong type costs.
func (in *inspector) cost() string {
	if in.whole {
		return ": no hook of the whole file runs, and " + in.Title + " says nothing"
	}
	return ": it never runs"
}

// wrongType notes a value that has no meaning in its place.
func (in *inspector) wrongType(path, want string, v *Node) {
	in.add("wrong-type", Error, path, v.Line, "write "+want, "expected %s, found %s%s", want, v.Kind, in.cost())
}

// switches looks for what turns hooks off as a whole.
func (in *inspector) switches(managed bool) {
	off := func(path string, n *Node) {
		in.add("disable-all-hooks", Error, path, n.Line, "take the line out", "%s: no hook runs", n.Text)
	}
	switch v := in.root.Member("disableAllHooks"); {
	case v == nil || !slices.Contains([]string{agent.Claude, agent.Qwen, agent.Copilot}, in.Agent):
	case v.True():
		off("disableAllHooks", v)
	case v.Kind != Boolean && in.whole:
		in.wrongType("disableAllHooks", "true or false", v)
	}
	for _, path := range []string{"features.hooks", "features.codex_hooks", "hooksConfig.enabled"} {
		if v := in.root.At(strings.Split(path, ".")...); v.False() && in.heeds(path) {
			off(path, v)
		}
	}
	if in.Agent == agent.Codex && in.Format == agent.Nested {
		in.unknownKeys("hooks", "description")
	}
	if managed {
		in.managedOnly()
	}
}

// heeds tells whose switch it is.
func (in *inspector) heeds(path string) bool {
	if strings.HasPrefix(path, "features.") {
		return in.Agent == agent.Codex
	}
	return in.Agent == agent.Gemini
}

// unknownKeys names what stands at the top of a file whose agent refuses more.
func (in *inspector) unknownKeys(known ...string) {
	for _, name := range in.root.Names {
		if !slices.Contains(known, name.Text) {
			in.add("unknown-key", Error, name.Text, name.Line, "move it to the file that it belongs to",
				"%s knows no such key here: no hook of the whole file runs", in.Title)
		}
	}
}

func (in *inspector) managedOnly() {
	const text = "managed settings allow %s only: hooks of the user and the project never run"
	const mend = "ask whoever manages this machine, or register there: hookctl install --scope managed"
	// An invalid value counts as true here, says the agent's documentation.
	if v := in.root.Member("allowManagedHooksOnly"); v != nil && !v.False() {
		in.add("managed-only", Error, "allowManagedHooksOnly", v.Line, mend, text, "managed hooks")
	}
	if v := in.root.Member("allow_managed_hooks_only"); v.True() {
		in.add("managed-only", Error, "allow_managed_hooks_only", v.Line, mend, text, "managed hooks")
	}
	if v := in.root.Member("strictPluginOnlyCustomization"); v != nil {
		if names, _ := v.Strings(); v.True() || slices.Contains(names, "hooks") {
			in.add("managed-only", Error, "strictPluginOnlyCustomization", v.Line, mend, text, "hooks of plugins")
		}
	}
}

// environment looks for variables that a settings file sets for every hook and
// that switch hooks off or move what they read.
func (in *inspector) environment(path string, env *Node) {
	if !env.Is(Object) {
		return
	}
	for _, name := range env.Names {
		severity := Error
		var what string
		switch name.Text {
		case "STOP_HOOK_LLM_JUDGE_ACTIVE", "HOOKCTL_JUDGE_ACTIVE":
			what = "marks every hook as a judge's own: stop gates stay silent"
		case "HOOKCTL_HOME":
			what = "points hookctl at another home"
		case "CLAUDE_CODE_SIMPLE":
			what = "only hooks of the session and of managed plugins run"
		case "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH":
			severity, what = Warning, "moves the folder in which an agent started from here looks for its settings and hooks"
		case "HOME", "USERPROFILE":
			severity, what = Warning, "gives every hook another home"
		case "PATH":
			severity, what = Warning, "hooks find their programs on this path only"
		case "CLAUDE_CODE_SHELL_PREFIX":
			severity, what = Warning, "every hook's command is handed to another program"
		default:
			continue
		}
		in.add("environment", severity, path+"."+name.Text, name.Line, "take the line out", "%s", what)
	}
}
