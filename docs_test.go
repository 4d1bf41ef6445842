package hookctl_test

import (
	"go/ast"
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
	if len(yaml) != 4 {
		t.Fatalf("docs/gates.md has %d YAML blocks, want a gate, a bundle, its patch and a note", len(yaml))
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
		"cases/no-guessing/allow/a.yaml": {Data: []byte(yaml[3])},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 1 || cases[0].Note.Why == "" || cases[0].Note.Judge == nil {
		t.Errorf("the note was read as %+v", cases)
	}
	extension := fstest.MapFS{
		"hookctl.yaml":                          {Data: []byte(yaml[1])},
		"gates/commit-before-verification.yaml": {Data: []byte(yaml[2])},
	}
	if _, err := manifests.Gates(extension); err != nil {
		t.Error(err)
	}
	if _, err := manifests.Cases(extension); err != nil {
		t.Error(err)
	}
}

// What docs/program.md shows must be what hookctl reads.
func TestProgramDocumentIsTrue(t *testing.T) {
	m := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(readFile(t, "docs/program.md"))
	if m == nil {
		t.Fatal("docs/program.md shows no hookctl.yaml")
	}
	b, err := manifests.ParseBundle([]byte(m[1]))
	if err != nil || len(b.Binaries) != 2 {
		t.Errorf("%+v, %v", b.Binaries, err)
	}
}

// What docs/judges.md shows must be what hookctl reads.
func TestJudgesDocumentIsTrue(t *testing.T) {
	all := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readFile(t, "docs/judges.md"), -1)
	if len(all) != 3 {
		t.Errorf("docs/judges.md has %d YAML blocks, want 3 choices", len(all))
	}
	for _, m := range all {
		if c, err := manifests.ParseConfig([]byte(m[1])); err != nil || c.Judge.Backend == "" || len(c.Judge.Fallback) == 0 {
			t.Errorf("%s: %+v, %v", m[1], c.Judge, err)
		}
	}
	for _, b := range manifests.Backends {
		if !strings.Contains(readFile(t, "docs/judges.md"), "`"+b+"`") {
			t.Errorf("docs/judges.md does not name the backend %s", b)
		}
	}
}

// The tests and the errors that docs/trust.md, docs/program.md and docs/judges.md name are there,
// so that the table of attacks cannot promise more than the code does.
func TestTrustDocumentIsTrue(t *testing.T) {
	doc := readFile(t, "docs/trust.md") + readFile(t, "docs/program.md") + readFile(t, "docs/judges.md")
	tests, errors := map[string]bool{}, map[string]bool{}
	for _, p := range load(t) {
		for _, f := range p.files {
			for _, d := range f.ast.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					tests[d.Name.Name] = tests[d.Name.Name] || f.test
				case *ast.GenDecl:
					for _, s := range d.Specs {
						if s, ok := s.(*ast.TypeSpec); ok && strings.HasPrefix(p.dir, "sync/") {
							errors[s.Name.Name] = true
						}
					}
				}
			}
		}
	}
	for _, name := range regexp.MustCompile("`(Test[A-Z][A-Za-z]+)`").FindAllStringSubmatch(doc, -1) {
		if !tests[name[1]] {
			t.Errorf("there is no test %s", name[1])
		}
	}
	for _, name := range regexp.MustCompile("`([A-Z][A-Za-z]+Error)`").FindAllStringSubmatch(doc, -1) {
		if !errors[name[1]] {
			t.Errorf("there is no error %s", name[1])
		}
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
