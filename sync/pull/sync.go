package pull

import (
	"context"
	"errors"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// lockWait is how long a sync waits for another one on the same home.
const lockWait = 2 * time.Minute

// Report tells what a sync did.
type Report struct {
	Source   source.Remote
	Head     string // the branch's newest commit
	Pending  int    // commits that change the bundle and are in no release
	Changed  bool   // another generation runs now
	Healed   []string
	From, To Accepted
	Signers  []string
	Files    []Change
	Cases    int  // contract cases that passed: in process, as processes, and through the settings
	Wired    bool // hookctl is registered, so that the cases ran through the settings too
	Notes    []string

	expired error
}

// Newer tells that a release waits.
func (r Report) Newer() bool { return r.To.Digest != r.From.Digest }

// Check fetches and verifies, and changes nothing but the quarantine. Its errors
// are those of [Machine.Sync].
func (m *Machine) Check(ctx context.Context) (Report, error) {
	held, t, err := m.following()
	if err != nil {
		return Report{}, err
	}
	defer held.Release()
	_, rep, err := m.newest(ctx, t.settled(m.running().Digest))
	if err == nil {
		err = rep.expired
	}
	return rep, err
}

// Sync brings the newest release of the source onto the machine, or heals the
// one that is there. On any error the generation that ran before runs on.
//
// When nothing is newer and the time of what runs is over, it heals and then
// fails with [bundle.ExpiredError]: a source that holds releases back looks the
// same.
func (m *Machine) Sync(ctx context.Context) (Report, error) {
	held, stored, err := m.following()
	if err != nil {
		return Report{}, err
	}
	defer held.Release()
	t := stored.settled(m.running().Digest)
	v, rep, err := m.newest(ctx, t)
	if err != nil {
		return rep, err
	}
	rep.From = stored.Accepted
	in := Installation{Report: rep}
	// What stands in trust.json until the last proof is what was accepted before.
	t.Accepted = stored.Accepted
	err = m.adopt(ctx, held, adoption{bundle: v, trust: &t}, &in)
	if err == nil {
		err = rep.expired
	}
	return in.Report, err
}

// following locks the home of a machine that follows a source. One that does
// not is left without a trace.
func (m *Machine) following() (*install.Held, Trust, error) {
	if _, err := readTrust(m.Home); err != nil {
		return nil, Trust{}, err
	}
	held, err := install.Lock(m.Files, m.Home, lockWait)
	if err != nil {
		return nil, Trust{}, err
	}
	t, err := readTrust(m.Home) // as the last one has left it
	if err != nil {
		held.Release()
		return nil, Trust{}, err
	}
	return held, t, nil
}

// newest is the release that should run: the newest of the branch, which is the
// accepted one when nothing is newer.
func (m *Machine) newest(ctx context.Context, t Trust) (bundle.Verified, Report, error) {
	rep := Report{Source: t.Source, From: t.Accepted}
	trust, accepted, err := t.measure(m.Now)
	if err != nil {
		return bundle.Verified{}, rep, err
	}
	m.step("fetch %s, branch %s", t.Source.URL, t.Source.Branch)
	repo, err := source.Fetch(ctx, m.Home.Path("cache", "quarantine"), t.Source)
	if err != nil {
		return bundle.Verified{}, rep, err
	}
	defer repo.Close()
	rep.Head = repo.Head().Hash
	m.step("verify")
	v, sel, err := bundle.Newest(repo, trust, accepted)
	rep.Pending = sel.Pending
	if errors.Is(err, bundle.ErrNothingNew) {
		v, err = m.again(repo, trust, t.Accepted)
		if end := v.Expires(); err == nil && !end.IsZero() && !m.Now.Before(end) {
			rep.expired = &bundle.ExpiredError{Expires: end, Now: m.Now}
		}
	}
	if err != nil {
		return v, rep, err
	}
	rep.Signers = v.Signers()
	rep.To = Accepted{Commit: v.Commit(), Release: v.Release(), Digest: v.Digest(), At: m.Now}
	if rep.To.Digest == rep.From.Digest {
		rep.To = rep.From
	}
	return v, rep, nil
}

// again verifies the accepted release once more, so that what is installed can
// be healed from it. That its lock has expired since is no reason to stop it.
func (m *Machine) again(repo *source.Repo, t bundle.Trust, a Accepted) (bundle.Verified, error) {
	c, err := repo.Commit(a.Commit)
	if err != nil {
		return bundle.Verified{}, err
	}
	cand, err := bundle.FromCommit(repo, c)
	if err != nil {
		return bundle.Verified{}, err
	}
	t.Now = a.At
	return bundle.Verify(cand, t)
}

// running is the pointer, zero when nothing is installed, it is unreadable, or
// names what is no generation.
func (m *Machine) running() home.Pointer {
	p, err := home.ReadPointer(m.Home)
	if err != nil || !install.IsDigest(p.Digest) {
		return home.Pointer{}
	}
	return p
}

// stageable are the files of a bundle as they lie in the store: those of the
// lock, the lock and its signatures.
func stageable(v bundle.Verified) map[string]install.File {
	out := map[string]install.File{}
	for p, f := range v.Files() {
		out[p] = install.File{Data: f.Data, Mode: f.Mode}
	}
	out[bundle.LockName] = install.File{Data: v.LockBytes(), Mode: 0o644}
	if sig := v.SigBytes(); len(sig) > 0 {
		out[bundle.SigName] = install.File{Data: sig, Mode: 0o644}
	}
	return out
}

func wanted(v bundle.Verified) map[string]install.Want {
	out := map[string]install.Want{}
	for p, f := range stageable(v) {
		out[p] = install.Want{SHA256: install.Sum(f.Data), Size: int64(len(f.Data)), Exec: f.Mode&0o100 != 0}
	}
	return out
}

// short is a digest cut to what a person compares.
func short(digest string) string {
	const n = len("sha256:") + 12
	return digest[:min(n, len(digest))]
}
