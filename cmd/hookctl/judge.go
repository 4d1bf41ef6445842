package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge"
	"github.com/agenthooks/hookctl/gate/judge/exam"
	"github.com/agenthooks/hookctl/gate/judge/panel"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/pull"
)

func judgeCmd(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "judge",
		Short: "Look after the judge of this machine",
		Long: `The judge reads a message that a pattern has hit, and decides. Which one is asked is a
choice in ~/.hookctl/config.yaml; docs/judges.md describes all of them.`,
		Example: `  hookctl judge check`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(judgeCheckCmd(e))
	return c
}

type judgeCheckOptions struct {
	judges []string
	bundle string
	cases  int
	json   bool
}

func judgeCheckCmd(e *env) *cobra.Command {
	var o judgeCheckOptions
	c := &cobra.Command{
		Use:   "check",
		Short: "Ask each judge: does it answer, how fast, does it agree with the cases",
		Long: `check puts contract cases to each judge in config.yaml, one question after the other,
as the hook asks them, but remembers nothing. It tells whether the judge answers, how
fast, and for each gate how often it decides as the case does. A service or a
subscription counts these questions like any other.

It exits with 0 when every judge answers each time, is allowed by the bundle, and agrees
with nine of ten cases; with 1 when one does not.`,
		Example: `  hookctl judge check
  hookctl judge check --judge claude --judge codex
  hookctl judge check --cases 0 --json      every case`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.judgeCheck(cmd.Context(), o) },
	}
	f := c.Flags()
	f.StringSliceVar(&o.judges, "judge", nil, "backend to ask instead of those in config.yaml; may be given again")
	f.StringVar(&o.bundle, "bundle", "", "take the cases of this bundle (default: installed, else embedded)")
	f.IntVar(&o.cases, "cases", 4, "questions for each gate, half of them to block; 0 = all")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

// judgeReport is the JSON report of judge check.
type judgeReport struct {
	Schema int            `json:"schema"`
	Bundle string         `json:"bundle"`
	Judges []examinedJSON `json:"judges"`
}

type examinedJSON struct {
	Backend  string         `json:"backend"`
	Model    string         `json:"model,omitempty"`
	Where    string         `json:"where,omitempty"`
	Allowed  bool           `json:"allowed"` // by the floor of the bundle
	Good     bool           `json:"good"`
	Asked    int            `json:"asked"`
	Answered int            `json:"answered"`
	Median   int64          `json:"median_ms"`
	Slowest  int64          `json:"slowest_ms"`
	Limit    int64          `json:"limit_ms"`
	Agreed   int            `json:"agreed"`
	Gates    []examinedGate `json:"gates"`
	Errors   []string       `json:"errors,omitempty"`
	Said     string         `json:"said,omitempty"` // what the judge itself told about the first failure
	Stopped  bool           `json:"stopped,omitempty"`
}

type examinedGate struct {
	Gate   string   `json:"gate"`
	N      int      `json:"n"`
	Agreed int      `json:"agreed"`
	Wrong  []string `json:"wrong,omitempty"`
}

func (e *env) judgeCheck(ctx context.Context, o judgeCheckOptions) error {
	if o.cases < 0 {
		return &usageError{errors.New("--cases: want 0 or more")}
	}
	judges, err := e.judgesToCheck(o.judges)
	if err != nil {
		return err
	}
	rules, items, from, err := e.examOf(o.bundle, o.cases)
	if err != nil {
		return err
	}
	rep := judgeReport{Schema: schema, Bundle: from}
	good := true
	for _, j := range judges {
		r := exam.Run(ctx, j.Ask, items, func(i int) { e.progress("%s: question %d of %d", j.Name, i+1, len(items)) })
		if err := ctx.Err(); err != nil {
			return err
		}
		out := examined(j, r, rules.Floor)
		good = good && out.Good
		rep.Judges = append(rep.Judges, out)
		if !o.json {
			e.printExamined(out)
		}
	}
	if o.json {
		if err := e.json(rep); err != nil {
			return err
		}
	}
	if !good {
		return finding
	}
	return nil
}

// judgesToCheck are those that are named, else those of config.yaml.
func (e *env) judgesToCheck(names []string) (all []panel.Judge, err error) {
	if len(names) == 0 {
		chosen, err := e.chosen()
		if err != nil {
			return nil, err
		}
		if all = chosen.All(e.home); len(all) == 0 {
			return nil, errors.New("config.yaml chooses the judge none: there is nobody to ask")
		}
		return all, nil
	}
	for _, name := range names {
		if name == "none" {
			return nil, &usageError{errors.New("--judge none: there is nobody to ask")}
		}
		chosen, err := e.only(name)
		if err != nil {
			return nil, err
		}
		all = append(all, chosen.All(e.home)...)
	}
	return all, nil
}

// examOf makes the questions of a bundle's cases.
func (e *env) examOf(name string, each int) (*gate.Rules, []exam.Item, string, error) {
	chosen := name
	if name == "" {
		chosen = "installed"
	}
	ed, done, err := e.edition(chosen)
	if name == "" && is[*pull.NotInstalledError](err) {
		ed, done, err = e.edition("embedded")
	}
	if err != nil {
		return nil, nil, "", err
	}
	defer done()
	rules, err := gate.DecodeRules(ed.rules)
	if err != nil {
		return nil, nil, "", fmt.Errorf("%s: %w", ed.name, err)
	}
	all, err := manifests.Cases(ed.fsys)
	if err != nil {
		return nil, nil, "", err
	}
	var cases []exam.Case
	for _, c := range all {
		if !c.IsEvent && c.Note.Event == nil {
			cases = append(cases, exam.Case{Name: c.Name, Gate: c.Gate, Text: string(c.Body), Block: c.Block})
		}
	}
	items := exam.Items(rules, cases, each)
	if len(items) == 0 {
		return nil, nil, "", fmt.Errorf("%s: no case of it reaches a judge", ed.name)
	}
	return rules, items, ed.name, nil
}

// examined is what there is to say of a judge, and whether it will do.
func examined(j panel.Judge, r exam.Report, floor gate.Floor) examinedJSON {
	agreed, n := r.Agreed()
	out := examinedJSON{
		Backend: j.Name, Model: j.Model, Where: j.Where, Allowed: len(floor.Judges) == 0 || slices.Contains(floor.Judges, j.Name),
		Asked: r.Asked, Answered: r.Answered, Median: r.Median.Milliseconds(), Slowest: r.Slowest.Milliseconds(),
		Limit: j.Timeout.Milliseconds(), Agreed: agreed, Gates: []examinedGate{}, Stopped: r.Stopped,
	}
	for _, g := range r.Gates {
		out.Gates = append(out.Gates, examinedGate(g))
	}
	for _, err := range r.Errors {
		out.Errors = append(out.Errors, err.Error())
	}
	if len(r.Errors) > 0 {
		if f, ok := errors.AsType[*judge.Failure](r.Errors[0]); ok {
			out.Said = f.Detail
		}
	}
	out.Good = out.Allowed && r.Answered == r.Asked && !r.Stopped && agreed*10 >= n*9
	return out
}

func (e *env) printExamined(j examinedJSON) {
	name := strings.TrimSpace(j.Backend + " " + j.Model)
	if j.Where != "" {
		name += " at " + j.Where
	}
	e.printf("%s\n", name)
	if !j.Allowed {
		e.printf("  the floor of the bundle does not allow it: the hook passes over it\n")
	}
	ms := func(n int64) string { return fmt.Sprintf("%.1f s", (time.Duration(n) * time.Millisecond).Seconds()) }
	if j.Answered == 0 {
		e.printf("  does not answer\n")
	} else {
		e.printf("  answers %d of %d questions, median %s, slowest %s (limit %s)\n", j.Answered, j.Asked, ms(j.Median), ms(j.Slowest), ms(j.Limit))
	}
	for _, err := range j.Errors {
		e.printf("  failed: %s\n", err)
	}
	if j.Said != "" {
		e.printf("  it said: %s\n", j.Said)
	}
	if j.Answered == 0 {
		return
	}
	e.printf("  agrees with %d of %d contract cases\n", j.Agreed, j.Answered)
	for _, g := range j.Gates {
		e.printf("    %-28s %d of %d", g.Gate, g.Agreed, g.N)
		if len(g.Wrong) > 0 {
			e.printf("  not with %s", strings.Join(g.Wrong, ", "))
		}
		e.printf("\n")
	}
}

// progress tells a person who waits how far it is.
func (e *env) progress(format string, args ...any) {
	if isTerminal(e.err) {
		fmt.Fprintf(e.err, "  … "+format+"\n", args...)
	}
}
