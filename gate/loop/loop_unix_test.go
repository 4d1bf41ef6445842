//go:build !windows

package loop

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadOnly runs as a user who may read the folder and not write it: counts
// are told, Add fails, Claim says that it cannot know.
func TestReadOnly(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to become another user")
	}
	top, err := os.MkdirTemp("", "loop") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(top)
	dir := filepath.Join(top, "store")
	if err := (Store{dir}).Add("s", "t", "g"); err != nil {
		t.Fatal(err)
	}
	prog := filepath.Join(top, "prog")
	copyFile(t, os.Args[0], prog)
	for _, p := range []string{top, dir, prog} {
		if err := os.Chmod(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(prog)
	c.Dir = top
	c.Env = append(os.Environ(), envDir+"="+dir, envWhat+"=closed")
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := c.CombinedOutput()
	if err != nil || string(out) != "count 1 true\nadd true\nclaim true true\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err = out.Close(); err != nil {
		t.Fatal(err)
	}
}
