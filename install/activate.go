package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// maxRules bounds the compiled rules, in bytes.
const maxRules = 16 << 20

// IncompleteError says that a generation cannot be activated.
type IncompleteError struct{ Digest, Why string }

func (e *IncompleteError) Error() string { return "activate " + e.Digest + ": " + e.Why }

// Activate makes a staged generation the one that runs, by replacing one small
// file. The generation that ran before becomes p.Previous unless p names one;
// activating what runs already changes nothing. It reports whether it wrote.
// A generation whose rules are not those of p fails with [*IncompleteError].
func Activate(l *files.Layer, h home.Dir, p home.Pointer) (bool, error) {
	p.Schema = home.PointerSchema
	if !IsDigest(p.Digest) || !IsDigest(p.Rules) {
		return false, &IncompleteError{p.Digest, "digest or rules is not of the form sha256:<64 hex digits>"}
	}
	path := filepath.Join(h.Generation(p.Digest), home.RulesFile(p.Rules))
	rules, err := readBounded(path, maxRules)
	if err != nil {
		return false, &IncompleteError{p.Digest, err.Error()}
	}
	if got := Sum(rules); got != p.Rules {
		return false, &IncompleteError{p.Digest, fmt.Sprintf("%s: digest is %s, want %s", path, got, p.Rules)}
	}
	if fi, err := os.Lstat(filepath.Join(h.Generation(p.Digest), "hooks")); err == nil && fi.IsDir() {
		p.Hooks = true
	}
	if head, _, _ := bytes.Cut(rules, []byte("\n")); bytes.Contains(head, []byte(`"wakes"`)) {
		p.Hooks = true // a guard of commands that are else answered without the rules
	}
	now, err := home.ReadPointer(h)
	if err == nil && p.Previous == nil {
		if now.Digest == p.Digest {
			p.Previous = now.Previous
		} else {
			p.Previous = &now
		}
	}
	if p.Previous != nil && (!IsDigest(p.Previous.Digest) || !IsDigest(p.Previous.Rules)) {
		p.Previous = nil // a damaged "current" named it; nothing could fall back to it
	}
	if p.Previous != nil {
		before := *p.Previous
		before.Previous = nil // one step back, no chain
		p.Previous = &before
	}
	line, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	line = append(line, '\n')
	if old, err := os.ReadFile(h.Current()); err == nil && string(old) == string(line) {
		return false, nil
	}
	return true, l.WriteFile(h.Current(), line, 0o644)
}

// What garbage collection spares beside the current and the previous generation.
const (
	spareLast = 5
	spareAge  = 24 * time.Hour
)

// GC removes generations that are not needed any more and returns their names:
// it spares the current and the previous one, the last five, and what is under
// 24 hours old. It also removes what a killed write left in the home, and rules
// that another hookctl compiled for the generations that stay in use.
func GC(l *files.Layer, h home.Dir, now time.Time) ([]string, error) {
	// Without a pointer that can be read nothing says what is in use.
	p, err := home.ReadPointer(h)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	for at := &p; at != nil; at = at.Previous {
		if !IsDigest(at.Digest) {
			continue
		}
		if err := dropRules(l, h.Generation(at.Digest), home.RulesFile(at.Rules)); err != nil {
			return nil, err
		}
	}
	entries, err := os.ReadDir(h.Store())
	if err != nil {
		return nil, err
	}
	type generation struct {
		name string
		at   time.Time
	}
	var all []generation
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && IsDigest("sha256:"+e.Name()) {
			all = append(all, generation{e.Name(), fi.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b generation) int { return b.at.Compare(a.at) })
	var gone []string
	for i, g := range all {
		digest := "sha256:" + g.name
		if i < spareLast || now.Sub(g.at) < spareAge || digest == p.Digest || p.Previous != nil && digest == p.Previous.Digest {
			continue
		}
		// Out of the way in one step first: half a generation is none.
		temp := filepath.Join(h.Store(), files.TempName())
		if err := l.Rename(filepath.Join(h.Store(), g.name), temp); err != nil {
			return gone, err
		}
		gone = append(gone, strings.TrimPrefix(digest, "sha256:"))
		if err := l.RemoveAll(temp); err != nil {
			return gone, err
		}
	}
	for _, dir := range []string{h.Store(), string(h), h.Path("receipts")} {
		if err := l.Sweep(dir, now.Add(-time.Hour)); err != nil {
			return gone, err
		}
	}
	// Windows does not remove a program that still runs: it goes the next time.
	_ = l.Sweep(filepath.Dir(h.Binary()), now.Add(-time.Hour))
	return gone, nil
}
