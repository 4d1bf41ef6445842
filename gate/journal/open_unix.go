//go:build !windows

package journal

import "syscall"

// plain keeps an open from waiting when a pipe stands in the file's place, and
// from following a link.
const plain = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
