package simulate

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// sandbox is a throw-away folder: a project in which the agent works, a home, and a
// folder for temporary files. The file tools cannot leave it; commands are run with
// the rights of the user and can.
type sandbox struct {
	dir, project, home, tmp string
}

func newSandbox() (*sandbox, error) {
	dir, err := os.MkdirTemp("", "hookctl-simulate-*")
	if err != nil {
		return nil, err
	}
	// A hook that compares paths sees the one that the system resolves.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	b := &sandbox{dir, filepath.Join(dir, "project"), filepath.Join(dir, "home"), filepath.Join(dir, "tmp")}
	for _, d := range []string{b.project, b.home, b.tmp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, errors.Join(err, b.close())
		}
	}
	return b, nil
}

// close removes everything, also what a tool has made unwritable.
func (b *sandbox) close() error {
	_ = filepath.WalkDir(b.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) // what cannot be changed RemoveAll reports
		}
		return nil
	})
	return os.RemoveAll(b.dir)
}

// split is the folder that a name is in, and its path there.
func (b *sandbox) split(name string) (dir, rest string) {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return b.home, rest
	}
	return b.project, name
}

func (b *sandbox) path(name string) string {
	dir, rest := b.split(name)
	return filepath.Join(dir, filepath.FromSlash(rest))
}

// transcript is where an agent would keep the session; nothing is there.
func (b *sandbox) transcript() string { return filepath.Join(b.home, "session.jsonl") }

// maxFile bounds a file that is read, in bytes.
const maxFile = 1 << 20

func (b *sandbox) read(name string) (text string, ok bool) {
	if !inside(name) {
		return "", false
	}
	dir, rest := b.split(name)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", false
	}
	defer root.Close()
	if fi, err := root.Stat(rest); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxFile {
		return "", false
	}
	raw, err := root.ReadFile(rest)
	return string(raw), err == nil
}

// write puts a file there; nil removes it.
func (b *sandbox) write(name string, text *string) error {
	if !inside(name) {
		return fmt.Errorf("%q does not lie in the sandbox", name)
	}
	dir, rest := b.split(name)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if text == nil {
		return root.Remove(rest)
	}
	if err := root.MkdirAll(path.Dir(rest), 0o700); err != nil {
		return err
	}
	return root.WriteFile(rest, []byte(*text), 0o600)
}

// executable lets a file be run.
func (b *sandbox) executable(name string) error {
	return os.Chmod(b.path(name), 0o700)
}

// fill makes the files those of a scenario. What lies there besides stays.
func (b *sandbox) fill(files map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if err := b.write(name, &text); err != nil {
			return err
		}
	}
	return nil
}

// clear removes what is not kept, a set of names.
func (b *sandbox) clear(keep map[string]state) error {
	for name := range b.look() {
		if _, ok := keep[name]; !ok {
			if err := os.Remove(b.path(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// state is what a file is at one moment.
type state struct {
	text string // of a link, where it leads
	link bool
	exec bool
	big  bool // text is only its size
}

// maxFiles bounds how many files of a sandbox are looked at.
const maxFiles = 5000

// look reads every file of the sandbox but those of tmp.
func (b *sandbox) look() map[string]state {
	all := map[string]state{}
	for _, d := range []struct{ dir, prefix string }{{b.project, ""}, {b.home, "~/"}} {
		_ = filepath.WalkDir(d.dir, func(name string, e fs.DirEntry, err error) error {
			if len(all) >= maxFiles {
				return fs.SkipAll
			}
			if rel, bad := filepath.Rel(d.dir, name); err == nil && bad == nil && !e.IsDir() { // else it has no state
				all[d.prefix+filepath.ToSlash(rel)] = stateOf(name, e)
			}
			return nil
		})
	}
	return all
}

func stateOf(name string, e fs.DirEntry) (s state) {
	if e.Type()&fs.ModeSymlink != 0 {
		s.link = true
		s.text, _ = os.Readlink(name)
		return s
	}
	fi, err := e.Info()
	if err != nil {
		return s
	}
	s.exec = fi.Mode()&0o100 != 0
	if !fi.Mode().IsRegular() || fi.Size() > maxFile {
		s.big, s.text = true, fmt.Sprintf("%d bytes", fi.Size())
		return s
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		s.big, s.text = true, "cannot be read"
		return s
	}
	s.text = string(raw)
	return s
}

// Effect is what became of one file.
type Effect struct {
	File   string  `json:"file"`
	Before *string `json:"before"` // null = was not there
	After  *string `json:"after"`  // null = is gone
}

// changes are the files that differ between two looks, sorted by name.
func changes(before, after map[string]state) (list []Effect) {
	names := slices.Collect(maps.Keys(before))
	for name := range after {
		if _, ok := before[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		was, there := before[name]
		is, left := after[name]
		if there && left && was == is {
			continue
		}
		e := Effect{File: name}
		if there {
			e.Before = new(was.String())
		}
		if left {
			e.After = new(is.String())
		}
		list = append(list, e)
	}
	return list
}

func (s state) String() string {
	switch {
	case s.link:
		return "link to " + s.text
	case s.big:
		return "(" + s.text + ")"
	}
	return s.text
}
