package pull

import (
	"context"
	"os"
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
func (m *Machine) Preview(agents []string) ([]install.Change, error) {
	targets, err := m.targets(agents)
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
	if _, err := m.Preview(o.Agents); err != nil {
		return in, err
	}
	targets, err := m.targets(o.Agents)
	if err != nil {
		return in, err
	}
	held, err := install.Lock(m.Files, m.Home, lockWait)
	if err != nil {
		return in, err
	}
	defer held.Release()
	r := m.begin(receipt.Install)
	v, trust, err := m.first(ctx, o, &in)
	if err == nil {
		err = m.adopt(ctx, held, adoption{bundle: v, trust: trust, install: true, targets: targets, record: r}, &in)
	}
	if err := m.failed(r, &in, err); err != nil {
		return in, err
	}
	return in, in.expired
}

// target is how hookctl is registered with an agent on this machine.
func (m *Machine) target(name string) (install.Target, error) {
	return install.Plan(name, agent.User, m.Home, m.where())
}

func (m *Machine) where() install.Where {
	return install.Where{Home: m.User, Getenv: m.Getenv, ManagedDir: m.Managed}
}

// Agents are the agents that hookctl can register itself with so far.
var Agents = []string{"claude"}

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
	targets, err := m.targets(Agents)
	if err != nil {
		return nil, err
	}
	paths, err := install.Registered(m.Home, targets)
	if err != nil {
		paths = paths[:0] // a damaged record names no files; the agents' own remain
		for _, t := range targets {
			paths = append(paths, t.Path)
		}
	}
	var all []string
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // no registration that an agent could read
		}
		found, _, err := settings.Inspect(b, settings.Own, false)
		if err != nil {
			continue // the settings' own fault: verify names it
		}
		for _, r := range found {
			if line := commandLine(r); r.Own && !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	return all, nil
}

// registered are the settings files that install has written, less those that
// cannot be edited: that is for verify to name, and no reason to keep a fix away.
// Of the rest only what differs is written.
func (m *Machine) registered() ([]install.Target, error) {
	targets, err := m.targets(Agents)
	if err != nil {
		return nil, err
	}
	all, err := install.Recorded(m.Home, targets)
	if err != nil {
		return nil, nil //nolint:nilerr // a damaged record names no files
	}
	return slices.DeleteFunc(all, func(t install.Target) bool {
		_, err := t.Preview()
		return err != nil
	}), nil
}

// wired reports whether hookctl stands in every target's file as it should.
func wired(targets []install.Target) bool {
	return !slices.ContainsFunc(targets, func(t install.Target) bool {
		c, err := t.Preview()
		return err != nil || c.Changed()
	})
}

// commandLine is a registration as sh takes it: agents run one with args without
// a shell.
func commandLine(r settings.Registration) string {
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

// Uninstall takes hookctl out of the agents' settings, byte for byte where
// nobody else has changed them since, and with purge the whole home with it; left
// are the names there that hookctl did not make.
func (m *Machine) Uninstall(purge bool, agents []string) (done []install.Change, left []string, err error) {
	held, err := install.Lock(m.Files, m.Home, lockWait)
	if err != nil {
		return nil, nil, err
	}
	defer held.Release()
	targets, err := m.targets(agents)
	if err != nil {
		return nil, nil, err
	}
	r := m.begin(receipt.Uninstall)
	done, err = install.Uninstall(held, m.Files, targets)
	if err != nil {
		return done, nil, err
	}
	if !purge {
		return done, nil, m.left(r, done)
	}
	left, err = install.Purge(held, m.Files)
	return done, left, err
}

// PreviewUninstall says what Uninstall would change in the agents' settings.
func (m *Machine) PreviewUninstall(agents []string) ([]install.Change, error) {
	targets, err := m.targets(agents)
	if err != nil {
		return nil, err
	}
	return install.PreviewUninstall(m.Home, targets)
}

func (m *Machine) targets(agents []string) ([]install.Target, error) {
	var targets []install.Target
	for _, a := range agents {
		t, err := m.target(a)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}
