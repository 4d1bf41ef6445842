// Package files is the one layer under every write of install and sync. A file
// is replaced whole by a rename within its folder, or not at all: whatever fails
// or is killed, the old bytes or the new ones are there. Links are followed
// first, so that a linked settings file stays a link. It keeps no lock and knows
// nothing of what it writes.
package files

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Kind names one operation on the file system.
type Kind string

// The operations, as [Layer.Before] hears of them. WriteFile is create, write,
// chmod, [chown], sync, rename, syncdir.
const (
	Create  Kind = "create"
	Write   Kind = "write"
	Chmod   Kind = "chmod"
	Chown   Kind = "chown"
	Sync    Kind = "sync"
	Rename  Kind = "rename"
	SyncDir Kind = "syncdir"
	Mkdir   Kind = "mkdir"
	Remove  Kind = "remove"
)

// Op is one operation that is about to happen.
type Op struct {
	Kind Kind
	Path string // what changes; for a rename the new name
}

// Layer carries the writes. The zero value and nil both work.
type Layer struct {
	// Before hears of each operation before it happens; an error stops it and
	// is returned as if the operation had failed. nil means none. It is here so
	// that a test can fail or kill at each operation.
	Before func(Op) error
}

// tempPrefix and tempSuffix frame the names of unfinished files and folders.
const (
	tempPrefix = ".hookctl-"
	tempSuffix = ".tmp"
)

// worldWrite is the bit that nothing made here ever has: a hook that anyone can
// write is a hole.
const worldWrite fs.FileMode = 0o002

// ErrChanged says that the file is not what the caller had read: another writer
// came between. Read again and retry.
var ErrChanged = errors.New("changed by another program meanwhile")

// ReadOnlyError says that the file's mode does not let the caller write it. A
// rename could replace it all the same, but somebody meant it to stay. Root may
// write any file, here as everywhere.
type ReadOnlyError struct{ Path string }

func (e *ReadOnlyError) Error() string {
	return "write " + e.Path + ": permission denied: the file is read-only"
}

// Unwrap makes it a [fs.ErrPermission].
func (e *ReadOnlyError) Unwrap() error { return fs.ErrPermission }

func (l *Layer) before(k Kind, path string) error {
	if l == nil || l.Before == nil {
		return nil
	}
	return l.Before(Op{k, path})
}

// WriteFile replaces path, or the file that path links to, by data. The mode is
// set whatever the umask, less the world's write bit. An existing file keeps its
// owner where the caller is root. The folder must exist.
func (l *Layer) WriteFile(path string, data []byte, mode fs.FileMode) error {
	return l.write(path, data, mode, nil)
}

// WriteFileIfUnchanged replaces old by data. It reads the file again at the last
// moment and returns [ErrChanged] when the bytes are not old (nil: there must be
// no file). An existing file keeps its mode and, for root, its owner; mode is
// for a new one. A file that the caller may not write is refused with
// [ReadOnlyError], though its folder would allow the rename.
func (l *Layer) WriteFileIfUnchanged(path string, old, data []byte, mode fs.FileMode) error {
	target, err := ResolveTarget(path)
	if err != nil {
		return err
	}
	if fi, err := os.Lstat(target); err == nil {
		if !mayWrite(target, fi) {
			return &ReadOnlyError{Path: target}
		}
		mode = fi.Mode().Perm()
	}
	return l.write(target, data, mode, func() error { return unchanged(target, old) })
}

// RemoveIfUnchanged removes the file that path names or links to when its bytes
// are still old, and returns [ErrChanged] when they are not. A link stays.
func (l *Layer) RemoveIfUnchanged(path string, old []byte) error {
	target, err := ResolveTarget(path)
	if err != nil {
		return err
	}
	if err := unchanged(target, old); err != nil {
		return err
	}
	return l.Remove(target)
}

func unchanged(path string, old []byte) error {
	now, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if old == nil {
			return nil
		}
	case err != nil:
		return err
	case old != nil && bytes.Equal(now, old):
		return nil
	}
	return fmt.Errorf("%s: %w", path, ErrChanged)
}

// write puts data into a temporary file beside the target and renames it over.
// last, when not nil, has the last word before the rename.
func (l *Layer) write(path string, data []byte, mode fs.FileMode, last func() error) (err error) {
	target, err := ResolveTarget(path)
	if err != nil {
		return err
	}
	old, err := os.Lstat(target)
	if err == nil && !old.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: target, Err: errors.New("is not a regular file")}
	}
	dir := filepath.Dir(target)
	temp := filepath.Join(dir, TempName())
	if err := l.before(Create, temp); err != nil {
		return err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp) // not announced: it must also happen when the test's Before says no
		}
	}()
	if err := l.fill(f, temp, data, mode, old); err != nil {
		return err
	}
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	if err := l.before(Rename, target); err != nil {
		return err
	}
	if err := replace(temp, target); err != nil {
		return err
	}
	// The new bytes are in place; a failing flush of the folder must not make
	// the caller believe that they are not.
	if l.before(SyncDir, dir) == nil {
		syncDir(dir)
	}
	return nil
}

func (l *Layer) fill(f *os.File, temp string, data []byte, mode fs.FileMode, old fs.FileInfo) error {
	if err := l.before(Write, temp); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if old != nil && ownerDiffers(old) {
		if err := l.before(Chown, temp); err != nil {
			return err
		}
		if err := chownLike(f, old); err != nil {
			return err
		}
	}
	if err := l.before(Chmod, temp); err != nil {
		return err
	}
	if err := f.Chmod(mode.Perm() &^ worldWrite); err != nil {
		return err
	}
	if err := l.before(Sync, temp); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// MkdirAll makes path and its missing parents, each with mode whatever the
// umask, and returns those it made, outermost first, also beside an error. A
// dangling link on the way is followed.
func (l *Layer) MkdirAll(path string, mode fs.FileMode) (made []string, err error) {
	target, err := ResolveTarget(path)
	if err != nil {
		return nil, err
	}
	if fi, err := os.Stat(target); err == nil {
		if !fi.IsDir() {
			return nil, &fs.PathError{Op: "mkdir", Path: target, Err: errors.New("is not a folder")}
		}
		return nil, nil
	}
	if parent := filepath.Dir(target); parent != target {
		if made, err = l.MkdirAll(parent, mode); err != nil {
			return made, err
		}
	}
	if err := l.before(Mkdir, target); err != nil {
		return made, err
	}
	if err := os.Mkdir(target, mode.Perm()&^worldWrite); err != nil {
		if errors.Is(err, fs.ErrExist) { // another program was faster
			return made, nil
		}
		return made, err
	}
	made = append(made, target)
	return made, os.Chmod(target, mode.Perm()&^worldWrite)
}

// Rename moves from to to, in one step, and flushes the folder.
func (l *Layer) Rename(from, to string) error {
	if err := l.before(Rename, to); err != nil {
		return err
	}
	if err := replace(from, to); err != nil {
		return err
	}
	syncDir(filepath.Dir(to))
	return nil
}

// Remove removes one file, link or empty folder.
func (l *Layer) Remove(path string) error {
	if err := l.before(Remove, path); err != nil {
		return err
	}
	return os.Remove(path)
}

// Chmod sets the mode, less the world's write bit.
func (l *Layer) Chmod(path string, mode fs.FileMode) error {
	if err := l.before(Chmod, path); err != nil {
		return err
	}
	return os.Chmod(path, mode.Perm()&^worldWrite)
}

// RemoveAll removes a tree, read-only folders in it included. It follows no
// link. A missing path is no error.
func (l *Layer) RemoveAll(path string) error {
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if fi.IsDir() {
		if fi.Mode().Perm()&0o700 != 0o700 {
			if err := l.Chmod(path, 0o700); err != nil {
				return err
			}
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := l.RemoveAll(filepath.Join(path, e.Name())); err != nil {
				return err
			}
		}
	} else if err := makeRemovable(path, fi); err != nil {
		return err
	}
	if err := l.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// TempName is a fresh name for something unfinished.
func TempName() string {
	var b [8]byte
	rand.Read(b[:]) // never fails: the program would have crashed
	return tempPrefix + hex.EncodeToString(b[:]) + tempSuffix
}

// IsTemp reports whether the last element of path is a name of [TempName].
func IsTemp(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// Create makes a new file that nobody looks at yet, in a folder that is renamed
// into place later: no temporary name and no flush of its own ([Layer.SyncTree]
// does that for all at once).
func (l *Layer) Create(path string, data []byte, mode fs.FileMode) error {
	if err := l.before(Create, path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Chmod(mode.Perm()&^worldWrite), f.Close())
}

// syncers is how many files are flushed at once: a disk that commits in groups
// takes sixteen in hardly more time than one.
const syncers = 16

// SyncTree flushes every file and folder below dir to the disk.
func (l *Layer) SyncTree(dir string) error {
	if err := l.before(Sync, dir); err != nil {
		return err
	}
	paths := make(chan string)
	errs := make([]error, syncers)
	var wg sync.WaitGroup
	for i := range syncers {
		wg.Go(func() {
			for path := range paths {
				errs[i] = errors.Join(errs[i], syncFile(path))
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			syncDir(path)
		case e.Type().IsRegular():
			paths <- path
		}
		return nil
	})
	close(paths)
	wg.Wait()
	return errors.Join(errors.Join(errs...), err)
}
