package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/agenthooks/hookctl/live"
)

// agentBins is the value of --agent-bin: NAME=PATH, again and again.
type agentBins map[string]string

func (b agentBins) String() string { return "" }
func (b agentBins) Type() string   { return "NAME=PATH" }
func (b agentBins) Set(s string) error {
	name, path, ok := strings.Cut(s, "=")
	if !ok || name == "" || path == "" {
		return fmt.Errorf("want NAME=PATH, not %q", s)
	}
	b[name] = path
	return nil
}

// liveReport is the JSON form of verify --live.
type liveReport struct {
	Schema int           `json:"schema"`
	Good   bool          `json:"good"`
	Agents []live.Result `json:"agents"`
}

// verifyLive drives the agents of this machine in scratch homes.
func (e *env) verifyLive(ctx context.Context, f verifyFlags) error {
	o := live.Options{Hookctl: e.exe, Agents: f.agents, Bins: f.bins, Getenv: e.getenv, User: e.user, Limit: f.limit}
	o.Progress = func(agent, step string) { fmt.Fprintf(e.err, "  … %s: %s\n", agent, step) }
	all, err := live.Run(ctx, o)
	if err != nil {
		return err
	}
	rep := liveReport{Schema: schema, Good: !live.Any(all, live.Broken) && !live.Any(all, live.Unknown), Agents: all}
	if f.asJSON {
		err = e.json(rep)
	} else {
		err = printLive(e.out, rep)
	}
	switch {
	case err != nil:
		return err
	case live.Any(all, live.Broken):
		return finding
	case live.Any(all, live.Unknown):
		return &codeError{code: exitUsage}
	}
	return nil
}

// printLive prints the table of agents and promises, and below it a line for
// each cell that is not "kept".
func printLive(out io.Writer, rep liveReport) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "agent\tversion")
	for _, p := range live.Promises {
		fmt.Fprintf(w, "\t%s", p)
	}
	fmt.Fprintln(w)
	for _, r := range rep.Agents {
		if r.Program == "" {
			fmt.Fprintf(w, "%s\tnot installed here\n", r.Agent)
			continue
		}
		fmt.Fprintf(w, "%s\t%s", r.Agent, r.Version)
		for _, c := range r.Cells {
			fmt.Fprintf(w, "\t%s", c.State)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rep.Agents {
		for _, c := range r.Cells {
			if c.State != live.Kept {
				fmt.Fprintf(out, "%s, %s: %s: %s\n", r.Agent, c.Promise, c.State, c.Why)
			}
		}
		for _, n := range r.Notes {
			fmt.Fprintf(out, "%s: %s\n", r.Agent, n)
		}
	}
	return nil
}
