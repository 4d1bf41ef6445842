package source

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

const (
	maxRefs = 32 << 20 // bytes of a server's list of branches and tags
	maxCA   = 4 << 20  // bytes of a file of certificates
)

// errNoGit is behind the errors about answers of something else.
var errNoGit = errors.New("the answer is no Git")

// startHTTPS makes a session over https of its own: no client, no connection and
// no credential outlives it.
func startHTTPS(w *remoteWire) (session, error) {
	o := w.o
	base, err := o.transport()
	if err != nil {
		return nil, err
	}
	t := &trip{base: base, w: w, host: w.at.host, port: w.at.port, maxPack: o.packLimit()}
	c := githttp.NewClient(&http.Client{Transport: t})
	host := w.at.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port, err := strconv.Atoi(w.at.port)
	if err != nil {
		return nil, err
	}
	// The credential stays out of the endpoint, which ends up in texts.
	ep := &transport.Endpoint{Protocol: "https", Host: host, Port: port, Path: w.at.path}
	var auth transport.AuthMethod
	if user, token := o.credential(w.at); user != "" || token != "" {
		w.sent = true
		auth = &githttp.BasicAuth{Username: user, Password: token}
	}
	s, err := c.NewUploadPackSession(ep, auth)
	if err != nil {
		return nil, err
	}
	return &httpsSession{UploadPackSession: s, t: t}, nil
}

type httpsSession struct {
	transport.UploadPackSession
	t *trip
}

// failure is what went wrong below go-git, whose own errors hide it.
func (s *httpsSession) failure() error { return s.t.failure() }

func (s *httpsSession) Close() error {
	err := s.UploadPackSession.Close()
	s.t.base.CloseIdleConnections()
	return err
}

// transport reaches https servers as the options say, through the environment's
// proxy. It bounds the connection; answers are the caller's to bound.
func (o Options) transport() (*http.Transport, error) {
	roots, err := rootsWith(o.CAFile)
	if err != nil {
		return nil, err
	}
	return &http.Transport{
		Proxy: proxy,
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			c, err := connect(ctx, o, addr)
			if err != nil {
				return nil, err // not a nil *steadyConn
			}
			return c, nil
		},
		TLSClientConfig:    &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		DisableCompression: true, // packs are; and a few bytes of it can unpack to many
		TLSNextProto:       map[string]func(string, *tls.Conn) http.RoundTripper{},
		MaxConnsPerHost:    1,
		// The rest is bounded by the connection and the context.
		MaxResponseHeaderBytes: 64 << 10,
	}, nil
}

// proxy is the environment's (HTTPS_PROXY, NO_PROXY). It sees the name of the
// host and bytes under TLS.
func proxy(r *http.Request) (*url.URL, error) {
	u, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return nil, errors.New("the proxy in the environment is no URL") // err quotes it, password and all
	}
	return u, nil
}

// rootsWith is the system's roots and those in the file, if one is named.
func rootsWith(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil //nolint:nilnil // crypto/tls takes nil for the system's
	}
	b, err := readShort(file, maxCA)
	if err != nil {
		return nil, &OptionError{What: "CA file", Path: file, Err: err}
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(b) {
		return nil, &OptionError{What: "CA file", Path: file, Err: errors.New("holds no certificate in PEM form")}
	}
	return pool, nil
}

// readShort reads a regular file of up to limit bytes.
func readShort(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, bare(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > limit:
		return nil, &LimitError{What: "bytes", Limit: limit, Got: info.Size()}
	}
	b, err := os.ReadFile(name)
	return b, bare(err)
}

// bare drops the path, which the caller names anyway.
func bare(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

// trip carries requests to the one host that the URL names, looks at each answer
// before go-git does, and bounds what is read of it.
type trip struct {
	base       *http.Transport
	w          *remoteWire
	host, port string
	maxPack    int64

	mu  sync.Mutex
	err error // the first failure
}

func (t *trip) failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *trip) failed(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
	return err
}

func (t *trip) home(u *url.URL) bool {
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return u.Scheme == "https" && strings.EqualFold(u.Hostname(), t.host) && port == t.port
}

// RoundTrip implements http.RoundTripper.
func (t *trip) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.home(r.URL) {
		return nil, t.failed(&RedirectError{URL: t.w.url, To: r.URL.Scheme + "://" + r.URL.Host})
	}
	res, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, t.failed(err)
	}
	if err := t.check(r, res); err != nil {
		res.Body.Close()
		return nil, t.failed(err)
	}
	limit := &LimitError{What: "bytes in the list of branches", Limit: maxRefs}
	if r.Method == http.MethodPost {
		// What frames a pack is small; the pack itself is counted by receive.
		limit = &LimitError{What: "pack bytes", Limit: t.maxPack + t.maxPack/8 + 1<<20}
	}
	res.Body = &body{ReadCloser: res.Body, t: t, limit: limit}
	return res, nil
}

// check refuses what is no answer of a Git server, or leads away from it.
func (t *trip) check(r *http.Request, res *http.Response) error {
	switch code := res.StatusCode; {
	case code >= 300 && code < 400 && code != http.StatusNotModified:
		to, err := res.Location()
		if err != nil {
			return &ServerError{URL: t.w.url, Status: code, Err: errNoGit}
		}
		if r.Method != http.MethodGet || !t.home(to) {
			return &RedirectError{URL: t.w.url, To: tidy(t.w.secrets.out(to.Scheme + "://" + to.Host))}
		}
		return nil
	case code == http.StatusUnauthorized:
		return transport.ErrAuthenticationRequired
	case code == http.StatusForbidden:
		return transport.ErrAuthorizationFailed
	case code == http.StatusNotFound, code == http.StatusGone:
		return transport.ErrRepositoryNotFound
	case code != http.StatusOK:
		return &ServerError{URL: t.w.url, Status: code, Err: errNoGit}
	}
	want := "application/x-git-upload-pack-result"
	if r.Method == http.MethodGet {
		want = "application/x-git-upload-pack-advertisement"
	}
	if got := res.Header.Get("Content-Type"); got != want {
		return &NotFoundError{URL: t.w.url, Err: &leaf{fmt.Sprintf("the answer is no Git but %q", tidy(t.w.secrets.out(got))), errNoGit}}
	}
	return nil
}

type body struct {
	io.ReadCloser
	t     *trip
	limit *LimitError
	n     int64
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.n += int64(n); b.n > b.limit.Limit {
		b.limit.Got = b.n
		return 0, b.t.failed(b.limit)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return n, b.t.failed(err)
	}
	return n, err
}
