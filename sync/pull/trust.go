package pull

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

const trustSchema = 1

// Trust is trust.json: what this machine takes releases from, and what it took
// last. Install writes it; sync only moves Accepted. config.yaml cannot change it.
type Trust struct {
	Schema    int           `json:"schema"`
	Source    source.Remote `json:"source"`
	Archives  bool          `json:"archives,omitempty"` // instead of a source
	Signers   string        `json:"signers"`            // in the form of OpenSSH's allowed_signers
	Threshold int           `json:"threshold"`
	Accepted  Accepted      `json:"accepted,omitzero"`
	// Activating is a release that was about to be activated and is not proven
	// through the settings yet: there while a sync is at work, and after one that
	// was killed. While it runs, it counts as accepted and is proven again.
	Activating *Accepted `json:"activating,omitempty"`
	// RolledBack is the release that a rollback made run instead of the accepted
	// one. It holds until a release above the accepted one appears.
	RolledBack *Accepted `json:"rolled_back,omitempty"`
}

// runs is the release that should run.
func (t Trust) runs() Accepted {
	if t.RolledBack != nil {
		return *t.RolledBack
	}
	return t.Accepted
}

// accept makes a the release that was accepted last. Bringing back the one that a
// rollback chose accepts nothing new.
func (t *Trust) accept(a Accepted) {
	t.Activating = nil
	if t.RolledBack != nil && t.RolledBack.Digest == a.Digest && a.Digest != t.Accepted.Digest {
		return
	}
	t.Accepted, t.RolledBack = a, nil
}

// Accepted is the release that was activated last. Its number only ever grows.
type Accepted struct {
	Commit  string    `json:"commit"`
	Release int       `json:"release"`
	Digest  string    `json:"digest"`
	At      time.Time `json:"at"`
}

// ErrNoSource says that this machine runs the embedded bundle and follows no
// branch.
var ErrNoSource = errors.New("no source is set: this machine runs the bundle that the program carries")

// TrustError says that trust.json cannot be used. What it pinned is not known,
// so that only an install which names a source and its keys may replace it.
type TrustError struct {
	Path  string
	Newer bool // written by a hookctl that knows more; never replaced
	Err   error
}

func (e *TrustError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *TrustError) Unwrap() error { return e.Err }

func readTrust(d home.Dir) (Trust, error) {
	b, err := os.ReadFile(d.Trust())
	if errors.Is(err, fs.ErrNotExist) {
		return Trust{}, ErrNoSource
	}
	if err != nil {
		return Trust{}, err
	}
	var t Trust
	bad := func(newer bool, err error) (Trust, error) {
		return Trust{}, &TrustError{Path: d.Trust(), Newer: newer, Err: err}
	}
	if err := json.Unmarshal(b, &t); err != nil {
		return bad(false, err)
	}
	if t.Schema != trustSchema {
		return bad(t.Schema > trustSchema, fmt.Errorf("schema %d, want %d", t.Schema, trustSchema))
	}
	if t.Signers == "" || (t.Source.URL == "") != t.Archives {
		return bad(false, errors.New("names no source or no keys"))
	}
	return t, nil
}

// ArchiveError says that this machine takes its releases from archives and
// follows no branch.
type ArchiveError struct{}

func (e *ArchiveError) Error() string {
	return "this machine follows no branch: it takes releases from archives"
}

// writeTrust writes trust.json unless it says the same already.
func (m *Machine) writeTrust(t Trust) error {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if old, err := os.ReadFile(m.Home.Trust()); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return m.Files.WriteFile(m.Home.Trust(), b, 0o600)
}

// unproven reports whether what runs was never proven through the settings: the
// sync that activated it was killed.
func (t Trust) unproven(running string) bool {
	return t.Activating != nil && running != "" && t.Activating.Digest == running
}

// settled is t without a mark of an activation, which is either over or never
// took place. An unproven release that runs counts as accepted: the branch must
// not lead back behind it.
func (t Trust) settled(running string) Trust {
	if t.unproven(running) {
		t.accept(*t.Activating)
	}
	t.Activating = nil
	return t
}

// measure is the trust in the form that bundle.Verify takes.
func (t Trust) measure(now time.Time) (bundle.Trust, bundle.Accepted, error) {
	signers, err := bundle.ParseSigners([]byte(t.Signers))
	if err != nil {
		return bundle.Trust{}, bundle.Accepted{}, err
	}
	bt := bundle.Trust{Signers: signers, Threshold: t.Threshold, Now: now, MinRelease: t.Accepted.Release, LastDigest: t.Accepted.Digest}
	return bt, bundle.Accepted{Commit: t.Accepted.Commit, Release: t.Accepted.Release, LockDigest: t.Accepted.Digest}, nil
}

// pin is what an install with a source makes of what was pinned before. What was
// accepted from another source says nothing about this one.
func (t Trust) pin(r source.Remote, signers []byte) Trust {
	if r.URL != "" { // "" = archives
		r.URL = absolute(r.URL)
	}
	if t.Source != r {
		t.Accepted, t.Activating, t.RolledBack = Accepted{}, nil, nil
	}
	t.Schema, t.Source, t.Archives, t.Signers, t.Threshold = trustSchema, r, r.URL == "", string(signers), max(t.Threshold, 1)
	return t
}

// absolute makes a path that names a repository here independent of the folder
// that the next sync is started in.
func absolute(url string) string {
	for _, path := range []string{url, url + ".git"} {
		if _, err := os.Stat(path); err == nil {
			if abs, err := filepath.Abs(url); err == nil {
				return abs
			}
		}
	}
	return url
}

// ReadSigners reads a file of allowed signers and refuses one that holds none.
func ReadSigners(path string) ([]byte, bundle.Signers, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, bundle.Signers{}, err
	}
	s, err := bundle.ParseSigners(b)
	return b, s, err
}
