package gate

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// someRules have every part of the compiled form but hooks.
func someRules() *Rules {
	return &Rules{
		Header:   Header{Schema: RulesSchema, Name: "x", Floor: Floor{Judges: []string{"builtin"}}},
		Literals: []string{"ab", " c d ", "実行"},
		Gates: []Rule{
			{
				ID: "text", Events: []Kind{Stop, SubagentStop}, Mode: Enforce, Feedback: map[string]string{"en": "x"},
				Signals:  []Pattern{{Lang: "en", Expr: `a\bb`, Needs: Needs{2, 0, 2, 1, 1}}, {Lang: "ja", Expr: "実行", Needs: Needs{1, 2}}},
				Evidence: []Evidence{{Kind: "past", Scope: "block", Pattern: Pattern{Lang: "en", Expr: ".*"}}},
				Judge:    Judge{Analyzer: "commit", Fields: []Field{{Name: "f", Blocks: true}}, Prompt: map[string]string{"en": "Say\twhat\nit is."}, Counter: map[string][]string{"ja": {"実行済み"}}},
			},
			{
				ID: "tool", Events: []Kind{PreTool, PostTool}, Mode: Enforce, Subagent: Off, Protect: []string{"~/x", "日本"}, Demotable: true,
				Commands: []Guard{
					{ID: "a", Why: "it skips, \"checks\"", Ask: true, Any: []Form{{Run: []string{"git push", "x *"}, Flags: []string{"-n"}}, {How: []string{"write"}}}},
					{ID: "b", Off: true, Any: []Form{{Env: []string{"A=b c"}}}},
					{ID: "c", Ask: true, Off: true},
				},
			},
			{ID: "more", Events: []Kind{Stop}, Mode: Warn, Signals: []Pattern{{Lang: "de", Expr: "c", Needs: Needs{1, 1}}}},
		},
	}
}

func encoded(t testing.TB, r *Rules) []byte {
	t.Helper()
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRulesRoundTrip(t *testing.T) {
	r := someRules()
	b := encoded(t, r)
	got, err := DecodeRules(b)
	if err != nil {
		t.Fatal(err)
	}
	r.Lines = Lines{Signals: 3, Evidence: 1, Gates: 3}
	if !reflect.DeepEqual(got, r) {
		t.Errorf("got %+v\nwant %+v", got, r)
	}
	c, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.Filter()
	if err != nil || !reflect.DeepEqual(f, r.Filter()) || len(f.Signals) != 3 {
		t.Errorf("the filter: %+v, %v", f, err)
	}
	if again := encoded(t, got); !bytes.Equal(again, b) {
		t.Errorf("encoded again:\n%s\nbefore:\n%s", again, b)
	}
}

// An event gets what bears on it, and that as it is in the whole.
func TestRulesForAnEvent(t *testing.T) {
	b := encoded(t, someRules())
	c, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind  Kind
		told  bool
		gates string
	}{
		{Stop, true, "text more"}, {SubagentStop, false, "text more"}, // counters are kept for both kinds of a stop
		{PreTool, false, "tool"}, {PostTool, true, "tool"}, {SessionStart, true, ""}, {"", true, "text tool more"},
	} {
		r, err := c.For(tt.kind, tt.told)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.IDs(), " "); got != tt.gates {
			t.Errorf("%s: gates %s, want %s", tt.kind, got, tt.gates)
		}
		for _, g := range r.Gates {
			for _, w := range someRules().Gates {
				if !tt.told {
					w.Judge.Prompt, w.Judge.Counter = nil, nil
				}
				if g.ID == w.ID && !reflect.DeepEqual(g, w) {
					t.Errorf("%s: %+v\nwant %+v", tt.kind, g, w)
				}
			}
		}
	}
}

func TestNeeds(t *testing.T) {
	for text, clauses := range map[string][][]int{"": nil, "0": {{0}}, "1,2 3": {{1, 2}, {3}}, "65535": {{65535}}} {
		n, err := NeedsOf(clauses)
		if err != nil || n.String() != text {
			t.Errorf("NeedsOf(%v) = %s, %v", clauses, n, err)
		}
		if got, err := appendNeeds(nil, []byte(text), 1<<16); err != nil || !reflect.DeepEqual(got, n) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{" ", ",", "1,", "1 ", ",1", "1  2", "1,,2", "x", "-1", "65536", "99999999999999999999"} {
		if n, err := appendNeeds(nil, []byte(bad), 1<<20); err == nil {
			t.Errorf("%q is read as %v", bad, n)
		}
	}
	if _, err := NeedsOf([][]int{{1 << 16}}); err == nil {
		t.Error("a number that does not fit is taken")
	}
	// Of each clause one.
	n, _ := NeedsOf([][]int{{1, 2}, {3}})
	for there, want := range map[string]bool{"": false, "1": false, "3": false, "13": true, "23": true, "12": false} {
		if got := n.Possible(func(i int) bool { return strings.Contains(there, string(rune('0'+i))) }); got != want {
			t.Errorf("with %q: %v", there, got)
		}
	}
}

func TestBrokenRules(t *testing.T) {
	text := string(encoded(t, someRules()))
	lines := strings.SplitAfter(text, "\n")
	without := func(i int) string { return strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "") }
	for name, bad := range map[string]string{
		"empty":                  "",
		"half":                   text[:len(text)/2],
		"no end":                 text[:len(text)-1],
		"the header alone":       lines[0],
		"schema":                 strings.Replace(text, `"schema":3`, `"schema":9`, 1),
		"not even it":            "\x00\x01\n[]",
		"no literals":            without(1),
		"one signal less":        without(2),
		"one gate less":          without(6),
		"fields are missing":     strings.Replace(text, "\t2\tde\t", "", 1),
		"more signals":           strings.Replace(text, `"signals":3`, `"signals":4`, 1),
		"fewer than none":        strings.Replace(text, `"signals":3`, `"signals":-3`, 1),
		"more than memory":       strings.Replace(text, `"gates":3`, `"gates":3000000000`, 1),
		"a literal beyond":       strings.Replace(text, "0,2 1\t", "0,3 1\t", 1),
		"no number":              strings.Replace(text, "0,2 1\t", "0,x 1\t", 1),
		"nothing after a comma":  strings.Replace(text, "0,2 1\t", "0, 1\t", 1),
		"a number without end":   strings.Replace(text, "0,2 1\t", "0,20000000000000000000 1\t", 1),
		"a gate beyond":          strings.Replace(text, "\t2\tde\t", "\t3\tde\t", 1),
		"a gate before":          strings.Replace(text, "\t2\tde\t", "\t-1\tde\t", 1),
		"no gate":                strings.Replace(text, "\t2\tde\t", "\t\tde\t", 1),
		"half a guard":           strings.Replace(text, "\x1c", "\x1cx\x1c", 1),
		"a list too few":         strings.Replace(text, "\x1e", "", 1),
		"a gate that is no JSON": strings.Replace(text, `{"en":"x"}`, `{"en":x"}`, 1),
	} {
		if bad == text {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := DecodeRules([]byte(bad)); err == nil {
			t.Errorf("%s: decoded", name)
		} else if !strings.Contains(err.Error(), "compiled rules") {
			t.Errorf("%s: %v does not name the compiled rules", name, err)
		}
	}
	for name, spoil := range map[string]func(*Rules){
		"a tab in a pattern":       func(r *Rules) { r.Gates[0].Signals[0].Expr = "a\tb" },
		"a line break in a reason": func(r *Rules) { r.Gates[1].Commands[0].Why = "a\nb" },
		"a separator in a list":    func(r *Rules) { r.Gates[1].Protect[0] = "a\x1fb" },
		"a separator in a flag":    func(r *Rules) { r.Gates[1].Commands[0].Any[0].Flags[0] = "a\x1eb" },
		"an empty item":            func(r *Rules) { r.Gates[1].Protect[0] = "" },
	} {
		r := someRules()
		spoil(r)
		if _, err := r.Encode(); err == nil {
			t.Errorf("%s is encoded", name)
		}
	}
}

// A program reads the rules of the version before, never those of a later one, of
// none, or of before the first release.
func TestReads(t *testing.T) {
	for _, tt := range []struct {
		own, schema int
		want        bool
	}{{3, 3, true}, {3, 2, false}, {3, 4, false}, {4, 3, true}, {4, 4, true}, {5, 3, false}, {5, 4, true}, {3, 0, false}, {3, -1, false}} {
		if got := reads(tt.own, tt.schema); got != tt.want {
			t.Errorf("reads(%d, %d) = %v", tt.own, tt.schema, got)
		}
	}
	if !reads(RulesSchema, RulesSchema) || !reads(HooksSchema, RulesSchema) {
		t.Error("a program does not read its own rules")
	}
}
