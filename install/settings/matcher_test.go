package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/install/agent"
)

// measured is what a real client did: for each matcher the tools for which the
// hook ran, of those that were called. testdata/e2e writes these files anew.
type measured struct {
	Client, Agent, Event string
	Tools                []string
	Ran                  map[string][]string
}

func readMeasured(t *testing.T) map[string]measured {
	t.Helper()
	files, err := filepath.Glob("testdata/matchers/*.json")
	if err != nil || len(files) < 6 {
		t.Fatalf("%v: %v", files, err)
	}
	all := map[string]measured{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var m measured
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = m
	}
	return all
}

// The reading of matchers here is that of the real clients.
func TestMatchesAsMeasured(t *testing.T) {
	for name, m := range readMeasured(t) {
		t.Run(name, func(t *testing.T) {
			r := ReaderOf(m.Agent, agent.Nested)
			if !r.OnTools(m.Event) || len(m.Ran) < 12 {
				t.Fatalf("%s, %s: %d matchers", m.Agent, m.Event, len(m.Ran))
			}
			for matcher, ran := range m.Ran {
				for _, called := range m.Tools {
					i := slices.IndexFunc(r.tools, func(t Tool) bool { return t.Name == called || slices.Contains(t.Alias, called) })
					if i < 0 {
						t.Fatalf("%s called %s, which is no tool of it here", m.Client, called)
					}
					want := matchIf(slices.Contains(ran, called))
					if got := r.Matches(m.Event, matcher, r.tools[i]); got != want {
						t.Errorf("%s: matcher %q on %s: %v, the client says %v", m.Client, matcher, called, got, want)
					}
				}
			}
		})
	}
}

// What costs a real client hooks is an error here, and nothing else is. F is the
// hook with the fault, W one beside it on the same event, S one on another event.
func TestShapesAsMeasured(t *testing.T) {
	files, err := filepath.Glob("testdata/shapes/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Client, Agent string
			Format        agent.Format
			Cases         map[string]struct {
				Ran      []string
				Settings string
			}
		}
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for name, c := range m.Cases {
			lost := false
			for _, hook := range []string{"F", "W", "S"} {
				lost = lost || strings.Contains(c.Settings, `"`+hook+`"`) && !slices.Contains(c.Ran, hook)
			}
			found, problems, err := ReaderOf(m.Agent, m.Format).Inspect([]byte(c.Settings), Own, false)
			bad := err != nil || slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == Error })
			if bad != lost && !otherwise(m.Agent, name) {
				t.Errorf("%s, %s: ran %v, here: %d hooks, %v, %v", m.Client, name, c.Ran, len(found), problems, err)
			}
		}
	}
}

// otherwise are the cases in which the marks do not tell what is said here.
func otherwise(client, name string) bool {
	switch name {
	case "command empty", "command missing": // there is no F to be missed
		return true
	case "text duplicate key": // the last of two is read, and which one was meant is not known
		return true
	case "timeout 0", "timeout -1", "timeout string", "timeout 0.5": // it is started, and ended at once
		return client == agent.Gemini
	case "hooksConfig disabled", "powershell only": // install/doctor names it
		return true
	}
	return false
}
