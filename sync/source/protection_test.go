package source

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// apiHost answers as the API of a Git host does, on loopback and behind TLS, under
// whatever names its certificate has.
type apiHost struct {
	*httptest.Server
	ca string

	mu      sync.Mutex
	answers map[string]string // path with query -> body; "404 body" and the like for another status
	seen    []string          // "host path authorization"
	before  http.HandlerFunc
}

func newAPIHost(t *testing.T, names ...string) *apiHost {
	t.Helper()
	h := &apiHost{}
	h.Server = httptest.NewUnstartedServer(http.HandlerFunc(h.serve))
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	if len(names) > 0 {
		h.TLS = &tls.Config{Certificates: []tls.Certificate{certFor(t, names...)}}
	}
	h.StartTLS()
	t.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	h.ca = caFile(t, h.Certificate())
	return h
}

func certFor(t *testing.T, names ...string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: names, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	must(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (h *apiHost) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	path := r.URL.EscapedPath()
	if r.URL.RawQuery != "" {
		path += "?" + r.URL.RawQuery
	}
	h.seen = append(h.seen, strings.TrimSpace(r.Host+" "+path+" "+r.Header.Get("Authorization")))
	body, ok := h.answers[path]
	before := h.before
	h.mu.Unlock()
	if before != nil {
		before(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	code := http.StatusOK
	if !ok {
		code, body = http.StatusNotFound, `{"message":"Not Found"}`
	} else if n, err := fmt.Sscanf(body, "%d ", &code); n == 1 && err == nil {
		_, body, _ = strings.Cut(body, " ")
	}
	w.WriteHeader(code)
	fmt.Fprint(w, body)
}

func (h *apiHost) options(token string) Options {
	return Options{CAFile: h.ca, Token: token, dialTo: h.Listener.Addr().String(), Stall: 5 * time.Second}
}

// What each host says, in the bytes of its documentation as far as they matter,
// and what is made of it.
func TestProtection(t *testing.T) {
	const (
		gh        = "/repos/team/hooks"
		ghRules   = gh + "/rules/branches/main?per_page=100"
		ghMeta    = "/api/v3/meta"
		metaBody  = `{"verifiable_password_authentication":true,"installed_version":"3.14.2"}`
		glVersion = "/api/v4/version"
		glBranch  = "/api/v4/projects/team%2Fsub%2Fhooks/repository/branches/main"
		glDetail  = "/api/v4/projects/team%2Fsub%2Fhooks/protected_branches/main"
		gtVersion = "/api/v1/version"
		gtBranch  = "/api/v1/repos/team/hooks/branches/main"
		gtDetail  = "/api/v1/repos/team/hooks/branch_protections/ma%2A"
		on, off   = `{"name":"main","protected":true}`, `{"name":"main","protected":false}`
	)
	for _, tt := range []struct {
		name, url, token string
		answers          map[string]string
		kind, text       string
	}{
		{
			"github classic, no token", "https://github.com/team/hooks.git", "",
			map[string]string{gh + "/branches/main": on, ghRules: `[]`},
			BranchProtected, "more is shown to an administrator's token only",
		},
		{
			"github classic, admin", "https://github.com/team/hooks", "t0ken",
			map[string]string{
				gh + "/branches/main": on, ghRules: `[]`,
				gh + "/branches/main/protection": `{"enforce_admins":{"enabled":true},"allow_force_pushes":{"enabled":false},"required_pull_request_reviews":{"required_approving_review_count":2}}`,
			},
			BranchProtected, "2 reviews required, force pushes refused, admins included",
		},
		{
			"github classic that allows force pushes", "https://github.com/team/hooks", "t0ken",
			map[string]string{
				gh + "/branches/main": on, ghRules: `[]`,
				gh + "/branches/main/protection": `{"enforce_admins":{"enabled":false},"allow_force_pushes":{"enabled":true}}`,
			},
			BranchUnprotected, "no review required, force pushes allowed, admins exempt",
		},
		{
			"github, token of no admin", "https://github.com/team/hooks", "t0ken",
			map[string]string{
				gh + "/branches/main": on, ghRules: `[]`,
				gh + "/branches/main/protection": `403 {"message":"Resource not accessible"}`,
			},
			BranchProtected, "more is shown to an administrator's token only",
		},
		{
			"github ruleset", "git@github.com:team/hooks.git", "",
			map[string]string{
				gh + "/branches/main": off,
				ghRules:               `[{"type":"deletion"},{"type":"non_fast_forward"},{"type":"pull_request","parameters":{"required_approving_review_count":1}}]`,
			},
			BranchProtected, "1 review required, force pushes refused, who may bypass the rules is not told",
		},
		{
			"github ruleset of little worth", "https://github.com/team/hooks", "",
			map[string]string{gh + "/branches/main": off, ghRules: `[{"type":"commit_message_pattern","parameters":{"operator":"starts_with"}}]`},
			BranchUnprotected, "force pushes allowed, who may bypass the rules is not told",
		},
		{
			"github, both", "ssh://git@github.com/team/hooks", "t0ken",
			map[string]string{
				gh + "/branches/main": on, ghRules: `[{"type":"non_fast_forward"},{"type":"update"}]`,
				gh + "/branches/main/protection": `{"enforce_admins":{"enabled":false},"allow_force_pushes":{"enabled":true},"required_pull_request_reviews":{"required_approving_review_count":0}}`,
			},
			BranchProtected, "pull requests required, no review required, force pushes refused, pushes by a few only, admins exempt",
		},
		{
			"github, nothing", "https://github.com/team/hooks", "",
			map[string]string{gh + "/branches/main": off, ghRules: `[]`},
			BranchUnprotected, "the host has no protection and no rule for the branch",
		},
		{
			"github, the rules are not told", "https://github.com/team/hooks", "",
			map[string]string{gh + "/branches/main": off, ghRules: `502 <html>`},
			BranchUnknown, "the host's API answers 502 Bad Gateway",
		},
		{
			"github, no repository for this token", "https://github.com/team/hooks", "t0ken", nil,
			BranchUnknown, "the host's API knows no such repository and branch, or hides it from whom it does not know",
		},
		{
			"github, bad token", "https://github.com/team/hooks", "t0ken",
			map[string]string{gh + "/branches/main": `401 {"message":"Bad credentials"}`},
			BranchUnknown, "the host's API does not accept the token",
		},
		{
			"github, too many questions", "https://github.com/team/hooks", "",
			map[string]string{gh + "/branches/main": `403 {"message":"API rate limit exceeded"}`},
			BranchUnknown, "the host's API answers 403: no access, or too many questions",
		},
		{
			"github, no word of it", "https://github.com/team/hooks", "",
			map[string]string{gh + "/branches/main": `{"name":"main"}`},
			BranchUnknown, "the host's API does not say whether the branch is protected",
		},
		{"github, no such path", "https://github.com/team/sub/hooks", "", nil, BranchUnknown, "the path is not that of a repository of this host"},
		{"no path of a host", "https://github.com/hooks", "", nil, BranchUnknown, "the path is not that of a repository of a host"},
		{"a path that climbs", "https://github.com/team/../hooks", "", nil, BranchUnknown, "the path is not that of a repository of a host"},
		{
			"github with the company's data apart", "https://acme.ghe.com/team/hooks", "",
			map[string]string{gh + "/branches/main": on},
			BranchProtected, "more is shown to an administrator's token only",
		},
		{
			"github enterprise", "git@git.acme.test:team/hooks.git", "",
			map[string]string{ghMeta: metaBody, "/api/v3" + gh + "/branches/main": on, "/api/v3" + ghRules: `404 {}`},
			BranchProtected, "more is shown to an administrator's token only",
		},
		{
			"github enterprise without rulesets", "https://git.acme.test/team/hooks", "",
			map[string]string{ghMeta: metaBody, "/api/v3" + gh + "/branches/main": off},
			BranchUnprotected, "the host has no protection and no rule for the branch",
		},
		{
			"gitlab", "https://gitlab.com/team/sub/hooks.git", "",
			map[string]string{glBranch: `{"protected":true,"developers_can_push":false,"developers_can_merge":true}`},
			BranchProtected, "pushes by a few only, more is shown to an administrator's token only",
		},
		{
			"gitlab, maintainer", "https://git.acme.test/team/sub/hooks", "t0ken",
			map[string]string{
				glVersion: `{"version":"17.5.1-ee","revision":"4e963fe"}`, glBranch: on,
				glDetail: `{"name":"main","push_access_levels":[{"access_level":0}],"allow_force_push":false}`,
			},
			BranchProtected, "pull requests required, force pushes refused",
		},
		{
			"gitlab that lets all push", "https://git.acme.test/team/sub/hooks", "t0ken",
			map[string]string{
				glVersion: `{"version":"17.5.1-ee","revision":"4e963fe"}`,
				glBranch:  `{"protected":true,"developers_can_push":true}`,
				glDetail:  `{"name":"main","push_access_levels":[{"access_level":30}],"allow_force_push":true}`,
			},
			BranchUnprotected, "force pushes allowed",
		},
		{
			"gitlab that keeps its version to itself", "ssh://git@git.acme.test:2222/team/sub/hooks", "",
			map[string]string{glVersion: `401 {"message":"401 Unauthorized"}`, glBranch: off},
			BranchUnprotected, "the host has no protection and no rule for the branch",
		},
		{
			"gitlab, token for reading repositories", "https://git.acme.test/team/sub/hooks", "t0ken",
			map[string]string{glVersion: `403 {"error":"insufficient_scope"}`, glBranch: `403 {"error":"insufficient_scope"}`},
			BranchUnknown, "the host's API answers 403: no access, or too many questions",
		},
		{
			"gitea", "https://codeberg.org/team/hooks", "",
			map[string]string{gtBranch: `{"protected":true,"required_approvals":1,"effective_branch_protection_name":""}`},
			BranchProtected, "1 review required, more is shown to an administrator's token only",
		},
		{
			"gitea, admin", "https://git.acme.test/team/hooks", "t0ken",
			map[string]string{
				gtVersion: `{"version":"1.22.3"}`,
				gtBranch:  `{"protected":true,"required_approvals":0,"effective_branch_protection_name":"ma*"}`,
				gtDetail:  `{"rule_name":"ma*","enable_push":false,"enable_force_push":false,"block_admin_merge_override":true}`,
			},
			BranchProtected, "pull requests required, no review required, force pushes refused, admins included",
		},
		{
			"forgejo that allows force pushes", "https://git.acme.test/team/hooks", "t0ken",
			map[string]string{
				gtVersion: `{"version":"9.0.0+gitea-1.22.0"}`,
				gtBranch:  `{"protected":true,"required_approvals":0,"effective_branch_protection_name":"ma*"}`,
				gtDetail:  `{"enable_push":true,"enable_force_push":true,"apply_to_admins":false}`,
			},
			BranchUnprotected, "no review required, force pushes allowed, admins exempt",
		},
		{
			"gitea, nothing", "https://git.acme.test/team/hooks", "",
			map[string]string{gtVersion: `{"version":"1.22.3"}`, gtBranch: off},
			BranchUnprotected, "the host has no protection and no rule for the branch",
		},
		{"gitea, deep path", "https://codeberg.org/team/sub/hooks", "", nil, BranchUnknown, "the path is not that of a repository of this host"},
		{"a plain Git server", "https://git.acme.test/team/hooks", "", nil, BranchUnknown, "the host does not say that it is GitHub, GitLab, Gitea or Forgejo"},
		{
			"a server that wants a password for everything", "https://git.acme.test/team/hooks", "t0ken",
			map[string]string{gtVersion: `401 who?`, glVersion: `401 {"message":"who?"}`, ghMeta: `401 who?`},
			BranchUnknown, "the host does not say that it is GitHub, GitLab, Gitea or Forgejo",
		},
		{
			"a web page for everything", "https://git.acme.test/team/hooks", "",
			map[string]string{gtVersion: `<html>`, glVersion: `<html>`, ghMeta: `<html>`},
			BranchUnknown, "the host does not say that it is GitHub, GitLab, Gitea or Forgejo",
		},
		{
			"JSON for everything", "https://git.acme.test/team/hooks", "",
			map[string]string{gtVersion: `{}`, glVersion: `{"version":"1"}`, ghMeta: `{"hooks":[]}`},
			BranchUnknown, "the host does not say that it is GitHub, GitLab, Gitea or Forgejo",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newAPIHost(t, "api.github.com", "gitlab.com", "codeberg.org", "git.acme.test", "api.acme.ghe.com")
			h.answers = tt.answers
			got := Protection(t.Context(), Remote{URL: tt.url, Branch: "main"}, h.options(tt.token))
			if got.Kind != tt.kind || got.Text != tt.text {
				t.Errorf("%s %q\nwant %s %q\nasked: %q", got.Kind, got.Text, tt.kind, tt.text, h.seen)
			}
			for _, line := range h.seen {
				if auth := strings.HasSuffix(line, " Bearer t0ken"); auth != (tt.token != "") {
					t.Errorf("%q: with a token %v, want %v", line, auth, tt.token != "")
				}
			}
		})
	}
}

// Every question goes to the API's own host, with the branch's name in one piece.
func TestProtectionAsksOneHost(t *testing.T) {
	h := newAPIHost(t, "api.github.com")
	h.answers = map[string]string{"/repos/team/ho%20oks/branches/rel%2F1": `{"protected":true}`, "/repos/team/ho%20oks/rules/branches/rel%2F1?per_page=100": `[]`}
	for url, auth := range map[string]string{
		"https://t0p:s3cret@github.com/team/ho%20oks.git": " Bearer s3cret",
		"https://s3cret@github.com/team/ho%20oks.git":     " Bearer s3cret",
		"https://github.com/team/ho%20oks.git/":           "",
		"ssh://git@ssh.github.com:443/team/ho oks.git":    "",
		"git@github.com:/team/ho oks.git":                 "",
	} {
		h.seen = nil
		got := Protection(t.Context(), Remote{URL: url, Branch: "rel/1"}, h.options(""))
		if got.Kind != BranchProtected {
			t.Errorf("%s: %+v", url, got)
		}
		want := []string{"api.github.com /repos/team/ho%20oks/branches/rel%2F1" + auth, "api.github.com /repos/team/ho%20oks/rules/branches/rel%2F1?per_page=100" + auth}
		if auth != "" {
			want = append(want, "api.github.com /repos/team/ho%20oks/branches/rel%2F1/protection"+auth)
		}
		if !slices.Equal(h.seen, want) {
			t.Errorf("%s: asked %q, want %q", url, h.seen, want)
		}
	}
}

func TestProtectionAsksNobody(t *testing.T) {
	dir := t.TempDir()
	for _, raw := range []string{dir, "file://" + filepath.ToSlash(dir), "../x", "http://github.com/team/hooks", "ext::sh -c x", ""} {
		if got := Protection(t.Context(), Remote{URL: raw, Branch: "main"}, Options{dialTo: "127.0.0.1:1"}); got.Kind != NoneAsked || got.Text == "" || got.Host != "" {
			t.Errorf("%q: %+v", raw, got)
		}
	}
}

// What a hostile or broken host can do is make the answer unknown.
func TestProtectionOfAHostileHost(t *testing.T) {
	var elsewhere []string
	other := quietTLS(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { elsewhere = append(elsewhere, r.URL.Path) }))
	write := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, to+r.URL.Path, http.StatusMovedPermanently)
		}
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"protected":true,"x":"`)
		for r.Context().Err() == nil {
			fmt.Fprint(w, "y")
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"protected":true,"x":"`)
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, strings.Repeat("y", 64<<10)); err != nil {
				return
			}
		}
	}
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		with   func(*Options)
		text   string
		short  bool // the caller has little time
	}{
		"a web page":      {answer: write("<html>t0ken</html>"), text: "answers what is not understood"},
		"an empty answer": {answer: write(""), text: "answers what is not understood"},
		"cut off":         {answer: write(`{"protected":tr`), text: "answers what is not understood"},
		"another type":    {answer: write(`{"protected":"yes"}`), text: "answers what is not understood"},
		"a list":          {answer: write(`[true]`), text: "answers what is not understood"},
		"deeply nested":   {answer: write(strings.Repeat("[", 100_000)), text: "answers what is not understood"},
		"too much":        {answer: endless, text: "answers too much"},
		"drips":           {answer: drip, text: "did not answer in time", short: true},
		"stands still":    {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, text: "did not answer in time", short: true},
		"hangs up":        {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, text: "hung up"},
		"no HTTP": {answer: func(w http.ResponseWriter, r *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			auth := r.Header.Get("Authorization")
			fmt.Fprintf(c, "%s %s t0ken t0k\r\n\r\n", auth, auth[len(auth)-6:])
		}, text: "does not speak HTTP"},
		"redirects":        {answer: redirect(other.URL), text: "redirects, which is not followed"},
		"redirects home":   {answer: redirect("https://api.github.com"), text: "redirects, which is not followed"},
		"redirects nohow":  {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) }, text: "redirects, which is not followed"},
		"no such status":   {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(799) }, text: "answers 799"},
		"another CA":       {with: func(o *Options) { o.CAFile = caFile(t, newAPIHost(t, "api.github.com").Certificate()) }, text: "no safe connection"},
		"no CA":            {with: func(o *Options) { o.CAFile = "" }, text: "no safe connection"},
		"no CA file":       {with: func(o *Options) { o.CAFile += ".gone" }, text: "CA file"},
		"nobody is there":  {with: func(o *Options) { o.dialTo = "127.0.0.1:1" }, text: "cannot be reached"},
		"another's name":   {with: func(o *Options) { o.dialTo = other.Listener.Addr().String() }, text: "no safe connection"},
		"bytes of nothing": {answer: write("\x00\xff\xfe"), text: "answers what is not understood"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newAPIHost(t, "api.github.com")
			h.before = tt.answer
			o := h.options("t0ken/w1th")
			if tt.with != nil {
				tt.with(&o)
			}
			ctx := t.Context()
			if tt.short {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
				defer cancel()
			}
			got := Protection(ctx, Remote{URL: "https://github.com/team/hooks", Branch: "main"}, o)
			if got.Kind != BranchUnknown || got.Host != "github.com" || !strings.Contains(got.Text, tt.text) {
				t.Errorf("%+v, want %s and %q", got, BranchUnknown, tt.text)
			}
			if strings.Contains(got.Text, "t0k") || strings.Contains(got.Text, "w1th") || strings.Contains(got.Text, "\n") {
				t.Errorf("%q holds the token, or more than a line", got.Text)
			}
			if len(elsewhere) > 0 {
				t.Errorf("went elsewhere: %q", elsewhere)
			}
		})
	}
}

// A real server on its own port, under its own certificate, found as a company's.
func TestProtectionOnAnotherPort(t *testing.T) {
	h := newAPIHost(t)
	h.answers = map[string]string{"/api/v1/version": `{"version":"1.22.3"}`, "/api/v1/repos/team/hooks/branches/main": `{"protected":true,"required_approvals":2}`}
	got := Protection(t.Context(), Remote{URL: h.URL + "/team/hooks.git", Branch: "main"}, Options{CAFile: h.ca})
	if want := (Evidence{"127.0.0.1", BranchProtected, "2 reviews required, more is shown to an administrator's token only"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// FuzzProtection gives each API's reader whatever a host may answer.
func FuzzProtection(f *testing.F) {
	for _, s := range []string{
		`{"protected":true,"required_approvals":-3,"effective_branch_protection_name":"ma*"}`, `[{"type":"pull_request","parameters":{"required_approving_review_count":1}}]`,
		`{"enforce_admins":{"enabled":true},"required_pull_request_reviews":{}}`, `{"version":"1","revision":"2","message":"401 Unauthorized"}`, `{`, `null`, `[]`, "\xff",
	} {
		f.Add(s, s, s, 200)
		f.Add(`{"protected":true,"required_approvals":1,"effective_branch_protection_name":"x"}`, s, s, 401)
	}
	f.Fuzz(func(t *testing.T, one, two, three string, code int) {
		answers := []string{one, two, three}
		q := func() *inquiry {
			n := 0
			return &inquiry{root: "https://x.test", token: "t", left: maxAnswers, at: address{scheme: "https", host: "x.test", port: "443"}, http: http.Client{Transport: answering(func(*http.Request) *http.Response {
				n++
				status := http.StatusOK
				if n%2 == 0 && code >= 100 && code < 1000 {
					status = code
				}
				return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answers[(n-1)%3]))}
			})}}
		}
		for _, api := range []hostAPI{github, gitlab, gitea} {
			p, err := api.ask(t.Context(), q(), "team/hooks", "main")
			if err == nil {
				checkLine(t, p.String())
			} else {
				checkLine(t, err.Error())
			}
			if k := p.kind(); err == nil && k != BranchProtected && k != BranchUnprotected {
				t.Errorf("kind %q", k)
			}
		}
		if _, err := q().protection(t.Context(), "team/hooks", "main"); err != nil {
			checkLine(t, err.Error())
		}
	})
}

type answering func(*http.Request) *http.Response

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// checkLine demands one short line of our own words.
func checkLine(t *testing.T, s string) {
	t.Helper()
	if s == "" || len(s) > 300 || strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' }) || strings.Contains(s, "-") && strings.Contains(s, " -") {
		t.Errorf("line %q", s)
	}
}

// The repository's path is taken apart as the transports do it.
func FuzzRepository(f *testing.F) {
	f.Add("https://h/a/b.git")
	f.Add("git@h:a/b")
	f.Add("ssh://git@h/~x/y")
	f.Add("https://h/%2e%2e/%2F")
	f.Fuzz(func(t *testing.T, raw string) {
		at, err := parseAddress(Remote{URL: raw, Branch: "main"})
		if err != nil {
			return
		}
		repo, err := repository(at)
		if err != nil {
			return
		}
		for _, p := range strings.Split(repo, "/") {
			if p == "" || p == "." || p == ".." {
				t.Errorf("%q gives %q", raw, repo)
			}
			if u, err := url.Parse("https://h/" + url.PathEscape(p)); err != nil || u.Path != "/"+p || u.RawQuery != "" {
				t.Errorf("%q does not come through as one piece", p)
			}
		}
	})
}
