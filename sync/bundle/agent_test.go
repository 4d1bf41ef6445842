package bundle

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/agenthooks/hookctl/sync/source"
)

// keyring is an OpenSSH agent with a folder of keys, and ssh-keygen beside it.
type keyring struct {
	*testing.T
	dir, socket string
}

func newKeyring(t *testing.T) *keyring {
	t.Helper()
	for _, program := range []string{"ssh-agent", "ssh-add", "ssh-keygen"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s here: install OpenSSH to run this test", program)
		}
	}
	dir, err := os.MkdirTemp("", "hookctl-agent-*") // short: a socket's path has 104 bytes at most
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	k := &keyring{t, dir, filepath.Join(dir, "s")}
	cmd := exec.Command("ssh-agent", "-D", "-a", k.socket)
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for range 400 {
		if c, err := net.Dial("unix", k.socket); err == nil {
			c.Close()
			return k
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("ssh-agent does not listen")
	return nil
}

func (k *keyring) run(stdin, program string, args ...string) string {
	k.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin = k.dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "SSH_AUTH_SOCK="+k.socket, "SSH_ASKPASS=/bin/false", "SSH_ASKPASS_REQUIRE=never")
	out, err := cmd.CombinedOutput()
	if err != nil {
		k.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// make makes a key, gives it to the agent, and leaves its public half only.
func (k *keyring) make(name string, kind ...string) ssh.PublicKey {
	k.Helper()
	k.run("", "ssh-keygen", append([]string{"-q", "-N", "", "-C", name + "@example.test", "-f", name, "-t"}, kind...)...)
	k.run("", "ssh-add", "-q", name)
	must(k.T, os.Remove(filepath.Join(k.dir, name)))
	return k.public(name)
}

func (k *keyring) public(name string) ssh.PublicKey {
	k.Helper()
	b, err := os.ReadFile(filepath.Join(k.dir, name+".pub"))
	must(k.T, err)
	key, _, _, _, err := ssh.ParseAuthorizedKey(b)
	must(k.T, err)
	return key
}

func (k *keyring) open() *source.Agent {
	k.Helper()
	a, err := source.OpenAgent(k.socket, time.Minute)
	must(k.T, err)
	k.Cleanup(func() { a.Close() })
	return a
}

// verified has ssh-keygen and Verify look at a signature by key.
func (k *keyring) verified(key ssh.PublicKey, lock, sig []byte) {
	k.Helper()
	list := "alice@example.test namespaces=\"hookctl\" " + string(ssh.MarshalAuthorizedKey(key))
	must(k.T, os.WriteFile(filepath.Join(k.dir, "signers"), []byte(list), 0o644))
	must(k.T, os.WriteFile(filepath.Join(k.dir, "sig"), sig, 0o644))
	k.run(string(lock), "ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "alice@example.test", "-n", "hookctl", "-s", "sig")
	signers, err := ParseSigners([]byte(list))
	must(k.T, err)
	c := signLock(k.T, bundleFS(), lock)
	c.Sig = sig
	v, err := Verify(c, Trust{Signers: signers, Now: now})
	if err != nil || len(v.Signers()) != 1 {
		k.Errorf("Verify: %v, %v", v.Signers(), err)
	}
}

func aLock(t *testing.T) []byte {
	t.Helper()
	_, lock, err := MakeLock(bundleFS(), LockOptions{Release: 1})
	must(t, err)
	return lock
}

// What an OpenSSH agent signs for us, ssh-keygen takes, and so do we.
func TestAgentSigns(t *testing.T) {
	k := newKeyring(t)
	lock := aLock(t)
	for name, kind := range map[string][]string{
		"ed25519": {"ed25519"}, "ecdsa256": {"ecdsa", "-b", "256"}, "ecdsa384": {"ecdsa", "-b", "384"}, "ecdsa521": {"ecdsa", "-b", "521"},
		"rsa2048": {"rsa", "-b", "2048"}, "rsa3072": {"rsa", "-b", "3072"},
	} {
		key := k.make(name, kind...)
		for _, by := range []string{ssh.FingerprintSHA256(key), name + "@example.test"} {
			t.Run(name+" "+by[:6], func(t *testing.T) {
				k := &keyring{t, k.dir, k.socket}
				s, err := AgentKey(k.open(), by)
				must(t, err)
				sig, err := AddSignature(nil, lock, s)
				must(t, err)
				k.verified(key, lock, sig)
				parsed, err := parseSignatures(sig)
				must(t, err)
				if got := parsed[0].Signature.Format; key.Type() == ssh.KeyAlgoRSA && got != ssh.KeyAlgoRSASHA512 {
					t.Errorf("an RSA key signs as %s", got)
				}
			})
		}
	}
}

func TestAgentDoesNotSign(t *testing.T) {
	k := newKeyring(t)
	lock := aLock(t)
	var none *KeyNotHeldError
	_, err := AgentKey(k.open(), "alice@example.test")
	wants(t, err, none)
	if !strings.Contains(err.Error(), "none that can sign") {
		t.Errorf("an empty agent: %v", err)
	}
	key := k.make("alice", "ed25519")
	k.make("small", "rsa", "-b", "1024")
	_, err = AgentKey(k.open(), "small@example.test")
	wants(t, err, none)
	if !strings.Contains(err.Error(), ssh.FingerprintSHA256(key)+" alice@example.test") || strings.Contains(err.Error(), " small@example.test") {
		t.Errorf("a small key: %v", err)
	}
	_, err = AgentKey(k.open(), "")
	wants(t, err, none)

	s, err := AgentKey(k.open(), "alice@example.test")
	must(t, err)
	k.run("", "ssh-add", "-q", "-d", "alice.pub")
	_, err = AddSignature(nil, lock, s)
	wants(t, err, new(AgentRefusedError))
	if !strings.Contains(err.Error(), ssh.FingerprintSHA256(key)) {
		t.Errorf("a key that is gone: %v", err)
	}

	k.run("", "ssh-keygen", "-q", "-N", "", "-C", "asks", "-t", "ed25519", "-f", "asks")
	k.run("", "ssh-add", "-q", "-c", "asks") // and nobody can be asked
	s, err = AgentKey(k.open(), "asks")
	must(t, err)
	_, err = AddSignature(nil, lock, s)
	wants(t, err, new(AgentRefusedError))

	k.run("", "ssh-keygen", "-q", "-N", "", "-C", "asks", "-t", "ed25519", "-f", "twin")
	k.run("", "ssh-add", "-q", "twin")
	_, err = AgentKey(k.open(), "asks")
	wants(t, err, new(KeyNameError))

	_, err = source.OpenAgent(k.socket+".gone", time.Second)
	wants(t, err, new(source.AgentError))
	_, err = source.OpenAgent("", time.Second)
	wants(t, err, new(source.AgentError))
}

// A certificate beside its key, under the same comment, stands in nobody's way.
func TestAgentHoldsACertificate(t *testing.T) {
	k := newKeyring(t)
	k.run("", "ssh-keygen", "-q", "-N", "", "-t", "ed25519", "-f", "ca")
	k.run("", "ssh-keygen", "-q", "-N", "", "-C", "alice", "-t", "ed25519", "-f", "alice")
	k.run("", "ssh-keygen", "-q", "-s", "ca", "-I", "alice", "-n", "alice", "alice.pub")
	k.run("", "ssh-add", "-q", "alice")
	if held := k.run("", "ssh-add", "-l"); strings.Count(held, "alice") != 2 {
		t.Fatalf("the agent holds %s", held)
	}
	s, err := AgentKey(k.open(), "alice")
	must(t, err)
	lock := aLock(t)
	sig, err := Sign(lock, s)
	must(t, err)
	k.verified(k.public("alice"), lock, sig)
}

// token is an agent with one key, which answers as it was told to.
type token struct {
	agent.ExtendedAgent
	key    agent.Key
	answer func(data []byte) *ssh.Signature
}

func (k *token) List() ([]*agent.Key, error)                            { return []*agent.Key{&k.key}, nil }
func (k *token) Sign(_ ssh.PublicKey, d []byte) (*ssh.Signature, error) { return k.answer(d), nil }

func (k *token) SignWithFlags(_ ssh.PublicKey, d []byte, _ agent.SignatureFlags) (*ssh.Signature, error) {
	return k.answer(d), nil
}

// overSocket is a as a client sees it.
func (k *token) overSocket(t *testing.T) agent.ExtendedAgent {
	t.Helper()
	client, server := net.Pipe()
	go agent.ServeAgent(k, server)
	t.Cleanup(func() { client.Close(); server.Close() })
	return agent.NewClient(client)
}

// softToken is a security token without hardware: PROTOCOL.u2f of OpenSSH, an
// Ed25519 key. flags 1: somebody touched it.
func softToken(t *testing.T, flags byte) (*token, ssh.PublicKey) {
	t.Helper()
	const application = "ssh:"
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	blob := ssh.Marshal(struct{ Type, Key, Application string }{ssh.KeyAlgoSKED25519, string(public), application})
	key, err := ssh.ParsePublicKey(blob)
	must(t, err)
	return &token{key: agent.Key{Format: key.Type(), Blob: blob, Comment: "token"}, answer: func(data []byte) *ssh.Signature {
		app, msg := sha256.Sum256([]byte(application)), sha256.Sum256(data)
		tail := []byte{flags, 0, 0, 0, 7} // and a counter
		return &ssh.Signature{Format: key.Type(), Blob: ed25519.Sign(private, slices.Concat(app[:], tail, msg[:])), Rest: tail}
	}}, key
}

// A key on a token signs as ssh-keygen and Verify count it; untouched it does not
// count for either, and no signature is made.
func TestTokenSigns(t *testing.T) {
	k := newKeyring(t)
	lock := aLock(t)
	touched, key := softToken(t, 1)
	s, err := AgentKey(touched.overSocket(t), "token")
	must(t, err)
	sig, err := AddSignature(nil, lock, s)
	must(t, err)
	k.verified(key, lock, sig)

	untouched, _ := softToken(t, 0)
	s, err = AgentKey(untouched.overSocket(t), "token")
	must(t, err)
	if sig, err := Sign(lock, s); err == nil {
		t.Errorf("signed without a touch:\n%s", sig)
	}
}

// An agent that signs with SHA-1, something else, or nothing makes no release.
func TestAgentSignsBadly(t *testing.T) {
	lock := aLock(t)
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	good, err := ssh.NewSignerFromKey(private)
	must(t, err)
	for name, answer := range map[string]func([]byte) *ssh.Signature{
		"SHA-1": func(d []byte) *ssh.Signature {
			s, err := good.(ssh.AlgorithmSigner).SignWithAlgorithm(rand.Reader, d, ssh.KeyAlgoRSA)
			must(t, err)
			return s
		},
		"another text": func([]byte) *ssh.Signature {
			s, err := good.(ssh.AlgorithmSigner).SignWithAlgorithm(rand.Reader, []byte("x"), ssh.KeyAlgoRSASHA512)
			must(t, err)
			return s
		},
		"nothing": func([]byte) *ssh.Signature { return &ssh.Signature{} },
	} {
		a := &token{key: agent.Key{Format: ssh.KeyAlgoRSA, Blob: good.PublicKey().Marshal(), Comment: "a\x1b[2Jb"}, answer: answer}
		s, err := AgentKey(a.overSocket(t), ssh.FingerprintSHA256(good.PublicKey()))
		must(t, err)
		if sig, err := AddSignature(nil, lock, s); err == nil {
			t.Errorf("%s: signed\n%s", name, sig)
		}
		_, err = AgentKey(a.overSocket(t), "gone")
		if err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: the comment comes through: %q", name, err)
		}
	}
}
