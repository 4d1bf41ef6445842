package main

import (
	"errors"
	"fmt"
	"testing"

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
