//go:build !windows

package journal

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestPipe: a pipe in the file's place is an error at once.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	now := time.Now().UTC()
	if err := syscall.Mkfifo(filepath.Join(dir, now.Format(time.DateOnly)+ext), 0o600); err != nil {
		t.Skip(err)
	}
	if err := Append(dir, Line{Time: now}); err == nil {
		t.Error("no error")
	}
	if err := Read(dir, func(Line) bool { return true }); err != nil {
		t.Error(err)
	}
}

// TestFullDisk writes to the device that is always full.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	now := time.Now().UTC()
	if err := os.Symlink("/dev/full", filepath.Join(dir, now.Format(time.DateOnly)+ext)); err != nil {
		t.Skip(err)
	}
	if err := Append(dir, Line{Time: now}); err == nil {
		t.Error("no error")
	}
}
