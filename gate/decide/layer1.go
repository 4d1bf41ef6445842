package decide

import (
	"regexp"
	"strings"
	"sync"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// message is the text of an event, cut up once for all gates.
type message struct {
	final    *prose.Doc
	context  *prose.Doc // the same as final when the turn holds nothing more
	squeezed []string   // of each sentence of final, for the literals; "" unknown
}

func newMessage(ev gate.Event) *message {
	m := &message{final: prose.Parse(ev.Text)}
	m.context = m.final
	if ev.Context != "" && ev.Context != ev.Text {
		m.context = prose.Parse(ev.Context)
	}
	m.squeezed = make([]string, len(m.final.Sentences))
	for i, s := range m.final.Sentences {
		if f, plain := gate.Squeeze(s.Own); plain {
			m.squeezed[i] = f
		}
	}
	return m
}

// layer1 runs one gate's patterns. An outcome of "" means that the judge is to
// be asked about the hits.
func (e *Engine) layer1(rule *gate.Rule, index int, m *message) gate.GateTrace {
	gt := gate.GateTrace{Gate: rule.ID}
	first := e.firstSignal(index)
	for si, s := range m.final.Sentences {
		if s.Own == "" || e.repeatsUs(m.final, s) {
			continue
		}
		for pi, p := range rule.Signals {
			if !e.possible(first+pi, m.squeezed[si]) || !match(p.Expr, s.Own) {
				continue
			}
			hit := gate.Hit{Pattern: p.Expr, Kind: "signal", Sentence: m.final.Text[s.Start:s.End], Start: s.Start, Line: 1 + strings.Count(m.final.Text[:s.Start], "\n")}
			if ev, ok := evidence(rule, m, si); ok {
				gt.Evidence = append(gt.Evidence, ev)
			} else {
				gt.Hits = append(gt.Hits, hit)
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

// firstSignal is the index of a gate's first signal in the prefilter, which
// lists the signals of all gates in order.
func (e *Engine) firstSignal(gateIndex int) int {
	n := 0
	for _, r := range e.Rules.Gates[:gateIndex] {
		n += len(r.Signals)
	}
	return n
}

func (e *Engine) possible(signal int, squeezed string) bool {
	return squeezed == "" || e.Rules.Filter.Possible(signal, squeezed)
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
func evidence(rule *gate.Rule, m *message, si int) (gate.Hit, bool) {
	block := m.final.Sentences[si].Block
	for _, ev := range rule.Evidence {
		doc, sentences := m.final, m.final.Sentences
		switch ev.Scope {
		case "sentence":
			sentences = sentences[si : si+1]
		case "block":
			b := m.final.Blocks[block]
			sentences = sentences[b.First : b.First+b.N]
		default:
			doc, sentences = m.context, m.context.Sentences
		}
		for _, s := range sentences {
			if s.Plain == "" || !affirmed(ev.Expr, s) {
				continue
			}
			return gate.Hit{Pattern: ev.Expr, Kind: ev.Kind, Sentence: doc.Text[s.Start:s.End], Start: s.Start, Line: 1 + strings.Count(doc.Text[:s.Start], "\n")}, true
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
