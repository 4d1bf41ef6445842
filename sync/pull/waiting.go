package pull

import (
	"context"
	"io/fs"
	"os"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// Waiting is what a sync would bring: the newest release, which is the one that
// runs when nothing is newer.
type Waiting struct {
	Report        // Files, Healed and Settings are what a sync would change
	Changes bool  // a sync would change something
	Before  fs.FS // the generation that runs, as it lies on the disk; nil when there is none
	After   fs.FS // the release, verified
	Rules   []byte
}

// Waiting fetches and verifies as [Machine.Check] does, and tells what a sync
// would change. It changes nothing but the quarantine, and runs no case: a release
// whose cases fail is refused by the sync. Its errors are those of [Machine.Sync].
func (m *Machine) Waiting(ctx context.Context) (Waiting, error) {
	held, t, err := m.following(ctx)
	if err != nil {
		return Waiting{}, err
	}
	defer held.Release()
	was := m.remember()
	v, rep, err := m.newest(ctx, t.settled(m.running().Digest))
	w := Waiting{Report: rep}
	if err != nil {
		return w, err
	}
	w.After = v.FS()
	if w.Rules, err = encode(v); err != nil {
		return w, err
	}
	intact, err := m.intact(v, w.Rules, was, &w.Report)
	if err != nil {
		return w, err
	}
	if w.Settings, err = m.unwired(); err != nil {
		return w, err
	}
	w.Changes = !intact || len(w.Settings) > 0
	w.Files = changes(m.hashes(was.running), staged(v, w.Rules))
	if was.running.Digest != "" {
		w.Before = os.DirFS(m.Home.Generation(was.running.Digest))
	}
	return w, rep.expired
}

// unwired are the changes that a sync would make to the agents' settings.
func (m *Machine) unwired() (all []install.Change, err error) {
	for _, t := range m.registered() {
		c, err := t.Preview()
		if err != nil {
			return nil, err
		}
		if c.Changed() {
			all = append(all, c)
		}
	}
	return all, nil
}

// staged are the SHA-256 of every file that v would have in the store, as hashes
// names them.
func staged(v bundle.Verified, rules []byte) map[string]string {
	out := map[string]string{compiledRules: sumOf(rules)}
	for p, f := range stageable(v) {
		out[p] = sumOf(f.Data)
	}
	return out
}
