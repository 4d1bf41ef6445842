package decide

import (
	"fmt"
	"path"
	"strings"

	"github.com/agenthooks/hookctl/gate"
)

// Watched are the protected paths of every gate that looks at a call after it has
// run, as absolute patterns: what must be compared to tell what slipped through.
func (e *Engine) Watched(cwd string) (globs []string) {
	for i := range e.Rules.Gates {
		rule := &e.Rules.Gates[i]
		if modeFor(rule, gate.PostTool) == gate.Off || len(rule.Protect) == 0 {
			continue
		}
		for _, ar := range e.areas(rule, cwd) {
			for _, g := range ar.globs {
				globs = appendNew(globs, g)
			}
		}
	}
	return globs
}

// changed holds the paths that changed while a tool ran against the protected ones.
func (e *Engine) changed(rule *gate.Rule, cwd string) (hits []hit) {
	if len(e.Changed) == 0 || len(rule.Protect) == 0 {
		return nil
	}
	areas := e.areas(rule, cwd)
	for _, p := range e.Changed {
		name := e.fold(slashed(p))
		for _, ar := range areas {
			if !matchesAny(ar.globs, name) {
				continue
			}
			hits = append(hits, hit{
				Hit:  gate.Hit{Kind: "changed", Pattern: ar.written, Sentence: p, Line: 1},
				said: fmt.Sprintf("%s changed while this ran (%s)", p, ar.written), own: agentsOwn(name),
			})
			break
		}
	}
	return hits
}

func matchesAny(globs []string, name string) bool {
	for _, g := range globs {
		if globMatch(g, name) {
			return true
		}
	}
	return false
}

// agentsOwn reports whether agents write a file themselves while a tool call goes on:
// what a user always allows, which folders are trusted. That is told, and no more.
func agentsOwn(name string) bool {
	switch path.Base(name) {
	case "settings.local.json":
		return true
	case "config.toml":
		return strings.Contains(name, "/.codex/")
	}
	return false
}
