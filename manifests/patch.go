package manifests

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// ExtendsEmbedded is the only thing that a bundle or a gate can extend.
const ExtendsEmbedded = "embedded"

// Patch is gates/<id>.yaml with the key extends: small changes to an embedded
// gate. What it does not name stays as it is. It takes away before it adds.
type Patch struct {
	Schema   int      `yaml:"schema"`
	ID       string   `yaml:"id"`
	Extends  string   `yaml:"extends"`            // "embedded"
	Mode     string   `yaml:"mode,omitempty"`     // another mode; "" = as it is
	Subagent string   `yaml:"subagent,omitempty"` // another mode for subagent-stop; "" = as it is
	Add      Addition `yaml:"add,omitempty"`
	Remove   Removal  `yaml:"remove,omitempty"`
}

// Addition is what a patch adds. Adding what is there already is an error,
// except for feedback, which then takes the place of the embedded one.
type Addition struct {
	Signals  map[string][]string `yaml:"signals,omitempty"`
	Evidence []Evidence          `yaml:"evidence,omitempty"` // of a kind that is there: its scope may be left out
	Counter  map[string][]string `yaml:"counter_examples,omitempty"`
	Feedback map[string]string   `yaml:"feedback,omitempty"`
	Protect  []string            `yaml:"protect,omitempty"`
	Commands []Guard             `yaml:"commands,omitempty"` // one of an id that is there takes its place
}

// Removal is what a patch takes away, each pattern and sentence exactly as it
// stands in the embedded gate. Removing what is not there is an error: the patch
// then does not do what its author believes.
type Removal struct {
	Languages []string            `yaml:"languages,omitempty"` // with their signals, evidence, prompt, counter-examples and feedback
	Signals   map[string][]string `yaml:"signals,omitempty"`
	Evidence  []Evidence          `yaml:"evidence,omitempty"` // without patterns: the whole kind
	Counter   map[string][]string `yaml:"counter_examples,omitempty"`
	Protect   []string            `yaml:"protect,omitempty"`
	Commands  []string            `yaml:"commands,omitempty"` // by id
}

// ParsePatch reads one gate file that extends; name is its path in the bundle.
func ParsePatch(name string, b []byte) (Patch, error) {
	var p Patch
	if err := decode(name, b, &p); err != nil {
		return Patch{}, err
	}
	f := faults{file: name}
	if p.Schema != Schema {
		f.add("schema", "%d, want %d", p.Schema, Schema)
	}
	if p.Extends != ExtendsEmbedded {
		f.add("extends", "%q, want %s", p.Extends, ExtendsEmbedded)
	}
	if id := strings.TrimSuffix(path.Base(name), ".yaml"); id != p.ID {
		f.add("id", "%q, want %q as the file is named", p.ID, id)
	}
	for field, mode := range map[string]string{"mode": p.Mode, "subagent": p.Subagent} {
		if mode != "" && !slices.Contains(modes, mode) {
			f.add(field, "%q, want one of %s", mode, strings.Join(modes, ", "))
		}
	}
	p.Add.check(&f)
	p.Remove.check(&f)
	if p.Mode == "" && p.Subagent == "" && p.Add.empty() && p.Remove.empty() {
		f.add("extends", "the patch changes nothing: want mode, subagent, add or remove")
	}
	if err := f.err(); err != nil {
		return Patch{}, err
	}
	return p, nil
}

func (a Addition) empty() bool {
	return len(a.Signals)+len(a.Evidence)+len(a.Counter)+len(a.Feedback)+len(a.Protect)+len(a.Commands) == 0
}

func (r Removal) empty() bool {
	return len(r.Languages)+len(r.Signals)+len(r.Evidence)+len(r.Counter)+len(r.Protect)+len(r.Commands) == 0
}

func (a Addition) check(f *faults) {
	f.lists("add.signals", a.Signals)
	f.lists("add.counter_examples", a.Counter)
	f.list("add.protect", a.Protect, false)
	for _, lang := range slices.Sorted(maps.Keys(a.Feedback)) {
		if strings.TrimSpace(a.Feedback[lang]) == "" {
			f.add("add.feedback."+lang, "empty")
		}
	}
	f.evidence("add.evidence", a.Evidence)
	for i, e := range a.Evidence {
		if len(e.Patterns) == 0 {
			f.add(fmt.Sprintf("add.evidence[%d].patterns", i), "none")
		}
	}
}

func (r Removal) check(f *faults) {
	f.list("remove.languages", r.Languages, false)
	f.lists("remove.signals", r.Signals)
	f.evidence("remove.evidence", r.Evidence)
	f.lists("remove.counter_examples", r.Counter)
	f.list("remove.protect", r.Protect, false)
	f.list("remove.commands", r.Commands, false)
}

// apply makes the patched gate. The base must not be used any more.
func (p Patch) apply(g Gate) (Gate, error) {
	f := faults{file: gatePath(p.ID)}
	if p.Mode != "" {
		g.Mode = p.Mode
	}
	if p.Subagent != "" {
		g.Subagent = p.Subagent
	}
	p.Remove.from(&g, &f)
	p.Add.to(&g, &f)
	if err := f.err(); err != nil {
		return g, err
	}
	if err := g.check(); err != nil {
		return g, fmt.Errorf("%s: after the patch: %w", gatePath(p.ID), err)
	}
	return g, nil
}

// from takes away. Languages go last, so that a pattern of one can be named too.
func (r Removal) from(g *Gate, f *faults) {
	for _, lang := range slices.Sorted(maps.Keys(r.Signals)) {
		g.Signals = without(f, "remove.signals", g.Signals, lang, r.Signals[lang])
	}
	for i, e := range r.Evidence {
		g.Evidence = removeEvidence(f, fmt.Sprintf("remove.evidence[%d]", i), g.Evidence, e)
	}
	if len(r.Counter) > 0 {
		if g.Judge == nil {
			g.Judge = &Judge{}
		}
		for _, lang := range slices.Sorted(maps.Keys(r.Counter)) {
			g.Judge.Counter = without(f, "remove.counter_examples", g.Judge.Counter, lang, r.Counter[lang])
		}
	}
	g.Protect = minus(f, "remove.protect", g.Protect, r.Protect)
	g.Commands = withoutGuards(f, g.Commands, r.Commands)
	for i, lang := range r.Languages {
		if !removeLanguage(g, lang) {
			f.add(fmt.Sprintf("remove.languages[%d]", i), "the embedded gate has nothing in %q", lang)
		}
	}
}

// removeLanguage takes a language out of a gate. Feedback and prompt in English
// stay, for every gate must have them.
func removeLanguage(g *Gate, lang string) (found bool) {
	_, found = g.Signals[lang]
	delete(g.Signals, lang)
	for i := range g.Evidence {
		if _, ok := g.Evidence[i].Patterns[lang]; ok {
			found = true
			delete(g.Evidence[i].Patterns, lang)
		}
	}
	if _, ok := g.Feedback[lang]; ok && lang != "en" {
		found = true
		delete(g.Feedback, lang)
	}
	if g.Judge != nil {
		delete(g.Judge.Counter, lang)
		if lang != "en" {
			delete(g.Judge.Prompt, lang)
		}
	}
	return found
}

func removeEvidence(f *faults, field string, all []Evidence, e Evidence) []Evidence {
	i := findEvidence(f, field, all, e)
	switch {
	case i < 0:
		f.add(field, "the embedded gate has no evidence of kind %q%s", e.Kind, scoped(e))
		return all
	case len(e.Patterns) == 0:
		return slices.Delete(slices.Clone(all), i, i+1)
	}
	for _, lang := range slices.Sorted(maps.Keys(e.Patterns)) {
		all[i].Patterns = without(f, field+".patterns", all[i].Patterns, lang, e.Patterns[lang])
	}
	if len(all[i].Patterns) == 0 {
		return slices.Delete(slices.Clone(all), i, i+1)
	}
	return all
}

// findEvidence is the index of the evidence of e's kind, and scope if e names
// one; -1 when there is none.
func findEvidence(f *faults, field string, all []Evidence, e Evidence) int {
	found := -1
	for i, o := range all {
		if o.Kind != e.Kind || e.Scope != "" && e.Scope != o.Scope {
			continue
		}
		if found >= 0 && e.Scope == "" {
			f.add(field+".scope", "evidence of kind %q has several scopes; name the one that is meant", e.Kind)
		}
		found = i
	}
	return found
}

func scoped(e Evidence) string {
	if e.Scope == "" {
		return ""
	}
	return fmt.Sprintf(" and scope %q", e.Scope)
}

func (a Addition) to(g *Gate, f *faults) {
	for _, lang := range slices.Sorted(maps.Keys(a.Signals)) {
		g.Signals = with(f, "add.signals", g.Signals, lang, a.Signals[lang])
	}
	for i, e := range a.Evidence {
		g.Evidence = addEvidence(f, fmt.Sprintf("add.evidence[%d]", i), g.Evidence, e)
	}
	switch {
	case len(a.Counter) > 0 && g.Judge == nil:
		f.add("add.counter_examples", "the embedded gate has no judge")
	default:
		for _, lang := range slices.Sorted(maps.Keys(a.Counter)) {
			g.Judge.Counter = with(f, "add.counter_examples", g.Judge.Counter, lang, a.Counter[lang])
		}
	}
	g.Protect = plus(f, "add.protect", g.Protect, a.Protect)
	g.Commands = withGuards(g.Commands, a.Commands)
	for lang, text := range a.Feedback {
		if g.Feedback == nil {
			g.Feedback = map[string]string{}
		}
		g.Feedback[lang] = text
	}
}

func addEvidence(f *faults, field string, all []Evidence, e Evidence) []Evidence {
	i := findEvidence(f, field, all, e)
	if i < 0 {
		if e.Scope == "" {
			f.add(field+".scope", "missing: the embedded gate has no evidence of kind %q to take it from", e.Kind)
		}
		return append(all, e)
	}
	for _, lang := range slices.Sorted(maps.Keys(e.Patterns)) {
		all[i].Patterns = with(f, field+".patterns", all[i].Patterns, lang, e.Patterns[lang])
	}
	return all
}

func with(f *faults, field string, m map[string][]string, lang string, more []string) map[string][]string {
	if m == nil {
		m = map[string][]string{}
	}
	m[lang] = plus(f, field+"."+lang, m[lang], more)
	return m
}

func without(f *faults, field string, m map[string][]string, lang string, less []string) map[string][]string {
	left := minus(f, field+"."+lang, m[lang], less)
	if len(left) == 0 {
		delete(m, lang)
	} else {
		m[lang] = left
	}
	return m
}

func plus(f *faults, field string, list, more []string) []string {
	out := slices.Clone(list)
	for i, s := range more {
		if slices.Contains(out, s) {
			f.add(fmt.Sprintf("%s[%d]", field, i), "%q is there already", s)
		}
		out = append(out, s)
	}
	return out
}

func minus(f *faults, field string, list, less []string) []string {
	out := slices.Clone(list)
	for i, s := range less {
		at := slices.Index(out, s)
		if at < 0 {
			f.add(fmt.Sprintf("%s[%d]", field, i), "the embedded gate has no %q", s)
			continue
		}
		out = slices.Delete(out, at, at+1)
	}
	return out
}

// faults gathers what is wrong with one file. Each error names file and field.
type faults struct {
	file string
	errs []error
}

func (f *faults) add(field, format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf("%s: %s: %s", f.file, field, fmt.Sprintf(format, args...)))
}

// err is all that was wrong, in a fixed order.
func (f *faults) err() error {
	slices.SortStableFunc(f.errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(f.errs...)
}

// list refuses an empty entry, which is mostly a slip of the indentation.
func (f *faults) list(field string, list []string, must bool) {
	if must && len(list) == 0 {
		f.add(field, "empty")
	}
	for i, s := range list {
		if strings.TrimSpace(s) == "" {
			f.add(fmt.Sprintf("%s[%d]", field, i), "empty")
		}
	}
}

func (f *faults) lists(field string, m map[string][]string) {
	for _, lang := range slices.Sorted(maps.Keys(m)) {
		f.list(field+"."+lang, m[lang], true)
	}
}

func (f *faults) evidence(field string, list []Evidence) {
	for i, e := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		if e.Kind == "" {
			f.add(at+".kind", "missing")
		}
		if e.Scope != "" && !slices.Contains(scopes, e.Scope) {
			f.add(at+".scope", "%q, want one of %s", e.Scope, strings.Join(scopes, ", "))
		}
		f.lists(at+".patterns", e.Patterns)
	}
}
