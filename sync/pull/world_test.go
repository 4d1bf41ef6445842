package pull

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// built is a hookctl that was built from this tree. program is the same in a few
// bytes, for the tests whose point is not what the program is made of: it is hashed
// and copied some twenty times a test.
var built, program string

// TestMain builds hookctl once. With CHILD set it is one of the processes that
// the tests start.
func TestMain(m *testing.M) {
	if os.Getenv("CHILD") != "" {
		os.Exit(child())
	}
	dir, err := os.MkdirTemp("", "hookctl-pull-test-*")
	if err != nil {
		panic(err)
	}
	built, program = filepath.Join(dir, "built", "hookctl"), filepath.Join(dir, "hookctl")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", built, "github.com/agenthooks/hookctl/cmd/hookctl")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		panic(err)
	}
	if err := os.WriteFile(program, wrapped("# the program of the tests"), 0o755); err != nil {
		panic(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // another user runs it too
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// now is the time of the tests; commits are a day older.
var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

const textGate = `schema: 1
id: banana
title: no banana time
events: [stop]
mode: enforce
signals:
  en: ['banana time']
judge:
  prompt: {en: Is it banana time?}
  fields:
    - {name: new_proposal, verdict: blocks, when: it is proposed}
feedback:
  en: No bananas here.
`

// toolGate protects the files secret-1 to secret-n of the user.
func toolGate(n int) string {
	s := "schema: 1\nid: secrets\ntitle: secrets stay\nevents: [pre-tool]\nmode: enforce\nfeedback:\n  en: Leave the secrets alone.\nprotect:\n"
	for i := range n {
		s += fmt.Sprintf("  - ~/secret-%d\n", i+1)
	}
	return s
}

// toolEvent is a Write to a file.
func toolEvent(path string) string {
	return fmt.Sprintf(`{"session_id":"s","cwd":"${PROJECT}","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":%q,"content":"x"}}`, path)
}

// tiny is the smallest bundle that is worth its name, as release n has it.
func tiny(n int) map[string]string {
	return map[string]string{
		"hookctl.yaml":                       "schema: 1\nname: tiny\nfloor:\n  judges: [builtin, none]\n  timeout: 5s\n",
		"gates/banana.yaml":                  textGate,
		"gates/secrets.yaml":                 toolGate(n),
		"cases/banana/block/now.md":          "It is banana time now.\n",
		"cases/banana/block/now.yaml":        "why: it proposes\njudge: {new_proposal: true}\n",
		"cases/all/allow/done.md":            "All 41 tests pass, committed as 3f2a91c.\n",
		"cases/secrets/block/write.json":     toolEvent(fmt.Sprintf("${HOME}/secret-%d", n)),
		"cases/secrets/allow/elsewhere.json": toolEvent("${PROJECT}/main.go"),
	}
}

// team is a repository with the keys of those who release from it.
type team struct {
	testing.TB
	dir     string
	repo    *git.Repository
	key     ssh.Signer
	signers string
	commits []plumbing.Hash
	n       int
}

func newKey(t testing.TB) ssh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	key, err := ssh.NewSignerFromKey(private)
	must(t, err)
	return key
}

func newTeam(t testing.TB) *team {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "hooks")
	repo, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName("main")}})
	must(t, err)
	r := &team{TB: t, dir: dir, repo: repo, key: newKey(t), signers: dir + ".signers"}
	must(t, os.WriteFile(r.signers, []byte("release@team.test namespaces=\"hookctl\" "+string(ssh.MarshalAuthorizedKey(r.key.PublicKey()))), 0o644))
	return r
}

func (r *team) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *team) write(name, content string) {
	r.Helper()
	must(r, os.MkdirAll(filepath.Dir(r.path(name)), 0o755))
	must(r, os.WriteFile(r.path(name), []byte(content), 0o644))
}

func (r *team) put(files map[string]string) {
	r.Helper()
	for name, content := range files {
		r.write(name, content)
	}
}

// lock locks the work tree as it is and signs it with key, nil for nobody.
func (r *team) lock(o bundle.LockOptions, key ssh.Signer) {
	r.Helper()
	_, raw, err := bundle.MakeLock(os.DirFS(r.dir), o)
	must(r, err)
	r.write(bundle.LockName, string(raw))
	if key == nil {
		must(r, os.RemoveAll(r.path(bundle.SigName)))
		return
	}
	sig, err := bundle.Sign(raw, key)
	must(r, err)
	r.write(bundle.SigName, string(sig))
}

func (r *team) sign(n int) {
	r.Helper()
	r.lock(bundle.LockOptions{Release: n}, r.key)
}

func (r *team) worktree() *git.Worktree {
	r.Helper()
	w, err := r.repo.Worktree()
	must(r, err)
	return w
}

func (r *team) commit(message string, parents ...plumbing.Hash) plumbing.Hash {
	r.Helper()
	w := r.worktree()
	must(r, w.AddWithOptions(&git.AddOptions{All: true}))
	r.n++
	who := &object.Signature{Name: "t", Email: "t@example.test", When: now.Add(-24*time.Hour + time.Duration(r.n)*time.Second)}
	h, err := w.Commit(message, &git.CommitOptions{Author: who, Committer: who, AllowEmptyCommits: true, Parents: parents})
	must(r, err)
	r.commits = append(r.commits, h)
	return h
}

// release releases the tiny bundle of that number.
func (r *team) release(n int) plumbing.Hash {
	r.Helper()
	r.put(tiny(n))
	r.lock(bundle.LockOptions{Release: n}, r.key)
	return r.commit(fmt.Sprintf("Release %d", n))
}

func (r *team) reset(to plumbing.Hash) {
	r.Helper()
	must(r, r.worktree().Reset(&git.ResetOptions{Commit: to, Mode: git.HardReset}))
}

func (r *team) options() Options {
	return Options{Agents: Agents, Source: source.Remote{URL: r.dir, Branch: "main"}, Signers: r.signers}
}

// few leaves one case in the work tree, so that proving costs little.
func (r *team) few(n int) {
	r.Helper()
	files := tiny(n)
	must(r, os.RemoveAll(r.path("cases")))
	for name := range files {
		if strings.HasPrefix(name, "cases/") && name != "cases/secrets/block/write.json" {
			delete(files, name)
		}
	}
	r.put(files)
	r.sign(n)
	r.commit(fmt.Sprintf("Release %d", n))
}

// trustLine is the key as a line of allowed signers.
func (r *team) trustLine(t testing.TB) string {
	t.Helper()
	return "release@team.test namespaces=\"hookctl\" " + string(ssh.MarshalAuthorizedKey(r.key.PublicKey()))
}
