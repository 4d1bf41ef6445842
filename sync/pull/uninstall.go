package pull

import (
	"context"
	"errors"
	"slices"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// Uninstall takes hookctl out of the agents' settings, byte for byte where
// nobody else has changed them since, and with purge the whole home with it; left
// are the names there that hookctl did not make. No agent means every one with
// which hookctl is registered, no scope every file that install has written for
// them and the user's own.
func (m *Machine) Uninstall(ctx context.Context, purge bool, agents []string, scope agent.Scope) (done []install.Change, left []string, err error) {
	held, err := m.lock(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer held.Release()
	targets, err := m.leaving(agents, scope)
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
func (m *Machine) PreviewUninstall(agents []string, scope agent.Scope) ([]install.Change, error) {
	targets, err := m.leaving(agents, scope)
	if err != nil {
		return nil, err
	}
	return install.PreviewUninstall(m.Home, targets)
}

// Blame tells of every settings file that install has written on this machine.
func (m *Machine) Blame() ([]Written, error) { return install.Blame(m.Home) }

// leaving are the files that Uninstall works on.
func (m *Machine) leaving(agents []string, scope agent.Scope) ([]install.Target, error) {
	if len(agents) > 0 {
		return m.standing(agents, scope)
	}
	written, err := install.Recorded(m.Home)
	if err != nil {
		return nil, err
	}
	all, err := m.standing(agent.Names(), scope)
	return slices.DeleteFunc(all, func(t install.Target) bool {
		return len(t.Registrations()) == 0 && !slices.ContainsFunc(written, t.SameFile)
	}), err
}

// standing are the settings files of some agents in which hookctl may stand: those
// that install has written in a scope ("" = in any), and the one of the scope (the
// user's) where it would write. An agent without that scope has none.
func (m *Machine) standing(agents []string, scope agent.Scope) ([]install.Target, error) {
	written, err := install.Recorded(m.Home)
	if err != nil {
		written = nil // a damaged record names no files; the agents' own remain
	}
	all := slices.DeleteFunc(written, func(t install.Target) bool {
		return !slices.Contains(agents, t.Agent) || scope != "" && t.Scope != scope
	})
	if scope == "" {
		scope = agent.User
	}
	for _, a := range agents {
		t, err := install.Plan(a, scope, m.Home, m.where())
		switch {
		case len(agents) > 1 && errors.As(err, new(*install.ScopeError)):
		case err != nil:
			return nil, err
		case !slices.ContainsFunc(all, t.SameFile):
			all = append(all, t)
		}
	}
	return all, nil
}

// targets are where hookctl is to be registered.
func (m *Machine) targets(agents []string, scope agent.Scope) ([]install.Target, error) {
	if scope == "" {
		scope = agent.User
	}
	var targets []install.Target
	for _, a := range agents {
		t, err := install.Plan(a, scope, m.Home, m.where())
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}
