package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/sync/pull"
)

func blameCmd(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "blame",
		Short: "Say who wrote which hook into the agents' settings, and what changed since",
		Long: `blame names each settings file that install has written on this machine: when, which
entries in it are hookctl's and on which lines, whose hooks stand beside them, and,
where somebody else has changed the file since, what they changed and when the file was
last written. The file's own time is all that is known of when; who is not recorded.

It exits with 1 when an entry of hookctl was changed or is gone; what others did to
their own entries is no finding.`,
		Example: `  hookctl blame
  hookctl blame --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return e.blame(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

type blamedJSON struct {
	Agent    string       `json:"agent"`
	Scope    string       `json:"scope"`
	Path     string       `json:"path"`
	Written  time.Time    `json:"written,omitzero"`  // by install
	Modified time.Time    `json:"modified,omitzero"` // the file's own time
	Created  bool         `json:"created"`           // by install
	Missing  bool         `json:"missing"`
	Changed  bool         `json:"changed"` // by somebody else, since
	Diff     string       `json:"diff,omitempty"`
	Hooks    []blamedHook `json:"hooks"`
	Wrong    []string     `json:"wrong"` // with hookctl's own entries
}

type blamedHook struct {
	Line    int    `json:"line"`
	Path    string `json:"path"`
	Command string `json:"command"`
	Own     bool   `json:"own"`
}

func (e *env) blame(asJSON bool) error {
	files, err := e.machine().Blame()
	if err != nil {
		return err
	}
	list, bad := []blamedJSON{}, false
	for _, w := range files {
		list = append(list, blameOf(w))
		bad = bad || len(w.Wrong) > 0
	}
	switch {
	case asJSON:
		err = e.json(struct {
			Schema int          `json:"schema"`
			Files  []blamedJSON `json:"files"`
		}{schema, list})
	case len(list) == 0:
		e.printf("install has written no settings on this machine\n")
	default:
		for _, f := range list {
			e.printBlamed(f)
		}
	}
	if err == nil && bad {
		return finding
	}
	return err
}

func blameOf(w pull.Written) blamedJSON {
	f := blamedJSON{
		Agent: w.Agent, Scope: string(w.Scope), Path: w.Path, Written: w.At, Modified: w.Modified, Created: w.Created,
		Missing: w.Missing, Changed: w.Touched, Diff: w.Diff, Hooks: []blamedHook{}, Wrong: []string{},
	}
	for _, h := range w.Hooks {
		f.Hooks = append(f.Hooks, blamedHook{h.Line, h.Path, hookLine(h), h.Own})
	}
	for _, p := range w.Wrong {
		f.Wrong = append(f.Wrong, p.Text)
	}
	return f
}

func hookLine(r settings.Registration) string {
	if r.Command == "" {
		return "(" + r.Type + ")"
	}
	return strings.TrimSpace(r.Command + " " + strings.Join(r.Args, " "))
}

// stamp is a time as a person compares it with others on the same machine.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "at a time that was not recorded"
	}
	return "on " + t.Local().Format(time.RFC3339)
}

func (e *env) printBlamed(f blamedJSON) {
	verb := "edited"
	if f.Created {
		verb = "created"
	}
	e.printf("%s (%s, %s): %s by hookctl %s\n", e.short(f.Path), f.Agent, f.Scope, verb, stamp(f.Written))
	for _, h := range f.Hooks {
		who := "another's"
		if h.Own {
			who = "hookctl's"
		}
		e.printf("  line %-4d %s  %s  %s\n", h.Line, who, h.Path, h.Command)
	}
	switch {
	case f.Missing:
		e.printf("  the file is gone\n")
	case f.Changed && f.Diff == "":
		e.printf("  changed since, last %s; what was there then is not known any more\n", stamp(f.Modified))
	case f.Changed:
		e.printf("  changed since by somebody else, last %s:\n", stamp(f.Modified))
		for line := range strings.Lines(f.Diff) {
			if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++") {
				e.printf("    %s\n", strings.TrimRight(line, "\r\n"))
			}
		}
	default:
		e.printf("  not changed since\n")
	}
	for _, w := range f.Wrong {
		e.printf("  wrong: %s\n", w)
	}
}
