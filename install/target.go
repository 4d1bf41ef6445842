package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/settings"
)

// hookTimeout is what a hook may take, in seconds: the judges' 10 s and the
// transcript's 2 s with room. Claude Code counts in seconds.
const hookTimeout = 30

// maxSettings bounds a settings file, in bytes.
const maxSettings = 16 << 20

// Where says where an agent keeps its files, as read from the environment by
// whoever calls.
type Where struct {
	Home      string // the user's home folder
	ConfigDir string // $CLAUDE_CONFIG_DIR; "" = not set
	// ManagedDir holds the managed settings; "" = where the agent looks.
	ManagedDir string
}

func (w Where) claudeDir() string {
	if w.ConfigDir != "" {
		return w.ConfigDir
	}
	return filepath.Join(w.Home, ".claude")
}

// Target is one settings file and what hookctl wants in it.
type Target struct {
	Agent   string
	Path    string
	Entries []settings.Entry
}

// AgentError says that hookctl cannot register itself with an agent.
type AgentError struct{ Agent string }

func (e *AgentError) Error() string { return "agent " + e.Agent + ": not supported yet" }

// Plan says where and how hookctl at h is registered with an agent. It fails
// with [*AgentError].
func Plan(agent string, h home.Dir, at Where) (Target, error) {
	if agent != "claude" {
		return Target{}, &AgentError{Agent: agent}
	}
	if at.Home == "" && at.ConfigDir == "" {
		return Target{}, errors.New("agent claude: the user's home folder is not known")
	}
	bin, err := filepath.Abs(h.Binary())
	if err != nil {
		return Target{}, err
	}
	path, err := filepath.Abs(filepath.Join(at.claudeDir(), "settings.json"))
	if err != nil {
		return Target{}, err
	}
	t := Target{Agent: agent, Path: path}
	for _, event := range []string{"Stop", "SubagentStop", "PreToolUse", "PostToolUse", "SessionStart"} {
		t.Entries = append(t.Entries, settings.Entry{Event: event, Command: settings.CommandLine(bin), Timeout: hookTimeout})
	}
	return t, nil
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
