package source

import (
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Remote names a branch of a Git remote. Printed with any verb it shows no
// password and no token; only its URL field holds them.
type Remote struct {
	URL    string // a path, or file://, https:// or ssh:// (also user@host:path)
	Branch string // short: "main"
}

// Safe is the URL without what may be secret: the whole user part of an https
// address, whose user may be a token too, the password of an ssh address, and
// what follows a ? or #. It is what may be shown, logged and stored.
func (r Remote) Safe() string {
	scheme, rest, ok := strings.Cut(r.URL, "://")
	switch {
	case !ok && schemeForgotten().MatchString(r.URL):
		return r.URL[strings.LastIndexByte(r.URL, '@')+1:]
	case !ok, strings.EqualFold(scheme, "file") && strings.HasPrefix(rest, "/"):
		return r.URL
	}
	at := strings.LastIndexByte(rest, '@') // the last: a password may hold one
	user, _, _ := strings.Cut(rest, "@")
	if at >= 0 && (!strings.EqualFold(scheme, "ssh") || strings.ContainsAny(user, ":/?#")) {
		rest = rest[at+1:]
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest
}

// String is Safe and the branch.
func (r Remote) String() string { return r.Safe() + " " + r.Branch }

// GoString is String: %#v would print the fields.
func (r Remote) GoString() string { return r.String() }

// Host is the server that the URL names, "" for a folder.
func (r Remote) Host() string {
	if _, local, err := localPath(r); err != nil || local {
		return ""
	}
	at, err := parseAddress(r)
	if err != nil {
		return ""
	}
	return at.host
}

// Credential is the user and the password or token in an https URL; both are
// empty when there are none.
func (r Remote) Credential() (user, token string) {
	u, err := url.Parse(r.URL)
	if err != nil || u.User == nil || u.Scheme != "https" {
		return "", ""
	}
	token, _ = u.User.Password()
	return u.User.Username(), token
}

// Redact takes what is secret in the URL out of err's text. What [FetchWith]
// returns needs no Redact; it is for an error that a caller makes with the URL
// in hand. errors.Is and errors.As go on seeing err.
func (r Remote) Redact(err error) error {
	if err == nil {
		return nil
	}
	s := secretsOf(r, Options{})
	text := err.Error()
	if r.URL != r.Safe() {
		text = strings.ReplaceAll(text, r.URL, r.Safe())
	}
	if text = s.out(text); text == err.Error() {
		return err
	}
	return &redactedError{text, err}
}

type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string        { return e.text }
func (e *redactedError) Is(target error) bool { return errors.Is(e.err, target) }
func (e *redactedError) As(target any) bool   { return errors.As(e.err, target) }

// schemeForgotten matches "user:token@host/path": no path looks so, and a token
// must not be taken for one and shown.
var schemeForgotten = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^/\\@:]+:[^/\\:].*@`)
})

var scpLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z0-9_.-]+)@([A-Za-z0-9.-]+):(.+)$`)
})

// address is a Git server's, taken apart.
type address struct {
	scheme         string // "https" or "ssh"
	user, password string
	host, port     string // a name or an IP address without brackets; the port is always set
	path           string // https: escaped, with a slash in front; ssh: as the server's shell gets it
}

func parseAddress(r Remote) (address, error) {
	bad := func(why string) (address, error) { return address{}, &URLError{URL: r.Safe(), Why: why} }
	var a address
	if m := scpLike().FindStringSubmatch(r.URL); m != nil && !strings.Contains(r.URL, "://") {
		a = address{scheme: "ssh", user: m[1], host: strings.ToLower(m[2]), port: "22", path: m[3]}
	} else {
		u, err := url.Parse(r.URL)
		if err != nil {
			return bad("not understood") // err quotes the whole URL
		}
		a = address{scheme: u.Scheme, user: u.User.Username(), host: strings.ToLower(u.Hostname()), port: u.Port(), path: u.Path}
		a.password, _ = u.User.Password()
		switch {
		case u.Scheme != "https" && u.Scheme != "ssh":
			return bad("want a path, file://, https:// or ssh://")
		case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
			return bad("nothing may follow a ? or #")
		}
		if u.Scheme == "https" {
			a.path = strings.TrimRight(u.EscapedPath(), "/")
		} else if strings.HasPrefix(a.path, "/~") {
			a.path = a.path[1:] // the server's shell finds that home
		}
		if a.port == "" {
			a.port = map[string]string{"https": "443", "ssh": "22"}[u.Scheme]
		}
	}
	port, err := strconv.ParseUint(a.port, 10, 16)
	switch {
	case a.host == "" || strings.ContainsAny(a.host, "/@ %"):
		return bad("names no host")
	case err != nil || port == 0:
		return bad("the port is no number from 1 to 65535")
	case strings.Trim(a.path, "/") == "":
		return bad("names no repository")
	case a.scheme == "https" && strings.Contains(a.path, "@"):
		return bad("an @ behind the host's name is written %40; so is one in a password")
	case a.scheme == "ssh" && a.user == "":
		return bad("names no user; want ssh://git@host/…")
	case a.scheme == "ssh" && a.password != "":
		return bad("a password is not used with ssh; keys are")
	case strings.HasPrefix(a.path, "-") || strings.ContainsFunc(a.path, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return bad("the path would not reach the server as it stands")
	}
	return a, nil
}

// secrets are words that no text may hold, longest first.
type secrets []string

func secretsOf(r Remote, o Options) secrets {
	var s secrets
	add := func(user, token string) {
		if token == "" && user != "" {
			user, token = "", user // a token in the place of the user
			s = append(s, base64.StdEncoding.EncodeToString([]byte(token+":")))
		}
		if token == "" {
			return
		}
		pair := base64.StdEncoding.EncodeToString([]byte(user + ":" + token))
		s = append(s, token, pair, url.QueryEscape(token), url.PathEscape(token), url.UserPassword("", token).String()[1:])
	}
	if _, rest, ok := strings.Cut(r.URL, "://"); ok && !strings.HasPrefix(rest, "/") {
		// As it is written, for what does not parse.
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			user, pass, _ := strings.Cut(rest[:at], ":")
			if pass != "" || strings.HasPrefix(r.URL, "https:") {
				add(user, pass)
			}
		}
	}
	add(r.Credential())
	if o.Token != "" {
		user, _ := r.Credential()
		add(user, o.Token)
		add(o.user(), o.Token)
	}
	slices.SortFunc(s, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(s)
}

func (s secrets) out(text string) string {
	for _, word := range s {
		text = strings.ReplaceAll(text, word, "[redacted]")
	}
	return text
}
