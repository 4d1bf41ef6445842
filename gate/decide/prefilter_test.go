package decide

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

func embedded(t testing.TB) *gate.Rules {
	t.Helper()
	r, err := gate.DecodeRules(compiled.Rules())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unfiltered are rules whose literals hold no text back.
func unfiltered(t testing.TB) *gate.Rules {
	r := embedded(t)
	for _, g := range r.Gates {
		for i := range g.Signals {
			g.Signals[i].Needs = nil
		}
		for i := range g.Evidence {
			g.Evidence[i].Needs = nil
		}
	}
	return r
}

// messages are what the embedded bundle's cases and the reported ones hold.
func messages(t testing.TB) (all []string) {
	t.Helper()
	bundle := manifests.Embedded()
	cases, err := manifests.Cases(bundle)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if !c.IsEvent {
			all = append(all, string(c.Body))
		}
	}
	files, _ := filepath.Glob("../../testdata/cases/*/stdin.json")
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var e struct {
			Text string `json:"last_assistant_message"`
		}
		if json.Unmarshal(raw, &e) == nil && e.Text != "" && len(e.Text) < 10_000 {
			all = append(all, e.Text)
		}
	}
	if len(all) < 50 {
		t.Fatalf("only %d messages: nothing is tested", len(all))
	}
	return all
}

// mutations write a message in another way that a reader takes for the same.
var mutations = map[string]func(r *rand.Rand, s string) string{
	"as it is": func(_ *rand.Rand, s string) string { return s },
	"emphasis": func(r *rand.Rand, s string) string {
		mark := []string{"*", "**", "_", "__", "***"}[r.IntN(5)]
		return eachWord(r, s, func(w string) string { return mark + w + mark })
	},
	"emphasis inside words": func(r *rand.Rand, s string) string {
		return insert(r, s, func() string { return []string{"*", "**", "__"}[r.IntN(3)] })
	},
	"wrapped": func(r *rand.Rand, s string) string {
		return strings.Map(func(c rune) rune {
			if c == ' ' && r.IntN(3) == 0 {
				return '\n'
			}
			return c
		}, s)
	},
	"wrapped between characters": func(r *rand.Rand, s string) string {
		return eachRune(r, s, 6, func(c rune) string {
			if c >= 0x3000 {
				return string(c) + "\n"
			}
			return string(c)
		})
	},
	"CRLF":       func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"upper case": func(_ *rand.Rand, s string) string { return strings.ToUpper(s) },
	"full width": func(r *rand.Rand, s string) string {
		return eachRune(r, s, 2, func(c rune) string {
			if '!' <= c && c <= '~' {
				c += 0xFF01 - '!'
			}
			return string(c)
		})
	},
	"zero width": func(r *rand.Rand, s string) string {
		return insert(r, s, func() string { return string([]rune{0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD}[r.IntN(6)]) })
	},
	"other spaces": func(r *rand.Rand, s string) string {
		return eachRune(r, s, 2, func(c rune) string {
			if c == ' ' {
				return string([]rune{0xA0, 0x2003, 0x202F, 0x3000, '\t'}[r.IntN(5)])
			}
			return string(c)
		})
	},
	"more spaces":  func(_ *rand.Rand, s string) string { return strings.ReplaceAll(s, " ", "   ") },
	"decomposed":   func(_ *rand.Rand, s string) string { return norm.NFD.String(s) },
	"curly quotes": func(_ *rand.Rand, s string) string { return strings.NewReplacer("'", "’", `"`, "”").Replace(s) },
	"links": func(r *rand.Rand, s string) string {
		return eachWord(r, s, func(w string) string { return "[" + w + "](https://x.example/y)" })
	},
	"tags": func(r *rand.Rand, s string) string {
		return eachWord(r, s, func(w string) string { return "<b>" + w + "</b>" })
	},
	"escapes": func(r *rand.Rand, s string) string { return insert(r, s, func() string { return `\-` }) },
	"list":    func(_ *rand.Rand, s string) string { return "- " + strings.ReplaceAll(s, "\n", "\n  ") },
	"half-width kana": func(_ *rand.Rand, s string) string {
		return strings.NewReplacer("コ", "ｺ", "ミ", "ﾐ", "ッ", "ｯ", "ト", "ﾄ", "プ", "ﾌﾟ", "シ", "ｼ", "ュ", "ｭ").Replace(s)
	},
}

func eachRune(r *rand.Rand, s string, one int, f func(rune) string) string {
	var b strings.Builder
	for _, c := range s {
		if r.IntN(one) == 0 {
			b.WriteString(f(c))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func eachWord(r *rand.Rand, s string, f func(string) string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if w != "" && !strings.Contains(w, "\n") && r.IntN(3) == 0 {
			words[i] = f(w)
		}
	}
	return strings.Join(words, " ")
}

func insert(r *rand.Rand, s string, what func() string) string {
	return eachRune(r, s, 8, func(c rune) string { return what() + string(c) })
}

// The fast path says "no hit" only to what no signal matches, and the literals
// change nothing in what the full path finds.
func TestPrefilterHoldsNothingBack(t *testing.T) {
	filtered, all := &Engine{Rules: embedded(t)}, &Engine{Rules: unfiltered(t)}
	r := rand.New(rand.NewPCG(1, 2))
	hits := map[string]int{}
	names := slices.Sorted(maps.Keys(mutations))
	for i, text := range messages(t) {
		for k, name := range names {
			if (i+k)%every != 0 {
				continue
			}
			m := mutations[name](r, text)
			want := outcomesOf(all, m)
			for id, o := range want {
				if o.hits+o.evidence == 0 {
					continue
				}
				hits[name]++
				if !filtered.Rules.Filter().Maybe(m) {
					t.Fatalf("%s: %s hits, and the fast path says no hit: %q", name, id, m)
				}
			}
			if got := outcomesOf(filtered, m); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: with literals %v, without %v: %q", name, got, want, m)
			}
		}
	}
	for name := range mutations {
		if hits[name] < 10 {
			t.Errorf("%s: only %d hits: the mutation makes nothing that is tested", name, hits[name])
		}
	}
}

// every spares two of three pairs of a message and a mutation; with 1 the test
// takes all, and a quarter of a minute.
const every = 3

type found struct{ hits, evidence int }

// outcomesOf is what layer 1 finds, by gate.
func outcomesOf(e *Engine, text string) map[string]found {
	all := map[string]found{}
	m := newMessage(gate.Event{Kind: gate.Stop, Text: text})
	for i := range e.Rules.Gates {
		all[e.Rules.Gates[i].ID] = outcomeOf(e, i, m)
	}
	return all
}

// outcomeOf is what it finds for one of them.
func outcomeOf(e *Engine, i int, m *message) found {
	rule := &e.Rules.Gates[i]
	if len(rule.Signals) == 0 {
		return found{}
	}
	gt := e.layer1(rule, m)
	return found{len(gt.Hits), len(gt.Evidence)}
}

// FuzzPrefilter looks at a few lines and one gate at a time: without literals
// every pattern runs on every sentence, which for whole messages and all gates
// takes seconds under the fuzzer's instrumentation.
func FuzzPrefilter(f *testing.F) {
	filtered, all := &Engine{Rules: embedded(f)}, &Engine{Rules: unfiltered(f)}
	const most = 160 // bytes
	for i, m := range messages(f) {
		if i%8 != 0 { // all are in the tests above; the fuzzer tries every seed first
			continue
		}
		for line := range strings.Lines(m) {
			if len(line) <= most {
				f.Add(line, uint8(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		if len(text) > most || !utf8.ValidString(text) {
			t.Skip()
		}
		id := int(which) % len(all.Rules.Gates)
		m := newMessage(gate.Event{Kind: gate.Stop, Text: text})
		want := outcomeOf(all, id, m)
		if want.hits+want.evidence > 0 && !filtered.Rules.Filter().Maybe(text) {
			t.Fatalf("%s hits %q, and the fast path says no hit", all.Rules.Gates[id].ID, text)
		}
		if got := outcomeOf(filtered, id, m); got != want {
			t.Fatalf("%q: with literals %v, without %v", text, got, want)
		}
	})
}

// Nearly every sentence of an agent holds inline code or a quote. If its literals
// could not be searched, every pattern would run on it.
func TestMaskedSentencesAreFiltered(t *testing.T) {
	e := &Engine{Rules: embedded(t)}
	d := newView("The `printer` keeps \"all\" keys.")
	d.foldAll()
	own := d.Sentences[0].Own
	if !strings.ContainsRune(own, '\uE001') || !strings.ContainsRune(own, '\uE000') {
		t.Fatalf("nothing is masked in %q", own)
	}
	for i, clauses := range e.Rules.Filter().Signals {
		if len(clauses) > 0 && e.mayHit(clauses, d, 0) {
			t.Errorf("signal %d might match %q", i, own)
		}
	}
}
