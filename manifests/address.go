package manifests

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Addresses are read here without net/url: the hook reads config.yaml, and would
// wait for what that package initialises. Taken is only what is made of characters
// that every reader of addresses takes for the same, so that no spelling sends a
// key, or a download, elsewhere.

// splitAddress cuts an address at its first "://" and the "/" after the host.
func splitAddress(s string) (scheme, host, path string) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return "", "", s
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return scheme, rest[:i], rest[i:]
	}
	return scheme, rest, ""
}

// hostOf gives the host of a service's address, with its port, and refuses what
// cannot be meant.
func hostOf(address string) (host string, err error) {
	scheme, host, path := splitAddress(address)
	name, good := hostname(host)
	switch {
	case strings.Contains(host, "@"):
		return "", errors.New("must hold no credential: name a key_env or a key_file")
	case strings.ContainsAny(address, "?#"):
		return "", errors.New("must hold no query")
	case scheme != "https" && scheme != "http" || !good || !made(path, letters+digits+"-._~/"):
		return "", errors.New("want https://HOST/PATH, or http://127.0.0.1:PORT/PATH for this machine")
	case scheme == "http" && !loopback(name):
		return "", fmt.Errorf("plain http is for this machine only: %s wants https", name)
	}
	return host, nil
}

const (
	digits    = "0123456789"
	hexDigits = digits + "abcdefABCDEF"
	letters   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// hostname gives the name, or the number, IPv6 in brackets, of a host with or
// without a port.
func hostname(host string) (name string, good bool) {
	name = host
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		port := host[i+1:]
		if name = host[:i]; port == "" || !made(port, digits) {
			return "", false
		}
	}
	if inner, ok := strings.CutPrefix(name, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		return name, ok && inner != "" && made(inner, hexDigits+":.")
	}
	return name, name != "" && made(name, letters+digits+"-._")
}

func loopback(name string) bool {
	last, ok := strings.CutPrefix(name, "127.0.0.")
	n, err := strconv.ParseUint(last, 10, 8)
	return name == "localhost" || name == "[::1]" || ok && err == nil && strconv.FormatUint(n, 10) == last
}

// made reports whether s has no other characters than these.
func made(s, of string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune(of, r) }) < 0
}
