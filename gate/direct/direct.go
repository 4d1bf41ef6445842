// Package direct answers, before the rest of the program is initialised, the events
// that [early] has left, on a machine without choices of its own. It holds no rule:
// it calls the full path in gate/hook, whose libraries (patterns, the shell parser)
// are initialised by then, while those for Git, HTTP, YAML and the command line are
// not. What config.yaml says may need these, so that such a machine's events go on
// to main.
package direct

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/hook"
)

func init() {
	in := early.Taken
	if in == nil {
		return
	}
	if _, err := os.Lstat(in.Home.Config()); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	os.Exit(Answer(in, hook.Config{}, os.Stdout, os.Stderr))
}

// Answer answers an event and gives the exit code.
func Answer(in *early.Input, cfg hook.Config, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil { // 2 would be read as a block
			fmt.Fprintf(stderr, "hookctl: internal error: %v\n", p)
			code = 0
		}
	}()
	return hook.Run(context.Background(), in, cfg, stdout, stderr)
}
