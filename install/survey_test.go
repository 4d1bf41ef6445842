package install

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestSurvey(t *testing.T) {
	stop := func(command string) string {
		return fmt.Sprintf(`{ "hooks": { "Stop": [ {"hooks":[{"type":"command","command":%q}]} ] } }`, command)
	}
	for name, tt := range map[string]struct {
		files map[string]string // by path below the user's folder
		want  []string          // code, ! = warning
		text  string
	}{
		"nothing":        {nil, nil, ""},
		"user":           {map[string]string{".claude/settings.json": stop("hookctl gate")}, nil, ""},
		"two scopes":     {map[string]string{".claude/settings.json": stop("hookctl gate"), "p/.claude/settings.json": stop("/usr/local/bin/hookctl gate")}, []string{"registered-twice!"}, "twice"},
		"same command":   {map[string]string{".claude/settings.json": stop("hookctl gate"), "p/.claude/settings.json": stop("hookctl gate")}, nil, ""},
		"others":         {map[string]string{".claude/settings.json": stop("a"), "p/.claude/settings.local.json": stop("b")}, nil, ""},
		"managed only":   {map[string]string{"m/managed-settings.json": `{ "allowManagedHooksOnly": true }`}, []string{"managed-only"}, "managed"},
		"managed.d":      {map[string]string{"m/managed-settings.d/10.json": `{ "disableAllHooks": true }`}, []string{"disable-all-hooks"}, "10.json"},
		"user says so":   {map[string]string{".claude/settings.json": `{ "allowManagedHooksOnly": true }`}, nil, ""},
		"project is off": {map[string]string{"p/.claude/settings.local.json": `{ "disableAllHooks": true }`}, []string{"disable-all-hooks"}, "local"},
		"cut":            {map[string]string{".claude/settings.json": "{\n\"hooks\": {"}, []string{"invalid"}, "line 2"},
		"folder":         {map[string]string{".claude/settings.json/x": ""}, []string{"unreadable"}, "regular"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			for path, data := range tt.files {
				m.put(m.path(path), data)
			}
			scopes, err := Scopes("claude", Where{Home: m.user, ManagedDir: m.path("m")}, m.path("p"))
			if err != nil {
				t.Fatal(err)
			}
			found, findings := Survey(scopes)
			var codes, texts []string
			for _, f := range findings {
				code := f.Code
				if f.Warn {
					code += "!"
				}
				codes, texts = append(codes, code), append(texts, f.Scope.Path+": "+f.Problem.String())
			}
			if all := strings.Join(texts, "\n"); !slices.Equal(codes, tt.want) || !strings.Contains(all, tt.text) {
				t.Errorf("findings %v, want %v with %q\n%s", codes, tt.want, tt.text, all)
			}
			for _, f := range found {
				if !strings.Contains(m.read(f.Scope.Path), f.Command) {
					t.Errorf("%s is not in %s", f.Command, f.Scope.Path)
				}
			}
		})
	}
	if scopes, err := Scopes("claude", Where{Home: "/h"}, "/h"); err != nil || len(scopes) < 2 || scopes[len(scopes)-1].Name != "user" || slices.ContainsFunc(scopes, func(s Scope) bool { return s.Name == "project" }) {
		t.Errorf("the home folder as project: %v %v", scopes, err)
	}
	if _, err := Scopes("codex", Where{}, os.TempDir()); err == nil {
		t.Error("codex is supported now: say where its files lie")
	}
}
