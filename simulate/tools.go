package simulate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/child"
)

// toolResult is what a tool said.
type toolResult struct {
	stdout, stderr string
	old            string // what was in the file
	failed         string // "" = it did what it was asked to
}

func (r *toolResult) text() string {
	if r.failed != "" {
		return strings.TrimSpace(r.failed + "\n" + r.stderr + r.stdout)
	}
	if r.stdout == "" {
		return "done"
	}
	return r.stdout
}

// toolTime bounds a shell command of the agent.
const toolTime = 10 * time.Second

// toolLimits bound what is kept of one, in bytes.
var toolLimits = child.Limits{Stdout: 1 << 20, Stderr: 64 << 10}

// run does what the request asks for, in the sandbox.
func (c *call) run(ctx context.Context, env []string) *toolResult {
	r := &toolResult{}
	r.old, _ = c.box.read(c.File)
	var err error
	switch c.Tool {
	case toolEdit:
		var text string
		if text, err = c.edited(); err == nil {
			err = c.box.write(c.File, &text)
		}
	case toolWrite:
		err = c.box.write(c.File, &c.Content)
	case toolRead:
		var ok bool
		if r.stdout, ok = c.box.read(c.File); !ok {
			err = fmt.Errorf("%s is not there", c.File)
		}
	case toolPatch:
		err = c.patch()
	case toolBash:
		r.stdout, r.stderr, err = c.bash(ctx, env)
	}
	if err != nil {
		r.failed = strings.ReplaceAll(err.Error(), c.box.dir, "")
	}
	return r
}

// edited is the file as an edit would leave it.
func (c *call) edited() (string, error) {
	text, ok := c.box.read(c.File)
	if !ok {
		return "", fmt.Errorf("%s is not there", c.File)
	}
	switch n := strings.Count(text, c.Old); {
	case c.Old == "" || n == 0:
		return "", fmt.Errorf("%s does not hold the text to be replaced", c.File)
	case n > 1:
		return "", fmt.Errorf("%s holds the text to be replaced %d times", c.File, n)
	}
	return strings.Replace(text, c.Old, c.New, 1), nil
}

func (c *call) patch() error {
	edits, err := applyPatch(c.Patch, c.box.read)
	if err != nil {
		return err
	}
	for _, e := range edits {
		if err := c.box.write(e.name, e.content); err != nil {
			return err
		}
	}
	return nil
}

// bash runs a command line in the project, by sh. It has the rights of the user.
func (c *call) bash(ctx context.Context, env []string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	cmd := exec.Command(shell("/bin/sh"), "-c", c.Command)
	cmd.Dir, cmd.Env = c.box.project, env
	out, err := child.Run(ctx, cmd, nil, toolLimits)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = errors.New("exit code " + fmt.Sprint(exit.ExitCode()))
	}
	return string(out.Stdout), string(out.Stderr), err
}
