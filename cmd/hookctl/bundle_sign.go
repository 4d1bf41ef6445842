package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"
	"golang.org/x/term"

	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// agentWait is how long an ssh-agent may take: somebody confirms there, or touches
// a key.
const agentWait = 2 * time.Minute

func signCmd(e *env) *cobra.Command {
	var key, held string
	c := &cobra.Command{
		Use:   "sign [DIR] (--key FILE | --agent KEY)",
		Short: "Sign hookctl.lock with an SSH key, from a file or by an ssh-agent",
		Long: `sign adds the signature of an SSH key (SSHSIG, namespace "hookctl") to
hookctl.lock.sig. A second signature of the same key replaces the first; those of
other keys stay, as long as they are of this lock.

--key names a private key, or a public one (.pub) whose private half the ssh-agent
holds. For a private key with a passphrase the agent signs too, or the passphrase is
asked for at a terminal. --agent names a key that the agent holds by its fingerprint or
its comment, as "ssh-add -l" shows them. The agent is the one of SSH_AUTH_SOCK.

Ed25519, ECDSA and RSA keys (2048 bits or more) sign, and those on a security token
(sk-), which wants to be touched; these by the agent only.`,
		Example: `  hookctl bundle sign --key ~/.ssh/release_ed25519
  hookctl bundle sign --key ~/.ssh/release_ed25519.pub     the agent signs
  hookctl bundle sign --agent release@example.org`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return e.sign(dirArg(args), key, held) },
	}
	c.Flags().StringVar(&key, "key", "", "private key file (OpenSSH), or a public one whose private half the ssh-agent holds")
	c.Flags().StringVar(&held, "agent", "", "fingerprint (SHA256:…) or comment of a key that the ssh-agent holds")
	c.MarkFlagsOneRequired("key", "agent")
	c.MarkFlagsMutuallyExclusive("key", "agent")
	return c
}

func (e *env) sign(dir, key, held string) error {
	lock, err := os.ReadFile(filepath.Join(dir, bundle.LockName))
	if err != nil {
		return &authorError{"nothing was signed", err}
	}
	l, err := bundle.ParseLock(lock)
	if err != nil {
		return &authorError{"nothing was signed", err}
	}
	path := filepath.Join(dir, bundle.SigName)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	signer, done, err := e.signer(key, held)
	if err != nil {
		return err
	}
	defer done()
	sig, err := bundle.AddSignature(old, lock, signer)
	if err != nil {
		return err
	}
	if err := (&files.Layer{}).WriteFile(path, sig, 0o644); err != nil {
		return err
	}
	e.printf("release %d signed by %s\n", l.Release, ssh.FingerprintSHA256(signer.PublicKey()))
	return nil
}

// signer is the key in a file, or the one that the ssh-agent holds; done lets go
// of the agent.
func (e *env) signer(file, held string) (signer ssh.Signer, done func(), err error) {
	if file == "" {
		return e.agentKey(held)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	if public, _, _, _, err := ssh.ParseAuthorizedKey(raw); err == nil {
		return e.agentKey(ssh.FingerprintSHA256(public))
	}
	signer, err = bundle.ParsePrivateKey(raw)
	if locked, ok := errors.AsType[*bundle.PassphraseError](err); ok {
		// The agent stands in, if it holds that very key; else a person is asked.
		if signer, done, err := e.agentKey(locked.Fingerprint); err == nil {
			return signer, done, nil
		}
		if phrase, ok := e.passphrase(file); ok {
			signer, err = bundle.UnlockPrivateKey(raw, phrase)
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return signer, func() {}, nil
}

func (e *env) agentKey(name string) (ssh.Signer, func(), error) {
	a, err := source.OpenAgent(source.Environment(e.getenv).Agent, agentWait)
	if err != nil {
		return nil, nil, err
	}
	signer, err := bundle.AgentKey(a, name)
	if err != nil {
		a.Close()
		return nil, nil, err
	}
	return signer, func() { a.Close() }, nil
}

// passphrase asks for one at the terminal, if there is one.
func (e *env) passphrase(file string) (phrase []byte, ok bool) {
	tty, ok := e.terminal()
	if !ok {
		return nil, false
	}
	defer tty.Close()
	stdin, ok := e.in.(*os.File)
	if !ok {
		return nil, false
	}
	fmt.Fprintf(tty, "Passphrase of %s: ", file)
	phrase, err := term.ReadPassword(int(stdin.Fd()))
	fmt.Fprintln(tty)
	return phrase, err == nil
}
