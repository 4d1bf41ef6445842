package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Versions of the compiled form. A reader takes the newest and the one before: a
// new program answers by the rules of the old one until its own are active. Rules
// that start executables have a version of their own: a hookctl that knows only
// the first would pass over them in silence, and so refuses them instead, visibly.
// Rules without are read by both. Versions 1 and 2 held all patterns as JSON; no
// release wrote them.
const (
	RulesSchema = 3
	HooksSchema = 4
)

// reads tells which schemas a program reads that writes schema own.
func reads(own, schema int) bool {
	return schema >= RulesSchema && (schema == own || schema == own-1)
}

// Encode writes the compiled form. It is made of lines, so that an event pays for
// no more of it than it needs, and what there is much of is no JSON, which takes a
// hundred times as long to read:
//
//	the header, as JSON
//	the literals, with tabs between them
//	for each signal:   needs, number of its gate, language, expression
//	for each evidence: needs, number of its gate, language, kind, scope, expression
//	for each gate:     its events, the rest as JSON
//	what judges that are no part of hookctl are told of the gates, as JSON
//	the hooks, as JSON, when there are any
func (r *Rules) Encode() ([]byte, error) {
	w := writer{}
	h := r.Header
	h.Lines = Lines{Gates: len(r.Gates)}
	all := map[string]told{}
	for _, g := range r.Gates {
		h.Lines.Signals += len(g.Signals)
		h.Lines.Evidence += len(g.Evidence)
		if len(g.Judge.Prompt)+len(g.Judge.Counter) > 0 {
			all[g.ID] = told{g.Judge.Prompt, g.Judge.Counter}
		}
	}
	w.json("", h)
	w.fields(r.Literals...)
	for i, g := range r.Gates {
		for _, p := range g.Signals {
			w.fields(needs(p.Needs), strconv.Itoa(i), p.Lang, p.Expr)
		}
	}
	for i, g := range r.Gates {
		for _, e := range g.Evidence {
			w.fields(needs(e.Needs), strconv.Itoa(i), e.Lang, e.Kind, e.Scope, e.Expr)
		}
	}
	for _, g := range r.Gates {
		var events []string
		for _, k := range g.Events {
			events = append(events, string(k))
		}
		w.json(strings.Join(events, " ")+"\t", g)
	}
	w.json("", all)
	if len(r.Hooks) > 0 {
		w.json("", r.Executables)
	}
	return w.b.Bytes(), w.err
}

// told is what judges that are no part of hookctl are told of a gate.
type told struct {
	Prompt  map[string]string   `json:"prompts,omitempty"`
	Counter map[string][]string `json:"counters,omitempty"`
}

type writer struct {
	b   bytes.Buffer
	err error
}

func (w *writer) json(before string, v any) {
	b, err := json.Marshal(v)
	w.err = errors.Join(w.err, err)
	w.b.WriteString(before)
	w.b.Write(b)
	w.b.WriteByte('\n')
}

func (w *writer) fields(f ...string) {
	for i, s := range f {
		if strings.ContainsAny(s, "\t\n") {
			w.err = errors.Join(w.err, fmt.Errorf("%q holds a tab or a line break", s))
		}
		if i > 0 {
			w.b.WriteByte('\t')
		}
		w.b.WriteString(s)
	}
	w.b.WriteByte('\n')
}

// needs writes "1,2 3" for "1 or 2, and 3".
func needs(clauses [][]int) string {
	var b []byte
	for i, c := range clauses {
		if i > 0 {
			b = append(b, ' ')
		}
		for k, n := range c {
			if k > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
	}
	return string(b)
}

// readNeeds reads what needs has written, of so many literals.
func readNeeds(s []byte, literals int) ([][]int, error) {
	if len(s) == 0 {
		return nil, nil
	}
	all := make([][]int, 0, 1+bytes.Count(s, []byte(" ")))
	numbers := make([]int, 0, 1+bytes.Count(s, []byte(","))+cap(all))
	for start, i := 0, 0; i <= len(s); i++ {
		n, digits := 0, 0
		for ; i < len(s) && '0' <= s[i] && s[i] <= '9' && digits < 9; i++ {
			n = 10*n + int(s[i]-'0')
			digits++
		}
		if digits == 0 || n >= literals || i < len(s) && s[i] != ',' && s[i] != ' ' {
			return nil, fmt.Errorf("needs %.40q of %d literals", s, literals)
		}
		numbers = append(numbers, n)
		if i == len(s) || s[i] == ' ' {
			all = append(all, numbers[start:len(numbers):len(numbers)])
			start = len(numbers)
		}
	}
	return all, nil
}

// reader hands out the lines of the compiled form.
type reader struct {
	rest []byte
	line int // the last that was handed out
}

func (r *reader) next() ([]byte, error) {
	line, rest, ok := bytes.Cut(r.rest, []byte("\n"))
	r.line++
	if !ok {
		return nil, r.fault(errors.New("missing or cut off"))
	}
	r.rest = rest
	return line, nil
}

func (r *reader) fault(err error) error {
	return fmt.Errorf("compiled rules, line %d: %w", r.line, err)
}

// fields reads a line of n fields; the last takes what is left.
func (r *reader) fields(n int) ([][]byte, error) {
	line, err := r.next()
	if err != nil {
		return nil, err
	}
	f := bytes.SplitN(line, []byte("\t"), n)
	if len(f) != n {
		return nil, r.fault(fmt.Errorf("%d fields, want %d", len(f), n))
	}
	return f, nil
}

func (r *reader) json(v any) error {
	line, err := r.next()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, v); err != nil {
		return r.fault(err)
	}
	return nil
}

// DecodeHeader reads the first line of a compiled file.
func DecodeHeader(b []byte) (Header, error) {
	h, _, err := header(b)
	return h, err
}

func header(b []byte) (Header, *reader, error) {
	r := &reader{rest: b}
	var h Header
	if err := r.json(&h); err != nil {
		return Header{}, nil, err
	}
	if !reads(HooksSchema, h.Schema) {
		return Header{}, nil, r.fault(fmt.Errorf("schema %d, want %d or %d", h.Schema, RulesSchema, HooksSchema))
	}
	if l := h.Lines; min(l.Signals, l.Evidence, l.Gates) < 0 || max(l.Signals, l.Evidence, l.Gates) > len(b) {
		return Header{}, nil, r.fault(fmt.Errorf("lines %+v", l))
	}
	return h, r, nil
}

// body reads what follows the header.
func body(b []byte) *reader {
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	return &reader{rest: rest, line: 1}
}

// DecodeFilter reads the prefilter of a compiled file.
func DecodeFilter(h Header, b []byte) (p Prefilter, err error) {
	r := body(b)
	if p.Literals, err = r.literals(); err != nil {
		return Prefilter{}, err
	}
	p.Signals = make([][][]int, h.Lines.Signals)
	for i := range p.Signals {
		f, err := r.fields(4)
		if err != nil {
			return Prefilter{}, err
		}
		if p.Signals[i], err = readNeeds(f[0], len(p.Literals)); err != nil {
			return Prefilter{}, r.fault(err)
		}
	}
	return p, nil
}

func (r *reader) literals() ([]string, error) {
	line, err := r.next()
	if err != nil || len(line) == 0 {
		return nil, err
	}
	return strings.Split(string(line), "\t"), nil
}

// DecodeRules reads a whole compiled file.
func DecodeRules(b []byte) (*Rules, error) {
	h, err := DecodeHeader(b)
	if err != nil {
		return nil, err
	}
	return DecodeFor(h, b, "", true)
}

// DecodeFor reads of a compiled file, whose header has been read, what an event
// of a kind needs: the gates on stops with their patterns, or those on tool calls,
// and what judges that are no part of hookctl are told. Kind "" is all of them.
func DecodeFor(h Header, b []byte, kind Kind, prompts bool) (*Rules, error) {
	r := body(b)
	rules := &Rules{Header: h}
	patterns := r.rest
	if err := r.skip(1 + h.Lines.Signals + h.Lines.Evidence); err != nil {
		return nil, err
	}
	at, err := r.gates(rules, kind)
	if err != nil {
		return nil, err
	}
	if err := r.tail(rules, prompts); err != nil {
		return nil, err
	}
	if err := rules.checkHooks(kind == ""); err != nil {
		return nil, err
	}
	if kind == "" || kind.IsStop() {
		err = (&reader{rest: patterns, line: 1}).patterns(rules, at)
	}
	if err != nil {
		return nil, err
	}
	return rules, nil
}

func (r *reader) skip(lines int) error {
	for range lines {
		if _, err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// gates reads those of a kind. at tells where each of all gates came to lie, -1 for
// one that was passed over.
func (r *reader) gates(rules *Rules, kind Kind) (at []int, err error) {
	at = make([]int, rules.Lines.Gates)
	for i := range at {
		f, err := r.fields(2)
		if err != nil {
			return nil, err
		}
		at[i] = -1
		if kind != "" && !slices.ContainsFunc(strings.Fields(string(f[0])), func(k string) bool { return kind.akin(Kind(k)) }) {
			continue
		}
		var g Rule
		if err := json.Unmarshal(f[1], &g); err != nil {
			return nil, r.fault(err)
		}
		at[i] = len(rules.Gates)
		rules.Gates = append(rules.Gates, g)
	}
	return at, nil
}

// tail reads what comes after the gates.
func (r *reader) tail(rules *Rules, prompts bool) error {
	if !prompts {
		if err := r.skip(1); err != nil {
			return err
		}
	} else {
		var all map[string]told
		if err := r.json(&all); err != nil {
			return err
		}
		for i := range rules.Gates {
			j, t := &rules.Gates[i].Judge, all[rules.Gates[i].ID]
			j.Prompt, j.Counter = t.Prompt, t.Counter
		}
	}
	if rules.Schema == HooksSchema {
		return r.json(&rules.Executables)
	}
	return nil
}

// patterns gives each gate its own.
func (r *reader) patterns(rules *Rules, at []int) (err error) {
	if rules.Literals, err = r.literals(); err != nil {
		return err
	}
	for n := range rules.Lines.Signals + rules.Lines.Evidence {
		evidence := n >= rules.Lines.Signals
		fields := 4
		if evidence {
			fields = 6
		}
		f, err := r.fields(fields)
		if err != nil {
			return err
		}
		i, err := strconv.Atoi(string(f[1]))
		if err != nil || i < 0 || i >= len(at) {
			return r.fault(fmt.Errorf("gate %.20q of %d", f[1], len(at)))
		}
		if at[i] < 0 {
			continue
		}
		p := Pattern{Lang: string(f[2]), Expr: string(f[fields-1])}
		if p.Needs, err = readNeeds(f[0], len(rules.Literals)); err != nil {
			return r.fault(err)
		}
		if g := &rules.Gates[at[i]]; evidence {
			g.Evidence = append(g.Evidence, Evidence{Kind: string(f[3]), Scope: string(f[4]), Pattern: p})
		} else {
			g.Signals = append(g.Signals, p)
		}
	}
	return nil
}
