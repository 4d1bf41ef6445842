package bundle

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/sync/source"
)

// clockSlack is how far a commit may lie ahead of this machine's clock. The
// clocks of the people who commit are not better than ours.
const clockSlack = time.Hour

// Trust is what a candidate is measured by. The zero value accepts nothing.
type Trust struct {
	Signers   Signers
	Threshold int       // how many keys must vouch; less than 1 means 1
	Now       time.Time // one time for the whole of a sync
	// MinRelease is the highest release that was ever accepted, and LastDigest
	// its digest ("" = not known): a lower release is refused, and the same
	// release with another lock.
	MinRelease int
	LastDigest string
}

// Verify checks c by t, in this order: sizes, signatures, the lock, its release,
// its expiry, every file. Nothing of the lock is believed before a signature of
// it counts. Each refusal is an error of its own type.
func Verify(c Candidate, t Trust) (Verified, error) {
	signers, err := verifySignatures(c.Lock, c.Sig, t)
	if err != nil {
		return Verified{}, err
	}
	lock, err := ParseLock(c.Lock)
	if err != nil {
		return Verified{}, err
	}
	digest := Digest(c.Lock)
	if err := t.accepts(lock, digest, c.Time); err != nil {
		return Verified{}, err
	}
	files, err := match(lock, c.Entries)
	if err != nil {
		return Verified{}, err
	}
	v := Verified{
		digest: digest, commit: c.Commit, lock: lock, lockRaw: slices.Clone(c.Lock), sigRaw: slices.Clone(c.Sig),
		signers: signers, files: files,
	}
	if len(lock.programs()) > 0 {
		v.outside = c.outside
	}
	return v, nil
}

// verifySignatures names who vouches for lock: one word per key.
func verifySignatures(lock, sig []byte, t Trust) ([]string, error) {
	switch {
	case lock == nil:
		return nil, &MissingLockError{}
	case len(lock) > MaxLock:
		return nil, &LimitError{What: "bytes in " + LockName, Limit: MaxLock, Got: int64(len(lock))}
	case len(sig) > MaxSig:
		return nil, &LimitError{What: "bytes in " + SigName, Limit: MaxSig, Got: int64(len(sig))}
	}
	sigs, err := parseSignatures(sig)
	if err != nil {
		return nil, err
	}
	if len(sigs) == 0 {
		return nil, &UnsignedError{}
	}
	var signers []string
	var rejected []Rejection
	counted := map[string]bool{}
	for _, s := range sigs {
		line, why := t.Signers.vouch(s.PublicKey, t.Now)
		if why == "" {
			why = good(lock, s)
		}
		if why != "" {
			key := Signer{Key: s.PublicKey}
			rejected = append(rejected, Rejection{Fingerprint: key.Fingerprint(), Why: why})
			continue
		}
		if f := line.Fingerprint(); !counted[f] {
			counted[f] = true
			signers = append(signers, strings.Join(line.Principals, ",")+" "+f)
		}
	}
	switch {
	case len(signers) == 0:
		return nil, &SignatureError{Rejected: rejected}
	case len(signers) < t.Threshold:
		return nil, &ThresholdError{Got: len(signers), Want: t.Threshold, Signers: signers}
	}
	return signers, nil
}

func (t Trust) accepts(l Lock, digest string, commit time.Time) error {
	switch {
	case l.Release < t.MinRelease:
		return &RollbackError{Got: l.Release, Have: t.MinRelease}
	case l.Release == t.MinRelease && t.LastDigest != "" && digest != t.LastDigest:
		return &SameReleaseError{Release: l.Release, Got: digest, Have: t.LastDigest}
	case t.Now.IsZero() || t.Now.Add(clockSlack).Before(commit):
		return &ClockError{Now: t.Now, Commit: commit}
	case !l.Expires.IsZero() && !t.Now.Before(l.Expires):
		return &ExpiredError{Expires: l.Expires, Now: t.Now}
	}
	return nil
}

// match compares every file with the lock, which has passed its own check.
func match(l Lock, entries []Entry) (map[string]File, error) {
	byPath := make(map[string]Entry, len(entries))
	for _, e := range entries {
		if !Owns(e.Path) {
			continue
		}
		if _, ok := byPath[e.Path]; ok {
			return nil, &PathError{Path: e.Path, Why: "twice"}
		}
		byPath[e.Path] = e
		if len(byPath) > MaxFiles {
			return nil, &LimitError{What: "files", Limit: MaxFiles, Got: int64(len(byPath))}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		if _, ok := l.Files[p]; !ok {
			return nil, &ExtraFileError{Path: p}
		}
	}
	files := make(map[string]File, len(l.Files))
	for _, p := range slices.Sorted(maps.Keys(l.Files)) {
		e, ok := byPath[p]
		if !ok {
			return nil, &FileMissingError{Path: p}
		}
		f, err := matchFile(e, l.Files[p])
		if err != nil {
			return nil, err
		}
		files[p] = f
	}
	return files, nil
}

// matchFile looks first for what a person can understand (a pointer, a changed
// line end) and then at the digest, which catches everything.
func matchFile(e Entry, want LockFile) (File, error) {
	b, err := load(e, MaxFile)
	if err != nil {
		return File{}, err
	}
	if isLFSPointer(b) {
		return File{}, &LFSError{Path: e.Path}
	}
	if i := bytes.IndexByte(b, '\r'); i >= 0 && isScript(e, b) {
		return File{}, &CarriageReturnError{Path: e.Path, Line: 1 + bytes.Count(b[:i], []byte("\n"))}
	}
	if n := int64(len(b)); n != want.Size {
		return File{}, &FileSizeError{Path: e.Path, Got: n, Want: want.Size}
	}
	if got := sum(b); got != want.SHA256 {
		return File{}, &DigestError{Path: e.Path, Got: got, Want: want.SHA256}
	}
	mode := fs.FileMode(0o644)
	if e.Kind == source.Exec {
		mode = 0o755
	}
	if mode != want.perm() {
		return File{}, &ModeError{Path: e.Path, Got: mode, Want: want.perm()}
	}
	return File{Data: b, Mode: mode, SHA256: want.SHA256}, nil
}

func isLFSPointer(b []byte) bool {
	return len(b) < 1024 && bytes.HasPrefix(b, []byte("version https://git-lfs.github.com/spec/"))
}

// isScript tells a text that an interpreter reads by its lines from data and from
// the scripts of Windows, which may hold CRLF.
func isScript(e Entry, b []byte) bool {
	if !strings.HasPrefix(e.Path, "hooks/") || bytes.IndexByte(b[:min(len(b), 8000)], 0) >= 0 {
		return false
	}
	switch strings.ToLower(path.Ext(e.Path)) {
	case ".bat", ".cmd", ".ps1":
		return false
	case ".sh", ".bash", ".zsh", ".py", ".rb", ".pl", ".js", ".mjs", ".cjs", ".ts":
		return true
	}
	return e.Kind == source.Exec || bytes.HasPrefix(b, []byte("#!"))
}

// String is for messages: a Verified never prints its files.
func (v Verified) String() string {
	return fmt.Sprintf("release %d (%s)", v.lock.Release, v.digest)
}
