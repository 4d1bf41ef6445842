package contract

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
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
		ctx, cancel := context.WithTimeout(ctx, processTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env, cmd.Dir = env, dir
		if dir == "" {
			cmd.Dir = os.TempDir()
		}
		cmd.Stdin = bytes.NewReader(event)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.WaitDelay = time.Second
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return Outcome{}, err
		}
		return Outcome{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Exit: cmd.ProcessState.ExitCode()}, nil
	}
}
