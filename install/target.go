package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
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
	files := a.Editable(scope)
	if len(files) == 0 {
		return Target{}, &ScopeError{name, scope, "it has no settings of that scope that hookctl could edit"}
	}
	path, err := at.path(a, files[0])
	if err != nil {
		return Target{}, fmt.Errorf("agent %s: %w", name, err)
	}
	if path == "" {
		return Target{}, &ScopeError{name, scope, "no project folder is known"}
	}
	if path, err = filepath.Abs(path); err != nil {
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
	return Target{Agent: name, Scope: scope, Format: files[0].Format, Path: path, Entries: entries(a, bin)}, nil
}

// entries are what hookctl at bin registers with an agent.
func entries(a agent.Agent, bin string) []settings.Entry {
	e := settings.Entry{Timeout: int(hookTimeout / a.Unit), Command: settings.CommandLine(bin)}
	switch {
	case a.PowerShell && runtime.GOOS == "windows":
		e.Command = settings.PowerShellLine(bin)
	case a.Guard:
		e.Command = settings.Guarded(e.Command)
	}
	if a.Name == agent.Copilot { // its file has a line for each shell
		e.Command, e.PowerShell = settings.Guarded(settings.CommandLine(bin)), settings.PowerShellLine(bin)
	}
	var all []settings.Entry
	for _, ev := range a.Events {
		e.Event = ev.Name
		all = append(all, e)
	}
	return all
}

// Change is what happens, or would happen, to one file.
type Change struct {
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
	c := Change{Path: t.Path}
	var err error
	if c.Before, err = readSettings(t.Path); err != nil {
		return Change{}, err
	}
	res, err := settings.Register(c.Before, settings.Own, t.Entries)
	if err != nil {
		return Change{}, &FileError{t.Path, err}
	}
	c.After, c.Notes = res.Out, res.Notes
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
	found, _, err := settings.Inspect(c.Before, settings.Own, false)
	if err != nil {
		return nil, &FileError{t.Path, err}
	}
	var problems []Problem
	for _, e := range t.Entries {
		var own []settings.Registration
		for _, r := range found {
			if r.Own && r.Event == e.Event {
				own = append(own, r)
			}
		}
		switch {
		case len(own) == 0:
			problems = append(problems, Problem{t.Path, "hooks." + e.Event + ": hookctl is not registered"})
		case len(own) > 1:
			problems = append(problems, Problem{t.Path, fmt.Sprintf("line %d: %s: hookctl is registered twice", own[1].Line, own[1].Path)})
		case own[0].Command != e.Command || len(own[0].Args) > 0:
			got := strings.TrimSpace(own[0].Command + " " + strings.Join(own[0].Args, " "))
			problems = append(problems, Problem{t.Path, fmt.Sprintf("line %d: %s: command is %q, want %q", own[0].Line, own[0].Path, got, e.Command)})
		case own[0].Timeout != float64(e.Timeout):
			problems = append(problems, Problem{t.Path, fmt.Sprintf("line %d: %s: timeout is %v s, want %d s", own[0].Line, own[0].Path, own[0].Timeout, e.Timeout)})
		}
	}
	if len(problems) == 0 {
		problems = append(problems, Problem{t.Path, "differs from what install writes"})
	}
	return problems, nil
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
