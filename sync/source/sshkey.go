package source

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing/transport"
	"golang.org/x/crypto/ssh"
)

const maxKey = 1 << 20 // bytes of a private key's file

// keys are what the user can show to a server: those of the agent, then those of
// the usual files, or the one that was named. Nothing asks for a passphrase.
type keys struct {
	o   Options
	url string

	offered int
	locked  string // the first file with a passphrase whose key the agent does not hold
	err     error  // why the named key cannot be used
	agent   io.Closer
}

// signers is called when the server is ready to look at keys.
func (k *keys) signers() ([]ssh.Signer, error) {
	held := k.held()
	if k.o.Identity != "" {
		s, err := k.read(k.o.Identity, held)
		switch {
		case is[*PassphraseError](err):
			k.err = err
		case err != nil:
			k.err = &OptionError{What: "private key", Path: k.o.Identity, Err: err}
		}
		if k.err != nil {
			return nil, k.err
		}
		k.offered = 1
		return []ssh.Signer{s}, nil
	}
	list := held
	for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		if k.o.SSHDir == "" {
			break
		}
		path := filepath.Join(k.o.SSHDir, name)
		s, err := k.read(path, held)
		switch {
		case is[*PassphraseError](err) && k.locked == "":
			k.locked = path
		case err == nil && find(list, s.PublicKey()) == nil:
			list = append(list, s)
		}
	}
	k.offered = len(list)
	return list, nil
}

// held are the agent's keys; none when there is no agent that answers.
func (k *keys) held() []ssh.Signer {
	a, err := OpenAgent(k.o.Agent, k.o.stall())
	if err != nil {
		return nil
	}
	k.agent = a
	list, err := a.Signers()
	if err != nil {
		return nil
	}
	return list
}

// read reads a private key. For one with a passphrase the agent stands in, when
// it holds that key.
func (k *keys) read(path string, held []ssh.Signer) (ssh.Signer, error) {
	b, err := readShort(path, maxKey)
	if err != nil {
		return nil, err
	}
	s, err := ssh.ParsePrivateKey(b)
	missing, ok := errors.AsType[*ssh.PassphraseMissingError](err)
	if !ok {
		return s, err
	}
	public := missing.PublicKey
	if public == nil { // the older format does not tell
		if b, err := readShort(path+".pub", maxKey); err == nil {
			if p, _, _, _, err := ssh.ParseAuthorizedKey(b); err == nil {
				public = p
			}
		}
	}
	if s := find(held, public); s != nil {
		return s, nil
	}
	return nil, &PassphraseError{URL: k.url, Path: path}
}

func find(list []ssh.Signer, public ssh.PublicKey) ssh.Signer {
	for _, s := range list {
		if public != nil && string(s.PublicKey().Marshal()) == string(public.Marshal()) {
			return s
		}
	}
	return nil
}

// refused says why the server took none of the keys.
func (k *keys) refused(err error) error {
	switch {
	case k.err != nil:
		return k.err
	case k.locked != "":
		return &PassphraseError{URL: k.url, Path: k.locked}
	case k.offered == 0:
		return &AuthError{URL: k.url, Err: &leaf{"no agent with keys, and no private key was found", transport.ErrAuthenticationRequired}}
	}
	return &AuthError{URL: k.url, Sent: true, Err: &leaf{tidy(err.Error()), transport.ErrAuthorizationFailed}}
}

func (k *keys) close() {
	if k.agent != nil {
		k.agent.Close()
	}
}
