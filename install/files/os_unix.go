//go:build !windows

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func replace(from, to string) error { return os.Rename(from, to) }

// syncDir makes a rename last through a power cut. Some file systems refuse to
// flush a folder; the rename has happened then all the same.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// ownerDiffers reports whether a file made now would have another owner than
// old, and we may set it.
func ownerDiffers(old fs.FileInfo) bool {
	st, ok := old.Sys().(*syscall.Stat_t)
	return ok && os.Geteuid() == 0 && (st.Uid != 0 || st.Gid != 0)
}

func chownLike(f *os.File, old fs.FileInfo) error {
	st := old.Sys().(*syscall.Stat_t)
	return f.Chown(int(st.Uid), int(st.Gid))
}

// makeRemovable has nothing to do: the folder's permission decides.
func makeRemovable(string, fs.FileInfo) error { return nil }

// syncFile flushes a file; reading rights are enough.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// mayWrite asks the system, without opening the file: programs watch it.
func mayWrite(path string, _ fs.FileInfo) bool {
	const writing = 2 // W_OK
	return syscall.Access(path, writing) == nil
}
