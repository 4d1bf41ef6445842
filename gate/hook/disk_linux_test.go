package hook_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// fullDisk puts a file system without a free byte at dir.
func fullDisk(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4k,nr_inodes=8"); err != nil {
		t.Skip("a file system cannot be mounted here: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	// The fill may end early with an error: that is the point.
	_ = os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 1<<20), 0o600)
}
