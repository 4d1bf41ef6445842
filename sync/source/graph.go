package source

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// FirstParents returns the commits from from down to stop, both included,
// newest first, along first parents. It ends at the first commit of all when
// stop is not on the way (or is ""), and after limit commits.
func (r *Repo) FirstParents(from, stop string, limit int) ([]Commit, error) {
	var list []Commit
	for next := from; len(list) < limit; {
		h, err := parseHash(next)
		if err != nil {
			return nil, err
		}
		c, err := r.commit(h)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
		if c.Hash == stop || len(c.Parents) == 0 {
			break
		}
		next = c.Parents[0]
	}
	return list, nil
}

// IsAncestor tells whether ancestor is of itself or in its history. The history
// is whole, so a commit that is not in the quarantine is none. Both a diverged
// and a rewound branch are seen by asking whether the old head is an ancestor of
// the new one.
func (r *Repo) IsAncestor(ancestor, of string) (bool, error) {
	if _, err := parseHash(ancestor); err != nil {
		return false, err
	}
	found := false
	err := r.history(of, func(c Commit) bool {
		found = c.Hash == ancestor
		return !found
	})
	return found, err
}

// history hands out a commit and all that it descends from, each once, until
// visit returns false.
func (r *Repo) history(from string, visit func(Commit) bool) error {
	h, err := parseHash(from)
	if err != nil {
		return err
	}
	seen := map[plumbing.Hash]bool{h: true}
	for queue := []plumbing.Hash{h}; len(queue) > 0; queue = queue[1:] {
		c, err := r.commit(queue[0])
		if err != nil || !visit(c) {
			return err
		}
		for _, p := range c.Parents {
			if p := plumbing.NewHash(p); !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return nil
}

func (r *Repo) commit(h plumbing.Hash) (Commit, error) {
	c, err := readCommit(r.s, h)
	return c, r.spoil(err)
}

func parseHash(s string) (plumbing.Hash, error) {
	if !plumbing.IsHash(s) || len(s) != 40 {
		return plumbing.ZeroHash, fmt.Errorf("%q is not a commit's hash", s)
	}
	return plumbing.NewHash(s), nil
}

func readCommit(s storer.EncodedObjectStorer, h plumbing.Hash) (Commit, error) {
	b, err := read(s, plumbing.CommitObject, h)
	if err != nil {
		return Commit{}, err
	}
	o := &plumbing.MemoryObject{}
	o.SetType(plumbing.CommitObject)
	o.Write(b) //nolint:errcheck // to memory
	var c object.Commit
	if err := c.Decode(o); err != nil {
		return Commit{}, &CorruptError{What: "commit " + h.String(), Err: err}
	}
	out := Commit{Hash: h.String(), Time: c.Committer.When, tree: c.TreeHash}
	for _, p := range c.ParentHashes {
		out.Parents = append(out.Parents, p.String())
	}
	return out, nil
}

// read returns an object whose bytes have been hashed: a damaged or forged
// object file cannot stand in for another.
func read(s storer.EncodedObjectStorer, t plumbing.ObjectType, h plumbing.Hash) ([]byte, error) {
	o, err := s.EncodedObject(plumbing.AnyObject, h)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, &IncompleteError{Hash: h.String(), Err: err}
	}
	what := t.String() + " " + h.String()
	if err != nil {
		return nil, &CorruptError{What: what, Err: err}
	}
	if o.Type() != t {
		return nil, &CorruptError{What: what, Err: fmt.Errorf("it is a %s", o.Type())}
	}
	if o.Size() > MaxObject {
		return nil, &LimitError{What: "bytes in one object", Limit: MaxObject, Got: o.Size()}
	}
	rc, err := o.Reader()
	if err != nil {
		return nil, &CorruptError{What: what, Err: err}
	}
	defer rc.Close()
	b, err := io.ReadAll(io.LimitReader(rc, MaxObject+1))
	if err != nil {
		return nil, &CorruptError{What: what, Err: err}
	}
	if got := plumbing.ComputeHash(t, b); got != h {
		return nil, &CorruptError{What: what, Err: fmt.Errorf("its bytes have the hash %s", got)}
	}
	return b, nil
}

// newObjects lists what want needs and the histories of haves do not hold. It
// may list a little more than that, never less, and fails when something is not
// there; with blobs it also looks whether each file is.
func newObjects(ctx context.Context, s storer.EncodedObjectStorer, want plumbing.Hash, haves []plumbing.Hash, blobs bool) ([]plumbing.Hash, error) {
	fresh, edge, err := newCommits(ctx, s, want, haves)
	if err != nil {
		return nil, err
	}
	w := walk{s: s, blobs: blobs, seen: map[plumbing.Hash]bool{}}
	for _, c := range edge {
		if err := w.add(ctx, c.tree, 0); err != nil {
			return nil, err
		}
	}
	w.found = nil // what the other side has already
	for _, c := range fresh {
		w.found = append(w.found, plumbing.NewHash(c.Hash))
		if err := w.add(ctx, c.tree, 0); err != nil {
			return nil, err
		}
	}
	return w.found, nil
}

type walk struct {
	s     storer.EncodedObjectStorer
	blobs bool
	seen  map[plumbing.Hash]bool
	found []plumbing.Hash
}

func (w *walk) add(ctx context.Context, tree plumbing.Hash, depth int) error {
	if w.seen[tree] {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if depth > MaxDepth {
		return &LimitError{What: "folders inside folders", Limit: MaxDepth, Got: int64(depth)}
	}
	if len(w.seen) > 4*MaxObjects {
		return &LimitError{What: "objects", Limit: 4 * MaxObjects, Got: int64(len(w.seen))}
	}
	w.seen[tree] = true
	w.found = append(w.found, tree)
	rows, err := readTree(w.s, tree)
	if err != nil {
		return err
	}
	for _, row := range rows {
		switch {
		case row.dir:
			if err := w.add(ctx, row.hash, depth+1); err != nil {
				return err
			}
		case row.kind == Submodule || w.seen[row.hash]:
		default:
			w.seen[row.hash] = true
			w.found = append(w.found, row.hash)
			if w.blobs && w.s.HasEncodedObject(row.hash) != nil {
				return &IncompleteError{Hash: row.hash.String(), Err: plumbing.ErrObjectNotFound}
			}
		}
	}
	return nil
}

// newCommits walks from want and from haves at once, youngest commit first, and
// stops when nothing is left that only want reaches: a sync with one new commit
// reads a handful of commits, not the history. edge are the old commits that
// fresh ones stand on. A commit that lies about its time costs work, not
// correctness.
func newCommits(ctx context.Context, s storer.EncodedObjectStorer, want plumbing.Hash, haves []plumbing.Hash) (fresh, edge []Commit, err error) {
	old := map[plumbing.Hash]bool{}
	at := map[plumbing.Hash]Commit{}
	var q byTime
	open := 0 // commits in q that are not known to be old
	push := func(h plumbing.Hash, isOld bool) error {
		if _, ok := at[h]; ok {
			if isOld && !old[h] {
				old[h] = true
				if q.holds(h) {
					open--
				}
			}
			return nil
		}
		c, err := readCommit(s, h)
		if err != nil {
			return err
		}
		at[h], old[h] = c, isOld
		heap.Push(&q, queued{h, c.Time})
		if !isOld {
			open++
		}
		return nil
	}
	for _, h := range haves {
		if err := push(h, true); err != nil {
			return nil, nil, err
		}
	}
	if err := push(want, false); err != nil {
		return nil, nil, err
	}
	var order []plumbing.Hash
	for open > 0 {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if len(at) > MaxObjects {
			return nil, nil, &LimitError{What: "commits", Limit: MaxObjects, Got: int64(len(at))}
		}
		h := heap.Pop(&q).(queued).hash
		if !old[h] {
			open--
			order = append(order, h)
		}
		for _, p := range at[h].Parents {
			if err := push(plumbing.NewHash(p), old[h]); err != nil {
				return nil, nil, err
			}
		}
	}
	onEdge := map[plumbing.Hash]bool{}
	for _, h := range order {
		if old[h] {
			continue
		}
		fresh = append(fresh, at[h])
		for _, p := range at[h].Parents {
			if p := plumbing.NewHash(p); old[p] && !onEdge[p] {
				onEdge[p] = true
				edge = append(edge, at[p])
			}
		}
	}
	return fresh, edge, nil
}

type queued struct {
	hash plumbing.Hash
	time time.Time
}

// byTime is a heap, youngest first.
type byTime []queued

func (q byTime) Len() int           { return len(q) }
func (q byTime) Less(i, j int) bool { return q[i].time.After(q[j].time) }
func (q byTime) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byTime) Push(x any)        { *q = append(*q, x.(queued)) }
func (q *byTime) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

func (q byTime) holds(h plumbing.Hash) bool {
	for _, x := range q {
		if x.hash == h {
			return true
		}
	}
	return false
}
