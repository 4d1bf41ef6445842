package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/doctor"
	"github.com/agenthooks/hookctl/install/settings"
)

type doctorFlags struct {
	agents  []string
	project string
	fix     bool
	asJSON  bool
}

func doctorCmd(e *env) *cobra.Command {
	var f doctorFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Name every way in which a hook is silently off",
		Long: `doctor reads every settings file that your agents read here (managed, user, project,
local, plugins) and everything that the hooks in them name, hookctl's and everybody
else's, and names each thing that keeps a hook from running or from blocking: where it
stands, why it matters and how to mend it. It starts no hook and asks no network, and it
needs no installation; where hookctl is installed, it looks at that as well.

error: a hook does not run, or cannot block. warning: it runs, but not as it seems. note:
worth knowing. The codes are explained in docs/doctor.md.

With --fix it mends what is hookctl's own: its entries where install has registered it,
surplus ones, and the modes of its folders. What others have written it never changes.

It exits with 0 when there is nothing but notes, with 1 when there are findings, with 2
when it could not tell.`,
		Example: `  hookctl doctor
  hookctl doctor --agent gemini --project ~/shop
  hookctl doctor --fix
  hookctl doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.doctor(cmd.Context(), f) },
	}
	fl := c.Flags()
	fl.StringSliceVar(&f.agents, "agent", agent.Names(), "agent to look at; may be given again")
	fl.StringVar(&f.project, "project", "", "folder that agents are started in (default: this one)")
	fl.BoolVar(&f.fix, "fix", false, "mend what is hookctl's own")
	fl.BoolVar(&f.asJSON, "json", false, "print as JSON")
	return c
}

func (e *env) doctor(ctx context.Context, f doctorFlags) error {
	for _, a := range f.agents {
		if !slices.Contains(agent.Names(), a) {
			return &usageError{fmt.Errorf("agent %s is not known; agents are %s", a, strings.Join(agent.Names(), ", "))}
		}
	}
	project := e.dir
	if f.project != "" {
		p, err := filepath.Abs(f.project)
		if err != nil {
			return err
		}
		if fi, err := os.Stat(p); err != nil || !fi.IsDir() {
			return &usageError{fmt.Errorf("--project %s: is no folder", f.project)}
		}
		project = p
	}
	m := e.machine()
	var fixed []string
	if f.fix {
		var err error
		if fixed, err = m.Mend(ctx, f.agents); err != nil {
			return err
		}
	}
	r := m.Doctor(project, f.agents)
	count := map[settings.Severity]int{}
	for _, x := range r.Findings {
		count[x.Severity]++
	}
	if f.asJSON {
		if err := e.doctorJSON(r, count, fixed); err != nil {
			return err
		}
	} else {
		e.printDoctor(r, count, fixed)
	}
	switch {
	case slices.ContainsFunc(r.Findings, func(x doctor.Finding) bool { return x.Code == "home-missing" }):
		return &codeError{code: exitUsage}
	case count[settings.Error]+count[settings.Warning] > 0:
		return finding
	}
	return nil
}

func (e *env) doctorJSON(r doctor.Report, count map[settings.Severity]int, fixed []string) error {
	findings := r.Findings
	if findings == nil {
		findings = []doctor.Finding{}
	}
	return e.json(struct {
		Schema   int              `json:"schema"`
		Good     bool             `json:"good"`
		Errors   int              `json:"errors"`
		Warnings int              `json:"warnings"`
		Notes    int              `json:"notes"`
		Hooks    int              `json:"hooks"`
		Files    []string         `json:"files"`
		Fixed    []string         `json:"fixed"`
		Findings []doctor.Finding `json:"findings"`
	}{
		schema, count[settings.Error]+count[settings.Warning] == 0,
		count[settings.Error], count[settings.Warning], count[settings.Note],
		r.Hooks, orEmpty(r.Files), orEmpty(fixed), findings,
	})
}

func (e *env) printDoctor(r doctor.Report, count map[settings.Severity]int, fixed []string) {
	for _, path := range fixed {
		e.printf("mended %s\n", e.short(path))
	}
	for _, f := range r.Findings {
		where := e.short(f.File)
		if f.Line > 0 {
			where += ":" + itoa(f.Line)
		}
		var head []string
		for _, part := range []string{f.Agent, where, f.Path} {
			if part != "" {
				head = append(head, part)
			}
		}
		e.printf("%s %s  %s\n", e.coloured(f.Severity), strings.Join(head, "  "), f.Code)
		e.printf("  %s\n  why:  %s\n  mend: %s\n", f.Text, f.Why, f.Mend)
	}
	if len(r.Findings) > 0 {
		e.printf("\n")
	}
	e.printf("%s, %s, %s; %s in %s read\n", counted(count[settings.Error], "error"), counted(count[settings.Warning], "warning"),
		counted(count[settings.Note], "note"), counted(r.Hooks, "hook"), counted(len(r.Files), "file"))
}

func counted(n int, what string) string { return plural(n, what, what+"s") }

// coloured is a severity, in colour where that is wanted.
func (e *env) coloured(s settings.Severity) string {
	text := fmt.Sprintf("%-7s", s)
	if !e.colour() {
		return text
	}
	code := map[settings.Severity]string{settings.Error: "31", settings.Warning: "33", settings.Note: "36"}[s]
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
