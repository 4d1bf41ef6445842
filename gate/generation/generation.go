// Package generation opens the rules that are to judge an event: those of the
// current generation, else of the previous one, else the embedded ones. What it
// hands out are the bytes that it hashed. It stays light for the fast path.
package generation

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// maxRules bounds the compiled rules, in bytes.
const maxRules = 16 << 20

// Opened are compiled rules that match their digest.
type Opened struct {
	Rules []byte
	// From says which step of the fallback it was: "current", "previous" or
	// "embedded".
	From string
	// Faults name what was broken on the way, one line each. A home in which
	// nothing is installed is no fault.
	Faults []string
}

// Open opens the rules for an event. It never fails: the embedded rules are part
// of the program.
func Open(d home.Dir) Opened {
	var o Opened
	p, err := home.ReadPointer(d)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			o.Faults = append(o.Faults, err.Error())
		} else if _, err := os.Lstat(d.Store()); err == nil {
			o.Faults = append(o.Faults, d.Current()+" is missing")
		}
		o.Rules, o.From = compiled.Rules(), "embedded"
		return o
	}
	if o.Rules, err = read(d, p); err == nil {
		o.From = "current"
		return o
	}
	o.Faults = append(o.Faults, err.Error())
	if p.Previous != nil {
		if o.Rules, err = read(d, *p.Previous); err == nil {
			o.From = "previous"
			return o
		}
		o.Faults = append(o.Faults, err.Error())
	}
	o.Rules, o.From = compiled.Rules(), "embedded"
	return o
}

// read reads a generation's rules through a root, so that no link leads out of
// it, and compares them with the digest in the pointer.
func read(d home.Dir, p home.Pointer) ([]byte, error) {
	if len(p.Digest) != len("sha256:")+64 || strings.ContainsAny(p.Digest, "/\\.") {
		return nil, fmt.Errorf("%s: bad digest %q", d.Current(), p.Digest)
	}
	dir := d.Generation(p.Digest)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := home.RulesFile(p.Rules)
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxRules+1))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != p.Rules {
		return nil, fmt.Errorf("%s: digest is %s, want %s", path.Join(dir, name), got, p.Rules)
	}
	return b, nil
}
