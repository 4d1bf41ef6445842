// Package external starts the executables that a bundle brings along and reads
// what they say. It starts none unless every file below hooks/ is the one that was
// released, hashed in the moment before; it bounds their time and their output,
// and ends them with all that they have started. What a hook prints is data.
//
// Between hashing and starting, a process of the same user could still change a
// file: that is detected by verify, not prevented.
package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/child"
)

// Bundle is where hooks lie and what they are given of the machine.
type Bundle struct {
	// Dir is the folder that holds hooks/.
	Dir string
	// Files are the SHA-256 (hex) of every file below hooks/.
	Files map[string]string
	// Environ is the agent's environment; what hooks do not get of it is taken out.
	Environ []string
	// Project is the folder in which the agent works. Its settings can set PATH, so
	// that no hook is started by a program in it, unless one of Homes lies in it.
	Project string
	Homes   []string
	// Inside is the hook inside which this process runs, "" = none. A stop there
	// does not start it again: it would go on without end.
	Inside string
}

// Mark is the variable that tells a hook, and what it starts, its id.
const Mark = "HOOKCTL_HOOK"

// limits are the bytes that are read of a hook's streams. A hook that prints more
// on stdout is ended and has failed.
var limits = child.Limits{Stdout: 1 << 20, Stderr: 64 << 10}

// Start starts hooks on one event, all at once. It is a [gate.Starter].
func (b Bundle) Start(ctx context.Context, ev gate.Event, hooks []*gate.Hook) (wait func() []gate.HookAnswer) {
	answers := make([]gate.HookAnswer, len(hooks))
	var wg sync.WaitGroup
	err := b.check()
	for i, h := range hooks {
		switch {
		case err != nil:
			answers[i] = failed(err.Error())
		case ev.Kind.IsStop() && h.ID == b.Inside:
			answers[i] = gate.HookAnswer{Exit: -1, Said: "not started inside itself"}
		default:
			wg.Go(func() { answers[i] = b.run(ctx, ev, h) })
		}
	}
	return func() []gate.HookAnswer {
		wg.Wait()
		return answers
	}
}

func failed(why string) gate.HookAnswer { return gate.HookAnswer{Exit: -1, Failure: why} }

// run starts one hook and reads its answer.
func (b Bundle) run(ctx context.Context, ev gate.Event, h *gate.Hook) (a gate.HookAnswer) {
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			a = failed(fmt.Sprintf("internal error: %v", p))
		}
		a.Took = time.Since(start)
	}()
	dir := workDir(ev.CWD)
	env, path := b.environ(h.ID, dir)
	argv, err := b.argv(h, path)
	if err != nil {
		return failed(err.Error())
	}
	timeout := min(h.Timeout, gate.JudgeTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, env
	out, err := child.Run(ctx, cmd, ev.Raw, limits)
	if errors.Is(err, context.DeadlineExceeded) {
		return failed(fmt.Sprintf("no answer within %s", timeout))
	}
	return read(h, out, err)
}

// argv is the command of a hook: its interpreter, if it has one, and its file.
func (b Bundle) argv(h *gate.Hook, path []string) ([]string, error) {
	file, err := filepath.Abs(filepath.Join(b.Dir, filepath.FromSlash(h.File)))
	if err != nil {
		return nil, err
	}
	if len(h.Run) == 0 {
		return []string{file}, nil
	}
	program, err := lookPath(h.Run[0], path)
	if err != nil {
		return nil, err
	}
	argv := append([]string{program}, h.Run[1:]...)
	return append(argv, file), nil
}

// workDir is where the agent works. The project of a contract case need not
// exist; then it is the root folder, which holds nothing of any project.
func workDir(cwd string) string {
	if fi, err := os.Stat(cwd); err == nil && fi.IsDir() && filepath.IsAbs(cwd) {
		return cwd
	}
	return filepath.VolumeName(os.TempDir()) + string(filepath.Separator)
}
