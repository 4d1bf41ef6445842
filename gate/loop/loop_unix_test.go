//go:build !windows

package loop

import (
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
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(prog, self, 0o755); err != nil {
		t.Fatal(err)
	}
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
