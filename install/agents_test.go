package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/files"
)

// everyScope is each agent in each scope in which it can be installed.
func everyScope(m machine) (targets []Target) {
	m.Helper()
	w := Where{Home: m.user, Project: m.path("project"), ManagedDir: m.path("managed")}
	for _, a := range agent.All() {
		for _, s := range a.Scopes() {
			t, err := Plan(a.Name, s, m.home, w)
			if err != nil {
				m.Fatal(err)
			}
			targets = append(targets, t)
		}
	}
	return targets
}

// What an agent's settings may hold before hookctl comes.
func before(f agent.Format) []string {
	switch f {
	case agent.Flat:
		return []string{"<none>", "", "{ \"version\": 1 }", "{\r\n\t\"version\": 1,\r\n\t\"hooks\": { \"stop\": [ { \"command\": \"say\" } ], \"preToolUse\": [] }\r\n}", "{}\n"}
	case agent.TOML:
		return []string{"<none>", "", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'say'", "# c\nmodel = \"m\"\r\n"}
	case agent.Plugin:
		return []string{"<none>", ""}
	}
	return []string{"<none>", "", "{ }", "{\n  // c\n  \"theme\": \"dark\",\n}\n", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say"}]}],"AfterAgent":[]}}`}
}

// TestEveryAgent installs for each agent, in each scope, into each of the files
// from before: it is registered once, a second time changes nothing, and uninstall
// gives the bytes back.
func TestEveryAgent(t *testing.T) {
	for i, planned := range everyScope(newMachine(t)) {
		for _, src := range before(planned.Format) {
			m := newMachine(t)
			tt := everyScope(m)[i]
			if src != "<none>" {
				m.put(tt.Path, src)
			}
			held := m.lock(nil)
			preview, err := tt.Preview()
			if err != nil {
				t.Fatalf("%s %s, %q: %v", tt.Agent, tt.Scope, src, err)
			}
			c, err := Apply(held, nil, tt)
			if d := cmp.Diff(preview, c); err != nil || d != "" {
				t.Errorf("%s %s: Apply does other than Preview says: %v\n%s", tt.Agent, tt.Scope, err, d)
			}
			if p, err := tt.Wired(); err != nil || len(p) > 0 {
				t.Errorf("%s %s: not wired: %v %v\n%s", tt.Agent, tt.Scope, p, err, m.read(tt.Path))
			}
			if n := len(tt.Registrations()); n != len(tt.Entries) && tt.Format != agent.Plugin {
				t.Errorf("%s %s: %d registrations of %d\n%s", tt.Agent, tt.Scope, n, len(tt.Entries), m.read(tt.Path))
			}
			if again, err := Apply(held, nil, tt); err != nil || again.Changed() {
				t.Errorf("%s %s: a second time: %v\n%s", tt.Agent, tt.Scope, err, again.Diff())
			}
			recorded, err := Recorded(m.home)
			if d := cmp.Diff([]Target{tt}, recorded); err != nil || d != "" {
				t.Errorf("%s %s: recorded: %v\n%s", tt.Agent, tt.Scope, err, d)
			}
			if _, err := Uninstall(held, nil, recorded); err != nil {
				t.Errorf("%s %s: %v", tt.Agent, tt.Scope, err)
			}
			if got := m.read(tt.Path); got != src {
				t.Errorf("%s %s: after uninstall %q, want %q", tt.Agent, tt.Scope, got, src)
			}
			held.Release()
			m.noTemp()
		}
	}
}

// TestEveryAgentAfterOthers: what others have added since stays, and only that.
func TestEveryAgentAfterOthers(t *testing.T) {
	for i, planned := range everyScope(newMachine(t)) {
		if planned.Format == agent.Plugin {
			continue
		}
		m := newMachine(t)
		tt := everyScope(m)[i]
		held := m.lock(nil)
		if _, err := Apply(held, nil, tt); err != nil {
			t.Fatal(err)
		}
		text := m.read(tt.Path)
		added := strings.Replace(text, "{", "{ \"mine\": 1,", 1)
		if tt.Format == agent.TOML {
			added = "mine = 1\n" + text
		}
		m.put(tt.Path, added)
		if _, err := Uninstall(held, nil, []Target{tt}); err != nil {
			t.Fatal(err)
		}
		if got := m.read(tt.Path); !strings.Contains(got, "mine") || strings.Contains(got, "hookctl") {
			t.Errorf("%s %s: %q", tt.Agent, tt.Scope, got)
		}
		held.Release()
	}
}

// TestEveryAgentForeignWrite has each agent save its file between our read and our
// rename.
func TestEveryAgentForeignWrite(t *testing.T) {
	for i, planned := range everyScope(newMachine(t)) {
		if planned.Format == agent.Plugin {
			continue
		}
		m := newMachine(t)
		tt := everyScope(m)[i]
		src := "{ \"mine\": 1 }"
		if tt.Format == agent.TOML {
			src = "mine = 1\n"
		}
		m.put(tt.Path, "")
		done := false
		l := &files.Layer{Before: func(op files.Op) error {
			if op.Kind == files.Sync && filepath.Dir(op.Path) == filepath.Dir(tt.Path) && !done {
				done = true
				m.put(tt.Path, src)
			}
			return nil
		}}
		held := m.lock(l)
		if _, err := Apply(held, l, tt); err != nil {
			t.Fatal(err)
		}
		if got := m.read(tt.Path); !strings.Contains(got, "mine") || len(tt.Registrations()) == 0 || !done {
			t.Errorf("%s %s: an update was lost: %s", tt.Agent, tt.Scope, got)
		}
		held.Release()
	}
}

// Codex's hooks go where the user's are: into hooks.json, unless config.toml has
// some and hooks.json none.
func TestCodexFile(t *testing.T) {
	const tables = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'say'\n"
	const nested = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say"}]}]}}`
	for name, tt := range map[string]struct {
		json, toml, want string
	}{
		"none":           {"", "", "hooks.json"},
		"only settings":  {"", "model = 'm'\n[hooks.state.x]\ntrusted_hash = 'y'\n", "hooks.json"},
		"in toml":        {"", tables, "config.toml"},
		"blank json":     {"{}", tables, "config.toml"},
		"in both":        {nested, tables, "hooks.json"},
		"inline in toml": {"", "[hooks]\nStop = [{hooks=[{command='say'}]}]\n", "hooks.json"},
		"broken toml":    {"", "[[", "hooks.json"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			if tt.json != "" {
				m.put(m.path(".codex", "hooks.json"), tt.json)
			}
			if tt.toml != "" {
				m.put(m.path(".codex", "config.toml"), tt.toml)
			}
			got, err := Plan("codex", agent.User, m.home, Where{Home: m.user})
			if err != nil || got.Path != m.path(".codex", tt.want) {
				t.Errorf("%s, %v; want %s", got.Path, err, tt.want)
			}
		})
	}
}

func TestCursorRefusesLinks(t *testing.T) {
	m := newMachine(t)
	m.put(m.path("dotfiles", "hooks.json"), `{"version":1}`)
	m.put(m.path(".cursor", "x"), "")
	if err := os.Symlink("../dotfiles/hooks.json", m.path(".cursor", "hooks.json")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	tt, err := Plan("cursor", agent.User, m.home, Where{Home: m.user})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tt.Preview(); !errors.As(err, new(*LinkError)) || !strings.Contains(err.Error(), "hooks.json") {
		t.Errorf("%v", err)
	}
}

func TestPlanForeignFolders(t *testing.T) {
	h := newMachine(t).home
	for _, tt := range []struct{ agent, env, value, want string }{
		{"claude", "CLAUDE_CONFIG_DIR", "/c", "/c/settings.json"},
		{"codex", "CODEX_HOME", "/c", "/c/hooks.json"},
		{"gemini", "GEMINI_CLI_HOME", "/c", "/c/.gemini/settings.json"},
		{"qwen", "QWEN_HOME", "/c", "/c/settings.json"},
		{"copilot", "COPILOT_HOME", "/c", "/c/hooks/hookctl.json"},
		{"opencode", "XDG_CONFIG_HOME", "/c", "/c/opencode/plugins/hookctl.js"},
	} {
		got, err := Plan(tt.agent, agent.User, h, Where{Home: "/h", Getenv: env(tt.env, tt.value)})
		want, _ := filepath.Abs(filepath.FromSlash(tt.want))
		if err != nil || got.Path != want {
			t.Errorf("%s: %s, %v; want %s", tt.agent, got.Path, err, want)
		}
	}
	for name, tt := range map[string]struct {
		agent string
		scope agent.Scope
		at    Where
	}{
		"no project":  {"claude", agent.Project, Where{Home: "/h"}},
		"in the home": {"claude", agent.Project, Where{Home: "/h", Project: "/h/"}},
		"no managed":  {"codex", agent.Managed, Where{Home: "/h"}},
		"no local":    {"cursor", agent.Local, Where{Home: "/h", Project: "/p"}},
	} {
		if _, err := Plan(tt.agent, tt.scope, h, tt.at); !errors.As(err, new(*ScopeError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A shared file names the program, and never a path of one machine.
func TestProjectIsBare(t *testing.T) {
	m := newMachine(t)
	for _, tt := range everyScope(m) {
		for _, e := range tt.Entries {
			if bare := !strings.Contains(e.Command+e.PowerShell, m.user); bare != (tt.Scope == agent.Project) {
				t.Errorf("%s %s: %q %q", tt.Agent, tt.Scope, e.Command, e.PowerShell)
			}
		}
	}
}

func TestPresent(t *testing.T) {
	m := newMachine(t)
	m.put(m.path(".gemini", "x"), "")
	m.put(m.path("bin", "codex"), "")
	m.put(m.path("bin", "qwen", "x"), "")
	if err := os.Chmod(m.path("bin", "codex"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := Present(Where{Home: m.user, Getenv: env("PATH", m.path("none")+string(filepath.ListSeparator)+m.path("bin"))})
	want := []string{"codex", "gemini"}
	if !modesCount { // a program there is called codex.exe
		want = []string{"gemini"}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
