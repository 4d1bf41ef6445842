package manifests

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://api.example.com":                "api.example.com",
		"https://api.example.com:8443/v1/x_y~z.": "api.example.com:8443",
		"https://10.0.0.1/v1":                    "10.0.0.1",
		"https://[2001:db8::1]:443/v1":           "[2001:db8::1]:443",
		"http://localhost:11434/v1":              "localhost:11434",
		"http://127.0.0.1:1":                     "127.0.0.1:1",
		"http://[::1]:1/v1":                      "[::1]:1",
	} {
		if got, err := hostOf(address); got != want || err != nil {
			t.Errorf("%s: %s, %v", address, got, err)
		}
	}
	for _, bad := range []string{
		"", "api.example.com", "https://", "https:///v1", "https://:443", "https://h:", "https://h:x", "https://a:b:c", "https://[::1", "https://::1]",
		"https://[]", "https://[g::]", "https://h/a b", "https://h/%2e", "https://h\\@evil", "https://h\n", "https://exämple.com", "HTTPS://h", "ftp://h",
		"https://u@h", "https://h#x", "https://h?x", "http://h", "http://127.0.0.1.evil", "http://127.0.0.", "http://127.0.0.00", "http://127.0.0.256", "http://127.0.0.1.", "http://localhost.evil", "http://[::ffff:127.0.0.1]",
	} {
		if got, err := hostOf(bad); err == nil {
			t.Errorf("%q: %s", bad, got)
		}
	}
}

func TestBinaryURL(t *testing.T) {
	for s, good := range map[string]bool{
		"https://example.com/x": true, "https://example.com:8443/a%20b/v1.0+x@2": true, "https://[::1]/x": true,
		"https://example.com/%": false, "https://example.com/%2": false, "https://example.com/%zz": false, "https://exam ple.com/x": false,
		"https://u@example.com/x": false, "HTTPS://example.com/x": false, "https:/example.com/x": false, "https://example.com": false, "https://:1/x": false,
		"https://example.com\\@evil.com/x": false, "https://example.com/x y": false,
	} {
		if err := CheckBinaryURL(s); (err == nil) != good {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// Whoever sends takes an address that is good here for the same.
func FuzzHostOf(f *testing.F) {
	for _, s := range []string{"https://api.example.com:8443/v1", "http://[::1]:1", "http://127.0.0.1:1/x", "https://u@h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if CheckBinaryURL(address) == nil {
			_, host, _ := splitAddress(address)
			if u, err := url.Parse(address); err != nil && !strings.HasPrefix(host, "[") || err == nil && (u.Host != host || u.User != nil || u.Scheme != "https") {
				t.Fatalf("%q: %+v, %v", address, u, err)
			}
		}
		host, err := hostOf(address)
		if err != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil {
			if strings.HasPrefix(host, "[") {
				return // not every number in brackets is one
			}
			t.Fatalf("%q: %v", address, err)
		}
		ip, err := netip.ParseAddr(u.Hostname())
		own := u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
		if u.Host != host || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !own) {
			t.Fatalf("%q: host %q, and url.Parse reads %+v", address, host, u)
		}
	})
}
