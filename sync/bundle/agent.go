package bundle

import (
	"io"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// AgentKey is a key that an ssh-agent holds, by its fingerprint ("SHA256:…") or by
// its comment, as "ssh-add -l" shows both. Certificates are passed over. Signing
// with it fails with [AgentRefusedError]. A key on a security token wants to be
// touched; what it then signs counts as ssh-keygen counts it.
//
// Errors: [KeyNotHeldError], [KeyNameError], and that the agent does not answer.
func AgentKey(a agent.ExtendedAgent, name string) (ssh.Signer, error) {
	list, err := a.List()
	if err != nil {
		return nil, err
	}
	var found []ssh.PublicKey
	var held, are []string
	for _, k := range list {
		key, err := ssh.ParsePublicKey(k.Blob)
		if err != nil || weak(key) != "" {
			continue
		}
		mark := ssh.FingerprintSHA256(key)
		shown := strings.TrimSpace(mark + " " + printable(k.Comment))
		held = append(held, shown)
		if mark == name || k.Comment == name {
			found, are = append(found, key), append(are, shown)
		}
	}
	switch {
	case name == "" || len(found) == 0:
		return nil, &KeyNotHeldError{Key: name, Held: held}
	case len(found) > 1:
		return nil, &KeyNameError{Key: name, Are: are}
	}
	return &agentSigner{agent: a, key: found[0]}, nil
}

// printable is a comment as it may be shown: anyone who adds a key writes it.
func printable(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(s, "?"))
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

// agentSigner signs by way of an agent.
type agentSigner struct {
	agent agent.ExtendedAgent
	key   ssh.PublicKey
}

func (s *agentSigner) PublicKey() ssh.PublicKey { return s.key }

func (s *agentSigner) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return s.SignWithAlgorithm(rand, data, "")
}

// SignWithAlgorithm asks for SHA-512 where an RSA key may sign with several.
func (s *agentSigner) SignWithAlgorithm(_ io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	var flags agent.SignatureFlags
	if algorithm == ssh.KeyAlgoRSASHA512 {
		flags = agent.SignatureFlagRsaSha512
	}
	sig, err := s.agent.SignWithFlags(s.key, data, flags)
	if err != nil {
		return nil, &AgentRefusedError{Fingerprint: ssh.FingerprintSHA256(s.key), Err: err}
	}
	return sig, nil
}
