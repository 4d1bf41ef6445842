package agent

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTable holds every row to what the code that reads it takes for granted.
func TestTable(t *testing.T) {
	kinds := []string{"stop", "subagent-stop", "pre-tool", "post-tool", "session-start"}
	for _, a := range All() {
		if got, ok := Lookup(a.Name); !ok || got.Title != a.Title {
			t.Errorf("Lookup(%q) = %+v, %v", a.Name, got, ok)
		}
		if a.Title == "" || a.Program == "" || a.Folder == "" || a.Missing == "" || len(a.Then) == 0 {
			t.Errorf("%s: a fact is missing: %+v", a.Name, a)
		}
		if a.Unit != time.Second && a.Unit != time.Millisecond {
			t.Errorf("%s: unit %s", a.Name, a.Unit)
		}
		for _, kind := range []string{"stop", "pre-tool", "post-tool"} {
			if a.Event(kind) == "" {
				t.Errorf("%s has no event for %s", a.Name, kind)
			}
		}
		for _, e := range a.Events {
			if !slices.Contains(kinds, e.Kind) {
				t.Errorf("%s: %s is no kind of event", a.Name, e.Kind)
			}
		}
		for _, s := range []Scope{User, Project} {
			if len(a.Editable(s)) == 0 {
				t.Errorf("%s cannot be installed in scope %s", a.Name, s)
			}
			if len(a.Steps(s)) == 0 {
				t.Errorf("%s: nothing is said after an installation in scope %s", a.Name, s)
			}
		}
		for _, f := range a.Files {
			if path.Clean(f.Path) != f.Path || path.IsAbs(f.Path) || f.Edit && (strings.Contains(f.Path, "*") || f.Foreign) {
				t.Errorf("%s: file %+v", a.Name, f)
			}
			if f.Scope == Managed && a.SystemDir() == "" {
				t.Errorf("%s: managed settings in no folder", a.Name)
			}
		}
		if slices.Contains(a.Scopes(), Managed) != (len(a.Editable(Managed)) > 0) {
			t.Errorf("%s: scopes %v", a.Name, a.Scopes())
		}
	}
	if _, ok := Lookup("emacs"); ok || len(Names()) != 7 {
		t.Errorf("names %v", Names())
	}
}

// TestSetupDocument: docs/setup.md says of each agent what the table says.
func TestSetupDocument(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "setup.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(doc)) {
		if cells := strings.Split(line, " | "); len(cells) == 8 {
			rows[strings.Trim(cells[1], "`")] = line
		}
	}
	for _, a := range All() {
		row := rows[a.Name]
		file := "~/" + path.Join(a.Folder, a.Editable(User)[0].Path)
		for _, want := range []string{a.Title, file, a.Env} {
			if !strings.Contains(row, want) {
				t.Errorf("%s: the row lacks %q: %s", a.Name, want, row)
			}
		}
		if strings.Contains(row, "by the guard") != a.Guard || strings.Contains(row, "| ms |") != (a.Unit == time.Millisecond) {
			t.Errorf("%s: guard or unit: %s", a.Name, row)
		}
		for _, e := range a.Events {
			if !strings.Contains(row, e.Name) && !strings.Contains(row, "as Claude Code") {
				t.Errorf("%s: %s is not in the row", a.Name, e.Name)
			}
		}
	}
}
