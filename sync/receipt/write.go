package receipt

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// Receipts are read-only, which keeps accidents away. They hold no secret, and
// on a managed machine every user may look at them.
const (
	receiptMode = 0o444
	headMode    = 0o644
	folderMode  = 0o755
)

// KeyChangedError says that the chain was signed by another key. See [Rekey].
type KeyChangedError struct{ Was, Is string } // fingerprints

func (e *KeyChangedError) Error() string {
	return fmt.Sprintf("the receipts here are signed by %s, the machine key is %s", e.Was, e.Is)
}

// Write stores r as the newest receipt of d, signed by k, and returns its path.
// The caller holds the lock of the home, which must exist. r.Time must be set.
//
// The signature is written first, then the receipt, then the note of which is
// the newest. An error means that the receipt is not there; once it is, a note
// that cannot be written is left to the next Write. A chain that is found
// damaged is gone on with, and r says so: the gap stays for [Verify] to find.
//
// Errors: [KeyChangedError], [FormatError], those of the file layer.
func Write(l *files.Layer, d home.Dir, r Receipt, k Key) (string, error) {
	if k.signer == nil {
		return "", &MissingKeyError{Path: d.Path(KeyName)}
	}
	s, err := latest(d)
	if err != nil {
		return "", err
	}
	if s.machine != "" && s.machine != k.Fingerprint() && r.Formerly != s.machine {
		return "", &KeyChangedError{Was: s.machine, Is: k.Fingerprint()}
	}
	if s.next > maxSequence {
		return "", fmt.Errorf("write receipt: sequence %d is the last that there can be", maxSequence)
	}
	r = r.cleaned()
	r.Schema, r.Sequence, r.Previous, r.Machine = Schema, s.next, s.sum, k.Fingerprint()
	r.Notes = append(r.Notes, s.damage...)
	b, err := r.settled()
	if err != nil {
		return "", err
	}
	return store(l, d, r, b, k)
}

func store(l *files.Layer, d home.Dir, r Receipt, b []byte, k Key) (string, error) {
	sig, err := sign(b, k, Namespace)
	if err != nil {
		return "", err
	}
	note, err := head{sequence: r.Sequence, sum: sum(b)}.encode(k)
	if err != nil {
		return "", err
	}
	if _, err := l.MkdirAll(Folder(d), folderMode); err != nil {
		return "", err
	}
	if err := l.Sweep(Folder(d), r.Time); err != nil {
		return "", err
	}
	path := Path(d, r.Sequence)
	if err := l.WriteFile(path+sigExt, sig, receiptMode); err != nil {
		return "", err
	}
	if err := l.WriteFileIfUnchanged(path, nil, b, receiptMode); err != nil {
		return "", err
	}
	if err := l.WriteFile(d.Path(folder, headName), note, headMode); err != nil {
		return path, nil //nolint:nilerr // the receipt is there; an error would undo what it records
	}
	return path, nil
}

// Rekey is how a machine goes on whose private key is lost or unusable: it makes
// a new one and stores r as the receipt that names both. It does only what is
// left to do, so that one that was cut short can be run again; with a good key
// that the chain knows it does nothing and path is "". An unusable file is kept
// as machine.key.damaged.
//
// Whoever can write in the home can do the same: that the key is the same
// machine's, only somebody who knows it from elsewhere can say.
func Rekey(l *files.Layer, d home.Dir, r Receipt) (k Key, path string, err error) {
	k, err = readPrivate(d)
	var missing *MissingKeyError
	var unusable *KeyError
	switch {
	case err == nil:
		err = writePublic(l, d, k)
	case errors.As(err, &missing):
		k, err = newKey(l, d)
	case errors.As(err, &unusable):
		if err = l.Rename(d.Path(KeyName), d.Path(KeyName+damagedSuffix)); err == nil {
			k, err = newKey(l, d)
		}
	}
	if err != nil {
		return Key{}, "", err
	}
	s, err := latest(d)
	if err != nil || s.machine == "" || s.machine == k.Fingerprint() {
		return k, "", err
	}
	r.Action, r.Formerly, r.Outcome, r.Error = NewKey, s.machine, OK, ""
	path, err = Write(l, d, r, k)
	return k, path, err
}

// tip is where the chain ends.
type tip struct {
	next    int    // the sequence number that is free
	sum     string // of the newest receipt, "" without one
	machine string // fingerprint of the key that signed it, "" when nobody can tell
	damage  []string
}

// latest finds the end of the chain: what head says, and a receipt after it that
// was written before head could be. Files that merely lie there do not move it.
func latest(d home.Dir) (tip, error) {
	at, err := scan(d)
	if err != nil {
		return tip{}, err
	}
	var t tip
	end := 0
	h, err := readHead(d)
	switch {
	case err == nil:
		end, t.sum, t.machine = h.sequence, h.sum, h.machine
		if b, err := readRegular(Path(d, end), maxReceipt); err != nil {
			t.note("receipt %d could not be read", end)
		} else if sum(b) != h.sum {
			t.note("receipt %d had been changed", end)
		}
	case !errors.Is(err, fs.ErrNotExist):
		t.note("%s was damaged", headName)
	case at.newest() > 1:
		t.note("%s was missing", headName)
	}
	for _, n := range slices.Backward(at.receipts) {
		if n <= end {
			break
		}
		b, sig, err := readBoth(d, n)
		if err != nil {
			continue
		}
		r, pub, err := verifySigned(b, sig)
		fp := ""
		if err == nil {
			fp = ssh.FingerprintSHA256(pub)
		}
		if err != nil || r.Sequence != n || t.machine != "" && fp != t.machine && r.Formerly != t.machine {
			continue
		}
		if end > 0 && n > end+1 {
			t.note("%s was behind", headName)
		}
		end, t.sum, t.machine = n, sum(b), fp
		break
	}
	for t.next = end + 1; at.has(t.next); t.next++ {
		t.note("%s was there, and is no receipt of this chain", name(t.next))
	}
	if t.sum == "" && t.next > 1 { // nothing that could be trusted to link to
		b, _ := readRegular(Path(d, t.next-1), maxReceipt)
		t.sum = sum(b)
	}
	return t, nil
}

func (t *tip) note(format string, args ...any) {
	t.damage = append(t.damage, "before this receipt, the chain was damaged: "+fmt.Sprintf(format, args...))
}

// cleaned is r without what must not be stored, in the spelling that the format
// has, and without a slice in common with r.
func (r Receipt) cleaned() Receipt {
	r.Time = r.Time.UTC().Round(time.Millisecond)
	r.Source.URL = StripURL(r.Source.URL)
	r.Error = cleanText(r.Error)
	r.Trust = hexSum(r.Trust)
	if r.Protection.Kind == "" {
		r.Protection.Kind = NoneAsked
	}
	r.Protection.Host, r.Protection.Text = cleanText(r.Protection.Host), cleanText(r.Protection.Text)
	r.Program = r.Program.cleaned()
	r.Files = slices.Clone(r.Files)
	for i, c := range r.Files {
		r.Files[i] = c.cleaned()
	}
	r.Settings = slices.Clone(r.Settings)
	for i, s := range r.Settings {
		s.Before, s.After = hexSum(s.Before), hexSum(s.After)
		if s.Before != "" { // a new file holds nothing of the user's
			s.Diff = CleanDiff(s.Diff)
		}
		s.Diff = cleanText(s.Diff)
		r.Settings[i] = s
	}
	notes := r.Notes
	r.Notes = nil
	for _, n := range notes {
		if n = strings.TrimSpace(cleanText(n)); n != "" {
			r.Notes = append(r.Notes, n)
		}
	}
	return r
}

func (c Change) cleaned() Change {
	c.Before, c.After = hexSum(c.Before), hexSum(c.After)
	return c
}

// settled is the encoded form that parses to itself: what is not UTF-8 in a path
// or an error has become U+FFFD.
func (r Receipt) settled() ([]byte, error) {
	b, err := r.encode()
	if err != nil {
		return nil, err
	}
	if r, err = Parse(b); err != nil {
		return nil, err
	}
	return r.encode()
}
