package main

import (
	"context"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
)

func testCmd(e *env) *cobra.Command {
	var asJSON, verbose bool
	c := &cobra.Command{
		Use:   "test [DIR]",
		Short: "Run every contract case, in process and as a process",
		Long: `test runs each case twice: in process, and as a process from stdin to exit code.

Without DIR it tests what is installed, through the very command in the settings;
with DIR the bundle in that folder, on a copy of this program in a folder of its
own. It exits with 1 when a case fails.`,
		Example: `  hookctl test
  hookctl test . -v`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.test(cmd.Context(), args, asJSON, verbose)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the results as JSON")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print every case, not only those that fail")
	return c
}

// testReport is the JSON report of test.
type testReport struct {
	Schema int       `json:"schema"`
	Passed int       `json:"passed"`
	Failed int       `json:"failed"`
	Runs   []testRun `json:"runs"`
}

type testRun struct {
	How   string     `json:"how"`
	Cases []testCase `json:"cases"`
}

type testCase struct {
	Name   string `json:"name"`
	Pass   bool   `json:"pass"`
	Got    string `json:"got"`
	Detail string `json:"detail,omitempty"`
	Micros int64  `json:"us"`
}

// subject is what test tests: cases, and the two ways to run them.
type subject struct {
	name    string
	cases   []manifests.Case
	inside  contract.Runner
	process contract.Runner
	how     string // of the process
	close   func()
}

func (e *env) test(ctx context.Context, args []string, asJSON, verbose bool) error {
	m := e.machine()
	s, err := e.subject(m, args)
	if err != nil {
		return err
	}
	defer s.close()
	places := m.Places()
	rep := testReport{Schema: schema}
	for _, r := range []struct {
		how string
		run contract.Runner
	}{{"in process", s.inside}, {s.how, s.process}} {
		got := contract.Run(ctx, s.cases, places, r.run)
		rep.add(r.how, got)
		if !asJSON {
			e.printRun(s.name, r.how, got, verbose)
		}
	}
	if asJSON {
		if err := e.json(rep); err != nil {
			return err
		}
	}
	if rep.Failed > 0 {
		return finding
	}
	return nil
}

func (r *testReport) add(how string, got contract.Report) {
	run := testRun{How: how}
	for _, c := range got.Results {
		run.Cases = append(run.Cases, testCase{Name: c.Case.Name, Pass: c.Pass, Got: c.Got, Detail: c.Detail, Micros: c.Took.Microseconds()})
	}
	r.Runs = append(r.Runs, run)
	r.Passed += got.Passed
	r.Failed += got.Failed
}

func (e *env) printRun(name, how string, got contract.Report, verbose bool) {
	for _, c := range got.Results {
		switch {
		case !c.Pass:
			e.printf("FAIL %s: %s\n", c.Case.Name, c.Detail)
			if c.Case.Note.Why != "" {
				e.printf("     why: %s\n", c.Case.Note.Why)
			}
		case verbose:
			e.printf("ok   %s (%s)\n", c.Case.Name, c.Got)
		}
	}
	e.printf("%s, %s: %d passed, %d failed\n", name, how, got.Passed, got.Failed)
}

// subject chooses between a folder and what is installed.
func (e *env) subject(m *pull.Machine, args []string) (subject, error) {
	s := subject{close: func() {}}
	var bundle fs.FS
	var err error
	candidate := contract.Candidate{Env: m.Environ()}
	if len(args) == 1 {
		s.name, bundle = args[0], os.DirFS(args[0])
		candidate.Dir = args[0]
		if candidate.Rules, err = compileDir(args[0]); err != nil {
			return s, err
		}
		t, err := pull.NewTrial("", e.exe, candidate.Rules, bundle)
		if err != nil {
			return s, err
		}
		s.close = t.Close
		s.process, s.how = contract.Program([]string{t.Program, "gate"}, m.Environ(), ""), "as a process"
	} else {
		installed, err := m.Installed()
		if err != nil {
			return s, err
		}
		s.name, bundle = receipt.Named(installed.Release), installed.Bundle
		candidate.Rules, candidate.Dir = installed.Rules, e.home.Generation(installed.Digest)
		s.process, s.how = contract.Shell(installed.Command, m.Environ(), ""), "through the command in the settings"
	}
	s.inside = contract.InProcess(candidate, m.Places())
	s.cases, err = manifests.Cases(bundle)
	return s, err
}
