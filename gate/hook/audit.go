package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/home"
)

// Bounds of a snapshot, so that a wide pattern costs a call no more than a
// millisecond or two. What lies beyond them is not seen.
const (
	maxWatched   = 1000 // files
	maxSnapshots = 64   // of calls that were never reported as done
	snapshotLife = 24 * time.Hour
)

// snapshot takes down how the protected files are before a tool runs, so that
// after it can be told what slipped through. A snapshot that cannot be written is
// none: nothing waits for it.
func (r *run) snapshot(v gate.Verdict) {
	if r.in.Event.Kind != gate.PreTool || v.Decision == gate.Block || !r.live || r.rules == nil || r.in.Home == "" {
		return
	}
	b, err := json.Marshal(r.look())
	if err != nil {
		return
	}
	file := r.snapshotFile()
	if err := os.WriteFile(file, b, 0o600); errors.Is(err, fs.ErrNotExist) {
		_ = os.MkdirAll(filepath.Dir(file), 0o700)
		_ = os.WriteFile(file, b, 0o600)
	}
	if strings.HasPrefix(filepath.Base(file), "0") { // one call of sixteen
		sweep(filepath.Dir(file), r.in.Start)
	}
}

// changed are the protected paths that are not as they were before the tool ran.
func (r *run) changed() (paths []string) {
	if r.in.Event.Kind != gate.PostTool || !r.live || r.rules == nil || r.in.Home == "" {
		return nil
	}
	b, err := os.ReadFile(r.snapshotFile())
	if err != nil {
		return nil
	}
	_ = os.Remove(r.snapshotFile())
	var before map[string]string
	if json.Unmarshal(b, &before) != nil {
		return nil
	}
	after := r.look()
	for p, s := range before {
		if after[p] != s {
			paths = append(paths, p)
		}
	}
	for p := range after {
		if _, was := before[p]; !was && len(before) < maxWatched {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// snapshotFile is named by the call: the same session, tool and input come before
// and after it.
func (r *run) snapshotFile() string {
	ev := r.in.Event
	sum := sha256.Sum256([]byte(ev.Session + "\x00" + ev.Tool.Name + "\x00" + string(ev.Tool.Input)))
	return r.in.State().Path("cache", "audit", hex.EncodeToString(sum[:16]))
}

// look takes down what the protected paths are, without opening a file.
func (r *run) look() map[string]string {
	all := map[string]string{}
	for _, glob := range r.engine().Watched(r.in.Event.CWD) {
		switch base, below := strings.CutSuffix(glob, "/**"); {
		case below:
			r.walk(all, base)
		case strings.ContainsAny(glob, `*?[`):
			names, _ := filepath.Glob(glob)
			for _, n := range names {
				note(all, n)
			}
		default:
			note(all, glob)
		}
	}
	return all
}

// walk takes down a folder with what is in it. Of a folder of hookctl, this one or that
// of another home, only what no hook and no sync writes: the rest changes all day,
// and is verified by its hashes.
func (r *run) walk(all map[string]string, dir string) {
	if own := home.Dir(dir); strings.EqualFold(filepath.ToSlash(dir), filepath.ToSlash(string(r.in.Home))) || filepath.Base(dir) == ".hookctl" {
		note(all, own.Config())
		note(all, own.Trust())
		return
	}
	_ = filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if err != nil || len(all) >= maxWatched {
			return filepath.SkipAll
		}
		note(all, p)
		return nil
	})
}

// note takes down what lies at a path, and where a link leads. A folder's time
// changes with every file in it, so that only its being there counts.
func note(all map[string]string, path string) {
	if len(all) >= maxWatched {
		return
	}
	i, err := os.Lstat(path)
	if err != nil {
		return
	}
	if i.IsDir() {
		all[path] = i.Mode().String()
		return
	}
	all[path] = fmt.Sprintf("%s %d %d", i.Mode(), i.Size(), i.ModTime().UnixNano())
	if i.Mode()&fs.ModeSymlink != 0 {
		to, _ := os.Readlink(path)
		all[path] += " " + to
		if t, err := os.Stat(path); err == nil {
			all[path] += fmt.Sprintf(" %s %d %d", t.Mode(), t.Size(), t.ModTime().UnixNano())
		}
	}
}

// sweep takes old snapshots away, of calls that were denied by the user or whose end
// nobody reported.
func sweep(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < maxSnapshots {
		return
	}
	for _, e := range entries {
		if i, err := e.Info(); err == nil && (now.Sub(i.ModTime()) > snapshotLife || len(entries) > 4*maxSnapshots) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
