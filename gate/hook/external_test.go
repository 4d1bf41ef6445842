//go:build !windows

package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/home"
)

// equip installs the embedded rules with a hook that is a shell script, and
// returns the script's path.
func (m *machine) equip(t *testing.T, script string, change func(*gate.Hook)) (file string) {
	t.Helper()
	h := gate.Hook{
		ID: "own", File: "hooks/own.sh", Events: []gate.Kind{gate.Stop, gate.PreTool}, Mode: gate.Enforce,
		Timeout: 5 * time.Second, Failure: gate.FailAsk, Exit: map[int]string{0: "allow", 2: "block"},
	}
	if change != nil {
		change(&h)
	}
	text := "#!/bin/sh\n" + script + "\n"
	p := m.generation(t, rules(t, func(r *gate.Rules) {
		r.Schema, r.Hooks, r.Files = gate.HooksSchema, []gate.Hook{h}, map[string]string{h.File: strings.TrimPrefix(digest([]byte(text)), "sha256:")}
		r.Wakes = r.Calls()
	}))
	p.Hooks = true
	m.point(t, p)
	file = filepath.Join(home.Dir(m.home).Generation(p.Digest), filepath.FromSlash(h.File))
	write(t, file, text)
	must(t, os.Chmod(file, 0o755))
	return file
}

// The fast path hands on what a hook is to see, and nothing else.
func TestHookSeesQuietEvents(t *testing.T) {
	m := newMachine(t)
	m.equip(t, "exit 2", func(h *gate.Hook) { h.Tools = []string{"Bash", "Read"} })
	blocked(t, m.fire(t, m.stop(report, nil)))
	for name, input := range map[string]fields{"Bash": {"command": "ls"}, "Read": {"file_path": "x"}} {
		if d, reason := m.fire(t, m.tool(name, input, nil)).decision(t); d != "deny" || reason != "hookctl [own] no reason was given" {
			t.Errorf("%s: %s %q", name, d, reason)
		}
		silent(t, m.fire(t, m.tool(name, input, fields{"hook_event_name": "PostToolUse"})))
	}
	silent(t, m.fire(t, m.tool("Glob", fields{"pattern": "*"}, nil)))
	silent(t, m.fire(t, m.stop(report, fields{"hook_event_name": "SubagentStop"})))
}

// When the rules with hooks cannot be read those of the generation before serve,
// visibly: an unreadable part is never passed over in silence at a stop.
func TestHookRulesDamaged(t *testing.T) {
	m := newMachine(t)
	m.equip(t, "exit 2", nil)
	found, err := filepath.Glob(filepath.Join(m.home, "store", "*", "rules-*"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	write(t, found[0], "{}\n")
	silent(t, m.fire(t, m.tool("Bash", fields{"command": "ls"}, nil)))
	noted(t, m.fire(t, m.stop(report, nil)), "digest is")
}

// What a hook says and how it fails stands in the journal without its secrets,
// also when the loop breaker lets the third stop pass.
func TestHookInTheJournal(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	m.equip(t, `case $(cat) in *fail*) echo "DB_PASSWORD=hunter2hunter2" >&2; exit 7;; esac; echo "token ghp_0123456789abcdefghijABCDEFGHIJ012345 is in the log" >&2; exit 2`, func(h *gate.Hook) { h.Failure = gate.FailClosed })
	for i, text := range []string{"one", "two", "three"} {
		m.fire(t, m.stop(text, fields{"stop_hook_active": i > 0}))
	}
	m.fire(t, m.tool("Bash", fields{"command": "fail"}, nil))
	lines := m.lines(t)
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []struct {
		decision, outcome, text string
		exit                    int
	}{
		{"block", "block", "token [redacted:", 2},
		{"block", "block", "token [redacted:", 2},
		{"notice", "blocked 2 times in this turn already", "token [redacted:", 2},
		{"block", "failed", "exit code 7: DB_PASSWORD=[redacted:", 7},
	} {
		g := lines[i].Gates[len(lines[i].Gates)-1]
		if lines[i].Decision != want.decision || g.ID != "own" || g.Outcome != want.outcome || !strings.HasPrefix(g.Sentence+g.Failure, want.text) || g.Exit == nil || *g.Exit != want.exit || g.Micros <= 0 {
			t.Errorf("%d: %s %+v, want %+v", i, lines[i].Decision, g, want)
		}
	}
}

// A hook that fails at a stop lets it pass with one line; one that is shadow says
// nothing to anybody.
func TestHookFailures(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	m.equip(t, "exit 9", nil)
	noted(t, m.fire(t, m.stop(report, nil)), "[own] could not check this: exit code 9")
	if l := m.lines(t); l[0].Decision != "failed" || l[0].Gates[len(l[0].Gates)-1].Outcome != "failed" {
		t.Errorf("the journal says %+v", l[0])
	}
	s := newMachine(t)
	s.direct = true
	s.equip(t, "exit 9", func(h *gate.Hook) { h.Mode, h.Failure = gate.Shadow, gate.FailClosed })
	silent(t, s.fire(t, s.stop(report, nil)))
	silent(t, s.fire(t, s.tool("Bash", fields{"command": "ls"}, nil)))
	if l := s.lines(t); l[0].Decision != "allow" || l[0].Gates[len(l[0].Gates)-1].Failure != "exit code 9" {
		t.Errorf("the journal says %+v", l[0])
	}
}

// Another user cannot be let in by a file that only its mode protects: a hook that
// this user may not read has failed.
func TestHookUnreadable(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the test drops to another user, which only root can")
	}
	m := newMachine(t)
	m.uid = 65534
	file := m.equip(t, "exit 0", nil)
	for dir := m.user; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
	silent(t, m.fire(t, m.tool("Bash", fields{"command": "ls"}, nil)))
	must(t, os.Chmod(file, 0o700))
	if d, reason := m.fire(t, m.tool("Bash", fields{"command": "ls"}, nil)).decision(t); d != "ask" || !strings.Contains(reason, "permission denied") {
		t.Errorf("%s %q", d, reason)
	}
}
