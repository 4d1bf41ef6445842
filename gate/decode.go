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

// Compiled is a compiled file that has been begun to be read.
type Compiled struct {
	Header
	body   []byte // after the header
	filter *Prefilter
}

// Open reads the first line of a compiled file.
func Open(b []byte) (*Compiled, error) {
	r := &reader{rest: b}
	c := &Compiled{}
	if err := r.json(&c.Header); err != nil {
		return nil, err
	}
	if !reads(HooksSchema, c.Schema) {
		return nil, r.fault(fmt.Errorf("schema %d, want %d or %d", c.Schema, RulesSchema, HooksSchema))
	}
	if l := c.Lines; min(l.Signals, l.Evidence, l.Gates) < 0 || max(l.Signals, l.Evidence, l.Gates) > len(b) {
		return nil, r.fault(fmt.Errorf("lines %+v", l))
	}
	c.body = r.rest
	return c, nil
}

// DecodeHeader reads what names the rules.
func DecodeHeader(b []byte) (Header, error) {
	c, err := Open(b)
	if err != nil {
		return Header{}, err
	}
	return c.Header, nil
}

// DecodeRules reads a whole compiled file.
func DecodeRules(b []byte) (*Rules, error) {
	c, err := Open(b)
	if err != nil {
		return nil, err
	}
	return c.For("", true)
}

// Filter reads the prefilter, once.
func (c *Compiled) Filter() (Prefilter, error) {
	if c.filter != nil {
		return *c.filter, nil
	}
	r := c.reader()
	line, err := r.next()
	if err != nil {
		return Prefilter{}, err
	}
	p := &Prefilter{Signals: make([]Needs, c.Lines.Signals)}
	if len(line) > 0 {
		p.Literals = strings.Split(string(line), "\t")
	}
	numbers := make(Needs, 0, 2*len(p.Literals)) // most stand in one pattern alone
	for i := range p.Signals {
		if p.Signals[i], err = r.needs(&numbers, len(p.Literals)); err != nil {
			return Prefilter{}, err
		}
	}
	c.filter = p
	return *p, nil
}

// For reads what an event of a kind needs: the gates on stops with their patterns,
// or those on tool calls, and the prompts for judges that are no part of hookctl.
// Kind "" is all of them.
func (c *Compiled) For(kind Kind, prompts bool) (*Rules, error) {
	rules := &Rules{Header: c.Header}
	r := c.reader()
	if err := r.skip(1 + c.Lines.Signals + c.Lines.Evidence); err != nil {
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
	if kind != "" && !kind.IsStop() {
		return rules, nil
	}
	if err := c.patterns(rules, at); err != nil {
		return nil, err
	}
	return rules, nil
}

func (c *Compiled) reader() *reader { return &reader{rest: c.body, line: 1} }

// patterns gives each gate its own.
func (c *Compiled) patterns(rules *Rules, at []int) error {
	f, err := c.Filter()
	if err != nil {
		return err
	}
	rules.Literals = f.Literals
	r := c.reader()
	if err := r.skip(1); err != nil {
		return err
	}
	owner := make([]int, c.Lines.Signals)
	signals := make([]Pattern, c.Lines.Signals)
	for i := range signals {
		var p [4][]byte
		if owner[i], err = r.pattern(p[:], at); err != nil {
			return err
		}
		signals[i] = Pattern{Lang: string(p[2]), Expr: string(p[3]), Needs: f.Signals[i]}
	}
	share(signals, owner, func(gate int, own []Pattern) { rules.Gates[gate].Signals = own })

	owner = make([]int, c.Lines.Evidence)
	evidence := make([]Evidence, c.Lines.Evidence)
	var numbers Needs
	for i := range evidence {
		var p [6][]byte
		if owner[i], err = r.pattern(p[:], at); err != nil {
			return err
		}
		start := len(numbers)
		if numbers, err = appendNeeds(numbers, p[0], len(f.Literals)); err != nil {
			return r.fault(err)
		}
		evidence[i] = Evidence{Kind: string(p[3]), Scope: string(p[4]), Pattern: Pattern{Lang: string(p[2]), Expr: string(p[5]), Needs: own(numbers, start)}}
	}
	share(evidence, owner, func(gate int, own []Evidence) { rules.Gates[gate].Evidence = own })
	return nil
}

// share gives each run of patterns with one owner to it; owner -1 is a gate that
// was passed over. Of a gate whose patterns do not follow each other the last run
// stays: the writer makes no such file.
func share[P any](all []P, owner []int, to func(gate int, own []P)) {
	for start := 0; start < len(all); {
		end := start + 1
		for end < len(all) && owner[end] == owner[start] {
			end++
		}
		if owner[start] >= 0 {
			to(owner[start], all[start:end:end])
		}
		start = end
	}
}

// own is what was added to numbers, nil when nothing was.
func own(numbers Needs, start int) Needs {
	if start == len(numbers) {
		return nil
	}
	return numbers[start:len(numbers):len(numbers)]
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

func (r *reader) skip(lines int) error {
	for range lines {
		if _, err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) fault(err error) error {
	return fmt.Errorf("compiled rules, line %d: %w", r.line, err)
}

// fields reads a line; the last field takes what is left.
func (r *reader) fields(into [][]byte) error {
	rest, err := r.next()
	if err != nil {
		return err
	}
	last := len(into) - 1
	for i := range last {
		var ok bool
		if into[i], rest, ok = bytes.Cut(rest, []byte("\t")); !ok {
			return r.fault(fmt.Errorf("%d fields, want %d", i+1, len(into)))
		}
	}
	into[last] = rest
	return nil
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

// needs reads those of a line, which is a signal.
func (r *reader) needs(numbers *Needs, literals int) (Needs, error) {
	var f [2][]byte
	if err := r.fields(f[:]); err != nil {
		return nil, err
	}
	start := len(*numbers)
	var err error
	if *numbers, err = appendNeeds(*numbers, f[0], literals); err != nil {
		return nil, r.fault(err)
	}
	return own(*numbers, start), nil
}

// pattern reads the line of a pattern, whose second field tells the gate that it
// belongs to, and where that came to lie.
func (r *reader) pattern(into [][]byte, at []int) (gate int, err error) {
	if err := r.fields(into); err != nil {
		return 0, err
	}
	i, err := strconv.Atoi(string(into[1]))
	if err != nil || i < 0 || i >= len(at) {
		return 0, r.fault(fmt.Errorf("gate %.20q of %d", into[1], len(at)))
	}
	return at[i], nil
}

// gates reads those of a kind. at tells where each of all gates came to lie, -1 for
// one that was passed over.
func (r *reader) gates(rules *Rules, kind Kind) (at []int, err error) {
	at = make([]int, rules.Lines.Gates)
	for i := range at {
		var f [wireFields][]byte
		if err := r.fields(f[:]); err != nil {
			return nil, err
		}
		at[i] = -1
		if kind != "" && !slices.ContainsFunc(strings.Fields(string(f[wireEvents])), func(k string) bool { return kind.akin(Kind(k)) }) {
			continue
		}
		g, err := rule(f)
		if err != nil {
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
