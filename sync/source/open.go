package source

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

// Open is the quarantine as the last fetch left it; nothing is asked of the
// remote. Errors: [os.ErrNotExist] when nothing was ever fetched, [CorruptError],
// [FolderError].
func Open(dir string) (*Repo, error) {
	if _, err := os.Lstat(filepath.Join(dir, marker)); err != nil {
		return nil, err
	}
	r, err := open(dir)
	if err != nil {
		return nil, err
	}
	ref, err := r.s.Reference(incoming)
	switch {
	case errors.Is(err, plumbing.ErrReferenceNotFound):
		err = &os.PathError{Op: "open", Path: filepath.Join(dir, string(incoming)), Err: os.ErrNotExist}
	case err != nil:
		err = &CorruptError{What: string(incoming), Err: err}
	default:
		r.head, err = r.commit(ref.Hash())
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// minPrefix is how much of a commit's hash must be given.
const minPrefix = 7

// Find is the commit in the branch's history whose hash begins with prefix. ok is
// false when there is none, or more than one.
func (r *Repo) Find(prefix string) (c Commit, ok bool, err error) {
	if len(prefix) < minPrefix {
		return Commit{}, false, nil
	}
	err = r.history(r.head.Hash, func(h Commit) bool {
		if len(h.Hash) < len(prefix) || h.Hash[:len(prefix)] != prefix {
			return true
		}
		if ok {
			ok = false
			return false
		}
		c, ok = h, true
		return len(prefix) < len(h.Hash)
	})
	return c, ok && err == nil, err
}
