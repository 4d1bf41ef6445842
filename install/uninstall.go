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
	"github.com/agenthooks/hookctl/install/agent"
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
	for _, t := range targets {
		f, _ := r.find(t.Path)
		c, err := takeBack(t, f)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// Uninstall takes hookctl out of the targets' files. A file that nobody else has
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
	for _, t := range targets {
		c, err := takeOut(l, r, t)
		if err != nil {
			return changes, err
		}
		changes = append(changes, c)
		r = r.without(t.Path)
		if err := r.save(l, held.home); err != nil {
			return changes, err
		}
	}
	return changes, nil
}

// takeOut takes hookctl out of one file.
func takeOut(l *files.Layer, r record, t Target) (Change, error) {
	path := t.Path
	f, _ := r.find(path)
	var c Change
	err := retry(func() (err error) {
		if c, err = takeBack(t, f); err != nil || !c.Changed() {
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

// Revert takes back an Apply of t whose outcome is c, when what comes after it has
// failed: a file in which hookctl stood before gets those bytes back, unless
// somebody else has changed it since ([files.ErrChanged]); from any other
// hookctl is taken out as by [Uninstall].
func Revert(held *Held, l *files.Layer, t Target, c Change) error {
	if !c.Changed() {
		return nil
	}
	if t.registered(c.Before) {
		return l.WriteFileIfUnchanged(c.Path, c.After, c.Before, 0o644)
	}
	r, err := loadRecord(held.home)
	if err != nil {
		return err
	}
	if _, err := takeOut(l, r, t); err != nil {
		return err
	}
	return r.without(c.Path).save(l, held.home)
}

func (t Target) registered(src []byte) bool {
	found, err := t.editor().List(src, settings.Own)
	return err == nil && slices.ContainsFunc(found, func(r settings.Registration) bool { return r.Own })
}

// Recorded are the files that install has registered hookctl in, each with what
// hookctl at h wants there.
func Recorded(h home.Dir) ([]Target, error) {
	r, err := loadRecord(h)
	if err != nil {
		return nil, err
	}
	var out []Target
	for _, f := range r.Files {
		a, ok := agent.Lookup(f.Agent)
		if !ok {
			continue // written by a hookctl that knew more
		}
		if f.Scope == "" {
			f.Scope = agent.User
		}
		if f.Format == "" {
			f.Format = agent.Nested
		}
		t, err := plan(a, f.Scope, f.Format, f.Path, h)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// takeBack says what becomes of a file; f is what was recorded for it, if
// anything.
func takeBack(t Target, f recorded) (Change, error) {
	path := t.Path
	c := Change{Agent: t.Agent, Path: path}
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
	c.After, err = t.editor().Remove(c.Before, settings.Own)
	if err != nil {
		return c, &FileError{path, err}
	}
	if c.After == nil || len(f.After) > 0 && !f.Existed && t.editor().Blank(c.After) {
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
		"bin", "store", "current", "config.yaml", "trust.json", "install.json", "shared", "journal", "cache",
		"receipts", "machine.key", "machine.pub", "machine.key.damaged", "source", "quarantine", "pause",
	}
}
