package install

import (
	"os"
	"slices"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/settings"
)

// Written is a settings file that install has written, and what has become of it.
type Written struct {
	Target
	At       time.Time // when install last wrote it; zero = it was not written down
	Created  bool      // by install: there was none before
	Missing  bool      // there is none any more
	Modified time.Time // the file's own time; zero when Missing
	// Touched says that the bytes are not those that install wrote. Diff says what
	// differs, "" when that cannot be told any more.
	Touched bool
	Diff    string
	Hooks   []settings.Registration // all that stand in the file, in its order
	Wrong   []Problem               // of hookctl's own entries
}

// Blame tells of every file that install has written. A file that cannot be read
// is Wrong, not an error.
func Blame(h home.Dir) ([]Written, error) {
	r, err := loadRecord(h)
	if err != nil {
		return nil, err
	}
	targets, err := Recorded(h)
	if err != nil {
		return nil, err
	}
	var all []Written
	for _, t := range targets {
		f, _ := r.find(t.Path)
		all = append(all, t.blame(f))
	}
	return all, nil
}

func (t Target) blame(f recorded) Written {
	w := Written{Target: t, At: f.At, Created: !f.Existed}
	src, err := readSettings(t.Path)
	if err != nil {
		w.Wrong, w.Touched = []Problem{{t.Path, err.Error()}}, true
		return w
	}
	if fi, err := os.Stat(t.Path); err == nil {
		w.Modified = fi.ModTime()
	}
	w.Missing, w.Touched = src == nil, !f.untouched(src)
	if w.Touched {
		w.Diff = t.since(f, src)
	}
	if w.Hooks, err = t.editor().List(src, settings.Own); err == nil {
		slices.SortStableFunc(w.Hooks, func(a, b settings.Registration) int { return a.Line - b.Line })
	}
	if w.Wrong, err = t.Wired(); err != nil {
		w.Wrong = []Problem{{t.Path, err.Error()}}
	}
	return w
}

// since is what has changed since install wrote the file. What it wrote is not
// kept, but what was there before is, and the edit can be made again.
func (t Target) since(f recorded, now []byte) string {
	res, err := t.editor().Register(f.Original, settings.Own, t.Entries)
	if err != nil || !f.untouched(res.Out) {
		return ""
	}
	return settings.Diff(t.Path, res.Out, now)
}
