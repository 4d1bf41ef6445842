package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/source"
)

// A command exits with 3 exactly when its receipt says "refused".
func TestRefusedIsExit3(t *testing.T) {
	for _, err := range []error{
		&bundle.MissingLockError{}, &bundle.UnsignedError{}, &bundle.SignatureError{}, &bundle.ThresholdError{}, &bundle.ArmorError{},
		&bundle.LockError{}, &bundle.SchemaError{}, &bundle.RollbackError{}, &bundle.SameReleaseError{}, &bundle.ExpiredError{},
		&bundle.ClockError{}, &bundle.PathError{}, &bundle.CollisionError{}, &bundle.FileMissingError{}, &bundle.ExtraFileError{},
		&bundle.KindError{}, &bundle.LFSError{}, &bundle.CarriageReturnError{}, &bundle.DigestError{}, &bundle.FileSizeError{},
		&bundle.ModeError{}, &bundle.LimitError{}, &bundle.RewrittenError{}, &bundle.NoReleaseError{},
		&source.TLSError{Err: errors.New("x")}, &source.RedirectError{}, &source.HostKeyError{},
		&pull.UntrustedError{},

		&source.UnreachableError{Err: errors.New("x")}, &source.TimeoutError{Err: errors.New("x")}, &source.NotFoundError{Err: errors.New("x")},
		&source.AuthError{Err: errors.New("x")}, &pull.ProofError{}, &pull.ArchiveError{}, &pull.FollowsError{}, &pull.NoGenerationError{},
		&pull.BusyError{}, &pull.TrustError{Err: errors.New("x")}, &bundle.PackError{}, errors.New("anything"),
	} {
		code, _ := advice(fmt.Errorf("sync: %w", err))
		if got := pull.Refused(err); got != (code == exitRefused) {
			t.Errorf("%T: refused %v, exit %d", err, got, code)
		}
	}
}

// What a machine does to a command is answered by what was left alone and by the
// command that mends it.
func TestAdviceOnTheMachine(t *testing.T) {
	dir := t.TempDir()
	full := syscall.ENOSPC
	if runtime.GOOS == "windows" {
		full = syscall.Errno(112) // ERROR_DISK_FULL
	}
	for _, tt := range []struct {
		err  error
		want []string
	}{
		{&fs.PathError{Op: "write", Path: dir, Err: full}, []string{"what ran before runs on", "make room on that disk"}},
		{&fs.PathError{Op: "mkdir", Path: filepath.Join(dir, "a", "b"), Err: fs.ErrPermission}, []string{"nothing was changed", "ls -ld " + shellQuoted(dir)}},
		{&files.ReadOnlyError{Path: dir}, []string{"nothing was changed", "ls -ld " + shellQuoted(dir)}},
		{context.Canceled, []string{"nothing was changed", "run the command again"}},
		{&pull.ConfigError{Path: "config.yaml", Err: errors.New("x")}, []string{"nothing was changed", "hookctl bundle schema config"}},
		{errHomeless, []string{"nothing was changed", "export HOME="}},
	} {
		_, hints := advice(fmt.Errorf("install: %w", tt.err))
		for _, want := range tt.want {
			if !strings.Contains(strings.Join(hints, "\n"), want) {
				t.Errorf("%v: %q, want %q", tt.err, hints, want)
			}
		}
	}
	var out strings.Builder
	e := &env{err: &out}
	if code := e.report(context.Canceled, "hookctl sync"); code != exitUsage || !strings.HasPrefix(out.String(), "hookctl: interrupted\n") {
		t.Errorf("exit %d: %s", code, out.String())
	}
}
