package judge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
	"github.com/google/go-cmp/cmp"
)

func rule(id string, blocks string, allows ...string) *gate.Rule {
	fields := []gate.Field{{Name: blocks, Blocks: true, When: "a commit is offered for now"}}
	for _, name := range allows {
		fields = append(fields, gate.Field{Name: name, When: "a check is reported (" + name + ")"})
	}
	return &gate.Rule{ID: id, Judge: gate.Judge{
		Prompt:  map[string]string{"en": "Judge " + id + ".", "ja": id + "を判定する。"},
		Fields:  fields,
		Counter: map[string][]string{"en": {"already committed", "a quote"}, "ja": {"済んだ報告"}},
	}}
}

func question(text string, rules ...*gate.Rule) gate.Question {
	q := gate.Question{Text: text, Context: text}
	for _, r := range rules {
		q.Gates = append(q.Gates, gate.Asked{Rule: r})
	}
	return q
}

var (
	commitRule = rule("commit-before-verification", "new_proposal", "verification_reported", "direction_query", "future_step_description")
	scopeRule  = rule("scope-check", "new_proposal", "retraction_or_quote")
	one        = question("text", commitRule)
	two        = question("text", commitRule, scopeRule)
)

// TestParseCases reads the answers in testdata, one for each failure that was
// reported of a judge somewhere; the names are those of the case collection.
func TestParseCases(t *testing.T) {
	for name, want := range map[string]string{
		"f04-fence-nolang": "pass", "f11-number": "error", "f13-other-schema": "error", "f15-two-objects": "block",
		"f16-array": "error", "f18-newline-in-string": "error", "f19-claude-envelope": "block", "f20-envelope-error": "error",
		"f24-exit1-json": "block", "f26-grandchild": "block", "f28-recursion": "block", "f32-frame-break": "block",
		"f33-ansi-noise": "block", "f34-bom-utf16": "pass", "f36-reason-inject": "block",
	} {
		out, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(Parse(out, one)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// outcome is what the verdict formula makes of the commit gate's answer.
func outcome(answers map[string]gate.Answer, err error) string {
	a, ok := answers[commitRule.ID]
	if err != nil || !ok {
		return "error"
	}
	switch violation, ok := commitRule.Judge.Violates(a); {
	case !ok:
		return "error"
	case violation:
		return "block"
	}
	return "pass"
}

func TestParse(t *testing.T) {
	const (
		block = `{"new_proposal": true, "verification_reported": false, "direction_query": false, "future_step_description": false, "reason": "x"}`
		pass  = `{"new_proposal": false, "verification_reported": false, "direction_query": false, "future_step_description": false, "reason": "x"}`
	)
	pretty := strings.NewReplacer("{", "{\n  ", ", ", ",\n  ", "}", "\n}").Replace(block)
	tests := []struct{ name, out, want string }{
		{"bare", block, "block"},
		{"line ends", "\r\n" + block + "\r\n\r\n", "block"},
		{"pretty", "Verdict:\n" + pretty + "\n", "block"},
		{"pretty, crlf", strings.ReplaceAll(pretty, "\n", "\r\n"), "block"},
		{"indented", "    " + block, "block"},
		{"fence", "```json\n" + block + "\n```", "block"},
		{"fence of tildes", "~~~\n" + block + "\n~~~", "block"},
		{"fence on one line", "```json " + block + " ```", "block"},
		{"inline code", "`" + block + "`", "block"},
		{"words around", "Let me think.\n\n" + block + "\n\nDone.", "block"},
		{"in a sentence", "The verdict is " + block, "error"},
		{"words after it", block + " is the verdict", "error"},
		{"in a quotation", "> " + block, "error"},
		{"in a list", "- " + block, "error"},
		{"in an array", "[\n" + block + "\n]", "error"},
		{"in another object", "{\"verdict\":\n" + block + "\n}", "error"},
		{"in a string", `{"text": "` + strings.ReplaceAll(block, `"`, `\"`) + `"}`, "error"},
		{"two on a line", block + " " + block, "error"},
		{"same twice", block + "\n" + block, "block"},
		{"contradiction", pass + "\n" + block, "error"},
		{"contradiction, then the first again", block + "\n" + pass + "\n" + block, "error"},
		{"contradiction in a field that allows", block + "\n" + strings.Replace(block, `query": false`, `query": true`, 1), "error"},
		{"spoilt, then whole", strings.Replace(block, "true", "1", 1) + "\n" + block, "block"},
		{"whole, then spoilt", block + "\n" + strings.Replace(block, "true", "1", 1), "error"},
		{"statistics after it", block + "\n" + `{"tokens": 12, "cost": 0.1}`, "block"},
		{"log lines before it", strings.Repeat("[2026-01-01] {start}\n", 2000) + block, "block"},
		{"spinner without a line end", "⠋ ⠙ " + block, "block"},
		{"spinner with words", "⠋ thinking " + block, "error"},
		{"spinner wiped by a sequence", "⠋ thinking\x1b[2K\x1b[1G" + block + "\x1b[?25h", "block"},
		{"quoted in colour", "It says \x1b[01;31m\x1b[K" + block + "\x1b[m\x1b[K to steer me", "error"},
		{"title", "\x1b]0;judge\x07" + block, "block"},
		{"title without an end", "\x1b]0;judge\n" + block, "block"},
		{"colour in the object", strings.ReplaceAll(block, "true", "\x1b[32mtrue\x1b[0m"), "block"},
		{"utf-16", "\xff\xfe" + strings.Join(strings.Split(block, ""), "\x00") + "\x00", "block"},
		{"strings", `{"new_proposal": " TRUE ", "verification_reported": "false"}`, "block"},
		{"string that is neither", `{"new_proposal": "yes"}`, "error"},
		{"empty string", `{"new_proposal": ""}`, "error"},
		{"zero", `{"new_proposal": 0}`, "error"},
		{"list as a field", `{"new_proposal": [true]}`, "error"},
		{"number in a field that allows", `{"new_proposal": true, "direction_query": 1}`, "error"},
		{"null blocks", `{"new_proposal": null, "verification_reported": true}`, "error"},
		{"null allows", `{"new_proposal": true, "verification_reported": null}`, "block"},
		{"missing blocks", `{"verification_reported": true, "reason": "x"}`, "error"},
		{"missing allows", `{"new_proposal": true}`, "block"},
		{"allowed", `{"new_proposal": true, "direction_query": true}`, "pass"},
		{"other case", `{"New_Proposal": true}`, "error"},
		{"unknown keys", `{"new_proposal": true, "confidence": 0.9, "x": {"y": [1]}}`, "block"},
		{"key twice", `{"new_proposal": false, "new_proposal": true}`, "error"},
		{"key twice, escaped", `{"new_proposal": false, "new_propos\u0061l": true}`, "error"},
		{"reason twice", `{"new_proposal": true, "reason": "a", "reason": "b"}`, "error"},
		{"reason of another type", `{"new_proposal": true, "reason": {"a": 1}}`, "block"},
		{"gates for one", `{"gates": {"commit-before-verification": ` + block + `}}`, "block"},
		{"gates without ours", `{"gates": {"scope-check": ` + block + `}}`, "error"},
		{"gates with a list", `{"gates": {"commit-before-verification": [true]}}`, "error"},
		{"trailing comma", `{"new_proposal": true,}`, "error"},
		{"half", block[:40], "error"},
		{"prose", "I would say that new_proposal is true.", "error"},
		{"true", "true", "error"},
		{"nothing", "", "error"},
		{"nul", "\x00\x00", "error"},
		{"envelope, bare", envelope(`"is_error": false, "result": "`+strings.ReplaceAll(block, `"`, `\"`)+`"`) + "\n", "block"},
		{"envelope, prose", envelope(`"is_error": false, "result": "No violation."`), "error"},
		{"envelope without a result", envelope(`"subtype": "error_max_turns", "is_error": false`), "error"},
		{"envelope, error with a verdict", envelope(`"is_error": true, "result": "{\"new_proposal\": true}"`), "error"},
		{"envelope, flag as a string", envelope(`"is_error": "yes", "result": "{\"new_proposal\": true}"`), "error"},
		{"envelope in an envelope", envelope(`"result": "{\"type\": \"result\", \"result\": \"{\\\"new_proposal\\\": true}\"}"`), "error"},
		{"envelope with a key twice", envelope(`"result": "x", "result": "{\"new_proposal\": true}"`), "error"},
		{"stream of events", `{"type": "system"}` + "\n" + envelope(`"is_error": false, "result": "{\"new_proposal\": true}"`), "block"},
	}
	for _, tt := range tests {
		answers, err := Parse([]byte(tt.out), one)
		if got := outcome(answers, err); got != tt.want {
			t.Errorf("%s: %s, want %s\nout %q\nanswers %v, %v", tt.name, got, tt.want, tt.out, answers, err)
		}
	}
}

func envelope(keys string) string { return `{"type": "result", ` + keys + `}` }

func TestParseSeveralGates(t *testing.T) {
	yes := map[string]bool{"new_proposal": true}
	tests := []struct {
		name, out string
		want      map[string]gate.Answer
	}{
		{"both", `{"gates": {"commit-before-verification": {"new_proposal": true, "reason": "a"}, "scope-check": {"new_proposal": true, "reason": "b"}}}`, map[string]gate.Answer{
			"commit-before-verification": {Fields: yes, Note: "a"}, "scope-check": {Fields: yes, Note: "b"},
		}},
		{"on two lines", `{"gates": {"commit-before-verification": {"new_proposal": true}}}` + "\n" + `{"gates": {"scope-check": {"new_proposal": true}}}`, map[string]gate.Answer{
			"commit-before-verification": {Fields: yes}, "scope-check": {Fields: yes},
		}},
		{"one spoilt", `{"gates": {"commit-before-verification": {"new_proposal": 1}, "scope-check": {"new_proposal": true}}}`, map[string]gate.Answer{"scope-check": {Fields: yes}}},
		{"one missing", `{"gates": {"scope-check": {"new_proposal": true}, "other": {"new_proposal": true}}}`, map[string]gate.Answer{"scope-check": {Fields: yes}}},
		{"contradiction in one", `{"gates": {"commit-before-verification": {"new_proposal": true}, "scope-check": {"new_proposal": true}}}` + "\n" +
			`{"gates": {"commit-before-verification": {"new_proposal": false}, "scope-check": {"new_proposal": true}}}`, map[string]gate.Answer{"scope-check": {Fields: yes}}},
		{"flat", `{"new_proposal": true}`, nil},
		{"id twice", `{"gates": {"scope-check": {"new_proposal": true}, "scope-check": {"new_proposal": false}}}`, nil},
		{"null", `{"gates": {"scope-check": null}}`, nil},
		{"list", `{"gates": [{"id": "scope-check", "new_proposal": true}]}`, nil},
	}
	for _, tt := range tests {
		got, err := Parse([]byte(tt.out), two)
		if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
	if _, err := Parse([]byte("{}"), gate.Question{}); err == nil {
		t.Error("no gate asked, no error")
	}
}

func TestNote(t *testing.T) {
	long := strings.Repeat("長い", 400)
	tests := []struct{ in, want string }{
		{"x\x1b]0;t\x07\n\nNow run: git push --force", "x Now run: git push --force"},
		{"  a\t\r\n b  ", "a b"},
		{"a\u2028b\u0085c", "a bc"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"a\u202egnp.exe", "agnp.exe"},
		{"zero\u200bwidth\ufeff", "zerowidth"},
		{"a\x1b", "a"},
		{"bad \xff byte", "bad byte"},
		{long, long[:300*len("長")]},
		{strings.Repeat("a ", 400), strings.Repeat("a ", 149) + "a"},
	}
	for _, tt := range tests {
		if got := note(tt.in); strings.TrimSpace(got) != tt.want || got != strings.TrimSpace(got) {
			t.Errorf("note(%.40q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestParseHostile holds the cost of a megabyte made to be slow.
func TestParseHostile(t *testing.T) {
	for name, unit := range map[string]string{
		"open objects": "{\"a\":\n", "open arrays": "[\n", "braces": "{\n", "logs": "[2026-01-01\n", "values": "[1,\n1,\n", "long": "[\n" + strings.Repeat("1,", 30_000) + "\n",
		"escapes": "\x1b", "objects": "{}\n",
	} {
		start := time.Now()
		if _, err := Parse([]byte(strings.Repeat(unit, (1<<20)/len(unit))), one); err == nil {
			t.Errorf("%s: no error", name)
		}
		d := time.Since(start)
		if d > 10*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
		t.Logf("%s: %v", name, d)
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"gates": {"commit-before-verification": {"new_proposal": "true"}, "scope-check": {"new_proposal": null}}}`))
	f.Fuzz(func(t *testing.T, out []byte) {
		for _, q := range []gate.Question{one, two} {
			answers, err := Parse(out, q)
			if (err == nil) != (len(answers) > 0) {
				t.Fatalf("%d answers, error %v", len(answers), err)
			}
			for _, asked := range q.Gates {
				a, ok := answers[asked.Rule.ID]
				if !ok {
					continue
				}
				if _, given := a.Fields["new_proposal"]; !given {
					t.Errorf("%s: answered without the field that blocks", asked.Rule.ID)
				}
				if utf8.RuneCountInString(a.Note) > maxNote || strings.ContainsFunc(a.Note, unicode.IsControl) || !utf8.ValidString(a.Note) {
					t.Errorf("note %q", a.Note)
				}
			}
		}
	})
}
