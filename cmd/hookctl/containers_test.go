package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestContainersDocument runs the commands of docs/containers.md as they stand
// there: the Dockerfile with a folder in the place of the root, the others in a
// repository.
func TestContainersDocument(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("images of Linux")
	}
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "containers.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(dockerfile|sh)\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	if len(blocks) != 3 || blocks[0][1] != "dockerfile" {
		t.Fatalf("%d blocks, want a Dockerfile and two scripts", len(blocks))
	}
	c := newContainer(t)
	c.dockerfile(blocks[0][2])
	settings := filepath.Join(c.root, "etc", "managed-settings.d", "50-hookctl.json")
	if text := c.read(settings); !strings.Contains(text, filepath.Join(c.root, "opt", "hookctl", "bin", "hookctl")+" gate") {
		t.Errorf("the image's settings:\n%s", text)
	}
	answer := c.sh(filepath.Join(c.root, "opt", "hookctl", "bin", "hookctl")+" gate", c.hostile...)
	if !strings.Contains(answer, `"decision":"block"`) {
		t.Errorf("the image's hook says %q", answer)
	}

	for range 2 { // the second time changes nothing
		c.sh(blocks[1][2], "PATH="+filepath.Dir(c.program)+":/usr/bin:/bin")
	}
	committed := c.read(filepath.Join(c.repo, ".claude", "settings.json"))
	if !strings.Contains(committed, `"hookctl gate"`) || strings.Contains(committed, c.root) {
		t.Errorf("what is committed:\n%s", committed)
	}
	c.freshHome()
	c.sh(blocks[2][2])
	if now := c.read(filepath.Join(c.repo, ".claude", "settings.json")); now != committed {
		t.Errorf("the setup changed the repository:\n%s", now)
	}
	answer = c.sh("hookctl gate", "PATH="+filepath.Join(c.home, ".local", "bin")+":/usr/bin:/bin")
	if !strings.Contains(answer, `"decision":"block"`) {
		t.Errorf("the repository's hook says %q", answer)
	}
}

// container is a folder that stands for an image, and a repository.
type container struct {
	*testing.T
	root, home, repo, program string
	env                       []string
	hostile                   []string // an environment that must not move the hook
}

const laterEvent = `{"hook_event_name":"Stop","session_id":"s1","last_assistant_message":"I will do the rest in the next session."}`

func newContainer(t *testing.T) *container {
	c := &container{T: t, root: t.TempDir()}
	c.home, c.repo = filepath.Join(c.root, "home"), filepath.Join(c.root, "repo")
	c.hostile = []string{"HOOKCTL_HOME=" + filepath.Join(c.root, "elsewhere")}
	hooks := filepath.Join(c.repo, "hooks")
	c.program = filepath.Join(hooks, "hookctl")
	for _, dir := range []string{c.home, hooks, filepath.Join(c.root, "etc")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable() // it is hookctl when it is called so
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.program, b, 0o755); err != nil {
		t.Fatal(err)
	}
	packRelease(t, hooks)
	return c
}

func (c *container) freshHome() {
	if err := os.RemoveAll(c.home); err != nil {
		c.Fatal(err)
	}
	if err := os.MkdirAll(c.home, 0o755); err != nil {
		c.Fatal(err)
	}
}

// dockerfile does what the instructions of the document say.
func (c *container) dockerfile(text string) {
	c.env = append(c.env, managedDir+"="+filepath.Join(c.root, "etc"))
	defer func() { c.env = nil }()
	for line := range strings.Lines(text) {
		what, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = regexp.MustCompile(`(^| |=)/(tmp|opt)/`).ReplaceAllString(rest, "${1}"+c.root+"/$2/")
		switch what {
		case "ENV":
			c.env = append(c.env, rest)
		case "COPY":
			files := strings.Fields(rest)
			to := files[len(files)-1]
			c.sh("mkdir -p " + to + " && cd hooks && cp " + strings.Join(files[:len(files)-1], " ") + " " + to)
		case "RUN":
			c.sh(rest)
		default:
			c.Fatalf("instruction %q", line)
		}
	}
}

// sh runs a script in the repository, with an event for who wants one.
func (c *container) sh(script string, env ...string) string {
	c.Helper()
	cmd := exec.Command("/bin/sh", "-ec", script)
	cmd.Dir, cmd.Stdin = c.repo, strings.NewReader(laterEvent)
	cmd.Env = append([]string{"HOME=" + c.home, "PATH=/usr/bin:/bin", realHome + "=" + os.Getenv(realHome)}, append(c.env, env...)...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		c.Fatalf("%s\n%v\n%s%s", script, err, out.String(), errs.String())
	}
	return out.String()
}

func (c *container) read(path string) string {
	c.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		c.Fatal(err)
	}
	return string(b)
}

// packRelease puts a release and its signers into a folder.
func packRelease(t *testing.T, dir string) {
	work := t.TempDir()
	p := &published{}
	bundle := filepath.Join(work, "bundle")
	if err := p.begin(bundle, filepath.Join(work, "release.key")); err != nil {
		t.Fatal(err)
	}
	if err := p.lock(1); err != nil {
		t.Fatal(err)
	}
	if _, err := p.commit("Release 1"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "hookctl"), "bundle", "pack", bundle, "-o", filepath.Join(dir, "release.tar.gz"))
	cmd.Env = []string{"HOME=" + work, realHome + "=" + os.Getenv(realHome)}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(p.signersFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "allowed_signers"), b, 0o644); err != nil {
		t.Fatal(err)
	}
}
