package source

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// leastBytes is what a connection brings in each [StallTimeout] at least while
// it is waited for: a server that sends one byte now and then holds nothing up.
const leastBytes = 1024

// steadyConn ends a connection that stands still or only drips.
type steadyConn struct {
	net.Conn
	stall time.Duration

	mu    sync.Mutex
	since time.Time // start of the span
	n     int       // bytes in it
	err   error     // the first failure
}

// connect makes a steady connection.
func connect(ctx context.Context, o Options, addr string) (*steadyConn, error) {
	if o.dialTo != "" {
		addr = o.dialTo
	}
	d := net.Dialer{Timeout: o.connect()}
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &steadyConn{Conn: c, stall: o.stall(), since: time.Now()}, nil
}

func (c *steadyConn) Read(b []byte) (int, error) {
	c.mu.Lock()
	if c.n == 0 && time.Since(c.since) > c.stall {
		c.since = time.Now() // it was not read from
	}
	end := c.since.Add(c.stall)
	c.mu.Unlock()
	if err := c.SetReadDeadline(end); err != nil {
		return 0, c.failed(err)
	}
	n, err := c.Conn.Read(b)
	c.mu.Lock()
	if c.n += n; c.n >= leastBytes {
		c.since, c.n = time.Now(), 0
	}
	c.mu.Unlock()
	return n, c.failed(err)
}

func (c *steadyConn) Write(b []byte) (int, error) {
	now := time.Now()
	c.mu.Lock()
	c.since, c.n = now, 0 // the other side's turn
	c.mu.Unlock()
	// A Read may be waiting already; its time starts anew, too.
	if err := c.SetDeadline(now.Add(c.stall)); err != nil {
		return 0, c.failed(err)
	}
	n, err := c.Conn.Write(b)
	return n, c.failed(err)
}

// failed keeps the first failure: package ssh makes an end of file of it.
func (c *steadyConn) failed(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errStalled
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	return err
}

func (c *steadyConn) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// errStalled says that a connection stood and brought nothing.
var errStalled error = stalled{}

type stalled struct{}

func (stalled) Error() string   { return "the server sends nothing, or next to nothing" }
func (stalled) Timeout() bool   { return true }
func (stalled) Temporary() bool { return true }
