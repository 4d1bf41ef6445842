package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// Found is a hook registration and the file that it stands in.
type Found struct {
	Scope
	settings.Registration
}

// Finding is a problem and the file that it stands in.
type Finding struct {
	Scope
	settings.Problem
}

// Survey reads the scopes and lists every hook and every problem, those between
// files included. A missing file is none; one that cannot be read or parsed is
// a problem.
func Survey(scopes []Scope) ([]Found, []Finding) {
	var found []Found
	var findings []Finding
	for _, s := range scopes {
		if s.Agent != agent.Claude {
			continue // Inspect knows no other agent's settings yet
		}
		src, err := readSettings(s.Path)
		if err != nil {
			findings = append(findings, Finding{s, settings.Problem{Code: "unreadable", Line: 1, Text: err.Error()}})
			continue
		}
		if src == nil {
			continue
		}
		regs, problems, err := settings.Inspect(src, settings.Own, s.Managed)
		for _, p := range problems {
			findings = append(findings, Finding{s, p})
		}
		if err != nil {
			findings = append(findings, Finding{s, settings.Problem{
				Code: "invalid", Line: 1, Text: "no hook in it runs, and the agent says nothing: " + err.Error(),
			}})
		}
		for _, r := range regs {
			found = append(found, Found{s, r})
		}
	}
	return found, append(findings, doubled(found)...)
}

// doubled finds hookctl registered for one event in several files. The agent
// runs the very same command once, but another spelling of it a second time.
func doubled(found []Found) []Finding {
	var findings []Finding
	for i, b := range found {
		j := slices.IndexFunc(found[:i], func(a Found) bool {
			return a.Own && b.Own && a.Event == b.Event && a.Scope.Path != b.Scope.Path && line(a) != line(b)
		})
		if j < 0 {
			continue
		}
		a := found[j]
		findings = append(findings, Finding{b.Scope, settings.Problem{
			Code: "registered-twice", Path: b.Registration.Path, Line: b.Line, Warn: true,
			Text: fmt.Sprintf("hookctl runs twice on %s: it is registered as %q in %s, line %d as well", b.Event, line(a), a.Scope.Path, a.Line),
		}})
	}
	return findings
}

func line(f Found) string { return strings.TrimSpace(f.Command + " " + strings.Join(f.Args, " ")) }
