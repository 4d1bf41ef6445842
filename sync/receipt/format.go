package receipt

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// maxReceipt bounds a receipt in bytes. The files of the largest bundle need less.
const maxReceipt = 32 << 20

// FormatError says that bytes are no receipt.
type FormatError struct{ Err error }

func (e *FormatError) Error() string { return "not a receipt: " + e.Err.Error() }
func (e *FormatError) Unwrap() error { return e.Err }

// SchemaError says that a receipt was written by a hookctl that knows more.
type SchemaError struct{ Schema int }

func (e *SchemaError) Error() string {
	return fmt.Sprintf("the receipt has schema %d, this hookctl knows %d: a newer hookctl wrote it", e.Schema, Schema)
}

// Parse reads a receipt and asks nothing of its signature. It takes no unknown,
// repeated or oddly spelled name, so that no two readers see two things, and
// values of the agreed form only. Errors: [FormatError], [SchemaError].
func Parse(b []byte) (Receipt, error) {
	bad := func(err error) (Receipt, error) { return Receipt{}, &FormatError{err} }
	if len(b) > maxReceipt {
		return bad(fmt.Errorf("%d bytes, limit %d", len(b), maxReceipt))
	}
	if err := exactNames(b); err != nil {
		return bad(err)
	}
	var v struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return bad(err)
	}
	if v.Schema > Schema {
		return Receipt{}, &SchemaError{v.Schema}
	}
	var r Receipt
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return bad(err)
	}
	if err := r.check(); err != nil {
		return bad(err)
	}
	return r, nil
}

// exactNames wants an object and every name in it once, spelled as the format
// spells it: encoding/json would take the last of two, and any case.
func exactNames(b []byte) error {
	type level struct {
		seen  map[string]bool // nil in an array
		value bool            // a name has been read, its value comes next
	}
	var stack []level
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if delim, ok := t.(json.Delim); ok && (delim == '}' || delim == ']') {
			stack = stack[:len(stack)-1]
			continue
		}
		if n := len(stack); n == 0 {
			if t != json.Delim('{') {
				return errors.New("not an object")
			}
		} else if n > 0 && stack[n-1].seen != nil {
			top := &stack[n-1]
			if name, ok := t.(string); ok && !top.value {
				if top.seen[name] || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
					return fmt.Errorf("field %q: repeated or unknown", name)
				}
				top.seen[name], top.value = true, true
				continue
			}
			top.value = false
		}
		switch t {
		case json.Delim('{'):
			stack = append(stack, level{seen: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, level{})
		}
	}
}

// encode is the form that is stored and signed.
func (r Receipt) encode() ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	if buf.Len() > maxReceipt {
		return nil, &FormatError{fmt.Errorf("%d bytes, limit %d", buf.Len(), maxReceipt)}
	}
	return buf.Bytes(), nil
}

func (r Receipt) check() error {
	switch {
	case r.Schema < 1:
		return fmt.Errorf("schema %d", r.Schema)
	case r.Sequence < 1 || r.Sequence > maxSequence:
		return fmt.Errorf("sequence %d", r.Sequence)
	case (r.Previous == "") != (r.Sequence == 1):
		return fmt.Errorf("sequence %d and previous %q", r.Sequence, r.Previous)
	case r.Time.IsZero() || r.Time.Location() != time.UTC:
		return errors.New("no time in UTC")
	case r.Action == "" || len(r.Action) > 32 || strings.Trim(r.Action, "abcdefghijklmnopqrstuvwxyz-") != "":
		return fmt.Errorf("action %q", r.Action)
	case r.Outcome != OK && r.Outcome != Refused && r.Outcome != Failed:
		return fmt.Errorf("outcome %q", r.Outcome)
	case (r.Outcome == OK) != (r.Error == ""):
		return fmt.Errorf("outcome %q and error %q", r.Outcome, r.Error)
	case r.Release < 0:
		return fmt.Errorf("release %d", r.Release)
	case r.Protection.Kind == "":
		return errors.New("no kind of protection evidence")
	case !isFingerprint(r.Machine), r.Formerly != "" && !isFingerprint(r.Formerly):
		return fmt.Errorf("machine %q, formerly %q", r.Machine, r.Formerly)
	}
	if err := r.checkSums(); err != nil {
		return err
	}
	for _, c := range []Count{r.Cases.InProcess, r.Cases.Staged, r.Cases.Wired} {
		if c.Passed < 0 || c.Failed < 0 {
			return fmt.Errorf("%d cases passed, %d failed", c.Passed, c.Failed)
		}
	}
	for _, s := range r.Durations {
		if s.Name == "" || s.MS < 0 {
			return fmt.Errorf("step %q took %d ms", s.Name, s.MS)
		}
	}
	return nil
}

func (r Receipt) checkSums() error {
	sums := []string{r.Previous, r.Trust}
	changes := r.Files
	if r.Program != (Change{}) {
		changes = append([]Change{r.Program}, changes...)
	}
	for _, s := range r.Settings {
		changes = append(changes, Change{s.Path, s.Before, s.After})
	}
	for _, c := range changes {
		if c.Path == "" {
			return errors.New("a change without a path")
		}
		sums = append(sums, c.Before, c.After)
	}
	digests := []string{r.Bundle, r.Rules}
	commits := []string{r.Head, r.Commit}
	for _, g := range []*Generation{r.Pointer.Before, r.Pointer.After} {
		if g == nil {
			continue
		}
		if g.Digest == "" || g.Release < 0 {
			return fmt.Errorf("generation %q of release %d", g.Digest, g.Release)
		}
		digests = append(digests, g.Digest, g.Rules)
		commits = append(commits, g.Commit)
	}
	for _, d := range digests {
		sum, ok := strings.CutPrefix(d, digestPrefix)
		if d != "" && (!ok || sum == "") {
			return fmt.Errorf("digest %q", d)
		}
		sums = append(sums, sum)
	}
	for _, s := range sums {
		if s != "" && !isHex(s, sha256.Size) {
			return fmt.Errorf("SHA-256 %q", s)
		}
	}
	for _, c := range commits {
		const sha1, sha256 = 20, 32
		if c != "" && !isHex(c, sha1) && !isHex(c, sha256) {
			return fmt.Errorf("commit %q", c)
		}
	}
	for _, s := range r.Signers {
		if !isFingerprint(s.Fingerprint) {
			return fmt.Errorf("fingerprint %q of a signer", s.Fingerprint)
		}
	}
	return nil
}

const digestPrefix = "sha256:"

// hexSum takes the prefix of a digest away, which others write and a sum has not.
func hexSum(s string) string { return strings.TrimPrefix(s, digestPrefix) }

func isHex(s string, size int) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == size && s == strings.ToLower(s)
}

// isFingerprint knows the form of ssh-keygen -l.
func isFingerprint(s string) bool {
	b, err := base64.RawStdEncoding.Strict().DecodeString(strings.TrimPrefix(s, "SHA256:"))
	return err == nil && len(b) == sha256.Size && strings.HasPrefix(s, "SHA256:") && !strings.ContainsAny(s, "\r\n")
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
