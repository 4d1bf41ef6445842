package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/eval"
	"github.com/agenthooks/hookctl/sync/pull"
)

type evalOptions struct {
	bundle        string
	judges        []string
	json, verbose bool
}

func evalCmd(e *env) *cobra.Command {
	var o evalOptions
	c := &cobra.Command{
		Use:   "eval FILE",
		Short: "Measure the gates on labelled messages: precision, recall, false blocks",
		Long: `eval decides every message of a file and compares the verdicts with the labels in it.
For each gate and language it prints precision, recall and the false blocks of 1,000
messages, each with its 95 % interval (Wilson), and the counts behind them: tp and fp are
right and false blocks, fn are missed ones.

FILE, or "-" for standard input, has one JSON object a line:

  {"id":"m1", "lang":"en", "text":"…", "labels":[{"gate":"handoff", "label":"allow"}]}

A label is allow, block, or either: not counted. Other members are passed over. A line
that cannot be read is named by its number and left out.

Every gate that is not off is measured as if it were enforced. "all together" counts
messages: one is blocked, or must be, when that is so by any gate whose label counts. A
judge that fails lets the message pass, and is counted so.

--judge is builtin, none, or a judge of this machine's config.yaml by its backend. Two of
them are put side by side. --bundle is a folder, a pack, "installed" or "embedded".

It exits with 0 whenever it could count.`,
		Example: `  hookctl eval messages.jsonl
  hookctl eval messages.jsonl --bundle . -v
  hookctl eval messages.jsonl --judge builtin,command --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return e.eval(cmd.Context(), args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.bundle, "bundle", "", "the rules to measure (default: installed, else embedded)")
	f.StringSliceVar(&o.judges, "judge", nil, "builtin, none, or a judge of config.yaml; two of them are compared (default: builtin)")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "name each false and each missed block")
	f.BoolVar(&o.json, "json", false, "print as JSON, with the verdicts")
	return c
}

func (e *env) eval(ctx context.Context, file string, o evalOptions) error {
	rules, from, err := e.measured(o.bundle)
	if err != nil {
		return err
	}
	subjects, err := e.subjects(rules, o.judges)
	if err != nil {
		return err
	}
	in := e.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		in = io.Reader(f)
	}
	reports, broken, err := eval.Run(ctx, in, subjects, runtime.NumCPU())
	if err != nil {
		return err
	}
	if o.json {
		return e.json(evalReport(from, reports, broken))
	}
	e.printBroken(file, broken)
	e.printEval(from, reports, o.verbose)
	return nil
}

// measured are the rules of the bundle that is named, else of the installed one,
// else of the one that the program carries.
func (e *env) measured(arg string) (*gate.Rules, string, error) {
	name := arg
	if name == "" {
		name = "installed"
	}
	ed, done, err := e.edition(name)
	if arg == "" && is[*pull.NotInstalledError](err) {
		ed, done, err = e.edition("embedded")
	}
	if err != nil {
		return nil, "", err
	}
	defer done()
	r, err := gate.DecodeRules(ed.rules)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", ed.name, err)
	}
	return r, ed.name, nil
}

// subjects pairs rules with each judge.
func (e *env) subjects(rules *gate.Rules, judges []string) ([]*eval.Subject, error) {
	if len(judges) == 0 {
		judges = []string{"builtin"}
	}
	if len(judges) > 2 || len(judges) == 2 && judges[0] == judges[1] {
		return nil, &usageError{errors.New("--judge: want one judge, or two that differ")}
	}
	var out []*eval.Subject
	for _, j := range judges {
		chosen, err := e.only(j)
		if err != nil {
			return nil, err
		}
		out = append(out, eval.NewSubject(rules, j, chosen.Asker(e.home, nil)))
	}
	return out, nil
}

// maxNamed is how many lines are named one by one where a person reads.
const maxNamed = 20

func (e *env) printBroken(file string, broken []eval.Broken) {
	for _, b := range broken[:min(len(broken), maxNamed)] {
		e.note("%s, line %d: %s", file, b.Line, b.Why)
	}
	if n := len(broken); n > maxNamed {
		e.note("and %d more (--json names all)", n-maxNamed)
	}
	if n := len(broken); n > 0 {
		e.note("%s left out", plural(n, "line was", "lines were"))
	}
}
