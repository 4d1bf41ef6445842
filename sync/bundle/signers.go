package bundle

import (
	"bytes"
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/ssh"
)

const (
	maxSigners     = 1 << 20 // bytes
	maxSignersRows = 10_000
)

// Signers is a list of keys that may vouch for a lock, as OpenSSH writes it
// (ssh-keygen(1), ALLOWED SIGNERS). The zero value allows nobody.
type Signers struct{ list []Signer }

// Signer is one line of the list.
type Signer struct {
	Principals  []string // patterns; they name who vouched and decide nothing
	Key         ssh.PublicKey
	Namespaces  []string  // patterns; empty = every one
	ValidAfter  time.Time // zero = always
	ValidBefore time.Time // zero = always
	Line        int
}

// Fingerprint is the key's, as ssh-keygen -l shows it.
func (s Signer) Fingerprint() string { return ssh.FingerprintSHA256(s.Key) }

// List is every line, in order.
func (s Signers) List() []Signer { return slices.Clone(s.list) }

// why tells what keeps the line from vouching now, "" if nothing does.
func (s Signer) why(now time.Time) string {
	switch {
	case len(s.Namespaces) > 0 && !matchList(s.Namespaces, Namespace):
		return "the key is not allowed for namespace " + Namespace
	case !s.ValidAfter.IsZero() && now.Before(s.ValidAfter):
		return "the key is not valid before " + s.ValidAfter.Format(time.RFC3339)
	case !s.ValidBefore.IsZero() && !now.Before(s.ValidBefore):
		return "the key was valid until " + s.ValidBefore.Format(time.RFC3339)
	}
	return ""
}

// vouch finds the line that lets key vouch now; else it tells why none does.
func (s Signers) vouch(key ssh.PublicKey, now time.Time) (Signer, string) {
	why := "the key is not an allowed signer"
	for _, line := range s.list {
		if !sameKey(line.Key, key) {
			continue
		}
		if why = line.why(now); why == "" {
			return line, ""
		}
	}
	return Signer{}, why
}

// ParseSigners reads a list of allowed signers. It is stricter than OpenSSH: a
// line that it does not understand is a [SignersError] and not passed over, and
// cert-authority is a [CertAuthorityError]. A time without Z is local, as there.
func ParseSigners(b []byte) (Signers, error) {
	if len(b) > maxSigners {
		return Signers{}, &LimitError{What: "bytes of allowed signers", Limit: maxSigners, Got: int64(len(b))}
	}
	if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
		return Signers{}, &SignersError{Why: "not a text"}
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var out Signers
	n := 0
	for line := range strings.Lines(string(b)) {
		n++
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if n > maxSignersRows {
			return Signers{}, &LimitError{What: "lines of allowed signers", Limit: maxSignersRows, Got: int64(n)}
		}
		s, err := parseSigner(line, n)
		if err != nil {
			return Signers{}, err
		}
		out.list = append(out.list, s)
	}
	if len(out.list) == 0 {
		return Signers{}, &SignersError{Why: "no key"}
	}
	return out, nil
}

func parseSigner(line string, n int) (Signer, error) {
	bad := func(format string, a ...any) error {
		return &SignersError{Line: n, Why: fmt.Sprintf(format, a...)}
	}
	s := Signer{Line: n}
	principals, rest, ok := field(line)
	if !ok {
		return s, bad("a quote that does not end")
	}
	if q, isQuoted := strings.CutPrefix(principals, `"`); isQuoted {
		if principals, isQuoted = strings.CutSuffix(q, `"`); !isQuoted {
			return s, bad("principals %q", q)
		}
	}
	for p := range strings.SplitSeq(principals, ",") {
		if p == "" || strings.ContainsAny(p, "\"\r") {
			return s, bad("principals %q", principals)
		}
		s.Principals = append(s.Principals, p)
	}
	word, rest2, ok := field(rest)
	if !ok {
		return s, bad("a quote that does not end")
	}
	if !isKeyType(word) {
		if err := s.options(word, n); err != nil {
			return s, err
		}
		if word, rest2, ok = field(rest2); !ok || !isKeyType(word) {
			return s, bad("key type %q", word)
		}
	}
	data, _, _ := field(rest2) // and then a comment
	raw, err := base64.StdEncoding.Strict().DecodeString(data)
	if err != nil || data == "" || strings.Contains(data, "\r") {
		return s, bad("the key is not base64")
	}
	if s.Key, err = ssh.ParsePublicKey(raw); err != nil {
		return s, bad("the key cannot be read")
	}
	if s.Key.Type() != word {
		return s, bad("key type %q, the key says %q", word, s.Key.Type())
	}
	if why := weak(s.Key); why != "" {
		return s, bad("%s", why)
	}
	return s, nil
}

// field cuts the first word off a line. White space inside double quotes does not
// end it.
func field(line string) (word, rest string, ok bool) {
	line = strings.TrimLeft(line, " \t")
	quoted := false
	for i := range len(line) {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case (c == ' ' || c == '\t') && !quoted:
			return line[:i], strings.TrimLeft(line[i:], " \t"), true
		}
	}
	return line, "", !quoted
}

// isKeyType tells a key's type from a list of options. Certificates are none:
// they would need an authority.
func isKeyType(word string) bool {
	switch word {
	case ssh.KeyAlgoED25519, ssh.KeyAlgoRSA, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521,
		ssh.KeyAlgoSKED25519, ssh.KeyAlgoSKECDSA256:
		return true
	}
	return false
}

func weak(k ssh.PublicKey) string {
	if !isKeyType(k.Type()) {
		return "keys of type " + k.Type() + " are not supported"
	}
	c, ok := k.(ssh.CryptoPublicKey)
	if !ok {
		return ""
	}
	if r, ok := c.CryptoPublicKey().(*rsa.PublicKey); ok && r.N.BitLen() < 2048 {
		return fmt.Sprintf("an RSA key of %d bits, want 2048 or more", r.N.BitLen())
	}
	return ""
}

// options reads the comma-separated list between principals and key.
func (s *Signer) options(list string, n int) error {
	seen := map[string]bool{}
	for list != "" {
		var opt string
		opt, list = cutOption(list)
		name, value, hasValue := strings.Cut(opt, "=")
		name = strings.ToLower(name)
		if name == "cert-authority" {
			return &CertAuthorityError{Line: n}
		}
		bad := func(why string) error { return &SignersError{Line: n, Why: fmt.Sprintf("option %q: %s", opt, why)} }
		if seen[name] {
			return bad("twice")
		}
		seen[name] = true
		if name != "namespaces" && name != "valid-after" && name != "valid-before" {
			return bad("unknown")
		}
		if !hasValue || len(value) < 3 || value[0] != '"' || value[len(value)-1] != '"' || strings.Contains(value[1:len(value)-1], `"`) {
			return bad(`want a value in quotes`)
		}
		value = value[1 : len(value)-1]
		var err error
		switch name {
		case "namespaces":
			s.Namespaces = strings.Split(value, ",")
			if slices.Contains(s.Namespaces, "") {
				return bad("an empty one")
			}
		case "valid-after":
			s.ValidAfter, err = keyTime(value)
		case "valid-before":
			s.ValidBefore, err = keyTime(value)
		}
		if err != nil {
			return bad("want YYYYMMDD[HHMM[SS]][Z]")
		}
	}
	if !s.ValidAfter.IsZero() && !s.ValidBefore.IsZero() && !s.ValidAfter.Before(s.ValidBefore) {
		return &SignersError{Line: n, Why: "valid-before is not after valid-after"}
	}
	return nil
}

// cutOption cuts at the first comma outside quotes.
func cutOption(list string) (opt, rest string) {
	quoted := false
	for i := range len(list) {
		switch c := list[i]; {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return list[:i], list[i+1:]
		}
	}
	return list, ""
}

func keyTime(s string) (time.Time, error) {
	zone := time.Local
	if z, ok := strings.CutSuffix(s, "Z"); ok {
		s, zone = z, time.UTC
	}
	layout := map[int]string{8: "20060102", 12: "200601021504", 14: "20060102150405"}[len(s)]
	if layout == "" {
		return time.Time{}, fmt.Errorf("time %q", s)
	}
	return time.ParseInLocation(layout, s, zone)
}

// matchList applies a pattern list of OpenSSH (ssh_config(5), PATTERNS): one
// pattern must match and no negated one may.
func matchList(patterns []string, s string) bool {
	found := false
	for _, p := range patterns {
		if neg, ok := strings.CutPrefix(p, "!"); ok {
			if matchGlob(neg, s) {
				return false
			}
			continue
		}
		found = found || matchGlob(p, s)
	}
	return found
}

// matchGlob knows * and ?. It goes back to the last * only, so that its time is
// bounded by the product of the lengths.
func matchGlob(p, s string) bool {
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(p[i:], "*") == ""
}
