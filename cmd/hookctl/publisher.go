package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// The protected branch of the demo's repository, and the file that makes a lock a
// release.
const (
	branch    = "main"
	signature = bundle.SigName
)

// layer is the file layer of a verb that installs nothing of the user's.
func layer() *files.Layer { return &files.Layer{} }

// publisher stands for the people who release: a repository with a work tree and
// a signing key that exists only while the demo runs.
type publisher struct {
	dir         string
	signersFile string
	repo        *git.Repository
	key         ssh.Signer
	first       plumbing.Hash // the first commit of all
	good        plumbing.Hash // the newest release of the story, without the attacks
	released    int           // its number
	now         time.Time
}

func newPublisher(dir string, now time.Time) (*publisher, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return nil, err
	}
	repo, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName(branch)}})
	if err != nil {
		return nil, err
	}
	p := &publisher{dir: dir, signersFile: dir + ".signers", repo: repo, key: key, now: now.Add(-time.Hour)}
	line := "release@demo namespaces=\"hookctl\" " + string(ssh.MarshalAuthorizedKey(key.PublicKey()))
	return p, os.WriteFile(p.signersFile, []byte(line), 0o644)
}

func (p *publisher) fingerprint() string { return ssh.FingerprintSHA256(p.key.PublicKey()) }

func (p *publisher) write(name string, b []byte) error {
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}

// files copies what is wanted of a bundle into the work tree.
func (p *publisher) files(fsys fs.FS, wanted func(path string) bool) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !wanted(name) {
			return err
		}
		b, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		return p.write(name, b)
	})
}

// patch replaces one place in a file.
func (p *publisher) patch(name, from, to string) error {
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if strings.Count(string(b), from) != 1 {
		return fmt.Errorf("%s: %q does not stand there once", name, from)
	}
	return os.WriteFile(path, []byte(strings.Replace(string(b), from, to, 1)), 0o644)
}

// lock locks and signs the work tree as it is.
func (p *publisher) lock(release int) error {
	_, raw, err := bundle.MakeLock(os.DirFS(p.dir), bundle.LockOptions{Release: release, Exec: executable(p.dir)})
	if err != nil {
		return err
	}
	sig, err := bundle.Sign(raw, p.key)
	if err != nil {
		return err
	}
	if err := p.write(bundle.LockName, raw); err != nil {
		return err
	}
	return p.write(bundle.SigName, sig)
}

// commit commits the whole work tree, on top of the branch or of parents.
func (p *publisher) commit(message string, parents ...plumbing.Hash) (plumbing.Hash, error) {
	w, err := p.repo.Worktree()
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if err := w.AddWithOptions(&git.AddOptions{All: true}); err != nil {
		return plumbing.ZeroHash, err
	}
	p.now = p.now.Add(time.Second) // two commits of one moment would be one
	who := &object.Signature{Name: "release", Email: "release@demo.invalid", When: p.now}
	h, err := w.Commit(message, &git.CommitOptions{Author: who, Committer: who, Parents: parents, AllowEmptyCommits: true})
	if p.first.IsZero() {
		p.first = h
	}
	return h, err
}

// mergeWork commits the work tree beside the branch and merges that, as a pull
// request does. It returns the merge.
func (p *publisher) mergeWork(message string) (string, error) {
	work, err := p.commit(message, p.good)
	if err != nil {
		return "", err
	}
	merge, err := p.commit("Merge: "+message, p.good, work)
	return merge.String(), err
}

// release locks, signs and commits the work tree.
func (p *publisher) release(n int, message string) (string, error) {
	if err := p.lock(n); err != nil {
		return "", err
	}
	h, err := p.commit(message)
	if err != nil {
		return "", err
	}
	if n == p.released+1 {
		p.released, p.good = n, h
	}
	return h.String(), nil
}

// reset moves the branch to a commit, whatever came after it.
func (p *publisher) reset(to plumbing.Hash) error {
	w, err := p.repo.Worktree()
	if err != nil {
		return err
	}
	return w.Reset(&git.ResetOptions{Commit: to, Mode: git.HardReset})
}

func (p *publisher) remove(name string) error {
	return os.Remove(filepath.Join(p.dir, filepath.FromSlash(name)))
}
