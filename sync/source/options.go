package source

import (
	"path/filepath"
	"strings"
	"time"
)

// Bounds of what a server may take, unless [Options] say otherwise.
const (
	ConnectTimeout = 10 * time.Second // until a connection stands
	StallTimeout   = 30 * time.Second // each such span brings at least leastBytes
)

// Options say how a server is reached; a path or file:// needs none. The zero
// value reaches an https server that the system's roots vouch for, without a
// credential, and no ssh server, because it knows no host's key.
type Options struct {
	// CAFile holds certificates (PEM) that are trusted besides the system's.
	CAFile string
	// User and Token authenticate over https where the URL does not. They are
	// sent to the URL's host and to its API, and to no other.
	User, Token string

	// SSHDir is the user's ~/.ssh, where known_hosts and the keys id_ed25519,
	// id_ecdsa and id_rsa are looked for.
	SSHDir string
	// KnownHosts is read in place of SSHDir's known_hosts and the system's.
	KnownHosts string
	// Identity is a private key's file. No other key is offered then.
	Identity string
	// Agent is where an ssh-agent listens: a socket, on Windows a named pipe.
	Agent string

	// Connect and Stall replace [ConnectTimeout] and [StallTimeout].
	Connect, Stall time.Duration

	maxPack int64  // for tests
	dialTo  string // for tests: where every connection goes
}

// Environment is what the user's environment says: HOOKCTL_CA_FILE,
// HOOKCTL_GIT_USER, HOOKCTL_GIT_TOKEN, HOOKCTL_KNOWN_HOSTS, HOOKCTL_SSH_KEY,
// SSH_AUTH_SOCK, and HOME, on Windows USERPROFILE, for ~/.ssh.
func Environment(getenv func(string) string) Options {
	o := Options{
		CAFile:     getenv("HOOKCTL_CA_FILE"),
		User:       strings.TrimSpace(getenv("HOOKCTL_GIT_USER")),
		Token:      strings.TrimSpace(getenv("HOOKCTL_GIT_TOKEN")),
		KnownHosts: getenv("HOOKCTL_KNOWN_HOSTS"),
		Identity:   getenv("HOOKCTL_SSH_KEY"),
		Agent:      getenv("SSH_AUTH_SOCK"),
	}
	if home := getenv(homeVariable); home != "" {
		o.SSHDir = filepath.Join(home, ".ssh")
	}
	if o.Agent == "" {
		o.Agent = defaultAgent
	}
	return o
}

// String tells nothing of the token but whether there is one.
func (o Options) String() string {
	if o.Token == "" {
		return "options without a token"
	}
	return "options with a token"
}

// GoString is String: %#v would print the fields.
func (o Options) GoString() string { return o.String() }

// user is the name that goes with a token. Any would do for most hosts; GitHub
// wants this one with the tokens of its Apps, and GitLab and Gitea take it.
func (o Options) user() string {
	if o.User != "" {
		return o.User
	}
	return "x-access-token"
}

func (o Options) connect() time.Duration {
	if o.Connect > 0 {
		return o.Connect
	}
	return ConnectTimeout
}

func (o Options) stall() time.Duration {
	if o.Stall > 0 {
		return o.Stall
	}
	return StallTimeout
}

// credential is what an https server gets: the URL's own before the options'.
func (o Options) credential(a address) (user, token string) {
	switch {
	case a.password != "" || (a.user != "" && o.Token == ""):
		return a.user, a.password
	case o.Token == "":
		return "", ""
	case a.user != "":
		return a.user, o.Token
	}
	return o.user(), o.Token
}

func (o Options) packLimit() int64 {
	if o.maxPack > 0 {
		return o.maxPack
	}
	return MaxPack
}
