//go:build !windows

package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// releaseOf marks rules, so that the journal tells which were in force.
func releaseOf(n int) func(*gate.Rules) { return func(r *gate.Rules) { r.Release = n } }

// breakages are ways in which a generation can be broken. Each is given the file
// with the compiled rules, and the pointer before it is written.
var breakages = map[string]func(t *testing.T, m *machine, file string, p *home.Pointer){
	"cut off":  func(t *testing.T, _ *machine, file string, _ *home.Pointer) { truncate(t, file, 1000) },
	"empty":    func(t *testing.T, _ *machine, file string, _ *home.Pointer) { truncate(t, file, 0) },
	"one byte": func(t *testing.T, _ *machine, file string, _ *home.Pointer) { change(t, file) },
	"missing":  func(t *testing.T, _ *machine, file string, _ *home.Pointer) { must(t, os.Remove(file)) },
	"no folder": func(t *testing.T, _ *machine, file string, _ *home.Pointer) {
		must(t, os.RemoveAll(filepath.Dir(file)))
	},
	"a folder": func(t *testing.T, _ *machine, file string, _ *home.Pointer) {
		must(t, os.Remove(file))
		mkdir(t, file)
	},
	"a link that leads out": func(t *testing.T, m *machine, file string, _ *home.Pointer) {
		outside := filepath.Join(m.user, "rules")
		must(t, os.Rename(file, outside))
		must(t, os.Symlink(outside, file))
	},
	"another schema, well hashed": func(t *testing.T, m *machine, file string, p *home.Pointer) {
		raw, err := os.ReadFile(file)
		must(t, err)
		p.Rules = digest([]byte(strings.Replace(string(raw), `"schema":3`, `"schema":9`, 1)))
		write(t, m.rules(p), strings.Replace(string(raw), `"schema":3`, `"schema":9`, 1))
	},
	"cut off, well hashed": func(t *testing.T, m *machine, file string, p *home.Pointer) {
		raw, err := os.ReadFile(file)
		must(t, err)
		p.Rules = digest(raw[:1000])
		write(t, m.rules(p), string(raw[:1000]))
	},
	"no gates line, well hashed": func(t *testing.T, m *machine, file string, p *home.Pointer) {
		raw, err := os.ReadFile(file)
		must(t, err)
		head, _, _ := strings.Cut(string(raw), "\n")
		p.Rules = digest([]byte(head))
		write(t, m.rules(p), head)
	},
	"a digest that is a path": func(_ *testing.T, _ *machine, _ string, p *home.Pointer) {
		p.Digest = "sha256:" + strings.Repeat("../", 21) + "x"
	},
}

// The rules that serve are those of the next step, the step is told at a stop,
// and neither a stop nor the repair is blocked by it.
func TestBrokenRules(t *testing.T) {
	for name, damage := range breakages {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.direct = name != "cut off" && name != "another schema, well hashed"
			current := m.generation(t, rules(t, releaseOf(8)))
			current.Previous = m.generation(t, rules(t, releaseOf(7)))
			damage(t, m, m.rules(current), current)
			m.point(t, current)
			m.serves(t, 7, "s-previous", filepath.Base(m.home))

			// The same, with a previous generation that is broken too.
			damage(t, m, m.rules(current.Previous), current.Previous)
			m.point(t, current)
			m.serves(t, 0, "s-embedded", filepath.Base(m.home))
		})
	}
}

// serves fails unless the rules of a release are in force, and the fault is told.
func (m *machine) serves(t *testing.T, release int, session string, names ...string) {
	t.Helper()
	of := fields{"session_id": session}
	noted(t, m.fire(t, m.stop(report, of)), names...)
	if reason := blocked(t, m.fire(t, m.stop(offer, of))); !strings.Contains(reason, "[commit-before-verification]") {
		t.Errorf("reason %q", reason)
	}
	lines := m.lines(t)
	if l := lines[len(lines)-1]; l.Decision != "block" || l.Release != release || len(l.Faults) == 0 {
		t.Errorf("the journal says %s by release %d, faults %q, want block by %d and the fault", l.Decision, l.Release, l.Faults, release)
	}
	denied(t, m.fire(t, m.tool("Write", fields{"file_path": m.user + "/.claude/settings.json"}, of)))
	silent(t, m.fire(t, m.tool("Read", fields{"file_path": m.user + "/.claude/settings.json"}, of)))
	silent(t, m.fire(t, m.tool("Write", fields{"file_path": m.project + "/main.go"}, of)))
	silent(t, m.fire(t, m.tool("Bash", fields{"command": "hookctl verify > report.txt"}, of)))
	noted(t, m.fire(t, event(fields{"hook_event_name": "SessionStart", "session_id": session}, nil)), names...)
}

func TestBrokenPointer(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "no JSON": "sha256:0000", "cut off": `{"schema":1,"digest":"sha`, "another schema": `{"schema":9}`, "a list": `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.direct = name != "cut off"
			m.install(t, rules(t, releaseOf(8)))
			write(t, home.Dir(m.home).Current(), text)
			m.serves(t, 0, "s", "/current")
		})
	}
	t.Run("missing", func(t *testing.T) {
		m := newMachine(t)
		m.install(t, rules(t, releaseOf(8)))
		must(t, os.Remove(home.Dir(m.home).Current()))
		m.serves(t, 0, "s", "/current is missing")
	})
	t.Run("whole", func(t *testing.T) {
		m := newMachine(t)
		m.install(t, rules(t, releaseOf(8)))
		silent(t, m.fire(t, m.stop(report, nil)))
		blocked(t, m.fire(t, m.stop(offer, nil)))
		if lines := m.lines(t); lines[1].Release != 8 {
			t.Errorf("release %d judges, want 8", lines[1].Release)
		}
	})
}

// What cannot be told apart from a finding must not look like one: a pattern that
// no engine compiles, a machine's choices that cannot be read.
func TestOwnFaultsPass(t *testing.T) {
	m := newMachine(t)
	m.install(t, rules(t, func(r *gate.Rules) {
		for i := range r.Gates {
			for k := range r.Gates[i].Signals {
				r.Gates[i].Signals[k].Expr = "("
			}
		}
	}))
	noted(t, m.fire(t, m.stop(offer, nil)), "internal error", "the stop was not checked")
	denied(t, m.fire(t, m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, nil)))

	m = newMachine(t)
	write(t, filepath.Join(m.home, "config.yaml"), "judge: [builtin\n")
	reason := blocked(t, m.fire(t, m.stop(offer, nil)))
	if strings.Contains(reason, "config") {
		t.Errorf("the fault stands in the feedback: %q", reason)
	}
	denied(t, m.fire(t, m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, nil)))
	lines := m.lines(t)
	if len(lines[0].Faults) == 0 || !strings.Contains(lines[0].Faults[0], "config.yaml") {
		t.Errorf("the journal does not name config.yaml: %q", lines[0].Faults)
	}
}

// The program would be released with rules that nobody can read otherwise.
func TestEmbeddedRulesAreWhole(t *testing.T) {
	if r, err := gate.DecodeRules(compiled.Rules()); err != nil || len(r.Gates) < 7 {
		t.Fatalf("%v", err)
	}
}

func denied(t *testing.T, r result) string {
	t.Helper()
	d, reason := r.decision(t)
	if r.exit != 0 || d != "deny" || r.stderr != "" || !strings.Contains(reason, "[protected-files]") {
		t.Errorf("exit %d, %s, said %q, want deny by protected-files", r.exit, d, r.said())
	}
	return reason
}

func truncate(t *testing.T, file string, n int64) { must(t, os.Truncate(file, n)) }

func change(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	must(t, err)
	raw[len(raw)/2] ^= 1
	write(t, file, string(raw))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
