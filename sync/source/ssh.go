package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"golang.org/x/crypto/ssh"
)

// sshSession is a git-upload-pack on a server. It is our own: go-git's reads the
// user's ssh_config and cannot be ended while it connects.
type sshSession struct {
	w      *remoteWire
	conn   *steadyConn
	client *ssh.Client
	run    *ssh.Session
	in     io.WriteCloser
	out    io.Reader
	said   *said
	stop   func() bool
}

func startSSH(ctx context.Context, w *remoteWire) (session, error) {
	known, err := readKnownHosts(w.o, w.url, w.at)
	if err != nil {
		return nil, err
	}
	c, err := connect(ctx, w.o, net.JoinHostPort(w.at.host, w.at.port))
	if err != nil {
		return nil, err
	}
	s := &sshSession{w: w, conn: c}
	s.stop = context.AfterFunc(ctx, func() { _ = c.Close() })
	if err := s.handshake(known); err != nil {
		s.Close() //nolint:errcheck // err is what matters
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	if err := s.begin(); err != nil {
		if cause := s.failure(); cause != nil {
			err = cause
		}
		s.Close() //nolint:errcheck // err is what matters
		return nil, err
	}
	return s, nil
}

// handshake makes sure of the host first, then shows who we are.
func (s *sshSession) handshake(known *knownHosts) error {
	keys := &keys{o: s.w.o, url: s.w.url}
	defer keys.close()
	config := &ssh.ClientConfig{
		User:              s.w.at.user,
		Auth:              []ssh.AuthMethod{ssh.PublicKeysCallback(keys.signers)},
		HostKeyCallback:   known.check,
		HostKeyAlgorithms: known.algorithms,
	}
	c, chans, reqs, err := ssh.NewClientConn(s.conn, known.addr, config)
	s.w.sent = keys.offered > 0
	if err == nil {
		s.client = ssh.NewClient(c, chans, reqs)
		return nil
	}
	negotiation, unequal := errors.AsType[*ssh.AlgorithmNegotiationError](err)
	switch cause := s.failure(); {
	case known.err != nil:
		return known.err
	case unequal && negotiation.What == "host key" && len(known.keys) > 0:
		return known.unlike(nil)
	case cause != nil:
		return cause
	case known.good && !errors.Is(err, io.EOF):
		return keys.refused(err)
	}
	return err
}

// begin starts the program on the server.
func (s *sshSession) begin() (err error) {
	if s.run, err = s.client.NewSession(); err != nil {
		return err
	}
	if s.in, err = s.run.StdinPipe(); err != nil {
		return err
	}
	if s.out, err = s.run.StdoutPipe(); err != nil {
		return err
	}
	s.said = &said{}
	s.run.Stderr = s.said
	return s.run.Start("git-upload-pack " + quoted(s.w.at.path))
}

// quoted is s as one word of any POSIX shell, and of csh, where ! is special even
// in quotes.
func quoted(s string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "!", `'\!'`).Replace(s) + "'"
}

func (s *sshSession) AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error) {
	ar := packp.NewAdvRefs()
	limited := &io.LimitedReader{R: s.out, N: maxRefs}
	err := ar.Decode(limited)
	switch {
	case limited.N <= 0:
		return nil, &LimitError{What: "bytes in the list of branches", Limit: maxRefs, Got: maxRefs + 1}
	case errors.Is(err, packp.ErrEmptyAdvRefs), err == nil && ar.IsEmpty():
		return nil, transport.ErrEmptyRemoteRepository
	case errors.Is(err, packp.ErrEmptyInput):
		return nil, s.ended()
	case err != nil:
		if line, ok := errors.AsType[*pktline.ErrorLine](err); ok && noRepository(line.Text) {
			return nil, transport.ErrRepositoryNotFound
		}
		return nil, err
	}
	transport.FilterUnsupportedCapabilities(ar.Capabilities)
	return ar, nil
}

// ended says why the program on the server ended without an answer.
func (s *sshSession) ended() error {
	done := make(chan error, 1)
	go func() { done <- s.run.Wait() }()
	select {
	case err := <-done: // all of stderr is there
		said := s.said.text()
		switch {
		case s.failure() != nil:
			return s.failure()
		case noRepository(said):
			return transport.ErrRepositoryNotFound
		case said != "":
			return errors.New(said)
		case err != nil:
			return fmt.Errorf("git-upload-pack on the server: %w", err)
		}
	case <-time.After(s.w.o.stall()):
		return errStalled
	}
	return io.ErrUnexpectedEOF
}

// noRepository knows how servers say that there is no such repository, or none
// for this user.
func noRepository(said string) bool {
	said = strings.ToLower(said)
	for _, words := range []string{
		"not found", "does not exist", "does not appear to be a git repository", "no such repository", "could not be found",
	} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

func (s *sshSession) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	if req.IsEmpty() {
		return nil, transport.ErrEmptyUploadPackRequest
	}
	if err := req.Validate(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := req.UploadRequest.Encode(&b); err != nil {
		return nil, err
	}
	if err := req.UploadHaves.Encode(&b, true); err != nil {
		return nil, err
	}
	if err := pktline.NewEncoder(&b).EncodeString("done\n"); err != nil {
		return nil, err
	}
	if _, err := b.WriteTo(s.in); err != nil {
		return nil, err
	}
	if err := s.in.Close(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	res := packp.NewUploadPackResponse(req)
	if err := res.Decode(io.NopCloser(s.out)); err != nil {
		return nil, err
	}
	return res, nil
}

// failure is what ended the connection. That the server hung up, or we did, is no
// failure yet: all may have been said.
func (s *sshSession) failure() error {
	err := s.conn.failure()
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// Close ends the connection, and with it the program on the server.
func (s *sshSession) Close() error {
	s.stop()
	if s.client != nil {
		return s.client.Close()
	}
	return s.conn.Close()
}

// said keeps the beginning of what a program writes to stderr.
type said struct {
	mu sync.Mutex
	b  []byte
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b = append(s.b, p[:min(len(p), 4096-len(s.b))]...)
	return len(p), nil
}

func (s *said) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return tidy(string(s.b))
}
