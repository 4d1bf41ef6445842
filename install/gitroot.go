package install

import (
	"bytes"
	"os"
	"path/filepath"
)

// maxGitFile bounds the small files by which a work tree names its repository.
const maxGitFile = 4 << 10

// GitRoot is the root of the Git work tree that a folder lies in, "" when it lies in
// none. That .git holds a repository is not asked: agents do not ask it either.
func GitRoot(dir string) string {
	for dir != "" {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// mainRoot is the root of the main work tree of the repository that a folder lies
// in: that of the checkout which a linked work tree belongs to. It is "" outside of
// one, and in a work tree of a bare repository, which has no main one.
func mainRoot(dir string) string {
	root := GitRoot(dir)
	if root == "" {
		return ""
	}
	own, ok := bytes.CutPrefix(gitFile(filepath.Join(root, ".git")), []byte("gitdir: "))
	if !ok {
		return root // .git is a folder
	}
	gitDir := from(root, string(own))
	common := gitFile(filepath.Join(gitDir, "commondir"))
	back := gitFile(filepath.Join(gitDir, "gitdir"))
	if common == nil || back == nil || !sameFile(from(gitDir, string(back)), filepath.Join(root, ".git")) {
		return root // a submodule, a repository that lies elsewhere, or a link that the repository does not know
	}
	repo := from(gitDir, string(common))
	if filepath.Base(repo) != ".git" {
		return ""
	}
	return filepath.Dir(repo)
}

// from reads a path as one that is relative to a folder, unless it is absolute.
func from(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// gitFile is the line that a small file holds; nil when it is none.
func gitFile(path string) []byte {
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxGitFile {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return bytes.TrimRight(b, "\r\n")
}
