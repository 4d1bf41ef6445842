package generation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// put stores bytes as the rules of a generation of their own.
func put(t *testing.T, d home.Dir, rules string) *home.Pointer {
	t.Helper()
	sum := sha256.Sum256([]byte(rules))
	digest := "sha256:" + hex.EncodeToString(sum[:])
	p := &home.Pointer{Schema: home.PointerSchema, Digest: digest, Rules: digest}
	dir := d.Generation(digest)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, home.RulesFile(digest)), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func point(t *testing.T, d home.Dir, p *home.Pointer) {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.Current(), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSteps(t *testing.T) {
	d := home.Dir(t.TempDir())
	embedded := string(compiled.Rules())
	expect := func(o Opened, from, rules string, faults int) {
		t.Helper()
		if o.From != from || string(o.Rules) != rules || len(o.Faults) != faults || (o.File == "") != (from == "embedded") {
			t.Errorf("%s (%s), %d bytes, faults %q, want %s and %d faults", o.From, o.File, len(o.Rules), o.Faults, from, faults)
		}
		for _, f := range o.Faults {
			if strings.Contains(f, "\n") || !strings.Contains(f, string(d)) {
				t.Errorf("a fault that names no place: %q", f)
			}
		}
	}
	expect(Open(d), "embedded", embedded, 0) // nothing is installed: no fault

	p := put(t, d, "new")
	expect(Open(d), "embedded", embedded, 1) // a store without a pointer is one
	p.Previous = put(t, d, "old")
	point(t, d, p)
	o := Open(d)
	expect(o, "current", "new", 0)

	// The bytes are whole and yet of no use.
	o = After(d, o, errors.New("no rules"))
	expect(o, "previous", "old", 1)
	o = After(d, o, errors.New("no rules either"))
	expect(o, "embedded", embedded, 2)

	broken := filepath.Join(d.Generation(p.Digest), home.RulesFile(p.Rules))
	if err := os.WriteFile(broken, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	o = Open(d)
	expect(o, "previous", "old", 1)
	expect(After(d, o, errors.New("no rules")), "embedded", embedded, 2)
	if err := os.RemoveAll(d.Store()); err != nil {
		t.Fatal(err)
	}
	expect(Open(d), "embedded", embedded, 2)
}

// The pointer is read from a file that anything may have written: a digest in it
// leads nowhere outside the store.
func TestDigestsThatArePaths(t *testing.T) {
	d := home.Dir(t.TempDir())
	outside := filepath.Join(string(d), "outside")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	p := put(t, d, "new")
	for _, digest := range []string{"", "sha256:", "../outside", "sha256:../outside" + strings.Repeat("x", 54), "sha256:" + strings.Repeat(".", 64), p.Digest + "/.."} {
		bad := *p
		bad.Digest = digest
		point(t, d, &bad)
		if o := Open(d); o.From != "embedded" || len(o.Faults) != 1 {
			t.Errorf("digest %q: %s, %q", digest, o.From, o.Faults)
		}
	}
	for _, rules := range []string{"", "sha256:", "sha256:../../outside", strings.ToUpper(p.Rules)} {
		bad := *p
		bad.Rules = rules
		point(t, d, &bad)
		if o := Open(d); o.From != "embedded" || len(o.Faults) != 1 {
			t.Errorf("rules %q: %s, %q", rules, o.From, o.Faults)
		}
	}
}
