// Package live proves on this machine that the coding agents honour what hookctl
// tells them. It installs hookctl into a scratch home by hookctl's own install
// command, starts each agent that is installed here without a screen, lets it work
// for a scripted model on loopback, and looks at what reached the model, what
// became of a file and whether the turn ended.
//
// An agent gets a home, a project and an environment made for it, a key that is
// no key, and the model's address, which is also its proxy: it is refused every
// other machine. It never sees the user's home, settings or keys. Each run is
// bounded in time and ended with all that it started; the scratch folder is
// removed whatever happens.
package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Promise is one thing that an agent must do for hookctl's gates to work.
type Promise string

// The promises, in the order of a report.
const (
	StopBlock Promise = "stop block" // a blocked stop reaches the model
	Deny      Promise = "deny"       // a denied tool call leaves the file as it was, and the model hears why
	Report    Promise = "report"     // what is found after a tool call reaches the model
	Silence   Promise = "silence"    // what passes reaches neither the model nor the user
	Missing   Promise = "missing"    // without hookctl on the machine the agent works as if it had no hooks
	LoopEnds  Promise = "loop ends"  // an agent that is blocked again and again ends its turn
)

// Promises are all of them.
var Promises = []Promise{StopBlock, Deny, Report, Silence, Missing, LoopEnds}

// State is what became of a promise.
type State string

// The states.
const (
	Kept    State = "kept"
	Broken  State = "broken"
	NA      State = "n/a"     // the agent offers no such thing; Why says so
	Unknown State = "unknown" // it could not be told; Why says what stood in the way
)

// Cell is one promise of one agent.
type Cell struct {
	Promise Promise `json:"promise"`
	State   State   `json:"state"`
	Why     string  `json:"why,omitempty"` // of every state but Kept
}

// Result is what one agent did.
type Result struct {
	Agent   string  `json:"agent"`
	Program string  `json:"program,omitempty"` // "" = not installed here
	Version string  `json:"version,omitempty"`
	Cells   []Cell  `json:"promises,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Notes say what was done otherwise than in the user's own home, and which
	// machines the agent asked for in vain.
	Notes []string `json:"notes,omitempty"`
}

func (r *Result) set(p Promise, s State, why string, args ...any) {
	if len(args) > 0 {
		why = fmt.Sprintf(why, args...)
	}
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Promise == p })
	r.Cells[i].State, r.Cells[i].Why = s, why
}

// Any reports whether a promise is in a state.
func Any(all []Result, s State) bool {
	return slices.ContainsFunc(all, func(r Result) bool {
		return slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.State == s })
	})
}

// Options of a run.
type Options struct {
	Hookctl string            // the hookctl program to install
	Agents  []string          // which; nil = all that are found
	Bins    map[string]string // agent -> program, before any other place
	Getenv  func(string) string
	User    string        // the user's home folder, where programs are looked for
	Limit   time.Duration // of one run of an agent; 0 = two minutes
	// Progress is told each step as it begins; nil is silence.
	Progress func(agent, step string)
}

// AbsentError says that an agent that was asked for is not on this machine.
type AbsentError struct{ Agent string }

func (e *AbsentError) Error() string {
	return fmt.Sprintf("agent %s: no program of that name in $PATH or where its installers put it", e.Agent)
}

// UnknownError says that there is no agent of a name that can be driven.
type UnknownError struct{ Agent string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("agent %s: cannot be driven (those that can: %s)", e.Agent, strings.Join(Names(), ", "))
}

// ErrSystem says that agents cannot be driven on this operating system: what the
// model asks them to run is written for sh.
var ErrSystem = errors.New("agents are driven on Linux and macOS only")

// ErrNone says that no agent is on this machine.
var ErrNone = errors.New("no coding agent is installed here")

// Names are the agents that can be driven.
func Names() []string {
	var all []string
	for _, a := range agents {
		all = append(all, a.name)
	}
	return all
}

// Run drives the agents one after the other. Without Agents, those that are not
// installed are in the results without a program. It fails with [*UnknownError],
// [*AbsentError], [ErrNone], [ErrSystem], the error of ctx, or that of the scratch folder.
func Run(ctx context.Context, o Options) ([]Result, error) {
	if o.Limit <= 0 {
		o.Limit = 2 * time.Minute
	}
	if o.Progress == nil {
		o.Progress = func(string, string) {}
	}
	if runtime.GOOS == "windows" {
		return nil, ErrSystem
	}
	chosen, err := choose(o)
	if err != nil {
		return nil, err
	}
	var all []Result
	for _, r := range chosen {
		if r.Program != "" {
			start := time.Now()
			if err := drive(ctx, o, &r); err != nil {
				return all, err
			}
			r.Seconds = float64(time.Since(start).Milliseconds()) / 1000
		}
		all = append(all, r)
	}
	return all, nil
}

// choose finds the programs of the agents to be driven.
func choose(o Options) ([]Result, error) {
	for _, name := range slices.AppendSeq(slices.Clone(o.Agents), maps.Keys(o.Bins)) {
		if !slices.Contains(Names(), name) {
			return nil, &UnknownError{name}
		}
	}
	var all []Result
	found := false
	for _, a := range agents {
		if len(o.Agents) > 0 && !slices.Contains(o.Agents, a.name) {
			continue
		}
		program := find(o, a.name)
		if program == "" && len(o.Agents) > 0 {
			return nil, &AbsentError{a.name}
		}
		found = found || program != ""
		all = append(all, Result{Agent: a.name, Program: program})
	}
	if !found {
		return nil, ErrNone
	}
	return all, nil
}
