// Package source reads a Git remote into quarantine: a bare repository of
// hookctl's own that holds one branch with its full history. It promises that
// what it reads is bounded and that every object it hands out has the hash it
// was asked for by. Nothing it returns is trusted: who wrote a commit, and
// whether it may be installed, is for package bundle to say.
//
// It never checks files out, never runs a program and never reads the user's Git
// or ssh configuration. It never asks for anything: what is not known beforehand,
// a host's key or a passphrase, is an error. A credential goes to the host that
// the address names, and into no file, error or printed value.
package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// Limits of one fetch and of what is read from the quarantine. They are far
// above what a repository of hooks needs and low enough that a hostile remote
// fills neither disk nor memory. A repository that holds hookctl itself is the
// largest: a release for six platforms has some 120 MB, packed 50 MB, and a first
// fetch brings all of them.
const (
	MaxPack    = 2 << 30  // bytes of one transfer, packed
	MaxObjects = 1 << 20  // objects of one transfer
	MaxObject  = 64 << 20 // bytes of one object, unpacked
	MaxTotal   = 16 << 30 // bytes of one transfer, unpacked
	MaxEntries = 100_000  // entries of one commit's tree
	MaxDepth   = 64       // folders inside folders

	// Timeout bounds a fetch whose context has no deadline of its own.
	Timeout = 5 * time.Minute
)

// incoming is where the remote's branch is kept. It is set after everything
// that the commit needs is there, and moves wherever the remote moves: whether
// the move is allowed is asked with [Repo.IsAncestor].
const incoming = plumbing.ReferenceName("refs/hookctl/incoming")

// Repo is the quarantine after a fetch. It is for one goroutine.
type Repo struct {
	s    *filesystem.Storage
	dir  string
	head Commit

	maxPack int64 // of one transfer
}

// Commit is one commit, as far as it is of interest here.
type Commit struct {
	Hash    string
	Time    time.Time // the committer's; anyone who writes a commit chooses it
	Parents []string

	tree plumbing.Hash
}

// Head is the remote branch's newest commit.
func (r *Repo) Head() Commit { return r.head }

// Fetch is [FetchWith] and what the process's [Environment] says.
func Fetch(ctx context.Context, dir string, r Remote) (*Repo, error) {
	return FetchWith(ctx, dir, r, Environment(os.Getenv))
}

// FetchWith brings the branch's full history into dir and returns the quarantine
// at its newest commit. dir is made when missing and built anew when it is
// damaged; a folder that holds anything else is refused. Two fetches into one dir
// at the same time are the caller's to prevent. Nothing is ever asked at a
// terminal, and no credential is written anywhere or put into an error.
//
// Errors: [NotFoundError], [BranchError], [URLError], [LimitError],
// [IncompleteError], [CorruptError], [FolderError]; of servers also
// [UnreachableError], [TimeoutError], [AuthError], [TLSError], [RedirectError],
// [ServerError], [HostKeyError], [PassphraseError] and [OptionError]; and
// context.Canceled.
func FetchWith(ctx context.Context, dir string, r Remote, o Options) (*Repo, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, Timeout)
		defer cancel()
	}
	w, err := dial(r, o)
	if err != nil {
		return nil, err
	}
	repo, err := bring(ctx, dir, w, o.packLimit())
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && !is[*TimeoutError](err) {
		err = &TimeoutError{URL: r.Safe(), Err: ctx.Err()}
	}
	return repo, err
}

func bring(ctx context.Context, dir string, w wire, maxPack int64) (*Repo, error) {
	return within(ctx, func() (*Repo, error) {
		defer w.close()
		head, err := w.head(ctx)
		if err != nil {
			return nil, err
		}
		repo, err := open(dir)
		if err != nil {
			return nil, err
		}
		repo.maxPack = maxPack
		err = repo.update(ctx, w, head)
		if damaged(ctx, err) {
			// What was there before may be at fault: once more, from nothing.
			repo.Close()
			if err := wipe(dir); err != nil {
				return nil, err
			}
			if repo, err = open(dir); err != nil {
				return nil, err
			}
			repo.maxPack = maxPack
			err = repo.update(ctx, w, head)
		}
		if err != nil {
			repo.Close()
			return nil, err
		}
		return repo, nil
	})
}

// Close lets go of the quarantine's files. What was read stays good.
func (r *Repo) Close() {
	_ = r.s.Close() // nothing was written through them
}

// spoil forgets the branch when its objects turn out damaged, so that the next
// fetch looks at all of it and builds the quarantine anew. It returns err.
func (r *Repo) spoil(err error) error {
	_, corrupt := errors.AsType[*CorruptError](err)
	_, incomplete := errors.AsType[*IncompleteError](err)
	if corrupt || incomplete {
		_ = r.s.RemoveReference(incoming) // err is what the caller has to hear
	}
	return err
}

// update makes head, and all that it needs, part of the quarantine.
func (r *Repo) update(ctx context.Context, w wire, head plumbing.Hash) error {
	old := plumbing.ZeroHash
	if ref, err := r.s.Reference(incoming); err == nil {
		old = ref.Hash()
	} else if !errors.Is(err, plumbing.ErrReferenceNotFound) {
		return &CorruptError{What: string(incoming), Err: err}
	}
	var haves []plumbing.Hash
	if old != plumbing.ZeroHash {
		if _, err := r.commit(old); err != nil {
			return err
		}
		haves = append(haves, old)
	}
	if old != head {
		if _, err := newObjects(ctx, r.s, head, haves, true); err != nil {
			// Not all there yet, as a rule nothing of it.
			if err := r.transfer(ctx, w, head, haves); err != nil {
				return err
			}
		}
		if err := r.s.SetReference(plumbing.NewHashReference(incoming, head)); err != nil {
			return fmt.Errorf("write %s: %w", incoming, err)
		}
	}
	c, err := r.commit(head)
	if err != nil {
		return err
	}
	r.head = c
	return nil
}

func (r *Repo) transfer(ctx context.Context, w wire, head plumbing.Hash, haves []plumbing.Hash) error {
	pack, err := w.pack(ctx, head, haves)
	if err != nil {
		return err
	}
	defer pack.Close()
	if err := r.receive(ctx, pack); err != nil {
		return err
	}
	_, err = newObjects(ctx, r.s, head, haves, true)
	return err
}

// damaged tells errors that a fresh quarantine may mend from those that it
// cannot.
func damaged(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	if _, ok := errors.AsType[*LimitError](err); ok {
		return false
	}
	_, corrupt := errors.AsType[*CorruptError](err)
	_, incomplete := errors.AsType[*IncompleteError](err)
	return corrupt || incomplete
}

// grace is how long [within] waits for work that was told to stop: what ends by
// itself must not write on in the quarantine of a caller that has gone on.
const grace = time.Second

// within runs f but does not wait for it much longer than ctx: a path on a dead
// network share, or a pipe in place of a file, blocks without end.
func within[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		var res result
		defer func() {
			if p := recover(); p != nil { // a decoder that a hostile remote brought down
				res.err = &CorruptError{What: "what the remote sent", Err: fmt.Errorf("%v", p)}
			}
			done <- res
		}()
		res.v, res.err = f()
	}()
	select {
	case res := <-done:
		return res.v, res.err
	case <-ctx.Done():
	}
	var zero T
	select {
	case res := <-done:
		if res.err == nil {
			return res.v, nil
		}
	case <-time.After(grace):
	}
	return zero, ctx.Err()
}
