package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ProtectionTimeout bounds all questions about one branch together.
const ProtectionTimeout = 5 * time.Second

// maxAnswers bounds the bytes of all answers about one branch together.
const maxAnswers = 1 << 20

// Evidence is what a source's host says about the protection of the branch. It is
// the host's word and nothing more: no part of what makes a release trusted.
type Evidence struct {
	Host string // the source's, "" when there is none
	Kind string // one of the four below
	Text string // one line, in our words: what the host said, or why nothing is known
}

// The kinds of [Evidence].
const (
	// BranchProtected: the host refuses force pushes to the branch, demands a
	// review, or keeps pushes to a few.
	BranchProtected = "protected"
	// BranchUnprotected: it does none of that, and says so.
	BranchUnprotected = "unprotected"
	// BranchUnknown: it did not say.
	BranchUnknown = "unknown"
	// NoneAsked: there is no host that could be asked.
	NoneAsked = "none asked"
)

// Protection asks the host of an https or ssh remote whether the branch is
// protected. Hosts of GitHub, GitLab and Codeberg are known by name, any other by
// what its API answers: see [hostAPI]. It never fails; what goes wrong makes the
// answer unknown, with the reason. It takes [ProtectionTimeout] at most, follows
// no redirect, and sends the token of an https address, or that of the options, to
// the API of the source's own host and nowhere else.
func Protection(ctx context.Context, r Remote, o Options) Evidence {
	at, err := parseAddress(r)
	if r.Host() == "" || err != nil {
		return Evidence{Kind: NoneAsked, Text: "the source is a folder, and no host keeps it"}
	}
	unknown := func(err error) Evidence {
		return Evidence{Host: at.host, Kind: BranchUnknown, Text: err.Error()}
	}
	repo, err := repository(at)
	if err != nil {
		return unknown(err)
	}
	base, err := o.transport()
	if err != nil {
		return unknown(err)
	}
	defer base.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, ProtectionTimeout)
	defer cancel()
	q := &inquiry{at: at, token: apiToken(at, o), secrets: secretsOf(r, o), left: maxAnswers, http: http.Client{
		Transport:     base,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	p, err := q.protection(ctx, repo, r.Branch)
	if err != nil {
		return unknown(err)
	}
	return Evidence{Host: at.host, Kind: p.kind(), Text: p.String()}
}

// repository is the path of a repository as hosts write it: "owner/name", with
// GitLab also "group/subgroup/name".
func repository(at address) (string, error) {
	path := at.path
	if at.scheme == "https" {
		plain, err := url.PathUnescape(path)
		if err != nil {
			return "", errors.New("the path is not that of a repository of a host")
		}
		path = plain
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	parts := strings.Split(path, "/")
	for _, p := range parts {
		if len(parts) < 2 || p == "" || p == "." || p == ".." || strings.HasPrefix(p, "~") {
			return "", errors.New("the path is not that of a repository of a host")
		}
	}
	return path, nil
}

// apiToken is the token for the host's API: the password of an https address, or
// its user where that stands alone, else the options'. A user's name is not sent.
func apiToken(at address, o Options) string {
	user, token := "", o.Token
	if at.scheme == "https" {
		user, token = o.credential(at)
	}
	if token == "" {
		token = user
	}
	return token
}

// inquiry is one conversation with the API of one host.
type inquiry struct {
	http    http.Client
	at      address
	root    string // of the API, without a slash at the end
	token   string
	secrets secrets
	left    int64 // bytes that are still taken
}

func (q *inquiry) protection(ctx context.Context, repo, branch string) (protection, error) {
	api, err := q.recognise(ctx)
	if err != nil {
		return protection{}, err
	}
	q.root = api.root(q.web())
	return api.ask(ctx, q, repo, url.PathEscape(branch))
}

// web is where the host serves https. That of an ssh remote is the host's usual
// port: the number in its address is ssh's.
func (q *inquiry) web() string {
	host := webHost(q.at.host)
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if q.at.scheme == "https" && q.at.port != "443" {
		host += ":" + q.at.port
	}
	return host
}

// reply is an answer that is not the one that was hoped for.
type reply struct {
	status int
	sent   bool // with a token
	body   []byte
}

func (r *reply) Error() string {
	switch r.status {
	case http.StatusUnauthorized:
		if r.sent {
			return "the host's API does not accept the token"
		}
		return "the host's API wants a token, and there is none (HOOKCTL_GIT_TOKEN)"
	case http.StatusForbidden, http.StatusTooManyRequests:
		return fmt.Sprintf("the host's API answers %d: no access, or too many questions", r.status)
	case http.StatusNotFound:
		return "the host's API knows no such repository and branch, or hides it from whom it does not know"
	}
	if r.status >= 300 && r.status < 400 {
		return "the host's API redirects, which is not followed; has the repository moved?"
	}
	return strings.TrimSpace(fmt.Sprintf("the host's API answers %d %s", r.status, http.StatusText(r.status)))
}

// status is that of a [reply], 0 for any other error and for none.
func status(err error) int {
	if r, ok := errors.AsType[*reply](err); ok {
		return r.status
	}
	return 0
}

// get asks the API for path and reads its JSON into v.
func (q *inquiry) get(ctx context.Context, path string, v any) error {
	body, err := q.fetch(ctx, path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return errNoJSON
	}
	return nil
}

// detail reads what only an administrator's token may read, if ours is one.
func (q *inquiry) detail(ctx context.Context, path string, v any) bool {
	return q.token != "" && q.get(ctx, path, v) == nil
}

// errNoJSON says that a web page or the like came; err of package json may quote it.
var errNoJSON = errors.New("the host's API answers what is not understood")

func (q *inquiry) fetch(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, q.root+path, http.NoBody)
	if err != nil {
		return nil, errors.New("the address of the host's API cannot be written")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "hookctl") // GitHub refuses who has no name
	if q.token != "" {
		req.Header.Set("Authorization", "Bearer "+q.token)
	}
	res, err := q.http.Do(req)
	if err != nil {
		return nil, q.failed(ctx, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, q.left+1))
	if err != nil {
		return nil, q.failed(ctx, err)
	}
	if q.left -= int64(len(body)); q.left < 0 {
		return nil, errors.New("the host's API answers too much")
	}
	if res.StatusCode != http.StatusOK {
		return nil, &reply{status: res.StatusCode, sent: q.token != "", body: body}
	}
	return body, nil
}

// failed words why there is no answer.
func (q *inquiry) failed(ctx context.Context, err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err // without the address
	}
	if ctx.Err() != nil {
		return errors.New("the host's API did not answer in time")
	}
	switch why := tidy(q.secrets.out(err.Error())); {
	case isTLS(err):
		return fmt.Errorf("no safe connection to the host's API: %s", why)
	case isDial(err):
		return fmt.Errorf("the host's API cannot be reached: %s", why)
	}
	// The error may quote the host, which knows the token and may have cut it up.
	return errors.New("the host's API hung up, or does not speak HTTP")
}
