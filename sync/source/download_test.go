package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// depot serves programs over TLS, with a certificate of its own.
type depot struct {
	*httptest.Server
	ca   string
	seen []string // path and Authorization of each request
}

func newDepot(t *testing.T, h func(*depot, http.ResponseWriter, *http.Request)) *depot {
	t.Helper()
	d := &depot{}
	d.Server = quietTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.seen = append(d.seen, r.URL.Path+" "+r.Header.Get("Authorization")+r.Header.Get("Referer")+r.Header.Get("Range"))
		h(d, w, r)
	}))
	d.ca = caFile(t, d.Certificate())
	return d
}

var programBytes = bytes.Repeat([]byte("\x7fELF0123456789"), 50_000)

func serve(b []byte) func(*depot, http.ResponseWriter, *http.Request) {
	return func(_ *depot, w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b) }
}

func TestDownload(t *testing.T) {
	d := newDepot(t, serve(programBytes))
	b, err := Download(t.Context(), d.URL+"/hookctl", int64(len(programBytes)), Remote{URL: "/srv/hooks"}, Options{CAFile: d.ca, Token: webToken})
	if err != nil || !bytes.Equal(b, programBytes) {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	if len(d.seen) != 1 || d.seen[0] != "/hookctl " {
		t.Errorf("the server saw %q", d.seen)
	}
}

// What has another length comes as it is, one byte over at most: the caller
// compares it.
func TestDownloadOfAnotherLength(t *testing.T) {
	for name, body := range map[string][]byte{
		"longer": append(bytes.Clone(programBytes), "and much more than that"...),
		"short":  programBytes[:100], "a login page": []byte("<html>Sign in"), "nothing": nil,
	} {
		d := newDepot(t, serve(body))
		b, err := Download(t.Context(), d.URL+"/x", int64(len(programBytes)), Remote{}, Options{CAFile: d.ca})
		if want := body[:min(len(body), len(programBytes)+1)]; err != nil || !bytes.Equal(b, want) {
			t.Errorf("%s: %d bytes, want %d, %v", name, len(b), len(want), err)
		}
	}
}

func TestDownloadFailures(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(programBytes) }))
	defer plain.Close()
	to := func(url string) func(*depot, http.ResponseWriter, *http.Request) {
		return func(_ *depot, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, url, http.StatusFound) }
	}
	code := func(code int) func(*depot, http.ResponseWriter, *http.Request) {
		return func(_ *depot, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for name, tt := range map[string]struct {
		h    func(*depot, http.ResponseWriter, *http.Request)
		want error
	}{
		"redirect to http":         {to(plain.URL + "/x?token=s3cret"), &RedirectError{}},
		"redirect to file":         {to("file:///etc/passwd"), &RedirectError{}},
		"redirect to a credential": {to("https://u:s3cret@127.0.0.1:1/x"), &RedirectError{}},
		"round and round":          {func(d *depot, w http.ResponseWriter, r *http.Request) { to(d.URL+"/x")(d, w, r) }, &RedirectError{}},
		"not there":                {code(http.StatusNotFound), &ServerError{}},
		"a part of it":             {code(http.StatusPartialContent), &ServerError{}},
		"forbidden":                {code(http.StatusUnauthorized), &ServerError{}},
		"breaks off": {func(_ *depot, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(programBytes)))
			_, _ = w.Write(programBytes[:1000])
		}, &UnreachableError{}},
		"hangs up": {func(*depot, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, &UnreachableError{}},
		"drips": {func(_ *depot, w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte("."))
				_ = http.NewResponseController(w).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		}, &TimeoutError{}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDepot(t, tt.h)
			b, err := Download(t.Context(), d.URL+"/x", int64(len(programBytes)), Remote{}, Options{CAFile: d.ca, Stall: 300 * time.Millisecond})
			if b != nil && err != nil && len(b) == len(programBytes) {
				t.Error("bytes and an error")
			}
			if err == nil || fmt.Sprintf("%T", err) != fmt.Sprintf("%T", tt.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("error %T %v, want %T", err, err, tt.want)
			}
		})
	}
	d := newDepot(t, serve(programBytes))
	for name, tt := range map[string]struct {
		url  string
		o    Options
		want error
	}{
		"unknown CA": {d.URL + "/x", Options{}, &TLSError{}},
		"no CA file": {d.URL + "/x", Options{CAFile: filepath.Join(t.TempDir(), "no.pem")}, &OptionError{}},
		"http":       {plain.URL + "/x", Options{}, &URLError{}},
		"ssh":        {"ssh://git@127.0.0.1/x", Options{}, &URLError{}},
		"a password": {strings.Replace(d.URL, "//", "//u:s3cret@", 1) + "/x", Options{CAFile: d.ca}, &URLError{}},
		"a query":    {d.URL + "/x?token=s3cret", Options{CAFile: d.ca}, &URLError{}},
	} {
		_, err := Download(t.Context(), tt.url, 10, Remote{}, tt.o)
		if err == nil || fmt.Sprintf("%T", err) != fmt.Sprintf("%T", tt.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: error %T %v, want %T", name, err, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Download(ctx, d.URL+"/x", 10, Remote{}, Options{CAFile: d.ca}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// The token is for the source's host: it is not sent to another one, neither
// because the program lies there nor because a redirect leads there.
func TestDownloadKeepsTheToken(t *testing.T) {
	other := newDepot(t, serve(programBytes))
	home := newDepot(t, func(d *depot, w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") == "":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/away":
			http.Redirect(w, r, other.URL+"/asset?signature=s3cret", http.StatusFound)
		default:
			_, _ = w.Write(programBytes)
		}
	})
	// Both servers show the same certificate; the file may be either's.
	src, o := Remote{URL: home.URL + "/hooks.git"}, Options{CAFile: home.ca, Token: webToken}
	for _, path := range []string{"/here", "/away"} {
		b, err := Download(t.Context(), home.URL+path, int64(len(programBytes)), src, o)
		if err != nil || len(b) != len(programBytes) {
			t.Errorf("%s: %d bytes, %v", path, len(b), err)
		}
	}
	if _, err := Download(t.Context(), other.URL+"/direct", int64(len(programBytes)), src, o); err != nil {
		t.Error(err)
	}
	for _, seen := range other.seen {
		if seen != "/asset " && seen != "/direct " {
			t.Errorf("another host saw %q", seen)
		}
	}
	if len(other.seen) != 2 {
		t.Errorf("the other host saw %q", other.seen)
	}
	if _, err := Download(t.Context(), home.URL+"/here", 10, src, Options{CAFile: home.ca}); !is[*AuthError](err) {
		t.Errorf("without a token: %v", err)
	}
}

// Nothing is left of a download that was cut short, and nothing is taken up
// again: e44-resume-download.
func TestE44ResumeDownload(t *testing.T) {
	cut := true
	d := newDepot(t, func(_ *depot, w http.ResponseWriter, r *http.Request) {
		if cut {
			w.Header().Set("Content-Length", strconv.Itoa(len(programBytes)))
			_, _ = w.Write(programBytes[:len(programBytes)/2])
			return
		}
		_, _ = w.Write(bytes.Repeat([]byte("new"), len(programBytes)/3))
	})
	dir := t.TempDir()
	t.Chdir(dir)
	must(t, os.WriteFile("hookctl_linux_amd64.part", []byte("old-old-old"), 0o644))
	if _, err := Download(t.Context(), d.URL+"/hookctl", int64(len(programBytes)), Remote{}, Options{CAFile: d.ca}); !is[*UnreachableError](err) {
		t.Errorf("cut short: %v", err)
	}
	cut = false
	b, err := Download(t.Context(), d.URL+"/hookctl", int64(len(programBytes)), Remote{}, Options{CAFile: d.ca})
	if err != nil || bytes.Contains(b, programBytes[:14]) || bytes.Contains(b, []byte("old")) {
		t.Errorf("the second download holds something of the first, %v", err)
	}
	for _, seen := range d.seen {
		if seen != "/hookctl " {
			t.Errorf("the server saw %q", seen)
		}
	}
}
