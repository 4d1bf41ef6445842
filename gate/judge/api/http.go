package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/agenthooks/hookctl/gate/judge"
)

const (
	// maxAnswer bounds the body of an answer, in bytes, unpacked.
	maxAnswer = 1 << 20
	// maxHeader bounds the header of an answer, in bytes.
	maxHeader = 64 << 10
	// maxWait bounds what a server may ask us to wait.
	maxWait = time.Hour
)

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// client makes the one request of a process: nothing is kept open after it.
func client() *http.Client {
	t := &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			if loopback(r.URL.Hostname()) {
				return nil, nil
			}
			return http.ProxyFromEnvironment(r)
		},
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeader,
	}
	// A redirect is not followed: it would take the text, and with some servers the
	// key, to a host that nobody chose.
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// dial takes "localhost" for what it says, whatever a resolver makes of it.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host != "localhost" {
		return d.DialContext(ctx, network, addr)
	}
	c, err := d.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		c, err = d.DialContext(ctx, network, net.JoinHostPort("::1", port))
	}
	return c, err
}

// post sends a body and returns that of the answer.
func post(ctx context.Context, u *url.URL, header map[string]string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "hookctl")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := client().Do(req)
	if err != nil {
		return nil, broken(ctx, err, judge.Unreachable)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return nil, redirected(res)
	case res.StatusCode < 200 || res.StatusCode > 299:
		f := judge.OfStatus(res.StatusCode, string(answer)) // half of the words are better than none
		f.After = retryAfter(res.Header.Get("Retry-After"))
		return nil, f
	case err != nil:
		return nil, broken(ctx, err, judge.CutOff)
	case len(answer) > maxAnswer:
		return nil, fmt.Errorf("the answer is larger than %d bytes", maxAnswer)
	}
	return answer, nil
}

// broken words an error of the connection. The deadline is one of its own.
func broken(ctx context.Context, err error, kind judge.Kind) error {
	if ctx.Err() != nil {
		return fmt.Errorf("gave no answer in time: %w", ctx.Err())
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // the address is the reader's own
	}
	return &judge.Failure{Kind: kind, Detail: judge.Detail(err.Error())}
}

func redirected(res *http.Response) error {
	f := &judge.Failure{Kind: judge.Refused, Status: res.StatusCode, Detail: "it redirects, which is not followed"}
	if to, err := res.Location(); err == nil {
		f.Detail = judge.Detail("it redirects to " + to.Host + ", which is not followed")
	}
	return f
}

// retryAfter reads the header of that name, in seconds; a date is passed over.
func retryAfter(v string) time.Duration {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0
	}
	return min(time.Duration(n)*time.Second, maxWait)
}
