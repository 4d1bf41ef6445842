// Package child runs a program that may be hostile or stuck: in a process group
// of its own, with its input fed, its output bounded, and ended with all that it
// started, at a deadline or when its leader has ended. It knows nothing of what is
// asked or answered.
package child

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// Limits bound what is kept of a program's output, in bytes.
type Limits struct {
	// Stdout is what it may print; one that prints more is ended.
	Stdout int
	// Stderr is how much of the end of its complaints is kept. It may print more.
	Stderr int
}

// Output is what a program printed.
type Output struct{ Stdout, Stderr []byte }

// ErrTooMuch: the program printed more on stdout than its limit.
var ErrTooMuch = errors.New("printed too much")

// drainTime is how long an output may stay open after its program has ended
// and its group was killed: only a process that left the group holds it then.
const drainTime = 300 * time.Millisecond

// Run starts cmd, whose streams it sets, and waits for its end, the limit of its
// output or the end of ctx. What it started is ended with it in any case. The
// error is that of the start, [ErrTooMuch], that of ctx, or an *exec.ExitError;
// only with the last, or none, the output is all that there is.
//
// It uses pipes of its own rather than those of os/exec, which wait for the end of
// an output that a grandchild may hold open for ever.
func Run(ctx context.Context, cmd *exec.Cmd, stdin []byte, l Limits) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, deadline(err)
	}
	p, err := newPipes(cmd)
	if err != nil {
		return Output{}, err
	}
	defer p.close()
	group := newGroup(cmd)
	defer group.release()
	if err := cmd.Start(); err != nil {
		return Output{}, err
	}
	p.closeTheirs()
	group.adopt(cmd.Process)

	go func() {
		_, _ = p.in.Write(stdin) // a program need not read it; its answer tells
		p.in.Close()
	}()
	out, complaint := collect(p.out, l.Stdout), tail(p.err, l.Stderr)
	exit := make(chan error, 1)
	go func() { exit <- cmd.Wait() }()

	var failed error
	select {
	case err := <-exit:
		exit <- err
	case <-out.over:
		failed = tooMuch(l)
	case <-ctx.Done():
		failed = deadline(ctx.Err())
	}
	group.kill() // the grandchildren too, whether or not the program has ended
	err = <-exit
	p.drain(out.done, complaint.done)
	if failed == nil && out.tooMuch() {
		failed = tooMuch(l)
	}
	if failed != nil {
		return Output{}, failed
	}
	return Output{Stdout: out.bytes(), Stderr: complaint.bytes()}, err
}

func tooMuch(l Limits) error { return fmt.Errorf("%w: more than %d bytes", ErrTooMuch, l.Stdout) }

func deadline(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("gave no answer in time: %w", err)
	}
	return err
}
