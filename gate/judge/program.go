package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/child"
	"github.com/agenthooks/hookctl/gate/judge/guard"
	"github.com/agenthooks/hookctl/gate/redact"
)

// Program is how a program is run as a judge: in an empty working directory of its
// own, with few variables, marked for the recursion guard, its output and its
// time bounded, ended with all that it started.
type Program struct {
	// Timeout bounds the whole run; 0 means [gate.JudgeTimeout]. An earlier
	// deadline of the context wins.
	Timeout time.Duration
	// Dir is where each run gets its working directory; "" means the system's
	// temporary directory. It should be a folder that no other user and no
	// repository can write above: some programs read settings in every folder on
	// the way up.
	Dir string
	// GuardDir holds the live files of the recursion guard (see package guard).
	GuardDir string
	// Env names further variables to hand on beside the few that a program needs
	// to start; a name that ends in "*" is a prefix.
	Env []string
}

const (
	// maxOutput bounds what is read of a judge, in bytes. More is no verdict.
	maxOutput = 1 << 20
	// maxComplaint is how much of the end of stderr is kept, in bytes.
	maxComplaint = 4 << 10
	// workPrefix begins the names of working directories.
	workPrefix = "hookctl-judge-"
)

// Start is one start of a program.
type Start struct {
	Argv []string
	Set  []string // variables of its own, NAME=value; they win
	// Files are written into the working directory first, by their slashed names.
	Files map[string][]byte
}

// Run runs one program. prepare says what is started in the working directory;
// stdin is what the program reads. When it ended with a code other
// than 0, the error is an *exec.ExitError and the output is there as well.
func (p Program) Run(ctx context.Context, stdin []byte, prepare func(dir string) Start) (child.Output, error) {
	timeout := p.Timeout
	if timeout <= 0 {
		timeout = gate.JudgeTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	dir, err := p.workDir()
	if err != nil {
		return child.Output{}, err
	}
	defer os.RemoveAll(dir)
	mark, release, err := guard.Enter(p.GuardDir)
	if err != nil {
		return child.Output{}, err
	}
	defer release()
	start := prepare(dir)
	if len(start.Argv) == 0 {
		return child.Output{}, errors.New("judge: no command is set")
	}
	for name, text := range start.Files {
		if err := place(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return child.Output{}, err
		}
	}
	cmd := exec.Command(start.Argv[0], start.Argv[1:]...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(environ(os.Environ(), p.Env), start.Set, []string{guard.Flag + "=1", guard.Mark + "=" + mark, "PWD=" + dir})
	return child.Run(ctx, cmd, stdin, child.Limits{Stdout: maxOutput, Stderr: maxComplaint})
}

func place(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// workDir makes the working directory, and removes those that killed processes
// have left.
func (p Program) workDir() (string, error) {
	if p.Dir != "" {
		if err := os.MkdirAll(p.Dir, 0o700); err != nil {
			return "", err
		}
		left, err := os.ReadDir(p.Dir)
		if err != nil {
			return "", err
		}
		for _, e := range left {
			if fi, err := e.Info(); err == nil && fi.IsDir() && strings.HasPrefix(e.Name(), workPrefix) && time.Since(fi.ModTime()) > guard.MaxAge {
				os.RemoveAll(filepath.Join(p.Dir, e.Name()))
			}
		}
	}
	return os.MkdirTemp(p.Dir, workPrefix)
}

// Complaint words how a program ended, with the last line that it complained with.
func Complaint(err error, stderr []byte) error {
	lines := strings.Split(strings.TrimSpace(lines(string(stderr))), "\n")
	last, _ := redact.Text(note(lines[len(lines)-1]))
	if last == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, last)
}
