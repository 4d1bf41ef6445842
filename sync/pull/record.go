package pull

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// record is one command on its way to a receipt. The caller holds the lock of the
// home from begin on.
type record struct {
	action string
	before home.Pointer
	watch  stopwatch
}

// begin starts the record of a command.
func (m *Machine) begin(action string) *record {
	r := &record{action: action, before: m.running()}
	if !install.IsDigest(r.before.Rules) {
		r.before.Rules = "" // a damaged pointer: no path, and no digest, comes from it
	}
	m.watch = &r.watch
	return r
}

// key is the machine key, made when there is none. One that is lost or unusable
// is replaced, and a receipt says so: a machine that can sign nothing more must
// still get its fixes.
func (m *Machine) key(in *Installation) (receipt.Key, error) {
	k, err := receipt.MakeKey(m.Files, m.Home)
	if !isKeyFault(err) {
		return k, err
	}
	why := err
	p := receipt.GenerationOf(m.running())
	k, path, err := receipt.Rekey(m.Files, m.Home, receipt.Receipt{Time: m.Now, Hookctl: m.Version, Pointer: receipt.Move{Before: p, After: p}})
	if path != "" {
		in.Notes = append(in.Notes, fmt.Sprintf("a new machine key was made, %s: %v", k.Fingerprint(), why))
	}
	return k, err
}

func isKeyFault(err error) bool {
	return errors.As(err, new(*receipt.MissingKeyError)) || errors.As(err, new(*receipt.KeyError))
}

// succeeded writes the receipt of a command that did what it was asked for. An
// error means that there is none, and the command has failed. One that ends with
// an expired release says so.
func (m *Machine) succeeded(r *record, in *Installation, k receipt.Key) error {
	return m.write(r, in, k, in.expired)
}

// failed writes the receipt of a command that was refused or broke off, after
// everything was taken back. Without a key there is no installation that it could
// be about. It returns err, with what kept the receipt from being written.
func (m *Machine) failed(r *record, in *Installation, err error) error {
	if err == nil || in.Receipt != "" {
		return err
	}
	in.Changed, in.Wired, in.Binary, in.Files, in.Settings, in.Healed = false, false, Change{}, nil, nil, nil
	k, kerr := receipt.OpenKey(m.Home)
	if kerr != nil {
		return err
	}
	if werr := m.write(r, in, k, err); werr != nil {
		return errors.Join(err, fmt.Errorf("write the receipt: %w", werr))
	}
	return err
}

// left writes the receipt of an uninstall, on a machine that has a key.
func (m *Machine) left(r *record, done []install.Change) error {
	k, err := receipt.OpenKey(m.Home)
	if err != nil {
		return nil //nolint:nilerr // nothing could sign it, and nothing is installed any more
	}
	return m.succeeded(r, &Installation{Report: Report{Settings: done}}, k)
}

func (m *Machine) write(r *record, in *Installation, k receipt.Key, failure error) error {
	r.watch.next("")
	c := m.receipt(r, in, failure)
	last, err := receipt.Last(m.Home)
	if err == nil && c.Repeats(last) {
		return nil
	}
	if after := last.Pointer.After; err == nil && !sameGeneration(after, c.Pointer.Before) {
		c.Notes = append(c.Notes, "what ran before this has no receipt: the command that activated it was cut short")
	}
	in.Receipt, err = receipt.Write(m.Files, m.Home, c, k)
	return err
}

func sameGeneration(a, b *receipt.Generation) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Digest == b.Digest && a.Rules == b.Rules
}

// receipt words what a command did. What runs is read from the machine, not from
// what was meant.
func (m *Machine) receipt(r *record, in *Installation, failure error) receipt.Receipt {
	after := m.running()
	c := receipt.Receipt{
		Time: m.Now, Hookctl: m.Version, Action: r.action, Outcome: receipt.OK,
		Source: receipt.Source{URL: in.Source.URL, Branch: in.Source.Branch}, Head: in.Head,
		Commit: in.To.Commit, Release: in.To.Release, Bundle: in.To.Digest, Signers: in.Signers, Protection: in.Protection,
		Trust:   hashFile(m.Home.Trust()),
		Pointer: receipt.Move{Before: receipt.GenerationOf(r.before), After: receipt.GenerationOf(after)},
		Rules:   after.Rules,
		Cases:   in.proof, Durations: r.watch.done, Notes: in.Notes,
	}
	switch {
	case failure != nil && Refused(failure):
		c.Outcome, c.Error = receipt.Refused, firstLine(failure)
	case failure != nil:
		c.Outcome, c.Error = receipt.Failed, firstLine(failure)
	}
	if in.Binary.Path != "" {
		c.Program = receipt.Change(in.Binary)
	}
	for _, f := range in.Files {
		c.Files = append(c.Files, receipt.Change(f))
	}
	for _, s := range in.Settings {
		c.Settings = append(c.Settings, receipt.Setting{Path: s.Path, Before: sumOf(s.Before), After: sumOf(s.After), Diff: s.Diff()})
	}
	return c
}

// signers are those who vouched for v: bundle names each with its key.
func signers(v bundle.Verified) []receipt.Signer {
	var all []receipt.Signer
	for _, s := range v.Signers() {
		i := strings.LastIndexByte(s, ' ')
		all = append(all, receipt.Signer{Principal: s[:max(i, 0)], Fingerprint: s[i+1:]})
	}
	return all
}

func sumOf(b []byte) string {
	if b == nil {
		return ""
	}
	return strings.TrimPrefix(install.Sum(b), "sha256:")
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// Refused reports whether err says that a release or its source was not trusted.
// Everything else that keeps a sync from ending well is a failure.
func Refused(err error) bool {
	return bundle.Refused(err) || source.Refused(err) || errors.As(err, new(*UntrustedError)) || errors.As(err, new(*ProtectionError))
}
