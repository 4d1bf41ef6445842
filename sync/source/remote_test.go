package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
)

func TestSafe(t *testing.T) {
	for raw, want := range map[string]string{
		"https://host/x.git":                    "https://host/x.git",
		"https://u:hunter2@host/x.git":          "https://host/x.git",
		"https://hunter2@host:8443/x.git":       "https://host:8443/x.git",
		"https://u:hunter2/hunter2@host/x":      "https://host/x",
		"https://u:hunter2@hunter2@host/x":      "https://host/x",
		"https://u:hunter2?hunter2#@host/x":     "https://host/x",
		"https://u:12/hunter2@host/x":           "https://host/x",
		"https://host/x?token=hunter2":          "https://host/x",
		"https://host/x#hunter2":                "https://host/x",
		"HTTPS://u:hunter2@host/x":              "HTTPS://host/x",
		"http://u:hunter2@host/x":               "http://host/x",
		"u:hunter2@host/x":                      "host/x",
		"ssh://git@host/x":                      "ssh://git@host/x",
		"ssh://git@host:22/a@b":                 "ssh://git@host:22/a@b",
		"ssh://git:hunter2@host/x":              "ssh://host/x",
		"git@host:team/hooks.git":               "git@host:team/hooks.git",
		"/home/me/a@b:c":                        "/home/me/a@b:c",
		"file:///home/me/a@b":                   "file:///home/me/a@b",
		`C:\me\a@b`:                             `C:\me\a@b`,
		"../hooks":                              "../hooks",
		"":                                      "",
		"https://u:hunter2@host/x%zz?hunter2#@": "https://",
	} {
		r := Remote{URL: raw, Branch: "main"}
		if got := r.Safe(); got != want {
			t.Errorf("Safe(%q) = %q, want %q", raw, got, want)
		}
		_, err := parseAddress(r)
		_, _, err2 := localPath(r)
		for _, text := range []string{fmt.Sprint(r), fmt.Sprintf("%#v %+v", r, &r), fmt.Sprint(err), fmt.Sprint(err2)} {
			if strings.Contains(text, "hunter2") {
				t.Errorf("%q tells the secret in %q", text, raw)
			}
		}
	}
}

func TestParseAddress(t *testing.T) {
	for raw, want := range map[string]string{
		"https://u:p%40x@HOST/a%20b/":   "https u p@x host 443 /a%20b",
		"https://[::1]:8443/x":          "https   ::1 8443 /x",
		"ssh://git@host/a%20b.git":      "ssh git  host 22 /a b.git",
		"ssh://git@host:2222/~me/x":     "ssh git  host 2222 ~me/x",
		"git@host:22/x":                 "ssh git  host 22 22/x",
		"git@host:~/x":                  "ssh git  host 22 ~/x",
		"git@host:":                     "",
		"https://host:0/x":              "",
		"https://host:99999/x":          "",
		"ssh://git@host/a%0ab":          "",
		"ssh://git@host":                "",
		"git://host/x":                  "",
		"ssh://-oProxyCommand=x@host/x": "ssh -oProxyCommand=x  host 22 /x", // no program is given it
	} {
		a, err := parseAddress(Remote{URL: raw})
		got := strings.Join([]string{a.scheme, a.user, a.password, a.host, a.port, a.path}, " ")
		if err == nil && got != want || err != nil && want != "" {
			t.Errorf("parseAddress(%q) = %q, %v, want %q", raw, got, err, want)
		}
		if err != nil && !is[*URLError](err) {
			t.Errorf("parseAddress(%q): %T", raw, err)
		}
	}
}

func TestRedact(t *testing.T) {
	r := Remote{URL: "https://bot:hun%2Fter2@host/x"}
	inner := &fs.PathError{Op: "get", Path: r.URL + " hun/ter2 Ym90Omh1bi90ZXIy", Err: fs.ErrNotExist}
	err := r.Redact(fmt.Errorf("outer: %w", inner))
	if want := "outer: get https://host/x [redacted] [redacted]: file does not exist"; err.Error() != want {
		t.Errorf("Redact = %q, want %q", err, want)
	}
	if _, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, fs.ErrNotExist) {
		t.Error("the error behind it cannot be seen")
	}
	if plain := errors.New("plain"); r.Redact(plain) != plain || //nolint:errorlint // the very same
		r.Redact(nil) != nil {
		t.Error("an error without a secret was changed")
	}
	if user, token := r.Credential(); user != "bot" || token != "hun/ter2" {
		t.Errorf("Credential = %q, %q", user, token)
	}
}

func TestEnvironment(t *testing.T) {
	env := map[string]string{
		homeVariable: "home", "HOOKCTL_CA_FILE": "ca", "HOOKCTL_GIT_USER": "me", "HOOKCTL_GIT_TOKEN": " hunter2\n",
		"HOOKCTL_KNOWN_HOSTS": "kh", "HOOKCTL_SSH_KEY": "key", "SSH_AUTH_SOCK": "sock",
	}
	want := Options{CAFile: "ca", User: "me", Token: "hunter2", SSHDir: filepath.Join("home", ".ssh"), KnownHosts: "kh", Identity: "key", Agent: "sock"}
	got := Environment(func(name string) string { return env[name] })
	if got != want {
		t.Errorf("Environment does not take all there is: %q", []string{got.CAFile, got.User, got.SSHDir, got.KnownHosts, got.Identity, got.Agent})
	}
	if (Options{Agent: defaultAgent}) != Environment(func(string) string { return "" }) {
		t.Error("Environment of nothing is not the zero value")
	}
	if b, _ := json.Marshal(Options{}); strings.Contains(string(b), "hunter2") {
		t.Error("marshalled")
	}
}

// Which of two credentials is sent.
func TestCredential(t *testing.T) {
	o := Options{User: "envuser", Token: "envtoken"}
	for _, tt := range []struct {
		url, want string
		o         Options
	}{
		{"https://host/x", "envuser envtoken", o},
		{"https://host/x", "x-access-token envtoken", Options{Token: "envtoken"}},
		{"https://host/x", " ", Options{User: "envuser"}},
		{"https://u@host/x", "u envtoken", o},
		{"https://u:p@host/x", "u p", o},
		{"https://token@host/x", "token ", Options{}},
	} {
		a, err := parseAddress(Remote{URL: tt.url})
		must(t, err)
		if user, token := tt.o.credential(a); user+" "+token != tt.want {
			t.Errorf("%s: %q, want %q", tt.url, user+" "+token, tt.want)
		}
	}
}

func TestTidy(t *testing.T) {
	if got := tidy("\x1b[31mERROR:\r\n  no\u202e\xff"); got != "[31mERROR: no?" {
		t.Errorf("tidy = %q", got)
	}
	if got := tidy(strings.Repeat("長い", 200)); len(got) > 310 {
		t.Errorf("tidy left %d bytes", len(got))
	}
}

// Whatever a library says, on whatever way, its words are cleaned.
func TestReportIsDiscreet(t *testing.T) {
	r := Remote{URL: "ssh://git@host/x", Branch: "main"}
	o := Options{User: "bot", Token: "hun/ter2"}
	w, err := dial(r, o)
	must(t, err)
	for _, err := range []error{
		errors.New("said hun/ter2 and hun%2Fter2\n\x1b[31m Ym90Omh1bi90ZXIy"),
		&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("via hun/ter2")},
		fmt.Errorf("hun/ter2: %w", io.ErrUnexpectedEOF),
		fmt.Errorf("hun/ter2: %w", transport.ErrAuthenticationRequired),
		fmt.Errorf("hun/ter2: %w", context.DeadlineExceeded),
	} {
		for text := range texts(r, o, w.(*remoteWire).report(err)) {
			if strings.Contains(text, "ter2") || strings.Contains(text, "Ym90") || strings.ContainsAny(text, "\n\x1b") {
				t.Errorf("tells %q", text)
			}
		}
	}
}

// An idle connection is not a slow one.
func TestSteadyConnAfterAPause(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	w := newWeb(t, src)
	o := w.options()
	o.Stall = time.Second
	wire, err := dial(Remote{URL: w.addr(""), Branch: "main"}, o)
	must(t, err)
	defer wire.close()
	h, err := wire.head(t.Context())
	must(t, err)
	time.Sleep(o.Stall + o.Stall/2)
	pack, err := wire.pack(t.Context(), h, nil)
	must(t, err)
	must(t, pack.Close())
}

func FuzzRemote(f *testing.F) {
	for _, s := range []string{"https://u:p@h/x", "git@h:x", "u:p@h/x", "ssh://u@h:1/x", "https://[::1]/%zz", "file:///x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r := Remote{URL: raw}
		_ = r.Safe()
		a, err := parseAddress(r)
		if err != nil {
			return
		}
		if a.host == "" || a.path == "" || a.port == "" || strings.ContainsAny(a.path, "\x00\n") {
			t.Errorf("%q gives %+v", raw, a)
		}
		if a.scheme == "https" && strings.Contains(r.Safe(), "@") || a.scheme == "ssh" && a.password != "" {
			t.Errorf("%q shows as %q", raw, r.Safe())
		}
		if back, err := parseAddress(Remote{URL: r.Safe()}); err != nil || back.host != a.host || back.path != a.path {
			t.Errorf("%q shows as %q, which is another place: %+v, %v", raw, r.Safe(), back, err)
		}
	})
}
