package source

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// DownloadTimeout bounds a download whose context has no deadline of its own:
	// it takes the largest program over a line of a megabit a second.
	DownloadTimeout = 10 * time.Minute
	// maxRedirects is more than the hosts of releases need, which send on once.
	maxRedirects = 5
)

// Download brings the bytes at an https address, of which size are expected: as
// many as come, but no more than one over, so that the caller can tell. They are
// not trusted, and are kept in memory only. A download that breaks off begins
// anew the next time: two halves of different versions have the right size.
//
// The credential of the source src goes to the host of src alone, and is not
// sent on. A redirect is followed to https only. Errors: [URLError],
// [RedirectError], [ServerError], [AuthError], [TLSError], [UnreachableError],
// [TimeoutError], [OptionError], and context.Canceled.
func Download(ctx context.Context, address string, size int64, src Remote, o Options) ([]byte, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, DownloadTimeout)
		defer cancel()
	}
	at, err := parseAddress(Remote{URL: address})
	if err != nil {
		return nil, err
	}
	if at.scheme != "https" || at.user != "" {
		return nil, &URLError{URL: Remote{URL: address}.Safe(), Why: "want https:// without a credential"}
	}
	base, err := o.transport()
	if err != nil {
		return nil, err
	}
	d := &download{base: base, w: &remoteWire{url: address, at: at, o: o, secrets: secretsOf(src, o)}}
	if home, err := parseAddress(src); err == nil && home.scheme == "https" {
		d.home = home
	}
	defer d.base.CloseIdleConnections()
	b, err := d.get(ctx, address, size)
	return b, d.report(err)
}

// download is one program on its way.
type download struct {
	base *http.Transport
	w    *remoteWire
	home address // of an https source
}

func (d *download) get(ctx context.Context, address string, size int64) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: d, CheckRedirect: d.redirect}
	res, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if code := res.StatusCode; code != http.StatusOK {
		if code == http.StatusUnauthorized && d.atHome(res.Request.URL) {
			return nil, &AuthError{URL: d.w.url, Sent: d.w.sent, Err: errors.New(http.StatusText(code))}
		}
		return nil, &ServerError{URL: d.w.url, Status: code, Err: errors.New("no program")}
	}
	return io.ReadAll(io.LimitReader(res.Body, size+1))
}

func (d *download) redirect(r *http.Request, via []*http.Request) error {
	if r.URL.Scheme != "https" || r.URL.User != nil || len(via) > maxRedirects {
		return &RedirectError{URL: d.w.url, To: tidy(d.w.secrets.out(r.URL.Scheme + "://" + r.URL.Host))}
	}
	return nil
}

// atHome tells the source's own host.
func (d *download) atHome(u *url.URL) bool {
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return d.home.host != "" && u.Scheme == "https" && strings.EqualFold(u.Hostname(), d.home.host) && port == d.home.port
}

// RoundTrip implements http.RoundTripper: it gives the credential to the
// source's host, and no host hears of the one before it.
func (d *download) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Del("Authorization")
	r.Header.Del("Referer")
	if d.atHome(r.URL) {
		if user, token := d.w.o.credential(d.home); user != "" || token != "" {
			d.w.sent = true
			r.SetBasicAuth(user, token)
		}
	}
	return d.base.RoundTrip(r)
}

// report words an error without the address that net/http puts in front, which
// is that of the last redirect and may hold a token of its own.
func (d *download) report(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*RedirectError](err); ok {
		return e
	}
	return d.w.report(err)
}
