// Package direct answers, before the rest of the program is initialised, the events
// that [early] has left. It holds no rule: it calls the full path in gate/hook, whose
// libraries (patterns, the shell parser, YAML) are initialised by then, while those
// for Git, HTTP and the command line are not. A stop goes on to main where the machine
// has chosen another judge than builtin, which may need them.
package direct

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/hook"
)

func init() {
	in := early.Taken
	if in == nil {
		return
	}
	cfg, judge := Config(in.Home)
	if in.Event.Kind.IsStop() && !judge.Builtin() {
		return
	}
	os.Exit(Answer(in, cfg, os.Stdout, os.Stderr))
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
