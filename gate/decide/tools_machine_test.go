package decide

import (
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

// machine is one on which the tool gates of the embedded bundle decide: a home, a
// project, and what lies in them.
type machine struct {
	homes   []string
	project string
	fold    bool
	folders string // those that are there, each between spaces
	files   string
	links   map[string]string
}

func unix() machine {
	return machine{
		homes: []string{"/home/u"}, project: "/home/u/app",
		folders: " / /tmp /home /home/u /home/u/app /home/u/app/src /home/u/app/.claude /home/u/.claude /home/u/.hookctl /home/u/app/.git /home/u/app/.git/hooks /home/u/app/.husky /home/u/.codex /home/u/app/linked /home/u/app/node_modules /home/u/app/conf /home/u/app/.github ",
		files:   " /home/u/.claude/settings.json /home/u/app/.claude/settings.json /home/u/.hookctl/config.yaml /home/u/app/README.md /home/u/app/.git/hooks/pre-commit /home/u/app/.git/config /home/u/app/.husky/pre-commit /home/u/.codex/config.toml /home/u/app/dangling /home/u/app/conf/.env ",
		links:   map[string]string{"/home/u/app/linked": "/home/u/.claude", "/home/u/app/dangling": "/home/u/.claude/settings.local.json"},
	}
}

func windows() machine {
	m := unix()
	m.homes, m.project, m.fold = []string{"C:/Users/u"}, "C:/Users/u/app", true
	at := strings.NewReplacer("/home/u", "c:/users/u")
	m.folders, m.files, m.links = at.Replace(m.folders), at.Replace(m.files), nil
	return m
}

func (m machine) stat(p string) shell.Stat {
	p = path.Clean(m.resolve(p))
	if m.fold {
		p = strings.ToLower(p)
	}
	switch {
	case strings.Contains(m.folders, " "+p+" "):
		return shell.Folder
	case strings.Contains(m.files, " "+p+" "):
		return shell.Other
	}
	return shell.Missing
}

func (m machine) resolve(p string) string {
	for from, to := range m.links {
		if p == from || strings.HasPrefix(p, from+"/") {
			return path.Clean(to + p[len(from):])
		}
	}
	return path.Clean(p)
}

func (m machine) engine(t testing.TB) *Engine {
	return &Engine{Rules: toolRules(t), Paths: Paths{
		Homes: m.homes, FoldCase: m.fold, Stat: m.stat, Resolve: m.resolve, Folders: []string{m.homes[0] + "/.hookctl"},
		Project: func(dir string) string {
			if strings.HasPrefix(dir, m.project) {
				return m.project
			}
			return ""
		},
	}}
}

var decoded *gate.Rules

// toolRules are the embedded ones, decoded once for thousands of lines.
func toolRules(t testing.TB) *gate.Rules {
	if decoded == nil {
		decoded = embedded(t)
	}
	return decoded
}

// answers tells what the gates answer to a call: "deny", "ask" or "silence", and why.
func (m machine) answers(t testing.TB, tool string, input any) (string, string) {
	t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	v, tr := m.engine(t).Decide(t.Context(), gate.Event{Kind: gate.PreTool, CWD: m.project, Tool: gate.Tool{Name: tool, Input: raw}})
	why := v.Reason
	if tr.Shell != nil {
		for _, e := range tr.Shell.Effects {
			why += "\n    " + e.Kind + " " + e.Path + " " + e.Reach
		}
	}
	switch v.Decision {
	case gate.Block:
		return "deny", why
	case gate.Ask:
		return "ask", why
	}
	return "silence", why
}

func (m machine) lines(t *testing.T, want string, lines []string) {
	t.Helper()
	for _, line := range lines {
		if got, why := m.answers(t, "Bash", map[string]string{"command": line}); got != want {
			t.Errorf("%.300q: %s, want %s: %s", line, got, want, why)
		}
	}
}
