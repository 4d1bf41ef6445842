package contract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/gate/host"
)

// processTimeout bounds one case run as a process.
const processTimeout = 20 * time.Second

// Candidate is what decides cases in process.
type Candidate struct {
	Rules []byte // compiled
	// Dir is the folder that holds hooks/, Env the whole environment that hooks
	// start from; both may be left out for rules without hooks.
	Dir string
	Env []string
}

// InProcess decides cases without a home or a journal, and without a process but
// those of the candidate's hooks.
func InProcess(c Candidate, places Places) Runner {
	if c.Env == nil {
		c.Env = []string{}
	}
	return func(ctx context.Context, event []byte) (Outcome, error) {
		in := &early.Input{Start: time.Now(), Getenv: func(k string) string {
			if k == "HOME" || k == "USERPROFILE" {
				return places.Home
			}
			return ""
		}, Environ: c.Env, Opened: generation.Opened{Rules: c.Rules, From: "candidate", Dir: c.Dir}}
		in.Read(bytes.NewReader(event), "")
		v, _ := hook.Decide(ctx, in, hook.Config{})
		a := host.Encode(in.Event, v)
		return Outcome{Stdout: a.Stdout, Stderr: a.Stderr, Exit: a.Exit}, nil
	}
}

// Shell runs cases through a command line the way agents do: by sh, with the
// event on stdin. env is the whole environment.
func Shell(command string, env []string, dir string) Runner {
	return process([]string{shell, "-c", command}, env, dir)
}

// Program runs cases through a program without a shell.
func Program(argv, env []string, dir string) Runner { return process(argv, env, dir) }

func process(argv, env []string, dir string) Runner {
	return func(ctx context.Context, event []byte) (Outcome, error) {
		return Start(ctx, processTimeout, argv, env, dir, event)
	}
}

// maxOutput bounds what is kept of a process's output, in bytes of each stream.
const maxOutput = 4 << 20

// Start runs a program to its end and waits for it at most so long. An error says
// that it could not be started or did not end in time; how it ended is the
// Outcome's business. dir "" is the system's folder for temporary files.
func Start(ctx context.Context, timeout time.Duration, argv, env []string, dir string, stdin []byte) (Outcome, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = env, dir
	if dir == "" {
		cmd.Dir = os.TempDir()
	}
	cmd.Stdin = bytes.NewReader(stdin)
	var stdout, stderr capped
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if ctx.Err() == nil && limited.Err() != nil {
		return Outcome{}, fmt.Errorf("no end after %s", timeout)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Outcome{}, err
	}
	o := Outcome{Stdout: stdout.b, Stderr: stderr.b, Exit: cmd.ProcessState.ExitCode()}
	if !cmd.ProcessState.Exited() {
		o.Signal = strings.TrimPrefix(cmd.ProcessState.String(), "signal: ")
	}
	return o, nil
}

// capped keeps the first [maxOutput] bytes that are written to it.
type capped struct{ b []byte }

func (c *capped) Write(b []byte) (int, error) {
	c.b = append(c.b, b[:min(len(b), maxOutput-len(c.b))]...)
	return len(b), nil
}
