package agent

import (
	"path"
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
