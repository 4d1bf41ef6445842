//go:build !windows

package hook_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// rules are the embedded ones with a change.
func rules(t *testing.T, change func(*gate.Rules)) []byte {
	t.Helper()
	r, err := gate.DecodeRules(compiled.Rules())
	if err != nil {
		t.Fatal(err)
	}
	change(r)
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// only switches off every text gate but one.
func only(id string) func(*gate.Rules) {
	return func(r *gate.Rules) {
		for i := range r.Gates {
			if g := &r.Gates[i]; g.ID != id && len(g.Signals) > 0 {
				g.Mode, g.Subagent = gate.Off, gate.Off
			}
		}
	}
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// generation puts rules into the store and gives the pointer to them.
func (m *machine) generation(t *testing.T, rules []byte) *home.Pointer {
	t.Helper()
	p := home.Pointer{Schema: home.PointerSchema, Digest: digest(append([]byte("bundle "), rules...)), Rules: digest(rules), Release: 1}
	write(t, m.rules(&p), string(rules))
	return &p
}

// rules is where the compiled rules of a generation lie.
func (m *machine) rules(p *home.Pointer) string {
	return filepath.Join(home.Dir(m.home).Generation(p.Digest), home.RulesFile(p.Rules))
}

// point makes p the current generation.
func (m *machine) point(t *testing.T, p *home.Pointer) {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	write(t, home.Dir(m.home).Current(), string(b)+"\n")
}

func (m *machine) install(t *testing.T, rules []byte) { m.point(t, m.generation(t, rules)) }
