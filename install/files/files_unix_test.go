//go:build !windows

package files

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestUmask wants modes to be what was asked for under any umask.
func TestUmask(t *testing.T) {
	for _, mask := range []int{0, 0o77} {
		dir := t.TempDir()
		old := syscall.Umask(mask)
		l := &Layer{}
		err := l.WriteFile(filepath.Join(dir, "a"), nil, 0o644)
		_, err2 := l.MkdirAll(filepath.Join(dir, "d"), 0o755)
		syscall.Umask(old)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		want(t, filepath.Join(dir, "a"), "", 0o644)
		if fi, err := os.Stat(filepath.Join(dir, "d")); err != nil || fi.Mode().Perm() != 0o755 {
			t.Errorf("umask %o: folder %v %v", mask, fi.Mode(), err)
		}
	}
}

func TestOwnerKept(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	path := filepath.Join(t.TempDir(), "a")
	put(t, path, "old", 0o600)
	if err := os.Chown(path, 4711, 4712); err != nil {
		t.Fatal(err)
	}
	l := &Layer{}
	if err := l.WriteFileIfUnchanged(path, []byte("old"), []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st := fi.Sys().(*syscall.Stat_t); st.Uid != 4711 || st.Gid != 4712 || fi.Mode().Perm() != 0o600 {
		t.Errorf("owner %d:%d, mode %o", st.Uid, st.Gid, fi.Mode().Perm())
	}
}
