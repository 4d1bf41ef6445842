package manifests

import (
	"errors"
	"strings"
	"testing"
)

// Where the mark ‹› stands, the item goes in; nothing else changes.
func TestAppendTo(t *testing.T) {
	keys := []string{"judge", "counter"}
	const item = "'it''s # one: [x]'"
	for name, tt := range map[string]string{
		"a list":                 "id: a\njudge:\n  counter:\n    - b # why\n    - c\n‹    - @\n›  other: d\nz: e\n",
		"not indented":           "judge:\n  counter:\n  - b\n  - c\n‹  - @\n›  other: d\n",
		"at the end":             "judge:\n  counter:\n    - b\n‹    - @\n›",
		"no last line end":       "judge:\n  counter:\n    - b‹\n    - @\n›",
		"long items":             "judge:\n  counter:\n    - b\n      goes on\n    - >-\n      folded\n\n      # no comment\n‹    - @\n›\n  # of other\n  other: d\n",
		"a comment on the next":  "judge:\n  counter:\n    - b\n‹    - @\n›    # of none\n\nz: e\n",
		"CRLF":                   "judge:\r\n  counter:\r\n    - b\r\n‹    - @\r\n›z: e\r\n",
		"one line":               "judge: # here\n  counter: [b, 'c, ]'‹, @›] # there\n  other: d\n",
		"one line, Japanese":     "judge:\n  counter: [コミットの報告, 'プッシュ'‹, @›]\n",
		"a comma at the end":     "judge:\n  counter: [b,‹ @›]\n",
		"an empty list":          "judge:\n  counter: [‹@›]\n",
		"several lines":          "judge:\n  counter: [b,\n    c‹,\n    @›\n  ]\n",
		"several, with a comma":  "judge:\n  counter: [\n    c,‹\n    @,›\n  ]\n",
		"no list":                "judge:\n  prompt: >-\n    p\n  fields:\n    - a: b\n‹  counter:\n    - @\n›\n# next\nz: e\n",
		"no list, on one line":   "judge: {prompt: p‹, counter: [@]›}\nz: e\n",
		"no list, spaces inside": "judge: { prompt: p‹, counter: [@]› }\n",
		"no way there":           "id: a\n‹judge:\n  counter:\n    - @\n›\n# the end\n",
		"nothing":                "‹judge:\n  counter:\n    - @\n›",
		"only a comment":         "# mine\n‹judge:\n  counter:\n    - @\n›",
		"a document's end":       "id: a\n‹judge:\n  counter:\n    - @\n›...\n",
		"braces at the top":      "{id: a‹, judge: {counter: [@]}›}\n",
		"deep":                   "x:\n  judge:\n    counter:\n      - no\njudge:\n    counter:\n        - b\n‹        - @\n›",
	} {
		head, rest, _ := strings.Cut(tt, "‹")
		piece, tail, _ := strings.Cut(rest, "›")
		want := head + strings.ReplaceAll(piece, "@", item) + tail
		in := head + tail
		if name == "CRLF" {
			want = strings.ReplaceAll(strings.ReplaceAll(want, "\r\n", "\n"), "\n", "\r\n")
		}
		got, err := appendTo([]byte(in), keys, item)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n got %q\nwant %q", name, err, got, want)
		}
	}
}

func TestAppendToRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"a value":      "judge:\n  counter: b\n",
		"null":         "judge:\n  counter:\n",
		"an alias":     "x: &l [a]\njudge:\n  counter: *l\n",
		"no mapping":   "judge: [a]\n",
		"a list on it": "- judge\n",
		"broken":       "judge: [\n",
	} {
		if got, err := appendTo([]byte(in), []string{"judge", "counter"}, "x"); err == nil {
			t.Errorf("%s: made %q", name, got)
		}
	}
}

func TestAddCounterExample(t *testing.T) {
	const id = "commit-before-verification"
	name := "gates/" + id + ".yaml"
	got, err := AddCounterExample(name, []byte(goodPatch), "en", `"Pushed." (a report)`)
	if err != nil || !strings.Contains(string(got), `counter_examples: {en: [a change of the release calendar, '"Pushed." (a report)']}`) {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := Gates(bundleOf(map[string]string{"hookctl.yaml": extending, name: string(got)})); err != nil {
		t.Error(err)
	}
	for _, g := range []string{id, "handoff", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction"} {
		lang := map[bool]string{true: "ja", false: "en"}[g == "handoff"]
		text, err := embedded.ReadFile("gates/" + g + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		got, err := AddCounterExample("gates/"+g+".yaml", text, lang, "one more")
		if err != nil || len(got) != len(text)+len("      - 'one more'\n") {
			t.Errorf("%s: %v", g, err)
			continue
		}
		parsed, err := ParseGate("gates/"+g+".yaml", got)
		if err != nil || !strings.HasSuffix(strings.Join(parsed.Judge.Counter[lang], "\n"), "\none more") {
			t.Errorf("%s: %v", g, err)
		}
		if fresh := NewPatch(g, lang, "it's new"); err == nil {
			_, err = Gates(bundleOf(map[string]string{"hookctl.yaml": extending, "gates/" + g + ".yaml": string(fresh)}))
			if err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := AddCounterExample("gates/demo.yaml", []byte(strings.Replace(goodGate, "judge:", "nope:", 1)), "en", "x"); err == nil {
		t.Error("a gate that cannot be read was added to")
	}
	_, err = AddCounterExample(name, []byte("schema: 1\nid: "+id+"\nextends: embedded\nadd:\n  counter_examples:\n    en: &a\n      - b\nmode: warn\n"), "en", "x")
	if err != nil && !errors.Is(err, ErrByHand) {
		t.Error(err)
	}
}

func TestAddDemotion(t *testing.T) {
	d := Demotion{Gate: "handoff", Bundle: "sha256:00", Decision: "k3"}
	text := []byte("judge: {backend: none} # mine\n")
	for range 2 {
		var err error
		if text, err = AddDemotion(text, d); err != nil {
			t.Fatal(err)
		}
	}
	c, err := ParseConfig(text)
	if err != nil || len(c.Demote) != 2 || c.Demote[1] != d || c.Judge.Backend != "none" || !strings.HasPrefix(string(text), "judge: {backend: none} # mine\n") {
		t.Errorf("%+v, %v\n%s", c, err, text)
	}
}

// Whatever text there is: either it is refused, or every byte of it is still there
// and it means one item more.
func FuzzAppendTo(f *testing.F) {
	for _, s := range []string{goodPatch, goodGate, "judge: {counter: [a]}", "judge:\n  counter:\n  - |\n    a\n# b\n", "{}", "a: 1\r\n", "judge:\n- a"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, text, example string) {
		if strings.ContainsAny(example, "\n\r") || len(text) > 4096 {
			return
		}
		out, err := appendTo([]byte(text), []string{"judge", "counter"}, quoted(example))
		if err != nil {
			return
		}
		rest := string(out)
		for i := range len(text) {
			_, after, ok := strings.Cut(rest, text[i:i+1])
			if !ok {
				t.Fatalf("%q lost %q of %q", out, text[i:i+1], text)
			}
			rest = after
		}
	})
}
