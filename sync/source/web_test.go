package source

import (
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	webUser  = "bot"
	webToken = "tok+en/w1th%odd:chars"
)

// web is Git's own server, git http-backend, behind TLS and basic auth.
type web struct {
	*httptest.Server
	src *repo
	ca  string // file

	mu      sync.Mutex
	before  http.HandlerFunc // answers in its place when it returns having written
	seen    []*http.Request
	handler http.Handler
}

func newWeb(t *testing.T, src *repo) *web {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git program to serve with")
	}
	w := &web{src: src}
	w.handler = &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard, Logger: log.New(io.Discard, "", 0),
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(src.dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"},
	}
	w.Server = quietTLS(t, http.HandlerFunc(w.serve))
	w.ca = caFile(t, w.Certificate())
	return w
}

func quietTLS(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func caFile(t *testing.T, c *x509.Certificate) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw}), 0o644))
	return name
}

func (w *web) serve(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.seen = append(w.seen, r)
	before := w.before
	w.mu.Unlock()
	if before != nil {
		before(rw, r)
		return
	}
	w.backend(rw, r)
}

func (w *web) backend(rw http.ResponseWriter, r *http.Request) {
	if user, token, _ := r.BasicAuth(); user != webUser || token != webToken {
		rw.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		http.Error(rw, "you said "+r.Header.Get("Authorization")+" "+token, http.StatusUnauthorized)
		return
	}
	w.handler.ServeHTTP(rw, r)
}

func (w *web) answer(h http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before, w.seen = h, nil
}

// addr is the repository's address with the user part put in.
func (w *web) addr(userinfo string) string {
	if userinfo != "" {
		userinfo += "@"
	}
	return strings.Replace(w.URL, "https://", "https://"+userinfo, 1) + "/src/.git"
}

func (w *web) options() Options { return Options{CAFile: w.ca, User: webUser, Token: webToken} }

func fetchWith(t *testing.T, dir, url string, o Options) *Repo {
	t.Helper()
	r, err := FetchWith(t.Context(), dir, Remote{URL: url, Branch: "main"}, o)
	if err != nil {
		t.Fatalf("FetchWith: %v", err)
	}
	return r
}
