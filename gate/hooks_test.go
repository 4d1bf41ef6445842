package gate

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func hookRules() *Rules {
	r := &Rules{Header: Header{Schema: HooksSchema, Name: "x"}, Executables: Executables{
		Hooks: []Hook{
			{ID: "a", File: "hooks/a.sh", Events: []Kind{Stop, PreTool}, Tools: []string{"Bash", "Edit"}, Mode: Enforce, Timeout: time.Second, Failure: FailAsk, Exit: map[int]string{0: "allow", 2: "block"}},
			{ID: "b", File: "hooks/b.sh", Events: []Kind{PostTool, Stop}, Mode: Warn},
			{ID: "c", File: "hooks/a.sh", Events: []Kind{SessionStart}, Mode: Off},
		},
		Files: map[string]string{"hooks/a.sh": "aa", "hooks/b.sh": "bb", "hooks/lib/x": "cc"},
	}}
	r.Wakes = r.Calls()
	return r
}

func TestWakes(t *testing.T) {
	r := hookRules()
	if want := []string{"post-tool", "pre-tool Bash", "pre-tool Edit", "stop"}; !slices.Equal(r.Wakes, want) {
		t.Fatalf("Calls = %q", r.Wakes)
	}
	for _, kind := range []Kind{Stop, SubagentStop, PreTool, PostTool, SessionStart, Prompt} {
		for _, tool := range []string{"", "Bash", "Edit", "Read", "Bash "} {
			wanted := false
			for i := range r.Hooks {
				wanted = wanted || r.Hooks[i].Wants(kind, tool)
			}
			if got := r.WakesFor(kind, tool); got != wanted {
				t.Errorf("WakesFor(%s, %q) = %v, the hooks say %v", kind, tool, got, wanted)
			}
		}
	}
}

func TestHooksRoundTrip(t *testing.T) {
	r := hookRules()
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeRules(b)
	if err != nil || !reflect.DeepEqual(got.Executables, r.Executables) || !slices.Equal(got.IDs(), []string{"a", "b", "c"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	text := string(b)
	for name, bad := range map[string]string{
		"a hookctl without hooks would read it": strings.Replace(text, `"schema":4`, `"schema":3`, 1),
		"no hooks":                              strings.Join(strings.SplitAfter(text, "\n")[:3], ""),
		"a header that keeps a hook asleep":     strings.Replace(text, `"pre-tool Bash",`, "", 1),
		"no digest":                             strings.Replace(text, `"hooks/a.sh":"aa",`, "", 1),
		"an empty digest":                       strings.Replace(text, `"hooks/a.sh":"aa"`, `"hooks/a.sh":""`, 1),
		"half of the hooks":                     text[:len(text)-5],
	} {
		if bad == text {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := DecodeRules([]byte(bad)); err == nil || !strings.Contains(err.Error(), "compiled rules") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecodeRules(f *testing.F) {
	b, err := hookRules().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(encoded(f, someRules()))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := DecodeRules(b)
		if err != nil {
			return
		}
		for _, k := range []Kind{Stop, PreTool, SessionStart} { // a part of what is whole is whole
			c, err := Open(b)
			if err == nil {
				_, err = c.For(k, false)
			}
			if err != nil {
				t.Errorf("%s: %v", k, err)
			}
		}
		for i := range r.Hooks {
			if h := &r.Hooks[i]; r.Files[h.File] == "" || len(h.Events) > 0 && h.Wants(h.Events[0], "x") && !r.WakesFor(h.Events[0], "x") {
				t.Errorf("%+v is not in the header or has no digest", h)
			}
		}
	})
}
