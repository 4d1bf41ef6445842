//go:build !windows

package transcript

import "syscall"

const noHang = syscall.O_NONBLOCK
