package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/install/settings"
)

// PreviewUninstall says what Uninstall would do, and does nothing.
func PreviewUninstall(h home.Dir, targets []Target) ([]Change, error) {
	r, err := loadRecord(h)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, path := range r.paths(targets) {
		f, _ := r.find(path)
		c, err := takeBack(path, f)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// Uninstall takes hookctl out of the targets' files and out of every other file
// that install wrote down for the same agents. A file that nobody else has
// changed since gets its bytes from before install back, or goes, with the
// folders that install made for it; from any other exactly our entries go. It
// works without a record as well. Changes made before an error are returned
// beside it.
func Uninstall(held *Held, l *files.Layer, targets []Target) ([]Change, error) {
	r, err := loadRecord(held.home)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, path := range r.paths(targets) {
		c, err := takeOut(l, r, path)
		if err != nil {
			return changes, err
		}
		changes = append(changes, c)
		r = r.without(path)
		if err := r.save(l, held.home); err != nil {
			return changes, err
		}
	}
	return changes, nil
}

// takeOut takes hookctl out of one file.
func takeOut(l *files.Layer, r record, path string) (Change, error) {
	f, _ := r.find(path)
	var c Change
	err := retry(func() (err error) {
		if c, err = takeBack(path, f); err != nil || !c.Changed() {
			return err
		}
		if c.After == nil {
			return l.RemoveIfUnchanged(path, c.Before)
		}
		return l.WriteFileIfUnchanged(path, c.Before, c.After, 0o644)
	})
	if err != nil {
		return c, err
	}
	if target, err := files.ResolveTarget(path); err == nil {
		if err := l.Sweep(filepath.Dir(target), time.Now()); err != nil {
			return c, err
		}
	}
	if c.After == nil {
		c.Removed = removeDirs(l, f.Dirs)
	}
	return c, nil
}

// Revert takes back an Apply whose outcome is c, when what comes after it has
// failed: a file in which hookctl stood before gets those bytes back, unless
// somebody else has changed it since ([files.ErrChanged]); from any other
// hookctl is taken out as by [Uninstall].
func Revert(held *Held, l *files.Layer, c Change) error {
	if !c.Changed() {
		return nil
	}
	if registered(c.Before) {
		return l.WriteFileIfUnchanged(c.Path, c.After, c.Before, 0o644)
	}
	r, err := loadRecord(held.home)
	if err != nil {
		return err
	}
	if _, err := takeOut(l, r, c.Path); err != nil {
		return err
	}
	return r.without(c.Path).save(l, held.home)
}

func registered(src []byte) bool {
	found, _, err := settings.Inspect(src, settings.Own, false)
	return err == nil && slices.ContainsFunc(found, func(r settings.Registration) bool { return r.Own })
}

// Registered are the files of targets, and every other file that install has
// written down for the same agents: it ran with another folder of settings.
func Registered(h home.Dir, targets []Target) ([]string, error) {
	r, err := loadRecord(h)
	return r.paths(targets), err
}

// Recorded are the files that install has registered hookctl in, each with what
// the target of its agent wants there.
func Recorded(h home.Dir, targets []Target) ([]Target, error) {
	r, err := loadRecord(h)
	var out []Target
	for _, f := range r.Files {
		for _, t := range targets {
			if t.Agent == f.Agent {
				t.Path = f.Path
				out = append(out, t)
			}
		}
	}
	return out, err
}

// paths are the files of targets and those recorded for the same agents.
func (r record) paths(targets []Target) []string {
	var paths []string
	for _, t := range targets {
		paths = append(paths, t.Path)
	}
	for _, f := range r.Files {
		ours := func(t Target) bool { return t.Agent == f.Agent }
		if !slices.Contains(paths, f.Path) && slices.ContainsFunc(targets, ours) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// takeBack says what becomes of a file; f is what was recorded for it, if
// anything.
func takeBack(path string, f recorded) (Change, error) {
	c := Change{Path: path}
	var err error
	if c.Before, err = readSettings(path); err != nil || c.Before == nil {
		return c, err
	}
	if f.untouched(c.Before) {
		if f.Existed {
			c.After = append([]byte{}, f.Original...) // not nil: an empty file is a file
		}
		return c, nil
	}
	c.After, err = settings.Remove(c.Before, settings.Own)
	if err != nil {
		return c, &FileError{path, err}
	}
	if len(f.After) > 0 && !f.Existed && blank(c.After) {
		c.After = nil
		return c, nil
	}
	if strings.HasPrefix(string(f.Original), settings.BOM) && !strings.HasPrefix(string(c.After), settings.BOM) {
		c.After = append([]byte(settings.BOM), c.After...)
	}
	return c, nil
}

// Purge removes the home with everything in it and frees the lock. A home that
// is not named .hookctl was chosen by somebody and may hold other things: there
// only what hookctl is known to make goes, and what is left is returned.
// Uninstall comes first: the record is in the home.
func Purge(held *Held, l *files.Layer) (left []string, err error) {
	path := string(held.home)
	real, err := files.ResolveTarget(path)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		return nil, err
	}
	all := filepath.Base(path) == ".hookctl"
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "lock":
		case all || slices.Contains(made(), name) || files.IsTemp(name):
			if err := l.RemoveAll(filepath.Join(real, name)); err != nil {
				return nil, err
			}
		default:
			left = append(left, name)
		}
	}
	held.Release() // an open file cannot be removed on every system
	if err := l.RemoveAll(filepath.Join(real, "lock")); err != nil {
		return left, err
	}
	if len(left) > 0 {
		return left, nil
	}
	if err := l.Remove(real); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if real != path {
		if fi, err := os.Lstat(path); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return nil, l.Remove(path)
		}
	}
	return nil, nil
}

// made are the names at the top of a home.
func made() []string {
	return []string{
		"bin", "store", "current", "config.yaml", "trust.json", "install.json", "journal", "cache",
		"receipts", "machine.key", "machine.pub", "machine.key.damaged", "source", "quarantine", "pause",
	}
}
