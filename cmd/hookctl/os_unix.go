//go:build !windows

package main

import (
	"errors"
	"os"
	"syscall"
)

// openTerminal opens the terminal of the process, whatever its streams are.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

// closeToOthers keeps what libraries write (go-git's quarantine) from being
// writable by everybody, whatever the user's umask.
func closeToOthers() { syscall.Umask(syscall.Umask(0o022) | 0o022) }

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func diskReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
