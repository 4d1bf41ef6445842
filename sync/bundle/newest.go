package bundle

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/agenthooks/hookctl/sync/source"
)

// MaxWalk bounds how many commits are looked at for a release.
const MaxWalk = 10_000

// Accepted is what this machine took last. The zero value is a first install.
type Accepted struct {
	Commit     string
	Release    int
	LockDigest string
}

// Selection tells how [Newest] came to its answer.
type Selection struct {
	Head    string // the branch's newest commit
	Commit  string // the release's, "" when there is none
	Pending int    // commits above it that change the bundle and are in no release
	Walked  int    // commits looked at
}

// Newest finds the newest commit, along first parents, whose lock matches its
// tree and is signed. A commit that leaves lock and signature as they were and
// does not match is pending and passed over. One that changes or removes either
// and does not verify is refused with the very error of [Verify]: it is not
// passed over for an older release, since that would hide an attack.
//
// Errors besides those: [RewrittenError], [NothingNewError], [NoReleaseError],
// and what reading the quarantine gives. The Selection is never nil.
func Newest(repo *source.Repo, t Trust, a Accepted) (Verified, *Selection, error) {
	s := &search{repo: repo, trust: t.after(a), accepted: a, sel: &Selection{Head: repo.Head().Hash}}
	if err := s.collect(); err != nil {
		return Verified{}, s.sel, err
	}
	v, err := s.run()
	if err != nil {
		return Verified{}, s.sel, err
	}
	s.sel.Commit = v.Commit()
	return v, s.sel, nil
}

// after raises the trust to what was accepted.
func (t Trust) after(a Accepted) Trust {
	if a.Release > t.MinRelease {
		t.MinRelease, t.LastDigest = a.Release, a.LockDigest
	} else if a.Release == t.MinRelease && t.LastDigest == "" {
		t.LastDigest = a.LockDigest
	}
	return t
}

type search struct {
	repo     *source.Repo
	trust    Trust
	accepted Accepted
	sel      *Selection
	chain    []source.Commit // newest first, without what was accepted
	base     []string        // the accepted commit's content, nil without one
}

// content is what of a commit's topmost folder a release is made of: first the
// lock and the signature.
var contentNames = []string{LockName, SigName, Manifest, "gates", "hooks", "cases"}

func (s *search) content(c source.Commit) ([]string, error) {
	return s.repo.Roots(c, contentNames...)
}

// collect lists the commits after the accepted one, and asks for descent.
func (s *search) collect() error {
	head, old := s.repo.Head().Hash, s.accepted.Commit
	if old != "" {
		ok, err := s.repo.IsAncestor(old, head)
		if err != nil {
			return err
		}
		if !ok {
			return &RewrittenError{Old: old, New: head}
		}
		c, err := s.repo.Commit(old)
		if err != nil {
			return err
		}
		if s.base, err = s.content(c); err != nil {
			return err
		}
	}
	chain, err := s.repo.FirstParents(head, old, MaxWalk)
	if err != nil || old == "" {
		s.chain = chain
		return err
	}
	// The accepted commit may have come in by the second parent of a merge:
	// then what is in its history is not new either.
	n := sort.Search(len(chain), func(i int) bool {
		ok, e := s.repo.IsAncestor(chain[i].Hash, old)
		if e != nil {
			err = e
		}
		return ok
	})
	s.chain = chain[:n]
	if n == MaxWalk {
		return errors.Join(err, &LimitError{What: "commits since the accepted release", Limit: MaxWalk, Got: MaxWalk})
	}
	return err
}

func (s *search) run() (Verified, error) {
	back := false // the accepted lock was put back over something else
	failed := map[string]bool{}
	for i, c := range s.chain {
		s.sel.Walked++
		content, changed, err := s.changed(i)
		if err != nil {
			return Verified{}, err
		}
		key := strings.Join(content, "\n")
		if !changed && (failed[key] || content[0] == "" && content[1] == "") {
			s.pending(content)
			continue
		}
		cand, err := FromCommit(s.repo, c)
		if isReadError(err) || err != nil && changed && !back {
			return Verified{}, err
		}
		if err == nil && s.accepted.LockDigest != "" && cand.Lock != nil && Digest(cand.Lock) == s.accepted.LockDigest {
			if changed && !back {
				if _, err := verifySignatures(cand.Lock, cand.Sig, s.trust); err != nil {
					return Verified{}, err
				}
				back = true
			}
			s.pending(content)
			continue
		}
		if back {
			if err := s.supersedes(cand, s.accepted.Release, s.accepted.LockDigest); err != nil {
				return Verified{}, err
			}
			continue
		}
		if err != nil || !changed && !matches(cand) {
			failed[key] = true
			s.pending(content)
			continue
		}
		v, err := Verify(cand, s.trust)
		if err != nil {
			return Verified{}, err
		}
		return v, s.below(i+1, v)
	}
	if s.accepted.Commit == "" {
		return Verified{}, &NoReleaseError{Pending: s.sel.Pending}
	}
	return Verified{}, &NothingNewError{Pending: s.sel.Pending}
}

// pending counts a commit, unless the bundle in it is the accepted one.
func (s *search) pending(content []string) {
	if s.base == nil || !slices.Equal(content[2:], s.base[2:]) {
		s.sel.Pending++
	}
}

// changed tells whether commit i has another lock or signature than its first
// parent.
func (s *search) changed(i int) (content []string, changed bool, err error) {
	c := s.chain[i]
	if content, err = s.content(c); err != nil {
		return nil, false, err
	}
	before := make([]string, len(contentNames))
	if len(c.Parents) > 0 {
		p, err := s.repo.Commit(c.Parents[0])
		if err != nil {
			return nil, false, err
		}
		if before, err = s.content(p); err != nil {
			return nil, false, err
		}
	}
	return content, !slices.Equal(content[:2], before[:2]), nil
}

// matches tells whether the tree is the one that its own lock describes, with the
// programs that lie in it.
func matches(c Candidate) bool {
	lock, err := ParseLock(c.Lock)
	if err != nil {
		return false
	}
	_, err = match(lock, c.Entries)
	return err == nil && c.carries(lock) == nil
}

// below looks at the releases that v comes after on the branch. A branch that
// went 3, 5, 4 is refused by a machine that has seen 5; one that has not must not
// be led to 4.
func (s *search) below(from int, v Verified) error {
	for i := from; i < len(s.chain); i++ {
		_, changed, err := s.changed(i)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		cand, err := FromCommit(s.repo, s.chain[i])
		if isReadError(err) {
			return err
		}
		if err != nil {
			continue // it is not what will run
		}
		if err := s.supersedes(cand, v.Release(), v.Digest()); err != nil {
			return err
		}
	}
	return nil
}

// supersedes is an error when c, which lies under a release, carries a signed
// lock that the release must not stand on.
func (s *search) supersedes(c Candidate, release int, digest string) error {
	lock, ok := s.signedLock(c)
	if !ok || Digest(c.Lock) == digest {
		return nil
	}
	switch {
	case lock.Release > release:
		return &RollbackError{Got: release, Have: lock.Release}
	case lock.Release == release:
		return &SameReleaseError{Release: release, Got: digest, Have: Digest(c.Lock)}
	}
	return nil
}

// signedLock is c's lock, if it ever was a release.
func (s *search) signedLock(c Candidate) (Lock, bool) {
	if _, err := verifySignatures(c.Lock, c.Sig, s.trust); err != nil {
		return Lock{}, false
	}
	lock, err := ParseLock(c.Lock)
	return lock, err == nil
}

// isReadError tells a quarantine that cannot be read from a lock that is not a
// file or too large.
func isReadError(err error) bool {
	if err == nil {
		return false
	}
	_, kind := errors.AsType[*KindError](err)
	_, limit := errors.AsType[*LimitError](err)
	return !kind && !limit
}
