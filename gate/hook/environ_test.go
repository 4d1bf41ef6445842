//go:build !windows

package hook_test

import (
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/home"
)

// placed is a machine with hookctl installed in hookctl's folder dir.
func placed(t *testing.T, dir string) *machine {
	t.Helper()
	m := newMachine(t)
	m.home = filepath.Join(m.user, dir)
	m.install(t, rules(t, func(r *gate.Rules) { r.Release = 5 }))
	built := m.program
	m.program = home.Dir(m.home).Binary()
	mkdir(t, filepath.Dir(m.program))
	if err := os.Link(built, m.program); err != nil { // another file system
		copyFile(t, built, m.program)
	}
	return m
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	must(t, err)
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, err)
	must(t, out.Close())
}

// hostile is what the settings of a repository may put into the environment. The
// home that it names would run a program and mark every event.
func (m *machine) hostile(t *testing.T) (evil string) {
	t.Helper()
	evil = filepath.Join(m.project, "evil")
	run := filepath.Join(evil, "run.sh")
	write(t, run, "#!/bin/sh\ntouch '"+evil+"/ran'\n")
	must(t, os.Chmod(run, 0o755))
	write(t, filepath.Join(evil, "config.yaml"), "judge:\n  backend: command\n  command: ['"+run+"']\n")
	m.env = []string{
		"STOP_HOOK_LLM_JUDGE_ACTIVE=1", "HOOKCTL_JUDGE_ACTIVE=0123456789abcdef0123456789abcdef",
		"HOOKCTL_HOME=" + evil, "HOME=" + evil, "USERPROFILE=" + evil, "USER=nobody", "LOGNAME=nobody", "XDG_CONFIG_HOME=" + evil,
		"PATH=" + evil, "CLAUDE_CONFIG_DIR=" + evil, "TMPDIR=/nowhere", "LANG=C", "LC_ALL=ja_JP.SJIS",
		"GODEBUG=panicnil=1,execerrdot=0,asyncpreemptoff=1", "GOGC=1", "GOMAXPROCS=1", "GOMEMLIMIT=1", "GOTRACEBACK=crash",
		"COPILOT_CLI=1", "QWEN_PROJECT_DIR=/", "HOOKCTL=/bin/true", "BASH_ENV=" + run, "ENV=" + run,
	}
	mkdir(t, filepath.Join(evil, "cache", "judge"))
	write(t, filepath.Join(evil, "cache", "judge", "0123456789abcdef0123456789abcdef"), "")
	return evil
}

func TestHostileEnvironment(t *testing.T) {
	for name, place := range map[string]struct {
		dir    string
		damage func(t *testing.T, m *machine)
	}{
		"installed":                  {".hookctl", nil},
		"installed, pointer missing": {".hookctl", func(t *testing.T, m *machine) { must(t, os.Remove(home.Dir(m.home).Current())) }},
		"installed elsewhere":        {"tools/hk", nil},
		"elsewhere, pointer missing": {"tools/hk", func(t *testing.T, m *machine) {
			write(t, home.Dir(m.home).Record(), "{}")
			must(t, os.Remove(home.Dir(m.home).Current()))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := placed(t, place.dir)
			if place.damage != nil {
				place.damage(t, m)
			}
			evil := m.hostile(t)
			files := []string{m.home + "/config.yaml", m.home + "/bin/hookctl", m.home + "/store/x", m.home, evil + "/settings.json"}
			if place.dir == ".hookctl" { // it tells whose home it is
				files = append(files, m.user+"/.claude/settings.json", m.user+"/.codex/config.toml")
			}
			if u, err := user.Current(); err == nil { // and so do the accounts of the system
				files = append(files, u.HomeDir+"/.claude/settings.json")
			}
			for i, f := range files {
				if i%2 == 0 {
					denied(t, m.fire(t, m.tool("Write", fields{"file_path": f}, nil)))
				} else {
					denied(t, m.fire(t, m.tool("Bash", fields{"command": "echo x > '" + f + "'"}, nil)))
				}
			}
			if d, _ := m.fire(t, `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":`).decision(t); d != "ask" {
				t.Errorf("an unreadable call: %s, want ask", d)
			}
			if exists(filepath.Join(evil, "ran")) || exists(filepath.Join(evil, "journal")) {
				t.Error("the home has moved")
			}
			if lines := m.lines(t); len(lines) == 0 {
				t.Error("the installed home has no line in its journal")
			}
		})
	}
}

// A stop is let through by the mark of somebody else's judge alone, and the mark
// of one of ours only while that judge runs.
func TestRecursionGuard(t *testing.T) {
	m := placed(t, ".hookctl")
	m.env = []string{"STOP_HOOK_LLM_JUDGE_ACTIVE=1"}
	silent(t, m.fire(t, m.stop(offer, nil)))
	if l := m.lines(t); len(l) != 1 || l[0].Decision != "skipped" || !strings.Contains(l[0].Why, "judge") {
		t.Errorf("the journal says %+v", l)
	}
	m.env = []string{"HOOKCTL_JUDGE_ACTIVE=0123456789abcdef0123456789abcdef", "STOP_HOOK_LLM_JUDGE_ACTIVE=0"}
	blocked(t, m.fire(t, m.stop(offer, nil)))
	write(t, filepath.Join(m.home, "cache/judge/0123456789abcdef0123456789abcdef"), "")
	silent(t, m.fire(t, m.stop("Again.\n\n"+offer, nil)))
	denied(t, m.fire(t, m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, nil)))
}
