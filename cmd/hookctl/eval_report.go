package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate/eval"
)

// evalJSON is the JSON report of eval.
type evalJSON struct {
	Schema int    `json:"schema"`
	Rules  string `json:"rules"`
	judgedJSON
	Broken []eval.Broken `json:"broken"`
	// With two judges: the second one's report, and where the two differ.
	Second      *judgedJSON       `json:"second,omitempty"`
	Differences []eval.Difference `json:"differences,omitempty"`
}

// judgedJSON is what one judge did.
type judgedJSON struct {
	Judge    string              `json:"judge"`
	Messages int                 `json:"messages"`
	Blocked  int                 `json:"blocked_messages"`
	Asked    int                 `json:"asked_messages"`
	Blocks   *eval.Rate          `json:"block_rate"`
	All      countsJSON          `json:"all"`
	Gates    map[string]gateJSON `json:"gates"`
	Unknown  map[string]int      `json:"unknown_gates,omitempty"`
	Verdicts []eval.Row          `json:"verdicts"`
}

type gateJSON struct {
	countsJSON
	Languages map[string]countsJSON `json:"languages"`
}

type countsJSON struct {
	eval.Counts
	Precision   *eval.Rate `json:"precision"` // null: nothing was blocked
	Recall      *eval.Rate `json:"recall"`    // null: nothing had to be blocked
	FalseBlocks *eval.Rate `json:"false_block_rate"`
}

func ratesOf(c eval.Counts) countsJSON {
	return countsJSON{c, c.Precision(), c.Recall(), c.FalseBlocks()}
}

func judgedOf(r *eval.Report) judgedJSON {
	j := judgedJSON{
		Judge: r.Judge, Messages: r.Messages, Blocked: r.Blocked, Asked: r.Asked, Blocks: r.Blocks(), All: ratesOf(r.All.Counts),
		Gates: map[string]gateJSON{}, Unknown: r.Unknown, Verdicts: r.Rows,
	}
	if j.Verdicts == nil {
		j.Verdicts = []eval.Row{}
	}
	for id, g := range r.Gates {
		out := gateJSON{ratesOf(g.Counts), map[string]countsJSON{}}
		for lang, c := range g.Languages {
			out.Languages[lang] = ratesOf(*c)
		}
		j.Gates[id] = out
	}
	return j
}

func evalReport(from string, reports []*eval.Report, broken []eval.Broken) evalJSON {
	out := evalJSON{Schema: schema, Rules: from, judgedJSON: judgedOf(reports[0]), Broken: broken}
	if broken == nil {
		out.Broken = []eval.Broken{}
	}
	if len(reports) == 2 {
		second := judgedOf(reports[1])
		out.Second, out.Differences = &second, eval.Differences(reports[0], reports[1])
	}
	return out
}

func (e *env) printEval(from string, reports []*eval.Report, verbose bool) {
	for _, r := range reports {
		e.printf("%s by %s, rules: %s\n", plural(r.Messages, "message", "messages"), r.Judge, from)
		e.printf("  %d went to the judge, %d blocked%s\n", r.Asked, r.Blocked, perThousand(r.Blocks()))
	}
	first := reports[0]
	for _, id := range slices.Sorted(maps.Keys(first.Unknown)) {
		e.note("these rules have no gate %s: %s not counted", id, plural(first.Unknown[id], "label is", "labels are"))
	}
	if first.All.Counted() == 0 {
		e.printf("no label to count by\n")
	} else {
		e.printTable(reports)
	}
	if len(reports) == 2 {
		e.printDifferences(reports)
	}
	if verbose {
		for _, r := range reports {
			e.printWrong(r)
		}
	}
}

const evalLine = "%-*s %-5s %-8s %7s %5s %5s %5s %5s   %-18s %-18s %s\n"

// printTable prints the judges of one gate and language one below the other.
func (e *env) printTable(reports []*eval.Report) {
	first := reports[0]
	width := len("all together")
	for _, id := range first.Order {
		width = max(width, len(id))
	}
	e.printf("\n"+evalLine, width, "gate", "lang", "judge", "counted", "tp", "fp", "fn", "tn", "precision", "recall", "false blocks of 1,000")
	rows := func(name, lang string, of func(*eval.Report) eval.Counts) {
		for i, r := range reports {
			c := of(r)
			if c.Counted() == 0 {
				continue
			}
			if i > 0 {
				name, lang = "", ""
			}
			e.printf(evalLine, width, name, lang, r.Judge, itoa(c.Counted()), itoa(c.TP), itoa(c.FP), itoa(c.FN), itoa(c.TN),
				share(c.Precision(), 1), share(c.Recall(), 1), share(c.FalseBlocks(), 1000)+failedOf(c))
		}
	}
	group := func(name string, of func(*eval.Report) *eval.Group) {
		rows(name, "all", func(r *eval.Report) eval.Counts { return of(r).Counts })
		langs := of(first).Langs()
		if len(langs) < 2 {
			return
		}
		for _, lang := range langs {
			rows("", lang, func(r *eval.Report) eval.Counts { return *of(r).Languages[lang] })
		}
	}
	for _, id := range first.Order {
		group(id, func(r *eval.Report) *eval.Group { return r.Gates[id] })
	}
	group("all together", func(r *eval.Report) *eval.Group { return r.All })
}

func failedOf(c eval.Counts) string {
	if c.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("  (%d failed)", c.Failed)
}

// share prints a rate of one or of a thousand with its interval.
func share(r *eval.Rate, of float64) string {
	switch {
	case r == nil:
		return "-"
	case of == 1:
		return fmt.Sprintf("%.2f (%.2f-%.2f)", r.Value, r.Low, r.High)
	}
	return fmt.Sprintf("%.1f (%.1f-%.1f)", r.Value*of, r.Low*of, r.High*of)
}

func perThousand(r *eval.Rate) string {
	if r == nil {
		return ""
	}
	return ": " + share(r, 1000) + " of 1,000"
}

func (e *env) printDifferences(reports []*eval.Report) {
	all := eval.Differences(reports[0], reports[1])
	e.printf("\n%s %s\n", plural(len(all), "verdict", "verdicts"), verb(len(all), "differs", "differ"))
	for _, d := range all[:min(len(all), maxNamed)] {
		e.printf("  %s %s: %s %s, %s %s%s\n    %s\n", oneLine(d.ID), d.Gate, reports[0].Judge, d.First, reports[1].Judge, d.Second, labelled(d.Label), oneLine(d.Sentence))
	}
	if n := len(all); n > maxNamed {
		e.printf("  and %d more (--json names all)\n", n-maxNamed)
	}
}

func labelled(label string) string {
	if label == "" {
		return ""
	}
	return " (label " + label + ")"
}

func (e *env) printWrong(r *eval.Report) {
	for _, row := range r.Rows {
		if what := row.Wrong(); what != "" {
			e.printf("%s by %s: %s %s\n", what, r.Judge, row.Gate, oneLine(row.ID))
			if row.Sentence != "" {
				e.printf("  %s\n", oneLine(row.Sentence))
			}
		}
	}
}

// maxShown bounds a sentence of somebody else's text on a terminal, in characters.
const maxShown = 160

// oneLine makes text from a file fit for a line of a terminal: no control
// characters, bounded.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || 0x7f <= r && r < 0xa0 || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxShown {
		s = string(r[:maxShown-1]) + "…"
	}
	return s
}
