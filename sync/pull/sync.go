package pull

import (
	"context"
	"errors"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// lockWait is how long a sync waits for another one on the same home.
const lockWait = 2 * time.Minute

// lock takes the home. A person hears when another hookctl has it.
func (m *Machine) lock(ctx context.Context) (*install.Held, error) {
	held, err := install.Lock(ctx, m.Files, m.Home, 50*time.Millisecond)
	if errors.As(err, new(*BusyError)) {
		m.step("wait", "for another hookctl that is at work on %s", m.Home)
		held, err = install.Lock(ctx, m.Files, m.Home, lockWait)
	}
	return held, err
}

// Check fetches and verifies, and changes nothing but the quarantine. Its errors
// are those of [Machine.Sync].
func (m *Machine) Check(ctx context.Context) (Report, error) {
	held, t, err := m.following(ctx)
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
// one that is there. On any error the generation that ran before runs on. A
// receipt tells either, unless it would repeat the last.
//
// When nothing is newer and the time of what runs is over, it heals and then
// fails with [bundle.ExpiredError]: a source that holds releases back looks the
// same.
func (m *Machine) Sync(ctx context.Context) (Report, error) {
	held, stored, err := m.following(ctx)
	if err != nil {
		return Report{}, err
	}
	defer held.Release()
	r := m.begin(receipt.Sync)
	var in Installation
	if err := m.failed(r, &in, m.bring(ctx, held, stored, r, &in)); err != nil {
		return in.Report, err
	}
	m.settle(in.Report)
	return in.Report, in.expired
}

func (m *Machine) bring(ctx context.Context, held *install.Held, stored Trust, r *record, in *Installation) (err error) {
	t := stored.settled(m.running().Digest)
	v, rep, err := m.newest(ctx, t)
	in.Report = rep
	if err != nil {
		return err
	}
	in.From = stored.runs()
	// What stands in trust.json until the last proof is what was accepted before.
	t.Accepted, t.RolledBack = stored.Accepted, stored.RolledBack
	return m.adopt(ctx, held, adoption{bundle: v, trust: &t, targets: m.registered(), record: r}, in)
}

// following locks the home of a machine that follows a source. One that does
// not is left without a trace.
func (m *Machine) following(ctx context.Context) (*install.Held, Trust, error) {
	if _, err := m.followed(); err != nil {
		return nil, Trust{}, err
	}
	held, err := m.lock(ctx)
	if err != nil {
		return nil, Trust{}, err
	}
	t, err := m.followed() // as the last one has left it
	if err != nil {
		held.Release()
		return nil, Trust{}, err
	}
	return held, t, nil
}

func (m *Machine) followed() (Trust, error) {
	t, err := readTrust(m.Home)
	if err == nil && t.Source.URL == "" {
		err = &ArchiveError{}
	}
	return t, err
}

// newest is the release that should run: the newest of the branch; when nothing
// is newer than what was accepted, that one or the one that a rollback chose.
func (m *Machine) newest(ctx context.Context, t Trust) (bundle.Verified, Report, error) {
	repo, err := m.fetch(ctx, t.Source)
	if err != nil {
		return bundle.Verified{}, Report{Source: t.Source, From: t.runs()}, err
	}
	defer repo.Close()
	return m.pick(ctx, repo, t)
}

func (m *Machine) fetch(ctx context.Context, r source.Remote) (*source.Repo, error) {
	m.step("fetch", "%s, branch %s", r.Safe(), r.Branch)
	repo, err := source.Fetch(ctx, m.quarantine(), r)
	m.reached(err)
	return repo, err
}

func (m *Machine) quarantine() string {
	if m.scratch != "" {
		return m.scratch
	}
	return m.Home.Path("cache", "quarantine")
}

// pick is the release that should run, of what was fetched.
func (m *Machine) pick(ctx context.Context, repo *source.Repo, t Trust) (bundle.Verified, Report, error) {
	rep := Report{Source: t.Source, From: t.runs()}
	trust, accepted, err := t.measure(m.Now)
	if err != nil {
		return bundle.Verified{}, rep, err
	}
	rep.Head = repo.Head().Hash
	m.step("verify", "")
	v, err := m.choose(repo, t, trust, accepted, &rep)
	if err != nil {
		return v, rep, err
	}
	rep.Signers = signers(v)
	rep.To = Accepted{Commit: v.Commit(), Release: v.Release(), Digest: v.Digest(), At: m.Now}
	if rep.To.Digest == rep.From.Digest {
		rep.To = rep.From
	}
	if err := m.protected(ctx, v, &rep); err != nil {
		return v, rep, err
	}
	err = m.look(v, &rep)
	return v, rep, err
}

// choose finds the release that should run. In a branch that has not moved since
// the last sync that is the one in the store, as long as it is intact there.
func (m *Machine) choose(repo *source.Repo, t Trust, trust bundle.Trust, accepted bundle.Accepted, rep *Report) (v bundle.Verified, err error) {
	pending, nothingNew := m.settled(rep.Head)
	if rep.Pending = pending; nothingNew {
		v, err = m.stored(t, t.runs())
	}
	// A program can be brought back from the repository only.
	want, listed := v.Binary(bundle.Platform())
	if !nothingNew || err != nil || listed && want.SHA256 != hashFile(m.Home.Binary()) {
		var sel *bundle.Selection
		v, sel, err = bundle.Newest(repo, trust, accepted)
		rep.Pending = sel.Pending
		if nothingNew = errors.Is(err, bundle.ErrNothingNew); nothingNew {
			v, err = m.again(repo, t, trust)
		}
	}
	if nothingNew && err == nil {
		rep.RolledBack = t.RolledBack != nil
		if end := v.Expires(); !end.IsZero() && !m.Now.Before(end) {
			rep.expired = &bundle.ExpiredError{Expires: end, Now: m.Now}
		}
	}
	return v, err
}

// again verifies a release that this machine has accepted once more, so that what
// is installed can be healed from it. That its lock has expired since is no
// reason to stop it, and that it is not the highest was decided by a rollback.
func (m *Machine) again(repo *source.Repo, t Trust, trust bundle.Trust) (bundle.Verified, error) {
	a := t.runs()
	if a.Commit == "" { // by a rollback, to what came from an archive or with the program
		return m.stored(t, a)
	}
	c, err := repo.Commit(a.Commit)
	if err != nil {
		return bundle.Verified{}, err
	}
	cand, err := bundle.FromCommit(repo, c)
	if err != nil {
		return bundle.Verified{}, err
	}
	trust.Now, trust.MinRelease, trust.LastDigest = a.At, a.Release, a.Digest
	return bundle.Verify(cand, trust)
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
