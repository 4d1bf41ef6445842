package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/sync/pull"
)

func verifyCmd(e *env) *cobra.Command {
	var agents []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Check that what is deployed is what was accepted, and behaves",
		Long: `verify compares every byte and mode of the installed bundle with its lock and its
signatures, the program with its digest, looks for everything in the agents' settings
that keeps the hook from running, and runs every contract case through the very
command that the agents run. It names each thing that differs and exits with 1.`,
		Example: `  hookctl verify
  hookctl verify --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.verify(cmd.Context(), agents, asJSON) },
	}
	c.Flags().StringSliceVar(&agents, "agent", []string{"claude"}, agentsFlag)
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func (e *env) verify(ctx context.Context, agents []string, asJSON bool) error {
	v, err := e.machine().Verify(ctx, e.dir, agents)
	if err != nil {
		return err
	}
	if asJSON {
		err = e.json(struct {
			Schema int  `json:"schema"`
			Good   bool `json:"good"`
			Passed int  `json:"cases_passed"`
			Failed int  `json:"cases_failed"`
			*pull.Verification
		}{schema, v.Good(), v.Cases.Passed, v.Cases.Failed, v})
	} else {
		e.printVerification(v)
	}
	if err == nil && !v.Good() {
		return finding
	}
	return err
}

func (e *env) printVerification(v *pull.Verification) {
	for _, p := range v.Problems {
		mark := "DIFFERS"
		if p.Warn {
			mark = "note   "
		}
		if p.Path == "" {
			e.printf("%s %s: %s\n", mark, p.Part, p.Text)
		} else {
			e.printf("%s %s: %s: %s\n", mark, p.Part, e.short(p.Path), p.Text)
		}
	}
	for _, c := range v.Checked {
		e.printf("checked %s\n", c)
	}
	_, err := os.Lstat(e.home.Current())
	switch {
	case v.Installed == nil && errors.Is(err, fs.ErrNotExist):
		e.printf("install it with: hookctl install\n")
	case v.Good():
		e.printf("all that is deployed is as accepted: release %d, %s\n", v.Installed.Release, shortSum(v.Installed.Digest[len("sha256:"):]))
	default:
		e.printf("mend the store with: hookctl sync (with a source) or hookctl install; the settings with: hookctl install\n")
	}
}
