package receipt

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// The names of the machine key at the top of a home. A private key that could
// not be read is kept under KeyName and damagedSuffix.
const (
	KeyName       = "machine.key"
	PubName       = "machine.pub"
	damagedSuffix = ".damaged"
)

const (
	keyMode = 0o600 // on Windows the folder's rights decide
	pubMode = 0o644
)

// keyComment stands in both files; no name of the machine or its user does.
const keyComment = "hookctl machine key"

// Key is the machine key. The zero value signs nothing.
type Key struct{ signer ssh.Signer }

// Public is the public half, nil for the zero value.
func (k Key) Public() ssh.PublicKey {
	if k.signer == nil {
		return nil
	}
	return k.signer.PublicKey()
}

// Fingerprint is the machine's identity, as ssh-keygen -l shows it.
func (k Key) Fingerprint() string {
	if k.signer == nil {
		return ""
	}
	return ssh.FingerprintSHA256(k.signer.PublicKey())
}

// MissingKeyError says that there is no private key where there must have been
// one. Nothing is signed by another in its place: see [Rekey].
type MissingKeyError struct {
	Path  string
	Known string // fingerprint of the key that is gone, "" when that is not known
}

func (e *MissingKeyError) Error() string {
	if e.Known == "" {
		return e.Path + ": there is no machine key"
	}
	return fmt.Sprintf("%s: the machine key %s is gone", e.Path, e.Known)
}

// Unwrap makes it a [fs.ErrNotExist].
func (e *MissingKeyError) Unwrap() error { return fs.ErrNotExist }

// KeyError says that a file of the machine key cannot be used.
type KeyError struct {
	Path string
	Err  error
}

func (e *KeyError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *KeyError) Unwrap() error { return e.Err }

var errNotItsHalf = errors.New("is not the public half of " + KeyName)

// OpenKey reads the machine key of d. Errors: [MissingKeyError], [KeyError].
func OpenKey(d home.Dir) (Key, error) {
	k, err := readPrivate(d)
	if err != nil {
		return Key{}, err
	}
	pub, err := ReadPublic(d)
	switch {
	case errors.Is(err, fs.ErrNotExist): // a first installation was cut short; Verify tells
	case err != nil:
		return Key{}, err
	case !sameKey(pub, k.Public()):
		return Key{}, &KeyError{d.Path(PubName), errNotItsHalf}
	}
	return k, nil
}

// readPrivate does not ask whether the public half is the right one.
func readPrivate(d home.Dir) (Key, error) {
	path := d.Path(KeyName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Key{}, &MissingKeyError{path, known(d)}
	}
	if err != nil {
		return Key{}, err
	}
	s, err := ssh.ParsePrivateKey(b)
	if err != nil {
		return Key{}, &KeyError{path, errors.New("is not an OpenSSH private key without a passphrase")} // err may quote it
	}
	if t := s.PublicKey().Type(); t != ssh.KeyAlgoED25519 {
		return Key{}, &KeyError{path, fmt.Errorf("has type %s, want %s", t, ssh.KeyAlgoED25519)}
	}
	return Key{s}, nil
}

// known is the fingerprint that the public half or the receipts name.
func known(d home.Dir) string {
	if pub, err := ReadPublic(d); err == nil {
		return ssh.FingerprintSHA256(pub)
	}
	if s, err := latest(d); err == nil {
		return s.machine
	}
	return ""
}

// ReadPublic reads the public half of the machine key of d. Errors:
// [fs.ErrNotExist], [KeyError].
func ReadPublic(d home.Dir) (ssh.PublicKey, error) {
	path := d.Path(PubName)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pub, err := ParsePublic(b)
	if err != nil {
		return nil, &KeyError{path, err}
	}
	return pub, nil
}

// ParsePublic reads one public key of type ed25519 in OpenSSH's form.
func ParsePublic(b []byte) (ssh.PublicKey, error) {
	pub, _, options, rest, err := ssh.ParseAuthorizedKey(b)
	switch {
	case err != nil:
		return nil, errors.New("is not a public key of OpenSSH")
	case len(options) > 0 || len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("is more than one public key")
	case pub.Type() != ssh.KeyAlgoED25519:
		return nil, fmt.Errorf("has type %s, want %s", pub.Type(), ssh.KeyAlgoED25519)
	}
	return pub, nil
}

// MakeKey makes the machine key of a home that has none, and returns it or the
// one that is there; the home must exist. A home that has once had a key gets no
// second one: that is a [MissingKeyError] or a [KeyError], and the way on is
// [Rekey].
func MakeKey(l *files.Layer, d home.Dir) (Key, error) {
	k, err := OpenKey(d)
	var missing *MissingKeyError
	switch {
	case err == nil:
		return k, writePublic(l, d, k)
	case !errors.As(err, &missing) || missing.Known != "":
		return Key{}, err
	}
	if at, err := scan(d); err != nil || len(at.receipts) > 0 {
		return Key{}, errors.Join(missing, err)
	}
	return newKey(l, d)
}

// newKey writes the private half first: the public one can be made from it.
func newKey(l *files.Layer, d home.Dir) (Key, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Key{}, err
	}
	s, err := ssh.NewSignerFromSigner(private)
	if err != nil {
		return Key{}, err
	}
	block, err := ssh.MarshalPrivateKey(private, keyComment)
	if err != nil {
		return Key{}, err
	}
	if err := l.WriteFileIfUnchanged(d.Path(KeyName), nil, pem.EncodeToMemory(block), keyMode); err != nil {
		return Key{}, err
	}
	k := Key{s}
	return k, writePublic(l, d, k)
}

// writePublic writes the public half when the file does not hold it.
func writePublic(l *files.Layer, d home.Dir, k Key) error {
	if pub, err := ReadPublic(d); err == nil && sameKey(pub, k.Public()) {
		return nil
	}
	line := bytes.TrimSuffix(ssh.MarshalAuthorizedKey(k.Public()), []byte("\n"))
	return l.WriteFile(d.Path(PubName), append(line, " "+keyComment+"\n"...), pubMode)
}

func sameKey(a, b ssh.PublicKey) bool { return bytes.Equal(a.Marshal(), b.Marshal()) }
