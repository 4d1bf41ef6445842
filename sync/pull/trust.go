package pull

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	Signers   string        `json:"signers"` // in the form of OpenSSH's allowed_signers
	Threshold int           `json:"threshold"`
	Accepted  Accepted      `json:"accepted,omitzero"`
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

func readTrust(d home.Dir) (Trust, error) {
	b, err := os.ReadFile(d.Trust())
	if errors.Is(err, fs.ErrNotExist) {
		return Trust{}, ErrNoSource
	}
	if err != nil {
		return Trust{}, err
	}
	var t Trust
	if err := json.Unmarshal(b, &t); err != nil {
		return Trust{}, fmt.Errorf("%s: %w", d.Trust(), err)
	}
	if t.Schema != trustSchema {
		return Trust{}, fmt.Errorf("%s: schema %d, want %d", d.Trust(), t.Schema, trustSchema)
	}
	return t, nil
}

func (m *Machine) writeTrust(t Trust) error {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	return m.Files.WriteFile(m.Home.Trust(), append(b, '\n'), 0o600)
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
