package simulate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report is what happened.
type Report struct {
	Schema   int               `json:"schema"`
	Title    string            `json:"title"`
	Lesson   string            `json:"lesson,omitempty"`
	Agent    string            `json:"agent"`
	Policy   string            `json:"policy"`
	Afresh   bool              `json:"afresh"`
	DryRun   bool              `json:"dry_run"`
	Notes    []string          `json:"notes,omitempty"`
	Steps    []Step            `json:"steps"`
	Counts   Counts            `json:"counts"`
	Coverage []Cell            `json:"coverage"`
	Files    map[string]string `json:"files"`    // at the end: those of the scenario and those that changed
	Expected bool              `json:"expected"` // the scenario says how it must end
	Failed   []string          `json:"failed"`   // expectations that do not hold
}

// Step is one request: an attempt, and what became of it.
type Step struct {
	N         int      `json:"n"`
	Tool      string   `json:"tool"`
	AgentTool string   `json:"agent_tool"` // the agent's own name of it
	Label     string   `json:"label"`
	Target    string   `json:"target"`
	Hooks     []Hook   `json:"hooks"`
	Decision  string   `json:"decision,omitempty"`
	By        string   `json:"by,omitempty"` // hook or policy
	Ran       bool     `json:"ran"`
	ToolError string   `json:"tool_error,omitempty"`
	Effects   []Effect `json:"effects"`
	Later     []Effect `json:"later,omitempty"` // what hooks did after the tool
	Outcome   string   `json:"outcome,omitempty"`

	column string // the file that the request is about, "" = not said
}

// Hook is one registration on an event of a step. Matched tells that its matcher
// fits, Asked that it was run; a Decision is there only then.
type Hook struct {
	Event    string `json:"event"`
	Matcher  string `json:"matcher"`
	Callback string `json:"callback"`
	Before   bool   `json:"before_tool"`
	Matched  bool   `json:"matched"`
	Asked    bool   `json:"asked"`
	Skipped  string `json:"skipped,omitempty"`
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	How      string `json:"how,omitempty"`
}

// Counts are over all steps. ToolRuns are the calls that were completed, ToolErrors
// those that ran and failed.
type Counts struct {
	Attempts   int `json:"attempts"`
	HookRuns   int `json:"hook_runs"`
	ToolRuns   int `json:"tool_runs"`
	ToolErrors int `json:"tool_errors"`
	Prevented  int `json:"prevented"`
	Reported   int `json:"reported"`
	Unseen     int `json:"unseen"`
}

// What became of an attempt, for the table of coverage.
const (
	Prevented  = "prevented"   // a hook denied it; the tool did not run
	Asked      = "asked"       // a person was to decide, and did not agree
	Refused    = "refused"     // by the base policy, not by a hook
	Reported   = "reported"    // the tool ran, and a hook told the agent after it
	LetThrough = "let through" // hooks were asked and had nothing to say
	HookFailed = "hook failed" // a hook was asked, its answer did not count, and the tool ran
	NotPlayed  = "not played"  // a hook matched that cannot be run here
	Unseen     = "unseen"      // the tool ran and no hook was asked
	ToolFailed = "tool failed" // nothing was changed, whatever hooks say
)

// seen is the outcome of a call that ran.
func (s Step) seen() string {
	has := func(d string) bool { return slices.ContainsFunc(s.Hooks, func(h Hook) bool { return h.Decision == d }) }
	switch {
	case s.ToolError != "" && len(s.Effects) == 0:
		return ToolFailed
	case has(Tell):
		return Reported
	case has(Failed):
		return HookFailed
	case slices.ContainsFunc(s.Hooks, func(h Hook) bool { return h.Asked }):
		return LetThrough
	case slices.ContainsFunc(s.Hooks, func(h Hook) bool { return h.Matched }):
		return NotPlayed
	}
	return Unseen
}

// Cell is one square of the table of coverage.
type Cell struct {
	Tool    string `json:"tool"`
	File    string `json:"file"`
	Outcome string `json:"outcome"`
}

// weakest orders outcomes by how little stands in the way; the weakest of several
// attempts is what a square shows.
var weakest = []string{Unseen, HookFailed, NotPlayed, LetThrough, Reported, Asked, Refused, Prevented, ToolFailed}

// sum counts the steps and draws the table.
func (r *Report) sum(now, start map[string]state, files map[string]string) {
	r.Coverage = []Cell{}
	for i := range r.Steps {
		s := &r.Steps[i]
		r.Counts.add(*s)
		if s.Outcome == "" {
			continue
		}
		at := slices.IndexFunc(r.Coverage, func(c Cell) bool { return c.Tool == s.Label && c.File == s.file() })
		switch {
		case at < 0:
			r.Coverage = append(r.Coverage, Cell{s.Label, s.file(), s.Outcome})
		case slices.Index(weakest, s.Outcome) < slices.Index(weakest, r.Coverage[at].Outcome):
			r.Coverage[at].Outcome = s.Outcome
		}
	}
	r.Files = map[string]string{}
	for name, st := range now {
		_, ours := files[name]
		if was, ok := start[name]; ours || !ok || was != st {
			r.Files[name] = st.String()
		}
	}
}

func (c *Counts) add(s Step) {
	c.Attempts++
	for _, h := range s.Hooks {
		if h.Asked {
			c.HookRuns++
		}
	}
	switch {
	case s.Ran && s.ToolError == "":
		c.ToolRuns++
	case s.ToolError != "":
		c.ToolErrors++
	}
	for outcome, n := range map[string]*int{Prevented: &c.Prevented, Reported: &c.Reported, Unseen: &c.Unseen} {
		if s.Outcome == outcome {
			*n++
		}
	}
}

// file is the column of a step: what it names, else what it changed.
func (s Step) file() string {
	if s.column != "" {
		return s.column
	}
	if len(s.Effects) == 1 {
		return s.Effects[0].File
	}
	return "(several)"
}

// judge compares with what was expected.
func (r *Report) judge(e *Expect, now map[string]state) {
	if e == nil {
		return
	}
	r.Expected = true
	for _, c := range []struct {
		name string
		want *int
		got  int
	}{
		{"attempts", e.Attempts, r.Counts.Attempts},
		{"hook_runs", e.HookRuns, r.Counts.HookRuns},
		{"tool_runs", e.ToolRuns, r.Counts.ToolRuns},
		{"prevented", e.Prevented, r.Counts.Prevented},
		{"reported", e.Reported, r.Counts.Reported},
		{"unseen", e.Unseen, r.Counts.Unseen},
	} {
		if c.want != nil && *c.want != c.got {
			r.Failed = append(r.Failed, fmt.Sprintf("%s: want %d, got %d", c.name, *c.want, c.got))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		want := e.Files[name]
		is, there := now[name]
		text := strings.TrimSuffix(is.String(), "\n")
		switch {
		case want == nil && there:
			r.Failed = append(r.Failed, fmt.Sprintf("%s: want no file, got %q", name, text))
		case want != nil && !there:
			r.Failed = append(r.Failed, fmt.Sprintf("%s: want %q, and it is not there", name, *want))
		case want != nil && text != strings.TrimSuffix(*want, "\n"):
			r.Failed = append(r.Failed, fmt.Sprintf("%s: want %q, got %q", name, *want, text))
		}
	}
}
