package source

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
)

// story is what every transport has to do: clone, nothing new, go on, see a
// force push, mend a damaged quarantine.
func story(t *testing.T, src *repo, url string, o Options) {
	t.Helper()
	one := src.commit("gates/a.yaml", "id: a\n")
	dir := filepath.Join(t.TempDir(), "q")
	r := fetchWith(t, dir, url, o)
	tree, err := r.Tree(one)
	must(t, err)
	if b, err := tree.ReadFile("gates/a.yaml"); err != nil || string(b) != "id: a\n" || r.Head().Hash != one {
		t.Errorf("clone: %q, %v at %s, want %s", b, err, r.Head().Hash, one)
	}
	r.Close()
	before := listing(t, dir)
	fetchWith(t, dir, url, o).Close()
	if after := listing(t, dir); strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Error("a fetch of nothing new changed the quarantine")
	}
	for i := range 5 {
		src.commit("b", strings.Repeat("line\n", 1000+i))
	}
	two := src.commit("gates/a.yaml", "id: b\n")
	r = fetchWith(t, dir, url, o)
	if ok, err := r.IsAncestor(one, two); r.Head().Hash != two || !ok || err != nil {
		t.Errorf("fast-forward: head %s, ancestor %v, %v", r.Head().Hash, ok, err)
	}
	r.Close()
	src.git("reset", "-q", "--hard", one)
	forced := src.commit("gates/a.yaml", "id: forced\n")
	r = fetchWith(t, dir, url, o)
	if ok, err := r.IsAncestor(two, forced); r.Head().Hash != forced || ok || err != nil {
		t.Errorf("force push: head %s, ancestor %v, %v", r.Head().Hash, ok, err)
	}
	r.Close()
	packs, err := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	must(t, err)
	for _, p := range packs {
		must(t, os.Chmod(p, 0o644))
		must(t, os.Truncate(p, 20))
	}
	three := src.commit("gates/a.yaml", "id: c\n")
	r = fetchWith(t, dir, url, o)
	if r.Head().Hash != three {
		t.Errorf("after damage: head %s, want %s", r.Head().Hash, three)
	}
	r.Close()
	_, err = FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), Remote{URL: url, Branch: "gone"}, o)
	if !is[*BranchError](err) {
		t.Errorf("error %v, want a BranchError", err)
	}
	// Nothing of the credential is kept.
	must(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			b, _ := os.ReadFile(p)
			if bytes.Contains(b, []byte(webToken)) || bytes.Contains(b, []byte("127.0.0.1")) {
				t.Errorf("%s holds the address or the token", p)
			}
		}
		return err
	}))
}

func TestHTTPS(t *testing.T) {
	escaped := "bot:tok+en%2Fw1th%25odd%3Achars"
	for name, userinfo := range map[string]string{"options": "", "address": escaped, "user in address": webUser} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t, newRepo(t))
			o := w.options()
			switch name {
			case "address":
				o.User, o.Token = "", ""
			case "user in address":
				o.User = "other"
			}
			story(t, w.src, w.addr(userinfo), o)
		})
	}
	t.Run("empty", func(t *testing.T) {
		w := newWeb(t, newRepo(t))
		_, err := FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), Remote{URL: w.addr(""), Branch: "main"}, w.options())
		if !is[*BranchError](err) {
			t.Errorf("error %v, want a BranchError", err)
		}
	})
}

// otherCert is a server's own certificate for another name.
func otherCert(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"other.test"}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	must(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// Every way to fail has its type, and none tells the token.
func TestHTTPSFailures(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	w := newWeb(t, src)
	var elsewhere []string
	other := quietTLS(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		elsewhere = append(elsewhere, r.URL.Path+" "+r.Header.Get("Authorization"))
		w.backend(rw, r)
	}))
	misnamed := httptest.NewUnstartedServer(http.NotFoundHandler())
	misnamed.TLS = &tls.Config{Certificates: []tls.Certificate{otherCert(t)}}
	misnamed.Config.ErrorLog = log.New(io.Discard, "", 0)
	misnamed.StartTLS()
	defer misnamed.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	closed.Close()
	https := func(hostport string) string {
		return "https://bot:" + "tok%2Ben%2Fw1th%25odd%3Achars@" + hostport + "/src/.git"
	}
	to := func(url string, code int) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, url+"/src/.git/info/refs?service=git-upload-pack&t="+r.Header.Get("Authorization"), code)
		}
	}
	text := func(code int, kind, text string) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("Content-Type", kind)
			rw.WriteHeader(code)
			fmt.Fprint(rw, text, r.Header.Get("Authorization"), webToken)
		}
	}
	const refs = "application/x-git-upload-pack-advertisement"
	no := filepath.Join(t.TempDir(), "no.pem")
	must(t, os.WriteFile(no, []byte("tok"), 0o644))
	tests := []struct {
		name   string
		url    string // "": the server's
		with   func(*Options)
		answer http.HandlerFunc
		want   any
		also   error
	}{
		{name: "wrong token", with: func(o *Options) { o.Token += "x" }, want: new(*AuthError), also: transport.ErrAuthenticationRequired},
		{name: "no token", with: func(o *Options) { o.Token = "" }, want: new(*AuthError), also: transport.ErrAuthenticationRequired},
		{name: "token as user", url: strings.Replace(w.URL, "//", "//"+"tok%2Ben%2Fw1th%25odd%3Achars@", 1) + "/src/.git", with: func(o *Options) { o.Token = "" }, want: new(*AuthError)},
		{name: "forbidden", answer: text(http.StatusForbidden, "text/plain", "no"), want: new(*AuthError), also: transport.ErrAuthorizationFailed},
		{name: "no repository", url: w.URL + "/gone.git", want: new(*NotFoundError)},
		{name: "a web page", answer: text(http.StatusOK, "text/html; x="+webToken, "<html>"), want: new(*NotFoundError)},
		{name: "no pkt-line", answer: text(http.StatusOK, refs, "zzzz"), want: new(*ServerError)},
		{name: "an error line", answer: text(http.StatusOK, refs, "0044ERR "), want: new(*ServerError)},
		{name: "server error", answer: text(http.StatusBadGateway, "text/html", "oh"), want: new(*ServerError)},
		{name: "hangs up", answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, want: new(*UnreachableError)},
		{name: "closed port", url: https(closed.Addr().String()), want: new(*UnreachableError)},
		{name: "no such host", url: https("no-such-host.invalid"), want: new(*UnreachableError)},
		{name: "unknown CA", with: func(o *Options) { o.CAFile = "" }, want: new(*TLSError)},
		{name: "another CA", with: func(o *Options) { o.CAFile = caFile(t, misnamed.Certificate()) }, want: new(*TLSError)},
		{name: "another name", url: https(misnamed.Listener.Addr().String()), with: func(o *Options) { o.CAFile = caFile(t, misnamed.Certificate()) }, want: new(*TLSError)},
		{name: "no TLS", url: https(plain.Listener.Addr().String()), want: new(*TLSError)},
		{name: "no CA file", with: func(o *Options) { o.CAFile = no + "x" }, want: new(*OptionError), also: fs.ErrNotExist},
		{name: "CA file without a certificate", with: func(o *Options) { o.CAFile = no }, want: new(*OptionError)},
		{name: "redirect to another port", answer: to(other.URL, http.StatusFound), want: new(*RedirectError)},
		{name: "redirect to another host", answer: to("https://bot:"+webToken[:6]+"@other.test", http.StatusMovedPermanently), want: new(*RedirectError)},
		{name: "redirect to http", answer: to(strings.Replace(w.URL, "https", "http", 1), http.StatusFound), want: new(*RedirectError)},
		{name: "redirect in a circle", answer: func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, r.URL.String(), http.StatusFound)
		}, want: new(*ServerError)},
		{name: "redirect to nowhere", answer: text(http.StatusFound, "text/html", ""), want: new(*ServerError)},
		{name: "redirect of the pack", answer: func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				to(w.URL, http.StatusTemporaryRedirect)(rw, r)
				return
			}
			w.backend(rw, r)
		}, want: new(*RedirectError)},
		{name: "plain http", url: strings.Replace(w.addr("bot:"+webToken[:6]), "https", "http", 1), want: new(*URLError)},
		{name: "not a URL", url: "https://bot:tok+en/w1th%odd:chars@host/x", want: new(*URLError)},
		{name: "no scheme", url: "bot:" + webToken + "@host/x", want: new(*URLError)},
		{name: "token behind ?", url: w.URL + "/src/.git?private_token=" + webToken, want: new(*URLError)},
		{name: "no host", url: "https://bot:tok+en@/x", want: new(*URLError)},
		{name: "no path", url: "https://bot:tok+en@host/", want: new(*URLError)},
		{name: "file on a host", url: "file://bot:" + webToken + "@host/x", want: new(*URLError)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w.answer(tt.answer)
			elsewhere = nil
			o := w.options()
			o.Stall = 5 * time.Second
			if tt.with != nil {
				tt.with(&o)
			}
			r := Remote{URL: tt.url, Branch: "main"}
			if r.URL == "" {
				r.URL = w.addr("")
			}
			_, err := FetchWith(t.Context(), filepath.Join(t.TempDir(), "q"), r, o)
			if err == nil || !errors.As(err, tt.want) || (tt.also != nil && !errors.Is(err, tt.also)) {
				t.Errorf("error %v (%T), want %T and %v", err, err, tt.want, tt.also)
			}
			t.Log(err)
			discreet(t, r, o, err)
			if len(elsewhere) > 0 {
				t.Errorf("went elsewhere: %q", elsewhere)
			}
		})
	}
}

// discreet goes through all that a caller may print.
func discreet(t *testing.T, r Remote, o Options, err error) {
	t.Helper()
	for text := range texts(r, o, err) {
		for _, secret := range append(secretsOf(r, o), "tok+en", "w1th", "odd:chars", "odd%3A", "Basic ") {
			if strings.Contains(text, secret) {
				t.Errorf("%q holds the secret %q", text, secret)
			}
		}
		if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' }) {
			t.Errorf("%q holds control characters", text)
		}
	}
}

func texts(r Remote, o Options, err error) map[string]bool {
	all := map[string]bool{
		r.Safe(): true, fmt.Sprint(r, o): true, fmt.Sprintf("%v %+v %#v", r, r, r): true, fmt.Sprintf("%+v %#v", o, &o): true,
		fmt.Sprintf("%+v", struct {
			R *Remote
			O Options
		}{&r, o}): true,
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		all[e.Error()], all[fmt.Sprintf("%+v", e)], all[fmt.Sprintf("%#v", e)] = true, true, true
	}
	return all
}

func TestRedirectOnTheSameHost(t *testing.T) {
	src := newRepo(t)
	head := src.commit("a", "1")
	w := newWeb(t, src)
	w.answer(func(rw http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, "/old"); ok {
			http.Redirect(rw, r, "/src/.git"+rest+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		w.backend(rw, r)
	})
	r := fetchWith(t, filepath.Join(t.TempDir(), "q"), w.URL+"/old", w.options())
	if r.Head().Hash != head {
		t.Errorf("head %s, want %s", r.Head().Hash, head)
	}
}
