package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/crypto/ssh"
)

type publisherKey struct{}

// published holds the people who release, once a script has called for them.
type published struct{ *publisher }

// publish plays the people who release, with a Git repository that needs no git
// program. Its work tree is the folder hooks, the keys that may release stand in
// hooks.signers, and their private key in release.key.
//
//	publish init           a repository with the bundle of script-support/tiny
//	publish lock RELEASE   lock and sign the work tree as it is
//	publish commit WHY     commit the whole work tree
//	publish release N      lock, sign and commit
//	publish rewind         force the branch back to its first commit
func publish(ts *testscript.TestScript, neg bool, args []string) {
	p := ts.Value(publisherKey{}).(*published)
	switch {
	case neg || len(args) == 0:
		ts.Fatalf("usage: publish init|lock|commit|release|rewind [arg]")
	case args[0] == "init":
		ts.Check(p.begin(ts.MkAbs("hooks"), ts.MkAbs("release.key")))
	case p.publisher == nil:
		ts.Fatalf("publish init comes first")
	case args[0] == "rewind":
		ts.Check(p.reset(p.first))
	case len(args) != 2:
		ts.Fatalf("publish %s wants one argument", args[0])
	case args[0] == "lock":
		ts.Check(p.lock(number(ts, args[1])))
	case args[0] == "commit":
		p.committed(ts, args[1])
	case args[0] == "release":
		ts.Check(p.lock(number(ts, args[1])))
		p.committed(ts, "Release "+args[1])
	default:
		ts.Fatalf("publish %s: unknown", args[0])
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}

// committed commits, and leaves the commit's name in $COMMIT.
func (p *published) committed(ts *testscript.TestScript, why string) {
	h, err := p.commit(why)
	ts.Check(err)
	ts.Setenv("COMMIT", h.String())
}

// begin makes the repository and replaces the demo's key, which nobody can read,
// by one that lies in a file.
func (p *published) begin(dir, keyFile string) (err error) {
	if p.publisher, err = newPublisher(dir, time.Now()); err != nil {
		return err
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	if p.key, err = ssh.NewSignerFromKey(private); err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		return err
	}
	if err := os.WriteFile(keyFile, pem.EncodeToMemory(block), 0o600); err != nil {
		return err
	}
	line := "release@example.com namespaces=\"hookctl\" " + string(ssh.MarshalAuthorizedKey(p.key.PublicKey()))
	if err := os.WriteFile(p.signersFile, []byte(line), 0o644); err != nil {
		return err
	}
	return p.files(os.DirFS(filepath.Join("..", "..", "testdata", "script-support", "tiny")), func(string) bool { return true })
}
