// Package bundle turns untrusted bytes into a [Verified] bundle, here and nowhere
// else: signatures of the lock by allowed keys, a growing release, and every
// file's kind, digest, size and mode. It owns hookctl.lock, hookctl.lock.sig and
// the list of allowed signers, and makes the compiled rules. It never installs,
// never writes and asks no clock: the time is given to it.
package bundle

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/source"
)

// The names of the files that stand beside the bundle's own.
const (
	LockName = "hookctl.lock"
	SigName  = "hookctl.lock.sig"
	Manifest = "hookctl.yaml"
)

// Limits of a bundle.
const (
	MaxFiles = 10_000
	MaxFile  = 4 << 20  // bytes of one file
	MaxBytes = 64 << 20 // bytes of all files
	MaxLock  = 4 << 20
	MaxSig   = 64 << 10
)

// Owns tells whether a path of a repository belongs to the bundle. Everything
// else there (README.md, .github/) is neither checked nor installed.
func Owns(p string) bool {
	top, _, folder := strings.Cut(p, "/")
	if !folder {
		return p == Manifest
	}
	return top == "gates" || top == "hooks" || top == "cases"
}

// Verified is a bundle whose signers and every byte have been checked. Only
// [Verify] and [Embedded] make one that holds anything; the zero value has no
// files and permits nothing.
type Verified struct {
	digest  string
	commit  string
	lock    Lock
	lockRaw []byte
	sigRaw  []byte
	signers []string
	files   map[string]File
	outside lookup // where the programs lie that the lock names by a path
}

// File is one checked file: the very bytes that were hashed.
type File struct {
	Data   []byte
	Mode   fs.FileMode // 0o644 or 0o755
	SHA256 string      // hex
}

// Digest names the bundle: "sha256:" and the hash of the lock's bytes.
func (v Verified) Digest() string { return v.digest }

// Release is the lock's number; 0 is the embedded bundle.
func (v Verified) Release() int { return v.lock.Release }

// Commit is where the bundle was found, "" when it came from no commit.
func (v Verified) Commit() string { return v.commit }

// Expires is when the lock ends to be accepted; zero means never.
func (v Verified) Expires() time.Time { return v.lock.Expires }

// Signers lists who vouched: the principals and the fingerprint of each key. It
// is empty for the embedded bundle, which the program itself vouches for.
func (v Verified) Signers() []string { return slices.Clone(v.signers) }

// Files is every file of the bundle by its path, without lock and signature.
// The bytes are shared: they must not be changed.
func (v Verified) Files() map[string]File { return maps.Clone(v.files) }

// Lock is the lock as read.
func (v Verified) Lock() Lock { return v.lock.clone() }

// LockBytes is hookctl.lock as it was signed.
func (v Verified) LockBytes() []byte { return slices.Clone(v.lockRaw) }

// SigBytes is hookctl.lock.sig; empty for the embedded bundle.
func (v Verified) SigBytes() []byte { return slices.Clone(v.sigRaw) }

// FS shows the files for reading.
func (v Verified) FS() fs.FS {
	files := map[string]viewFile{}
	for name, f := range v.files {
		files[name] = viewFile{Mode: f.Mode, Size: int64(len(f.Data)), Read: func() ([]byte, error) { return f.Data, nil }}
	}
	return viewOf(files)
}

// Embedded is the bundle that this program carries, as release 0.
func Embedded() (Verified, error) {
	return unsigned(manifests.Embedded())
}

func unsigned(fsys fs.FS) (Verified, error) {
	c, err := FromFS(fsys)
	if err != nil {
		return Verified{}, err
	}
	lock, raw, err := makeLock(c.Entries, LockOptions{}, "", nil)
	if err != nil {
		return Verified{}, err
	}
	files, err := match(lock, c.Entries)
	if err != nil {
		return Verified{}, err
	}
	return Verified{digest: Digest(raw), lock: lock, lockRaw: raw, files: files}, nil
}

// Entry is one untrusted file, link or submodule.
type Entry struct {
	Path string
	Kind source.Kind
	Size int64                  // bytes, as announced
	Read func() ([]byte, error) // called only when Size is within the limits
}

// Candidate is what may become Verified. Lock and Sig are nil when missing.
type Candidate struct {
	Entries   []Entry
	Lock, Sig []byte
	Commit    string
	Time      time.Time // the commit's; zero when there is none

	outside lookup // files beside the bundle's own; nil = none
}

// FromCommit reads a candidate from a commit in quarantine.
func FromCommit(r *source.Repo, c source.Commit) (Candidate, error) {
	tree, err := r.Tree(c.Hash)
	if err != nil {
		return Candidate{}, err
	}
	var entries []Entry
	for _, e := range tree.Entries() {
		entries = append(entries, Entry{
			Path: e.Path, Kind: e.Kind, Size: e.Size,
			Read: func() ([]byte, error) { return tree.ReadFile(e.Path) },
		})
	}
	cand, err := candidate(entries, c.Hash, c.Time)
	cand.outside = func(p string) (Entry, bool) {
		e, ok := tree.Entry(p)
		return Entry{Path: p, Kind: e.Kind, Size: e.Size, Read: func() ([]byte, error) { return tree.ReadFile(p) }}, ok
	}
	return cand, err
}

// FromFS reads a candidate from a folder: a checked-out repository, or an
// installed generation. A file counts as executable when any of its execute bits
// is set.
func FromFS(fsys fs.FS) (Candidate, error) {
	entries, err := walk(fsys)
	if err != nil {
		return Candidate{}, err
	}
	c, err := candidate(entries, "", time.Time{})
	c.outside = outsideFS(fsys)
	return c, err
}

// walk lists the bundle's files, the lock and the signature.
func walk(fsys fs.FS) ([]Entry, error) {
	var entries []Entry
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path.Dir(p) == "." && p != "." && !Owns(p+"/x"):
			return fs.SkipDir
		case d.IsDir(), !Owns(p) && p != LockName && p != SigName:
			return nil
		case len(entries) > MaxFiles+2:
			return &LimitError{What: "files", Limit: MaxFiles, Got: int64(len(entries))}
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		entries = append(entries, entryOf(fsys, p, info, MaxFile))
		return nil
	})
	return entries, err
}

// entryOf is one file of a folder, of which limit bytes and one more are read.
func entryOf(fsys fs.FS, p string, info fs.FileInfo, limit int64) Entry {
	e := Entry{Path: p, Size: info.Size(), Read: func() ([]byte, error) { return readFS(fsys, p, limit) }}
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		e.Kind = source.Symlink
	case !mode.IsRegular():
		e.Kind = source.Unknown
	case mode&0o111 != 0:
		e.Kind = source.Exec
	default:
		e.Kind = source.File
	}
	return e
}

func candidate(all []Entry, commit string, t time.Time) (Candidate, error) {
	c := Candidate{Commit: commit, Time: t}
	for _, e := range all {
		var err error
		switch {
		case e.Path == LockName:
			c.Lock, err = load(e, MaxLock)
		case e.Path == SigName:
			c.Sig, err = load(e, MaxSig)
		case Owns(e.Path):
			c.Entries = append(c.Entries, e)
		}
		if err != nil {
			return Candidate{}, err
		}
	}
	return c, nil
}

// load reads one entry that must be a regular file within limit bytes.
func load(e Entry, limit int64) ([]byte, error) {
	if e.Kind != source.File && e.Kind != source.Exec {
		return nil, &KindError{Path: e.Path, Kind: e.Kind}
	}
	if e.Size > limit {
		return nil, &LimitError{What: "bytes in " + e.Path, Limit: limit, Got: e.Size}
	}
	b, err := e.Read()
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, &LimitError{What: "bytes in " + e.Path, Limit: limit, Got: int64(len(b))}
	}
	if b == nil {
		b = []byte{} // empty is not missing
	}
	return b, nil
}
