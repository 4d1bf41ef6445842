package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// lostComments compares the YAML files with those of the last release in Git: a
// comment is lost when the line that it speaks of is still there. A tool that
// writes a file anew loses all of them. The files are hookctl.yaml, the gates and
// the notes of the cases. Without a repository, or without a release in it, nothing
// can be said.
func lostComments(dir string) ([]bundle.Finding, error) {
	tree, sub := lastReleaseTree(dir)
	if tree == nil {
		return nil, nil
	}
	names := []string{bundle.Manifest}
	for _, pattern := range []string{"gates/*.yaml", "cases/*/*/*.yaml"} {
		more, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, more...)
	}
	var out []bundle.Finding
	for _, name := range names {
		now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		was, err := readBlob(tree, path.Join(sub, name))
		if err != nil {
			continue // the file is new
		}
		out = append(out, lost(name, was, now)...)
	}
	return out, nil
}

// lost lists the comments that are gone while the line that they spoke of is there.
// One that was worded anew is not gone: then the line has as many as before.
func lost(name string, was, now []byte) (out []bundle.Finding) {
	there, on := map[string]bool{}, map[string]int{}
	for _, c := range manifests.Comments(now) {
		there[c.Text] = true
		on[c.On]++
	}
	lines := map[string]int{"": 0} // a comment behind everything speaks of the file
	text := strings.Split(string(now), "\n")
	for i, line := range text {
		text[i] = strings.TrimSpace(line)
		if text[i] != "" && lines[text[i]] == 0 {
			lines[text[i]] = i + 1
		}
	}
	for _, c := range manifests.Comments(now) {
		// Of a line with a comment in it, On is what stands before that.
		for n := c.Line; c.On != "" && lines[c.On] == 0 && n <= len(text); n++ {
			if strings.HasPrefix(text[n-1], c.On) {
				lines[c.On] = n
			}
		}
	}
	before := map[string]int{}
	for _, c := range manifests.Comments(was) {
		before[c.On]++
	}
	for _, c := range manifests.Comments(was) {
		if n, stands := lines[c.On]; stands && !there[c.Text] && on[c.On] < before[c.On] {
			out = append(out, bundle.Finding{File: name, Line: n, Rule: "comment-lost", Message: "since the last release this comment is gone: # " + c.Text})
		}
	}
	return out
}

// maxReleaseWalk bounds how far back a release is looked for.
const maxReleaseWalk = 2000

// lastReleaseTree is the tree of the newest commit, along first parents, in which
// the lock changed; nil when there is none. sub is the bundle's folder in it.
func lastReleaseTree(dir string) (tree *object.Tree, sub string) {
	repo, err := git.PlainOpenWithOptions(dir, &git.PlainOpenOptions{DetectDotGit: true})
	if err != nil {
		return nil, ""
	}
	if sub, err = inWorkTree(repo, dir); err != nil {
		return nil, ""
	}
	head, err := repo.Head()
	if err != nil {
		return nil, ""
	}
	c, err := repo.CommitObject(head.Hash())
	last := ""
	for n := 0; err == nil && n < maxReleaseWalk; n++ {
		t, lock := lockOf(c, sub)
		if lock == "" || last != "" && lock != last {
			break
		}
		tree, last = t, lock
		if len(c.ParentHashes) == 0 {
			break
		}
		c, err = repo.CommitObject(c.ParentHashes[0])
	}
	return tree, sub
}

// lockOf is a commit's tree and the hash of the lock in it, "" without one.
func lockOf(c *object.Commit, sub string) (*object.Tree, string) {
	t, err := c.Tree()
	if err != nil {
		return nil, ""
	}
	f, err := t.FindEntry(path.Join(sub, bundle.LockName))
	if err != nil {
		return nil, ""
	}
	return t, f.Hash.String()
}

func inWorkTree(repo *git.Repository, dir string) (string, error) {
	w, err := repo.Worktree()
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	root := w.Filesystem.Root()
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(root, abs)
	return filepath.ToSlash(rel), err
}

func readBlob(t *object.Tree, name string) ([]byte, error) {
	f, err := t.File(name)
	if err != nil {
		return nil, err
	}
	r, err := f.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, bundle.MaxFile))
}
