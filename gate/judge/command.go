package judge

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/redact"
)

// Command is a judge that is a program: it reads the prompt from its standard
// input and prints a verdict. Its method Ask is a [gate.Asker]. The nonce is not
// asked for in the answer: what people have written needs to know fields only.
type Command struct {
	Program
	// Argv is the program and its arguments, by absolute path or by name in PATH.
	// The text to judge is never among them.
	Argv []string
	// Taken, when set, is told how many secrets were taken out of the text, before
	// the program starts.
	Taken func(redact.Counts)
}

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
	out, err := c.Run(ctx, []byte(prompt), func(string) Start { return Start{Argv: c.Argv} })
	if err != nil {
		if _, ended := errors.AsType[*exec.ExitError](err); ended {
			err = Complaint(err, out.Stderr)
		}
		return nil, fmt.Errorf("judge %s: %w", filepath.Base(c.Argv[0]), err)
	}
	return understood(out.Stdout, q, nonce, "")
}
