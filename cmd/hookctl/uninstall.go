package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func uninstallCmd(e *env) *cobra.Command {
	var agents []string
	var purge, dryRun, yes bool
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the hooks out of the agents' settings",
		Long: `uninstall gives each settings file back byte for byte as it was before install; where
somebody else has changed it since, exactly hookctl's own entries go. With --purge
the folder ~/.hookctl goes as well, with the decision log in it.`,
		Example: `  hookctl uninstall --dry-run
  hookctl uninstall --purge`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if dryRun {
				return e.previewUninstall(agents)
			}
			return e.uninstall(purge, agents)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&agents, "agent", []string{"claude"}, agentsFlag)
	f.BoolVar(&purge, "purge", false, "remove ~/.hookctl as well")
	f.BoolVar(&dryRun, "dry-run", false, "print the diff of each settings file and change nothing")
	f.BoolVar(&yes, "yes", false, "ask nothing")
	return c
}

func (e *env) previewUninstall(agents []string) error {
	changes, err := e.machine().PreviewUninstall(agents)
	return e.printDiffs(changes, false, err)
}

func (e *env) uninstall(purge bool, agents []string) error {
	_, missing := os.Lstat(string(e.home))
	changes, left, err := e.machine().Uninstall(purge, agents)
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
	if err == nil && purge && len(left) == 0 {
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
