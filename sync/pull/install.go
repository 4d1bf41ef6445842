package pull

import (
	"context"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// Options of an installation.
type Options struct {
	Agents []string
	Scope  agent.Scope // "" = user
	// Source names the branch to follow, and Archive a pack to install from; without
	// either the embedded bundle is installed.
	Source  source.Remote
	Archive string // path of a file that [bundle.Pack] wrote
	// Signers names who may release: a file in the form of OpenSSH's
	// allowed_signers. Without one the keys come from trust.json or from Ask.
	Signers string
	// Ask shows a person the keys of a first release and returns whether to trust
	// them; nil = nobody can be asked.
	Ask func(source string, o bundle.Offer) (bool, error) `json:"-"`
}

// Installation is what an install did, or would do.
type Installation struct {
	Report
	Embedded bool
}

const programMode = install.ProgramMode

// programSum is the file beside the program that holds its SHA-256, for verify.
func programSum(binary string) string { return binary + ".sha256" }

// Preview says what Install would change in the agents' settings.
func (m *Machine) Preview(agents []string, scope agent.Scope) ([]install.Change, error) {
	targets, err := m.targets(agents, scope)
	if err != nil {
		return nil, err
	}
	var all []install.Change
	for _, t := range targets {
		c, err := t.Preview()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Install places the program that the release brings, else the running one, stages, proves and activates the bundle,
// registers the hook and proves the bundle through the settings. Settings are
// looked at first, so that a file that cannot be edited stops everything before
// anything is written. Whatever fails later, everything goes back.
func (m *Machine) Install(ctx context.Context, o Options) (Installation, error) {
	var in Installation
	if _, err := m.Preview(o.Agents, o.Scope); err != nil {
		return in, err
	}
	targets, err := m.targets(o.Agents, o.Scope)
	if err != nil {
		return in, err
	}
	held, err := m.lock(ctx)
	if err != nil {
		return in, err
	}
	defer held.Release()
	r := m.begin(receipt.Install)
	v, trust, err := m.first(ctx, o, &in)
	if err == nil {
		err = m.adopt(ctx, held, adoption{bundle: v, trust: trust, install: true, targets: targets, record: r}, &in)
	}
	if err == nil && o.Scope == agent.Managed {
		err = install.Share(held, m.Files)
	}
	if err := m.failed(r, &in, err); err != nil {
		return in, err
	}
	return in, in.expired
}

func (m *Machine) where() install.Where {
	return install.Where{Home: m.User, Getenv: m.Getenv, Project: m.Project, ManagedDir: m.Managed}
}

// Present are the agents that this machine shows signs of.
func (m *Machine) Present() []string { return install.Present(m.where()) }

// Command is the command line that stands in the agents' settings, "" when
// hookctl is registered with none. Where several stand, it is the first.
func (m *Machine) Command() (string, error) {
	all, err := m.commands()
	if err != nil || len(all) == 0 {
		return "", err
	}
	return all[0], nil
}

// commands are the different command lines that start hookctl in the settings of
// the agents, those files included that an install with other folders wrote.
func (m *Machine) commands() ([]string, error) {
	targets, err := m.standing(agent.Names(), "")
	if err != nil {
		return nil, err
	}
	var all []string
	for _, t := range targets {
		for _, r := range t.Registrations() {
			if line := commandLine(r); !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	return all, nil
}

// registered are the settings files that install has written, less those that
// cannot be edited: that is for verify to name, and no reason to keep a fix away.
// Of the rest only what differs is written.
func (m *Machine) registered() []install.Target {
	all, err := install.Recorded(m.Home)
	if err != nil {
		return nil // a damaged record names no files
	}
	return slices.DeleteFunc(all, func(t install.Target) bool {
		_, err := t.Preview()
		return err != nil
	})
}

// wired reports whether hookctl stands in every target's file as it should.
func wired(targets []install.Target) bool {
	return !slices.ContainsFunc(targets, func(t install.Target) bool {
		c, err := t.Preview()
		return err != nil || c.Changed()
	})
}

// commandLine is a registration as sh takes it: agents run one with args without
// a shell, and some run PowerShell.
func commandLine(r settings.Registration) string {
	if line, ok := settings.FromPowerShell(r.Command); ok {
		return line
	}
	line := r.Command
	if len(r.Args) > 0 {
		line = quoted(r.Command)
	}
	for _, a := range r.Args {
		line += " " + quoted(a)
	}
	return line
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
