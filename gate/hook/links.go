package hook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// maxLinks bounds the links that are followed in one path, as systems do.
const maxLinks = 255

// links follows the links in paths. The protected paths share most of their
// folders, so that each folder is looked at once.
type links struct {
	seen map[string]entry // by absolute path
}

// entry is what lies at a path.
type entry struct {
	to      string // where a link leads, "" when it is none
	missing bool
}

// resolve follows the links in an absolute path as the system would: ".." leads
// up from where a link has led, and what does not exist yet is where a write
// would create it.
func (l *links) resolve(path string) string {
	if runtime.GOOS == "windows" || !filepath.IsAbs(path) { // also short names, and case
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
	}
	volume := filepath.VolumeName(path)
	at, rest := volume+string(filepath.Separator), parts(path[len(volume):])
	for followed := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		to := l.look(at, next).to
		if to == "" {
			at = next
			continue
		}
		if followed++; followed > maxLinks {
			return filepath.Clean(path)
		}
		if filepath.IsAbs(to) {
			at = filepath.VolumeName(to) + string(filepath.Separator)
			to = to[len(filepath.VolumeName(to)):]
		}
		rest = append(parts(to), rest...)
	}
	return at
}

// look tells what lies at a path in a folder, without a look where the folder is
// missing.
func (l *links) look(dir, path string) entry {
	e, ok := l.seen[path]
	if ok {
		return e
	}
	if l.seen[dir].missing {
		e.missing = true
	} else {
		to, err := os.Readlink(path)
		e = entry{to, errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)}
	}
	if l.seen == nil {
		l.seen = map[string]entry{}
	}
	l.seen[path] = e
	return e
}

// parts are the names in a path, without those that lead nowhere.
func parts(path string) []string {
	return slices.DeleteFunc(strings.Split(filepath.ToSlash(path), "/"), func(s string) bool { return s == "" || s == "." })
}
