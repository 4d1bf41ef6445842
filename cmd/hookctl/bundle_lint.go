package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/gate/prose"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

func lintCmd(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "lint [DIR]",
		Short: "Look for what a release must not have: broken, unproven or idle rules",
		Long: `lint says what lock would refuse, and what it would let pass: a gate without a case on
either side, a pattern that matches in no case or in every one, a language without
feedback, evidence that frees too much, a case that fails, a comment that got lost since
the last release. Cases run in process, as if every gate were enforced.

It exits with 1 when it finds anything.`,
		Example: `  hookctl bundle lint
  hookctl bundle lint policies --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return e.lint(cmd.Context(), dirArg(args), asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return c
}

// lintReport is the JSON report of bundle lint.
type lintReport struct {
	Schema   int              `json:"schema"`
	Findings []bundle.Finding `json:"findings"`
	Gates    int              `json:"gates"`
	Hooks    int              `json:"hooks,omitempty"`
	Cases    int              `json:"cases"`
}

func (e *env) lint(ctx context.Context, dir string, asJSON bool) error {
	fsys := os.DirFS(dir)
	if _, err := fs.Stat(fsys, bundle.Manifest); err != nil {
		return fmt.Errorf("%s is no bundle: %w", dir, err)
	}
	rep := lintReport{Schema: schema, Findings: bundle.Lint(fsys, cutUp)}
	ran, err := e.lintCases(ctx, dir)
	if err == nil { // what keeps cases from running is among the findings
		rep.Findings = append(rep.Findings, ran.findings()...)
		rep.Gates, rep.Hooks, rep.Cases = ran.gates, ran.hooks, len(ran.Results)
	} else if len(rep.Findings) == 0 {
		return err
	}
	lost, err := lostComments(dir)
	if err != nil {
		return err
	}
	rep.Findings = append(rep.Findings, lost...)
	bundle.Sort(rep.Findings)
	if asJSON {
		if rep.Findings == nil {
			rep.Findings = []bundle.Finding{}
		}
		err = e.json(rep)
	} else {
		e.printLint(dir, rep)
	}
	if err == nil && len(rep.Findings) > 0 {
		return finding
	}
	return err
}

func (e *env) printLint(dir string, rep lintReport) {
	for _, f := range rep.Findings {
		at := path.Join(filepath.ToSlash(dir), f.File)
		if f.Line > 0 {
			at += ":" + itoa(f.Line)
		}
		e.printf("%s: %s: %s\n", at, f.Rule, f.Message)
	}
	if len(rep.Findings) == 0 {
		hooks := ""
		if rep.Hooks > 0 {
			hooks = plural(rep.Hooks, "hook", "hooks") + ", "
		}
		e.printf("%s: %s, %s%s, nothing found\n", dir, plural(rep.Gates, "gate", "gates"), hooks, plural(rep.Cases, "case", "cases"))
		return
	}
	e.printf("%s\n", plural(len(rep.Findings), "finding", "findings"))
}

func cutUp(message string) (own, plain []string) {
	for _, s := range prose.Parse(message).Sentences {
		if s.Own != "" {
			own = append(own, s.Own)
		}
		if s.Plain != "" {
			plain = append(plain, s.Plain)
		}
	}
	return own, plain
}

type lintRun struct {
	contract.Report
	gates, hooks int
}

// lintCases runs every case, also those of a gate or hook that only warns so far, as if
// it were enforced: so it is seen before it blocks anybody.
func (e *env) lintCases(ctx context.Context, dir string) (lintRun, error) {
	fsys := os.DirFS(dir)
	r, err := bundle.Compile(fsys, "", "", 0)
	if err != nil {
		return lintRun{}, err
	}
	off := map[string]bool{}
	for i, g := range r.Gates {
		off[g.ID] = g.Mode == gate.Off
		if !off[g.ID] {
			r.Gates[i].Mode = gate.Enforce
		}
	}
	for i, h := range r.Hooks {
		off[h.ID] = h.Mode == gate.Off
		if !off[h.ID] {
			r.Hooks[i].Mode = gate.Enforce
		}
	}
	rules, err := r.Encode()
	if err != nil {
		return lintRun{}, err
	}
	all, err := manifests.AllCases(fsys)
	if err != nil {
		return lintRun{}, err
	}
	var cases []manifests.Case
	for _, c := range all {
		if !c.Block || !off[c.Gate] {
			cases = append(cases, c)
		}
	}
	m := e.machine()
	inside := contract.InProcess(contract.Candidate{Rules: rules, Dir: dir, Env: m.Environ()}, m.Places())
	return lintRun{contract.Run(ctx, cases, m.Places(), inside), len(r.Gates), len(r.Hooks)}, nil
}

func (r lintRun) findings() (out []bundle.Finding) {
	for _, f := range r.Failures() {
		found := bundle.Finding{File: f.Case.Path(), Rule: "case-fails", Message: f.Detail}
		if f.Case.Inherited {
			found.File, found.Message = bundle.Manifest, "the embedded case "+f.Case.Name+" fails ("+f.Detail+"); mend the patch, or drop the case with a reason (drop_cases)"
		}
		out = append(out, found)
	}
	return out
}
