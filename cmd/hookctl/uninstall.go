package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/install/agent"
)

func uninstallCmd(e *env) *cobra.Command {
	var f uninstallFlags
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the hooks out of the agents' settings",
		Long: `uninstall gives each settings file back byte for byte as it was before install; where
somebody else has changed it since, exactly hookctl's own entries go. Without --agent
and --scope it works on every file that install has written, those of projects
included. With --purge the folder ~/.hookctl goes as well, with the decision log in it.`,
		Example: `  hookctl uninstall --dry-run
  hookctl uninstall --agent codex
  hookctl uninstall --scope project
  hookctl uninstall --purge`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scope, err := e.scope(f.scope)
			if err != nil {
				return err
			}
			if f.dryRun {
				changes, err := e.machine().PreviewUninstall(f.agents, scope)
				return e.printDiffs(changes, false, nil, err)
			}
			return e.uninstall(cmd.Context(), f, scope)
		},
	}
	fl := c.Flags()
	fl.StringSliceVar(&f.agents, "agent", nil, agentsFlag+"; default: all that hookctl is registered with")
	fl.StringVar(&f.scope, "scope", "", "user, project (of this folder), local or managed; default: every one")
	fl.BoolVar(&f.purge, "purge", false, "remove ~/.hookctl as well")
	fl.BoolVar(&f.dryRun, "dry-run", false, "print the diff of each settings file and change nothing")
	fl.BoolVar(&f.yes, "yes", false, "ask nothing")
	return c
}

type uninstallFlags struct {
	agents             []string
	scope              string
	purge, dryRun, yes bool
}

func (e *env) uninstall(ctx context.Context, f uninstallFlags, scope agent.Scope) error {
	_, missing := os.Lstat(string(e.home))
	changes, left, err := e.machine().Uninstall(ctx, f.purge, f.agents, scope)
	for _, c := range changes {
		state := "unchanged"
		switch {
		case c.Changed() && c.After == nil:
			state = "removed"
		case c.Changed():
			state = "hookctl's entries taken out"
		}
		e.printf("%s: %s\n", e.short(c.Path), state)
	}
	if err == nil && len(changes) == 0 {
		e.printf("hookctl is registered with no agent\n")
	}
	if err == nil && f.purge && len(left) == 0 {
		state := "removed"
		if missing != nil {
			state = "was not there"
		}
		e.printf("%s: %s\n", e.short(string(e.home)), state)
	}
	if len(left) > 0 {
		e.note("left in %s, since hookctl did not make it: %s", e.short(string(e.home)), strings.Join(left, ", "))
	}
	return err
}
