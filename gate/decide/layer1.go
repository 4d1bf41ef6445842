package decide

import (
	"regexp"
	"strings"
	"sync"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// message is the text of an event, cut up once for all gates.
type message struct{ final, context *view }

// view is a document with its sentences folded for the literals, each when it is
// first needed.
type view struct {
	*prose.Doc
	own, plain []string
}

func newView(text string) *view {
	d := prose.Parse(text)
	return &view{Doc: d, own: make([]string, len(d.Sentences)), plain: make([]string, len(d.Sentences))}
}

func newMessage(ev gate.Event) *message {
	m := &message{final: newView(ev.Text)}
	m.context = m.final // the turn holds nothing more
	if ev.Context != "" && ev.Context != ev.Text {
		m.context = newView(ev.Context)
	}
	return m
}

// possible reports whether a pattern with these clauses might match in text, the
// folded form of which is kept in cache.
func (e *Engine) possible(clauses [][]int, text string, cache *string) bool {
	if *cache == "" {
		folded, plain := gate.Squeeze(text)
		if !plain || folded == "" {
			return true
		}
		*cache = folded
	}
	return e.Rules.Filter.Possible(clauses, *cache)
}

// layer1 runs one gate's patterns. An outcome of "" means that the judge is to
// be asked about the hits.
func (e *Engine) layer1(rule *gate.Rule, index int, m *message) gate.GateTrace {
	gt := gate.GateTrace{Gate: rule.ID}
	signals, evidence := e.clauses(index)
	for si, s := range m.final.Sentences {
		if s.Own == "" || e.repeatsUs(m.final.Doc, s) {
			continue
		}
		for pi, p := range rule.Signals {
			if !e.possible(signals[pi], s.Own, &m.final.own[si]) || !match(p.Expr, s.Own) {
				continue
			}
			if ev, ok := e.evidence(rule, evidence, m, si); ok {
				gt.Evidence = append(gt.Evidence, ev)
			} else {
				gt.Hits = append(gt.Hits, hitAt(m.final.Doc, s, "signal", p.Expr))
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

func hitAt(d *prose.Doc, s prose.Sentence, kind, expr string) gate.Hit {
	return gate.Hit{Pattern: expr, Kind: kind, Sentence: d.Text[s.Start:s.End], Start: s.Start, Line: 1 + strings.Count(d.Text[:s.Start], "\n")}
}

// clauses are a gate's part of the prefilter, which lists the patterns of all
// gates in order.
func (e *Engine) clauses(index int) (signals, evidence [][][]int) {
	s, ev := 0, 0
	for _, r := range e.Rules.Gates[:index] {
		s += len(r.Signals)
		ev += len(r.Evidence)
	}
	return e.Rules.Filter.Signals[s:], e.Rules.Filter.Evidence[ev:]
}

// repeatsUs reports that a block only says again what hookctl told the agent:
// it names a gate in the brackets that the feedback uses.
func (e *Engine) repeatsUs(d *prose.Doc, s prose.Sentence) bool {
	b := d.Blocks[s.Block]
	text := d.Text[b.Start:b.End]
	if !strings.Contains(text, "[") {
		return false
	}
	for _, r := range e.Rules.Gates {
		if strings.Contains(text, "["+r.ID+"]") {
			return true
		}
	}
	return false
}

// evidence looks for what frees the hit in sentence si of the final message.
func (e *Engine) evidence(rule *gate.Rule, clauses [][][]int, m *message, si int) (gate.Hit, bool) {
	block := m.final.Blocks[m.final.Sentences[si].Block]
	for i, ev := range rule.Evidence {
		v, from, to := m.context, 0, len(m.context.Sentences)
		switch ev.Scope {
		case "sentence":
			v, from, to = m.final, si, si+1
		case "block":
			v, from, to = m.final, block.First, block.First+block.N
		}
		for k := from; k < to; k++ {
			s := v.Sentences[k]
			if s.Plain != "" && e.possible(clauses[i], s.Plain, &v.plain[k]) && affirmed(ev.Expr, s) {
				return hitAt(v.Doc, s, ev.Kind, ev.Expr), true
			}
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
