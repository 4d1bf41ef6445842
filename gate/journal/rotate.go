package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

const ext = ".jsonl"

// layouts are the names of the files that take a line, by its time: that of the
// day; when that is full, that of the hour; then that of the minute. So the name
// follows from the time and the sizes alone, no two processes need to agree on a
// number, and the names are in the order of time.
var layouts = [...]string{"2006-01-02", "2006-01-02T15", "2006-01-02T1504"}

// bounds are those of a journal, in bytes and days.
type bounds struct {
	part   int64 // of a day's or an hour's file: who finds it full takes the next
	minute int64 // of a minute's file: over it, lines are refused
	all    int64 // of all files together
	days   int   // for which a line is kept
}

var standard = bounds{part: 4 << 20, minute: 32 << 20, all: 64 << 20, days: 30}

// errFull is more in one minute than hooks can write.
var errFull = errors.New("more lines in this minute than the journal takes")

// open opens the file that takes a line of time t. begun is how much a file that
// was not there before may grow to, 0 when it was there.
func (b bounds) open(dir string, t time.Time) (f *os.File, begun int64, err error) {
	for _, layout := range layouts {
		limit := b.part
		if layout == layouts[len(layouts)-1] {
			limit = b.minute
		}
		f, isNew, err := openPart(dir, t.Format(layout)+ext)
		if err != nil {
			return nil, 0, err
		}
		info, err := f.Stat()
		switch {
		case err == nil && !info.Mode().IsRegular():
			err = fmt.Errorf("%s is not a regular file", info.Name())
		case err == nil && info.Size() >= limit:
			f.Close()
			continue
		}
		if err != nil {
			f.Close()
			return nil, 0, err
		}
		if isNew {
			begun = limit
		}
		return f, begun, nil
	}
	return nil, 0, errFull
}

// openPart opens a file to append to. Of many processes that find none, one
// begins it.
func openPart(dir, name string) (f *os.File, begun bool, err error) {
	file := path.Join(dir, name)
	const flags = os.O_APPEND | os.O_WRONLY | plain
	f, err = os.OpenFile(file, flags, 0o600)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, false, err
	}
	f, err = os.OpenFile(file, flags|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.OpenFile(file, flags|os.O_CREATE|os.O_EXCL, 0o600)
		}
	}
	if errors.Is(err, fs.ErrExist) { // begun by another one in this very moment
		f, err = os.OpenFile(file, flags, 0o600)
		return f, false, err
	}
	return f, err == nil, err
}

// named reports whether a name is one that this package gives.
func named(name string) bool {
	stem, ok := strings.CutSuffix(name, ext)
	return ok && slices.ContainsFunc(layouts[:], func(layout string) bool {
		t, err := time.Parse(layout, stem)
		return err == nil && t.Format(layout) == stem
	})
}

// sweepLimit is how many names one sweep looks at.
const sweepLimit = 4096

// part is a file of the journal.
type part struct {
	name string
	size int64
}

// sweep deletes files that are too old, and then the oldest ones until a file that
// has just been begun may grow to its limit. It never fails and never waits: what
// it cannot delete, the next one tries again. The files that a line of now would
// go to stay, so that none of them is begun a second time, behind newer ones.
func (b bounds) sweep(dir string, now time.Time, begun int64) {
	parts, total := list(dir)
	room := b.all - begun - b.part
	oldest := now.AddDate(0, 0, -b.days).Format(layouts[0])
	for _, p := range parts {
		if p.name >= oldest && total <= room {
			return
		}
		if current(p.name, now) {
			continue
		}
		if os.Remove(path.Join(dir, p.name)) == nil {
			total -= p.size
		}
	}
}

func current(name string, now time.Time) bool {
	return slices.ContainsFunc(layouts[:], func(layout string) bool { return name == now.Format(layout)+ext })
}

// list gives the files that this package wrote, oldest first, and their bytes.
func list(dir string) (parts []part, total int64) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, 0
	}
	entries, _ := d.ReadDir(sweepLimit)
	d.Close()
	for _, e := range entries {
		if !named(e.Name()) || !e.Type().IsRegular() || !written(path.Join(dir, e.Name())) {
			continue
		}
		if info, err := e.Info(); err == nil {
			parts = append(parts, part{e.Name(), info.Size()})
			total += info.Size()
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, total
}

// written reports whether a file begins as this package's do. Another one may have
// such a name by chance.
func written(file string) bool {
	f, err := os.OpenFile(file, os.O_RDONLY|plain, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	const start = `{"schema":`
	head := make([]byte, len(start))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == start
}
