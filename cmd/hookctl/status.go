package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
)

func statusCmd(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Show what runs on this machine and how old it is",
		Long: `status tells which bundle and which program answer the agents here. It checks the
digest of the rules and nothing more; "hookctl verify" checks everything.

It exits with 1 when hookctl is not installed.`,
		Example: `  hookctl status
  hookctl status --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return e.status(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

// statusJSON is the JSON report of status.
type statusJSON struct {
	Schema    int                  `json:"schema"`
	Version   string               `json:"version"`
	Installed *pull.Installed      `json:"installed"` // null where nothing is
	Last      string               `json:"last_change,omitempty"`
	Demoted   []manifests.Demotion `json:"demoted,omitempty"`
}

func (e *env) status(asJSON bool) error {
	inst, err := e.machine().Installed()
	var none *pull.NotInstalledError
	if errors.As(err, &none) {
		if asJSON {
			return errors.Join(e.json(statusJSON{Schema: schema, Version: version()}), finding)
		}
		e.printf("%v\n", none)
		e.note("install it with: hookctl install")
		return finding
	}
	if err != nil {
		return err
	}
	if asJSON {
		return e.json(statusJSON{Schema: schema, Version: version(), Installed: &inst, Last: e.lastChange(), Demoted: e.demotedIn(inst.Rules)})
	}
	e.printStatus(inst)
	return nil
}

func (e *env) printStatus(i pull.Installed) {
	e.printf("runs      %s  %s\n", receipt.Named(i.Release), shortSum(strings.TrimPrefix(i.Digest, "sha256:")))
	e.printSource(i)
	e.printf("program   %s  %s\n", shortSum(i.Program), e.short(e.home.Binary()))
	if i.Command == "" {
		e.printf("hook      not registered with any agent (hookctl install)\n")
	} else {
		e.printf("hook      %s\n", i.Command)
	}
	if i.Previous != nil {
		e.printf("before    %s  %s\n", receipt.Named(i.Previous.Release), shortSum(strings.TrimPrefix(i.Previous.Digest, "sha256:")))
	}
	if line := e.lastChange(); line != "" {
		e.printf("last      %s\n", line)
	}
	for _, d := range e.demotedIn(i.Rules) {
		e.printf("demoted   %s only warns here until the next release, since decision %s\n", d.Gate, d.Decision)
	}
}

// demotedIn are the demotions of this machine that hold for compiled rules.
func (e *env) demotedIn(rules []byte) []manifests.Demotion {
	r, err := gate.DecodeRules(rules)
	if err != nil {
		return nil // verify names it
	}
	return e.demote(r)
}

// demote applies the demotions of this machine, as the hook does, and returns
// those that hold.
func (e *env) demote(r *gate.Rules) (out []manifests.Demotion) {
	for _, d := range hookConfig(e.home).Demote {
		if r.Demote(d.Gate, d.Bundle) {
			out = append(out, d)
		}
	}
	return out
}

// lastChange says in one line what changed since the last good state.
func (e *env) lastChange() string {
	list, _ := receipt.List(e.home) // what cannot be read is for verify to name
	return receipt.Summary(list)
}

func (e *env) printSource(i pull.Installed) {
	switch {
	case i.Source != nil && i.Source.URL == "":
		e.printf("source    archives (hookctl install --from FILE)\n")
		e.printf("accepted  release %d, %s\n", i.Source.Accepted.Release, e.when(i.Source.Accepted.At))
	case i.Source != nil:
		e.printf("source    %s, branch %s\n", i.Source.URL, i.Source.Branch)
		e.printf("accepted  release %d, commit %s, %s\n", i.Source.Accepted.Release, shortSum(i.Source.Accepted.Commit), e.when(i.Source.Accepted.At))
		if back := i.Source.RolledBack; back != nil {
			e.printf("rollback  to %s, %s; holds until a release above %d\n", receipt.Named(back.Release), e.when(back.At), i.Source.Accepted.Release)
		}
		if c := i.Contact; !c.Tried.IsZero() {
			e.printf("checked   %s\n", e.when(c.Reached))
			if c.Error != "" {
				e.printf("          the last try, %s, failed: %s\n", e.when(c.Tried), c.Error)
			}
		}
	default:
		e.printf("source    none: updates come with the program\n")
	}
}

func gatesCmd(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "gates",
		Short: "List the gates and hooks that are active, their mode and where they come from",
		Example: `  hookctl gates
  hookctl gates --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return e.gates(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

// gates lists the rules that would judge an event now, by the same steps as the
// hook itself.
func (e *env) gates(asJSON bool) error {
	o := generation.Open(e.home)
	r, err := gate.DecodeRules(o.Rules)
	if err != nil {
		return err
	}
	type row struct {
		ID       string      `json:"id"`
		Mode     gate.Mode   `json:"mode"`
		Subagent gate.Mode   `json:"subagent"`
		Events   []gate.Kind `json:"events"`
		Signals  int         `json:"signals"`
		Evidence int         `json:"evidence"`
		Protect  int         `json:"protected_paths"`
		Demoted  string      `json:"demoted,omitempty"` // the decision because of which it only warns here
	}
	demoted := map[string]string{}
	for _, d := range e.demote(r) {
		demoted[d.Gate] = d.Decision
	}
	rows := []row{}
	for _, g := range r.Gates {
		rows = append(rows, row{g.ID, g.Mode, g.Subagent, g.Events, len(g.Signals), len(g.Evidence), len(g.Protect), demoted[g.ID]})
	}
	hooks := hookRows(r)
	if asJSON {
		return e.json(struct {
			Schema  int       `json:"schema"`
			From    string    `json:"from"`
			Name    string    `json:"name"`
			Release int       `json:"release"`
			Faults  []string  `json:"faults,omitempty"`
			Gates   []row     `json:"gates"`
			Hooks   []hookRow `json:"hooks,omitempty"`
		}{schema, o.From, r.Name, r.Release, o.Faults, rows, hooks})
	}
	for _, f := range o.Faults {
		e.note("%s", f)
	}
	numbered := ""
	if r.Release > 0 {
		numbered = ", release " + itoa(r.Release)
	}
	e.printf("bundle %s%s, from the %s generation\n\n", r.Name, numbered, o.From)
	e.printf("%-30s %-8s %-9s %s\n", "gate", "mode", "subagent", "events")
	for _, g := range rows {
		e.printf("%-30s %-8s %-9s %s%s\n", g.ID, g.Mode, g.Subagent, words(g.Events), demotion(g.Demoted))
	}
	e.printHooks(hooks)
	return nil
}

func demotion(decision string) string {
	if decision == "" {
		return ""
	}
	return "  (demoted on this machine since decision " + decision + ")"
}

// hookRow is one executable of the bundle in the list.
type hookRow struct {
	ID      string         `json:"id"`
	File    string         `json:"file"`
	SHA256  string         `json:"sha256"`
	Mode    gate.Mode      `json:"mode"`
	Events  []gate.Kind    `json:"events"`
	Tools   []string       `json:"tools,omitempty"`
	Timeout string         `json:"timeout"`
	Failure gate.Direction `json:"failure"`
}

func hookRows(r *gate.Rules) (rows []hookRow) {
	for _, h := range r.Hooks {
		rows = append(rows, hookRow{h.ID, h.File, r.Files[h.File], h.Mode, h.Events, h.Tools, h.Timeout.String(), h.Failure})
	}
	return rows
}

func (e *env) printHooks(rows []hookRow) {
	if len(rows) == 0 {
		return
	}
	e.printf("\n%-30s %-8s %-9s %-18s %s\n", "hook", "mode", "failure", "file", "events")
	for _, h := range rows {
		on := words(h.Events)
		if len(h.Tools) > 0 {
			on += " (" + strings.Join(h.Tools, ", ") + ")"
		}
		e.printf("%-30s %-8s %-9s %-18s %s\n", h.ID, h.Mode, h.Failure, shortSum(h.SHA256), on)
	}
}

func words(kinds []gate.Kind) string {
	var out []string
	for _, k := range kinds {
		out = append(out, string(k))
	}
	return strings.Join(out, ", ")
}

func itoa(n int) string { return strconv.Itoa(n) }
