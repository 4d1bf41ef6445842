package pull

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// Machine is the machine that is worked on. One time and one environment serve a
// whole command.
type Machine struct {
	Home    home.Dir
	User    string // the user's home folder, where the agents' settings lie
	Program string // the running hookctl
	Files   *files.Layer
	Getenv  func(string) string
	Now     time.Time
	// Project is the folder of the project that is worked on; "" = none.
	Project string
	// Managed is the folder of the agents' managed settings; "" = where they look.
	Managed string
	// Progress is told each step of long work; nil is silence.
	Progress func(step string)
	// Version of the running program, for the receipts.
	Version string

	scratch string     // where a dry run fetches to; "" = the home
	watch   *stopwatch // of the command that runs; nil = it writes no receipt
}

// step begins a step of long work; detail says more of it to a person.
func (m *Machine) step(name, detail string, args ...any) {
	if m.watch != nil {
		m.watch.next(name)
	}
	if m.Progress != nil {
		m.Progress(strings.TrimSpace(name + " " + fmt.Sprintf(detail, args...)))
	}
}

// Change is one installed file before and after; "" means that it was not there.
type Change struct {
	Path          string
	Before, After string // SHA-256, hex
}

// compiledRules is what the rules are called in a list of changes.
const compiledRules = "rules"

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

// Places are where the cases' ${HOME} and ${PROJECT} lie: the project is a
// folder that need not exist.
func (m *Machine) Places() contract.Places {
	return contract.Places{Home: m.User, Project: filepath.Join(m.User, "hookctl-contract-project")}
}

// Environ is the small environment that cases run in as processes.
func (m *Machine) Environ() []string {
	env := []string{"HOME=" + m.User}
	for _, k := range []string{"PATH", "LANG", "TMPDIR", "SystemRoot", "TEMP", "TMP", "USERPROFILE"} {
		if v := m.Getenv(k); v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
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
	return cases, m.run(ctx, cases, contract.Program([]string{t.Program, "gate"}, m.Environ(), ""), "on the staged copy", v.Release(), &rep.proof.Staged)
}

// proveWired runs the cases through every command in the agents' settings that
// starts hookctl. false: hookctl is registered nowhere, so that there is nothing
// to run them through. The bare name in a shared file means the program that has
// just been placed, whether the PATH leads there yet or not.
func (m *Machine) proveWired(ctx context.Context, cases []manifests.Case, release int, rep *Report) (bool, error) {
	commands, err := m.commands()
	if err != nil {
		return false, err
	}
	for i, c := range commands {
		these, env := casesThrough(c, commands[:i], cases), m.Environ()
		if bare(c) {
			env = append(env, "PATH="+filepath.Dir(m.Home.Binary())+string(filepath.ListSeparator)+m.Getenv("PATH"))
		}
		m.step("test through the settings", "(%d cases)", len(these))
		if err := m.run(ctx, these, contract.Shell(c, env, ""), "through the settings", release, &rep.proof.Wired); err != nil {
			return false, err
		}
	}
	return len(commands) > 0, nil
}

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
		return cases[:min(few, len(cases))]
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

// hashes are the SHA-256 of every file of a generation, by its path there. The
// compiled rules go by one name, so that they show as changed.
func (m *Machine) hashes(of home.Pointer) map[string]string {
	out := map[string]string{}
	if of.Digest == "" {
		return out
	}
	root, rules := filepath.Clean(m.Home.Generation(of.Digest)), home.RulesFile(of.Rules)
	// What cannot be read is missing in the list; verify says why.
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name := filepath.ToSlash(strings.TrimPrefix(p, root+string(filepath.Separator)))
			switch {
			case name == rules:
				out[compiledRules] = hashFile(p)
			case !home.IsRules(name):
				out[name] = hashFile(p)
			}
		}
		return nil
	})
	return out
}

func hashFile(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return hexSum(b)
}

func hexSum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// changes compares two generations' files.
func changes(before, after map[string]string) []Change {
	var out []Change
	for p, sum := range after {
		if before[p] != sum {
			out = append(out, Change{Path: p, Before: before[p], After: sum})
		}
	}
	for p, sum := range before {
		if _, ok := after[p]; !ok {
			out = append(out, Change{Path: p, Before: sum})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out
}
