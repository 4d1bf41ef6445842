package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/eval"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
)

type wrongOptions struct {
	gate, dir, slug, why, example string
	redact, keep, json            bool
}

func wrongCmd(e *env) *cobra.Command {
	var o wrongOptions
	c := &cobra.Command{
		Use:   "wrong ID",
		Short: "Turn a false block into a case, a counter-example and a pull request",
		Long: `wrong takes a decision of the decision log that should not have blocked. In the
bundle of --dir it

  - writes the message as a case that the gate must let through, as capture does:
    verbatim, and only when its hash is the one in the log;
  - adds a counter-example to the gate's file, which the judge is told. A bundle that
    extends the embedded one gets a patch. Nothing else in the file changes.

On this machine it lets the gate warn only, until the next release comes, where the
floor of the bundle says "demotable" and does not name the gate. "hookctl gates", "status"
and "verify" show it; it stands in config.yaml.

Then it prints the branch and the git commands of the pull request. It runs none of them,
and sends nothing anywhere. ID may be cut to its first characters.`,
		Example: `  hookctl wrong 3f2a91c0 --dir ~/our-hooks --why report
  hookctl wrong 3f2a91c0 --gate handoff --redact --keep`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return e.wrong(cmd.Context(), args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.dir, "dir", ".", "the bundle's folder")
	f.StringVar(&o.gate, "gate", "", "the gate that was wrong (default: the one that blocked)")
	f.StringVar(&o.slug, "slug", "", "name of the case (default: the first words)")
	f.StringVar(&o.why, "why", "", "why it should have passed")
	f.StringVar(&o.example, "example", "", "the counter-example (default: the sentence that was hit, and --why)")
	f.BoolVar(&o.redact, "redact", false, "take secrets out of the case")
	f.BoolVar(&o.keep, "keep", false, "let the gate block on this machine as before")
	f.BoolVar(&o.json, "json", false, "print as JSON what was done")
	return c
}

// wrongReport is the JSON report of wrong.
type wrongReport struct {
	Schema   int      `json:"schema"`
	Decision string   `json:"decision"`
	Gate     string   `json:"gate"`
	Case     string   `json:"case"` // in the bundle
	File     string   `json:"file"` // in the bundle
	Example  string   `json:"counter_example"`
	Passes   bool     `json:"passes"` // the bundle as it is now lets the message pass
	Demoted  bool     `json:"demoted"`
	Kept     string   `json:"kept,omitempty"` // why the gate blocks on this machine as before
	Branch   string   `json:"branch"`
	Commands []string `json:"commands"` // none where the folder is in no Git repository
}

func (e *env) wrong(ctx context.Context, id string, o wrongOptions) error {
	b, err := e.appealOf(id, o)
	if err != nil {
		return err
	}
	rep := wrongReport{
		Schema: schema, Decision: b.line.ID, Gate: b.gate, Case: filepath.ToSlash(b.made.path), File: b.file, Example: b.example,
		Branch: "false-block/" + b.gate + "-" + b.line.ID, Commands: []string{},
	}
	if err := b.write(o.dir); err != nil {
		return err
	}
	if rep.Passes, err = passes(ctx, o.dir, b.gate, b.made.text); err != nil {
		return err
	}
	if rep.Kept = "--keep"; !o.keep {
		if rep.Kept, err = e.demoteHere(b); err != nil {
			return fmt.Errorf("the case and the counter-example are written; the gate blocks on this machine as before: %w", err)
		}
	}
	rep.Demoted = rep.Kept == ""
	if inGit(o.dir) {
		rep.Commands = commandsFor(o.dir, rep)
	}
	if o.json {
		return e.json(rep)
	}
	e.printAppeal(rep, o.dir)
	return nil
}

// passes tells whether the bundle in a folder, as it is now, lets a gate pass a
// message by the builtin judge.
func passes(ctx context.Context, dir, id, text string) (bool, error) {
	raw, err := compileDir(dir)
	if err != nil {
		return false, err
	}
	rules, err := gate.DecodeRules(raw)
	if err != nil {
		return false, err
	}
	return !violates(ctx, eval.NewSubject(rules, "builtin", builtin.Ask).Engine(), id, text), nil
}

func inGit(dir string) bool {
	_, err := git.PlainOpenWithOptions(dir, &git.PlainOpenOptions{DetectDotGit: true})
	return err == nil
}

// commandsFor are what a person runs to ask for the change.
func commandsFor(dir string, r wrongReport) []string {
	in := "git "
	if dir != "." {
		in = "git -C " + shellQuoted(dir) + " "
	}
	slug := strings.TrimSuffix(filepath.Base(r.Case), ".md")
	return []string{
		in + "switch -c " + r.Branch,
		in + "add " + r.Case + " " + notePath(r.Case) + " " + r.File,
		in + "commit -m " + shellQuoted("Let "+r.Gate+" pass: "+slug),
		in + "push -u origin " + r.Branch,
	}
}

// shellQuoted makes one word of s for a shell.
func shellQuoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (e *env) printAppeal(r wrongReport, dir string) {
	e.printf("decision %s: a false block of %s\n", r.Decision, r.Gate)
	e.printf("  case      %s\n", filepath.Join(dir, filepath.FromSlash(r.Case)))
	e.printf("  example   %s\n            %s\n", filepath.Join(dir, filepath.FromSlash(r.File)), r.Example)
	if r.Demoted {
		e.printf("  here      %s only warns until the next release comes (%s)\n", r.Gate, e.short(e.home.Config()))
	} else {
		e.printf("  here      %s blocks as before: %s\n", r.Gate, r.Kept)
	}
	if r.Passes {
		e.printf("The bundle lets the message pass with the builtin judge.\n")
	} else {
		e.printf("The builtin judge does not read counter-examples, and the case still blocks with it: change\n"+
			"a signal or add evidence, until this is silent: hookctl bundle lint %s\n", shellQuoted(dir))
	}
	if len(r.Commands) == 0 {
		e.note("%s is in no Git repository: bring branch %s to the one that holds the hooks", dir, r.Branch)
		return
	}
	e.printf("\nThe pull request:\n")
	for _, c := range r.Commands {
		e.printf("  %s\n", c)
	}
}
