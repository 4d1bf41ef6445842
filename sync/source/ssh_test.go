package source

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"
)

// sshd is OpenSSH's own server on loopback, with keys and settings in a folder
// of the test.
type sshd struct {
	src  *repo
	dir  string // also serves as the client's ~/.ssh
	user string
	port string
}

func newSSHD(t *testing.T, src *repo, settings ...string) *sshd {
	t.Helper()
	program := "/usr/sbin/sshd"
	if _, err := os.Stat(program); err != nil {
		t.Skip("no OpenSSH server here: install openssh-server to run this test")
	}
	me, err := user.Current()
	must(t, err)
	s := &sshd{src: src, dir: t.TempDir(), user: me.Username}
	if os.Getuid() == 0 {
		must(t, os.MkdirAll("/run/sshd", 0o755)) // where it locks itself in before login
	}
	for _, key := range []string{"host_ed25519", "id_ed25519"} {
		s.newKey(t, key, "")
	}
	s.newRSA(t)
	s.copy(t, "id_ed25519.pub", "authorized_keys")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, s.port, _ = net.SplitHostPort(l.Addr().String())
	l.Close()
	s.certify(t)
	config := strings.Join(append(settings,
		"Port "+s.port, "ListenAddress 127.0.0.1", "HostKey "+s.path("host_ed25519"), "HostKey "+s.path("host_rsa"),
		"AuthorizedKeysFile "+s.path("authorized_keys"), "PidFile none", "StrictModes no", "UsePAM no", "PermitRootLogin yes",
		"PasswordAuthentication yes", "KbdInteractiveAuthentication no", "Banner none", "LogLevel QUIET",
		// The user's own shell files are no part of this.
		"SetEnv HOME="+s.dir), "\n")
	s.write(t, "sshd_config", strings.ReplaceAll(config, "{dir}", s.dir)+"\n")
	var log bytes.Buffer
	cmd := exec.Command(program, "-D", "-e", "-f", s.path("sshd_config"))
	cmd.Stderr = &log
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for range 200 {
		c, err := net.Dial("tcp", "127.0.0.1:"+s.port)
		if err == nil {
			c.Close()
			s.know(t, "host_ed25519")
			return s
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("sshd does not listen: %s", log.String())
	return nil
}

func (s *sshd) path(name string) string { return filepath.Join(s.dir, name) }

func (s *sshd) write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(s.path(name), []byte(text), 0o600))
}

func (s *sshd) read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(s.path(name))
	must(t, err)
	return string(b)
}

func (s *sshd) copy(t *testing.T, from, to string) {
	t.Helper()
	s.write(t, to, s.read(t, from))
}

// newKey makes a key pair as ssh-keygen does.
func (s *sshd) newKey(t *testing.T, name, passphrase string) ed25519.PrivateKey {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	block, err := ssh.MarshalPrivateKey(private, "")
	if passphrase != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte(passphrase))
	}
	must(t, err)
	p, err := ssh.NewPublicKey(public)
	must(t, err)
	s.write(t, name, string(pem.EncodeToMemory(block)))
	s.write(t, name+".pub", string(ssh.MarshalAuthorizedKey(p)))
	return private
}

// newRSA lets the server have a second kind of key, which it likes no less.
func (s *sshd) newRSA(t *testing.T) {
	t.Helper()
	out, err := exec.Command("ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", s.path("host_rsa")).CombinedOutput()
	if err != nil {
		t.Fatalf("ssh-keygen: %v %s", err, out)
	}
}

// certify has an authority sign the server's key.
func (s *sshd) certify(t *testing.T) {
	t.Helper()
	ca, err := ssh.NewSignerFromKey(s.newKey(t, "authority", ""))
	must(t, err)
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(s.read(t, "host_ed25519.pub")))
	must(t, err)
	cert := &ssh.Certificate{Key: key, CertType: ssh.HostCert, ValidPrincipals: []string{"127.0.0.1"}, ValidBefore: ssh.CertTimeInfinity}
	must(t, cert.SignCert(rand.Reader, ca))
	s.write(t, "host_ed25519-cert.pub", string(ssh.MarshalAuthorizedKey(cert)))
}

// know makes the keys known for the server, and no others.
func (s *sshd) know(t *testing.T, names ...string) {
	t.Helper()
	var text string
	for _, n := range names {
		text += fmt.Sprintf("[127.0.0.1]:%s %s", s.port, s.read(t, n+".pub"))
	}
	s.write(t, "known_hosts", "# comment\nnot a line\n"+text)
}

func (s *sshd) url() string {
	return fmt.Sprintf("ssh://%s@127.0.0.1:%s%s/.git", s.user, s.port, s.src.dir)
}

func (s *sshd) options() Options {
	return Options{SSHDir: s.dir, KnownHosts: s.path("known_hosts"), Stall: 10 * time.Second}
}

// keyAgent is an ssh-agent that holds one key.
func keyAgent(t *testing.T, key ed25519.PrivateKey) string {
	t.Helper()
	ring := agent.NewKeyring()
	must(t, ring.Add(agent.AddedKey{PrivateKey: key}))
	dir, err := os.MkdirTemp("", "a") // a socket's path must be short
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go agent.ServeAgent(ring, c)
		}
	}()
	return l.Addr().String()
}

func TestSSH(t *testing.T) {
	s := newSSHD(t, newRepo(t))
	story(t, s.src, s.url(), s.options())
}

func TestSSHEmptyRepository(t *testing.T) {
	s := newSSHD(t, newRepo(t))
	_, err := FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), Remote{URL: s.url(), Branch: "main"}, s.options())
	if !is[*BranchError](err) {
		t.Errorf("error %v, want a BranchError", err)
	}
}

func TestSSHKeysAndHosts(t *testing.T) {
	src := newRepo(t)
	head := src.commit("a", "1")
	s := newSSHD(t, src)
	good := s.newKey(t, "agentkey", "")
	stranger := s.newKey(t, "stranger", "")
	lockedKey := s.newKey(t, "locked", "secret words")
	s.write(t, "authorized_keys", s.read(t, "id_ed25519.pub")+s.read(t, "agentkey.pub")+s.read(t, "locked.pub"))
	s.newKey(t, "host_other", "")
	withKeys := s.dir
	none, onlyLocked := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(onlyLocked, "id_ed25519"), []byte(s.read(t, "locked")), 0o600))
	holdsGood, holdsLocked := keyAgent(t, good), keyAgent(t, lockedKey)
	known := func(names ...string) func(*Options) {
		return func(*Options) { s.know(t, names...) }
	}
	line := func(format string, args ...any) func(*Options) {
		return func(*Options) { s.write(t, "known_hosts", fmt.Sprintf(format, args...)) }
	}
	tests := []struct {
		name string
		url  string
		with func(*Options)
		want any // nil: it fetches
		says string
	}{
		{name: "key in ~/.ssh"},
		{name: "key that is named", with: func(o *Options) { o.SSHDir, o.Identity = none, s.path("agentkey") }},
		{name: "key in the agent", with: func(o *Options) { o.SSHDir, o.Agent = none, holdsGood }},
		{name: "the agent's does not fit, the file's does", with: func(o *Options) { o.Agent = keyAgent(t, stranger) }},
		{name: "locked, in the agent", with: func(o *Options) { o.SSHDir, o.Agent = onlyLocked, holdsLocked }},
		{name: "locked and named, in the agent", with: func(o *Options) { o.Identity, o.Agent = s.path("locked"), holdsLocked }},
		{name: "agent that is gone", with: func(o *Options) { o.Agent = filepath.Join(none, "gone") }},
		{name: "second kind of host key", with: known("host_rsa")},
		{name: "both kinds", with: known("host_rsa", "host_ed25519")},
		{name: "old key beside the new", with: known("host_other", "host_ed25519")},
		{name: "hashed host", with: line("%s %s", knownhosts.HashHostname("[127.0.0.1]:"+s.port), s.read(t, "host_ed25519.pub"))},

		{name: "no key", with: func(o *Options) { o.SSHDir = none }, want: new(*AuthError), says: "there is none"},
		{name: "wrong key", with: func(o *Options) { o.Identity = s.path("stranger") }, want: new(*AuthError), says: "refuses"},
		{name: "locked", with: func(o *Options) { o.SSHDir = onlyLocked }, want: new(*PassphraseError), says: "id_ed25519"},
		{name: "locked and named", with: func(o *Options) { o.Identity = s.path("locked") }, want: new(*PassphraseError), says: "locked"},
		{name: "named and missing", with: func(o *Options) { o.Identity = s.path("gone") }, want: new(*OptionError), says: "gone"},
		{name: "named and no key", with: func(o *Options) { o.Identity = s.path("known_hosts") }, want: new(*OptionError)},
		{name: "unknown host", with: line(""), want: new(*HostKeyError), says: fingerprint(t, s.read(t, "host_ed25519.pub"))},
		{name: "no known_hosts at all", with: func(o *Options) { o.KnownHosts = "" }, want: new(*HostKeyError), says: "not in known_hosts"},
		{name: "named and missing known_hosts", with: func(o *Options) { o.KnownHosts = s.path("gone") }, want: new(*OptionError)},
		{name: "changed host key", with: known("host_other"), want: new(*HostKeyError), says: "is not the one in"},
		{name: "other kind of host key", with: line("[127.0.0.1]:%s ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBEmKSENjQEezOmxkZMy7opKgwFB9nkt5YRrYMjNuG5N87uRgg6CLrbo5wAdT/y6v0mKV0U2w0WZ2YB/++Tpockg=\n", s.port), want: new(*HostKeyError), says: "no key of that kind"},
		{name: "revoked host key", with: line("@revoked * %s[127.0.0.1]:%s %s", s.read(t, "host_ed25519.pub"), s.port, s.read(t, "host_ed25519.pub")), want: new(*HostKeyError), says: "revoked"},
		{name: "no repository", url: strings.Replace(s.url(), "/.git", "/gone", 1), want: new(*NotFoundError)},
		{name: "no such user", url: strings.Replace(s.url(), "//"+s.user, "//nobody-here", 1), want: new(*AuthError)},
		{name: "shell words", url: strings.Replace(s.url(), "/.git", "/.git'$(touch%20"+none+"/ran)!;`id`", 1), want: new(*NotFoundError)},
		{name: "closed port", url: "ssh://git@127.0.0.1:1/x", want: new(*UnreachableError)},
		{name: "a password", url: "ssh://git:tok+en@127.0.0.1/x", want: new(*URLError)},
		{name: "no user", url: "ssh://127.0.0.1/x", want: new(*URLError)},
		{name: "an option", url: "git@127.0.0.1:-x", want: new(*URLError)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.know(t, "host_ed25519")
			o := s.options()
			o.SSHDir = withKeys
			if tt.name == "no known_hosts at all" {
				o.SSHDir = none
			}
			if tt.with != nil {
				tt.with(&o)
			}
			before, _ := os.ReadFile(s.path("known_hosts"))
			r := Remote{URL: tt.url, Branch: "main"}
			if r.URL == "" {
				r.URL = s.url()
			}
			repo, err := FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), r, o)
			if tt.want == nil {
				if err != nil || repo.Head().Hash != head {
					t.Errorf("error %v", err)
				}
				return
			}
			if err == nil || !errors.As(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v (%T), want %T with %q", err, err, tt.want, tt.says)
			}
			t.Log(err)
			discreet(t, r, o, err)
			if after, _ := os.ReadFile(s.path("known_hosts")); !bytes.Equal(before, after) {
				t.Error("known_hosts was changed")
			}
			if _, err := os.Stat(filepath.Join(none, "ran")); err == nil {
				t.Error("the path reached the server's shell as words")
			}
		})
	}
}

func fingerprint(t *testing.T, public string) string {
	t.Helper()
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(public))
	must(t, err)
	return ssh.FingerprintSHA256(key)
}

func TestSSHAuthErrorIsGoGits(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	s := newSSHD(t, src)
	s.newKey(t, "stranger", "")
	o := s.options()
	o.Identity = s.path("stranger")
	_, err := FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), Remote{URL: s.url(), Branch: "main"}, o)
	if !errors.Is(err, transport.ErrAuthorizationFailed) {
		t.Errorf("error %v, want ErrAuthorizationFailed", err)
	}
}

// A server whose key an authority that is known for it has signed.
func TestSSHHostCertificate(t *testing.T) {
	src := newRepo(t)
	head := src.commit("a", "1")
	s := newSSHD(t, src, "HostCertificate {dir}/host_ed25519-cert.pub")
	for name, ca := range map[string]string{"known authority": "authority", "another": "id_ed25519"} {
		t.Run(name, func(t *testing.T) {
			s.write(t, "known_hosts", fmt.Sprintf("@cert-authority [127.0.0.1]:%s %s", s.port, s.read(t, ca+".pub")))
			r, err := FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), Remote{URL: s.url(), Branch: "main"}, s.options())
			if ca == "authority" && (err != nil || r.Head().Hash != head) || ca != "authority" && !is[*HostKeyError](err) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A server that takes the connection and says nothing, or hangs up.
func TestSSHSlowServer(t *testing.T) {
	for name, hold := range map[string]bool{"stands still": true, "hangs up": false} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			must(t, err)
			defer l.Close()
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					if !hold {
						c.Close()
					}
				}
			}()
			start := time.Now()
			r := Remote{URL: "ssh://git@" + l.Addr().String() + "/x", Branch: "main"}
			_, err = FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), r, Options{Stall: 200 * time.Millisecond})
			if hold && !is[*TimeoutError](err) || !hold && !is[*UnreachableError](err) {
				t.Errorf("error %v (%T)", err, err)
			}
			if d := time.Since(start); d > 3*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}
