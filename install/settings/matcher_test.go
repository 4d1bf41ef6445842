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
