//go:build !windows

package main

import "os"

// openTerminal opens the terminal of the process, whatever its streams are.
func openTerminal() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }
