package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Executables are what a bundle has hookctl start.
type Executables struct {
	Hooks []Hook `json:"hooks,omitempty"`
	// Files are the SHA-256 (hex) of every file below hooks/, by its path. A hook
	// may read its neighbours, so that all of them count. nil without hooks.
	Files map[string]string `json:"files,omitempty"`
}

// Hook is an executable of the bundle that hookctl starts on some events.
type Hook struct {
	ID      string         `json:"id"`
	File    string         `json:"file"`          // below hooks/
	Run     []string       `json:"run,omitempty"` // interpreter and its arguments; the file's path comes last
	Events  []Kind         `json:"events"`
	Tools   []string       `json:"tools,omitempty"` // exact names, for tool events; empty = every tool
	Mode    Mode           `json:"mode"`
	Timeout time.Duration  `json:"timeout"` // in nanoseconds
	Failure Direction      `json:"failure"`
	Exit    map[int]string `json:"exit"` // exit code -> allow, ask, block; every other code is a failure
}

// Direction says what becomes of an event when a hook has given no answer.
type Direction string

const (
	FailOpen   Direction = "open"   // pass, with a word to the user
	FailAsk    Direction = "ask"    // put a tool call to the user; any other event passes
	FailClosed Direction = "closed" // block, or deny the tool call
)

// HookTimeout bounds a hook that names no time of its own; no hook may name more
// than [JudgeTimeout].
const HookTimeout = 5 * time.Second

// Wants reports whether the hook is to see an event. tool is looked at for tool
// events only.
func (h *Hook) Wants(kind Kind, tool string) bool {
	if h.Mode == Off || !slices.Contains(h.Events, kind) {
		return false
	}
	return kind != PreTool && kind != PostTool || len(h.Tools) == 0 || slices.Contains(h.Tools, tool)
}

// WakesFor reports whether any hook is to see an event, so that the prefilter alone
// cannot answer it.
func (h *Header) WakesFor(kind Kind, tool string) bool {
	return slices.Contains(h.Wakes, string(kind)) || slices.Contains(h.Wakes, string(kind)+" "+tool)
}

// CouldNot begins what is told of a hook that gave no answer, so that nobody takes
// its failure for a finding.
const CouldNot = "could not check this: "

// HookAnswer is what one hook said to one event.
type HookAnswer struct {
	Decision Decision // Silent, Ask or Block
	Said     string   // its reason: data, bounded, not yet fit to be shown
	Exit     int      // its exit code; -1 when it was not started or was killed
	// Failure says why there is no decision, "" when there is one.
	Failure string
	Took    time.Duration
}

// Starter starts hooks on one event, all at once. wait gives their answers, in
// the same order, and never more than the time that each has.
type Starter func(ctx context.Context, ev Event, hooks []*Hook) (wait func() []HookAnswer)

// IDs are the gates and hooks that can block.
func (r *Rules) IDs() []string {
	ids := make([]string, 0, len(r.Gates)+len(r.Hooks))
	for i := range r.Gates {
		ids = append(ids, r.Gates[i].ID)
	}
	for i := range r.Hooks {
		ids = append(ids, r.Hooks[i].ID)
	}
	return ids
}

// Calls are what Header.Wakes must say of the hooks.
func (e *Executables) Calls() (calls []string) {
	for _, h := range e.Hooks {
		if h.Mode == Off {
			continue
		}
		for _, k := range h.Events {
			if k != PreTool && k != PostTool || len(h.Tools) == 0 {
				calls = append(calls, string(k))
				continue
			}
			for _, t := range h.Tools {
				calls = append(calls, string(k)+" "+t)
			}
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// Calls are what Header.Wakes must say: the calls that hooks want, and every tool
// call when a guard is about a command that [Harmless] would let pass.
func (r *Rules) Calls() []string {
	calls := r.Executables.Calls()
	for _, g := range r.Gates {
		for _, c := range g.Commands {
			for _, f := range c.Any {
				if f.reaches() {
					calls = append(calls, string(PreTool))
				}
			}
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// reaches reports whether a form is about commands that only read. One that is
// about settings or variables alone needs something in front, which is not plain.
func (f Form) reaches() bool {
	for _, run := range f.Run {
		words := strings.Fields(run)
		if len(words) == 0 {
			continue
		}
		if OnlyReads(words) || len(words) == 1 && (words[0] == "git" || words[0] == "go" || words[0] == "rg") {
			return true
		}
	}
	return false
}

// checkHooks asks that the header tells all of the hooks, and that every hook's
// file has a digest. What the guards have it say is looked at in whole rules only.
func (r *Rules) checkHooks(whole bool) error {
	if (r.Schema == HooksSchema) != (len(r.Hooks) > 0) {
		return fmt.Errorf("compiled rules: %d hooks in schema %d", len(r.Hooks), r.Schema)
	}
	calls := r.Executables.Calls()
	asleep := slices.ContainsFunc(calls, func(c string) bool { return !slices.Contains(r.Wakes, c) })
	if asleep || whole && !slices.Equal(r.Wakes, r.Calls()) {
		return fmt.Errorf("compiled rules: the header wakes for %q, hooks and guards want %q", r.Wakes, r.Calls())
	}
	for _, h := range r.Hooks {
		if r.Files[h.File] == "" {
			return fmt.Errorf("compiled rules: no digest of %s", h.File)
		}
	}
	return nil
}
