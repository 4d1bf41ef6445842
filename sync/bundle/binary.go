package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/source"
)

// Limits of the programs that a release brings. hookctl has 14 to 24 MB,
// depending on the platform.
const (
	MaxBinary   = source.MaxObject // bytes of one
	MaxBinaries = 32               // platforms
	MaxPrograms = 512 << 20        // bytes of all that lie in the repository
)

// Binary is hookctl itself for one platform: where it is, and what must be there.
type Binary struct {
	URL    string `json:"url,omitempty"`  // https, or
	Path   string `json:"path,omitempty"` // in the repository, outside the bundle's own folders
	SHA256 string `json:"sha256"`         // lower-case hex
	Size   int64  `json:"size"`           // bytes
}

// Where is the path or the address, for messages.
func (b Binary) Where() string { return b.Path + b.URL }

// checkBinaries looks at everything that can be said without the programs.
func (l Lock) checkBinaries() error {
	if len(l.Binaries) > MaxBinaries {
		return &LimitError{What: "binaries", Limit: MaxBinaries, Got: int64(len(l.Binaries))}
	}
	var total int64
	seen := map[string]Binary{} // by path: platforms may share one
	for _, platform := range slices.Sorted(maps.Keys(l.Binaries)) {
		b := l.Binaries[platform]
		if err := b.check(platform); err != nil {
			return err
		}
		if b.Path == "" {
			continue
		}
		if other, ok := seen[b.Path]; ok {
			if other != b {
				return &LockError{Why: fmt.Sprintf("binary %q: %s is another one elsewhere in it", platform, b.Path)}
			}
			continue
		}
		seen[b.Path] = b
		if total += b.Size; total > MaxPrograms {
			return &LimitError{What: "bytes in all binaries of the repository", Limit: MaxPrograms, Got: total}
		}
	}
	return nil
}

func (b Binary) check(platform string) error {
	bad := func(err error) error { return &LockError{Why: fmt.Sprintf("binary %q: %v", platform, err)} }
	if err := manifests.CheckPlatform(platform); err != nil {
		return bad(err)
	}
	switch {
	case (b.Path == "") == (b.URL == ""):
		return bad(errors.New("want either path or url"))
	case !isSum(b.SHA256):
		return bad(errors.New("its sha256"))
	case b.Size <= 0:
		return bad(fmt.Errorf("size %d", b.Size))
	case b.Size > MaxBinary:
		return &LimitError{What: "bytes in the binary for " + platform, Limit: MaxBinary, Got: b.Size}
	case b.Path == "":
		if err := manifests.CheckBinaryURL(b.URL); err != nil {
			return bad(err)
		}
		return nil
	case Owns(b.Path) || b.Path == LockName || b.Path == SigName:
		return bad(errors.New("it lies among the bundle's own files"))
	}
	return checkName(b.Path)
}

// Binaries lists the programs that the hookctl.yaml in fsys names, with the
// digest and size of those that lie there.
func Binaries(fsys fs.FS) (map[string]Binary, error) {
	raw, err := fs.ReadFile(fsys, Manifest)
	if err != nil {
		return nil, err
	}
	m, err := manifests.ParseBundle(raw)
	if err != nil || len(m.Binaries) == 0 {
		return nil, err
	}
	out := map[string]Binary{}
	for _, platform := range slices.Sorted(maps.Keys(m.Binaries)) {
		b := m.Binaries[platform]
		if b.URL != "" {
			out[platform] = Binary{URL: b.URL, SHA256: b.SHA256, Size: b.Size}
			continue
		}
		data, err := loadBinary(outsideFS(fsys), b.Path)
		if is[*FileMissingError](err) {
			err = fmt.Errorf("%s names %s, which is missing", Manifest, b.Path)
		}
		if err != nil {
			return nil, err
		}
		out[platform] = Binary{Path: b.Path, SHA256: sum(data), Size: int64(len(data))}
	}
	return out, nil
}

// programs are path and size of the programs that lie in the repository.
func (l Lock) programs() map[string]int64 {
	out := map[string]int64{}
	for _, b := range l.Binaries {
		if b.Path != "" {
			out[b.Path] = b.Size
		}
	}
	return out
}

// Platform is this machine's, as a lock names it.
func Platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// lookup finds a file that is not among the bundle's own.
type lookup func(path string) (Entry, bool)

// outsideFS looks a file up in a folder. A folder that is a link is one in Git
// too, where nothing lies below a link.
func outsideFS(fsys fs.FS) lookup {
	return func(p string) (Entry, bool) {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if info, err := fs.Lstat(fsys, dir); err != nil || !info.IsDir() {
				return Entry{}, false
			}
		}
		info, err := fs.Lstat(fsys, p)
		if err != nil {
			return Entry{}, false
		}
		return entryOf(fsys, p, info, MaxBinary), true
	}
}

// loadBinary reads a program that lies beside the bundle.
func loadBinary(find lookup, p string) ([]byte, error) {
	if find == nil {
		return nil, &FileMissingError{Path: p}
	}
	e, ok := find(p)
	if !ok {
		return nil, &FileMissingError{Path: p}
	}
	b, err := load(e, MaxBinary)
	if err == nil && isLFSPointer(b) {
		err = &LFSError{Path: p}
	}
	return b, err
}

// carries is an error when a program of the lock that lies in the repository is
// not there as the lock says. Those of an address are not asked for.
func (c Candidate) carries(l Lock) error {
	for _, platform := range slices.Sorted(maps.Keys(l.Binaries)) {
		want := l.Binaries[platform]
		if want.Path == "" {
			continue
		}
		if c.outside != nil { // a size is cheap
			if e, ok := c.outside(want.Path); ok && e.Size != want.Size && (e.Kind == source.File || e.Kind == source.Exec) {
				return &FileSizeError{Path: want.Path, Got: e.Size, Want: want.Size}
			}
		}
		b, err := loadBinary(c.outside, want.Path)
		if err != nil {
			return err
		}
		if got := sum(b); got != want.SHA256 {
			return &DigestError{Path: want.Path, Got: got, Want: want.SHA256}
		}
	}
	return nil
}

// Program is hookctl itself for one platform: the very bytes that a signed lock
// names. Only [Verified.Program] and [Verified.ReadProgram] make one that holds
// anything; the zero value is no program.
type Program struct {
	data []byte
	sum  string
}

// Data is the program. The bytes are shared: they must not be changed.
func (p Program) Data() []byte { return p.data }

// SHA256 is the program's digest in hex, "" of the zero value.
func (p Program) SHA256() string { return p.sum }

// Binary is what the lock says of hookctl itself for a platform such as
// "linux/amd64"; false when the release brings none for it.
func (v Verified) Binary(platform string) (Binary, bool) {
	b, ok := v.lock.Binaries[platform]
	return b, ok
}

// ReadProgram reads the program for a platform from where the bundle was read,
// which must still be open. For one that has an address see [Verified.Program].
func (v Verified) ReadProgram(platform string) (Program, error) {
	b, err := loadBinary(v.outside, v.lock.Binaries[platform].Path)
	if err != nil {
		return Program{}, err
	}
	return v.Program(platform, b)
}

// Program checks bytes that are said to be hookctl for a platform: first what a
// person can understand (a web page, an archive), then size and digest, which
// catch everything, then that they are made for that platform. Errors:
// [FileMissingError], [LFSError], [NotProgramError], [FileSizeError],
// [DigestError], [PlatformError].
func (v Verified) Program(platform string, b []byte) (Program, error) {
	want, ok := v.lock.Binaries[platform]
	if !ok {
		return Program{}, &FileMissingError{Path: "hookctl for " + platform}
	}
	where := want.Where()
	if isLFSPointer(b) {
		return Program{}, &LFSError{Path: where}
	}
	made, err := platforms(b)
	if err != nil {
		return Program{}, &NotProgramError{Path: where, What: err.Error()}
	}
	if n := int64(len(b)); n != want.Size {
		return Program{}, &FileSizeError{Path: where, Got: n, Want: want.Size}
	}
	if got := sum(b); got != want.SHA256 {
		return Program{}, &DigestError{Path: where, Got: got, Want: want.SHA256}
	}
	if !runsOn(made, platform) {
		return Program{}, &PlatformError{Path: where, Got: strings.Join(made, ", "), Want: platform}
	}
	return Program{data: b, sum: want.SHA256}, nil
}

// NotProgramError: something else in the place of a program.
type NotProgramError struct{ Path, What string }

func (e *NotProgramError) Error() string { return e.Path + " is " + e.What + ", not a program" }

// PlatformError: a program that is made for another platform.
type PlatformError struct{ Path, Got, Want string }

func (e *PlatformError) Error() string {
	return fmt.Sprintf("%s is for %s, this machine is %s", e.Path, e.Got, e.Want)
}
