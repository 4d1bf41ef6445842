package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxLinks bounds the links followed for one path, as the kernel does.
const maxLinks = 40

// LinkError says that a path has too many links, most likely a circle.
type LinkError struct{ Path string }

func (e *LinkError) Error() string {
	return fmt.Sprintf("resolve %s: more than %d links", e.Path, maxLinks)
}

// ResolveTarget returns the absolute path that path names once every link on it
// has been followed, links to files that do not exist yet included.
// ([filepath.EvalSymlinks] wants the file to exist.)
func ResolveTarget(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	done, rest := split(abs)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, name)
		fi, err := os.Lstat(next)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err != nil || fi.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return "", &LinkError{Path: path}
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(to) {
			var elems []string
			done, elems = split(to)
			rest = append(elems, rest...)
			continue
		}
		rest = append(elements(to), rest...)
	}
	return done, nil
}

// split cuts an absolute path into its root and the elements below.
func split(abs string) (root string, elems []string) {
	vol := filepath.VolumeName(abs)
	return vol + string(filepath.Separator), elements(abs[len(vol):])
}

func elements(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

// Sweep removes what a killed write left in dir: files and folders with a name
// of [TempName], last changed before the given time. A missing dir is no error.
func (l *Layer) Sweep(dir string, before time.Time) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || !IsTemp(e.Name()) || !fi.ModTime().Before(before) {
			continue
		}
		if err := l.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
