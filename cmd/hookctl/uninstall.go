package main

import (
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
			m := e.machine()
			if dryRun {
				changes, err := m.PreviewUninstall(agents)
				for _, c := range changes {
					e.printf("%s", c.Diff())
				}
				return err
			}
			changes, left, err := m.Uninstall(purge, agents)
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
			if err == nil && purge {
				e.printf("%s: removed\n", e.short(string(e.home)))
			}
			if len(left) > 0 {
				e.note("left in %s, since hookctl did not make it: %s", e.home, strings.Join(left, ", "))
			}
			return err
		},
	}
	f := c.Flags()
	f.StringSliceVar(&agents, "agent", []string{"claude"}, agentsFlag)
	f.BoolVar(&purge, "purge", false, "remove ~/.hookctl as well")
	f.BoolVar(&dryRun, "dry-run", false, "print the diff of each settings file and change nothing")
	f.BoolVar(&yes, "yes", false, "ask nothing")
	return c
}
