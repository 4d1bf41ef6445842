package manifests

import (
	"strings"
	"testing"
	"testing/fstest"
)

const goodGate = `schema: 1
id: demo
title: A demo
events: [stop]
mode: enforce
signals:
  en: ['shall I commit']
judge:
  analyzer: commit
  prompt: {en: Does it?}
  fields:
    - {name: new_proposal, verdict: blocks, when: it proposes}
feedback:
  en: Say what was checked.
`

func TestParseGate(t *testing.T) {
	if _, err := ParseGate("gates/demo.yaml", []byte(goodGate)); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ from, to, want string }{
		"schema":      {"schema: 1", "schema: 2", "schema 2"},
		"id":          {"id: demo", "id: other", `id is "other"`},
		"mode":        {"mode: enforce", "mode: hard", "mode"},
		"event":       {"events: [stop]", "events: [halt]", "event"},
		"no event":    {"events: [stop]", "events: []", "events: none"},
		"verdict":     {"verdict: blocks", "verdict: maybe", "verdict"},
		"no feedback": {"  en: Say", "  ja: Say", "feedback: en"},
		"unknown key": {"mode: enforce", "mode: enforce\nblocks: true", "blocks"},
		"no yaml":     {"schema: 1", "schema: [", "gates/demo.yaml"},
	} {
		_, err := ParseGate("gates/demo.yaml", []byte(strings.Replace(goodGate, tt.from, tt.to, 1)))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "gates/demo.yaml") {
			t.Errorf("%s: error %v, want the file and %q", name, err, tt.want)
		}
	}
}

func TestCases(t *testing.T) {
	fsys := fstest.MapFS{
		"cases/demo/allow/a.md":   {Data: []byte("done")},
		"cases/demo/block/b.md":   {Data: []byte("shall I?")},
		"cases/demo/block/b.yaml": {Data: []byte("why: an offer\njudge: {new_proposal: true}\n")},
		"cases/all/allow/c.json":  {Data: []byte(`{}`)},
	}
	cases, err := Cases(fsys)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 3 || cases[0].Name != "all/allow/c" || !cases[0].IsEvent || !cases[2].Block || cases[2].Note.Why != "an offer" {
		t.Errorf("Cases = %+v", cases)
	}
	if r, err := cases[2].Recorded(); err != nil || string(r) != `{"new_proposal":true}` {
		t.Errorf("Recorded = %s, %v", r, err)
	}
	for name, p := range map[string]string{
		"a side of its own": "cases/demo/maybe/a.md", "too deep": "cases/demo/allow/x/a.md", "a lone note": "cases/demo/allow/z.yaml",
		"all that block": "cases/all/block/a.md", "another kind": "cases/demo/allow/a.txt",
	} {
		if _, err := Cases(fstest.MapFS{p: {Data: []byte("x")}}); err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: error %v, want one that names %s", name, err, p)
		}
	}
}

// The embedded bundle parses, and each text gate has cases on both sides.
func TestEmbedded(t *testing.T) {
	b, err := embedded.ReadFile("hookctl.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseBundle(b); err != nil {
		t.Error(err)
	}
	gates, err := Gates(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	cases, err := Cases(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gates {
		sides := map[bool]int{}
		for _, c := range cases {
			if c.Gate == g.ID {
				sides[c.Block]++
			}
		}
		if sides[true] < 6 || sides[false] < 6 {
			t.Errorf("gate %s has %d block and %d allow cases, want 6 of each", g.ID, sides[true], sides[false])
		}
	}
}

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig([]byte("judge:\n  backend: command\n  command: [\"/bin/judge\", \"-x\"]\n  timeout: 5s\nprotect:\n  paths: [\"a\"]\n"))
	if err != nil || c.Judge.Timeout.Seconds() != 5 || len(c.Judge.Command) != 2 || c.Protect.Paths[0] != "a" {
		t.Errorf("ParseConfig = %+v, %v", c, err)
	}
	for text, want := range map[string]int{"loop: {blocks: 3}": 3, "loop: {}": 0, "loop: {blocks: 10}": -1, "loop: {blocks: -1}": -1, "loop: {blocks: x}": -1} {
		if c, err := ParseConfig([]byte(text)); (err != nil) != (want < 0) || err == nil && c.Loop.Blocks != want {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	}
	if _, err := ParseConfig(nil); err != nil {
		t.Errorf("an empty config.yaml: %v", err)
	}
	if _, err := ParseConfig([]byte("judge: {bakend: x}")); err == nil {
		t.Error("an unknown key is accepted")
	}
}

func FuzzParseGate(f *testing.F) {
	f.Add([]byte(goodGate))
	// The library panics.
	f.Add([]byte("schema: \x80\nid: demo\ntitle: A demo\nevents: !0000000000000000000000000000\n000000000000000000000000000000:\n  00000000: 000000\n  000000: 00000000\n00000000:\n      #0"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := ParseGate("gates/demo.yaml", b); err == nil && g.ID != "demo" {
			t.Errorf("accepted a gate named %q", g.ID)
		}
	})
}

func TestRequireProtection(t *testing.T) {
	b, err := ParseBundle([]byte("schema: 1\nname: x\nrequire_protection: true\n"))
	if err != nil || !b.RequireProtection {
		t.Errorf("%+v, %v", b, err)
	}
	for _, v := range []string{"maybe", "1", "[true]"} {
		_, err := ParseBundle([]byte("schema: 1\nname: x\nrequire_protection: " + v + "\n"))
		if err == nil || !strings.Contains(err.Error(), "hookctl.yaml") {
			t.Errorf("%s: error %v", v, err)
		}
	}
}
