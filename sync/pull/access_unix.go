//go:build !windows

package pull

import "golang.org/x/sys/unix"

// mayWrite asks the system whether this user may write a path.
func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }
