package pull

import (
	"context"
	"errors"
	"os"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// Options of an installation.
type Options struct {
	Agents []string
	// Source and Signers name the branch to follow and who may release; without
	// a source the embedded bundle is installed.
	Source  source.Remote
	Signers string // a file in the form of OpenSSH's allowed_signers
}

// Installation is what an install did, or would do.
type Installation struct {
	Report
	Embedded bool
	Binary   Change
	Settings []install.Change
}

// programMode is the mode of the installed program.
const programMode = 0o755

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

// Install places the running program, stages, proves and activates the bundle,
// registers the hook and proves the bundle again through the settings. Settings
// are looked at first, so that a file that cannot be edited stops everything
// before anything is written.
func (m *Machine) Install(ctx context.Context, o Options) (Installation, error) {
	var in Installation
	if _, err := m.Preview(o.Agents); err != nil {
		return in, err
	}
	held, err := install.Lock(m.Files, m.Home, lockWait)
	if err != nil {
		return in, err
	}
	defer held.Release()
	v, trust, err := m.first(ctx, o, &in)
	if err != nil {
		return in, err
	}
	in.Binary = Change{Path: m.Home.Binary(), Before: hashFile(m.Home.Binary())}
	if _, err := install.PlaceBinary(m.Files, m.Home, m.Program); err != nil {
		return in, err
	}
	in.Binary.After = hashFile(m.Home.Binary())
	if err := m.Files.WriteFile(programSum(m.Home.Binary()), []byte(in.Binary.After+"\n"), 0o644); err != nil {
		return in, err
	}
	before := m.running()
	if err := m.adopt(ctx, v, &in.Report); err != nil {
		return in, err
	}
	targets, err := m.targets(o.Agents)
	if err != nil {
		return in, err
	}
	for _, t := range targets {
		m.step("register with %s", t.Agent)
		c, err := install.Apply(held, m.Files, t)
		if err != nil {
			return in, err
		}
		in.Settings = append(in.Settings, c)
	}
	if err := m.proveInstalled(ctx, v); err != nil {
		return in, errors.Join(err, m.restore(before))
	}
	in.Changed = before.Digest != v.Digest()
	if in.Embedded {
		return in, nil
	}
	trust.Accepted = in.To
	return in, m.writeTrust(trust)
}

// first is the bundle to install: the newest release of the source, or the
// embedded bundle. An installation that follows a source keeps it.
func (m *Machine) first(ctx context.Context, o Options, in *Installation) (bundle.Verified, Trust, error) {
	t, err := readTrust(m.Home)
	switch {
	case o.Source.URL != "":
		signers, _, err := ReadSigners(o.Signers)
		if err != nil {
			return bundle.Verified{}, t, err
		}
		if t.Source != o.Source { // what was accepted elsewhere says nothing here
			t.Accepted = Accepted{}
		}
		t.Schema, t.Source, t.Signers, t.Threshold = trustSchema, o.Source, string(signers), max(t.Threshold, 1)
	case errors.Is(err, ErrNoSource):
		in.Embedded = true
		v, err := bundle.Embedded()
		in.To = Accepted{Digest: v.Digest(), At: m.Now}
		return v, Trust{}, err
	case err != nil:
		return bundle.Verified{}, t, err
	}
	v, rep, err := m.newest(ctx, t)
	in.Report = rep
	return v, t, err
}

// proveInstalled runs the cases through the settings once hookctl stands there.
func (m *Machine) proveInstalled(ctx context.Context, v bundle.Verified) error {
	inst, err := m.Installed()
	if err != nil {
		return err
	}
	cases, err := inst.Cases()
	if err != nil {
		return err
	}
	return m.proveAgain(ctx, cases, v.Release())
}

// target is how hookctl is registered with an agent on this machine.
func (m *Machine) target(agent string) (install.Target, error) {
	return install.Plan(agent, m.Home, install.Where{Home: m.User, ConfigDir: m.Getenv("CLAUDE_CONFIG_DIR")})
}

// Agents are the agents that hookctl can register itself with so far.
var Agents = []string{"claude"}

// Command is the command line that stands in the agents' settings, "" when
// hookctl is registered with none.
func (m *Machine) Command() (string, error) {
	for _, a := range Agents {
		t, err := m.target(a)
		if err != nil {
			return "", err
		}
		b, err := os.ReadFile(t.Path)
		if err != nil {
			continue
		}
		found, _, err := settings.Inspect(b, settings.Own, false)
		if err != nil {
			continue // the settings' own fault: verify names it
		}
		for _, r := range found {
			if r.Own {
				return r.Command, nil
			}
		}
	}
	return "", nil
}

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
	done, err = install.Uninstall(held, m.Files, targets)
	if err != nil {
		return done, nil, err
	}
	if !purge {
		return done, nil, nil
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
