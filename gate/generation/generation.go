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
	"slices"
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
	// File is where they were read, "" for the embedded rules.
	File string
	// Dir is the folder that holds the bundle's hooks/, "" for the embedded rules,
	// which have none.
	Dir string
	// Faults name what was broken on the way, one line each. A home in which
	// nothing is installed is no fault.
	Faults []string
}

// Open opens the rules for an event. It never fails: the embedded rules are part
// of the program.
func Open(d home.Dir) Opened {
	p, err := home.ReadPointer(d)
	if err == nil {
		return open(d, []step{{"current", &p}, {"previous", p.Previous}}, nil)
	}
	var faults []string
	if !errors.Is(err, fs.ErrNotExist) {
		faults = append(faults, err.Error())
	} else if _, err := os.Lstat(d.Store()); err == nil {
		faults = append(faults, d.Current()+" is missing")
	}
	return open(d, nil, faults)
}

// After opens the rules that serve in the place of those in o, which are what was
// installed and yet cannot be used: why names the reason.
func After(d home.Dir, o Opened, why error) Opened {
	fault := o.From + " rules: " + why.Error()
	if o.File != "" {
		fault = o.File + ": " + why.Error()
	}
	faults := append(slices.Clone(o.Faults), fault)
	if o.From == "current" {
		if p, err := home.ReadPointer(d); err == nil {
			return open(d, []step{{"previous", p.Previous}}, faults)
		}
	}
	return open(d, nil, faults)
}

type step struct {
	name string
	to   *home.Pointer
}

// open takes the first step that leads to whole rules, at last the embedded ones.
func open(d home.Dir, steps []step, faults []string) Opened {
	for _, s := range steps {
		if s.to == nil {
			continue
		}
		rules, err := read(d, *s.to)
		if err == nil {
			dir := d.Generation(s.to.Digest)
			return Opened{Rules: rules, From: s.name, File: path.Join(dir, home.RulesFile(s.to.Rules)), Dir: dir, Faults: faults}
		}
		faults = append(faults, err.Error())
	}
	return Opened{Rules: compiled.Rules(), From: "embedded", Faults: faults}
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
	b, err := readFile(root, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(dir, name), err)
	}
	sum := sha256.Sum256(b)
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != p.Rules {
		return nil, fmt.Errorf("%s: digest is %s, want %s", path.Join(dir, name), got, p.Rules)
	}
	return b, nil
}

// readFile reads a regular file: an open pipe would wait for its writer.
func readFile(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxRules {
		return nil, errors.New("not a regular file of at most 16 MiB")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, info.Size()+1) // one more shows that it has grown
	n, err := io.ReadFull(f, b)
	if err == nil || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, errors.New("it changes while it is read"))
	}
	return b[:n], nil
}
