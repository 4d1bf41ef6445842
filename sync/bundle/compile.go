package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
	"github.com/agenthooks/hookctl/manifests"
)

// languages are those that the gate tells apart.
var languages = []string{"de", "en", "ja", "ko", "zh"}

// Compile makes the one file of rules that the hook loads. digest and release
// name the bundle in it; name "" means the one in hookctl.yaml. Every pattern is
// compiled once here, so that a broken one is found before it is released and
// not by a hook. The same bundle gives the same bytes; when it extends the
// embedded bundle, the same bytes by the same version of the program.
func Compile(fsys fs.FS, name, digest string, release int) (*gate.Rules, error) {
	raw, err := fs.ReadFile(fsys, Manifest)
	if err != nil {
		return nil, err
	}
	b, err := manifests.ParseBundle(raw)
	if err != nil {
		return nil, err
	}
	if err := b.Runs(program()); err != nil {
		return nil, err
	}
	if name == "" {
		name = b.Name
	}
	gates, err := manifests.Gates(fsys)
	if err != nil {
		return nil, err
	}
	r := &gate.Rules{Header: gate.Header{Schema: gate.RulesSchema, Bundle: digest, Name: name, Release: release, Floor: gate.Floor{Judges: b.Floor.Judges, Timeout: b.Floor.Timeout, Protect: b.Floor.Protect}}}
	f := filter{at: map[string]int{}}
	for _, g := range gates {
		rule, err := compileGate(g, &f)
		if err != nil {
			return nil, fmt.Errorf("gate %s: %w", g.ID, err)
		}
		// A gate that the floor names is one that a machine cannot weaken.
		rule.Demotable = b.Floor.Demotable && !slices.Contains(b.Floor.Gates, g.ID) && !judgesTools(rule)
		r.Gates = append(r.Gates, rule)
	}
	if err := compileHooks(fsys, b, r); err != nil {
		return nil, err
	}
	r.Wakes = r.Calls()
	for _, id := range b.Floor.Gates {
		if !slices.ContainsFunc(r.Gates, func(g gate.Rule) bool { return g.ID == id && g.Mode != gate.Off }) &&
			!slices.ContainsFunc(r.Hooks, func(h gate.Hook) bool { return h.ID == id && h.Mode != gate.Off }) {
			return nil, fmt.Errorf("the floor demands gate %s, which is not there or off", id)
		}
	}
	r.Literals = f.literals
	return r, nil
}

// Compile makes the rules of a verified bundle.
func (v Verified) Compile() (*gate.Rules, error) {
	return Compile(v.FS(), "", v.digest, v.lock.Release)
}

func compileGate(g manifests.Gate, f *filter) (gate.Rule, error) {
	r := gate.Rule{
		ID: g.ID, Mode: gate.Mode(g.Mode), Subagent: gate.Mode(g.Subagent), Feedback: g.Feedback, Protect: g.Protect,
	}
	for _, c := range g.Commands {
		guard := gate.Guard{ID: c.ID, Why: strings.Join(strings.Fields(c.Why), " "), Ask: c.Verdict == "ask", Off: c.Verdict == "off"}
		for _, f := range c.Any {
			guard.Any = append(guard.Any, gate.Form(f))
		}
		r.Commands = append(r.Commands, guard)
	}
	if r.Subagent == "" {
		r.Subagent = gate.Off
	}
	text := false
	for _, e := range g.Events {
		r.Events = append(r.Events, gate.Kind(e))
		text = text || e == "stop" || e == "subagent-stop"
	}
	var errs []error
	for lang, exprs := range byLanguage(g.Signals) {
		for _, expr := range exprs {
			p, err := pattern(lang, expr)
			if err == nil {
				p.Needs, err = f.add(expr)
			}
			errs = append(errs, err)
			r.Signals = append(r.Signals, p)
		}
	}
	for _, e := range g.Evidence {
		for lang, exprs := range byLanguage(e.Patterns) {
			for _, expr := range exprs {
				p, err := pattern(lang, expr)
				errs = append(errs, err)
				p.Needs, _ = f.add(expr) // looked for after a hit only, so that it may do without a literal
				r.Evidence = append(r.Evidence, gate.Evidence{Kind: e.Kind, Scope: e.Scope, Pattern: p})
			}
		}
	}
	for lang := range byLanguage(g.Feedback) {
		errs = append(errs, language(lang))
	}
	if text && len(r.Signals) == 0 {
		errs = append(errs, errors.New("it judges text and has no signals"))
	}
	if g.Judge != nil {
		j, err := compileJudge(*g.Judge)
		errs = append(errs, err)
		r.Judge = j
	}
	return r, errors.Join(errs...)
}

func judgesTools(r gate.Rule) bool {
	return slices.Contains(r.Events, gate.PreTool) || slices.Contains(r.Events, gate.PostTool)
}

// byLanguage goes over a map in the order of its keys.
func byLanguage[V any](m map[string]V) func(func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

func language(lang string) error {
	if !slices.Contains(languages, lang) {
		return fmt.Errorf("language %q, want one of %s", lang, strings.Join(languages, ", "))
	}
	return nil
}

func pattern(lang, expr string) (gate.Pattern, error) {
	err := language(lang)
	if _, e := regexp.Compile("(?i)" + expr); e != nil {
		err = errors.Join(err, fmt.Errorf("pattern %q: %w", expr, e))
	}
	if strings.ContainsAny(expr, "\t\n") {
		err = errors.Join(err, fmt.Errorf("pattern %q: a tab or a line break; write \\t or \\n", expr))
	}
	return gate.Pattern{Lang: lang, Expr: expr}, err
}

func compileJudge(j manifests.Judge) (gate.Judge, error) {
	out := gate.Judge{Analyzer: j.Analyzer, Prompt: j.Prompt, Counter: j.Counter}
	for lang := range j.Prompt {
		if err := language(lang); err != nil {
			return out, fmt.Errorf("judge: prompt: %w", err)
		}
	}
	for lang := range j.Counter {
		if err := language(lang); err != nil {
			return out, fmt.Errorf("judge: counter_examples: %w", err)
		}
	}
	seen := map[string]bool{}
	blocks := false
	for _, f := range j.Fields {
		switch {
		case !fieldName(f.Name):
			return out, fmt.Errorf("judge: field %q: want lower-case letters, digits and _", f.Name)
		case seen[f.Name]:
			return out, fmt.Errorf("judge: field %q twice", f.Name)
		}
		seen[f.Name] = true
		blocks = blocks || f.Verdict == "blocks"
		out.Fields = append(out.Fields, gate.Field{Name: f.Name, Blocks: f.Verdict == "blocks", When: f.When})
	}
	if !blocks {
		return out, errors.New("judge: no field blocks")
	}
	return out, nil
}

func fieldName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// filter collects the literals of all patterns, each once.
type filter struct {
	literals []string
	at       map[string]int
}

// add gives what a text must hold for a pattern to match.
func (f *filter) add(expr string) (gate.Needs, error) {
	clauses, err := decide.Literals(expr)
	if err != nil {
		return nil, err
	}
	var numbered [][]int
	for _, c := range clauses {
		var clause []int
		for _, lit := range c {
			i, ok := f.at[lit]
			if !ok {
				i = len(f.literals)
				f.at[lit] = i
				f.literals = append(f.literals, lit)
			}
			clause = append(clause, i)
		}
		numbered = append(numbered, clause)
	}
	return gate.NeedsOf(numbered)
}
