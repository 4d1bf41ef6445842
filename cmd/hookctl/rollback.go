package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
)

func rollbackCmd(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "rollback [RELEASE]",
		Short: "Go back to a release that ran on this machine before",
		Long: `rollback makes the release that ran before the one that runs, or the one with the
number given. It takes it from this machine's own store, checks its bytes and its
signatures, and replaces one small file; nothing is fetched, and the agents' settings
stay as they are.

It holds: "hookctl sync" keeps it until a release above the one that was left appears.
Running rollback once more goes to the release that was left.`,
		Example: `  hookctl rollback
  hookctl rollback 6`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n := 0
			if len(args) > 0 {
				var err error
				if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
					return &usageError{err: fmt.Errorf("release %q is no number above 0", args[0])}
				}
			}
			return e.rollback(cmd.Context(), n, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

// manyFiles are more than a person would read through.
const manyFiles = 100

func (e *env) rollback(ctx context.Context, n int, asJSON bool) error {
	r, err := e.machine().Rollback(ctx, n)
	if err != nil {
		return err
	}
	if asJSON {
		return e.json(reportJSON(r))
	}
	e.printf("%s runs, and %s no longer\n", receipt.Named(r.To.Release), receipt.Named(r.From.Release))
	for _, s := range signedBy(r.Signers) {
		e.printf("  signed by %s\n", s)
	}
	files, cases := r.Files, 0
	if len(files) > manyFiles { // from a team's bundle to the embedded one: a thousand cases
		files = slices.DeleteFunc(slices.Clone(files), func(c pull.Change) bool { return strings.HasPrefix(c.Path, "cases/") })
		cases = len(r.Files) - len(files)
	}
	e.printSums(files)
	if cases > 0 {
		e.printf("  and %d files below cases/, each with its SHA-256 by --json\n", cases)
	}
	e.printProof(r)
	return nil
}
