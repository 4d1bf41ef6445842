package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

// rules are two text gates, one of which only warns, one that is off, and a tool
// gate that lies between them.
func rules() *gate.Rules {
	text := func(id string, mode gate.Mode, lit int) gate.Rule {
		return gate.Rule{
			ID: id, Mode: mode, Events: []gate.Kind{gate.Stop}, Feedback: map[string]string{"en": "x"},
			Signals: []gate.Pattern{{Lang: "en", Expr: []string{"push", "later", "off"}[lit], Needs: gate.Needs{1, uint16(lit)}}},
			Judge:   gate.Judge{Fields: []gate.Field{{Name: "yes", Blocks: true}}},
		}
	}
	return &gate.Rules{
		Literals: []string{"push", "later", "off"},
		Gates: []gate.Rule{
			text("a", gate.Enforce, 0),
			{ID: "tool", Mode: gate.Enforce, Events: []gate.Kind{gate.PreTool}},
			text("b", gate.Warn, 1),
			text("c", gate.Off, 2),
		},
		Executables: gate.Executables{Hooks: []gate.Hook{{ID: "h", Events: []gate.Kind{gate.Stop}, Mode: gate.Enforce}}},
	}
}

// bangs blocks what is said with an exclamation mark and fails on a question.
func bangs(_ context.Context, q gate.Question) (map[string]gate.Answer, error) {
	if strings.Contains(q.Text, "?") {
		return nil, errors.New("no answer")
	}
	out := map[string]gate.Answer{}
	for _, a := range q.Gates {
		out[a.Rule.ID] = gate.Answer{Fields: map[string]bool{"yes": strings.Contains(q.Text, "!")}}
	}
	return out, nil
}

const file = "\xef\xbb\xbf" + `{"id":"1","lang":"en","text":"I push!","labels":[{"gate":"a","label":"block","note":"x","readers":2},{"gate":"b","label":"allow"}],"more":{}}
{"id":"2","lang":"en","text":"I push!","labels":[{"gate":"a","label":"allow"}]}

{"id":"3","lang":"ja","text":"I push later.","labels":[{"gate":"a","label":"block"},{"gate":"b","label":"either"}]}
{"id":"4","text":"off later!","labels":[{"gate":"c","label":"block"},{"gate":"b","label":"either"}]}
not JSON
{"id":"5"}
{"id":"6","text":"push?","labels":[{"gate":"a","label":"block"}]}
{"id":"7","text":"x","labels":[{"gate":"a","label":"maybe"}]}
{"id":"8","text":"x","labels":[{"gate":"a","label":"allow"},{"gate":"a","label":"block"}]}
{"text":"nothing","lang":"<script>"}`

func run(t *testing.T, in string, asks ...gate.Asker) ([]*Report, []Broken) {
	t.Helper()
	var subjects []*Subject
	for i, ask := range asks {
		subjects = append(subjects, NewSubject(rules(), fmt.Sprint(i), ask))
	}
	got, broken, err := Run(t.Context(), strings.NewReader(in), subjects, 3)
	if err != nil {
		t.Fatal(err)
	}
	return got, broken
}

func TestRun(t *testing.T) {
	reports, broken := run(t, file, bangs)
	r := reports[0]
	if r.Messages != 6 || r.Blocked != 3 || r.Asked != 5 {
		t.Errorf("%d messages, %d blocked, %d asked", r.Messages, r.Blocked, r.Asked)
	}
	if want := []string{"a", "b"}; !slices.Equal(r.Order, want) {
		t.Errorf("gates %q, want %q", r.Order, want)
	}
	if got, want := r.Gates["a"].Counts, (Counts{TP: 1, FP: 1, FN: 2, Failed: 1}); got != want {
		t.Errorf("a: %+v, want %+v", got, want)
	}
	if got, want := r.Gates["b"].Counts, (Counts{TN: 1}); got != want {
		t.Errorf("b: %+v, want %+v: either is not counted", got, want)
	}
	if got, want := *r.Gates["a"].Languages["en"], (Counts{TP: 1, FP: 1}); got != want {
		t.Errorf("a in en: %+v, want %+v", got, want)
	}
	if langs := r.Gates["a"].Langs(); !slices.Equal(langs, []string{"en", "ja", "other"}) {
		t.Errorf("languages %q", langs)
	}
	if got, want := r.All.Counts, (Counts{TP: 1, FP: 1, FN: 2, Failed: 1}); got != want {
		t.Errorf("all: %+v, want %+v", got, want)
	}
	if r.Unknown["c"] != 1 || len(r.Unknown) != 1 {
		t.Errorf("unknown gates: %v", r.Unknown)
	}
	var lines []string
	for _, b := range broken {
		lines = append(lines, fmt.Sprintf("%d %s", b.Line, b.Why))
	}
	want := []string{
		"6 invalid character 'o' in literal null (expecting 'u')", "7 no text",
		`9 label "maybe" of gate "a", want allow, block or either`, `10 two labels of gate "a" that contradict`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("broken: %q", lines)
	}
}

func TestRows(t *testing.T) {
	reports, _ := run(t, file, bangs)
	var got []string
	for _, r := range reports[0].Rows {
		got = append(got, strings.Join([]string{r.ID, r.Gate, r.Verdict, r.Sentence, r.Label, r.Wrong()}, "|"))
	}
	want := []string{
		"1|a|block|I push!|block|", "1|b|allow||allow|", "2|a|block|I push!|allow|false block",
		"3|a|allow|I push later.|block|missed", "3|b|allow|I push later.|either|", "4|b|block|off later!|either|",
		"6|a|failed|push?|block|missed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestTwoJudges(t *testing.T) {
	reports, _ := run(t, file, bangs, nil)
	if r := reports[1]; r.Blocked != 0 || r.Asked != 5 {
		t.Errorf("without a judge: %d blocked, %d hit", r.Blocked, r.Asked)
	}
	var got []string
	for _, d := range Differences(reports[0], reports[1]) {
		got = append(got, d.ID+d.Gate+" "+d.First+" "+d.Second+" "+d.Label)
	}
	want := []string{"1a block allow block", "2a block allow allow", "4b block allow either", "6a failed allow block"}
	if !slices.Equal(got, want) {
		t.Errorf("differences: %q", got)
	}
}

func TestNothingToCount(t *testing.T) {
	for name, in := range map[string]string{"empty": "", "blank": "\n \n", "no labels": `{"text":"I push!"}`, "no text": `{"text":""}` + "\n"} {
		reports, broken := run(t, in, bangs)
		r := reports[0]
		if len(broken) > 0 || r.All.Counted() != 0 || r.All.Precision() != nil || r.All.FalseBlocks() != nil {
			t.Errorf("%s: %+v, %v", name, r, broken)
		}
	}
	if reports, _ := run(t, `{"text":"I push!"}`, bangs); reports[0].Blocked != 1 || reports[0].Rows[0].ID != "line 1" {
		t.Errorf("a message without a label: %+v", reports[0])
	}
}

func TestLineTooLong(t *testing.T) {
	long := `{"text":"` + strings.Repeat("x", maxLine) + `"}`
	for name, in := range map[string]string{"first": long + "\n" + `{"text":"I push!"}` + "\n", "last": `{"text":"I push!"}` + "\n" + long} {
		reports, broken := run(t, in, bangs)
		if reports[0].Messages != 1 || len(broken) != 1 || !strings.Contains(broken[0].Why, "32 MiB") {
			t.Errorf("%s: %d messages, %v", name, reports[0].Messages, broken)
		}
	}
}

func TestReadFails(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`{"text":"x"}`+"\n"), failing{})
	if _, _, err := Run(t.Context(), in, []*Subject{NewSubject(rules(), "x", nil)}, 2); !errors.Is(err, errDisk) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Run(ctx, strings.NewReader(file), []*Subject{NewSubject(rules(), "x", nil)}, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

var errDisk = errors.New("the disk is gone")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }

// The rules that are measured stay as they were.
func TestSubjectChangesNoRules(t *testing.T) {
	r := rules()
	NewSubject(r, "x", nil)
	if r.Gates[2].Mode != gate.Warn || len(r.Hooks) != 1 {
		t.Errorf("changed: %+v", r)
	}
}

// 81 of 263, 15 of 148, 0 of 20 and 1 of 29 are the examples in R. G. Newcombe,
// Statistics in Medicine 17 (1998), table I, to four digits; for k = n the lower
// bound is n/(n+z²).
func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{10, 10, 0.7225, 1},
		{1, 1, 0.2065, 1},
	} {
		r := rate(tt.k, tt.n)
		if math.Abs(r.Low-tt.low) > 5e-5 || math.Abs(r.High-tt.high) > 5e-5 || math.Abs(r.Value-float64(tt.k)/float64(tt.n)) > 1e-6 {
			t.Errorf("%d of %d: %+v, want %v to %v", tt.k, tt.n, *r, tt.low, tt.high)
		}
	}
	if rate(0, 0) != nil {
		t.Error("nothing of nothing is a share")
	}
	for n := 1; n < 60; n++ {
		for k := 0; k <= n; k++ {
			if r := rate(k, n); r.Low > r.Value || r.Value > r.High || r.Low < 0 || r.High > 1 {
				t.Errorf("%d of %d: %+v", k, n, *r)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file)
	f.Add("{}\r\n{\"text\":1}")
	f.Fuzz(func(t *testing.T, in string) {
		last := 0
		err := read(strings.NewReader(in), func(line int, m Message, err error) bool {
			if line <= last || err == nil && (m.ID == "" || m.Lang == "") {
				t.Fatalf("line %d after %d: %+v", line, last, m)
			}
			last = line
			return true
		})
		if err != nil || last > 1+strings.Count(in, "\n") {
			t.Fatalf("%v, %d lines", err, last)
		}
	})
}
