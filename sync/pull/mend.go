package pull

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// Mend puts right what is hookctl's own: its entries in the settings where install
// has registered it, surplus ones among them, and the modes of its folders. What
// others have written stays. It returns the files that have changed.
func (m *Machine) Mend(ctx context.Context, agents []string) (changed []string, err error) {
	held, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	r := m.begin(receipt.Install)
	var in Installation
	for _, t := range m.registered() {
		if !slices.Contains(agents, t.Agent) {
			continue
		}
		c, err := install.Apply(held, m.Files, t)
		if err != nil {
			return changed, m.failed(r, &in, err)
		}
		more, err := m.undouble(t)
		if err != nil {
			return changed, m.failed(r, &in, err)
		}
		for _, c := range append([]install.Change{c}, more...) {
			if c.Changed() {
				changed, in.Settings = append(changed, c.Path), append(in.Settings, c)
			}
		}
	}
	modes, err := m.mendModes()
	if err != nil {
		return changed, m.failed(r, &in, err)
	}
	if len(in.Settings) == 0 {
		return modes, nil
	}
	k, err := m.key(&in)
	if err == nil {
		err = m.succeeded(r, &in, k)
	}
	return append(changed, modes...), err
}

// undouble takes hookctl's entries out of the other files of the same agent and
// scope, such as Codex's other form of settings: the agent would run both.
func (m *Machine) undouble(t install.Target) (changes []install.Change, err error) {
	scopes, err := install.Scopes(t.Agent, m.where(), "")
	if err != nil {
		return nil, err
	}
	for _, s := range scopes {
		if s.Name != string(t.Scope) || s.Path == t.Path || s.Foreign || s.Format == agent.Plugin {
			continue
		}
		src, err := os.ReadFile(s.Path)
		if err != nil {
			continue // there is nothing that the agent could run twice
		}
		out, err := settings.For(s.Format).Remove(src, settings.Own)
		if err != nil || bytes.Equal(out, src) || len(out) == 0 {
			continue // a file that is not understood, or wholly ours, is left to a person
		}
		if err := m.Files.WriteFileIfUnchanged(s.Path, src, out, 0o644); err != nil {
			return changes, err
		}
		changes = append(changes, install.Change{Path: s.Path, Before: src, After: out})
	}
	return changes, nil
}

// mendModes takes from others what they may write of ours.
func (m *Machine) mendModes() (changed []string, err error) {
	if runtime.GOOS == "windows" {
		return nil, nil
	}
	for _, path := range []string{string(m.Home), filepath.Dir(m.Home.Binary()), m.Home.Store(), m.Home.Binary()} {
		fi, err := os.Stat(path)
		if err != nil || fi.Mode()&0o022 == 0 {
			continue
		}
		if err := m.Files.Chmod(path, fi.Mode().Perm()&^0o022); err != nil {
			return changed, err
		}
		changed = append(changed, path)
	}
	return changed, nil
}
