package manifests

import (
	"strings"
	"testing"
)

func TestBinaries(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	url := func(rest string) string {
		return "{url: 'https://example.com/hookctl', sha256: '" + sum + "', size: 20}" + rest
	}
	for name, tt := range map[string]struct{ entry, want string }{
		"path":                 {"linux/amd64: {path: bin/hookctl-linux-amd64}", ""},
		"url":                  {"darwin/arm64: " + url(""), ""},
		"a platform of later":  {"plan10/risc9: {path: bin/x}", ""},
		"no platform":          {"linux: {path: bin/x}", "want a system and a machine"},
		"odd platform":         {"linux/x86_64: {path: bin/x}", "want a system and a machine"},
		"upper case":           {"Linux/amd64: {path: bin/x}", "want a system and a machine"},
		"neither":              {"linux/amd64: {sha256: '" + sum + "'}", "want either path or url"},
		"both":                 {"linux/amd64: {path: bin/x, url: 'https://example.com/x'}", "want either path or url"},
		"up":                   {"linux/amd64: {path: ../x}", "plain path"},
		"absolute":             {"linux/amd64: {path: /bin/x}", "plain path"},
		"a dot":                {"linux/amd64: {path: bin/./x}", "plain path"},
		"a backslash":          {"linux/amd64: {path: 'bin\\x'}", "plain path"},
		"in hooks":             {"linux/amd64: {path: hooks/x}", "must not lie in hooks/"},
		"in gates":             {"linux/amd64: {path: Gates/x}", "must not lie in Gates/"},
		"the manifest":         {"linux/amd64: {path: hookctl.yaml}", "bundle's own file"},
		"the signature":        {"linux/amd64: {path: hookctl.lock.sig}", "bundle's own file"},
		"path with sum":        {"linux/amd64: {path: bin/x, sha256: '" + sum + "'}", "leave them out"},
		"no sum":               {"linux/amd64: {url: 'https://example.com/x', size: 3}", "64 lower-case hex digits"},
		"upper-case sum":       {"linux/amd64: {url: 'https://example.com/x', size: 3, sha256: '" + strings.ToUpper(sum) + "'}", "64 lower-case hex digits"},
		"no size":              {"linux/amd64: {url: 'https://example.com/x', sha256: '" + sum + "'}", "number of bytes"},
		"http":                 {"linux/amd64: {url: 'http://example.com/x', sha256: '" + sum + "', size: 3}", "want https://"},
		"file":                 {"linux/amd64: {url: 'file:///x', sha256: '" + sum + "', size: 3}", "want https://"},
		"a credential":         {"linux/amd64: {url: 'https://u:s3cret@example.com/x', sha256: '" + sum + "', size: 3}", "must hold no credential"},
		"a token as the query": {"linux/amd64: {url: 'https://example.com/x?token=s3cret', sha256: '" + sum + "', size: 3}", "may follow a ? or #"},
		"a fragment":           {"linux/amd64: {url: 'https://example.com/x#y', sha256: '" + sum + "', size: 3}", "may follow a ? or #"},
		"no file":              {"linux/amd64: {url: 'https://example.com/', sha256: '" + sum + "', size: 3}", "names no file"},
		"an unknown word":      {"linux/amd64: {path: bin/x, md5: a}", "unknown field"},
	} {
		_, err := ParseBundle([]byte("schema: 1\nname: x\nbinaries:\n  " + tt.entry + "\n"))
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		case err != nil && strings.Contains(err.Error(), "s3cret"):
			t.Errorf("%s: the error tells the credential: %v", name, err)
		}
	}
}
