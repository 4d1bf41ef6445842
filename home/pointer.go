package home

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// PointerSchema is the version of the file "current".
const PointerSchema = 1

// Pointer is the file "current": one line of JSON that names the generation
// that runs. It is replaced by rename and is the only thing that activates a
// generation, so that going back is one small write.
type Pointer struct {
	Schema  int    `json:"schema"`
	Digest  string `json:"digest"` // of the bundle, "sha256:…"
	Rules   string `json:"rules"`  // of the compiled rules, "sha256:…"
	Release int    `json:"release"`
	Commit  string `json:"commit,omitempty"` // "" for the embedded bundle
	// Hooks tells that the generation holds executables of its own, or guards commands
	// that else count as harmless, so that no tool call can be answered without its
	// rules.
	Hooks    bool     `json:"hooks,omitempty"`
	Previous *Pointer `json:"previous,omitempty"` // one step back, without a previous of its own
}

// MayHook reports whether the generation that runs, or the one before it, holds
// executables of its own. It errs towards yes, and parses nothing: every tool call
// asks. Without a pointer the embedded bundle serves, which has none.
func MayHook(d Dir) bool {
	b, err := readFile(d.Current())
	return err == nil && bytes.Contains(b, []byte(`"hooks"`))
}

// ReadPointer reads the file "current" of d.
func ReadPointer(d Dir) (Pointer, error) {
	b, err := readFile(d.Current())
	if err != nil {
		return Pointer{}, err
	}
	var p Pointer
	if err := json.Unmarshal(b, &p); err != nil {
		return Pointer{}, fmt.Errorf("%s: %w", d.Current(), err)
	}
	if p.Schema != PointerSchema {
		return Pointer{}, fmt.Errorf("%s: schema %d, want %d", d.Current(), p.Schema, PointerSchema)
	}
	return p, nil
}

// Generation is the folder of a bundle in the store.
func (d Dir) Generation(digest string) string {
	return d.Path("store", strings.TrimPrefix(digest, "sha256:"))
}

// rulesPrefix begins the name of every file of compiled rules. No bundle has a
// file of such a name at its top.
const rulesPrefix = "rules-"

// rulesDigits is how much of the digest stands in the name: enough to tell
// files apart. Whether the bytes are the right ones says the whole digest.
const rulesDigits = 16

// RulesFile is the name, inside a generation, of the compiled rules with a
// digest ("sha256:…"). Rules that another hookctl has compiled from the same
// bundle have another name: both lie there while one takes over from the other.
func RulesFile(digest string) string {
	hex := strings.TrimPrefix(digest, "sha256:")
	return rulesPrefix + hex[:min(len(hex), rulesDigits)]
}

// IsRules reports whether a name inside a generation is one of [RulesFile].
func IsRules(name string) bool { return strings.HasPrefix(name, rulesPrefix) }
