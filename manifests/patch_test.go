package manifests

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const goodPatch = `schema: 1
id: commit-before-verification
extends: embedded
mode: warn
add:
  signals: {en: ['time to land this']}
  evidence:
    - kind: verification
      patterns: {en: ['staging run: ok'], ja: ['検証環境で確認済み']}
    - {kind: staging, scope: block, patterns: {en: ['on staging']}}
  counter_examples: {en: [a change of the release calendar]}
  feedback: {en: Run make check first.}
remove:
  languages: [ko]
  evidence:
    - {kind: future, patterns: {en: [verifier verdict]}}
    - kind: option
  counter_examples: {en: [a proposal that the same message takes back]}
`

const extending = "schema: 1\nname: team\nextends: embedded\n"

func bundleOf(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func gateOf(t *testing.T, gates []Gate, id string) Gate {
	t.Helper()
	i := slices.IndexFunc(gates, func(g Gate) bool { return g.ID == id })
	if i < 0 {
		t.Fatalf("there is no gate %s", id)
	}
	return gates[i]
}

func TestPatchChangesWhatItNames(t *testing.T) {
	const id = "commit-before-verification"
	gates, err := Gates(bundleOf(map[string]string{
		"hookctl.yaml": extending, "gates/" + id + ".yaml": goodPatch,
		"gates/demo.yaml": goodGate,
	}))
	if err != nil {
		t.Fatal(err)
	}
	base, err := Gates(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	if len(gates) != len(base)+1 || gateOf(t, gates, "demo").Title != "A demo" {
		t.Errorf("%d gates, want the %d embedded ones and demo", len(gates), len(base))
	}
	was, is := gateOf(t, base, id), gateOf(t, gates, id)
	if is.Mode != "warn" || is.Subagent != was.Subagent || is.Title != was.Title {
		t.Errorf("mode %q, subagent %q, title %q", is.Mode, is.Subagent, is.Title)
	}
	if n := len(was.Signals["en"]); len(is.Signals["en"]) != n+1 || is.Signals["en"][n] != "time to land this" {
		t.Errorf("signals en: %q", is.Signals["en"])
	}
	if is.Signals["ko"] != nil || is.Feedback["ko"] != "" || is.Judge.Prompt["ko"] != "" || is.Judge.Counter["ko"] != nil || is.Evidence[0].Patterns["ko"] != nil || is.Signals["de"] == nil {
		t.Error("ko was not removed, or more than ko")
	}
	kinds := []string{}
	for _, e := range is.Evidence {
		kinds = append(kinds, e.Kind+" "+e.Scope)
		if slices.Contains(e.Patterns["en"], "verifier verdict") {
			t.Error("a removed pattern is there")
		}
	}
	if want := []string{"verification anywhere", "past sentence", "future sentence", "staging block"}; !slices.Equal(kinds, want) {
		t.Errorf("evidence %q, want %q", kinds, want)
	}
	if !slices.Contains(is.Evidence[0].Patterns["ja"], "検証環境で確認済み") {
		t.Error("evidence in ja was not added")
	}
	if !slices.Contains(is.Judge.Counter["en"], "a change of the release calendar") || len(is.Judge.Counter["en"]) != len(was.Judge.Counter["en"]) {
		t.Errorf("counter-examples: %q", is.Judge.Counter)
	}
	if is.Feedback["en"] != "Run make check first." || is.Feedback["ja"] != was.Feedback["ja"] {
		t.Errorf("feedback: %q", is.Feedback)
	}
}

func TestPatchIsRefused(t *testing.T) {
	for name, tt := range map[string]struct{ from, to, want string }{
		"schema":            {"schema: 1", "schema: 3", "schema: 3, want 1"},
		"base":              {"extends: embedded", "extends: other", `extends: "other", want embedded`},
		"id":                {"id: commit-before-verification", "id: handoff", `id: "handoff"`},
		"mode":              {"mode: warn", "mode: loud", `mode: "loud"`},
		"unknown key":       {"mode: warn", "modus: warn", "modus"},
		"unknown add":       {"  signals: {en", "  signal: {en", "signal"},
		"double key":        {"mode: warn", "mode: warn\nmode: off", "mode"},
		"two documents":     {"mode: warn", "---\nmode: warn", "more than one YAML document"},
		"empty pattern":     {"['time to land this']", "['']", "add.signals.en[0]: empty"},
		"no patterns":       {"{en: ['time to land this']}", "{en: []}", "add.signals.en: empty"},
		"signal there":      {"['time to land this']}", `['(get|getting) (this|it|these|everything) (in|into|onto|merged|committed|pushed|deployed)\b']}`, "add.signals.en[0]"},
		"evidence there":    {"staging run: ok", `\brc=0\b[^?]*$`, "add.evidence[0].patterns.en[0]"},
		"scope missing":     {"scope: block, ", "", "add.evidence[1].scope: missing"},
		"scope other":       {"scope: block, ", "scope: file, ", "add.evidence[1].scope"},
		"counter there":     {"a change of the release calendar", "'a later step of a written procedure, or the steps of a slash command'", "add.counter_examples.en[0]"},
		"no counters":       {"{en: [a change of the release calendar]}", "{en: []}", "add.counter_examples.en: empty"},
		"signal not there":  {"  languages: [ko]", "  signals: {en: [nothing]}", `remove.signals.en[0]: the embedded gate has no "nothing"`},
		"evidence missing":  {"[verifier verdict]", "[verifier]", "remove.evidence[0].patterns.en[0]"},
		"kind missing":      {"- kind: option", "- kind: opinion", `remove.evidence[1]: the embedded gate has no evidence of kind "opinion"`},
		"counter missing":   {"[a proposal that the same message takes back]", "[a proposal]", "remove.counter_examples.en[0]"},
		"language missing":  {"languages: [ko]", "languages: [fr]", "remove.languages[0]"},
		"protect missing":   {"  languages: [ko]", "  protect: [~/x]", "remove.protect[0]"},
		"empty feedback":    {"{en: Run make check first.}", "{en: ''}", "add.feedback.en: empty"},
		"kind without name": {"- kind: option", "- patterns: {en: [x]}", "remove.evidence[1].kind: missing"},
	} {
		text := strings.Replace(goodPatch, tt.from, tt.to, 1)
		if text == goodPatch {
			t.Fatalf("%s: nothing was changed", name)
		}
		_, err := Gates(bundleOf(map[string]string{"hookctl.yaml": extending, "gates/commit-before-verification.yaml": text}))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "gates/commit-before-verification.yaml: ") {
			t.Errorf("%s: error %v, want the file and %q", name, err, tt.want)
		}
	}
}

func TestPatchNeedsItsBase(t *testing.T) {
	for name, tt := range map[string]struct{ bundle, file, text, want string }{
		"a bundle that stands alone": {"schema: 1\nname: team\n", "handoff", "schema: 1\nid: handoff\nextends: embedded\nmode: off\n", "gates/handoff.yaml: extends: hookctl.yaml extends nothing"},
		"no such gate":               {extending, "demo", "schema: 1\nid: demo\nextends: embedded\nmode: off\n", `gates/demo.yaml: extends: there is no embedded gate "demo"`},
		"a change of nothing":        {extending, "handoff", "schema: 1\nid: handoff\nextends: embedded\n", "gates/handoff.yaml: extends: the patch changes nothing"},
		"no judge":                   {extending, "protected-files", "schema: 1\nid: protected-files\nextends: embedded\nadd: {counter_examples: {en: [x]}}\n", "add.counter_examples: the embedded gate has no judge"},
		"a whole gate cut short":     {extending, "handoff", "schema: 1\nid: handoff\nmode: off\n", "gates/handoff.yaml: events: none"},
	} {
		_, err := Gates(bundleOf(map[string]string{"hookctl.yaml": tt.bundle, "gates/" + tt.file + ".yaml": tt.text}))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
	}
}

// A bundle that only extends is the embedded one.
func TestExtendNothingMore(t *testing.T) {
	fsys := bundleOf(map[string]string{"hookctl.yaml": extending})
	gates, err := Gates(fsys)
	base, _ := Gates(Embedded())
	if err != nil || len(gates) != len(base) {
		t.Errorf("%d gates, %v, want %d", len(gates), err, len(base))
	}
	cases, err := Cases(fsys)
	all, _ := Cases(Embedded())
	if err != nil || len(cases) != len(all) || len(all) == 0 || !cases[0].Inherited || all[0].Inherited {
		t.Errorf("%d cases, %v, want %d", len(cases), err, len(all))
	}
}

func TestCasesOfAnExtension(t *testing.T) {
	const dropped, own = "commit-before-verification/allow/past-en", "commit-before-verification/allow/mine"
	files := map[string]string{
		"hookctl.yaml":          extending + "drop_cases: [{case: " + dropped + ", why: we do not let that pass}]\n",
		"cases/" + own + ".md":  "Done.\n",
		"gates/handoff.yaml":    "schema: 1\nid: handoff\nextends: embedded\nmode: shadow\n",
		"cases/demo/block/x.md": "Shall I?\n",
	}
	cases, err := Cases(bundleOf(files))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]Case{}
	waiting := 0
	for _, c := range cases {
		names[c.Name] = c
		if c.Gate == "handoff" && c.Block {
			waiting++
		}
	}
	if _, ok := names[dropped]; ok {
		t.Errorf("%s was not dropped", dropped)
	}
	if c, ok := names[own]; !ok || c.Inherited || c.Path() != "cases/"+own+".md" {
		t.Errorf("own case: %+v", c)
	}
	if _, ok := names["demo/block/x"]; !ok {
		t.Error("a case of a gate that is not there is left out: nobody would see the slip")
	}
	if waiting > 0 {
		t.Errorf("%d block cases of a gate that blocks nothing", waiting)
	}
	all, err := AllCases(bundleOf(files))
	if err != nil || len(all) <= len(cases) {
		t.Errorf("AllCases: %d, %v, want more than %d", len(all), err, len(cases))
	}

	for name, tt := range map[string]struct{ file, text, want string }{
		"no such case": {"hookctl.yaml", extending + "drop_cases: [{case: handoff/allow/nope, why: x}]\n", `hookctl.yaml: drop_cases[0].case: there is no embedded case "handoff/allow/nope"`},
		"no reason":    {"hookctl.yaml", extending + "drop_cases: [{case: " + dropped + "}]\n", "hookctl.yaml: drop_cases[0].why: missing"},
		"twice":        {"hookctl.yaml", extending + "drop_cases: [{case: a, why: x}, {case: a, why: x}]\n", "drop_cases[1].case"},
		"no base":      {"hookctl.yaml", "schema: 1\ndrop_cases: [{case: a, why: x}]\n", "drop_cases: the bundle extends nothing"},
		"one name":     {"cases/handoff/allow/url-ja.md", "x", "cases/handoff/allow/url-ja.md: the embedded bundle has a case of this name"},
	} {
		bad := bundleOf(files)
		bad[tt.file] = &fstest.MapFile{Data: []byte(tt.text)}
		if _, err := Cases(bad); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
	}
}

func TestRequires(t *testing.T) {
	for _, tt := range []struct {
		requires, program string
		runs              bool
	}{
		{"", "v1.0.0", true},
		{"1.2.0", "v1.2.0", true},
		{"1.2.0", "v1.1.9", false},
		{"v1.2.0", "v1.10.0", true},
		{"2.0.0", "v1.99.99", false},
		{"1.2.3", "v1.2.2", false},
		{"9.0.0", "(devel)", true},
		{"9.0.0", "v0.0.0-20260101000000-abcdefabcdef", true},
		{"9.0.0", "v1.0.0+dirty", true},
		{"9.0.0", "", true},
	} {
		err := Bundle{Requires: tt.requires}.Runs(tt.program)
		if (err == nil) != tt.runs || err != nil && !errors.As(err, new(*RequiresError)) {
			t.Errorf("requires %q, hookctl %q: %v", tt.requires, tt.program, err)
		}
	}
	for _, bad := range []string{"1.2", "latest", ">=1.0.0", "1.02.0", "-1.0.0", "1.2.0-rc.1"} {
		if _, err := ParseBundle([]byte("schema: 1\nrequires: '" + bad + "'\n")); err == nil || !strings.Contains(err.Error(), "hookctl.yaml: requires") {
			t.Errorf("requires %q: %v", bad, err)
		}
	}
}

// Whatever a patch says, the gate that comes out of it is one that could have
// been written whole, and the embedded gate is as it was.
func FuzzParsePatch(f *testing.F) {
	f.Add([]byte(goodPatch))
	f.Add([]byte("schema: 1\nid: commit-before-verification\nextends: embedded\nremove: {languages: [en]}\n"))
	f.Add([]byte("schema: 1\nid: commit-before-verification\nextends: embedded\nremove: {evidence: [{kind: past, scope: sentence}]}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		const name = "gates/commit-before-verification.yaml"
		p, err := ParsePatch(name, b)
		if err != nil {
			if !strings.HasPrefix(err.Error(), name) {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		base, err := Gates(Embedded())
		if err != nil {
			t.Fatal(err)
		}
		g, err := p.apply(gateOf(t, base, "commit-before-verification"))
		if err == nil && g.check() != nil {
			t.Fatalf("a gate that is none: %v", g.check())
		}
	})
}
