package hookctl_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agenthooks/hookctl/gate/decide"
	"github.com/agenthooks/hookctl/manifests"
)

// What docs/gates.md shows must be what hookctl reads.
func TestGateDocumentIsTrue(t *testing.T) {
	var yaml []string
	for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readFile(t, "docs/gates.md"), -1) {
		yaml = append(yaml, m[1])
	}
	if len(yaml) != 2 {
		t.Fatalf("docs/gates.md has %d YAML blocks, want a gate and a note", len(yaml))
	}
	g, err := manifests.ParseGate("gates/no-guessing.yaml", []byte(yaml[0]))
	if err != nil {
		t.Fatal(err)
	}
	for lang, patterns := range g.Signals {
		for _, p := range patterns {
			if _, err := decide.Literals(p); err != nil {
				t.Errorf("signal %s %q: %v", lang, p, err)
			}
		}
	}
	cases, err := manifests.Cases(fstest.MapFS{
		"cases/no-guessing/allow/a.md":   {Data: []byte("Pushed.\n")},
		"cases/no-guessing/allow/a.yaml": {Data: []byte(yaml[1])},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 1 || cases[0].Note.Why == "" || cases[0].Note.Judge == nil {
		t.Errorf("the note was read as %+v", cases)
	}
}

// A link in a document leads to a file of this tree, or out of it.
func TestLinksLeadSomewhere(t *testing.T) {
	docs, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)|\b(docs/[a-z-]+\.md|AGENTS\.md|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md)\b`)
	for _, doc := range append(docs, more...) {
		for _, m := range link.FindAllStringSubmatch(readFile(t, doc), -1) {
			to, from := m[1], filepath.Dir(doc)
			if m[3] != "" {
				to, from = m[3], "." // prose names files from the root
			}
			if strings.Contains(to, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(from, to)); err != nil {
				t.Errorf("%s: link to %s: %v", doc, to, err)
			}
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}
