package pull

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// NoGenerationError says that a machine cannot go back to a release.
type NoGenerationError struct {
	Release int   // asked for; 0 = the one before
	There   []int // releases that lie in the store
}

func (e *NoGenerationError) Error() string {
	what := "there is no release to go back to"
	if e.Release > 0 {
		what = fmt.Sprintf("release %d is not on this machine", e.Release)
	}
	if len(e.There) == 0 {
		return what
	}
	var list []string
	for _, n := range e.There {
		list = append(list, fmt.Sprint(n))
	}
	return what + "; there are " + strings.Join(list, ", ")
}

// Rollback makes a release that this machine has run before the one that runs:
// release n, or with 0 the one before. Its bytes and signatures are checked, its
// cases were when it came. Nothing is fetched: the program that the release brought
// comes back when it is still here. It holds until a release above the
// accepted one appears, or until that one is chosen again.
func (m *Machine) Rollback(ctx context.Context, n int) (Report, error) {
	if _, err := m.Installed(); errors.As(err, new(*NotInstalledError)) {
		return Report{}, err
	}
	held, err := m.lock(ctx)
	if err != nil {
		return Report{}, err
	}
	defer held.Release()
	r := m.begin(receipt.Rollback)
	var in Installation
	err = m.failed(r, &in, m.goBack(ctx, n, r, &in))
	return in.Report, err
}

func (m *Machine) goBack(ctx context.Context, n int, r *record, in *Installation) (err error) {
	was := m.remember()
	stored, err := readTrust(m.Home)
	if err != nil && !errors.Is(err, ErrNoSource) {
		return err
	}
	follows := err == nil
	t := stored.settled(was.running.Digest)
	in.Source = t.Source
	in.From = Accepted{Commit: was.running.Commit, Release: was.running.Release, Digest: was.running.Digest}
	to, err := m.earlier(n, was.running)
	if err != nil {
		return err
	}
	m.step("verify", "release %d", to.Release)
	v, err := m.stored(t, to)
	if expired, ok := errors.AsType[*bundle.ExpiredError](err); ok {
		in.Notes = append(in.Notes, expired.Error())
		to.At = expired.Expires.Add(-time.Second)
		v, err = m.stored(t, to)
	}
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	to.At = m.Now
	in.To, in.Signers = to, signers(v)
	return m.switchTo(ctx, v, t, follows, was, r, in)
}

// switchTo activates a generation that lies in the store. trust.json comes first:
// a sync that finds only that goes on to the same end.
func (m *Machine) switchTo(ctx context.Context, v bundle.Verified, t Trust, follows bool, was memory, r *record, in *Installation) (err error) {
	key, err := m.key(in)
	if err != nil {
		return err
	}
	in.fromStore = true
	e, err := m.engine(ctx, adoption{bundle: v, trust: &t}, in)
	if err != nil {
		return err
	}
	defer e.close()
	rules, err := m.rules(ctx, v, e)
	if err != nil {
		return err
	}
	old := m.hashes(was.running)
	m.step("stage", "%s", short(v.Digest()))
	if err := install.Stage(m.Files, m.Home, v.Digest(), stageable(v), rules); err != nil {
		return err
	}
	var back undo
	back.add(func() error { return was.restore(m) })
	defer func() {
		if err != nil {
			err = errors.Join(err, back.run())
		}
	}()
	if follows {
		t.RolledBack = &in.To
		if t.Accepted.Digest == in.To.Digest {
			t.RolledBack = nil
		}
		if err := m.writeTrust(t); err != nil {
			return err
		}
	}
	if e.brought {
		if err := m.place(in, e, &back); err != nil {
			return err
		}
	}
	next := home.Pointer{Digest: v.Digest(), Rules: install.Sum(rules), Release: v.Release(), Commit: in.To.Commit}
	m.step("activate", "release %d", v.Release())
	if _, err := install.Activate(m.Files, m.Home, next); err != nil {
		return err
	}
	in.Changed = was.running.Digest != v.Digest()
	in.Files = changes(old, m.hashes(next))
	return m.succeeded(r, in, key)
}

// stored is a release that lies in the store, verified by what is trusted now.
// a.At is the time that its lock must be good at.
func (m *Machine) stored(t Trust, a Accepted) (bundle.Verified, error) {
	if a.Release == 0 {
		v, err := bundle.Embedded()
		if err == nil && v.Digest() != a.Digest {
			err = errors.New("the bundle of another program: install that program again")
		}
		return v, err
	}
	trust, _, err := t.measure(a.At)
	if err != nil {
		return bundle.Verified{}, err
	}
	cand, err := bundle.FromFS(os.DirFS(m.Home.Generation(a.Digest)))
	if err != nil {
		return bundle.Verified{}, err
	}
	cand.Commit, trust.MinRelease, trust.LastDigest = a.Commit, a.Release, a.Digest
	return bundle.Verify(cand, trust)
}

// earlier is release n of those in the store, or for 0 the one before the one
// that runs.
func (m *Machine) earlier(n int, running home.Pointer) (Accepted, error) {
	if p := running.Previous; p != nil && (n == 0 || n == p.Release) && p.Digest != running.Digest {
		return Accepted{Commit: p.Commit, Release: p.Release, Digest: p.Digest, At: m.Now}, nil
	}
	all := m.generations()
	var there []int
	for _, a := range all {
		if a.Digest == running.Digest {
			continue
		}
		if n > 0 && a.Release == n {
			return a, nil
		}
		there = append(there, a.Release)
	}
	slices.Sort(there)
	return Accepted{}, &NoGenerationError{Release: n, There: slices.Compact(there)}
}

// generations are the releases in the store, as their locks say. The commits of
// those that were activated stand in the receipts.
func (m *Machine) generations() []Accepted {
	commits := map[string]string{}
	list, _ := receipt.List(m.Home) // a damaged receipt costs a commit, and verify names it
	for _, r := range list {
		if g := r.Pointer.After; g != nil {
			commits[g.Digest] = g.Commit
		}
	}
	entries, err := os.ReadDir(m.Home.Store())
	if err != nil {
		return nil
	}
	var all []Accepted
	for _, e := range entries {
		digest := "sha256:" + e.Name()
		raw, err := os.ReadFile(m.Home.Path("store", e.Name(), bundle.LockName))
		if err != nil || !install.IsDigest(digest) {
			continue
		}
		if lock, err := bundle.ParseLock(raw); err == nil {
			all = append(all, Accepted{Commit: commits[digest], Release: lock.Release, Digest: digest, At: m.Now})
		}
	}
	return all
}
