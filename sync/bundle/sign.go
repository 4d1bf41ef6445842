package bundle

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// Namespace keeps a signature for something else (a commit, a file) from
// standing in for one of a lock: "ssh-keygen -Y sign -n hookctl".
const Namespace = "hookctl"

// maxSignatures bounds how many signatures are looked at.
const maxSignatures = 64

const (
	armorBegin = "-----BEGIN SSH SIGNATURE-----"
	armorEnd   = "-----END SSH SIGNATURE-----"
)

// ParsePrivateKey reads an OpenSSH private key. One that is locked is a
// [PassphraseError].
func ParsePrivateKey(b []byte) (ssh.Signer, error) {
	s, err := ssh.ParsePrivateKey(b)
	if missing, ok := errors.AsType[*ssh.PassphraseMissingError](err); ok {
		locked := &PassphraseError{}
		if missing.PublicKey != nil {
			locked.Fingerprint = ssh.FingerprintSHA256(missing.PublicKey)
		}
		return nil, locked
	}
	return strong(s, err)
}

// UnlockPrivateKey reads an OpenSSH private key that is locked. With a passphrase
// that is not its own it is a [PassphraseError].
func UnlockPrivateKey(b, passphrase []byte) (ssh.Signer, error) {
	s, err := ssh.ParsePrivateKeyWithPassphrase(b, passphrase)
	if errors.Is(err, x509.IncorrectPasswordError) {
		return nil, &PassphraseError{Wrong: true}
	}
	return strong(s, err)
}

// strong is a key that was read, unless nobody would take what it signs.
func strong(s ssh.Signer, err error) (ssh.Signer, error) {
	if err != nil {
		return nil, fmt.Errorf("private key: %w", err)
	}
	if why := weak(s.PublicKey()); why != "" {
		return nil, fmt.Errorf("private key: %s", why)
	}
	return s, nil
}

// Sign makes one armored signature of a lock.
func Sign(lock []byte, s ssh.Signer) ([]byte, error) {
	sig, err := sshsig.Sign(bytes.NewReader(lock), s, sshsig.HashSHA512, Namespace)
	if err != nil {
		return nil, fmt.Errorf("sign %s: %w", LockName, err)
	}
	armored := sshsig.Armor(sig)
	// An agent is another program, and an old one signs for RSA with SHA-1, which
	// nobody would take.
	back, err := parseSignatures(armored)
	if err != nil {
		return nil, fmt.Errorf("sign %s: %w", LockName, err)
	}
	if why := good(lock, back[0]); why != "" {
		return nil, fmt.Errorf("sign %s: the key made %s", LockName, why)
	}
	return armored, nil
}

// AddSignature signs lock and returns the new hookctl.lock.sig: old's
// signatures of this very lock by other keys, and then the new one.
func AddSignature(old, lock []byte, s ssh.Signer) ([]byte, error) {
	sigs, err := parseSignatures(old)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, sig := range sigs {
		if !sameKey(sig.PublicKey, s.PublicKey()) && good(lock, sig) == "" {
			out = append(out, sshsig.Armor(sig)...)
		}
	}
	mine, err := Sign(lock, s)
	if err != nil {
		return nil, err
	}
	out = append(out, mine...)
	if len(out) > MaxSig {
		return nil, &LimitError{What: "bytes in " + SigName, Limit: MaxSig, Got: int64(len(out))}
	}
	return out, nil
}

// good tells why sig is no signature of lock by its own key, "" if it is one.
func good(lock []byte, sig *sshsig.Signature) string {
	switch {
	case sig.Namespace != Namespace:
		return fmt.Sprintf("made for %q, not for %q", sig.Namespace, Namespace)
	case sig.HashAlgorithm != sshsig.HashSHA512:
		return fmt.Sprintf("hash %s, want sha512", sig.HashAlgorithm)
	}
	if err := sshsig.Verify(bytes.NewReader(lock), sig, sig.PublicKey, sig.HashAlgorithm, Namespace); err != nil {
		return "not a signature of this " + LockName
	}
	return ""
}

func sameKey(a, b ssh.PublicKey) bool { return bytes.Equal(a.Marshal(), b.Marshal()) }

// parseSignatures reads armored signatures, one after the other. It takes one
// spelling only: nothing may stand between them, and no second text may mean the
// same signature.
func parseSignatures(b []byte) ([]*sshsig.Signature, error) {
	var sigs []*sshsig.Signature
	var body strings.Builder
	in := false
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		bad := func(why string) error { return &ArmorError{Line: n, Why: why} }
		line, ended := strings.CutSuffix(line, "\n")
		switch {
		case !ended:
			return nil, bad("no line end")
		case !in && line == armorBegin:
			in = true
			body.Reset()
		case !in:
			return nil, bad("want " + armorBegin)
		case line == armorEnd:
			in = false
			if len(sigs) == maxSignatures {
				return nil, &LimitError{What: "signatures", Limit: maxSignatures, Got: maxSignatures + 1}
			}
			sig, err := parseSignature(body.String())
			if err != nil {
				return nil, bad(err.Error())
			}
			sigs = append(sigs, sig)
		case line == "" || len(line) > 76:
			return nil, bad("not a line of base64")
		default:
			body.WriteString(line)
		}
	}
	if in {
		return nil, &ArmorError{Line: n, Why: "cut off"}
	}
	return sigs, nil
}

func parseSignature(text string) (*sshsig.Signature, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("not base64") // the decoder would skip it
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errors.New("not base64")
	}
	sig, err := sshsig.ParseSignature(raw)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(sig.Marshal(), raw) {
		return nil, errors.New("bytes that mean nothing")
	}
	return sig, nil
}
