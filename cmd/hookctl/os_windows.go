package main

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// openTerminal is the console that the process reads from.
func openTerminal() (io.ReadWriteCloser, error) { return console{}, nil }

type console struct{}

func (console) Read(b []byte) (int, error)  { return os.Stdin.Read(b) }
func (console) Write(b []byte) (int, error) { return os.Stderr.Write(b) }
func (console) Close() error                { return nil }

func closeToOthers() {} // the folder's rights decide

// ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL and ERROR_WRITE_PROTECT, of winerror.h.
func diskFull(err error) bool {
	return errors.Is(err, syscall.Errno(39)) || errors.Is(err, syscall.Errno(112))
}

func diskReadOnly(err error) bool { return errors.Is(err, syscall.Errno(19)) }
