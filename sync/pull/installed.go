package pull

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/manifests"
)

// Installed is what runs on this machine.
type Installed struct {
	home.Pointer
	Bundle  fs.FS  // the generation
	Rules   []byte // compiled, checked against the pointer
	Command string // in the agents' settings, "" when hookctl is in none
	Program string // SHA-256 of the installed program, hex; "" when it is missing
	Source  *Followed
	Contact Contact // with the source
}

// Followed is what the machine follows, as it is shown.
type Followed struct {
	URL        string    `json:"url"`
	Branch     string    `json:"branch"`
	Accepted   Accepted  `json:"accepted"`
	RolledBack *Accepted `json:"rolled_back,omitempty"`
}

// NotInstalledError says that nothing is installed in a home.
type NotInstalledError struct{ Home home.Dir }

func (e *NotInstalledError) Error() string {
	return fmt.Sprintf("hookctl is not installed in %s", e.Home)
}

// Cases are the contract cases of the generation.
func (i Installed) Cases() ([]manifests.Case, error) { return manifests.Cases(i.Bundle) }

// Gates are the compiled gates of the generation.
func (i Installed) Gates() ([]gate.Rule, error) {
	r, err := gate.DecodeRules(i.Rules)
	if err != nil {
		return nil, err
	}
	return r.Gates, nil
}

// Installed reads what runs here.
func (m *Machine) Installed() (Installed, error) {
	p, err := home.ReadPointer(m.Home)
	if os.IsNotExist(err) {
		return Installed{}, &NotInstalledError{Home: m.Home}
	}
	if err != nil {
		return Installed{}, err
	}
	if !install.IsDigest(p.Digest) || !install.IsDigest(p.Rules) {
		return Installed{}, &install.FileError{Path: m.Home.Current(), Err: fmt.Errorf("digest %q, rules %q: not of the form sha256:<64 hex digits>", p.Digest, p.Rules)}
	}
	dir := m.Home.Generation(p.Digest)
	i := Installed{Pointer: p, Bundle: os.DirFS(dir), Program: hashFile(m.Home.Binary())}
	path := filepath.Join(dir, home.RulesFile(p.Rules))
	if i.Rules, err = os.ReadFile(path); err != nil {
		return i, err
	}
	if got := install.Sum(i.Rules); got != p.Rules {
		return i, &install.FileError{Path: path, Err: fmt.Errorf("digest is %s, want %s", got, p.Rules)}
	}
	if i.Command, err = m.Command(); err != nil {
		return i, err
	}
	if t, err := readTrust(m.Home); err == nil {
		i.Source = &Followed{URL: t.Source.URL, Branch: t.Source.Branch, Accepted: t.Accepted, RolledBack: t.RolledBack}
		i.Contact = m.Contact()
	}
	return i, nil
}

// MarshalJSON leaves out what is not for a report.
func (i Installed) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{
		"release": i.Release, "digest": i.Digest, "rules": i.Pointer.Rules, "commit": i.Commit, "command": i.Command,
		"program_sha256": i.Program, "source": i.Source, "contact": i.Contact, "previous": i.Previous,
	})
}

// Floor is what the bundle demands of the machine's own choices.
func (i Installed) Floor() gate.Floor {
	h, err := gate.DecodeHeader(i.Rules)
	if err != nil {
		return gate.Floor{}
	}
	return h.Floor
}
