//go:build !windows

package journal

import "syscall"

// noHang keeps the open from waiting when a pipe stands in the file's place.
const noHang = syscall.O_NONBLOCK
