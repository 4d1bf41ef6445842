package pull

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// Question is what is asked of a machine after a merge: does it run the newest
// release that was fetched, or with one of the fields set, what that names? No
// network is asked.
type Question struct {
	Commit  string // a hash or at least 7 digits of one
	Release int    // 0 = not asked
}

// Answer is yes, no, or that it cannot be told.
type Answer struct {
	Asked string `json:"asked"`
	Is    string `json:"answer"` // yes, no, unknown
	Why   string `json:"why"`
}

// What an [Answer] is.
const (
	Yes     = "yes"
	No      = "no"
	Unknown = "unknown"
)

// Answer tells whether what runs is what is asked for. A machine that follows no
// branch is asked nothing unless something is named; then the answer is nil.
func (m *Machine) Answer(q Question) *Answer {
	t, err := m.followed()
	p := m.running()
	named := q.Commit != "" || q.Release > 0
	asked := "the newest release that was fetched"
	switch {
	case q.Commit != "":
		asked = "commit " + q.Commit
	case q.Release > 0:
		asked = fmt.Sprintf("release %d", q.Release)
	}
	tell := func(is, why string, args ...any) *Answer {
		return &Answer{Asked: asked, Is: is, Why: fmt.Sprintf(why, args...)}
	}
	switch {
	case err != nil && !named:
		return nil
	case p.Digest == "":
		return tell(Unknown, "nothing is installed here")
	case q.Release > 0 && q.Release == p.Release:
		return tell(Yes, "release %d runs", p.Release)
	case q.Release > 0:
		return tell(No, "release %d runs", p.Release)
	case err != nil:
		return tell(Unknown, "%v", err)
	}
	repo, err := source.Open(m.quarantine())
	if err != nil {
		return tell(Unknown, "what was fetched cannot be read (hookctl sync): %v", err)
	}
	defer repo.Close()
	t = t.settled(p.Digest)
	if q.Commit != "" {
		return m.holds(repo, t, strings.ToLower(q.Commit), tell)
	}
	return m.isNewest(repo, t, tell)
}

type teller func(is, why string, args ...any) *Answer

// isNewest compares with the newest release that was fetched, or, when that was
// refused, with the last accepted one.
func (m *Machine) isNewest(repo *source.Repo, t Trust, tell teller) *Answer {
	p, want := m.running(), t.Accepted
	why := ""
	if trust, accepted, err := t.measure(m.Now); err != nil {
		return tell(Unknown, "%v", err)
	} else if v, _, err := bundle.Newest(repo, trust, accepted); err == nil {
		last, _ := receipt.Last(m.Home) // without one, nothing was tried
		if last.Outcome == receipt.OK || last.Bundle != v.Digest() {
			want = Accepted{Commit: v.Commit(), Release: v.Release(), Digest: v.Digest()}
		} else {
			why = fmt.Sprintf("; release %d was fetched and not taken: %s", v.Release(), last.Error)
		}
	} else if !errors.Is(err, bundle.ErrNothingNew) {
		why = "; what was fetched since is refused: " + firstLine(err)
	}
	if p.Digest == want.Digest {
		return tell(Yes, "release %d runs%s", p.Release, why)
	}
	return tell(No, "release %d runs, and release %d is the newest%s", p.Release, want.Release, why)
}

// holds asks whether a commit is in what runs: is it the release's, or in its
// history?
func (m *Machine) holds(repo *source.Repo, t Trust, commit string, tell teller) *Answer {
	p := m.running()
	if p.Commit == "" {
		return tell(Unknown, "release %d, which runs, came from no commit", p.Release)
	}
	c, found, err := repo.Find(commit)
	switch {
	case err != nil:
		return tell(Unknown, "%v", err)
	case !found:
		return tell(Unknown, "no such commit, or more than one, is in what was fetched of branch %s", t.Source.Branch)
	}
	in, err := repo.IsAncestor(c.Hash, p.Commit)
	switch {
	case err != nil:
		return tell(Unknown, "%v", err)
	case c.Hash == p.Commit:
		return tell(Yes, "it is release %d, which runs", p.Release)
	case in:
		return tell(Yes, "it is in release %d, which runs", p.Release)
	}
	return tell(No, "it is not in release %d, which runs", p.Release)
}
