package pull

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/manifests"
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
	Cases    int // contract cases that passed, three times each
}

// Newer tells that a release waits.
func (r Report) Newer() bool { return r.To.Digest != r.From.Digest }

// Check fetches and verifies, and changes nothing but the quarantine.
func (m *Machine) Check(ctx context.Context) (Report, error) {
	held, err := install.Lock(m.Files, m.Home, lockWait)
	if err != nil {
		return Report{}, err
	}
	defer held.Release()
	t, err := readTrust(m.Home)
	if err != nil {
		return Report{}, err
	}
	_, rep, err := m.newest(ctx, t)
	return rep, err
}

// Sync brings the newest release of the source onto the machine. On any error
// the generation that ran before runs on.
func (m *Machine) Sync(ctx context.Context) (Report, error) {
	held, err := install.Lock(m.Files, m.Home, lockWait)
	if err != nil {
		return Report{}, err
	}
	defer held.Release()
	t, err := readTrust(m.Home)
	if err != nil {
		return Report{}, err
	}
	v, rep, err := m.newest(ctx, t)
	if err != nil {
		return rep, err
	}
	before := m.running()
	if err := m.adopt(ctx, v, &rep); err != nil {
		return rep, err
	}
	rep.Changed = before.Digest != v.Digest()
	t.Accepted = rep.To
	return rep, m.writeTrust(t)
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
	rep.Head = repo.Head().Hash
	m.step("verify")
	v, sel, err := bundle.Newest(repo, trust, accepted)
	rep.Pending = sel.Pending
	if errors.Is(err, bundle.ErrNothingNew) {
		v, err = m.again(repo, trust, t.Accepted)
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

// adopt makes a verified bundle the one that runs: stage, prove, activate, prove
// through the settings. What ran before comes back when the last proof fails.
func (m *Machine) adopt(ctx context.Context, v bundle.Verified, rep *Report) error {
	compiled, err := v.Compile()
	if err != nil {
		return err
	}
	rules, err := compiled.Encode()
	if err != nil {
		return err
	}
	before := m.running()
	old := m.hashes(before.Digest)
	if before.Digest == v.Digest() {
		if rep.Healed, err = m.differing(v, rules); err != nil {
			return err
		}
		if len(rep.Healed) == 0 && before.Rules == install.Sum(rules) {
			return nil
		}
	}
	m.step("stage %s", short(v.Digest()))
	if err := install.Stage(m.Files, m.Home, v.Digest(), stageable(v), rules); err != nil {
		return err
	}
	cases, err := m.prove(ctx, v, rules)
	if err != nil {
		return err
	}
	next := home.Pointer{Digest: v.Digest(), Rules: install.Sum(rules), Release: v.Release(), Commit: v.Commit()}
	m.step("activate")
	if _, err := install.Activate(m.Files, m.Home, next); err != nil {
		return err
	}
	if err := m.proveAgain(ctx, cases, v.Release()); err != nil {
		return errors.Join(err, m.restore(before))
	}
	rep.Cases = len(cases)
	rep.Files = changes(old, m.hashes(v.Digest()))
	_, err = install.GC(m.Files, m.Home, m.Now)
	return err
}

// proveAgain runs the cases through the settings, when hookctl is registered
// there; before the first registration there is no command to run.
func (m *Machine) proveAgain(ctx context.Context, cases []manifests.Case, release int) error {
	command, err := m.Command()
	if err != nil || command == "" {
		return err
	}
	return m.proveWired(ctx, cases, command, release)
}

// restore brings back the generation that ran before.
func (m *Machine) restore(before home.Pointer) error {
	if before.Digest == "" {
		return m.Files.Remove(m.Home.Current())
	}
	_, err := install.Activate(m.Files, m.Home, before)
	return err
}

// running is the pointer, zero when nothing is installed or it is unreadable.
func (m *Machine) running() home.Pointer {
	p, err := home.ReadPointer(m.Home)
	if err != nil {
		return home.Pointer{}
	}
	return p
}

// differing names the installed files that are not those of v.
func (m *Machine) differing(v bundle.Verified, rules []byte) ([]string, error) {
	problems, err := install.VerifyStore(m.Home, v.Digest(), wanted(v), install.Sum(rules))
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	return paths, err
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

// ReadSigners reads a file of allowed signers and refuses one that holds none.
func ReadSigners(path string) ([]byte, bundle.Signers, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, bundle.Signers{}, err
	}
	s, err := bundle.ParseSigners(b)
	if err == nil && len(s.List()) == 0 {
		err = errors.New(path + " allows no signer")
	}
	return b, s, err
}
