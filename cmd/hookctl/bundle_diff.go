package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

func bundleDiffCmd(e *env) *cobra.Command {
	var asJSON, exitCode bool
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show what changes between two bundles: files, patterns, modes, verdicts",
		Long: `diff tells what a release would change: the files with their SHA-256, what each gate
gains and loses, and each case of either bundle to which they give another verdict.

` + editions + `

It exits with 0 whatever it finds; with --exit-code, with 1 when anything differs.`,
		Example: `  hookctl bundle diff embedded .
  hookctl bundle diff release-7.tar.gz . --json
  hookctl bundle diff installed . --exit-code`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.bundleDiff(cmd.Context(), args[0], args[1], asJSON, exitCode)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 1 when anything differs")
	return c
}

// bundleDiff is the JSON report of bundle diff.
type bundleDiff struct {
	Schema   int          `json:"schema"`
	Old      string       `json:"old"`
	New      string       `json:"new"`
	Files    []fileDiff   `json:"files"`
	Binaries []binaryDiff `json:"binaries"` // hookctl itself
	Gates    []gateDiff   `json:"gates"`
	Cases    int          `json:"cases"`
	Verdicts []comparison `json:"verdicts"` // those that differ
}

type fileDiff struct {
	Path   string `json:"path"`
	Change string `json:"change"` // added, removed, changed
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"` // SHA-256, hex
	Mode   string `json:"mode,omitempty"`
}

type gateDiff struct {
	Gate    string  `json:"gate"`
	Change  string  `json:"change"` // added, removed, changed
	Changed []value `json:"changed,omitempty"`
	Removed []part  `json:"removed,omitempty"`
	Added   []part  `json:"added,omitempty"`
}

// value is what a gate has one of.
type value struct {
	What string `json:"what"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// part is what a gate has many of.
type part struct {
	What string `json:"what"` // "signal en", "evidence past de", …
	Text string `json:"text"`
}

func (e *env) bundleDiff(ctx context.Context, a, b string, asJSON, exitCode bool) error {
	was, err := e.edition(a)
	if err != nil {
		return err
	}
	is, err := e.edition(b)
	if err != nil {
		return err
	}
	d := bundleDiff{Schema: schema, Old: was.name, New: is.name, Files: []fileDiff{}, Binaries: diffBinaries(was, is), Gates: []gateDiff{}, Verdicts: []comparison{}}
	if d.Files, err = diffFiles(was, is); err != nil {
		return err
	}
	if d.Gates, err = diffGates(was, is); err != nil {
		return err
	}
	cases, err := union(was, is)
	if err != nil {
		return err
	}
	d.Cases = len(cases)
	for _, c := range e.compareCases(ctx, was, is, cases) {
		if c.Differs {
			d.Verdicts = append(d.Verdicts, c)
		}
	}
	if asJSON {
		err = e.json(d)
	} else {
		e.printDiff(d)
	}
	if err == nil && exitCode && len(d.Files)+len(d.Binaries)+len(d.Gates)+len(d.Verdicts) > 0 {
		return finding
	}
	return err
}

type hashed struct{ sum, mode string }

// hashes are the digests of a bundle's files and, below them, of the embedded
// ones that it extends: what it only inherits is no difference from the embedded
// bundle.
func hashes(ed edition) (map[string]hashed, error) {
	out, err := ownHashes(ed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ed.name, err)
	}
	raw, err := fs.ReadFile(ed.fsys, bundle.Manifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ed.name, err)
	}
	b, err := manifests.ParseBundle(raw)
	if err != nil || b.Extends == "" {
		return out, err
	}
	base, err := ownHashes(edition{fsys: manifests.Embedded()})
	if err != nil {
		return nil, err
	}
	for p, h := range base {
		slug := strings.TrimPrefix(strings.TrimSuffix(p, path.Ext(p)), "cases/")
		dropped := slices.ContainsFunc(b.DropCases, func(d manifests.DroppedCase) bool { return d.Case == slug })
		if _, own := out[p]; !own && !dropped {
			out[p] = h
		}
	}
	return out, nil
}

func ownHashes(ed edition) (map[string]hashed, error) {
	c, err := bundle.FromFS(ed.fsys)
	if err != nil {
		return nil, err
	}
	out := map[string]hashed{}
	for _, f := range c.Entries {
		b, err := f.Read()
		if err != nil {
			return nil, err
		}
		h, mode := sha256.Sum256(b), "0644"
		if f.Kind == source.Exec {
			mode = "0755"
		}
		out[f.Path] = hashed{hex.EncodeToString(h[:]), mode}
	}
	return out, nil
}

func diffFiles(was, is edition) ([]fileDiff, error) {
	before, err := hashes(was)
	if err != nil {
		return nil, err
	}
	after, err := hashes(is)
	if err != nil {
		return nil, err
	}
	out := []fileDiff{}
	for _, p := range bothKeys(before, after) {
		a, b := before[p], after[p]
		d := fileDiff{Path: p, Old: a.sum, New: b.sum, Change: "changed"}
		switch {
		case a == b:
			continue
		case a.sum == "":
			d.Change = "added"
		case b.sum == "":
			d.Change = "removed"
		case a.mode != b.mode:
			d.Mode = a.mode + " -> " + b.mode
		}
		out = append(out, d)
	}
	return out, nil
}

func bothKeys[V any](a, b map[string]V) []string {
	keys := append(sortedKeys(a), sortedKeys(b)...)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// diffGates compares the gates as they are in force, with what they extend.
func diffGates(was, is edition) ([]gateDiff, error) {
	before, err := gatesByID(was)
	if err != nil {
		return nil, err
	}
	after, err := gatesByID(is)
	if err != nil {
		return nil, err
	}
	out := []gateDiff{}
	for _, id := range bothKeys(before, after) {
		a, old := before[id]
		b, now := after[id]
		d := gateDiff{Gate: id, Change: "changed"}
		switch {
		case !old:
			d.Change = "added"
		case !now:
			d.Change = "removed"
		}
		for i, v := range valuesOf(b) {
			if o := valuesOf(a)[i]; d.Change == "changed" && o.New != v.New {
				d.Changed = append(d.Changed, value{v.What, o.New, v.New})
			}
		}
		d.Removed, d.Added = minusParts(partsOf(a), partsOf(b)), minusParts(partsOf(b), partsOf(a))
		if d.Change != "changed" || len(d.Changed)+len(d.Removed)+len(d.Added) > 0 {
			out = append(out, d)
		}
	}
	return out, nil
}

func gatesByID(ed edition) (map[string]manifests.Gate, error) {
	gates, err := manifests.Gates(ed.fsys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ed.name, err)
	}
	out := map[string]manifests.Gate{}
	for _, g := range gates {
		out[g.ID] = g
	}
	return out, nil
}

// valuesOf lists a gate's single values, always the same ones in the same order.
func valuesOf(g manifests.Gate) []value {
	j := manifests.Judge{}
	if g.Judge != nil {
		j = *g.Judge
	}
	return []value{
		{What: "mode", New: g.Mode},
		{What: "subagent", New: g.Subagent},
		{What: "title", New: g.Title},
		{What: "analyzer", New: j.Analyzer},
		{What: "prompt", New: strings.TrimSpace(j.Prompt)},
	}
}

// partsOf lists what a gate has many of, in the order of the gate file.
func partsOf(g manifests.Gate) (out []part) {
	for _, e := range g.Events {
		out = append(out, part{"event", e})
	}
	for _, lang := range sortedKeys(g.Signals) {
		for _, p := range g.Signals[lang] {
			out = append(out, part{"signal " + lang, p})
		}
	}
	for _, ev := range g.Evidence {
		for _, lang := range sortedKeys(ev.Patterns) {
			for _, p := range ev.Patterns[lang] {
				out = append(out, part{fmt.Sprintf("evidence %s (%s) %s", ev.Kind, ev.Scope, lang), p})
			}
		}
	}
	if g.Judge != nil {
		for _, f := range g.Judge.Fields {
			out = append(out, part{"field " + f.Name + " (" + f.Verdict + ")", strings.TrimSpace(f.When)})
		}
		for _, c := range g.Judge.Counter {
			out = append(out, part{"counter-example", c})
		}
	}
	for _, lang := range sortedKeys(g.Feedback) {
		out = append(out, part{"feedback " + lang, g.Feedback[lang]})
	}
	for _, p := range g.Protect {
		out = append(out, part{"protect", p})
	}
	return out
}

func minusParts(a, b []part) (out []part) {
	for _, p := range a {
		if !slices.Contains(b, p) {
			out = append(out, p)
		}
	}
	return out
}

func (e *env) printDiff(d bundleDiff) {
	for _, f := range d.Files {
		e.printf("%-7s  %s\n", f.Change, f.Path)
		if f.Change == "changed" && f.Old != f.New {
			e.printf("           %s\n        -> %s\n", f.Old, f.New)
		} else if f.Change != "changed" {
			e.printf("           %s\n", f.Old+f.New)
		}
		if f.Mode != "" {
			e.printf("           mode %s\n", f.Mode)
		}
	}
	for _, b := range d.Binaries {
		e.printf("%-7s  hookctl for %s\n", b.Change, b.Platform)
		for _, side := range []*bundle.Binary{b.Old, b.New} {
			if side != nil {
				e.printf("           %s  %s, %d bytes\n", side.SHA256, side.Where(), side.Size)
			}
		}
	}
	for _, g := range d.Gates {
		e.printf("\ngate %s", g.Gate)
		if g.Change != "changed" {
			e.printf(" (%s)", g.Change)
		}
		e.printf("\n")
		for _, v := range g.Changed {
			e.printf("  %s: %s -> %s\n", v.What, orNone(v.Old), orNone(v.New))
		}
		for _, p := range g.Removed {
			e.printf("  - %s: %s\n", p.What, p.Text)
		}
		for _, p := range g.Added {
			e.printf("  + %s: %s\n", p.What, p.Text)
		}
	}
	if len(d.Verdicts) > 0 {
		e.printf("\nverdicts\n")
	}
	for _, c := range d.Verdicts {
		e.printf("! %s -> %s  %s\n", c.Old, c.New, c.Case)
	}
	if len(d.Files)+len(d.Binaries)+len(d.Gates)+len(d.Verdicts) > 0 {
		e.printf("\n")
	}
	if n := len(d.Binaries); n > 0 {
		e.printf("%s, ", plural(n, "program differs", "programs differ"))
	}
	e.printf("%s, %s; %s, %d with another verdict\n", plural(len(d.Files), "file differs", "files differ"),
		plural(len(d.Gates), "gate", "gates"), plural(d.Cases, "case", "cases"), len(d.Verdicts))
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
