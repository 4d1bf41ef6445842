package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// machine is the machine that the verbs work on. Steps of long work are told at
// a terminal only.
func (e *env) machine() *pull.Machine {
	m := &pull.Machine{Home: e.home, User: e.user, Program: e.exe, Files: &files.Layer{}, Getenv: e.getenv, Project: e.dir, Managed: e.getenv(managedDir), Now: e.now, Version: version()}
	if isTerminal(e.err) {
		m.Progress = func(step string) { fmt.Fprintf(e.err, "  … %s\n", step) }
	}
	return m
}

// agentsFlag is the help of every --agent.
const agentsFlag = "agent to work on: claude, codex, gemini, qwen, copilot, cursor, opencode; may be given again"

// managedDir names another folder than the agents' for their managed settings, as
// when the root of an image is built.
const managedDir = "HOOKCTL_MANAGED_DIR"

// scope reads a --scope. Managed settings are the machine's: the installation is
// too, so that nothing a user may write takes part in it.
func (e *env) scope(name string) (agent.Scope, error) {
	s := agent.Scope(name)
	if name != "" && !slices.Contains([]agent.Scope{agent.User, agent.Project, agent.Local, agent.Managed}, s) {
		return "", &usageError{err: fmt.Errorf("--scope %s: the scopes are user, project, local, managed", name)}
	}
	if s != agent.Managed {
		return s, nil
	}
	if os.Geteuid() > 0 && e.getenv(managedDir) == "" {
		return "", &usageError{err: errors.New("--scope managed: these settings are root's; run it with sudo")}
	}
	if e.getenv("HOOKCTL_HOME") == "" {
		e.home = home.System
	}
	return s, nil
}

// when words a time for a person.
func (e *env) when(t time.Time) string {
	d := e.now.Sub(t)
	switch {
	case t.IsZero():
		return "never"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// shortSum is a digest cut to what a person compares: 16 hexadecimal digits.
func shortSum(s string) string {
	if s == "" {
		return "(none)          "
	}
	return s[:min(16, len(s))]
}

// signedBy names those who vouched, each with the fingerprint of the key.
func signedBy(signers []receipt.Signer) []string {
	out := make([]string, 0, len(signers))
	for _, s := range signers {
		out = append(out, strings.TrimSpace(s.Principal+" "+s.Fingerprint))
	}
	return out
}

// printSums prints each changed file with its whole SHA-256 before and after.
func (e *env) printSums(changes []pull.Change) {
	for _, c := range changes {
		e.printf("  %s\n    before %s\n    after  %s\n", c.Path, orNone(c.Before), orNone(c.After))
	}
}

// printProgram prints hookctl itself like the other files, when it was replaced.
func (e *env) printProgram(c pull.Change) {
	if c.Before != c.After {
		c.Path = e.short(c.Path)
		e.printSums([]pull.Change{c})
	}
}

// printProtection says what the source's host told about the branch, if it has one.
func (e *env) printProtection(r pull.Report) {
	if p := r.Protection; p.Host != "" {
		e.printf("  branch %s at %s: %s (%s)\n", r.Source.Branch, p.Host, p.Kind, p.Text)
	}
}

// printProof says where a release's cases were run, and what else there is to
// say of a sync.
func (e *env) printProof(r pull.Report) {
	if r.Cases > 0 {
		e.printf("  %d contract cases hold, %s\n", r.Cases, proofs(r))
	}
	if r.Receipt != "" {
		e.printf("  receipt %s\n", e.short(r.Receipt))
	}
	for _, n := range r.Notes {
		e.note("%s", n)
	}
}

// proofs says in which ways the cases of a release were run.
func proofs(r pull.Report) string {
	staged := "in process and on the staged copy"
	if r.Foreign {
		staged = "on the staged copy by the program of the release"
	}
	switch {
	case !r.Staged() && !r.Wired:
		return "as they did when this became active; no agent runs hookctl here, so not through its settings"
	case !r.Staged():
		return "through the command in the settings; what is installed is what was proven when it became active"
	case !r.Wired:
		return staged + "; no agent runs hookctl here, so not through its settings"
	case r.Through < r.Cases:
		return fmt.Sprintf("%s; %d of them through the command in the settings too", staged, r.Through)
	case r.Foreign:
		return staged + ", and through the command in the settings"
	}
	return "in process, on the staged copy and through the command in the settings"
}
