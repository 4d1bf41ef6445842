package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/sync/source"
)

// LockSchema is the version of hookctl.lock.
const LockSchema = 1

// DefaultNewBlocks is the share of stops that a release may newly block when its
// lock says nothing.
const DefaultNewBlocks = 0.005

// Lock is hookctl.lock: what a release consists of.
type Lock struct {
	Schema            int                 `json:"schema"`
	Release           int                 `json:"release"`          // > 0, growing
	Expires           time.Time           `json:"expires,omitzero"` // zero = never
	ExpectedNewBlocks float64             `json:"expected_new_blocks"`
	Base              string              `json:"base,omitempty"`     // digest of the embedded bundle that it was locked on top of
	Files             map[string]LockFile `json:"files"`              // by slash path
	Binaries          map[string]Binary   `json:"binaries,omitempty"` // by platform: "linux/amd64"
}

// LockFile is what one file must be.
type LockFile struct {
	SHA256 string `json:"sha256"` // lower-case hex
	Size   int64  `json:"size"`
	Mode   string `json:"mode"` // "0644" or "0755"
}

func (l Lock) clone() Lock {
	l.Files = maps.Clone(l.Files)
	l.Binaries = maps.Clone(l.Binaries)
	return l
}

func (f LockFile) perm() fs.FileMode {
	if f.Mode == "0755" {
		return 0o755
	}
	return 0o644
}

// Digest names a bundle by the bytes of its lock.
func Digest(lock []byte) string {
	return "sha256:" + sum(lock)
}

// isSum tells a SHA-256 in lower-case hex.
func isSum(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == sha256.Size && hex.EncodeToString(raw) == s
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// LockOptions is what a lock says besides the files.
type LockOptions struct {
	Release           int       // > 0
	Expires           time.Time // zero = never
	ExpectedNewBlocks float64   // 0 = DefaultNewBlocks
	// Exec tells whether a file is executable, for file systems that do not
	// know; nil means the file's own bits.
	Exec func(path string) bool
}

// MakeLock describes the bundle in fsys. The same files and options give the same
// bytes. It refuses what [Verify] would refuse, so that no release is made that
// no machine accepts. Digests of programs that have an address are taken from
// hookctl.yaml; nothing is downloaded.
func MakeLock(fsys fs.FS, o LockOptions) (Lock, []byte, error) {
	if o.Release <= 0 {
		return Lock{}, nil, &LockError{Why: fmt.Sprintf("release %d, want 1 or more", o.Release)}
	}
	entries, err := walk(fsys)
	if err != nil {
		return Lock{}, nil, err
	}
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return !Owns(e.Path) })
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.Path == Manifest }) {
		return Lock{}, nil, &FileMissingError{Path: Manifest}
	}
	base, err := baseOf(fsys)
	if err != nil {
		return Lock{}, nil, err
	}
	binaries, err := Binaries(fsys)
	if err != nil {
		return Lock{}, nil, err
	}
	for i, e := range entries {
		if o.Exec == nil || e.Kind != source.File && e.Kind != source.Exec {
			continue
		}
		entries[i].Kind = source.File
		if o.Exec(e.Path) {
			entries[i].Kind = source.Exec
		}
	}
	return makeLock(entries, o, base, binaries)
}

func makeLock(entries []Entry, o LockOptions, base string, binaries map[string]Binary) (Lock, []byte, error) {
	l := Lock{
		Schema: LockSchema, Release: o.Release, Expires: o.Expires.UTC().Truncate(time.Second),
		ExpectedNewBlocks: o.ExpectedNewBlocks, Base: base, Files: map[string]LockFile{}, Binaries: binaries,
	}
	if o.Expires.IsZero() {
		l.Expires = time.Time{}
	}
	if l.ExpectedNewBlocks == 0 {
		l.ExpectedNewBlocks = DefaultNewBlocks
	}
	for _, e := range entries {
		b, err := load(e, MaxFile)
		if err != nil {
			return Lock{}, nil, err
		}
		f := LockFile{SHA256: sum(b), Size: int64(len(b)), Mode: "0644"}
		if e.Kind == source.Exec {
			f.Mode = "0755"
		}
		l.Files[e.Path] = f
	}
	if err := l.check(); err != nil {
		return Lock{}, nil, err
	}
	if _, err := match(l, entries); err != nil {
		return Lock{}, nil, err
	}
	b, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return Lock{}, nil, err
	}
	b = append(b, '\n')
	if len(b) > MaxLock {
		return Lock{}, nil, &LimitError{What: "bytes in " + LockName, Limit: MaxLock, Got: int64(len(b))}
	}
	return l, b, nil
}

// ParseLock reads hookctl.lock. Unknown names, names in other letter case,
// duplicate names, null, and anything after the object are errors: two readers
// of one lock must not be able to see two different things.
func ParseLock(b []byte) (Lock, error) {
	if len(b) > MaxLock {
		return Lock{}, &LimitError{What: "bytes in " + LockName, Limit: MaxLock, Got: int64(len(b))}
	}
	if !utf8.Valid(b) {
		return Lock{}, &LockError{Why: "not UTF-8"}
	}
	var head struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return Lock{}, &LockError{Why: err.Error()}
	}
	if head.Schema != LockSchema {
		return Lock{}, &SchemaError{Got: head.Schema, Want: LockSchema}
	}
	seen, err := strict(b)
	if err != nil {
		return Lock{}, &LockError{Why: err.Error()}
	}
	var l Lock
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return Lock{}, &LockError{Why: err.Error()}
	}
	if !seen["expected_new_blocks"] {
		l.ExpectedNewBlocks = DefaultNewBlocks
	}
	if l.Release <= 0 {
		return Lock{}, &LockError{Why: fmt.Sprintf("release %d, want 1 or more", l.Release)}
	}
	if seen["expires"] && l.Expires.IsZero() {
		return Lock{}, &LockError{Why: "expires is no date"}
	}
	if err := l.check(); err != nil {
		return Lock{}, err
	}
	return l, nil
}

// check looks at everything that can be said without the files.
func (l Lock) check() error {
	if len(l.Files) > MaxFiles {
		return &LimitError{What: "files", Limit: MaxFiles, Got: int64(len(l.Files))}
	}
	if l.ExpectedNewBlocks < 0 || l.ExpectedNewBlocks > 1 {
		return &LockError{Why: "expected_new_blocks is not between 0 and 1"}
	}
	if hash, ok := strings.CutPrefix(l.Base, "sha256:"); l.Base != "" && (!ok || !isSum(hash)) {
		return &LockError{Why: "base is no digest"}
	}
	if _, ok := l.Files[Manifest]; !ok {
		return &FileMissingError{Path: Manifest}
	}
	paths := slices.Sorted(maps.Keys(l.Files))
	if err := checkPaths(paths); err != nil {
		return err
	}
	var total int64
	for _, p := range paths {
		f := l.Files[p]
		switch {
		case !isSum(f.SHA256):
			return &LockError{Why: fmt.Sprintf("sha256 of %q", p)}
		case f.Mode != "0644" && f.Mode != "0755":
			return &LockError{Why: fmt.Sprintf("mode %q of %q, want 0644 or 0755", f.Mode, p)}
		case f.Size < 0:
			return &LockError{Why: fmt.Sprintf("size %d of %q", f.Size, p)}
		case f.Size > MaxFile:
			return &LimitError{What: "bytes in " + p, Limit: MaxFile, Got: f.Size}
		}
		if total += f.Size; total > MaxBytes {
			return &LimitError{What: "bytes in all files", Limit: MaxBytes, Got: total}
		}
	}
	return l.checkBinaries()
}

// The names that may stand in each object of a lock.
var (
	lockNames   = []string{"schema", "release", "expires", "expected_new_blocks", "base", "files", "binaries"}
	fileNames   = []string{"sha256", "size", "mode"}
	binaryNames = []string{"url", "path", "sha256", "size"}
)

// strict reads the whole of b as one object and refuses what encoding/json lets
// pass. It returns the topmost names.
func strict(b []byte) (map[string]bool, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	top, err := object(d, lockNames, func(name string) error {
		switch name {
		case "files":
			return nested(d, fileNames)
		case "binaries":
			return nested(d, binaryNames)
		}
		return scalar(d)
	})
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something after the object")
	}
	return top, nil
}

// nested reads an object of objects that may hold names.
func nested(d *json.Decoder, names []string) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("a value that should be an object")
	}
	_, err := object(d, nil, func(string) error {
		if t, err := d.Token(); err != nil || t != json.Delim('{') {
			return errors.New("a value that should be an object")
		}
		_, err := object(d, names, func(string) error { return scalar(d) })
		return err
	})
	return err
}

func object(d *json.Decoder, names []string, value func(name string) error) (map[string]bool, error) {
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		switch {
		case !ok:
			return nil, errors.New("a name that is no string")
		case names != nil && !slices.Contains(names, name):
			return nil, fmt.Errorf("unknown name %q", name)
		case seen[name]:
			return nil, fmt.Errorf("name %q twice", name)
		}
		seen[name] = true
		if err := value(name); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
	}
	_, err := d.Token() // the closing brace
	return seen, err
}

func scalar(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	switch t.(type) {
	case string, json.Number:
		return nil
	}
	return fmt.Errorf("%v, want a word or a number", t)
}
