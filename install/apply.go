package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agenthooks/hookctl/install/files"
)

// maxTries bounds how often a settings file is read anew because another
// program changed it in between.
const maxTries = 20

// staleTemp is the age from which an unfinished file beside the settings must be
// a dead process's.
const staleTemp = time.Minute

// Apply registers hookctl in t's file: everything that was there stays, a missing
// file is created. How to take it back is written down first. A file that
// another program changes meanwhile is read again. On an error nothing has
// changed; a file that is not understood fails with [*FileError], one that may
// not be written with an [fs.ErrPermission].
func Apply(held *Held, l *files.Layer, t Target) (Change, error) {
	var c Change
	err := retry(func() (err error) {
		if c, err = t.Preview(); err != nil {
			return err
		}
		return apply(held, l, t, c)
	})
	if err != nil {
		return Change{}, err
	}
	return c, nil
}

func apply(held *Held, l *files.Layer, t Target, c Change) (err error) {
	before, err := loadRecord(held.home)
	if err != nil {
		return err
	}
	dirs, err := missingDirs(c.Path)
	if err != nil {
		return err
	}
	f, err := before.next(t, c, dirs, time.Now())
	if err != nil {
		return err
	}
	if err := before.with(f).save(l, held.home); err != nil {
		return err
	}
	if !c.Changed() {
		return nil
	}
	defer func() {
		if err != nil { // as far as it goes: an old record and no empty folders
			removeDirs(l, dirs)
			err = errors.Join(err, before.save(l, held.home))
		}
	}()
	target, err := files.ResolveTarget(c.Path)
	if err != nil {
		return err
	}
	dir := filepath.Dir(target)
	if _, err := l.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := l.Sweep(dir, time.Now().Add(-staleTemp)); err != nil {
		return err
	}
	return l.WriteFileIfUnchanged(c.Path, c.Before, c.After, 0o644)
}

// retry runs try again while it fails because a file was changed meanwhile.
func retry(try func() error) error {
	for n := 1; ; n++ {
		err := try()
		if n == maxTries || !errors.Is(err, files.ErrChanged) {
			return err
		}
		time.Sleep(time.Duration(n) * 5 * time.Millisecond)
	}
}

// removeDirs removes those of dirs that are empty, innermost first, and returns
// them.
func removeDirs(l *files.Layer, dirs []string) []string {
	var gone []string
	for _, dir := range slices.Backward(dirs) {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) || len(entries) > 0 {
			break
		}
		if err == nil && l.Remove(dir) == nil {
			gone = append(gone, dir)
		}
	}
	return gone
}
