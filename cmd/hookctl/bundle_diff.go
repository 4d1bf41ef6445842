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
	behaviour
}

// behaviour is how two bundles differ in what they do.
type behaviour struct {
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
	Hook    bool    `json:"hook,omitempty"` // it is an executable of the bundle
	Change  string  `json:"change"`         // added, removed, changed
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
	was, doneWas, err := e.edition(a)
	defer doneWas()
	if err != nil {
		return err
	}
	is, doneIs, err := e.edition(b)
	defer doneIs()
	if err != nil {
		return err
	}
	d := bundleDiff{Schema: schema, Old: was.name, New: is.name, Binaries: diffBinaries(was, is)}
	if d.Files, err = diffFiles(was, is); err != nil {
		return err
	}
	if d.behaviour, err = e.diffBehaviour(ctx, was, is); err != nil {
		return err
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

// diffBehaviour compares the gates of two bundles, and what they say to the cases
// of both.
func (e *env) diffBehaviour(ctx context.Context, was, is edition) (behaviour, error) {
	b := behaviour{Verdicts: []comparison{}}
	var err error
	if b.Gates, err = diffGates(was, is); err != nil {
		return b, err
	}
	cases, err := union(was, is)
	if err != nil {
		return b, err
	}
	b.Cases = len(cases)
	for _, c := range e.compareCases(ctx, was, is, cases) {
		if c.Differs {
			b.Verdicts = append(b.Verdicts, c)
		}
	}
	return b, nil
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
	e.printBinaries(d.Binaries)
	e.printBehaviour(d.behaviour)
	if len(d.Files)+len(d.Binaries)+len(d.Gates)+len(d.Verdicts) > 0 {
		e.printf("\n")
	}
	if n := len(d.Binaries); n > 0 {
		e.printf("%s, ", plural(n, "program differs", "programs differ"))
	}
	e.printf("%s, %s; %s, %d with another verdict\n", plural(len(d.Files), "file differs", "files differ"),
		plural(len(d.Gates), "gate", "gates"), plural(d.Cases, "case", "cases"), len(d.Verdicts))
}

// printBehaviour prints what each gate gains and loses, and the verdicts that
// differ.
func (e *env) printBehaviour(d behaviour) {
	for _, g := range d.Gates {
		e.printf("\n%s %s", g.kind(), g.Gate)
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
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
