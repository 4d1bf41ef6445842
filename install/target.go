package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// hookTimeout is what a hook may take: the judges' 10 s and the transcript's 2 s
// with room.
const hookTimeout = 30 * time.Second

// maxSettings bounds a settings file, in bytes.
const maxSettings = 16 << 20

// Target is one settings file and what hookctl wants in it.
type Target struct {
	Agent   string
	Scope   agent.Scope
	Format  agent.Format
	Path    string
	Entries []settings.Entry
}

// AgentError says that hookctl does not know an agent.
type AgentError struct{ Agent string }

func (e *AgentError) Error() string { return "agent " + e.Agent + ": not known" }

// ScopeError says that an agent has no settings of that scope in which hookctl
// could register.
type ScopeError struct {
	Agent string
	Scope agent.Scope
	Why   string
}

func (e *ScopeError) Error() string {
	return fmt.Sprintf("agent %s, scope %s: %s", e.Agent, e.Scope, e.Why)
}

// Plan says where and how hookctl at h is registered with an agent. It fails
// with [*AgentError] and [*ScopeError].
func Plan(name string, scope agent.Scope, h home.Dir, at Where) (Target, error) {
	a, ok := agent.Lookup(name)
	if !ok {
		return Target{}, &AgentError{Agent: name}
	}
	if (scope == agent.Project || scope == agent.Local) && at.Home != "" && filepath.Clean(at.Project) == filepath.Clean(at.Home) {
		return Target{}, &ScopeError{name, scope, "this is the home folder, whose settings are the user's: change into the project"}
	}
	var targets []Target
	for _, f := range a.Editable(scope) {
		path, err := at.path(a, f)
		if err != nil {
			return Target{}, fmt.Errorf("agent %s: %w", name, err)
		}
		if path == "" {
			return Target{}, &ScopeError{name, scope, "no project folder is known"}
		}
		t, err := plan(a, scope, f.Format, path, h)
		if err != nil {
			return Target{}, err
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return Target{}, &ScopeError{name, scope, "it has no settings of that scope that hookctl could edit"}
	}
	return theirs(targets), nil
}

// plan is the target at a path.
func plan(a agent.Agent, scope agent.Scope, f agent.Format, path string, h home.Dir) (Target, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Target{}, err
	}
	// A project's settings are shared: they name the program, each machine says
	// where it lies.
	bin := "hookctl"
	if scope != agent.Project {
		if bin, err = filepath.Abs(h.Binary()); err != nil {
			return Target{}, err
		}
	}
	return Target{Agent: a.Name, Scope: scope, Format: f, Path: path, Entries: entries(a, f, bin)}, nil
}

// theirs is the first of the targets, or the one in which the user's hooks are.
func theirs(targets []Target) Target {
	for _, t := range targets {
		src, err := readSettings(t.Path)
		if err != nil || src == nil {
			continue
		}
		found, err := t.editor().List(src, settings.Own)
		if err != nil || len(found) == 0 {
			continue
		}
		if _, err := t.Preview(); err == nil {
			return t
		}
	}
	return targets[0]
}

// entries are what hookctl at bin registers with an agent.
func entries(a agent.Agent, f agent.Format, bin string) []settings.Entry {
	e := settings.Entry{Timeout: int(hookTimeout / a.Unit), Command: settings.CommandLine(bin), Name: a.HookName}
	switch {
	case f == agent.Plugin:
		e.Command = bin
	case a.EachShell:
		e.Command, e.PowerShell = settings.Guarded(e.Command), settings.PowerShellLine(bin)
	case a.PowerShell && runtime.GOOS == "windows":
		e.Command = settings.PowerShellLine(bin)
	case a.Guard:
		e.Command = settings.Guarded(e.Command)
	}
	var all []settings.Entry
	for _, ev := range a.Events {
		e.Event = ev.Name
		all = append(all, e)
	}
	return all
}

// SameFile reports whether two targets are one file.
func (t Target) SameFile(other Target) bool { return t.Path == other.Path }

func (t Target) editor() settings.Editor { return settings.For(t.Format) }

// LinkError says that an agent refuses settings that are a symbolic link.
type LinkError struct{ Agent string }

func (e *LinkError) Error() string {
	return "is a symbolic link, and " + e.Agent + " reads no such file"
}

// Change is what happens, or would happen, to one file.
type Change struct {
	Agent   string
	Path    string
	Before  []byte // nil = no file
	After   []byte // nil = no file
	Notes   []string
	Removed []string // folders that went with the file, innermost first
}

// Changed reports whether the bytes differ.
func (c Change) Changed() bool {
	return (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After)
}

// Diff is the unified diff, "" when nothing changes.
func (c Change) Diff() string { return settings.Diff(c.Path, c.Before, c.After) }

// Preview says what Apply would do, and does nothing.
func (t Target) Preview() (Change, error) {
	a, _ := agent.Lookup(t.Agent)
	c := Change{Agent: t.Agent, Path: t.Path}
	if fi, err := os.Lstat(t.Path); err == nil && a.NoLinks && fi.Mode()&fs.ModeSymlink != 0 {
		return Change{}, &FileError{t.Path, &LinkError{a.Title}}
	}
	var err error
	if c.Before, err = readSettings(t.Path); err != nil {
		return Change{}, err
	}
	res, err := t.editor().Register(c.Before, settings.Own, t.Entries)
	if err != nil {
		return Change{}, &FileError{t.Path, err}
	}
	c.After, c.Notes = res.Out, res.Notes
	if res.Loose && !a.Comments {
		c.Notes = append(c.Notes, "has comments or trailing commas; "+a.Title+" reads strict JSON and skips the whole file")
	}
	return c, nil
}

// Wired reports what of t is missing from its file or differs, one problem for
// the whole file: it is wired when another install would change nothing.
func (t Target) Wired() ([]Problem, error) {
	c, err := t.Preview()
	if err != nil {
		return nil, err
	}
	if c.Before == nil {
		return []Problem{{t.Path, "is missing: hookctl is not registered"}}, nil
	}
	if !c.Changed() {
		return nil, nil
	}
	found, err := t.editor().List(c.Before, settings.Own)
	if err != nil {
		return nil, &FileError{t.Path, err}
	}
	var problems []Problem
	for _, e := range t.Entries {
		if p := t.wrong(e, found); p != "" {
			problems = append(problems, Problem{t.Path, p})
		}
	}
	if len(problems) == 0 {
		problems = append(problems, Problem{t.Path, "differs from what install writes"})
	}
	return problems, nil
}

// wrong says what is wrong with one entry among those found, "" = nothing that it
// knows.
func (t Target) wrong(e settings.Entry, found []settings.Registration) string {
	if t.Format == agent.Plugin {
		return ""
	}
	var own []settings.Registration
	for _, r := range found {
		if r.Own && r.Event == e.Event {
			own = append(own, r)
		}
	}
	switch {
	case len(own) == 0:
		return "hooks." + e.Event + ": hookctl is not registered"
	case len(own) > 1:
		return fmt.Sprintf("line %d: %s: hookctl is registered twice", own[1].Line, own[1].Path)
	case own[0].Command != e.Command || len(own[0].Args) > 0:
		got := strings.TrimSpace(own[0].Command + " " + strings.Join(own[0].Args, " "))
		return fmt.Sprintf("line %d: %s: command is %q, want %q", own[0].Line, own[0].Path, got, e.Command)
	case own[0].Timeout != float64(e.Timeout):
		unit := "s"
		if a, _ := agent.Lookup(t.Agent); a.Unit == time.Millisecond {
			unit = "ms"
		}
		return fmt.Sprintf("line %d: %s: timeout is %v %s, want %d %s", own[0].Line, own[0].Path, own[0].Timeout, unit, e.Timeout, unit)
	}
	return ""
}

// Registrations are hookctl's own entries in t's file; of a file that cannot be
// read or understood there are none.
func (t Target) Registrations() []settings.Registration {
	src, err := readSettings(t.Path)
	if err != nil || src == nil {
		return nil
	}
	found, err := t.editor().List(src, settings.Own)
	if err != nil {
		return nil // the settings' own fault: verify names it
	}
	return slices.DeleteFunc(found, func(r settings.Registration) bool { return !r.Own })
}

// readSettings reads a settings file; nil means that there is none.
func readSettings(path string) ([]byte, error) {
	b, err := readBounded(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}
