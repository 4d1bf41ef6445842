// Package doctor names every way in which an agent's hooks can be silently off:
// what is wrong in each settings file, between files, with the programs that hooks
// start and with the agents' own trust. It looks at everybody's hooks, not only at
// hookctl's. It only reads; a program that it looks at is never started.
package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// File is one settings file that an agent reads, whether it is there or not.
type File struct {
	Agent  string
	Scope  string // managed, user, project, local, plugin
	Path   string
	Format agent.Format
	// Foreign says that it is another agent's file, which this one reads as well.
	Foreign bool
	// Root is the folder of the plugin that the file belongs to.
	Root string
}

// World is what is looked at.
type World struct {
	Files   []File
	Home    string // the user's home folder
	Project string // the folder the agent is started in; "" = none
	Root    string // of the Git work tree that Project lies in; "" = none
	Getenv  func(string) string
}

// Finding is one thing that keeps a hook from doing what it seems to do.
type Finding struct {
	Severity settings.Severity `json:"severity"`
	Code     string            `json:"code"`
	Agent    string            `json:"agent,omitempty"` // "" = hookctl itself
	Scope    string            `json:"scope,omitempty"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitempty"`
	Path     string            `json:"path,omitempty"` // hooks.Stop[0].hooks[1]
	// Whose hook it is about: "hookctl", "other", "" = not seen to, or the whole file.
	Whose string `json:"whose,omitempty"`
	Text  string `json:"text"`
	Why   string `json:"why"`
	Mend  string `json:"mend"`
}

// String words a finding in one line, without its file.
func (f Finding) String() string {
	return settings.Problem{Path: f.Path, Line: f.Line, Text: f.Text, Mend: f.Mend}.String()
}

// hook is a registration and the file that it stands in.
type hook struct {
	File
	settings.Registration
}

// event is the kind of the event (stop, pre-tool, …) in any agent's words.
func (h hook) kind() string { return kindOf(h.Agent, h.Event) }

// patient is one examination.
type patient struct {
	World
	trees    map[string]settings.Tree // by path, of the files that could be read
	there    []string
	hooks    []hook
	findings []Finding
}

// Report is what an examination found, in the order of the files.
type Report struct {
	Files    []string // that were there
	Hooks    int      // registered in them, not only hookctl's
	Findings []Finding
}

// Examine reads the files and everything that their hooks name.
func Examine(w World) Report {
	p := &patient{World: w, trees: map[string]settings.Tree{}}
	if w.Home == "" {
		p.add(File{}, settings.Problem{Code: "home-missing", Severity: settings.Error, Text: "the user's home folder is not known: $HOME is not set"})
	}
	p.Files = append(slices.Clone(w.Files), p.plugins()...)
	for _, f := range p.Files {
		p.read(f)
	}
	for _, h := range p.hooks {
		p.program(h)
	}
	p.doubled()
	p.belowRoot()
	p.protection()
	p.switches()
	p.codex()
	p.folders()
	p.profile()
	p.order()
	return Report{Files: p.there, Hooks: p.count(), Findings: p.findings}
}

// count is how many hooks stand in the files, each once: some files are read by
// several agents.
func (p *patient) count() int {
	seen := map[[2]string]bool{}
	for _, h := range p.hooks {
		seen[[2]string{h.File.Path, h.Registration.Path}] = true
	}
	return len(seen)
}

// order puts the findings of a file together, by line; what belongs to no settings
// file comes last.
func (p *patient) order() {
	rank := func(x Finding) int {
		i := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == x.File && f.Agent == x.Agent })
		if i < 0 {
			return len(p.Files)
		}
		return i
	}
	slices.SortStableFunc(p.findings, func(a, b Finding) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Line, b.Line)) })
}

// add takes a problem of a file up, and what its code says in general.
func (p *patient) add(f File, pr settings.Problem) {
	c := codes()[pr.Code]
	p.findings = append(p.findings, Finding{
		Severity: pr.Severity, Code: pr.Code, Agent: f.Agent, Scope: f.Scope, File: f.Path, Line: pr.Line, Path: pr.Path,
		Text: pr.Text, Why: c.Why, Mend: cmp.Or(pr.Mend, c.Mend),
	})
}

// at is a problem of a hook.
func (p *patient) at(h hook, code string, s settings.Severity, mend, format string, args ...any) {
	p.add(h.File, settings.Problem{
		Code: code, Severity: s, Path: h.Registration.Path, Line: h.Line, Text: fmt.Sprintf(format, args...), Mend: mend,
	})
	last := &p.findings[len(p.findings)-1]
	if last.Whose = "other"; h.Own {
		last.Whose = "hookctl"
	}
}

// maxFile bounds a file that is read, in bytes; maxTOML does for TOML, whose
// decoder takes a time that grows with the square of the tables.
const (
	maxFile = 16 << 20
	maxTOML = 1 << 20
)

// read inspects one settings file. A missing one is no problem.
func (p *patient) read(f File) {
	info, err := os.Lstat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if !slices.Contains(p.there, f.Path) {
		p.there = append(p.there, f.Path)
	}
	if a, _ := agent.Lookup(f.Agent); err == nil && info.Mode()&fs.ModeSymlink != 0 && a.NoLinks && !f.Foreign {
		p.add(f, settings.Problem{Code: "symlink", Severity: settings.Error, Line: 1, Text: "is a symbolic link: " + a.Title + " refuses to read it", Mend: unlinked(f.Path)})
	}
	limit := int64(maxFile)
	if f.Format == agent.TOML {
		limit = maxTOML
	}
	src, err := readFile(f.Path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		p.add(f, settings.Problem{Code: "unreadable", Severity: settings.Warning, Line: 1, Text: "is a link to nothing"})
		return
	}
	if err != nil {
		p.add(f, settings.Problem{Code: "unreadable", Severity: settings.Error, Line: 1, Text: err.Error()})
		return
	}
	how := settings.ReaderOf(f.Agent, f.Format)
	found, problems, err := how.Inspect(src, settings.Own, f.Scope == "managed")
	for _, pr := range problems {
		if !f.Foreign { // whose file it is will hear of it
			p.add(f, pr)
		}
	}
	if err != nil && !f.Foreign {
		p.add(f, settings.Problem{
			Code: "invalid", Severity: settings.Error, Line: lineOf(err),
			Text: "no hook in it runs, and the agent says nothing: " + err.Error(),
		})
	}
	if t, err := settings.Parse(src, f.Format); err == nil && f.Format != agent.Plugin {
		p.trees[f.Path] = t
	}
	for _, r := range found {
		p.hooks = append(p.hooks, hook{f, r})
	}
}

// unlinked is the command that puts a file in the place of a link to it.
func unlinked(path string) string {
	return fmt.Sprintf("cp --remove-destination \"$(readlink -f %s)\" %[1]s", quote(path))
}

func lineOf(err error) int {
	if e, ok := errors.AsType[*settings.SyntaxError](err); ok {
		return e.Line
	}
	if e, ok := errors.AsType[*settings.TypeError](err); ok {
		return e.Line
	}
	if e, ok := errors.AsType[*settings.DepthError](err); ok {
		return e.Line
	}
	return 1
}

// readFile reads a regular file of at most limit bytes; a pipe would wait.
func readFile(path string, limit int64) ([]byte, error) {
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case fi.Size() > limit:
		return nil, fmt.Errorf("%d bytes, at most %d expected", fi.Size(), limit)
	}
	return os.ReadFile(path)
}

// kindOf is the kind of an agent's event, "" for one that hookctl does not use.
func kindOf(name, event string) string {
	a, _ := agent.Lookup(name)
	for _, e := range a.Events {
		if e.Name == event {
			return e.Kind
		}
	}
	// Copilot has two names for each event; its own are these.
	return map[string]string{"agentStop": "stop", "subagentStop": "subagent-stop", "preToolUse": "pre-tool", "postToolUse": "post-tool"}[event]
}

// userDir is the folder of an agent's user settings, "" = not among the files.
func (p *patient) userDir(name string) string {
	for _, f := range p.Files {
		if f.Agent == name && f.Scope == string(agent.User) {
			return filepath.Dir(f.Path)
		}
	}
	return ""
}

// of are the hooks of an agent.
func (p *patient) of(name string) []hook {
	return slices.DeleteFunc(slices.Clone(p.hooks), func(h hook) bool { return h.Agent != name })
}

func (p *patient) env(name string) string {
	if p.Getenv == nil {
		return ""
	}
	return p.Getenv(name)
}
