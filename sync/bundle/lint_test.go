package bundle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agenthooks/hookctl/manifests"
)

// lines takes every line for a sentence, own speech all of it.
func lines(message string) (own, plain []string) {
	own = strings.Split(strings.TrimSpace(message), "\n")
	return own, own
}

// tidyFS is a bundle in which lint finds nothing.
func tidyFS() fstest.MapFS {
	return fstest.MapFS{
		"hookctl.yaml":              {Data: []byte("schema: 1\nname: team\n")},
		"gates/talk.yaml":           {Data: []byte(strings.Replace(gateYAML, `feedback: {en: "do it"}`, "feedback:\n  en: do it\n  ja: 具体的に基本の的を書いてください。テスト的な文です。\n", 1))},
		"cases/talk/block/a.md":     {Data: []byte("Shall I commit?\n")},
		"cases/talk/block/b.md":     {Data: []byte("コミットしますか\n")},
		"cases/talk/allow/c.md":     {Data: []byte("Done.\n")},
		"cases/all/allow/report.md": {Data: []byte("Done, and tested.\n")},
	}
}

func TestLintFinds(t *testing.T) {
	if found := Lint(tidyFS(), lines); len(found) > 0 {
		t.Fatalf("the tidy one: %+v", found)
	}
	const gate = "gates/talk.yaml"
	for name, tt := range map[string]struct {
		file, from, to string // from "" removes the file
		want           string // file:line: rule
	}{
		"no allow case":     {"cases/talk/allow/c.md", "", "", gate + ":0: one-side"},
		"no case for all":   {"cases/all/allow/report.md", "", "", ":0: no-all-case"},
		"an idle pattern":   {gate, `["shall i commit"]`, `["shall i commit", "shall we"]`, gate + ":5: pattern-unproven"},
		"twice":             {gate, `["shall i commit"]`, `["shall i commit", "shall i commit"]`, gate + ":5: pattern-twice"},
		"no feedback":       {gate, "  ja: 具", "  de: 具", gate + ":5: feedback-missing"},
		"long feedback":     {gate, "en: do it", "en: " + strings.Repeat("do it ", 40), gate + ":8: feedback-long"},
		"simplified":        {gate, "具体的に", "具体的问题", gate + ":9: foreign-script"},
		"的 for の":           {gate, "具体的に", "書く的に", gate + ":9: foreign-script"},
		"hangul":            {gate, "具体的に", "커밋", gate + ":9: foreign-script"},
		"in a title":        {gate, "events: [stop]", "title: 作業の的まとめと书くもの\nevents: [stop]", gate + ":3: foreign-script"},
		"in the prompt":     {gate, "{en: p}", "{en: p, ja: 作業を分割する设定か}", gate + ":6: foreign-script"},
		"in a when":         {gate, "when: w", "when: 利用者的に頼む的こと", gate + ":6: foreign-script"},
		"in a counter":      {gate, "judge: {", "judge: {counter_examples: {ja: [a, 報告の问题だけ]}, ", gate + ":6: foreign-script"},
		"in Chinese alone":  {gate, "{en: p}", "{en: p, zh: 设定问题}", ""},
		"an empty when":     {gate, "when: w", `when: ""`, gate + ":6: judge-field"},
		"no prompt":         {gate, "{en: p}", `{en: ""}`, gate + ":6: judge-prompt"},
		"no English prompt": {gate, "{en: p}", "{ja: p}", gate + ":6: judge-prompt"},
		"anywhere":          {gate, "feedback:", "evidence: [{kind: past, scope: anywhere, patterns: {en: [done]}}]\nfeedback:", gate + ":7: evidence-anywhere"},
		"matches nothing":   {gate, "feedback:", "evidence: [{kind: past, scope: block, patterns: {en: ['(done)?']}}]\nfeedback:", gate + ":7: pattern-empty"},
		"a broken pattern":  {gate, "shall i commit", "shall (i commit", gate + ":0: refused"},
		"an unknown key":    {gate, "mode: enforce", "mode: enforce\ncolour: red", gate + ":5: refused"},
		"a wrong mode":      {gate, "mode: enforce", "mode: loud", gate + ":0: refused"},
		"an odd case":       {"cases/talk/allow/c.md", "Done.", "", ""},
		"a case of nothing": {"cases/tale/allow/x.md", "", "x", "cases/tale/allow/x.md:0: no-such-gate"},
		"a file too much":   {"cases/talk/allow/c.txt", "", "x", "cases/talk/allow/c.txt:0: refused"},
	} {
		fsys := tidyFS()
		switch {
		case tt.from != "":
			text := strings.Replace(string(fsys[tt.file].Data), tt.from, tt.to, 1)
			if text == string(fsys[tt.file].Data) {
				t.Fatalf("%s: nothing was changed", name)
			}
			fsys[tt.file] = &fstest.MapFile{Data: []byte(text)}
		case tt.to != "":
			fsys[tt.file] = &fstest.MapFile{Data: []byte(tt.to)}
		default:
			delete(fsys, tt.file)
		}
		var got []string
		for _, f := range Lint(fsys, lines) {
			got = append(got, fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Rule))
		}
		if tt.want == "" && len(got) > 0 || tt.want != "" && !slices.Contains(got, tt.want) {
			t.Errorf("%s: found %q, want %q", name, got, tt.want)
		}
	}
}

func TestLintFindsWhatMatchesAlways(t *testing.T) {
	fsys := tidyFS()
	for i := range 3 {
		fsys[fmt.Sprintf("cases/talk/block/more%d.md", i)] = &fstest.MapFile{Data: []byte("Shall I commit?\n")}
	}
	text := strings.Replace(string(fsys["gates/talk.yaml"].Data), "feedback:", "evidence: [{kind: past, scope: block, patterns: {en: ['.']}}]\nfeedback:", 1)
	fsys["gates/talk.yaml"] = &fstest.MapFile{Data: []byte(text)}
	got := Lint(fsys, lines)
	if len(got) != 1 || got[0].Rule != "pattern-everything" || got[0].Line != 7 {
		t.Errorf("found %+v", got)
	}
}

// Of a bundle that extends, only its own part is looked at, at its own lines.
func TestLintOfAPatch(t *testing.T) {
	fsys := fstest.MapFS{
		"hookctl.yaml": {Data: []byte("schema: 1\nname: team\nextends: embedded\n")},
		"gates/handoff.yaml": {Data: []byte(`schema: 1
id: handoff
extends: embedded
add:
  signals:
    en:
      - \bkindly xyzzy\b
`)},
	}
	want := []Finding{{File: "gates/handoff.yaml", Line: 7, Rule: "pattern-unproven", Message: `the pattern matches in no case: \bkindly xyzzy\b`}}
	if got := Lint(fsys, lines); !slices.Equal(got, want) {
		t.Errorf("found %+v, want %+v", got, want)
	}
}

func TestLintOfAPatchesCounterExamples(t *testing.T) {
	fsys := fstest.MapFS{
		"hookctl.yaml":       {Data: []byte("schema: 1\nname: team\nextends: embedded\n")},
		"gates/handoff.yaml": {Data: []byte("schema: 1\nid: handoff\nextends: embedded\nadd:\n  counter_examples:\n    ja:\n      - スクリーンショットの依頼\n      - 画面を開く的依頼\n")},
	}
	want := []Finding{{File: "gates/handoff.yaml", Line: 8, Rule: "foreign-script", Message: "this is not written in Japanese: く的"}}
	if got := Lint(fsys, lines); !slices.Equal(got, want) {
		t.Errorf("found %+v, want %+v", got, want)
	}
}

// Whatever stands in the embedded bundle, it is written in the languages that it
// says, and nothing in it is refused.
func TestLintOfTheEmbedded(t *testing.T) {
	for _, f := range Lint(manifests.Embedded(), lines) {
		if f.Rule != "pattern-unproven" && f.Rule != "pattern-twice" {
			t.Errorf("%+v", f)
		}
	}
}
