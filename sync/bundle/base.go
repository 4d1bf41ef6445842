package bundle

import (
	"io/fs"
	"runtime/debug"
	"sync"

	"github.com/agenthooks/hookctl/manifests"
)

// program is the version of this hookctl, as its module was built: a release
// (v1.2.3), or something that is none.
var program = sync.OnceValue(func() string {
	bi, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return bi.Main.Version
})

// embeddedDigest names the bundle that this program carries.
var embeddedDigest = sync.OnceValues(func() (string, error) {
	v, err := Embedded()
	return v.digest, err
})

// baseOf is the digest of what the bundle in fsys extends, "" when it stands
// alone. The lock records it and does not demand it: the files of a release are
// its own, and a newer hookctl may carry a better base. Which base is in force is
// proven by the cases, the embedded ones among them, on each machine.
func baseOf(fsys fs.FS) (string, error) {
	raw, err := fs.ReadFile(fsys, Manifest)
	if err != nil {
		return "", err
	}
	b, err := manifests.ParseBundle(raw)
	if err != nil || b.Extends == "" {
		return "", err
	}
	return embeddedDigest()
}
