// Package install puts hookctl on a machine and takes it away again: the binary,
// generations in the store, the pointer to the one that runs, and the entries in
// the agents' settings. Each step leaves the old state or the new one, however it
// ends, and running it again repairs. It trusts what it is handed; whether bytes
// may be installed is decided by whoever calls.
package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/gofrs/flock"
)

// homeMode is for hookctl's own folder: the journal in it quotes what agents say.
const homeMode = 0o700

// Held is the lock on a home. Whoever changes settings must hold it.
type Held struct {
	home home.Dir
	lock *flock.Flock
}

// BusyError says that another hookctl held the lock for the whole wait.
type BusyError struct {
	Path   string
	Waited time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("lock %s: another hookctl is still at work after %s", e.Path, e.Waited)
}

// Lock takes the lock of h, which it creates, and waits for it at most so long, or
// until ctx ends. It fails with [*BusyError]. The system frees the lock when the process ends,
// in whatever way. The lock file itself is the one thing that is written beside
// the layer: it holds no data.
func Lock(ctx context.Context, l *files.Layer, h home.Dir, wait time.Duration) (*Held, error) {
	if _, err := l.MkdirAll(string(h), homeMode); err != nil {
		return nil, err
	}
	path := h.Path("lock")
	lock := flock.New(path, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	ok, err := lock.TryLockContext(ctx, 20*time.Millisecond)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !ok {
		return nil, &BusyError{Path: path, Waited: wait}
	}
	return &Held{home: h, lock: lock}, nil
}

// Share marks the home as installed by root for every user of the machine, and
// lets all of them read what the hook needs, whatever root's umask is.
func Share(held *Held, l *files.Layer) error {
	h := held.home
	for _, dir := range []string{string(h), filepath.Dir(h.Binary()), h.Store()} {
		if err := l.Chmod(dir, openMode); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(h.Shared()); err == nil {
		return nil
	}
	return l.WriteFile(h.Shared(), []byte("installed for every user of this machine: what the hook writes for a user is in ~/.hookctl\n"), 0o644)
}

// Release gives the lock back. A second call does nothing.
func (h *Held) Release() { _ = h.lock.Unlock() }

// FileError is an error about the content of one file.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// readBounded reads a file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, &FileError{path, errors.New("is not a regular file")}
	}
	if fi.Size() > limit {
		return nil, &FileError{path, fmt.Errorf("%d bytes, at most %d expected", fi.Size(), limit)}
	}
	return os.ReadFile(path)
}
