package receipt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/home"
)

// Kind sorts problems.
type Kind string

// The kinds of problems.
const (
	Unreadable Kind = "unreadable" // the bytes are no receipt of the agreed form
	Unsigned   Kind = "signature"  // no signature, or not one of these bytes
	Misplaced  Kind = "order"      // another number than its name says
	Unlinked   Kind = "link"       // does not hold the sum of the receipt before
	Foreign    Kind = "key"        // another machine's key, or one that nobody announced
	Missing    Kind = "missing"    // a receipt, a key or head that was there
	Extra      Kind = "extra"      // a file that is none of the chain's
	Unfinished Kind = "unfinished" // what a write that was cut short leaves; the next write mends it
	Behind     Kind = "state"      // the chain does not say what is known from elsewhere
)

// Problem is one thing that is not as it was written.
type Problem struct {
	Kind     Kind
	Sequence int    // 0 = no single receipt
	Path     string // of the file
	Text     string
}

func (p Problem) String() string { return p.Path + ": " + p.Text }

// Options is what is known from outside the chain. The zero value takes the key
// from machine.pub and knows no more.
type Options struct {
	// Key must have signed the last receipt; nil means machine.pub of the home.
	// With it the home's own key files are not looked at: a copy of the folder
	// receipts is enough.
	Key ssh.PublicKey
	// Current is what runs; the last receipt must say so. nil = do not ask.
	Current *Generation
	// AtLeast is a sequence number that the chain has reached, as somebody else
	// has seen it.
	AtLeast int
}

// Verify checks the whole chain of d: that each receipt has the agreed form, the
// number of its name, a good signature and the sum of the one before; that one
// key made them all, or a receipt announces the new one ([Receipt].Formerly);
// that none is missing, the last included; and that nothing else lies there. It
// goes on after a problem and returns all, in order. The error is for a folder
// that cannot be read.
func Verify(d home.Dir, o Options) ([]Problem, error) {
	at, err := scan(d)
	if err != nil {
		return nil, err
	}
	v := verifier{home: d, at: at, keys: map[int]string{}, sums: map[int]string{}}
	for _, n := range at.receipts {
		v.receipt(n)
	}
	v.leftovers()
	v.head()
	v.key(o.Key)
	if o.AtLeast > at.newest() {
		v.add(Behind, 0, folder, "the newest receipt is %d, and %d is known to have been written", at.newest(), o.AtLeast)
	}
	if o.Current != nil && v.last.Sequence > 0 && !same(v.last.Pointer.After, o.Current) {
		v.add(Behind, v.last.Sequence, name(v.last.Sequence), "release %d, %s, runs, and the last receipt does not say so", o.Current.Release, o.Current.Digest)
	}
	return v.problems, nil
}

type verifier struct {
	home     home.Dir
	at       listing
	problems []Problem
	before   int            // number of the file before
	machine  string         // whose key signs at this point
	last     Receipt        // the last that is good
	keys     map[int]string // fingerprint that signed a receipt
	sums     map[int]string // sum of a receipt's bytes
}

// add takes a path in the folder of receipts.
func (v *verifier) add(k Kind, sequence int, file, format string, args ...any) {
	path := v.home.Path(folder, file)
	if file == folder {
		path = v.home.Path(folder)
	}
	v.problems = append(v.problems, Problem{k, sequence, path, fmt.Sprintf(format, args...)})
}

func (v *verifier) receipt(n int) {
	if n > v.before+1 {
		v.gap(v.before+1, n-1)
	}
	before := v.before
	v.before = n
	b, sig, err := readBoth(v.home, n)
	if b != nil {
		v.sums[n] = sum(b)
	}
	var r Receipt
	var pub ssh.PublicKey
	if err == nil {
		r, pub, err = verifySigned(b, sig)
	}
	if _, ok := errors.AsType[*SignatureError](err); ok {
		v.add(Unsigned, n, name(n)+sigExt, "%v", err)
		return
	}
	if err != nil {
		v.add(Unreadable, n, name(n), "%v", err)
		return
	}
	v.keys[n] = ssh.FingerprintSHA256(pub)
	if r.Sequence != n {
		v.add(Misplaced, n, name(n), "holds the receipt with number %d", r.Sequence)
		return
	}
	if s, ok := v.sums[before]; before == n-1 && r.Previous != s && (ok || before == 0) {
		v.add(Unlinked, n, name(n), "does not follow the receipt %d that is there: it or that one was replaced", before)
	}
	switch {
	case v.machine == "" || v.machine == r.Machine || v.machine == r.Formerly:
		v.machine = r.Machine
	default:
		v.add(Foreign, n, name(n), "signed by %s, and the one before by %s", r.Machine, v.machine)
	}
	v.last = r
}

func (v *verifier) gap(from, to int) {
	if from == to {
		v.add(Missing, from, name(from), "is missing: it was removed, or could not be written")
		return
	}
	v.add(Missing, from, name(from), "is missing, and all up to %s: they were removed", name(to))
}

// leftovers names the files that are no part of a whole receipt.
func (v *verifier) leftovers() {
	for _, n := range v.at.sigs {
		switch {
		case v.at.has(n):
		case n == v.at.newest()+1:
			v.add(Unfinished, n, name(n)+sigExt, "a signature without its receipt: a write was cut short, or the receipt was removed")
		default:
			v.add(Extra, n, name(n)+sigExt, "a signature without its receipt")
		}
	}
	for _, f := range v.at.temps {
		v.add(Unfinished, 0, f, "a write was cut short")
	}
	for _, f := range v.at.others {
		v.add(Extra, 0, f, "is no receipt")
	}
}

// head may be one receipt behind: the program was stopped between the two.
func (v *verifier) head() {
	newest := v.at.newest()
	h, err := readHead(v.home)
	if errors.Is(err, fs.ErrNotExist) {
		if newest > 1 {
			v.add(Missing, 0, headName, "is missing, so that a removed last receipt would not show")
		}
		return
	}
	if err != nil {
		v.add(Unreadable, 0, headName, "%v", err)
		return
	}
	if key, ok := v.keys[h.sequence]; ok && key != h.machine || !ok && v.machine != "" && h.machine != v.machine {
		v.add(Foreign, 0, headName, "signed by %s, which did not sign receipt %d", h.machine, h.sequence)
	}
	switch s, ok := v.sums[h.sequence]; {
	case h.sequence > newest:
		v.gap(newest+1, h.sequence)
	case h.sequence < newest-1:
		v.add(Behind, 0, headName, "says that receipt %d is the newest, and %d is there", h.sequence, newest)
	case ok && s != h.sum:
		v.add(Unlinked, h.sequence, name(h.sequence), "is not the receipt that was written: head has another sum")
	}
}

// key compares the chain's key to the one that the machine has, or should have.
func (v *verifier) key(want ssh.PublicKey) {
	own := want == nil
	path := v.home.Path(KeyName)
	bad := func(k Kind, path, format string, args ...any) {
		v.problems = append(v.problems, Problem{k, 0, path, fmt.Sprintf(format, args...)})
	}
	if own {
		var err error
		want, err = ReadPublic(v.home)
		if errors.Is(err, fs.ErrNotExist) && len(v.at.receipts) == 0 && !exists(path) {
			return // nothing was ever installed
		}
		if err != nil {
			kind := Unreadable
			if errors.Is(err, fs.ErrNotExist) {
				kind = Missing
			}
			bad(kind, v.home.Path(PubName), "the public half of the machine key cannot be read: %v", err)
		}
		v.private(path, want, bad)
	}
	switch {
	case len(v.at.receipts) == 0:
		bad(Missing, Folder(v.home), "there is no receipt, though a machine key was made")
	case want != nil && v.machine != "" && ssh.FingerprintSHA256(want) != v.machine:
		bad(Foreign, Folder(v.home), "the last receipt is signed by %s, the machine key is %s", v.machine, ssh.FingerprintSHA256(want))
	}
}

// private asks whether the next receipt can be signed. Another user, who cannot
// read the key, is told nothing of it.
func (v *verifier) private(path string, pub ssh.PublicKey, bad func(k Kind, path, format string, args ...any)) {
	if fi, err := os.Stat(path); err == nil && tooOpen(fi) {
		bad(Behind, path, "mode %04o lets others at the machine key, want %04o", fi.Mode().Perm(), keyMode)
	}
	k, err := readPrivate(v.home)
	var missing *MissingKeyError
	switch {
	case errors.Is(err, fs.ErrPermission):
	case errors.As(err, &missing):
		bad(Missing, path, "is missing, so that nothing more can be signed")
	case err != nil:
		bad(Unreadable, path, "is unusable, so that nothing more can be signed: %v", err)
	case pub != nil && !sameKey(pub, k.Public()):
		bad(Foreign, path, "is the machine key %s, and %s is %s", k.Fingerprint(), PubName, ssh.FingerprintSHA256(pub))
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
