package manifests

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Binary is hookctl itself for one platform, as a bundle's author names it: a
// file of the repository, or an https address together with what must come from
// there.
type Binary struct {
	Path   string `yaml:"path,omitempty"`
	URL    string `yaml:"url,omitempty"`
	SHA256 string `yaml:"sha256,omitempty"` // of a url: lower-case hex; that of a path is computed
	Size   int64  `yaml:"size,omitempty"`   // of a url, in bytes
}

func (b Binary) check(f *faults, platform string) {
	at := fmt.Sprintf("binaries[%q]", platform)
	if err := CheckPlatform(platform); err != nil {
		f.add(at, "%v", err)
	}
	switch {
	case (b.Path == "") == (b.URL == ""):
		f.add(at, "want either path or url")
	case b.Path != "":
		if err := checkBinaryPath(b.Path); err != nil {
			f.add(at+".path", "%q: %v", b.Path, err)
		}
		if b.SHA256 != "" || b.Size != 0 {
			f.add(at, "sha256 and size of a path are computed; leave them out")
		}
	default:
		if err := CheckBinaryURL(b.URL); err != nil {
			f.add(at+".url", "%v", err) // the address itself may hold a password
		}
		if len(b.SHA256) != 64 || strings.Trim(b.SHA256, "0123456789abcdef") != "" {
			f.add(at+".sha256", "%q, want 64 lower-case hex digits", b.SHA256)
		}
		if b.Size <= 0 {
			f.add(at+".size", "%d, want the number of bytes", b.Size)
		}
	}
}

// CheckPlatform refuses what is not of the form "linux/amd64". It does not ask
// whether there is such a platform: a bundle may be read by a hookctl that is
// older than one.
func CheckPlatform(s string) error {
	const word = "abcdefghijklmnopqrstuvwxyz0123456789"
	system, arch, ok := strings.Cut(s, "/")
	if !ok || system == "" || arch == "" || len(s) > 40 || strings.Trim(system, word) != "" || strings.Trim(arch, word) != "" {
		return errors.New("want a system and a machine such as linux/amd64")
	}
	return nil
}

// CheckBinaryURL refuses an address that a program must not be downloaded from.
// The error does not quote it. A query is refused with the rest: what follows a ?
// is most often a token, and the lock is for everyone to read.
func CheckBinaryURL(s string) error {
	scheme, host, path := splitAddress(s)
	_, good := hostname(host)
	switch {
	case scheme != "https":
		return errors.New("want https://host/…")
	case strings.Contains(host, "@"):
		return errors.New("must hold no credential")
	case strings.ContainsAny(s, "?#"):
		return errors.New("nothing may follow a ? or #")
	case !good:
		return errors.New("want https://host/…")
	case strings.Trim(path, "/") == "":
		return errors.New("names no file")
	case len(s) > 2000 || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return errors.New("too long, or with a space or control character")
	case !escaped(path):
		return errors.New("no URL")
	}
	return nil
}

// checkBinaryPath keeps programs out of what each machine's store gets: a
// generation is small, and holds no program for other machines.
func checkBinaryPath(p string) error {
	top, _, folder := strings.Cut(p, "/")
	switch {
	case !fs.ValidPath(p) || p == "." || strings.ContainsAny(p, `\:`):
		return errors.New("want a plain path in the repository, with slashes")
	case folder && slices.Contains([]string{"gates", "hooks", "cases", ".git"}, strings.ToLower(top)):
		return fmt.Errorf("must not lie in %s/; bin/ is a good place", top)
	case !folder && strings.HasPrefix(strings.ToLower(top), "hookctl.yaml"), !folder && strings.HasPrefix(strings.ToLower(top), "hookctl.lock"):
		return errors.New("is the bundle's own file")
	}
	return nil
}

// escaped reports whether each % in a path begins the number of a character.
func escaped(path string) bool {
	for i := strings.IndexByte(path, '%'); i >= 0; i = strings.IndexByte(path, '%') {
		if len(path) < i+3 || !made(path[i+1:i+3], hexDigits) {
			return false
		}
		path = path[i+3:]
	}
	return true
}
