package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
//	for each gate:     what wire.go lists
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
	w.fields(w.text(h))
	w.fields(r.Literals...)
	for i, g := range r.Gates {
		for _, p := range g.Signals {
			w.fields(p.Needs.String(), strconv.Itoa(i), p.Lang, p.Expr)
		}
	}
	for i, g := range r.Gates {
		for _, e := range g.Evidence {
			w.fields(e.Needs.String(), strconv.Itoa(i), e.Lang, e.Kind, e.Scope, e.Expr)
		}
	}
	for _, g := range r.Gates {
		w.rule(g)
	}
	w.fields(w.text(all))
	if len(r.Hooks) > 0 {
		w.fields(w.text(r.Executables))
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

// text is v as JSON.
func (w *writer) text(v any) string {
	b, err := json.Marshal(v)
	w.err = errors.Join(w.err, err)
	return string(b)
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

// String is "1,2 3" for "1 or 2, and 3".
func (n Needs) String() string {
	var b []byte
	for len(n) > 0 {
		end := 1 + int(n[0])
		for _, i := range n[1:end] {
			b = append(strconv.AppendInt(b, int64(i), 10), ',')
		}
		b[len(b)-1] = ' '
		n = n[end:]
	}
	return string(bytes.TrimSuffix(b, []byte(" ")))
}

// appendNeeds reads what String has written, of so many literals.
func appendNeeds(all Needs, s []byte, literals int) (Needs, error) {
	clause := len(all) // where the number of its literals stands
	for i := 0; len(s) > 0 && i <= len(s); i++ {
		if clause == len(all) {
			all = append(all, 0)
		}
		n, start := 0, i
		for ; i < len(s) && '0' <= s[i] && s[i] <= '9' && n <= math.MaxUint16; i++ {
			n = 10*n + int(s[i]-'0')
		}
		if i == start || n >= literals || n > math.MaxUint16 || all[clause] == math.MaxUint16 || i < len(s) && s[i] != ',' && s[i] != ' ' {
			return nil, fmt.Errorf("needs %.40q of %d literals", s, literals)
		}
		all = append(all, uint16(n))
		all[clause]++
		if i < len(s) && s[i] == ' ' {
			clause = len(all)
		}
	}
	return all, nil
}
