package source

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// systemKnownHosts is what the administrator of a machine wrote (sshd(8)).
const systemKnownHosts = "/etc/ssh/ssh_known_hosts"

// knownHosts is what known_hosts says of one server. It is only read: a key that
// is not there is never added.
type knownHosts struct {
	url, addr  string
	keys       []KnownKey // for this host, without the keys of authorities
	algorithms []string   // that a key which is known for the host can be shown with
	db         ssh.HostKeyCallback

	good bool          // the server has shown a known key
	err  *HostKeyError // it has not
}

func readKnownHosts(o Options, url string, a address) (*knownHosts, error) {
	var files []string
	switch {
	case o.KnownHosts != "":
		files = []string{o.KnownHosts}
	case o.SSHDir != "":
		for _, f := range []string{filepath.Join(o.SSHDir, "known_hosts"), systemKnownHosts} {
			if _, err := os.Stat(f); !errors.Is(err, fs.ErrNotExist) {
				files = append(files, f)
			}
		}
	}
	lines := map[string][][]byte{}
	for _, f := range files {
		b, err := readShort(f, maxKnownHosts)
		if err != nil {
			return nil, &OptionError{What: "known_hosts", Path: f, Err: err}
		}
		lines[f] = bytes.Split(b, []byte("\n"))
	}
	db, err := knownhosts.New(files...)
	if err != nil {
		return nil, &OptionError{What: "known_hosts", Path: files[0], Err: bare(err)}
	}
	k := &knownHosts{url: url, addr: net.JoinHostPort(a.host, a.port), db: db}
	if err := k.look(lines); err != nil {
		return nil, err
	}
	return k, nil
}

const maxKnownHosts = 16 << 20 // bytes

// look finds what is known of the host: only kinds of keys that are known may be
// negotiated, since a server shows one of its keys and the first kind that both
// sides like need not be the known one.
func (k *knownHosts) look(lines map[string][][]byte) error {
	nobody, err := ssh.NewPublicKey(ed25519.PublicKey(make([]byte, ed25519.PublicKeySize)))
	if err != nil {
		return err
	}
	unlike, ok := errors.AsType[*knownhosts.KeyError](k.db(k.addr, &net.TCPAddr{IP: net.IPv4zero}, nobody))
	if !ok {
		return nil
	}
	if len(unlike.Want) == 0 {
		// To be shown: the key that ssh itself would show.
		k.algorithms = []string{
			ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521,
			ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256,
		}
	}
	for _, w := range unlike.Want {
		if authority(lines[w.Filename], w.Line) {
			k.algorithms = append(k.algorithms, ssh.CertAlgoED25519v01, ssh.CertAlgoECDSA256v01, ssh.CertAlgoECDSA384v01,
				ssh.CertAlgoECDSA521v01, ssh.CertAlgoRSASHA512v01, ssh.CertAlgoRSASHA256v01)
			continue
		}
		k.keys = append(k.keys, KnownKey{w.Key.Type(), ssh.FingerprintSHA256(w.Key), w.Filename, w.Line})
	}
	for _, key := range k.keys {
		if key.Type == ssh.KeyAlgoRSA {
			k.algorithms = append(k.algorithms, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
		} else {
			k.algorithms = append(k.algorithms, key.Type)
		}
	}
	seen := map[string]bool{}
	k.algorithms = slices.DeleteFunc(k.algorithms, func(a string) bool {
		again := seen[a]
		seen[a] = true
		return again
	})
	return nil
}

// authority tells a line of a certificate authority, which package knownhosts
// lists like any other.
func authority(lines [][]byte, n int) bool {
	return n > 0 && n <= len(lines) && bytes.HasPrefix(bytes.TrimSpace(lines[n-1]), []byte("@cert-authority"))
}

// check is called with the key that the server has proven to own.
func (k *knownHosts) check(hostname string, remote net.Addr, key ssh.PublicKey) error {
	err := k.db(hostname, remote, key)
	if err == nil {
		k.good = true
		return nil
	}
	k.err = k.unlike(key)
	k.err.Revoked = is[*knownhosts.RevokedError](err)
	return k.err
}

// unlike is the error about a key that is not the known one; nil when the server
// has none of a kind that is known.
func (k *knownHosts) unlike(key ssh.PublicKey) *HostKeyError {
	e := &HostKeyError{URL: k.url, Host: knownhosts.Normalize(k.addr), Known: k.keys}
	if c, ok := key.(*ssh.Certificate); ok {
		key = c.Key
	}
	if key != nil {
		e.Type, e.Fingerprint = key.Type(), ssh.FingerprintSHA256(key)
	}
	return e
}
