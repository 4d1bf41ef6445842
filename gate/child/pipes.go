package child

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// pipes are our ends of a program's three streams, and its own until it starts.
type pipes struct {
	in, out, err *os.File
	theirs       []*os.File
}

func newPipes(cmd *exec.Cmd) (p *pipes, err error) {
	p = &pipes{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	var r, w *os.File
	if r, w, err = os.Pipe(); err != nil {
		return nil, err
	}
	cmd.Stdin, p.in, p.theirs = r, w, append(p.theirs, r)
	if r, w, err = os.Pipe(); err != nil {
		return nil, err
	}
	cmd.Stdout, p.out, p.theirs = w, r, append(p.theirs, w)
	if r, w, err = os.Pipe(); err != nil {
		return nil, err
	}
	cmd.Stderr, p.err, p.theirs = w, r, append(p.theirs, w)
	return p, nil
}

func (p *pipes) closeTheirs() {
	for _, f := range p.theirs {
		f.Close()
	}
	p.theirs = nil
}

// close ends a reader or writer that still waits; closing twice does nothing.
func (p *pipes) close() {
	p.closeTheirs()
	for _, f := range []*os.File{p.in, p.out, p.err} {
		if f != nil {
			f.Close()
		}
	}
}

// drain waits for the readers to see the end, but not for ever.
func (p *pipes) drain(done ...<-chan struct{}) {
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	for _, d := range done {
		select {
		case <-d:
		case <-timer.C:
			p.close()
			return
		}
	}
}

// stream is what was read of one output so far.
type stream struct {
	over, done chan struct{} // closed beyond the limit, and at the end

	mu  sync.Mutex
	buf []byte
	max int
}

// collect keeps the first max bytes of f and stops reading beyond them: the
// program is to be killed then, not listened to.
func collect(f *os.File, max int) *stream {
	s := &stream{over: make(chan struct{}), done: make(chan struct{}), max: max}
	go func() {
		defer close(s.done)
		chunk := make([]byte, 32<<10)
		for {
			n, err := f.Read(chunk)
			s.mu.Lock()
			s.buf = append(s.buf, chunk[:n]...)
			over := len(s.buf) > max
			s.mu.Unlock()
			if over {
				close(s.over)
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return s
}

// tail keeps about the last max bytes of f and reads to the end.
func tail(f *os.File, max int) *stream {
	s := &stream{done: make(chan struct{}), max: max}
	go func() {
		defer close(s.done)
		_, _ = io.Copy(s, f) // it was closed or has ended: either way that is all
	}()
	return s
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = append(s.buf, b...)
	if over := len(s.buf) - s.max; over > 0 {
		s.buf = append(s.buf[:0], s.buf[over:]...)
	}
	return len(b), nil
}

func (s *stream) bytes() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]byte(nil), s.buf...)
}

func (s *stream) tooMuch() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.buf) > s.max
}
