package simulate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWire(t *testing.T) {
	for _, c := range []struct {
		what, agent, file, src string
		want                   []Registration
		env, notes             []string
	}{
		{
			"Claude Code", "claude", "/p/.claude/settings.json",
			`{"env":{"A":"1"},"hooks":{
			  "PreToolUse":[
			    {"matcher":"Edit|Write","hooks":[{"type":"command","command":"a","timeout":5},{"type":"command","command":"/b","args":["x"]}]},
			    {"hooks":[{"type":"command","command":"c","if":"Bash(git *)","onFailure":"block"},{"type":"prompt","prompt":"p"},{"type":"command","command":"d","async":true}]}],
			  "Stop":[{"hooks":[{"type":"command","command":"s"}]}]}}`,
			[]Registration{
				{Event: "PreToolUse", Matcher: "Edit|Write", Timeout: 5, Callback: Callback{Command: "a"}},
				{Event: "PreToolUse", Matcher: "Edit|Write", Callback: Callback{Command: "/b", Args: []string{"x"}}},
				{Event: "PreToolUse", Callback: Callback{Command: "c", only: "Bash", failClosed: true}},
				{Event: "PreToolUse", Callback: Callback{Name: "(prompt)", skip: `a hook of the type "prompt"`}},
				{Event: "PreToolUse", Callback: Callback{Command: "d", late: true}},
			},
			[]string{"A=1"},
			[]string{"not played"},
		},
		{
			"ours", "claude", "settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"/x/hookctl gate"}]}]}}`,
			[]Registration{{Event: "PreToolUse", Callback: Callback{Name: "hookctl gate", Command: "/x/hookctl gate", own: true}}},
			nil, nil,
		},
		{
			"switched off", "claude", "settings.json", `{"disableAllHooks":true,"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"a"}]}]}}`,
			nil, nil,
			[]string{"disableAllHooks"},
		},
		{
			"dead matcher", "claude", "settings.json", `{"hooks":{"PreToolUse":[{"matcher":"edit","hooks":[{"type":"command","command":"a"}]}]}}`,
			[]Registration{{Event: "PreToolUse", Matcher: "edit", Callback: Callback{Command: "a"}}},
			nil,
			[]string{"matches nothing"},
		},
		{
			"Codex, JSON", "codex", "/p/.codex/hooks.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a","timeout":7}]}]}}`,
			[]Registration{{Event: "PreToolUse", Matcher: "Bash", Timeout: 7, Callback: Callback{Command: "a"}}},
			nil,
			[]string{"trusted"},
		},
		{
			"Codex, TOML", "codex", "/p/.codex/config.toml", "[[hooks.PreToolUse]]\nmatcher = \"^Bash$\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"a\"\n",
			[]Registration{{Event: "PreToolUse", Matcher: "^Bash$", Callback: Callback{Command: "a"}}},
			nil,
			[]string{"trusted"},
		},
		{
			"Gemini counts milliseconds", "gemini", "/p/.gemini/settings.json", `{"hooks":{"BeforeTool":[{"matcher":"write_file","hooks":[{"type":"command","command":"a","timeout":7000}]}]}}`,
			[]Registration{{Event: "BeforeTool", Matcher: "write_file", Timeout: 7, Callback: Callback{Command: "a"}}},
			nil,
			[]string{"trusted"},
		},
		{
			"Copilot's own form", "copilot", "/p/.github/hooks/x.json", `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"a","timeoutSec":3,"matcher":"edit"}]}}`,
			[]Registration{{Event: "preToolUse", Matcher: "edit", Timeout: 3, Callback: Callback{Command: "a"}}},
			nil, nil,
		},
		{
			"Copilot reads Claude's", "copilot", "/p/.claude/settings.json", `{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"a"}]}]}}`,
			[]Registration{{Event: "PreToolUse", Matcher: "Edit", Callback: Callback{Command: "a"}}},
			nil, nil,
		},
		{
			"Cursor", "cursor", "/p/.cursor/hooks.json", `{"version":1,"hooks":{"beforeShellExecution":[{"command":"a","failClosed":true}]}}`,
			[]Registration{{Event: "beforeShellExecution", Callback: Callback{Command: "a", failClosed: true}}},
			nil, nil,
		},
		{"empty", "claude", "settings.json", "", nil, nil, nil},
	} {
		w, err := Wire(c.agent, c.file, []byte(c.src))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if !slices.EqualFunc(w.Registrations, c.want, sameRegistration) || !slices.Equal(w.Env, c.env) {
			t.Errorf("%s: %+v\nwant %+v", c.what, w, c.want)
		}
		for _, n := range c.notes {
			if !strings.Contains(strings.Join(w.Notes, "\n"), n) {
				t.Errorf("%s: the notes %q do not say %q", c.what, w.Notes, n)
			}
		}
		if len(c.notes) == 0 && len(w.Notes) > 0 {
			t.Errorf("%s: notes %q", c.what, w.Notes)
		}
	}
	if _, err := Wire("claude", "x/settings.json", []byte(`{"hooks":`)); err == nil || !strings.Contains(err.Error(), "x/settings.json") {
		t.Errorf("broken: %v", err)
	}
}

func sameRegistration(a, b Registration) bool {
	x, y := a.Callback, b.Callback
	return a.Event == b.Event && a.Matcher == b.Matcher && a.Timeout == b.Timeout && x.Name == y.Name && x.Command == y.Command &&
		slices.Equal(x.Args, y.Args) && x.own == y.own && x.skip == y.skip && x.failClosed == y.failClosed && x.late == y.late && x.only == y.only
}

// Which tools a registration is asked about is the agent's reading of the matcher.
func TestMatchersAreReadAsTheAgentDoes(t *testing.T) {
	for _, c := range []struct {
		agent, event, matcher string
		want                  []string
	}{
		{"claude", "PreToolUse", "", []string{"Edit", "Write", "Read", "Bash"}},
		{"claude", "PreToolUse", "Edit|Write", []string{"Edit", "Write"}},
		{"claude", "PreToolUse", "edit", nil},
		{"claude", "PreToolUse", "Ed.*", []string{"Edit"}},
		{"claude", "PreToolUse", "Bash(git *)", nil},
		{"codex", "PreToolUse", "Edit|Write", []string{"Edit", "Write"}}, // both are patches
		{"codex", "PreToolUse", "apply_patch", []string{"Edit", "Write"}},
		{"codex", "PreToolUse", "Edit, Write", nil},
		{"gemini", "BeforeTool", "Edit|Write", nil},
		{"gemini", "BeforeTool", "replace|write_file", []string{"Edit", "Write"}},
		{"gemini", "BeforeTool", "shell", []string{"Bash"}},
		{"qwen", "PreToolUse", "Edit|Write", []string{"Edit", "Write"}},
		{"qwen", "PreToolUse", "run_shell_command", []string{"Bash"}},
		{"copilot", "preToolUse", "edit|create", []string{"Edit", "Write"}},
		{"copilot", "preToolUse", "Edit", nil},
		{"copilot", "PreToolUse", "Edit", []string{"Edit"}},
		{"cursor", "preToolUse", "Write", []string{"Edit", "Write"}},
		{"cursor", "beforeShellExecution", "^rm ", []string{"Bash"}},
		{"cursor", "beforeShellExecution", "^mv ", nil},
	} {
		a := agentOf(c.agent)
		var got []string
		for _, tool := range []string{toolEdit, toolWrite, toolRead, toolBash} {
			r := requestOf(tool)
			if tool == toolBash {
				r.Command = "rm x"
			}
			ask := &call{Request: r, n: 1, box: &sandbox{project: "/p"}}
			hit, _ := a.matches(c.event, Registration{Event: c.event, Matcher: c.matcher}, ask)
			if hit && slices.Contains(a.events(before, tool), c.event) {
				got = append(got, tool)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s %q: %v, want %v", c.agent, c.event, c.matcher, got, c.want)
		}
	}
	a := agentOf("claude")
	ask := &call{Request: requestOf(toolEdit), n: 1, box: &sandbox{project: "/p"}}
	if hit, why := a.matches("PreToolUse", Registration{Matcher: "(?<=x)Edit"}, ask); hit || why == "" {
		t.Errorf("what cannot be told: %v %q", hit, why)
	}
	if hit, why := a.matches("PreToolUse", Registration{Callback: Callback{only: "Bash"}}, ask); hit || why == "" {
		t.Errorf("a rule for another tool: %v %q", hit, why)
	}
}

func TestRootAndAgentOfAFile(t *testing.T) {
	abs := func(p string) string {
		return filepath.Join(filepath.VolumeName(os.TempDir())+string(filepath.Separator), filepath.FromSlash(p))
	}
	for file, want := range map[string][2]string{
		"p/.claude/settings.json":  {"p", "claude"},
		"p/.github/hooks/a.json":   {"p", "copilot"},
		"h/.codex/config.toml":     {"h", "codex"},
		"p/claude/settings.json":   {"p/claude", ""},
		"p/settings.json":          {"p", ""},
		"p/.cursor/hooks.json":     {"p", "cursor"},
		"h/.copilot/hooks/x.json":  {"h", "copilot"},
		"h/.claude/x/settings.bak": {"h", "claude"},
	} {
		if root, agent := Root(abs(file)), AgentOf(abs(file)); root != abs(want[0]) || agent != want[1] {
			t.Errorf("%s: %s %s", file, root, agent)
		}
	}
}

func TestBring(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string, mode os.FileMode) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	put("hooks/a.sh", "a", 0o755)
	put("hooks/.git/config", "no", 0o644)
	put("one", "1", 0o644)
	if err := os.Symlink("one", filepath.Join(root, "hooks", "link")); err != nil {
		t.Skip(err)
	}
	list, err := Bring(root, "~/", false, "hooks", "one", "hooks/a.sh", "none")
	want := []File{{"~/hooks/a.sh", "a", true}, {"~/one", "1", false}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v %v", list, err)
	}
	for what, err := range map[string]error{
		"outside": second(Bring(filepath.Join(root, "hooks"), "", true, "../one")),
		"missing": second(Bring(root, "", true, "none")),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestMentions(t *testing.T) {
	w := Wiring{Registrations: []Registration{
		{Callback: Callback{Command: `"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh --x=1 && python3 ./scripts/b.py ../out/c /abs/d e.py`}},
		{Callback: Callback{Command: "sh", Args: []string{"${CLAUDE_PROJECT_DIR}/tools/f.sh", "g"}}},
	}}
	want := []string{".claude/hooks/a.sh", "scripts/b.py", "tools/f.sh"}
	if got := w.Mentions(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The tour tries each tool on each file, and each has an effect where nobody says no.
func TestTour(t *testing.T) {
	for _, agent := range Agents() {
		s := Tour("t", agent, []string{"notes.txt", "~/.x/settings.json"}, nil)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		rep := mustPlay(t, s, options())
		if rep.Counts.ToolRuns != len(s.Requests) || rep.Counts.Unseen != len(s.Requests) || len(rep.Coverage) != len(s.Requests) {
			t.Errorf("%s: %+v", agent, rep.Counts)
		}
		for _, st := range rep.Steps {
			if len(st.Effects) == 0 {
				t.Errorf("%s: %s %s changed nothing", agent, st.Label, st.Target)
			}
		}
	}
}
