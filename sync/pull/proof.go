package pull

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// ProofError says that a candidate does not do what its cases ask. Nothing of it
// runs.
type ProofError struct {
	Where   string // "in process", "on the staged copy", "through the settings"
	Report  contract.Report
	Release int
}

func (e *ProofError) Error() string {
	var names []string
	for i, r := range e.Report.Failures() {
		if i == 3 {
			names = append(names, "…")
			break
		}
		names = append(names, r.Case.Name+" ("+r.Detail+")")
	}
	return fmt.Sprintf("%s fails %d of %d cases %s: %s", receipt.Named(e.Release), e.Report.Failed, e.Report.Passed+e.Report.Failed, e.Where, strings.Join(names, "; "))
}

// prove runs a candidate's cases as a process on a staged copy, by the program
// that will run its rules, and in process when that is the one that runs now.
func (m *Machine) prove(ctx context.Context, v bundle.Verified, rules []byte, e *engine, rep *Report) ([]manifests.Case, error) {
	cases, err := casesFor(v, e)
	if err != nil {
		return nil, err
	}
	if !e.foreign {
		m.step("test in process", "(%d cases)", len(cases))
		inside := contract.InProcess(contract.Candidate{Rules: rules, Dir: m.Home.Generation(v.Digest()), Env: m.Environ()}, m.Places())
		if err := m.run(ctx, cases, inside, "in process", v.Release(), &rep.proof.InProcess); err != nil {
			return nil, err
		}
	}
	if err := m.testItself(ctx, v, e); err != nil {
		return nil, err
	}
	// In the home, where the program can as a rule be linked and surely be run.
	t, err := NewTrial(m.Home.Cache(), e.path, rules, v.FS())
	if err != nil {
		return nil, err
	}
	defer t.Close()
	m.step("test the staged copy", "(%d cases as processes)", len(cases))
	if len(cases) > wiredSpread { // else nobody asks
		rep.proven = proven{program: hashFile(t.Program), rules: install.Sum(rules)}
	}
	return cases, m.run(ctx, cases, contract.Program([]string{t.Program, "gate"}, m.Environ(), ""), "on the staged copy", v.Release(), &rep.proof.Staged)
}

// proven names the program and the compiled rules, by their SHA-256, by which all
// cases have passed as processes; the zero value is none.
type proven struct{ program, rules string }

// proveWired runs the cases through every command in the agents' settings that
// starts hookctl. false: hookctl is registered nowhere, so that there is nothing
// to run them through. The bare name in a shared file means the program that has
// just been placed, whether the PATH leads there yet or not.
func (m *Machine) proveWired(ctx context.Context, cases []manifests.Case, release int, rep *Report) (bool, error) {
	commands, err := m.commands()
	if err != nil {
		return false, err
	}
	known := rep.proven != proven{} && rep.proven == proven{hashFile(m.Home.Binary()), m.running().Rules}
	for i, c := range commands {
		these, env := casesThrough(c, commands[:i], cases), m.Environ()
		if known && (bare(c) || settings.SameProgram(c, settings.CommandLine(m.Home.Binary()))) {
			these = contract.Spread(these, wiredSpread)
		}
		if bare(c) {
			env = append(env, "PATH="+filepath.Dir(m.Home.Binary())+string(filepath.ListSeparator)+m.Getenv("PATH"))
		}
		m.step("test through the settings", "(%d cases)", len(these))
		if err := m.run(ctx, these, contract.Shell(c, env, ""), "through the settings", release, &rep.proof.Wired); err != nil {
			return false, err
		}
		rep.Through = max(rep.Through, len(these))
	}
	return len(commands) > 0, nil
}

// wiredSpread is how many cases show that a command in the settings starts what
// all cases have passed by. A team's own bundle has seldom more.
const wiredSpread = 60

// bare reports whether a command line names the program alone, as in a shared file.
func bare(command string) bool {
	return settings.SameProgram(command, settings.CommandLine("hookctl"))
}

// casesThrough are the cases to run through a command line. Where an earlier one
// starts the same program, in another agent's spelling, a few show that this one
// starts it as well.
func casesThrough(command string, earlier []string, cases []manifests.Case) []manifests.Case {
	const few = 20
	if slices.ContainsFunc(earlier, func(e string) bool { return settings.SameProgram(e, command) }) {
		return contract.Spread(cases, few)
	}
	return cases
}

// run is an error when a case fails, and adds to the count. A command that was
// stopped says nothing about the cases.
func (m *Machine) run(ctx context.Context, cases []manifests.Case, by contract.Runner, where string, release int, n *receipt.Count) error {
	r := contract.Run(ctx, cases, m.Places(), by)
	if err := ctx.Err(); err != nil {
		return err
	}
	n.Passed += r.Passed
	n.Failed += r.Failed
	if r.Failed > 0 {
		return &ProofError{Where: where, Report: r, Release: release}
	}
	return nil
}
