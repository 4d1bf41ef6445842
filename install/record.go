package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// recordSchema is the version of the file at [home.Dir.Record].
const recordSchema = 1

// maxAfter bounds how many of our own versions of a file are remembered.
const maxAfter = 4

// record is what install wrote down to be able to take everything back. It may
// hold a user's whole settings file, keys in it included: nobody else reads it.
type record struct {
	Schema int        `json:"schema"`
	Files  []recorded `json:"files"`
}

// recorded is one settings file that install changed.
type recorded struct {
	Agent  string       `json:"agent"`
	Scope  agent.Scope  `json:"scope,omitempty"`  // "" = user
	Format agent.Format `json:"format,omitempty"` // "" = nested
	Path   string       `json:"path"`
	// At is when install last wrote the file.
	At time.Time `json:"at,omitzero"`
	// Existed is false when the file is ours: created by install.
	Existed bool `json:"existed"`
	// Original are the bytes from before install, less entries of hookctl, a
	// byte order mark included.
	Original []byte `json:"original,omitempty"`
	// After are the digests of what install wrote: while the file has one of
	// them, nobody else has changed it and Original may come back.
	After []string `json:"after"`
	// Dirs are the folders that install made for it, outermost first.
	Dirs []string `json:"dirs,omitempty"`
}

func loadRecord(h home.Dir) (record, error) {
	r := record{Schema: recordSchema}
	b, err := os.ReadFile(h.Record())
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return r, &FileError{h.Record(), err}
	}
	if r.Schema != recordSchema {
		return r, &FileError{h.Record(), fmt.Errorf("schema %d, want %d", r.Schema, recordSchema)}
	}
	return r, nil
}

// save writes the record, or removes it when it holds nothing.
func (r record) save(l *files.Layer, h home.Dir) error {
	old, err := os.ReadFile(h.Record())
	if len(r.Files) == 0 {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return l.Remove(h.Record())
	}
	b, merr := json.MarshalIndent(r, "", "  ")
	if merr != nil {
		return merr
	}
	b = append(b, '\n')
	if err == nil && bytes.Equal(old, b) {
		return nil
	}
	return l.WriteFile(h.Record(), b, 0o600)
}

func (r record) find(path string) (recorded, bool) {
	i := slices.IndexFunc(r.Files, func(f recorded) bool { return f.Path == path })
	if i < 0 {
		return recorded{}, false
	}
	return r.Files[i], true
}

// with is r with f in the place of an older entry for the same path.
func (r record) with(f recorded) record {
	r = r.without(f.Path)
	r.Files = append(r.Files, f)
	slices.SortFunc(r.Files, func(a, b recorded) int { return strings.Compare(a.Path, b.Path) })
	return r
}

func (r record) without(path string) record {
	r.Files = slices.DeleteFunc(slices.Clone(r.Files), func(f recorded) bool { return f.Path == path })
	return r
}

// untouched reports whether b is what install wrote.
func (f recorded) untouched(b []byte) bool { return b != nil && slices.Contains(f.After, Sum(b)) }

// next is what to write down before c happens. The first original is kept as
// long as nobody else has changed the file; after that the original is what is
// there now, less our entries.
func (r record) next(t Target, c Change, dirs []string, now time.Time) (recorded, error) {
	old, ok := r.find(c.Path)
	sum := Sum(c.After)
	if ok && old.untouched(c.Before) {
		old.After = append(slices.DeleteFunc(slices.Clone(old.After), func(s string) bool { return s == sum }), sum)
		old.After = old.After[max(0, len(old.After)-maxAfter):]
		if c.Changed() {
			old.At = now
		}
		return old, nil
	}
	f := recorded{Agent: t.Agent, Scope: t.Scope, Format: t.Format, Path: c.Path, At: now, Existed: c.Before != nil, After: []string{sum}, Dirs: dirs}
	if !c.Changed() {
		f.At = old.At // it was there; only what to take back is written down
	}
	if len(dirs) == 0 {
		f.Dirs = old.Dirs
	}
	if f.Existed {
		clean, err := t.editor().Remove(c.Before, settings.Own)
		if err != nil {
			return recorded{}, &FileError{c.Path, err}
		}
		f.Original = clean
		if clean == nil || ok && !old.Existed && t.editor().Blank(clean) {
			f.Existed, f.Original = false, nil
		}
	}
	return f, nil
}

// missingDirs are the folders that would have to be made for path, outermost
// first.
func missingDirs(path string) ([]string, error) {
	target, err := files.ResolveTarget(path)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for dir := filepath.Dir(target); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			slices.Reverse(dirs)
			return dirs, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
}
