package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/child"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/live/model"
)

// dummyKey stands where an agent wants a key to begin at all.
const dummyKey = "no-key"

// kept bounds what is kept of a program's output, in bytes.
var kept = child.Limits{Stdout: 16 << 20, Stderr: 64 << 10}

// bench is one agent in a scratch folder.
type bench struct {
	agent
	o       Options
	program string
	root    string // the scratch folder; all else lies below
	home    string
	project string
	hookctl string // a copy outside of any home, so that it takes the one it is given
	model   *model.Server
}

// newBench makes the scratch folder, the model and the agent's own settings.
func newBench(o Options, a agent, program string) (b *bench, err error) {
	root, err := os.MkdirTemp("", "agent-live-*")
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real // agents name files by the path that the system gives them
	}
	b = &bench{agent: a, o: o, program: program, root: root}
	b.home, b.project, b.hookctl = below(root, "home"), below(root, "project"), below(root, "program/hookctl")
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	if b.model, err = model.Start(); err != nil {
		return nil, err
	}
	for _, dir := range []string{b.home, b.project, below(root, "tmp"), below(root, "program")} {
		if err = os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if err = copyFile(o.Hookctl, b.hookctl); err != nil {
		return nil, err
	}
	if a.files != nil {
		for name, text := range a.files(b) {
			if err = put(below(b.home, name), text); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// close ends and removes everything.
func (b *bench) close() {
	if b.model != nil {
		b.model.Close()
	}
	sweep(b.mark())
	_ = (&files.Layer{}).RemoveAll(b.root) // what is left in the temporary folder is the system's to clear
}

// mark is in the environment of all that the agent starts.
func (b *bench) mark() string { return "TMPDIR=" + below(b.root, "tmp") }

// environ is all that programs see of this machine.
func (b *bench) environ() []string {
	tmp := below(b.root, "tmp")
	env := []string{
		"HOME=" + b.home, "USERPROFILE=" + b.home, b.mark(), "TMP=" + tmp, "TEMP=" + tmp,
		"PATH=" + b.path(), "LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
	}
	// The model's address is the proxy for every machine but this one, and refuses.
	for _, scheme := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		env = append(env, scheme+"="+b.model.URL(), strings.ToLower(scheme)+"="+b.model.URL())
	}
	return append(env, "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost")
}

// path has the folder of the agent's program first: an agent that is a script
// finds the interpreter that it was installed with there.
func (b *bench) path() string {
	return filepath.Dir(b.program) + string(filepath.ListSeparator) + b.o.Getenv("PATH")
}

// install registers hookctl with the agent as a user would.
func (b *bench) install(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, b.o.Limit)
	defer cancel()
	cmd := exec.Command(b.hookctl, "install", "--agent", b.name, "--yes")
	cmd.Dir, cmd.Env = b.home, b.environ()
	out, err := child.Run(ctx, cmd, nil, kept)
	if err != nil {
		return fmt.Errorf("hookctl install: %w: %s", err, lastLines(append(out.Stdout, out.Stderr...)))
	}
	return nil
}

// version asks the agent.
func (b *bench) version(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, b.o.Limit)
	defer cancel()
	cmd := exec.Command(b.program, "--version")
	cmd.Dir, cmd.Env = b.project, b.fullEnviron()
	out, err := child.Run(ctx, cmd, nil, kept)
	if err != nil {
		return "", fmt.Errorf("%s --version: %w: %s", b.program, err, lastLines(out.Stderr))
	}
	for _, word := range strings.Fields(string(out.Stdout)) {
		if word = strings.Trim(word, "v.,()"); word != "" && word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
			return word, nil
		}
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

func (b *bench) fullEnviron() []string { return append(b.environ(), b.env(b)...) }

// run is one prompt to the agent.
type run struct {
	asked  []model.Request
	output string // both streams
	err    error  // of the process: it did not start, did not end in time, or failed
	lines  []journal.Line
	began  time.Time
}

// prompt lets the agent work on one prompt while the model says turns, in a
// project that is new.
func (b *bench) prompt(ctx context.Context, turns ...model.Turn) (run, error) {
	if err := b.newProject(ctx); err != nil {
		return run{}, err
	}
	b.model.Play(turns...)
	r := run{began: time.Now()}
	limited, cancel := context.WithTimeout(ctx, b.o.Limit)
	defer cancel()
	cmd := exec.Command(b.program, b.args("Please go on as discussed.")...)
	cmd.Dir, cmd.Env = b.project, b.fullEnviron()
	out, err := child.Run(limited, cmd, nil, kept)
	sweep(b.mark())
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the agent had not ended after %v", b.o.Limit)
	}
	r.asked, r.output, r.err = b.model.Turns(), string(out.Stdout)+string(out.Stderr), err
	jerr := journal.Read(home.Dir(below(b.home, ".hookctl")).Journal(), func(l journal.Line) bool {
		if l.Time.Before(r.began) {
			return false
		}
		r.lines = append(r.lines, l)
		return true
	})
	return r, jerr
}

// newProject makes the project anew: a repository with the canary in it.
func (b *bench) newProject(ctx context.Context) error {
	if err := os.RemoveAll(b.project); err != nil {
		return err
	}
	for name, text := range map[string]string{canary: before + "\n", linker: linkerText} {
		if err := put(below(b.project, name), text); err != nil {
			return err
		}
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return nil //nolint:nilerr // agents work in a plain folder as well
	}
	cmd := exec.Command(git, "init", "--quiet")
	cmd.Dir, cmd.Env = b.project, b.environ()
	if out, err := child.Run(ctx, cmd, nil, kept); err != nil {
		return fmt.Errorf("git init: %w: %s", err, lastLines(out.Stderr))
	}
	return nil
}

// canaryText is what the canary holds now.
func (b *bench) canaryText() string {
	raw, err := os.ReadFile(below(b.project, canary))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(string(raw), "\n")
}

func put(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// lastLines is the end of a program's words, as one line.
func lastLines(b []byte) string {
	s := strings.Join(strings.Fields(string(b)), " ")
	if len(s) > 300 {
		s = "…" + strings.ToValidUTF8(s[len(s)-300:], "")
	}
	return s
}
