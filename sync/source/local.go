package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// localWire reads a repository on this machine in process. go-git's own file
// transport starts a git program, which need not be there, and its server walks
// the whole history for every answer.
type localWire struct {
	url, path string
	branch    plumbing.ReferenceName
	s         *filesystem.Storage
}

func (w *localWire) head(context.Context) (plumbing.Hash, error) {
	dir, err := gitDir(w.path)
	if err != nil {
		return plumbing.ZeroHash, &NotFoundError{URL: w.url, Err: err}
	}
	w.s = filesystem.NewStorageWithOptions(osfs.New(dir), cache.NewObjectLRUDefault(), filesystem.Options{
		KeepDescriptors: true,
		AlternatesFS:    osfs.New(filepath.VolumeName(dir) + string(filepath.Separator)),
	})
	ref, err := storer.ResolveReference(w.s, w.branch)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return plumbing.ZeroHash, &BranchError{URL: w.url, Branch: w.branch.Short()}
	}
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("source %s: %w", w.url, err)
	}
	return ref.Hash(), nil
}

func (w *localWire) pack(ctx context.Context, want plumbing.Hash, haves []plumbing.Hash) (io.ReadCloser, error) {
	known := haves[:0:0]
	for _, h := range haves {
		if w.s.HasEncodedObject(h) == nil {
			known = append(known, h)
		}
	}
	hashes, err := newObjects(ctx, w.s, want, known, false)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w", w.url, err)
	}
	if len(hashes) > MaxObjects {
		return nil, &LimitError{What: "objects", Limit: MaxObjects, Got: int64(len(hashes))}
	}
	for _, h := range hashes {
		n, err := w.size(h)
		if err != nil {
			return nil, fmt.Errorf("source %s: %w", w.url, &IncompleteError{Hash: h.String(), Err: err})
		}
		if n > MaxObject {
			return nil, &LimitError{What: "bytes in one object", Limit: MaxObject, Got: n}
		}
	}
	pr, pw := io.Pipe()
	if len(hashes) == 0 {
		pw.Close()
		return pr, nil
	}
	go func() {
		// Without deltas: looking for them costs more than they save on a disk.
		_, err := packfile.NewEncoder(pw, w.s, false).Encode(hashes, 0)
		pw.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { pr.CloseWithError(ctx.Err()) })
	return closer{pr, stop}, nil
}

// size looks into alternates as well, which EncodedObjectSize does not.
func (w *localWire) size(h plumbing.Hash) (int64, error) {
	n, err := w.s.EncodedObjectSize(h)
	if err == nil {
		return n, nil
	}
	o, err := w.s.EncodedObject(plumbing.AnyObject, h)
	if err != nil {
		return 0, err
	}
	return o.Size(), nil
}

type closer struct {
	*io.PipeReader
	stop func() bool
}

func (c closer) Close() error {
	c.stop()
	return c.PipeReader.Close()
}

func (w *localWire) close() {
	if w.s != nil {
		_ = w.s.Close() // it was only read
	}
}

// gitDir finds the folder that holds a repository's objects and branches: path
// itself when bare, path/.git, or the main repository of a linked worktree or a
// submodule, where .git is a file (gitrepository-layout).
func gitDir(path string) (string, error) {
	for _, p := range []string{path, path + ".git"} {
		dir := filepath.Join(p, ".git")
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.Mode().IsRegular():
			to, err := firstLine(dir)
			if err != nil {
				return "", err
			}
			to, ok := strings.CutPrefix(to, "gitdir: ")
			if !ok {
				return "", fmt.Errorf("%s: no gitdir in it", dir)
			}
			dir = rooted(p, to)
		case err != nil || !info.IsDir():
			dir = p
		}
		if to, err := firstLine(filepath.Join(dir, "commondir")); err == nil {
			dir = rooted(dir, to)
		}
		if isRepository(dir) {
			return dir, nil
		}
	}
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	return "", errors.New("neither bare nor with a .git in it")
}

func isRepository(dir string) bool {
	head, err := os.Stat(filepath.Join(dir, "HEAD"))
	if err != nil || !head.Mode().IsRegular() {
		return false
	}
	objects, err := os.Stat(filepath.Join(dir, "objects"))
	return err == nil && objects.IsDir()
}

// firstLine reads a short file of one line. A pipe or a device is refused: to
// open it could block.
func firstLine(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > 4096 {
		return "", fmt.Errorf("%s: not a short file", name)
	}
	b, err := os.ReadFile(name)
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSuffix(line, "\r"), err
}

func rooted(base, p string) string {
	p = filepath.FromSlash(p)
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(base, p)
}
