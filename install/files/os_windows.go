package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// errSharingViolation is ERROR_SHARING_VIOLATION: another program has the file
// open without having shared its deletion.
const errSharingViolation syscall.Errno = 32

// replace renames, and waits up to two seconds for a program that holds the
// target open for a moment (virus scanners, the agent reading its settings).
func replace(from, to string) error {
	if fi, err := os.Lstat(to); err == nil && fi.Mode().Perm()&0o200 == 0 {
		os.Chmod(to, 0o600) // a read-only target cannot be renamed over
	}
	var err error
	for wait := 10 * time.Millisecond; wait < time.Second; wait *= 2 {
		err = os.Rename(from, to)
		if !errors.Is(err, errSharingViolation) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		time.Sleep(wait)
	}
	return err
}

// syncDir has nothing to do: a folder cannot be flushed here.
func syncDir(string) {}

// ownerDiffers is never true: a new file takes its owner and rights from the
// folder.
func ownerDiffers(fs.FileInfo) bool { return false }

func chownLike(*os.File, fs.FileInfo) error { return nil }

// makeRemovable takes the read-only attribute away, which forbids deletion.
func makeRemovable(path string, fi fs.FileInfo) error {
	if fi.Mode()&fs.ModeSymlink == 0 && fi.Mode().Perm()&0o200 == 0 {
		return os.Chmod(path, 0o600)
	}
	return nil
}

// syncFile has nothing to do: flushing needs the right to write, which a
// read-only file does not give; the rename after it is journalled.
func syncFile(string) error { return nil }

// mayWrite looks at the read-only attribute; rights beyond it show when the file
// is replaced.
func mayWrite(_ string, fi fs.FileInfo) bool { return fi.Mode().Perm()&0o200 != 0 }
