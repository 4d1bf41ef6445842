package decide

import (
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

// changing holds the files that a call changes against the guards that speak of
// files. A guard that speaks of a command as well wants both in one command.
func (e *Engine) changing(guards []gate.Guard, a *acts, all []told) (hits []hit) {
	for _, guard := range guards {
		if guard.Off {
			continue
		}
		for _, f := range guard.Any {
			if len(f.Changes) == 0 {
				continue
			}
			areas := e.patterns(a.base, f.Changes)
			for _, x := range a.effects {
				m := e.changes(&f, areas, a, all, x)
				if m == apart {
					continue
				}
				text := strings.TrimSpace(string(x.Kind) + " " + x.Path.String())
				hits = append(hits, hit{
					Hit:  gate.Hit{Kind: string(x.Kind), Pattern: guard.ID, Sentence: x.Path.String(), Start: x.Start, Line: 1},
					said: oneLine(text, 100) + " (" + guard.ID + ": " + guard.Why + ")", ask: guard.Ask || m == perhaps,
				})
				break
			}
		}
	}
	return hits
}

// changes tells whether an effect is what a form speaks of.
func (e *Engine) changes(f *gate.Form, areas []area, a *acts, all []told, x shell.Effect) meeting {
	switch {
	case len(f.How) > 0 && !slices.Contains(f.How, string(x.Kind)) && x.Kind != shell.Code:
		return apart
	case x.Path.Unknown() && !speaks(x.Path): // of a guard nothing is guessed
		return apart
	case x.By == "git config": // its settings are judged by what they say
		return apart
	case len(f.Run)+len(f.Flags)+len(f.Args) > 0 && !slices.ContainsFunc(all, func(t told) bool { return t.Span == x.Span && t.fits(f) }):
		return apart
	}
	for _, p := range f.Changes {
		if without, ok := strings.CutPrefix(p, "!"); ok && matches(without, string(x.Path)) {
			return apart
		}
	}
	at := e.places(a.cwd, x.Path)
	best := apart
	for _, ar := range areas {
		best = max(best, e.meets(a, x, at, ar))
	}
	if best != apart && e.creates(x, at) {
		return apart
	}
	if best == inside && x.Reach == shell.Tree { // the project as a whole is no matter of its parts
		for _, t := range at {
			if t.Plain() && e.broad(a.cwd, string(t)) {
				return apart
			}
		}
	}
	return best
}

// creates reports whether an effect only makes what is not there.
func (e *Engine) creates(x shell.Effect, at []shell.Text) bool {
	if e.Paths.Stat == nil || x.Kind != shell.Write && x.Kind != shell.Link || x.Reach == shell.Tree {
		return false
	}
	for _, t := range at {
		if !t.Plain() || e.Paths.Stat(string(t)) != shell.Missing {
			return false
		}
	}
	return true
}

// patterns are areas that a rule speaks of by patterns.
func (e *Engine) patterns(cwd string, patterns []string) (all []area) {
	for _, p := range patterns {
		if !strings.HasPrefix(p, "!") {
			all = append(all, area{p, e.expand(cwd, p)})
		}
	}
	return all
}
