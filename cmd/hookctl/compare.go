package main

import (
	"bytes"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/manifests"
)

func compareCmd(e *env) *cobra.Command {
	var o compareOptions
	c := &cobra.Command{
		Use:   "compare OLD NEW [FILE]",
		Short: "Show what two bundles say to a message, or to all cases, side by side",
		Long: `compare decides one text by two bundles and prints BLOCK or PASS for each; without FILE
it does so for every case of both. A line that differs begins with "!".

` + editions + `

FILE is a message, an event as an agent sends it (JSON), or "-" for standard input. The
judge is the answer recorded beside a case, else the builtin one, on both sides.

It exits with 0 whatever the two say; with --exit-code, with 1 when they differ.`,
		Example: `  hookctl compare installed . message.md
  hookctl compare embedded . --changed
  hookctl compare release-7.tar.gz release-8.tar.gz --json --exit-code`,
		Args: cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error { return e.compare(cmd.Context(), args, o) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	c.Flags().BoolVar(&o.changed, "changed", false, "print only the cases that differ")
	c.Flags().BoolVar(&o.exitCode, "exit-code", false, "exit with 1 when a verdict differs")
	return c
}

type compareOptions struct{ json, changed, exitCode bool }

// compareReport is the JSON report of compare.
type compareReport struct {
	Schema  int          `json:"schema"`
	Old     string       `json:"old"`
	New     string       `json:"new"`
	Cases   []comparison `json:"cases"`
	Differs int          `json:"differ"`
}

func (e *env) compare(ctx context.Context, args []string, o compareOptions) error {
	was, doneWas, err := e.edition(args[0])
	defer doneWas()
	if err != nil {
		return err
	}
	is, doneIs, err := e.edition(args[1])
	defer doneIs()
	if err != nil {
		return err
	}
	var cases []manifests.Case
	if len(args) == 3 {
		cases, err = e.oneText(args[2])
	} else {
		cases, err = union(was, is)
	}
	if err != nil {
		return err
	}
	rep := compareReport{Schema: schema, Old: was.name, New: is.name, Cases: []comparison{}}
	for _, c := range e.compareCases(ctx, was, is, cases) {
		if c.Differs {
			rep.Differs++
		}
		if c.Differs || !o.changed {
			rep.Cases = append(rep.Cases, c)
		}
	}
	if o.json {
		err = e.json(rep)
	} else {
		e.printComparison(rep, len(cases), len(args) == 3)
	}
	if err == nil && o.exitCode && rep.Differs > 0 {
		return finding
	}
	return err
}

// oneText is a file as a case that asks nothing.
func (e *env) oneText(file string) ([]manifests.Case, error) {
	raw, err := e.readInput(file)
	if err != nil {
		return nil, err
	}
	trimmed := bytes.TrimSpace(raw)
	return []manifests.Case{{Name: file, Gate: "all", Body: raw, IsEvent: len(trimmed) > 0 && trimmed[0] == '{'}}, nil
}

// printComparison prints a line for each case; of one text also the reasons.
func (e *env) printComparison(r compareReport, cases int, reasons bool) {
	left := len(r.Old)
	for _, c := range r.Cases {
		left = max(left, len(c.Old.String()))
	}
	right := len(r.New)
	for _, c := range r.Cases {
		right = max(right, len(c.New.String()))
	}
	if len(r.Cases) > 0 {
		e.printf("  %-*s  %-*s  case\n", left, r.Old, right, r.New)
	}
	for _, c := range r.Cases {
		e.printf("%s %-*s  %-*s  %s\n", mark(c.Differs), left, c.Old, right, c.New, c.Case)
		if reasons {
			e.printReason(r.Old, c.Old)
			e.printReason(r.New, c.New)
		}
	}
	e.printf("%s, %d %s\n", plural(cases, "case", "cases"), r.Differs, verb(r.Differs, "differs", "differ"))
}

func (e *env) printReason(name string, d decision) {
	if d.Reason != "" {
		e.printf("\n%s:\n  %s\n", name, strings.ReplaceAll(d.Reason, "\n", "\n  "))
	}
}

func mark(differs bool) string {
	if differs {
		return "!"
	}
	return " "
}

func plural(n int, one, many string) string { return itoa(n) + " " + verb(n, one, many) }

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
