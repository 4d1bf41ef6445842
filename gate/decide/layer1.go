package decide

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// Bounds of the work on one message, so that no text keeps an agent waiting for
// longer than it grants its hook. No message that a person would read to its end
// comes near them.
const (
	maxText      = 256 << 10 // bytes of the final message that are looked at: its end
	maxHits      = 64        // sentences of one gate that go to the judge
	maxFreed     = 256       // sentences of one gate that evidence has freed
	maxNeighbour = 64        // sentences of a block looked at on each side of a hit
)

// message is the text of an event, cut up once for all gates.
type message struct{ final, context *view }

// view is a document with its sentences folded for the literals, each when it is
// first needed.
type view struct {
	*prose.Doc
	own, plain []folded
	all        folded // own as a whole: a literal that is not in it is in no sentence
	grams      gate.Grams
	// skipped is what was left out of the text before the document, in bytes and
	// in lines.
	skipped, lines int
}

func newView(text string) *view {
	d := prose.Parse(text)
	return &view{Doc: d, own: make([]folded, len(d.Sentences)), plain: make([]folded, len(d.Sentences))}
}

// folded is a text in which literals are searched, each once.
type folded struct {
	text  string
	known []int8 // by literal: 0 not looked for, 1 there, -1 not there
}

func (f *folded) has(literals []string, i int) bool {
	if f.known == nil {
		f.known = make([]int8, len(literals))
	}
	if f.known[i] == 0 {
		f.known[i] = -1
		if strings.Contains(f.text, literals[i]) {
			f.known[i] = 1
		}
	}
	return f.known[i] == 1
}

// fold readies a sentence for the literals. It reports false when only the
// patterns can tell.
func (f *folded) fold(text string) bool {
	if f.text == "" {
		squeezed, plain := gate.Squeeze(unmask.Replace(text))
		if !plain {
			return false
		}
		f.text = squeezed
	}
	return f.text != ""
}

// foldAll readies all own speech. Sentences for which only the patterns can tell
// are left out: no literal is asked of them.
func (v *view) foldAll() {
	if v.all.text != "" {
		return
	}
	var b strings.Builder
	for i := range v.Sentences {
		if s := &v.Sentences[i]; s.Own != "" && v.own[i].fold(s.Own) {
			b.WriteString(v.own[i].text)
		}
		b.WriteByte('\n')
	}
	v.all.text = b.String()
	v.grams.Set(v.all.text)
}

func newMessage(ev gate.Event) *message {
	end := lastLines(ev.Text, maxText)
	m := &message{final: newView(end)}
	m.final.skipped = len(ev.Text) - len(end)
	m.final.lines = strings.Count(ev.Text[:m.final.skipped], "\n")
	context := ev.Context
	if context == "" {
		context = ev.Text
	}
	if context = lastBytes(context, gate.ContextBytes); context == end {
		m.context = m.final // the turn holds nothing more
	} else {
		m.context = newView(context)
	}
	return m
}

// lastBytes cuts text to at most its last n bytes, at a character.
func lastBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// lastLines is lastBytes, cut at a line where there is one.
func lastLines(text string, n int) string {
	cut := lastBytes(text, n)
	if _, rest, ok := strings.Cut(cut, "\n"); ok && len(cut) < len(text) && rest != "" {
		return rest
	}
	return cut
}

// unmask puts a character that is no part of a word in the place of each mask, so
// that a text with inline code or a quote can be searched by literals: no literal
// holds a mask, and at either of the two a word ends.
var unmask = strings.NewReplacer(string(prose.QuoteMark), "·", string(prose.CodeMark), "·")

// mayHit reports whether a signal with these needs might match in the own
// speech of sentence k.
func (e *Engine) mayHit(needs gate.Needs, v *view, k int) bool {
	if v.own[k].text == "" {
		return true
	}
	return needs.Possible(func(i int) bool { return v.own[k].has(e.Rules.Literals, i) })
}

// open tells of each signal whether its literals stand anywhere in the own speech.
// The sentences that could not be folded are not asked.
func (e *Engine) open(signals []gate.Pattern, v *view) []bool {
	v.foldAll()
	open := make([]bool, len(signals))
	for i := range open {
		open[i] = signals[i].Needs.Possible(func(i int) bool { return v.there(e.Rules.Literals, i) })
	}
	return open
}

// there reports whether a literal stands anywhere in the own speech.
func (v *view) there(literals []string, i int) bool {
	if i < len(v.all.known) && v.all.known[i] != 0 {
		return v.all.known[i] > 0
	}
	return v.grams.May(literals[i]) && v.all.has(literals, i)
}

// mayFree is mayHit for evidence, which looks at code too.
func (e *Engine) mayFree(needs gate.Needs, v *view, k int) bool {
	if !v.plain[k].fold(v.Sentences[k].Plain) {
		return true
	}
	return needs.Possible(func(i int) bool { return v.plain[k].has(e.Rules.Literals, i) })
}

// layer1 runs one gate's patterns. An outcome of "" means that the judge is to
// be asked about the hits.
func (e *Engine) layer1(rule *gate.Rule, m *message) gate.GateTrace {
	gt := gate.GateTrace{Gate: rule.ID}
	free := freeing{e: e, rule: rule, m: m}
	open := e.open(rule.Signals, m.final)
	for si, s := range m.final.Sentences {
		if len(gt.Hits) == maxHits || len(gt.Evidence) == maxFreed {
			break
		}
		if s.Own == "" || e.repeatsUs(m.final.Doc, s) {
			continue
		}
		for pi, p := range rule.Signals {
			if !open[pi] && m.final.own[si].text != "" || !e.mayHit(p.Needs, m.final, si) || !match(p.Expr, s.Own) {
				continue
			}
			if ev, ok := free.find(si); ok {
				gt.Evidence = append(gt.Evidence, ev)
			} else {
				gt.Hits = append(gt.Hits, hitAt(m.final, s, "signal", p.Expr))
			}
			break
		}
	}
	switch {
	case len(gt.Hits) > 0:
	case len(gt.Evidence) > 0:
		gt.Outcome = "evidence"
	default:
		gt.Outcome = "no hit"
	}
	return gt
}

func hitAt(v *view, s prose.Sentence, kind, expr string) gate.Hit {
	return gate.Hit{
		Pattern: expr, Kind: kind, Sentence: v.Text[s.Start:s.End],
		Start: v.skipped + s.Start, Line: 1 + v.lines + strings.Count(v.Text[:s.Start], "\n"),
	}
}

// repeatsUs reports that a block only says again what hookctl told the agent:
// it names a gate in the brackets that the feedback uses.
func (e *Engine) repeatsUs(d *prose.Doc, s prose.Sentence) bool {
	b := d.Blocks[s.Block]
	text := d.Text[b.Start:b.End]
	if !strings.Contains(text, "[") {
		return false
	}
	for _, id := range e.Rules.IDs() {
		if strings.Contains(text, "["+id+"]") {
			return true
		}
	}
	return false
}

// freeing looks for the evidence that frees the hits of one gate in one message.
type freeing struct {
	e    *Engine
	rule *gate.Rule
	m    *message
	// anywhere is the evidence that frees every hit, once it has been looked for.
	anywhere *gate.Hit
	looked   bool
}

// find returns what frees the hit in sentence si of the final message.
func (f *freeing) find(si int) (gate.Hit, bool) {
	block := f.m.final.Blocks[f.m.final.Sentences[si].Block]
	for i, ev := range f.rule.Evidence {
		var from, to int
		switch ev.Scope {
		case "sentence":
			from, to = si, si+1
		case "block":
			from, to = max(block.First, si-maxNeighbour), min(block.First+block.N, si+maxNeighbour)
		default:
			continue
		}
		if hit, ok := f.in(f.m.final, i, from, to); ok {
			return hit, true
		}
	}
	if !f.looked {
		f.looked = true
		for i, ev := range f.rule.Evidence {
			if ev.Scope == "sentence" || ev.Scope == "block" {
				continue
			}
			if hit, ok := f.in(f.m.context, i, 0, len(f.m.context.Sentences)); ok {
				f.anywhere = &hit
				break
			}
		}
	}
	if f.anywhere == nil {
		return gate.Hit{}, false
	}
	return *f.anywhere, true
}

// in looks for pattern i of the evidence in some sentences of a document.
func (f *freeing) in(v *view, i, from, to int) (gate.Hit, bool) {
	ev := f.rule.Evidence[i]
	for k := from; k < to; k++ {
		s := v.Sentences[k]
		if s.Plain != "" && f.e.mayFree(ev.Needs, v, k) && affirmed(ev.Expr, s) {
			return hitAt(v, s, ev.Kind, ev.Expr), true
		}
	}
	return gate.Hit{}, false
}

// affirmed reports that a pattern matches in a clause that does not take it
// back: no negation, no condition, no wish.
func affirmed(expr string, s prose.Sentence) bool {
	if !match(expr, s.Plain) {
		return false
	}
	clauses := prose.Clauses(s.Plain, s.Lang)
	for _, c := range clauses {
		if match(expr, c) && !unreal(c, s.Lang) {
			return true
		}
	}
	return false
}

// patterns are the expressions compiled so far in this process. One event is
// decided at a time, but tests and eval decide many at once.
var patterns sync.Map

// match compiles a pattern when it is first needed: 100 patterns compiled at
// start would cost more than the whole process.
func match(expr, text string) bool {
	re, ok := patterns.Load(expr)
	if !ok {
		// bundle.Compile has compiled every pattern before; Decide recovers.
		re, _ = patterns.LoadOrStore(expr, regexp.MustCompile("(?i)"+expr))
	}
	return re.(*regexp.Regexp).MatchString(text)
}
