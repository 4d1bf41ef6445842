package pull

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/crypto/ssh"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// program is a hookctl that was built from this tree.
var program string

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
	program = filepath.Join(dir, "hookctl")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "github.com/agenthooks/hookctl/cmd/hookctl")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
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
  prompt: Is it banana time?
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

// box is a machine in a throw-away folder.
type box struct {
	testing.TB
	*Machine
}

// machineAt is a machine whose user folder is user.
func machineAt(user string) *Machine {
	return &Machine{
		Home: home.Dir(filepath.Join(user, ".hookctl")), User: user, Program: program, Files: &files.Layer{}, Now: now,
		Getenv: func(k string) string {
			if k == "PATH" {
				return os.Getenv(k)
			}
			return ""
		},
		Managed: filepath.Join(user, "managed"),
	}
}

const userSettings = "{\n  \"model\": \"opus\",\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}]}\n}\n"

func newBox(t testing.TB) box {
	t.Helper()
	user, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	b := box{t, machineAt(filepath.Join(user, "u"))}
	must(t, os.MkdirAll(filepath.Join(b.User, ".claude"), 0o755))
	must(t, os.WriteFile(b.settings(), []byte(userSettings), 0o600))
	// A store is read-only; the test's own cleaning up must not stumble on it.
	t.Cleanup(func() { _ = (&files.Layer{}).RemoveAll(b.User) })
	return b
}

func (b box) settings() string { return filepath.Join(b.User, ".claude", "settings.json") }

func (b box) install(o Options) Installation {
	b.Helper()
	in, err := b.Install(context.Background(), o)
	must(b, err)
	return in
}

func (b box) sync() Report {
	b.Helper()
	r, err := b.Sync(context.Background())
	must(b, err)
	return r
}

func (b box) trust() Trust {
	b.Helper()
	t, err := readTrust(b.Home)
	must(b, err)
	return t
}

// problems are those that verify finds, one line each.
func (b box) problems() []string {
	b.Helper()
	v, err := b.Verify(context.Background(), "", Agents)
	must(b, err)
	var out []string
	for _, p := range v.Problems {
		out = append(out, fmt.Sprintf("%s %s: %s", p.Part, p.Path, p.Text))
	}
	return out
}

// good asks everything of an installation that works: release n runs, verify
// finds nothing, nothing unfinished lies about.
func (b box) good(n int) {
	b.Helper()
	p, err := home.ReadPointer(b.Home)
	must(b, err)
	if p.Release != n {
		b.Errorf("release %d runs, want %d", p.Release, n)
	}
	if problems := b.problems(); len(problems) > 0 {
		b.Errorf("verify: %s", strings.Join(problems, "\n"))
	}
	b.noTemp()
	if t, err := readTrust(b.Home); err == nil && (t.Accepted.Release != n || t.Activating != nil) {
		b.Errorf("trust.json has %+v, activating %+v, want release %d", t.Accepted, t.Activating, n)
	}
}

// noTemp fails when something unfinished lies about.
func (b box) noTemp() {
	b.Helper()
	must(b, filepath.WalkDir(b.User, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (files.IsTemp(path) || strings.Contains(d.Name(), "trial")) {
			b.Errorf("left over: %s", path)
		}
		return err
	}))
}

// protects counts how many of the secrets the command in the settings guards;
// -1 when hookctl is not registered.
func (b box) protects() int {
	b.Helper()
	command, err := b.Command()
	must(b, err)
	if command == "" {
		return -1
	}
	for n := 1; ; n++ {
		c := manifests.Case{Name: "ask", Gate: "secrets", IsEvent: true, Body: []byte(toolEvent(fmt.Sprintf("${HOME}/secret-%d", n)))}
		res := contract.Run(context.Background(), []manifests.Case{c}, b.Places(), contract.Shell(command, b.Environ(), "")).Results[0]
		if res.Got == "allow" {
			return n - 1
		}
		if res.Got != "block" {
			b.Fatalf("the gate does not answer: %s %s", res.Got, res.Detail)
		}
	}
}

// tree is a whole folder: kind, mode and bytes of everything, by path. The
// quarantine and the lock file may change.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if name == filepath.Join(".hookctl", "cache") || name == filepath.Join(".hookctl", "lock") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		entry := fi.Mode().String()
		switch {
		case fi.Mode().IsRegular():
			entry += " " + hashFile(path)
		case fi.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			entry += " " + to
		}
		out[name] = entry
		return nil
	}))
	return out
}

// same compares two trees.
func same(t testing.TB, what string, before, after map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] != before[name] {
			t.Errorf("%s: %s was %q, is %q", what, name, before[name], after[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			t.Errorf("%s: %s is new: %s", what, name, after[name])
		}
	}
}

// isError asks for an error type, and for a message.
func isError[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok && err.Error() != ""
}

func validJSON(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !json.Valid(b) {
		return fmt.Errorf("%s is not JSON: %s", path, b)
	}
	return nil
}

// trustLine is the key as a line of allowed signers.
func (r *team) trustLine(t testing.TB) string {
	t.Helper()
	return "release@team.test namespaces=\"hookctl\" " + string(ssh.MarshalAuthorizedKey(r.key.PublicKey()))
}
