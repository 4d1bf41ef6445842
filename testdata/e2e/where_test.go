package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/live/model"
)

// The client reads the settings files that install.Scopes names, and no other, in
// a folder below the root of a repository and in a linked work tree.
func TestClientReadsTheFilesOfTheTable(t *testing.T) {
	for name, start := range map[string]string{
		"root": "repo", "below the root": "repo/sub/deep", "linked work tree": "tree/sub", "forged work tree": "forged/sub", "no repository": "plain/sub",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			top := t.TempDir()
			put(t, filepath.Join(top, "repo/.git/HEAD"), "ref: refs/heads/main\n")
			put(t, filepath.Join(top, "repo/.git/worktrees/tree/commondir"), "../..\n")
			put(t, filepath.Join(top, "repo/.git/worktrees/tree/gitdir"), filepath.Join(top, "tree/.git")+"\n")
			put(t, filepath.Join(top, "forged/.git"), "gitdir: "+filepath.Join(top, "repo/.git/worktrees/tree")+"\n")
			put(t, filepath.Join(top, "tree/.git"), "gitdir: "+filepath.Join(top, "repo/.git/worktrees/tree")+"\n")
			ran := filepath.Join(top, "ran")
			var files []string
			for _, dir := range []string{"repo", "repo/sub", "repo/sub/deep", "tree", "tree/sub", "forged", "forged/sub", "plain", "plain/sub"} {
				for _, f := range []string{".claude/settings.json", ".claude/settings.local.json"} {
					files = append(files, filepath.Join(top, dir, f))
				}
			}
			for _, f := range files {
				put(t, f, fmt.Sprintf(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo '%s' >> '%s'"}]}]}}`, f, ran))
			}
			b.project = filepath.Join(top, filepath.FromSlash(start))
			b.run([]model.Turn{{Text: report}})
			got := strings.Fields(read(t, ran))

			scopes, err := install.Scopes(agent.Claude, install.Where{Home: b.home}, b.project)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, s := range scopes {
				if slices.Contains(files, s.Path) {
					want = append(want, s.Path)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("the hooks of these files ran: %q\nand Scopes names %q", got, want)
			}
		})
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
