//go:build unix

package source

import (
	"errors"
	"io"
	"net"
	"time"
)

const (
	homeVariable = "HOME"
	defaultAgent = ""
)

// dialAgent connects to an ssh-agent. What it is asked must be answered within d.
func dialAgent(socket string, d time.Duration) (io.ReadWriteCloser, error) {
	c, err := net.DialTimeout("unix", socket, d)
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return nil, op.Err // without the path, which the caller names
	}
	if err != nil {
		return nil, err
	}
	return c, c.SetDeadline(time.Now().Add(d))
}
