package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/live"
)

// The table of docs/agents.md is what a run has printed as docs/agents.json; -update
// makes it anew from there. testdata/e2e records a run.
func TestAgentsDocument(t *testing.T) {
	const doc, record = "../../docs/agents.md", "../../docs/agents.json"
	raw, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var rep liveReport
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&rep); err != nil {
		t.Fatalf("%s is not what verify --live --json prints: %v", record, err)
	}
	if rep.Schema != schema || !rep.Good || live.Any(rep.Agents, live.Broken) || live.Any(rep.Agents, live.Unknown) {
		t.Errorf("%s: schema %d, good %v: only a good run is written down", record, rep.Schema, rep.Good)
	}
	var names []string
	for _, r := range rep.Agents {
		names = append(names, r.Agent)
		var promises []live.Promise
		for _, c := range r.Cells {
			promises = append(promises, c.Promise)
		}
		if r.Version == "" || !slices.Equal(promises, live.Promises) {
			t.Errorf("%s: %s has version %q and promises %q", record, r.Agent, r.Version, promises)
		}
	}
	if !slices.Equal(names, live.Names()) {
		t.Errorf("%s has %q, want %q", record, names, live.Names())
	}

	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "<!-- verify --live -->\n")
	table, tail, ok2 := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !ok2 {
		t.Fatal(doc, "has no place for the table")
	}
	want := liveTable(rep)
	if table == want {
		return
	}
	if !*update {
		t.Fatalf("%s is not of %s; go test ./cmd/hookctl -run %s -update\ngot\n%s\nwant\n%s", doc, record, t.Name(), table, want)
	}
	if err := os.WriteFile(doc, []byte(head+"<!-- verify --live -->\n"+want+"<!-- end -->\n"+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// liveTable is the table of a run in Markdown.
func liveTable(rep liveReport) string {
	var b strings.Builder
	b.WriteString("| agent | version |")
	for _, p := range live.Promises {
		fmt.Fprintf(&b, " %s |", p)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(live.Promises)) + "\n")
	var notes []string
	for _, r := range rep.Agents {
		fmt.Fprintf(&b, "| %s | %s |", r.Agent, r.Version)
		for _, c := range r.Cells {
			fmt.Fprintf(&b, " %s |", c.State)
			if c.Why != "" {
				notes = append(notes, fmt.Sprintf("- %s, %s: %s.", r.Agent, c.Promise, c.Why))
			}
		}
		b.WriteByte('\n')
		for _, n := range r.Notes {
			notes = append(notes, fmt.Sprintf("- %s: %s.", r.Agent, n))
		}
	}
	return b.String() + "\n" + strings.Join(notes, "\n") + "\n"
}
