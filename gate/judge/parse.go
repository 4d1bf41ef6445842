package judge

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/agenthooks/hookctl/gate"
)

// Parse reads a judge's output: the last verdict that stands on lines of its own,
// bare, in a code fence or in the envelope of Claude's CLI. An object inside a
// sentence is a quotation. Of several verdicts the last counts, but two that
// contradict each other are no answer.
//
// A gate whose answer cannot be used is not in the map; when that holds for all
// of them, the error tells why. Either way the judge has failed for that gate.
func Parse(out []byte, q gate.Question) (map[string]gate.Answer, error) { return parse(out, q, "") }

// parse is [Parse] for a verdict that must carry nonce, as the member of that
// name beside its fields or its gates; "" asks for none.
func parse(out []byte, q gate.Question, nonce string) (map[string]gate.Answer, error) {
	if len(q.Gates) == 0 {
		return nil, errors.New("judge: no gate was asked")
	}
	p := parser{q: q, nonce: nonce, last: map[string]reading{}}
	if err := p.text(decode(out), false); err != nil {
		return nil, err
	}
	answers := map[string]gate.Answer{}
	var why []error
	for _, asked := range q.Gates {
		r, ok := p.last[asked.Rule.ID]
		switch {
		case !ok && p.foreign:
			why = append(why, fmt.Errorf("gate %s: the verdict in the judge's output is not of this call", asked.Rule.ID))
		case !ok:
			why = append(why, fmt.Errorf("gate %s: no verdict in the judge's output", asked.Rule.ID))
		case r.err != nil:
			why = append(why, fmt.Errorf("gate %s: %w", asked.Rule.ID, r.err))
		default:
			answers[asked.Rule.ID] = r.answer
		}
	}
	if len(answers) == 0 {
		return nil, why[0]
	}
	return answers, nil
}

// reading is what one verdict says about one gate.
type reading struct {
	answer gate.Answer
	err    error
}

var errContradiction = errors.New("two verdicts contradict each other")

type parser struct {
	q     gate.Question
	nonce string
	last  map[string]reading
	// foreign tells that a verdict without the nonce was passed over.
	foreign bool
}

// text takes every verdict in s. inner is set inside an envelope, where another
// envelope is no verdict.
func (p *parser) text(s string, inner bool) error {
	for v := range values(s) {
		o, ok := v.(object)
		if !ok {
			continue
		}
		if o.get("type") == "result" && (o.has("result") || o.has("is_error")) {
			if inner {
				continue
			}
			if err := p.envelope(o); err != nil {
				return err
			}
			continue
		}
		p.verdict(o)
	}
	return nil
}

// envelope unwraps {"type":"result","is_error":…,"result":"…"}, what Claude's CLI
// prints with --output-format json. A limit or a failure comes in the same form.
func (p *parser) envelope(o object) error {
	text, ok := o.get("result").(string)
	if failed := o.get("is_error"); failed != nil && failed != false || !ok {
		return fmt.Errorf("the judge's CLI reports an error: %s", note(text))
	}
	if o.twice {
		return errors.New("the judge's envelope holds a key twice")
	}
	before := len(p.last)
	if err := p.text(lines(text), true); err != nil {
		return err
	}
	if before == 0 && len(p.last) == 0 {
		return fmt.Errorf("the judge answered with no verdict: %s", note(text))
	}
	return nil
}

// verdict takes o when it is one: the flat form for one gate, else "gates".
// Objects of another kind (a CLI's statistics, say) are passed over.
func (p *parser) verdict(o object) {
	if p.nonce != "" && o.get(nonceField) != p.nonce {
		p.foreign = p.foreign || o.has("gates") || p.flat(o) != nil
		return
	}
	if gates, ok := o.get("gates").(object); ok {
		for _, asked := range p.q.Gates {
			if id := asked.Rule.ID; gates.has(id) {
				p.take(asked.Rule, gates.get(id), o.twice)
			}
		}
		return
	}
	if r := p.flat(o); r != nil {
		p.take(r, o, o.twice)
	}
}

// flat is the gate that a verdict in the flat form is about: the only one that
// was asked, when any of its fields is there; of several the one that has the
// most fields, all of them there. The others then have no answer. nil when that
// is not one gate.
func (p *parser) flat(o object) *gate.Rule {
	named := func(r *gate.Rule) (n int) {
		for _, f := range r.Judge.Fields {
			if o.has(f.Name) {
				n++
			}
		}
		return n
	}
	if len(p.q.Gates) == 1 {
		if r := p.q.Gates[0].Rule; named(r) > 0 {
			return r
		}
		return nil
	}
	var best *gate.Rule
	most, tie := 0, false
	for _, asked := range p.q.Gates {
		n := len(asked.Rule.Judge.Fields)
		if named(asked.Rule) < n || n < most {
			continue
		}
		best, tie, most = asked.Rule, n == most, n
	}
	if tie {
		return nil
	}
	return best
}

func (p *parser) take(r *gate.Rule, v any, twice bool) {
	next := read(r, v)
	if twice {
		next.err = errors.New("a key stands twice in the verdict")
	}
	old, again := p.last[r.ID]
	switch {
	case again && errors.Is(old.err, errContradiction):
		return
	case again && old.err == nil && next.err == nil && !maps.Equal(old.answer.Fields, next.answer.Fields):
		next.err = errContradiction
	}
	p.last[r.ID] = next
}

// read takes the asked fields from a gate's object; unknown keys are nobody's.
func read(r *gate.Rule, v any) reading {
	o, ok := v.(object)
	if !ok {
		return reading{err: fmt.Errorf("the answer is %s, not an object", kind(v))}
	}
	a := gate.Answer{Fields: map[string]bool{}}
	for _, f := range r.Judge.Fields {
		b, given, err := truth(o.get(f.Name))
		if err != nil {
			return reading{err: fmt.Errorf("field %s: %w", f.Name, err)}
		}
		if f.Blocks && !given {
			return reading{err: fmt.Errorf("field %s is missing", f.Name)}
		}
		if given {
			a.Fields[f.Name] = b
		}
	}
	reason, _ := o.get("reason").(string)
	a.Note = note(reason)
	return reading{answer: a}
}

// truth reads true, false, "true" and "false"; null and nothing are not given.
func truth(v any) (b, given bool, err error) {
	switch v := v.(type) {
	case nil:
		return false, false, nil
	case bool:
		return v, true, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true, true, nil
		case "false":
			return false, true, nil
		}
	}
	return false, false, fmt.Errorf("%s is neither true nor false", kind(v))
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case object:
		return "an object"
	case []any:
		return "an array"
	}
	return "a number"
}
