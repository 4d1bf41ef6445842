package gate

import (
	"strings"
	"testing"
)

func TestSqueeze(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		plain    bool
	}{
		{"Shall I **commit**\n  now?", " shall  i  commit  now ?", true},
		{"コミット しますか？", "コミットしますか?", true},
		{"ｃｏｍｍｉｔ　する", " commit する", true},
		{"let’s push", " let ' s  push ", true},
		{"ÄNDERN", "ä ndern ", true},
		{"com\u200bmit ✅\ufe0f", " commit ✅", true},
		{"wait…", " wait ...", true},
		{"ｺﾐｯﾄ", "", false},                // half-width katakana
		{"ひ\u3099", "", false},             // a combining mark
		{"ﬁx", "", false},                  // a ligature
		{"\xff\xfe", "", false},            // no UTF-8
		{"a_b`c`", " ab  c ", true},        // what Markdown may take away
		{"see [the PR](x) now", "", false}, // a link
		{"~~not~~ now", "", false},
		{"a<br>b", "", false},
		{`\*`, "", false},
		{"a < b", " a < b ", true},
		{"① 番", "", false}, // an enclosed number
		{strings.Repeat("x", 9), " xxxxxxxxx ", true},
	} {
		got, plain := Squeeze(tt.in)
		if got != tt.want || plain != tt.plain {
			t.Errorf("Squeeze(%q) = %q, %v, want %q, %v", tt.in, got, plain, tt.want, tt.plain)
		}
	}
}

func TestMaybe(t *testing.T) {
	p := Prefilter{
		Literals: []string{"commit", "コミット", "しますか", "shall  i"},
		Signals:  []Needs{{2, 0, 1, 2, 2, 3}},
	}
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"コミットしますか？", true},
		{"Shall I commit?", true},
		{"Shall I\ncommit?", true},              // a soft line break
		{"Committed.\n\nShall I go on?", false}, // another paragraph
		{"Committed.\n \t\nShall I go on?", false},
		{"ｺﾐｯﾄ", true}, // only the patterns can tell
		{"", false},
		{"\n\n", false},
	} {
		if got := p.Maybe(tt.text); got != tt.want {
			t.Errorf("Maybe(%q) = %v, want %v", tt.text, got, tt.want)
		}
	}
	if (Prefilter{}).Maybe("anything") {
		t.Error("a filter without signals says maybe")
	}
}

func TestViolates(t *testing.T) {
	j := Judge{Fields: []Field{{Name: "new", Blocks: true}, {Name: "verified"}, {Name: "query"}}}
	yes, no := true, false
	for _, tt := range []struct {
		name          string
		fields        map[string]bool
		violation, ok bool
	}{
		{"blocks alone", map[string]bool{"new": yes, "verified": no, "query": no}, true, true},
		{"one allows", map[string]bool{"new": yes, "verified": no, "query": yes}, false, true},
		{"a missing allows field is not true", map[string]bool{"new": yes}, true, true},
		{"a missing blocks field is a failure", map[string]bool{"verified": yes}, false, false},
		{"nothing", nil, false, false},
		{"no proposal", map[string]bool{"new": no}, false, true},
	} {
		violation, ok := j.Violates(Answer{Fields: tt.fields})
		if violation != tt.violation || ok != tt.ok {
			t.Errorf("%s: Violates(%v) = %v, %v, want %v, %v", tt.name, tt.fields, violation, ok, tt.violation, tt.ok)
		}
	}
	if v, ok := (Judge{}).Violates(Answer{}); v || ok {
		t.Error("a gate without fields has a verdict")
	}
}

// Every text that a filter calls impossible stays so when a signal is looked for
// in each of its paragraphs, and no text panics.
func FuzzMaybe(f *testing.F) {
	f.Add("Shall I commit?\n\nコミットしますか？")
	p := Prefilter{Literals: []string{"commit", "shall  i"}, Signals: []Needs{{1, 0, 1, 1}}}
	f.Fuzz(func(t *testing.T, text string) {
		if p.Maybe(text) {
			return
		}
		for para := range paragraphs(text) {
			if s, plain := Squeeze(para); !plain || strings.Contains(s, "commit") && strings.Contains(s, "shall  i") {
				t.Fatalf("Maybe(%q) = false", text)
			}
		}
	})
}
