package judge

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/child"
	"github.com/agenthooks/hookctl/gate/judge/guard"
	"github.com/agenthooks/hookctl/gate/redact"
)

// Command is a judge that is a program: it reads the prompt from its standard
// input and prints a verdict. Its method Ask is a [gate.Asker].
type Command struct {
	// Argv is the program and its arguments, by absolute path or by name in PATH.
	// The text to judge is never among them.
	Argv []string
	// Timeout bounds the whole call; 0 means [gate.JudgeTimeout]. An earlier
	// deadline of the context wins.
	Timeout time.Duration
	// Dir is where each call gets an empty working directory of its own, so that
	// no project settings are read; "" means the system's temporary directory.
	Dir string
	// GuardDir holds the live files of the recursion guard (see package guard).
	GuardDir string
	// Env names further variables to hand on beside the few that a program needs
	// to start; a name that ends in "*" is a prefix.
	Env []string
	// Taken, when set, is told how many secrets were taken out of the text, before
	// the program starts.
	Taken func(redact.Counts)
}

const (
	// maxOutput bounds what is read of a judge, in bytes. More is no verdict.
	maxOutput = 1 << 20
	// maxComplaint is how much of the end of stderr is kept, in bytes.
	maxComplaint = 4 << 10
)

// Ask puts q to the program. Whatever goes wrong (no start, an exit code other
// than 0, the deadline, too much output, no verdict) is an error.
func (c Command) Ask(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
	if len(c.Argv) == 0 {
		return nil, errors.New("judge: no command is set")
	}
	nonce := newNonce()
	prompt, taken := Frame(q, nonce)
	if c.Taken != nil {
		c.Taken(taken)
	}
	out, err := c.run(ctx, prompt)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", filepath.Base(c.Argv[0]), err)
	}
	return Parse(afterEcho(out, nonce), q)
}

func newNonce() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// afterEcho drops a prompt that the program printed again, since the text in it
// may hold anything, a verdict too.
func afterEcho(out []byte, nonce string) []byte {
	end := []byte(endMarker(nonce))
	if i := bytes.LastIndex(out, end); i >= 0 {
		return out[i+len(end):]
	}
	if bytes.Contains(out, []byte(beginMarker(nonce))) {
		return nil
	}
	return out
}

// run starts the program once and returns what it printed.
func (c Command) run(ctx context.Context, prompt string) ([]byte, error) {
	timeout := c.Timeout
	if timeout <= 0 {
		timeout = gate.JudgeTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	dir, err := os.MkdirTemp(c.Dir, "hookctl-judge-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	mark, release, err := guard.Enter(c.GuardDir)
	if err != nil {
		return nil, err
	}
	defer release()

	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(environ(os.Environ(), c.Env), guard.Flag+"=1", guard.Mark+"="+mark, "PWD="+dir)
	out, err := child.Run(ctx, cmd, []byte(prompt), child.Limits{Stdout: maxOutput, Stderr: maxComplaint})
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		return nil, exitError(err, string(out.Stderr))
	}
	return out.Stdout, err
}

// exitError adds the last line that the program complained with.
func exitError(err error, complaint string) error {
	lines := strings.Split(strings.TrimSpace(lines(complaint)), "\n")
	last, _ := redact.Text(note(lines[len(lines)-1]))
	if last == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, last)
}
