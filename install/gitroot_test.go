package install

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agenthooks/hookctl/install/agent"
)

func TestGitRoots(t *testing.T) {
	dir := t.TempDir()
	put := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// As git init, worktree add, submodule add and clone --bare make them.
	put("repo/.git/HEAD", "ref: refs/heads/main\n")
	put("repo/sub/deep/file", "")
	put("repo/.git/worktrees/tree/commondir", "../..\n")
	put("repo/.git/worktrees/tree/gitdir", filepath.Join(dir, "tree", ".git")+"\n")
	put("forged/.git", "gitdir: ../repo/.git/worktrees/tree\n")
	put("tree/.git", "gitdir: "+filepath.Join(dir, "repo", ".git", "worktrees", "tree")+"\n")
	put("tree/sub/file", "")
	put("repo/.git/modules/mod/HEAD", "ref: refs/heads/main\n")
	put("repo/mod/.git", "gitdir: ../.git/modules/mod\n")
	put("bare.git/worktrees/own/commondir", "../..\n")
	put("bare.git/worktrees/own/gitdir", "../../../own/.git\n") // worktree.useRelativePaths
	put("own/.git", "gitdir: ../bare.git/worktrees/own\n")
	put("odd/.git", "not a repository\n")
	put("plain/file", "")

	for _, c := range []struct{ at, root, main string }{
		{"repo", "repo", "repo"},
		{"repo/sub/deep", "repo", "repo"},
		{"tree", "tree", "repo"},
		{"tree/sub", "tree", "repo"},
		{"forged", "forged", "forged"},
		{"repo/mod", "repo/mod", "repo/mod"},
		{"own", "own", ""},
		{"odd", "odd", "odd"},
		{"plain", "", ""},
	} {
		at := func(p string) string {
			if p == "" {
				return ""
			}
			return filepath.Join(dir, filepath.FromSlash(p))
		}
		if got := GitRoot(at(c.at)); got != at(c.root) {
			t.Errorf("%s: root %q, want %q", c.at, got, at(c.root))
		}
		if got := mainRoot(at(c.at)); got != at(c.main) {
			t.Errorf("%s: main root %q, want %q", c.at, got, at(c.main))
		}
	}
	if GitRoot("") != "" || mainRoot("") != "" {
		t.Error("no folder has a root")
	}
}

// Claude Code 2.1.332 in a folder below the root of a repository: both local files
// are read, that of the root is the stronger one, and the project's is that of the
// folder alone.
func TestScopesOfClaudeBelowTheRoot(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	for _, d := range []string{filepath.Join(dir, ".git"), sub} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for project, want := range map[string][]string{
		sub: {filepath.Join(dir, ".claude/settings.local.json"), filepath.Join(sub, ".claude/settings.local.json"), filepath.Join(sub, ".claude/settings.json")},
		dir: {filepath.Join(dir, ".claude/settings.local.json"), filepath.Join(dir, ".claude/settings.json")},
	} {
		scopes, err := Scopes(agent.Claude, Where{Home: filepath.Join(dir, "home"), ManagedDir: filepath.Join(dir, "managed")}, project)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range scopes {
			if s.Name == string(agent.Local) || s.Name == string(agent.Project) {
				got = append(got, s.Path)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %q, want %q", project, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %q, want %q", project, got, want)
			}
		}
	}
}
