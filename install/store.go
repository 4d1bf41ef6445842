package install

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// File is one file of a bundle. Of the mode only the owner's execute bit counts.
type File struct {
	Data []byte
	Mode fs.FileMode
}

// Want is what a file in the store must be.
type Want struct {
	SHA256 string // "sha256:" and lower-case hex
	Size   int64
	Exec   bool
}

// Problem is something in an installation that is not as it was installed.
type Problem struct {
	Path string
	Text string
}

func (p Problem) String() string { return p.Path + ": " + p.Text }

// NameError says that a bundle's file or digest has a name that cannot be
// installed.
type NameError struct{ Name, Why string }

func (e *NameError) Error() string { return fmt.Sprintf("store %q: %s", e.Name, e.Why) }

// Modes in the store. Read-only keeps accidents away, not a process of the same
// user.
const (
	fileMode = 0o444
	execMode = 0o555
	dirMode  = 0o555
	openMode = 0o755 // of a folder while it is worked in, and of store itself
)

func (f File) mode() fs.FileMode { return storeMode(f.Mode&0o100 != 0) }

func storeMode(exec bool) fs.FileMode {
	if exec {
		return execMode
	}
	return fileMode
}

// Sum is the SHA-256 of b as it is written everywhere here.
func Sum(b []byte) string {
	s := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(s[:])
}

// Stage brings a generation into the store: the bundle's files and the rules
// compiled from them, all read-only. A new one appears in one rename. One that
// is there is compared to the byte and healed file by file, so that it serves
// meanwhile; one that is intact is not touched. Other compiled rules in it stay
// until [GC], since they may be the ones that run. It activates nothing.
func Stage(l *files.Layer, h home.Dir, digest string, bundle map[string]File, rules []byte) error {
	if !IsDigest(digest) {
		return &NameError{digest, "is no digest of the form sha256:<64 hex digits>"}
	}
	all := make(map[string]File, len(bundle)+1)
	for name, f := range bundle {
		switch top, _, _ := strings.Cut(name, "/"); {
		case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `\:`):
			return &NameError{name, "is no plain relative path"}
		case home.IsRules(top):
			return &NameError{name, "is the name of the compiled rules"}
		}
		all[name] = f
	}
	all[home.RulesFile(Sum(rules))] = File{Data: rules}
	if _, err := l.MkdirAll(string(h), homeMode); err != nil {
		return err
	}
	if _, err := l.MkdirAll(h.Store(), openMode); err != nil {
		return err
	}
	dir := h.Generation(digest)
	if fi, err := os.Lstat(dir); err == nil && fi.IsDir() {
		return heal(l, dir, all)
	} else if err == nil { // a link or a file: never installed by us
		if err := l.RemoveAll(dir); err != nil {
			return err
		}
	}
	return fill(l, dir, all)
}

// IsDigest reports whether s is of the form sha256:<64 lower-case hex digits>, as
// [Sum] writes it. Nothing else may become part of a path.
func IsDigest(s string) bool {
	s, ok := strings.CutPrefix(s, "sha256:")
	return ok && len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// fill makes a generation beside its place and renames it there.
func fill(l *files.Layer, dir string, all map[string]File) (err error) {
	temp := filepath.Join(filepath.Dir(dir), files.TempName())
	if _, err := l.MkdirAll(temp, openMode); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = (*files.Layer)(nil).RemoveAll(temp) // also when l is made to fail
		}
	}()
	for _, name := range sorted(all) {
		path := filepath.Join(temp, filepath.FromSlash(name))
		if _, err := l.MkdirAll(filepath.Dir(path), openMode); err != nil {
			return err
		}
		if err := l.Create(path, all[name].Data, all[name].mode()); err != nil {
			return err
		}
	}
	if err := l.SyncTree(temp); err != nil {
		return err
	}
	if err := chmodDirs(l, temp, dirMode); err != nil {
		return err
	}
	return l.Rename(temp, dir)
}

// heal makes what is in dir equal to all, each file in one step of its own.
func heal(l *files.Layer, dir string, all map[string]File) error {
	want := make(map[string]Want, len(all))
	for name, f := range all {
		want[name] = Want{Sum(f.Data), int64(len(f.Data)), f.mode() == execMode}
	}
	diffs, err := compare(dir, want)
	diffs = slices.DeleteFunc(diffs, func(d difference) bool { return d.remove && otherRules(dir, d.name) })
	if err != nil || len(diffs) == 0 {
		return err
	}
	if err := chmodDirs(l, dir, openMode); err != nil {
		return err
	}
	for _, d := range diffs {
		path := filepath.Join(dir, filepath.FromSlash(d.name))
		if d.remove {
			if err := l.RemoveAll(path); err != nil {
				return err
			}
		}
		f, ok := all[d.name]
		if !ok {
			continue
		}
		if _, err := l.MkdirAll(filepath.Dir(path), openMode); err != nil {
			return err
		}
		if err := l.WriteFile(path, f.Data, f.mode()); err != nil {
			return err
		}
	}
	return chmodDirs(l, dir, dirMode)
}

// otherRules reports whether name is a file of compiled rules in a generation.
func otherRules(dir, name string) bool {
	fi, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil && fi.Mode().IsRegular() && home.IsRules(name)
}

// dropRules removes the compiled rules of a generation that are not among keep.
func dropRules(l *files.Layer, dir string, keep ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	var stale []string
	for _, e := range entries {
		if otherRules(dir, e.Name()) && !slices.Contains(keep, e.Name()) {
			stale = append(stale, filepath.Join(dir, e.Name()))
		}
	}
	if len(stale) == 0 {
		return nil
	}
	if err := l.Chmod(dir, openMode); err != nil {
		return err
	}
	for _, path := range stale {
		if err := l.RemoveAll(path); err != nil {
			return err
		}
	}
	return l.Chmod(dir, dirMode)
}

// VerifyStore compares the generation of digest with what it must be, rules
// being the digest of its compiled rules: every file's bytes, size and mode,
// missing and extra ones, writable folders, links. An error means that it could
// not be read.
func VerifyStore(h home.Dir, digest string, want map[string]Want, rules string) ([]Problem, error) {
	if !IsDigest(digest) {
		return nil, &NameError{digest, "is no digest of the form sha256:<64 hex digits>"}
	}
	if !IsDigest(rules) {
		return nil, &NameError{rules, "is no digest of the form sha256:<64 hex digits>"}
	}
	all := make(map[string]Want, len(want)+1)
	for name, w := range want {
		all[name] = w
	}
	all[home.RulesFile(rules)] = Want{SHA256: rules, Size: -1}
	dir := h.Generation(digest)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return []Problem{{dir, "is missing"}}, nil
	}
	diffs, err := compare(dir, all)
	if err != nil {
		return nil, err
	}
	var problems []Problem
	for _, d := range diffs {
		problems = append(problems, Problem{filepath.Join(dir, filepath.FromSlash(d.name)), d.text})
	}
	return problems, nil
}

// difference is one thing in a generation that is not as wanted.
type difference struct {
	name   string // "." for the folder itself
	text   string
	remove bool // it stands in the way of the right thing, or of nothing
}

// compare lists the differences, sorted by name. It follows no link.
func compare(dir string, want map[string]Want) ([]difference, error) {
	var diffs []difference
	dirs := map[string]bool{".": true}
	for name := range want {
		for d := path.Dir(name); d != "."; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	seen := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		fi, err := e.Info()
		if err != nil {
			return err
		}
		w, isFile := want[name]
		switch {
		case dirs[name] && fi.IsDir():
			if fi.Mode().Perm()&0o222 != 0 && modesCount {
				diffs = append(diffs, difference{name, fmt.Sprintf("mode is %04o, want %04o", fi.Mode().Perm(), dirMode), false})
			}
		case isFile && fi.Mode().IsRegular():
			seen[name] = true
			text, err := compareFile(path, fi, w)
			if err != nil {
				return err
			}
			if text != "" {
				diffs = append(diffs, difference{name, text, false})
			}
		default:
			text := "does not belong to the bundle"
			if isFile || dirs[name] {
				text = "is of another type than installed: " + fi.Mode().Type().String()
				seen[name] = seen[name] || isFile
			}
			diffs = append(diffs, difference{name, text, true})
			if fi.IsDir() {
				return fs.SkipDir
			}
		}
		return nil
	})
	for name := range want {
		if !seen[name] {
			diffs = append(diffs, difference{name, "is missing", false})
		}
	}
	slices.SortFunc(diffs, func(a, b difference) int { return strings.Compare(a.name, b.name) })
	return diffs, err
}

func compareFile(path string, fi fs.FileInfo, w Want) (string, error) {
	if w.Size >= 0 && fi.Size() != w.Size {
		return fmt.Sprintf("bytes differ: size is %d, want %d", fi.Size(), w.Size), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	if got := "sha256:" + hex.EncodeToString(h.Sum(nil)); got != w.SHA256 {
		return fmt.Sprintf("bytes differ: digest is %s, want %s", got, w.SHA256), nil
	}
	if mode := storeMode(w.Exec); modesCount && fi.Mode().Perm() != mode {
		return fmt.Sprintf("mode is %04o, want %04o", fi.Mode().Perm(), mode), nil
	}
	return "", nil
}

// chmodDirs sets the mode of dir and every folder below, the outermost first
// when they are opened and last when they are closed.
func chmodDirs(l *files.Layer, dir string, mode fs.FileMode) error {
	var dirs []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !e.IsDir() {
			return nil
		}
		dirs = append(dirs, path)
		if mode == openMode {
			return l.Chmod(path, mode)
		}
		return nil
	})
	if err != nil || mode == openMode {
		return err
	}
	for _, d := range slices.Backward(dirs) {
		if err := l.Chmod(d, mode); err != nil {
			return err
		}
	}
	return nil
}

func sorted(m map[string]File) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
