package receipt

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// Namespace keeps a signature for something else from standing in for one of a
// receipt: "ssh-keygen -Y verify -n hookctl-receipt".
const Namespace = "hookctl-receipt"

// headNamespace is that of the file "head".
const headNamespace = Namespace + "-head"

// maxSig bounds a signature file in bytes; one of ed25519 needs under 400.
const maxSig = 4 << 10

// SignatureError says that bytes are not signed by the machine key.
type SignatureError struct{ Why string }

func (e *SignatureError) Error() string { return "signature: " + e.Why }

// VerifyFile reads one receipt whose signature by pub is good. It needs no home
// and says nothing about the receipts before and after. Errors:
// [SignatureError], [FormatError], [SchemaError].
func VerifyFile(b, sig []byte, pub ssh.PublicKey) (Receipt, error) {
	if pub == nil {
		return Receipt{}, &SignatureError{"no key to check it with"}
	}
	r, by, err := verifySigned(b, sig)
	if err != nil {
		return Receipt{}, err
	}
	if !sameKey(by, pub) {
		return Receipt{}, &SignatureError{fmt.Sprintf("by %s, want %s", ssh.FingerprintSHA256(by), ssh.FingerprintSHA256(pub))}
	}
	return r, nil
}

// verifySigned reads a receipt that is signed by the key whose fingerprint it
// names, whichever that is.
func verifySigned(b, sig []byte) (Receipt, ssh.PublicKey, error) {
	pub, err := signedBy(b, sig, Namespace)
	if err != nil {
		return Receipt{}, nil, err
	}
	r, err := Parse(b)
	if err != nil {
		return Receipt{}, nil, err
	}
	if is := ssh.FingerprintSHA256(pub); is != r.Machine {
		return Receipt{}, nil, &SignatureError{fmt.Sprintf("by %s, and the receipt names the machine %s", is, r.Machine)}
	}
	return r, pub, nil
}

func sign(b []byte, k Key, namespace string) ([]byte, error) {
	if k.signer == nil {
		return nil, errors.New("sign: no machine key")
	}
	s, err := sshsig.Sign(bytes.NewReader(b), k.signer, sshsig.HashSHA512, namespace)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return sshsig.Armor(s), nil
}

// signedBy is the key that made armor, a signature of b. It takes one spelling
// only: what it accepts is what sign writes, to the byte.
func signedBy(b, armor []byte, namespace string) (ssh.PublicKey, error) {
	if len(armor) > maxSig {
		return nil, &SignatureError{fmt.Sprintf("%d bytes, limit %d", len(armor), maxSig)}
	}
	s, err := sshsig.Unarmor(armor)
	if err != nil || !bytes.Equal(sshsig.Armor(s), armor) || len(s.Signature.Rest) > 0 {
		return nil, &SignatureError{"not in the form of ssh-keygen -Y sign"}
	}
	if t := s.PublicKey.Type(); t != ssh.KeyAlgoED25519 || s.HashAlgorithm != sshsig.HashSHA512 {
		return nil, &SignatureError{fmt.Sprintf("by a key of type %s over %s, want %s over sha512", t, s.HashAlgorithm, ssh.KeyAlgoED25519)}
	}
	if s.Namespace != namespace {
		return nil, &SignatureError{fmt.Sprintf("made for %q, not for %q", s.Namespace, namespace)}
	}
	if err := sshsig.Verify(bytes.NewReader(b), s, s.PublicKey, s.HashAlgorithm, namespace); err != nil {
		return nil, &SignatureError{"the bytes are not those that were signed"}
	}
	return s.PublicKey, nil
}
