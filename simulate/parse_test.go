package simulate

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/agenthooks/hookctl/testdata/scenarios"
)

func TestParseNamesThePlace(t *testing.T) {
	const head = "title: t\nrequests:\n  - {tool: Write, file: a, content: x}\n"
	for _, c := range []struct{ what, text, want string }{
		{"unknown name", head + "polcy: deny\n", "[4:1] unknown field"},
		{"unknown name below", "title: t\nrequests:\n  - tool: Write\n    file: a\n    contents: x\n", "[5:5] unknown field"},
		{"wrong type", head + "afresh: maybe\n", "[4:9]"},
		{"name twice", head + "title: u\n", "[4:1]"},
		{"two documents", head + "---\n" + head, "more than one"},
		{"no title", "requests:\n  - {tool: Write, file: a}\n", "title"},
		{"no requests", "title: t\n", "requests"},
		{"empty", "", "title"},
		{"unknown tool", "title: t\nrequests:\n  - tool: Write\n    file: a\n  - tool: Wirte\n    file: a\n", `s.yaml:5: requests[1]: tool: "Wirte" is none of`},
		{"no file", "title: t\nrequests:\n  - tool: Write\n", "s.yaml:3: requests[0]: file: Write needs it"},
		{"edit of nothing", "title: t\nrequests:\n  - {tool: Edit, file: a}\n", "old and new"},
		{"outside", "title: t\nrequests:\n  - {tool: Write, file: ../a}\n", "does not lie in the sandbox"},
		{"outside, a file", head + "files:\n  /etc/passwd: x\n", "does not lie in the sandbox"},
		{"outside, expected", head + "expect:\n  files:\n    a/../../b: x\n", "does not lie in the sandbox"},
		{"policy", head + "policy: yes\n", `s.yaml:4: policy: "yes" is none of allow, ask, deny`},
		{"agent", head + "agent: emacs\n", `s.yaml:4: agent: "emacs" is none of`},
		{"answer", head + "registrations:\n  - event: pre-tool\n    callback:\n      answer: no\n", "s.yaml:7: registrations[0].callback.answer"},
		{"two callbacks", head + "registrations:\n  - event: pre-tool\n    callback: {answer: deny, command: x}\n", "needs one of"},
		{"no callback", head + "registrations:\n  - event: pre-tool\n", "needs one of"},
		{"no event", head + "registrations:\n  - callback: {answer: deny}\n", "event: missing"},
		{"too long", head + strings.Repeat("# x\n", maxScenario), "more than"},
		{"no YAML", "\t{", "s.yaml"},
	} {
		_, err := Parse("s.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	err := fs.WalkDir(scenarios.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(scenarios.FS, name)
		f.Add(b)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Parse("f", b)
		if err != nil {
			return
		}
		text, err := yaml.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse("again", text); err != nil && len(b) < maxScenario/4 {
			t.Logf("%s", text)
			t.Errorf("what was read and written is not read: %v", err)
		}
	})
}

func FuzzPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: p\n*** Move to: q\n@@ x\n l1\n-l2\n+L2\n*** End of File\n*** Add File: r\n+x\n*** Delete File: s\n*** End Patch", "l1\nl2\n")
	f.Fuzz(func(t *testing.T, patch, file string) {
		edits, err := applyPatch(patch, func(string) (string, bool) { return file, true })
		if err != nil && edits != nil {
			t.Errorf("both edits and an error: %v", err)
		}
	})
}
