package main

import (
	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate/direct"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/gate/judges"
	"github.com/agenthooks/hookctl/home"
)

func gateCmd(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "gate [--host NAME]",
		Short: "Decide one event from stdin: this is the hook that agents run",
		Long: `gate reads one event as JSON from stdin and answers it in the dialect of the agent
that sent it. It says nothing when the event may pass.

It exits with 0 whatever happens. Only with --host generic, for an agent that
hookctl does not know, a block is exit code 2 with the feedback on stderr.`,
		Example: `  echo '{"hook_event_name":"Stop","last_assistant_message":"Shall I commit?"}' | hookctl gate
  echo '{"text":"Shall I commit?"}' | hookctl gate --host generic`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if code := e.gate(args); code != 0 {
				return &codeError{code: code}
			}
			return nil
		},
	}
	c.Flags().String("host", "", `"generic" for an agent that hookctl does not know; others are told by their events`)
	return c
}

// gate goes on where the fast paths left off, or reads the event itself.
func (e *env) gate(args []string) (code int) {
	in := early.Taken
	if in == nil {
		in = early.Start(e.home, e.getenv, e.now)
		in.Read(e.in, early.Host(args))
	}
	return direct.Answer(in, hookConfig(in.Home), e.out, e.err)
}

// hookConfig is what this machine chose.
func hookConfig(d home.Dir) hook.Config {
	cfg, chosen := direct.Config(d)
	if !chosen.Builtin() {
		cfg.Judge = judges.Chosen{JudgeConfig: chosen, Version: version}.Layer2
	}
	return cfg
}
