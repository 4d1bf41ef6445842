package main

import (
	"context"

	"github.com/agenthooks/hookctl/sync/pull"
)

// previewInstall is install --dry-run: the release that would be taken, where a
// source or an archive is named, and the diff of each settings file.
func (e *env) previewInstall(ctx context.Context, m *pull.Machine, o pull.Options, f installFlags) error {
	changes, err := m.Preview(o.Agents, o.Scope)
	if err != nil || f.source == "" && f.from == "" {
		return e.printDiffs(changes, f.asJSON, nil, err)
	}
	rep, err := m.Plan(ctx, o)
	if err == nil && !f.asJSON {
		e.printPlan(rep)
	}
	return e.printDiffs(changes, f.asJSON, &rep, err)
}

func (e *env) printPlan(r pull.Report) {
	from := " of " + r.Source.URL + ", branch " + r.Source.Branch + ", commit " + shortSum(r.To.Commit)
	if r.Source.Branch == "" {
		from = " from " + r.Source.URL
	}
	if !r.Newer() {
		e.printf("release %d%s is installed already\n", r.To.Release, from)
	} else {
		e.printf("release %d%s would be installed\n", r.To.Release, from)
	}
	for _, s := range signedBy(r.Signers) {
		e.printf("  signed by %s\n", s)
	}
	e.printProtection(r)
	e.printPending(r)
	e.printSums(r.Files)
	e.printProgram(r.Binary)
	e.printf("  its contract cases are run by install, which takes nothing that fails one\n")
}

// printDiffs prints what would be written to the agents' settings.
func (e *env) printDiffs(changes []pull.SettingsChange, asJSON bool, takes *pull.Report, err error) error {
	if err != nil {
		return err
	}
	type diff struct {
		Path string `json:"path"`
		Diff string `json:"diff"` // "" = stays as it is
	}
	diffs := []diff{}
	for _, c := range changes {
		diffs = append(diffs, diff{c.Path, c.Diff()})
	}
	if asJSON {
		return e.json(struct {
			Schema   int       `json:"schema"`
			Takes    *syncJSON `json:"takes,omitempty"` // the release, where a source or an archive is named
			Settings []diff    `json:"settings"`
		}{schema, planJSON(takes), diffs})
	}
	for _, d := range diffs {
		e.printf("%s", d.Diff)
	}
	return nil
}

// planJSON is a report of what would be taken; nil stays nil.
func planJSON(r *pull.Report) *syncJSON {
	if r == nil {
		return nil
	}
	j := reportJSON(*r)
	j.Waits = r.Newer()
	return &j
}
