package pull

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// Mend puts right what is hookctl's own: its entries in the settings where install
// has registered it, surplus ones among them, and the modes of its folders. What
// others have written stays. It returns the files that have changed.
func (m *Machine) Mend(agents []string) (changed []string, err error) {
	held, err := install.Lock(m.Files, m.Home, lockWait)
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
		if c.Changed() {
			changed, in.Settings = append(changed, c.Path), append(in.Settings, c)
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
