//go:build !windows

package journal

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPipe: a pipe in the file's place is an error at once.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, day.Format(time.DateOnly)+ext), 0o600); err != nil {
		t.Skip(err)
	}
	if err := Append(dir, Line{Time: day}); err == nil {
		t.Error("no error")
	}
	if err := Read(dir, func(Line) bool { return true }); err != nil {
		t.Error(err)
	}
}

// TestLinks: the journal may lie elsewhere, by a link; a line goes to no file that
// is a link, and none is deleted.
func TestLinks(t *testing.T) {
	top := t.TempDir()
	elsewhere, dir := filepath.Join(top, "elsewhere"), filepath.Join(top, "journal")
	if err := os.Mkdir(elsewhere, 0o700); err != nil {
		t.Fatal(err)
	}
	link(t, elsewhere, dir)
	put(t, top, "precious", `{"schema":1}`+"\n")
	link(t, filepath.Join(top, "precious"), filepath.Join(elsewhere, "2020-01-01.jsonl"))
	put(t, elsewhere, "2020-01-02.jsonl", `{"schema":1}`+"\n")
	if err := Append(dir, Line{Time: day}); err != nil {
		t.Fatal(err)
	}
	if names := ls(t, elsewhere); !slices.Equal(names, []string{"2020-01-01.jsonl", "2026-11-01.jsonl"}) {
		t.Errorf("%q: of the old files the one that is ours goes, the link stays", names)
	}
	next := day.AddDate(0, 0, 1)
	link(t, filepath.Join(top, "precious"), filepath.Join(elsewhere, next.Format(time.DateOnly)+ext))
	if err := Append(dir, Line{Time: next}); err == nil {
		t.Error("a line was written through a link")
	}
	if raw, err := os.ReadFile(filepath.Join(top, "precious")); err != nil || string(raw) != `{"schema":1}`+"\n" {
		t.Errorf("%q, %v", raw, err)
	}
	// A link to nowhere is an error, and makes nothing there.
	nowhere := filepath.Join(top, "nowhere")
	link(t, filepath.Join(top, "missing"), nowhere)
	if err := Append(nowhere, Line{}); err == nil {
		t.Error("a link to nowhere: no error")
	}
	if _, err := os.Lstat(filepath.Join(top, "missing")); err == nil {
		t.Error("the end of the link was made")
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

// TestReadOnly runs as a user who may read the folder and not write it.
func TestReadOnly(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to become another user")
	}
	top, err := os.MkdirTemp("", "journal") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(top)
	dir, prog := filepath.Join(top, "journal"), filepath.Join(top, "prog")
	if err := Append(dir, Line{Time: day}); err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(prog, self, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{top, dir} {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(prog)
	c.Dir = top
	c.Env = append(os.Environ(), envDir+"="+dir, envName+"=1", envWhat+"=standard")
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "permission denied") {
		t.Errorf("%v: %s", err, out)
	}
	if names := ls(t, dir); len(names) != 1 {
		t.Errorf("%q", names)
	}
}
