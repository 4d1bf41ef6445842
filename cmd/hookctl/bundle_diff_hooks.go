package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/manifests"
)

func (d gateDiff) kind() string {
	if d.Hook {
		return "hook"
	}
	return "gate"
}

// declaredHook lists what a bundle says of an executable, always the same values
// in the same order. The bytes of its file are among the files.
func declaredHook(h manifests.Hook) declared {
	timeout := ""
	if h.Timeout > 0 {
		timeout = h.Timeout.String()
	}
	d := declared{hook: true, values: []value{
		{What: "file", New: h.File},
		{What: "run", New: strings.Join(h.Run, " ")},
		{What: "mode", New: h.Mode},
		{What: "timeout", New: timeout},
		{What: "failure", New: h.Failure},
	}}
	for _, e := range h.Events {
		d.parts = append(d.parts, part{"event", e})
	}
	for _, t := range h.Tools {
		d.parts = append(d.parts, part{"tool", t})
	}
	for _, code := range slices.Sorted(maps.Keys(h.Exit)) {
		d.parts = append(d.parts, part{fmt.Sprintf("exit %d", code), h.Exit[code]})
	}
	return d
}
