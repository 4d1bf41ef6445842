package simulate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Scenario is what is played: files in a sandbox folder, hooks, a base policy, and
// the tools that an agent asks for. Its form is the YAML of a scenario file; Schema
// describes it for editors.
type Scenario struct {
	Title  string `yaml:"title"`
	Lesson string `yaml:"lesson,omitempty"`
	// Agent dispatches the requests, "" = claude.
	Agent string `yaml:"agent,omitempty"`
	// Files lie in the sandbox at the start, by name. A name that begins with "~/"
	// lies in the sandbox's home folder, any other in its project folder.
	Files map[string]string `yaml:"files,omitempty"`
	// Policy is the agent's own decision where no hook decides: allow (also ""), ask
	// or deny.
	Policy string `yaml:"policy,omitempty"`
	// Person is what a person says who is asked: "refuses" (also "", as where nobody
	// is there to be asked) or "agrees".
	Person string `yaml:"person,omitempty"`
	// Afresh gives each request the files as they were at the start.
	Afresh        bool           `yaml:"afresh,omitempty"`
	Registrations []Registration `yaml:"registrations,omitempty"`
	Requests      []Request      `yaml:"requests"`
	Expect        *Expect        `yaml:"expect,omitempty"`
}

// Registration is one hook: on an event, for the tools that the matcher names.
type Registration struct {
	// Event is pre-tool, post-tool or a name of the agent's own.
	Event    string   `yaml:"event"`
	Matcher  string   `yaml:"matcher,omitempty"`
	Timeout  float64  `yaml:"timeout,omitempty"` // seconds, 0 = the agent's own
	Callback Callback `yaml:"callback"`
}

// Callback is what a hook does: exactly one of Answer, Command and Hookctl.
type Callback struct {
	// Name is how the ledger calls it.
	Name string `yaml:"name,omitempty"`
	// Answer is given without a process: none, deny, ask, or fail, which is a program
	// that ends with exit code 1. With Files it is given on requests that name one of
	// them only, and none on others.
	Answer string   `yaml:"answer,omitempty"`
	Files  []string `yaml:"files,omitempty"`
	Reason string   `yaml:"reason,omitempty"`
	// Command is run for real: by the agent's shell, or with Args, by itself.
	Command string   `yaml:"command,omitempty"`
	Args    []string `yaml:"args,omitempty"`
	// Hookctl is asked in process: "embedded", "installed" or a bundle's folder.
	Hookctl string `yaml:"hookctl,omitempty"`

	// own marks a command that is hookctl's: it is asked as by a contract case, so
	// that the journal of this machine stays what agents did.
	own bool
	// skip says why a hook of a settings file is not run here, "" = it is.
	skip string
	// failClosed marks a hook whose failure the agent takes for a no.
	failClosed bool
	// late marks a hook that runs in the background, so that its answer decides nothing.
	late bool
	// only is the one tool that it is asked about, of those that the matcher fits. What
	// a rule asks of the call besides is taken as met.
	only string
}

// Request is a tool that the agent asks for.
type Request struct {
	Tool string `yaml:"tool"` // Edit, Write, Read, Bash or apply_patch
	// Label is the row of the coverage table, "" = the tool.
	Label   string `yaml:"label,omitempty"`
	File    string `yaml:"file,omitempty"`
	Old     string `yaml:"old,omitempty"`
	New     string `yaml:"new,omitempty"`
	Content string `yaml:"content,omitempty"`
	Command string `yaml:"command,omitempty"`
	Patch   string `yaml:"patch,omitempty"`
}

// Expect is how it must end. What is not given is not compared.
type Expect struct {
	Attempts  *int `yaml:"attempts,omitempty"`
	HookRuns  *int `yaml:"hook_runs,omitempty"`
	ToolRuns  *int `yaml:"tool_runs,omitempty"`
	Prevented *int `yaml:"prevented,omitempty"`
	Reported  *int `yaml:"reported,omitempty"`
	Unseen    *int `yaml:"unseen,omitempty"`
	// Files are contents at the end, null for a file that must not be there. One line
	// end at the end of a file counts for nothing.
	Files map[string]*string `yaml:"files,omitempty"`
}

// The tools that can be asked for, in the words of a scenario.
const (
	toolEdit  = "Edit"
	toolWrite = "Write"
	toolRead  = "Read"
	toolBash  = "Bash"
	toolPatch = "apply_patch"
)

var (
	tools    = []string{toolEdit, toolWrite, toolRead, toolBash, toolPatch}
	policies = []string{"allow", "ask", "deny"}
	persons  = []string{"refuses", "agrees"}
	answers  = []string{"none", "deny", "ask", "fail"}
)

// problem is something that a scenario says and that cannot be played. Path is where,
// as in $.requests[0].tool.
type problem struct{ path, text string }

// check looks for what the form alone does not rule out.
func (s Scenario) check() (all []problem) {
	add := func(path, format string, args ...any) {
		all = append(all, problem{path, fmt.Sprintf(format, args...)})
	}
	oneOf := func(path, value string, of []string) {
		if value != "" && !slices.Contains(of, value) {
			add(path, "%q is none of %s", value, strings.Join(of, ", "))
		}
	}
	if s.Title == "" {
		add("$", "title: a scenario has a title")
	}
	if len(s.Requests) == 0 {
		add("$", "requests: nothing is asked for")
	}
	oneOf("$.agent", s.Agent, Agents())
	oneOf("$.policy", s.Policy, policies)
	oneOf("$.person", s.Person, persons)
	for name := range s.Files {
		if !inside(name) {
			add("$.files", "%q does not lie in the sandbox", name)
		}
	}
	for i, r := range s.Registrations {
		at := fmt.Sprintf("$.registrations[%d]", i)
		if r.Event == "" {
			add(at, "event: missing")
		}
		oneOf(at+".callback.answer", r.Callback.Answer, answers)
		if r.Callback.skip == "" && r.Callback.kinds() != 1 {
			add(at+".callback", "needs one of answer, command and hookctl")
		}
		if len(r.Callback.Files) > 0 && r.Callback.Answer == "" {
			add(at+".callback.files", "belongs to an answer")
		}
	}
	for i, r := range s.Requests {
		at := fmt.Sprintf("$.requests[%d]", i)
		if what := r.wrong(); what != "" {
			add(at, "%s", what)
		}
	}
	if s.Expect != nil {
		for name := range s.Expect.Files {
			if !inside(name) {
				add("$.expect.files", "%q does not lie in the sandbox", name)
			}
		}
	}
	return all
}

func (c Callback) kinds() (n int) {
	for _, s := range []string{c.Answer, c.Command, c.Hookctl} {
		if s != "" {
			n++
		}
	}
	return n
}

// wrong says what keeps a request from being made, "" = nothing.
func (r Request) wrong() string {
	if r.File != "" && !inside(r.File) {
		return fmt.Sprintf("file: %q does not lie in the sandbox", r.File)
	}
	need := func(what, value string) string {
		if value == "" {
			return what + ": " + r.Tool + " needs it"
		}
		return ""
	}
	switch r.Tool {
	case toolEdit:
		if r.Old == r.New {
			return "old and new: Edit needs two texts that differ"
		}
		return need("file", r.File)
	case toolWrite, toolRead:
		return need("file", r.File)
	case toolBash:
		return need("command", r.Command)
	case toolPatch:
		return need("patch", r.Patch)
	case "":
		return "tool: missing"
	}
	return fmt.Sprintf("tool: %q is none of %s", r.Tool, strings.Join(tools, ", "))
}

// inside reports whether a name stays in the sandbox.
func inside(name string) bool {
	rest := strings.TrimPrefix(name, "~/")
	return rest != "" && !path.IsAbs(rest) && !strings.ContainsAny(rest, "\\:\x00") && path.Clean(rest) == rest &&
		rest != "." && rest != ".." && !strings.HasPrefix(rest, "../")
}

// Commands are the programs that a play starts: the hooks, and how many commands the
// agent asks its shell for.
func (s Scenario) Commands() (hooks []string, tools int) {
	for _, r := range s.Registrations {
		c := strings.Join(append([]string{r.Callback.Command}, r.Callback.Args...), " ")
		if c != "" && r.Callback.skip == "" && !slices.Contains(hooks, c) {
			hooks = append(hooks, c)
		}
	}
	for _, r := range s.Requests {
		if r.Command != "" {
			tools++
		}
	}
	return hooks, tools
}

// Check looks for what cannot be played.
func (s Scenario) Check() error {
	var lines []string
	for _, p := range s.check() {
		lines = append(lines, p.String())
	}
	if len(lines) == 0 {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}

func (p problem) String() string {
	if where := strings.TrimPrefix(strings.TrimPrefix(p.path, "$"), "."); where != "" {
		return where + ": " + p.text
	}
	return p.text
}
