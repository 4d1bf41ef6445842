package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// modesCount says that the system keeps a file's mode as it was set.
const modesCount = runtime.GOOS != "windows"

func put(t *testing.T, path, data string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, path, data string, mode fs.FileMode) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || string(b) != data {
		t.Errorf("%s = %q, %v, want %q", path, b, err, data)
	}
	if fi, err := os.Stat(path); err == nil && fi.Mode().Perm() != mode && modesCount {
		t.Errorf("%s: mode %o, want %o", path, fi.Mode().Perm(), mode)
	}
}

func noTemp(t *testing.T, dir string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && IsTemp(path) {
			t.Errorf("left behind: %s", path)
		}
		return nil
	})
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	var l *Layer
	for _, mode := range []fs.FileMode{0o600, 0o755, 0o644} {
		if err := l.WriteFile(path, []byte(mode.String()), mode); err != nil {
			t.Fatal(err)
		}
		want(t, path, mode.String(), mode)
	}
	if err := l.WriteFile(path, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	want(t, path, "", 0o775) // never world-writable
	if err := l.WriteFile(dir, nil, 0o644); err == nil {
		t.Error("a folder was replaced by a file")
	}
	noTemp(t, dir)
}

// TestFailAtEach fails WriteFile at each of its operations in turn: the old
// bytes stay, nothing is left behind.
func TestFailAtEach(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	boom := errors.New("boom")
	var ops []Kind
	for n := 0; ; n++ {
		put(t, path, "old", 0o640)
		count := 0
		ops = nil
		l := &Layer{Before: func(op Op) error {
			ops = append(ops, op.Kind)
			if count++; count > n {
				return boom
			}
			return nil
		}}
		err := l.WriteFile(path, []byte("new"), 0o600)
		noTemp(t, dir)
		if err == nil {
			want(t, path, "new", 0o600)
			break
		}
		if !errors.Is(err, boom) {
			t.Fatal(err)
		}
		want(t, path, "old", 0o640)
	}
	if wanted := []Kind{Create, Write, Chmod, Sync, Rename, SyncDir}; !slices.Equal(ops, wanted) {
		t.Errorf("operations %v, want %v", ops, wanted)
	}
}

func TestWriteFileIfUnchanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	l := &Layer{}
	if err := l.WriteFileIfUnchanged(path, []byte("x"), []byte("new"), 0o644); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that vanished: %v", err)
	}
	if err := l.WriteFileIfUnchanged(path, nil, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	want(t, path, "one", 0o644)
	if err := l.WriteFileIfUnchanged(path, nil, []byte("two"), 0o644); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that appeared: %v", err)
	}
	os.Chmod(path, 0o600)
	if err := l.WriteFileIfUnchanged(path, []byte("one"), []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	want(t, path, "two", 0o600)
	// The other writer comes at the last moment: after our bytes are on disk.
	l.Before = func(op Op) error {
		if op.Kind == Sync {
			put(t, path, "theirs", 0o600)
		}
		return nil
	}
	if err := l.WriteFileIfUnchanged(path, []byte("two"), []byte("ours"), 0o644); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that changed: %v", err)
	}
	want(t, path, "theirs", 0o600)
	l.Before = nil
	if os.Geteuid() != 0 {
		os.Chmod(path, 0o444)
		err := l.WriteFileIfUnchanged(path, []byte("theirs"), []byte("ours"), 0o644)
		if !errors.As(err, new(*ReadOnlyError)) || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("a read-only file: %v", err)
		}
		want(t, path, "theirs", 0o444)
	}
	if err := l.RemoveIfUnchanged(path, []byte("x")); !errors.Is(err, ErrChanged) {
		t.Errorf("RemoveIfUnchanged: %v", err)
	}
	if err := l.RemoveIfUnchanged(path, []byte("theirs")); err != nil {
		t.Error(err)
	}
	noTemp(t, dir)
}

func TestLinks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(elem ...string) string { return filepath.Join(append([]string{dir}, elem...)...) }
	put(t, at("dotfiles", "claude", "settings.json"), "old", 0o600)
	if err := os.MkdirAll(at("home"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) {
		if err := os.Symlink(filepath.FromSlash(to), at(name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	link("../dotfiles/claude", "home/.claude")
	link("claude/settings.json", "dotfiles/relative")
	link(at("dotfiles", "relative"), "home/absolute")
	link("../dotfiles/new/deep.json", "home/dangling")
	link("../dotfiles/gone", "home/nodir")
	link("circle", "home/circle")
	link("../home/.claude/../claude/settings.json", "home/dotdot") // .. of the real folder
	settings := at("dotfiles", "claude", "settings.json")
	for in, out := range map[string]string{
		at("home", ".claude", "settings.json"): settings,
		at("home", "absolute"):                 settings,
		at("home", "dotdot"):                   settings,
		at("home", "dangling"):                 at("dotfiles", "new", "deep.json"),
		at("home", "nodir", "settings.json"):   at("dotfiles", "gone", "settings.json"),
		at("nothing", "here"):                  at("nothing", "here"),
	} {
		got, err := ResolveTarget(in)
		if err != nil || got != out {
			t.Errorf("ResolveTarget(%s) = %s, %v, want %s", in, got, err, out)
		}
	}
	if _, err := ResolveTarget(at("home", "circle")); !errors.As(err, new(*LinkError)) {
		t.Errorf("circle: %v", err)
	}
	l := &Layer{}
	if err := l.WriteFile(at("home", "absolute"), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, settings, "new", 0o600)
	made, err := l.MkdirAll(filepath.Dir(at("home", "nodir", "x")), 0o700)
	if err != nil || !slices.Equal(made, []string{at("dotfiles", "gone")}) {
		t.Errorf("MkdirAll through a dangling link: %v %v", made, err)
	}
	for _, name := range []string{"absolute", ".claude", "nodir"} {
		if fi, err := os.Lstat(at("home", name)); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", name)
		}
	}
}

func TestMkdirAll(t *testing.T) {
	dir := t.TempDir()
	l := &Layer{}
	made, err := l.MkdirAll(filepath.Join(dir, "a", "b"), 0o777)
	if err != nil || len(made) != 2 || filepath.Base(made[0]) != "a" {
		t.Fatalf("made %v, %v", made, err)
	}
	for _, d := range made {
		if fi, err := os.Stat(d); err != nil || modesCount && fi.Mode().Perm() != 0o775 {
			t.Errorf("%s: %v %v", d, fi.Mode(), err)
		}
	}
	if made, err = l.MkdirAll(filepath.Join(dir, "a", "b"), 0o700); err != nil || len(made) > 0 {
		t.Errorf("again: %v %v", made, err)
	}
	put(t, filepath.Join(dir, "f"), "", 0o600)
	if _, err := l.MkdirAll(filepath.Join(dir, "f", "x"), 0o700); err == nil {
		t.Error("a file passed for a folder")
	}
}

func TestRemoveAll(t *testing.T) {
	dir := t.TempDir()
	l := &Layer{}
	tree := filepath.Join(dir, "tree")
	put(t, filepath.Join(tree, "sub", "f"), "x", 0o444)
	put(t, filepath.Join(dir, "outside", "f"), "kept", 0o600)
	os.Symlink(filepath.Join(dir, "outside"), filepath.Join(tree, "link"))
	os.Chmod(filepath.Join(tree, "sub"), 0o555)
	os.Chmod(tree, 0o555)
	if err := l.RemoveAll(tree); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(tree); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the tree is still there")
	}
	want(t, filepath.Join(dir, "outside", "f"), "kept", 0o600)
	if err := l.RemoveAll(tree); err != nil {
		t.Error("a second time:", err)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	l := &Layer{}
	put(t, filepath.Join(dir, TempName()), "", 0o600)
	put(t, filepath.Join(dir, ".hookctl-mine"), "", 0o600)
	if err := l.Sweep(dir, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("a fresh one was swept away: %v", left)
	}
	if err := l.Sweep(dir, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != ".hookctl-mine" {
		t.Errorf("left: %v", left)
	}
	if err := l.Sweep(filepath.Join(dir, "missing"), time.Now()); err != nil {
		t.Error(err)
	}
}

// TestSyncTree sees every file of a new tree flushed without an error, and an
// unreadable one reported.
func TestSyncTree(t *testing.T) {
	dir := t.TempDir()
	l := &Layer{}
	for _, name := range []string{"a", "b", "c"} {
		if err := l.Create(filepath.Join(dir, name), []byte(name), 0o444); err != nil {
			t.Fatal(err)
		}
		want(t, filepath.Join(dir, name), name, 0o444)
	}
	if err := l.Create(filepath.Join(dir, "a"), nil, 0o444); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a file: %v", err)
	}
	if err := l.SyncTree(dir); err != nil {
		t.Error(err)
	}
	if err := l.SyncTree(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SyncTree of nothing: %v", err)
	}
}
