package pull

import (
	"context"
	"errors"
	"os"

	"github.com/agenthooks/hookctl/sync/bundle"
)

// Plan tells what [Machine.Install] would take from the source or the archive that
// o names, fetched and verified as for an installation. It changes nothing, also not
// in the home, and asks nobody: a source whose keys are not given is an
// [UntrustedError]. No case is run: a release that fails one is refused by Install.
func (m *Machine) Plan(ctx context.Context, o Options) (rep Report, err error) {
	dir, err := os.MkdirTemp("", "hookctl-dry-run-")
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	dry := *m
	dry.scratch, o.Ask = dir, nil
	var in Installation
	v, _, err := dry.first(ctx, o, &in)
	if err != nil {
		return in.Report, err
	}
	rules, err := encode(v)
	if err != nil {
		return in.Report, err
	}
	in.Files = changes(m.hashes(m.running()), staged(v, rules))
	if p, ok := v.Binary(bundle.Platform()); ok {
		in.Binary = Change{Path: m.Home.Binary(), Before: hashFile(m.Home.Binary()), After: p.SHA256}
	}
	return in.Report, in.expired
}
