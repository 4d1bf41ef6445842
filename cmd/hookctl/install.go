package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/source"
)

type installFlags struct {
	agents         []string
	scope          string
	source, branch string
	from           string
	signers        string
	judge          string
	dryRun, yes    bool
	asJSON         bool
}

func installCmd(e *env) *cobra.Command {
	var f installFlags
	c := &cobra.Command{
		Use:   "install",
		Short: "Place hookctl on this machine and register its hooks",
		Long: `install copies this program to ~/.hookctl/bin, puts a bundle into the store, proves it
by its contract cases, and registers "hookctl gate" in the agents' settings: as an
edit of the text, so that order, comments, indent and everyone else's entries stay.

Without --source the bundle is the one that this program carries. With --source it is
the newest signed release of that branch, and "hookctl sync" follows it from then on.
With --from it is the release in an archive that "hookctl bundle pack" made, for a
machine that reaches no repository. A release that brings hookctl for this platform is
installed with it, in place of this one. Running it again repairs what differs and changes
nothing else. Without --agent it takes the agents that it finds on this machine: a
folder of their settings, or their program on the PATH.

--scope says whose settings: the user's, those of the project in this folder (shared:
they say "hookctl gate", and each machine finds hookctl on its PATH), its local ones,
or the managed ones of the whole machine, for root. What is left for you to do, such as
to approve hooks in Codex, is printed for each agent.

--signers names the keys that may release; they are kept in trust.json. Without it the
first install from a source shows, at a terminal, the fingerprint of the key that signed
the newest release and asks; without a terminal, or with --yes, it is refused.

A source over https takes its token from HOOKCTL_GIT_TOKEN, one over ssh its key from
the agent or ~/.ssh. A host key that known_hosts does not hold is refused; nothing asks.`,
		Example: `  hookctl install
  hookctl install --dry-run
  hookctl install --dry-run --source /srv/git/hooks.git --signers allowed_signers
  hookctl install --agent codex --agent gemini
  hookctl install --scope project --agent claude
  sudo hookctl install --scope managed --agent claude
  hookctl install --source /srv/git/hooks.git --branch main --signers allowed_signers
  hookctl install --from release-7.tar.gz --signers allowed_signers`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.install(cmd.Context(), f) },
	}
	fl := c.Flags()
	fl.StringSliceVar(&f.agents, "agent", nil, agentsFlag+"; default: those found on this machine")
	fl.StringVar(&f.scope, "scope", "user", "whose settings: user, project (of this folder), local or managed")
	fl.StringVar(&f.source, "source", "", "Git repository to follow: a path, or a file, https or ssh URL without a credential")
	fl.StringVar(&f.branch, "branch", "main", "protected branch of the source")
	fl.StringVar(&f.from, "from", "", "archive to install from, as \"hookctl bundle pack\" makes it")
	fl.StringVar(&f.signers, "signers", "", "file of the keys that may release, in the form of OpenSSH's allowed_signers")
	fl.StringVar(&f.judge, "judge", "", "write this judge into config.yaml: builtin, none, claude, codex or gemini")
	fl.BoolVar(&f.dryRun, "dry-run", false, "print the diff of each settings file, with --source or --from also what would be taken, and change nothing")
	fl.BoolVar(&f.yes, "yes", false, "ask nothing")
	fl.BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	return c
}

func (e *env) install(ctx context.Context, f installFlags) error {
	scope, err := e.scope(f.scope)
	if err != nil {
		return err
	}
	m := e.machine()
	o, err := e.installOptions(f)
	if err != nil {
		return &usageError{err: err}
	}
	o.Scope = scope
	why := ""
	if len(o.Agents) == 0 {
		o.Agents, why = present(m, o.Scope)
	}
	if f.dryRun {
		return e.previewInstall(ctx, m, o, f)
	}
	in, err := m.Install(ctx, o)
	if err != nil {
		return err
	}
	chosen := ""
	if f.judge != "" {
		if chosen, err = e.setJudge(f.judge); err != nil {
			return err
		}
	}
	if f.asJSON {
		return e.json(installReport(in, o.Scope))
	}
	e.printInstalled(in, o.Scope, why)
	if f.judge == "" {
		return e.offerJudge(ctx, !f.yes)
	}
	e.printChosen(chosen)
	return nil
}

// present are the agents to install for when none is named. On a machine that shows
// none, as an image that is being built, it is Claude Code, and why says so.
func present(m *pull.Machine, scope agent.Scope) (agents []string, why string) {
	found := m.Present()
	agents = slices.DeleteFunc(slices.Clone(found), func(name string) bool {
		a, _ := agent.Lookup(name)
		return !slices.Contains(a.Scopes(), scope)
	})
	switch {
	case len(agents) > 0:
		return agents, ""
	case len(found) > 0:
		why = "none of the agents found here (" + strings.Join(found, ", ") + ") has settings of scope " + string(scope)
	default:
		why = "no agent was found on this machine"
	}
	return []string{agent.Claude}, why + ": taken for claude; for another: --agent NAME"
}

func (e *env) installOptions(f installFlags) (pull.Options, error) {
	o := pull.Options{Agents: f.agents, Archive: f.from, Signers: f.signers}
	if f.judge != "" {
		if err := checkJudgeFlag(f.judge); err != nil {
			return o, err
		}
	}
	switch {
	case f.source != "" && f.from != "":
		return o, errors.New("--source and --from cannot go together")
	case f.source == "" && f.from == "" && f.signers != "":
		return o, errors.New("--signers needs --source or --from: whose releases shall the keys vouch for?")
	}
	if f.source != "" {
		o.Source = source.Remote{URL: f.source, Branch: f.branch}
		if safe := o.Source.Safe(); safe != f.source { // trust.json and every report would hold it
			return o, fmt.Errorf("--source must hold no credential: give %s and set HOOKCTL_GIT_TOKEN", safe)
		}
	}
	if tty, ok := e.terminal(); ok && !f.yes {
		o.Ask = func(from string, offer bundle.Offer) (bool, error) {
			defer tty.Close()
			return askTrust(tty, from, offer)
		}
	}
	return o, nil
}

// askTrust shows a person the keys of a first release. Anything but a clear yes
// is no.
func askTrust(tty io.ReadWriter, from string, o bundle.Offer) (bool, error) {
	fmt.Fprintf(tty, "%s is new to this machine. Its newest release, %d, is signed by\n", from, o.Release)
	for _, k := range o.Keys {
		fmt.Fprintf(tty, "  %s %s\n", k.Key.Type(), k.Fingerprint())
	}
	fmt.Fprint(tty, "Compare this with what your team has published. Whoever holds the key decides what\nruns here. Trust it from now on? [y/N] ")
	line, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

type installedJSON struct {
	Schema   int        `json:"schema"`
	Release  int        `json:"release"`
	Digest   string     `json:"digest"`
	Embedded bool       `json:"embedded"`
	Commit   string     `json:"commit,omitempty"`
	Signers  []string   `json:"signers,omitempty"`
	Files    []fileJSON `json:"files"`
	Settings []string   `json:"settings_changed"`
	Cases    int        `json:"cases"`
	ToDo     []todoJSON `json:"to_do"`
}

// todoJSON is what is left to do for a person.
type todoJSON struct {
	Agent string `json:"agent"`
	Text  string `json:"text"`
}

// todo is what is left to do after settings were changed.
func todo(changes []pull.SettingsChange, scope agent.Scope) []todoJSON {
	list := []todoJSON{}
	for _, c := range changes {
		if a, ok := agent.Lookup(c.Agent); ok && c.Changed() {
			for _, text := range a.Steps(scope) {
				list = append(list, todoJSON{a.Name, text})
			}
		}
	}
	return list
}

func installReport(in pull.Installation, scope agent.Scope) installedJSON {
	r := installedJSON{
		Schema: schema, Release: in.To.Release, Digest: in.To.Digest, Embedded: in.Embedded, Commit: in.To.Commit,
		Signers: signedBy(in.Signers), Files: filesJSON(append([]pull.Change{in.Binary}, in.Files...)), Settings: []string{}, Cases: in.Cases,
		ToDo: todo(in.Settings, scope),
	}
	for _, c := range in.Settings {
		if c.Changed() {
			r.Settings = append(r.Settings, c.Path)
		}
	}
	return r
}

func (e *env) printInstalled(in pull.Installation, scope agent.Scope, why string) {
	what := "the bundle that this program carries"
	switch {
	case in.Embedded:
	case in.Source.Branch == "":
		what = "release " + itoa(in.To.Release) + " from " + in.Source.URL
	default:
		what = "release " + itoa(in.To.Release) + " of " + in.Source.URL + ", branch " + in.Source.Branch
	}
	if in.Changed {
		e.printf("installed %s\n", what)
	} else {
		e.printf("%s was installed already\n", what)
	}
	for _, s := range signedBy(in.Signers) {
		e.printf("  signed by %s\n", s)
	}
	e.printProof(in.Report)
	if in.Binary.Before != in.Binary.After {
		e.printf("  %s  ->  %s  %s\n", shortSum(in.Binary.Before), shortSum(in.Binary.After), e.short(in.Binary.Path))
	}
	for _, c := range in.Settings {
		state := "unchanged"
		if c.Changed() {
			state = "registered"
		}
		e.printf("  %s: %s\n", e.short(c.Path), state)
		for _, n := range c.Notes {
			e.printf("    %s\n", n)
		}
	}
	if why != "" {
		e.printf("  %s\n", why)
	}
	for _, t := range todo(in.Settings, scope) {
		e.printf("  %s: %s\n", t.Agent, t.Text)
	}
	if in.Changed {
		e.printf("see what runs: hookctl status; take it back: hookctl uninstall\n")
	}
}
