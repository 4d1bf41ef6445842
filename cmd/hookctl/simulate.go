package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/schemas"
	"github.com/agenthooks/hookctl/simulate"
	"github.com/agenthooks/hookctl/testdata/scenarios"
)

// simulation is what simulate was asked for.
type simulation struct {
	settings, with, files, pass []string
	agent, policy               string
	dry, asJSON, verbose        bool
	list, show, schema          bool
	limit                       time.Duration
}

func simulateCmd(e *env) *cobra.Command {
	var o simulation
	c := &cobra.Command{
		Use:   "simulate [FILE | NAME]",
		Short: "See what a wiring prevents, reports and never sees, in a sandbox folder",
		Long: `simulate plays tool requests as the agent would dispatch them: event, then matcher,
then callback, then base policy. The tools act on files in a throw-away folder.

A scenario is a YAML file, or one of those that hookctl carries (--list). With
--settings the hooks are those of a real settings file. Their commands are run for
real, and so are the scenario's: with your rights, in the throw-away folder, with a
home of their own and few variables of your environment. --dry-run runs nothing and
lists what would match. Without a scenario --settings is tried with every tool on
each --file.

It exits with 1 when an expectation of the scenario does not hold.`,
		Example: `  hookctl simulate --list
  hookctl simulate pre-tool-edit-write
  hookctl simulate pre-tool-edit-write --agent gemini
  hookctl simulate --settings .claude/settings.json --file .env --file src/main.go
  hookctl simulate mine.yaml --settings .codex/hooks.json --agent codex --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.simulate(cmd.Context(), args, o)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&o.settings, "settings", nil, "settings `FILE` of an agent, whose hooks are asked; may be given again")
	f.StringVar(&o.agent, "agent", "", "agent that dispatches: "+strings.Join(simulate.Agents(), ", "))
	f.StringVar(&o.policy, "policy", "", "the agent's own decision where no hook decides: allow, ask or deny")
	f.StringArrayVar(&o.files, "file", nil, "`FILE` that the tools are tried on, without a scenario; may be given again")
	f.StringArrayVar(&o.with, "with", nil, "file or folder of the project that is copied into the sandbox; may be given again")
	f.StringArrayVar(&o.pass, "env", nil, "`NAME` of a variable that hooks get besides; may be given again")
	f.DurationVar(&o.limit, "limit", 30*time.Second, "longest wait for one hook")
	f.BoolVar(&o.dry, "dry-run", false, "run nothing, list what would match")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print the ledger also without a scenario")
	f.BoolVar(&o.asJSON, "json", false, "print the report as JSON")
	f.BoolVar(&o.list, "list", false, "list the scenarios that hookctl carries")
	f.BoolVar(&o.show, "show", false, "print the scenario's YAML and play nothing")
	f.BoolVar(&o.schema, "schema", false, "print the JSON Schema of a scenario file, for editors")
	return c
}

func (e *env) simulate(ctx context.Context, args []string, o simulation) error {
	switch {
	case o.schema:
		e.printf("%s", schemas.Text("scenario"))
		return nil
	case o.list:
		return e.listScenarios(o.asJSON)
	case o.limit <= 0:
		return &usageError{errors.New("--limit: a hook needs some time")}
	case len(args) == 0 && len(o.settings) == 0:
		return &usageError{errors.New("name a scenario, or a settings file with --settings; hookctl simulate --list names those that are here")}
	}
	var s simulate.Scenario
	if len(args) == 1 {
		name, text, err := scenarioText(args[0])
		if err != nil {
			return err
		}
		if o.show {
			e.printf("%s", text)
			return nil
		}
		if s, err = simulate.Parse(name, text); err != nil {
			return err
		}
	}
	tour := len(s.Requests) == 0
	s.Agent, s.Policy = first(o.agent, s.Agent), first(o.policy, s.Policy)
	g := &gates{env: e}
	defer g.close()
	opt := simulate.Options{
		DryRun: o.dry, Environ: os.Environ(), Pass: o.pass, Limit: o.limit, Hookctl: g.open, Now: func() time.Time { return e.now },
	}
	if err := e.wiring(&s, o, &opt); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return &usageError{err}
	}
	e.announce(s, o)
	rep, err := simulate.Play(ctx, s, opt)
	if err != nil {
		return err
	}
	if o.asJSON {
		err = e.json(rep)
	} else {
		e.printPlay(rep, !tour || o.verbose || o.dry)
	}
	if err == nil && len(rep.Failed) > 0 {
		return finding
	}
	return err
}

// first is the first that is not "".
func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// scenarioText is a scenario file, or one that hookctl carries.
func scenarioText(arg string) (name string, text []byte, err error) {
	text, err = readRegular(arg)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, `/\.`) {
		if text, err = fs.ReadFile(scenarios.FS, arg+".yaml"); err != nil {
			return arg, nil, &usageError{fmt.Errorf("there is no file %s and no scenario of that name; there are %s", arg, strings.Join(scenarioNames(), ", "))}
		}
	}
	return arg, text, err
}

func scenarioNames() (names []string) {
	files, err := fs.Glob(scenarios.FS, "*.yaml")
	if err != nil { // the pattern is well formed
		return nil
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".yaml"))
	}
	return names
}

type listedScenario struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

func (e *env) listScenarios(asJSON bool) error {
	var list []listedScenario
	for _, name := range scenarioNames() {
		_, text, err := scenarioText(name)
		if err != nil {
			return err
		}
		s, err := simulate.Parse(name, text)
		if err != nil {
			return err
		}
		list = append(list, listedScenario{name, s.Title})
	}
	if asJSON {
		return e.json(struct {
			Schema    int              `json:"schema"`
			Scenarios []listedScenario `json:"scenarios"`
		}{schema, list})
	}
	for _, s := range list {
		e.printf("%-22s %s\n", s.Name, s.Title)
	}
	return nil
}

// announce says what will be run, before it is.
func (e *env) announce(s simulate.Scenario, o simulation) {
	hooks, tools := s.Commands()
	if o.dry || len(hooks)+tools == 0 {
		return
	}
	e.note("%s and %s may be run now, with your rights, in a throw-away folder", counted(len(hooks), "hook"), counted(tools, "shell command"))
	for _, c := range hooks {
		fmt.Fprintf(e.err, "  %s\n", clip(c, 200))
	}
}

// gates are the callbacks of one play that are hookctl itself.
type gates struct {
	env  *env
	done []func()
}

func (g *gates) open(bundle string, places contract.Places) (contract.Runner, error) {
	ed, done, err := g.env.edition(bundle)
	g.done = append(g.done, done)
	if err != nil {
		return nil, err
	}
	return contract.InProcess(contract.Candidate{Rules: ed.rules, Dir: ed.dir, Env: g.env.machine().Environ()}, places), nil
}

func (g *gates) close() {
	for _, done := range g.done {
		done()
	}
}
