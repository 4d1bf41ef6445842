package main

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

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
		d := gateDiff{Gate: id, Hook: a.hook || b.hook, Change: "changed"}
		switch {
		case !old:
			d.Change = "added"
		case !now:
			d.Change = "removed"
		}
		for i, v := range b.values {
			if d.Change == "changed" && a.hook == b.hook && a.values[i].New != v.New {
				d.Changed = append(d.Changed, value{v.What, a.values[i].New, v.New})
			}
		}
		d.Removed, d.Added = minusParts(a.parts, b.parts), minusParts(b.parts, a.parts)
		if d.Change != "changed" || len(d.Changed)+len(d.Removed)+len(d.Added) > 0 {
			out = append(out, d)
		}
	}
	return out, nil
}

// declared is a gate or a hook as it is compared.
type declared struct {
	hook   bool
	values []value
	parts  []part
}

func gatesByID(ed edition) (map[string]declared, error) {
	gates, err := manifests.Gates(ed.fsys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ed.name, err)
	}
	out := map[string]declared{}
	for _, g := range gates {
		out[g.ID] = declared{false, valuesOf(g), partsOf(g)}
	}
	raw, err := fs.ReadFile(ed.fsys, bundle.Manifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ed.name, err)
	}
	b, err := manifests.ParseBundle(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ed.name, err)
	}
	for _, h := range b.Hooks {
		out[h.ID] = declaredHook(h)
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
		for _, lang := range sortedKeys(g.Judge.Prompt) {
			out = append(out, part{"prompt " + lang, strings.TrimSpace(g.Judge.Prompt[lang])})
		}
		for _, lang := range sortedKeys(g.Judge.Counter) {
			for _, c := range g.Judge.Counter[lang] {
				out = append(out, part{"counter-example " + lang, c})
			}
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
