package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/sync/source"
)

// MissingLockError: there is no hookctl.lock.
type MissingLockError struct{}

func (*MissingLockError) Error() string { return LockName + " is missing" }

// UnsignedError: there is no hookctl.lock.sig, or no signature in it.
type UnsignedError struct{}

func (*UnsignedError) Error() string { return LockName + " is not signed" }

// SignatureError: no signature is a good one by an allowed key.
type SignatureError struct{ Rejected []Rejection }

// Rejection is one signature that does not count.
type Rejection struct {
	Fingerprint string // "SHA256:…"
	Why         string
}

func (e *SignatureError) Error() string {
	var list []string
	for _, r := range e.Rejected {
		list = append(list, r.Fingerprint+": "+r.Why)
	}
	return "no allowed signature of " + LockName + " (" + strings.Join(list, "; ") + ")"
}

// ThresholdError: fewer keys vouched than are demanded.
type ThresholdError struct {
	Got, Want int
	Signers   []string
}

func (e *ThresholdError) Error() string {
	return fmt.Sprintf("%d of %d signatures of %s (%s)", e.Got, e.Want, LockName, strings.Join(e.Signers, "; "))
}

// ArmorError: hookctl.lock.sig is not a list of armored SSH signatures.
type ArmorError struct {
	Line int // 1-based
	Why  string
}

func (e *ArmorError) Error() string { return fmt.Sprintf("%s, line %d: %s", SigName, e.Line, e.Why) }

// LockError: hookctl.lock cannot be read.
type LockError struct{ Why string }

func (e *LockError) Error() string { return LockName + ": " + e.Why }

// SchemaError: the lock is of a form that this hookctl does not know.
type SchemaError struct{ Got, Want int }

func (e *SchemaError) Error() string {
	return fmt.Sprintf("%s: schema %d, want %d", LockName, e.Got, e.Want)
}

// RollbackError: the release is lower than one that was accepted, or than one
// that came before it on the branch.
type RollbackError struct{ Got, Have int }

func (e *RollbackError) Error() string {
	return fmt.Sprintf("release %d after release %d", e.Got, e.Have)
}

// SameReleaseError: a release number is used again with another lock.
type SameReleaseError struct {
	Release   int
	Got, Have string // digests
}

func (e *SameReleaseError) Error() string {
	return fmt.Sprintf("release %d twice: %s, and before %s", e.Release, e.Got, e.Have)
}

// ExpiredError: the lock's time is over.
type ExpiredError struct{ Expires, Now time.Time }

func (e *ExpiredError) Error() string {
	return fmt.Sprintf("%s expired at %s", LockName, e.Expires.Format(time.RFC3339))
}

// ClockError: this machine's clock is behind the commit's time, so that nothing
// can be said about expiry.
type ClockError struct{ Now, Commit time.Time }

func (e *ClockError) Error() string {
	return fmt.Sprintf("clock suspect: it says %s, the commit is of %s", e.Now.Format(time.RFC3339), e.Commit.Format(time.RFC3339))
}

// PathError: a path that must not be in a bundle.
type PathError struct{ Path, Why string }

func (e *PathError) Error() string { return fmt.Sprintf("path %q: %s", e.Path, e.Why) }

// CollisionError: two paths that are one on some file systems.
type CollisionError struct{ A, B string }

func (e *CollisionError) Error() string {
	return fmt.Sprintf("paths %q and %q are the same file on some systems", e.A, e.B)
}

// FileMissingError: the lock names a file that is not there.
type FileMissingError struct{ Path string }

func (e *FileMissingError) Error() string { return e.Path + " is in the lock and missing" }

// ExtraFileError: a file that the lock does not name.
type ExtraFileError struct{ Path string }

func (e *ExtraFileError) Error() string { return e.Path + " is not in the lock" }

// KindError: a link, a submodule or something else in place of a file.
type KindError struct {
	Path string
	Kind source.Kind
}

func (e *KindError) Error() string { return fmt.Sprintf("%s is a %s, not a file", e.Path, e.Kind) }

// LFSError: a pointer to a file in place of the file.
type LFSError struct{ Path string }

func (e *LFSError) Error() string { return e.Path + " is a Git LFS pointer, not the file" }

// CarriageReturnError: a script with CRLF line ends, which breaks its first line.
type CarriageReturnError struct {
	Path string
	Line int // 1-based
}

func (e *CarriageReturnError) Error() string {
	return fmt.Sprintf("%s, line %d: CRLF line end in a script", e.Path, e.Line)
}

// DigestError: other bytes than the lock says.
type DigestError struct{ Path, Got, Want string }

func (e *DigestError) Error() string {
	return fmt.Sprintf("%s: sha256 %s, the lock says %s", e.Path, e.Got, e.Want)
}

// FileSizeError: more or fewer bytes than the lock says.
type FileSizeError struct {
	Path      string
	Got, Want int64
}

func (e *FileSizeError) Error() string {
	return fmt.Sprintf("%s: %d bytes, the lock says %d", e.Path, e.Got, e.Want)
}

// ModeError: another mode than the lock says.
type ModeError struct {
	Path      string
	Got, Want fs.FileMode
}

func (e *ModeError) Error() string {
	return fmt.Sprintf("%s: mode %04o, the lock says %04o", e.Path, e.Got, e.Want)
}

// LimitError: more than a bundle may hold.
type LimitError struct {
	What       string
	Limit, Got int64
}

func (e *LimitError) Error() string { return fmt.Sprintf("%d %s, limit %d", e.Got, e.What, e.Limit) }

// SignersError: a line of the allowed signers that cannot be used.
type SignersError struct {
	Line int // 1-based; 0 = the whole file
	Why  string
}

func (e *SignersError) Error() string {
	if e.Line == 0 {
		return "allowed signers: " + e.Why
	}
	return fmt.Sprintf("allowed signers, line %d: %s", e.Line, e.Why)
}

// CertAuthorityError: certificate authorities are not supported; the keys
// themselves must be listed.
type CertAuthorityError struct{ Line int }

func (e *CertAuthorityError) Error() string {
	return fmt.Sprintf("allowed signers, line %d: cert-authority is not supported", e.Line)
}

// PassphraseError: the private key is locked.
type PassphraseError struct {
	Fingerprint string // "" where the file does not tell, as older ones do not
	Wrong       bool   // a passphrase was given
}

func (e *PassphraseError) Error() string {
	if e.Wrong {
		return "the passphrase does not open the private key"
	}
	return "the private key is protected by a passphrase"
}

// KeyNotHeldError: the ssh-agent does not hold the key that was asked for.
type KeyNotHeldError struct {
	Key  string   // fingerprint or comment, as asked
	Held []string // the keys that it holds and that can sign a lock
}

func (e *KeyNotHeldError) Error() string {
	if len(e.Held) == 0 {
		return fmt.Sprintf("the ssh-agent holds no key %q, and none that can sign", e.Key)
	}
	return fmt.Sprintf("the ssh-agent holds no key %q; it holds %s", e.Key, strings.Join(e.Held, ", "))
}

// KeyNameError: several keys of the ssh-agent go by one comment.
type KeyNameError struct {
	Key string
	Are []string
}

func (e *KeyNameError) Error() string {
	return fmt.Sprintf("%d keys of the ssh-agent are called %q: %s", len(e.Are), e.Key, strings.Join(e.Are, ", "))
}

// AgentRefusedError: the ssh-agent did not sign.
type AgentRefusedError struct {
	Fingerprint string
	Err         error
}

func (e *AgentRefusedError) Error() string {
	return fmt.Sprintf("the ssh-agent did not sign with %s: %v", e.Fingerprint, e.Err)
}
func (e *AgentRefusedError) Unwrap() error { return e.Err }

// RewrittenError: the branch no longer holds the commit that was accepted last:
// it was force-pushed, or moved back.
type RewrittenError struct{ Old, New string }

func (e *RewrittenError) Error() string {
	return fmt.Sprintf("the branch was rewritten: %s is not in the history of %s", e.Old, e.New)
}

// ErrNothingNew is what a [NothingNewError] is.
var ErrNothingNew = errors.New("nothing new")

// NothingNewError: no release after the accepted one.
type NothingNewError struct {
	Pending int // commits that change the bundle and are in no release yet
}

func (e *NothingNewError) Error() string {
	return fmt.Sprintf("nothing new (%d commits wait for a release)", e.Pending)
}
func (e *NothingNewError) Is(target error) bool { return target == ErrNothingNew }

// NoReleaseError: the branch holds no release at all.
type NoReleaseError struct{ Pending int }

func (e *NoReleaseError) Error() string { return "the branch holds no signed release" }

// Refused reports whether err says that a release is not to be trusted, whatever
// it lacks. [Verify] and [Newest] give no other errors, but for those of reading.
func Refused(err error) bool {
	return IsFileError(err) || is[*MissingLockError](err) || is[*UnsignedError](err) || is[*SignatureError](err) || is[*ThresholdError](err) ||
		is[*ArmorError](err) || is[*LockError](err) || is[*SchemaError](err) || is[*RollbackError](err) || is[*SameReleaseError](err) ||
		is[*ExpiredError](err) || is[*ClockError](err) || is[*PathError](err) || is[*CollisionError](err) || is[*LimitError](err) ||
		is[*RewrittenError](err) || is[*NoReleaseError](err)
}

// IsFileError reports whether err is about one file of a bundle. [Verify] comes to
// the files last: signatures, lock, release and expiry were good. Of a program it
// is what was wrong with the bytes that are said to be it.
func IsFileError(err error) bool {
	return is[*FileMissingError](err) || is[*ExtraFileError](err) || is[*KindError](err) || is[*LFSError](err) ||
		is[*CarriageReturnError](err) || is[*DigestError](err) || is[*FileSizeError](err) || is[*ModeError](err) ||
		is[*NotProgramError](err) || is[*PlatformError](err)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
