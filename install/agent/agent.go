// Package agent is the one place that knows how each coding agent is wired: where
// its settings lie in which scope and in which form, under which names it reports
// events, in which unit it counts, what it does when its hook is missing, and what
// a user has to do after an installation. It is data: it touches no file and
// decides nothing.
package agent

import (
	"runtime"
	"slices"
	"time"
)

// The agents' names, as --agent takes them.
const (
	Claude   = "claude"
	Codex    = "codex"
	Gemini   = "gemini"
	Qwen     = "qwen"
	Copilot  = "copilot"
	Cursor   = "cursor"
	OpenCode = "opencode"
)

// Scope is whom a settings file speaks for.
type Scope string

// The scopes. Local is a project's file that is not committed.
const (
	Managed Scope = "managed"
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local"
)

// Format is how hooks are written in a file.
type Format string

const (
	// Nested is JSON with hooks.<Event>[].hooks[], Claude Code's form.
	Nested Format = "nested"
	// Flat is JSON with "version": 1 and hooks.<event>[].
	Flat Format = "flat"
	// TOML is Nested as tables: [[hooks.<Event>]] and [[hooks.<Event>.hooks]].
	TOML Format = "toml"
	// Plugin is a program of the agent's own kind that starts hookctl.
	Plugin Format = "plugin"
)

// File is one settings file that an agent reads.
type File struct {
	Scope Scope
	// Path, with slashes, from the folder of the scope: the user's and the managed
	// files lie in the agent's folders, the others in the project's. A "*" in the
	// last element means every such file.
	Path   string
	Format Format
	// Edit says that install registers here. Of several in a scope it takes the
	// first, unless the hooks of the user stand in another.
	Edit bool
	// Root says that the file lies in the root of the repository's main work tree, and
	// not in the folder that the agent is started in.
	Root bool
	// Foreign says that the file belongs to another agent and is read as well.
	Foreign bool
}

// Event is a moment of which the agent reports, and its own name of it.
type Event struct {
	Kind string // stop, subagent-stop, pre-tool, post-tool, session-start
	Name string
}

// Step is what is left to do for a person after an installation.
type Step struct {
	Scopes []Scope // in which it counts; none = in all
	Text   string
}

// Agent is one coding agent.
type Agent struct {
	Name    string
	Title   string // as its maker writes it
	Program string // the command that starts it
	// Folder holds the user's settings: from the home folder, with slashes.
	Folder string
	// Env is the variable that puts another folder in its place, "" = none;
	// Below is what is added to it.
	Env, Below string
	// System holds the managed settings, by operating system.
	System map[string]string
	Files  []File        // the strongest first
	Events []Event       // those that install registers
	Unit   time.Duration // of a timeout in the settings
	// HookName is the name that a hook of ours bears, where the agent switches hooks
	// off by name; "" = it has none.
	HookName string
	// Comments says that the agent's JSON may hold comments.
	Comments bool
	// Guard says that the agent takes a hook that cannot be started, or is killed,
	// for a block, so that the command line must not let that through.
	Guard bool
	// PowerShell says that on Windows a command line is PowerShell's.
	PowerShell bool
	// EachShell says that a hook has a command line for sh and one for PowerShell.
	EachShell bool
	// NoLinks says that the agent refuses a settings file that is a symbolic link.
	NoLinks bool
	// Missing is what happens when hookctl is gone.
	Missing string
	Then    []Step
}

// All are the agents in a fixed order.
func All() []Agent {
	return []Agent{claude(), codex(), gemini(), qwen(), copilot(), cursor(), opencode()}
}

// Names are the names of All.
func Names() []string {
	var names []string
	for _, a := range All() {
		names = append(names, a.Name)
	}
	return names
}

// Lookup finds an agent by its name.
func Lookup(name string) (Agent, bool) {
	all := All()
	i := slices.IndexFunc(all, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return Agent{}, false
	}
	return all[i], true
}

// SystemDir is the folder of the managed settings on this operating system, ""
// where the agent has none.
func (a Agent) SystemDir() string {
	if dir, ok := a.System[runtime.GOOS]; ok {
		return dir
	}
	return a.System["linux"]
}

// Editable are the files of a scope in which install can register.
func (a Agent) Editable(s Scope) []File {
	return slices.DeleteFunc(slices.Clone(a.Files), func(f File) bool { return f.Scope != s || !f.Edit })
}

// Scopes are those in which install can register.
func (a Agent) Scopes() []Scope {
	var scopes []Scope
	for _, s := range []Scope{User, Project, Local, Managed} {
		if len(a.Editable(s)) > 0 {
			scopes = append(scopes, s)
		}
	}
	return scopes
}

// Event is the agent's name of an event of a kind, "" when it has none.
func (a Agent) Event(kind string) string {
	i := slices.IndexFunc(a.Events, func(e Event) bool { return e.Kind == kind })
	if i < 0 {
		return ""
	}
	return a.Events[i].Name
}

// Steps are what is left to do after an installation in a scope.
func (a Agent) Steps(s Scope) []string {
	var steps []string
	for _, st := range a.Then {
		if len(st.Scopes) == 0 || slices.Contains(st.Scopes, s) {
			steps = append(steps, st.Text)
		}
	}
	return steps
}
