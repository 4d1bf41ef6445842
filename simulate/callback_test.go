//go:build unix

package simulate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate/contract"
)

// asked plays one Write with one hook and returns what became of the hook.
func asked(t *testing.T, agent string, cb Callback, opt Options, timeout float64) (Hook, Step) {
	t.Helper()
	rep := mustPlay(t, Scenario{
		Agent:         agent,
		Registrations: []Registration{{Event: "pre-tool", Timeout: timeout, Callback: cb}},
		Requests:      []Request{{Tool: "Write", File: "a.txt", Content: "x"}},
	}, opt)
	return rep.Steps[0].Hooks[0], rep.Steps[0]
}

func TestCommandsRunForReal(t *testing.T) {
	for _, c := range []struct {
		what, command string
		args          []string
		decision, how string
		reason        string
	}{
		{"the event on stdin", `grep -q '"file_path":".*/a.txt"' && { echo no >&2; exit 2; }`, nil, Deny, "exit code 2", "no"},
		{"where the project is", `test "$PWD" = "$CLAUDE_PROJECT_DIR" && test -d "$HOME" && exit 2`, nil, Deny, "exit code 2", ""},
		{"not there", "/nowhere/at-all", nil, Failed, "exit code 127", ""},
		{"not there, without a shell", "/nowhere/at-all", []string{"x"}, Failed, "no such file", ""},
		{"without a shell", "/bin/sh", []string{"-c", `test "$0" = "$CLAUDE_PROJECT_DIR/x" && exit 2`, "${CLAUDE_PROJECT_DIR}/x"}, Deny, "exit code 2", ""},
		{"killed", "kill -9 $$", nil, Failed, "ended by a signal: killed", ""},
		{"too much", "yes", nil, Failed, "printed too much", ""},
		{"closed stdin", "exec <&-; exit 2", nil, Deny, "exit code 2", ""},
	} {
		h, _ := asked(t, "claude", Callback{Command: c.command, Args: c.args}, options(), 0)
		if h.Decision != c.decision || !strings.Contains(h.How, c.how) || h.Reason != c.reason {
			t.Errorf("%s: %+v", c.what, h)
		}
	}
}

// A hook that does not end is ended, and the agent goes on; the agent may wait longer
// than a simulation does.
func TestLateHookIsEnded(t *testing.T) {
	h, s := asked(t, "claude", Callback{Command: "sleep 600 & sleep 600"}, options(), 0.2)
	if h.Decision != Failed || !strings.Contains(h.How, "within 200ms") || s.Outcome != HookFailed || !s.Ran {
		t.Errorf("%+v %s", h, s.Outcome)
	}
	opt := options()
	opt.Limit = 200 * time.Millisecond
	if h, _ := asked(t, "claude", Callback{Command: "sleep 600"}, opt, 0); !strings.Contains(h.How, "the agent waits 10m0s") {
		t.Errorf("%+v", h)
	}
}

// A hook sees little of this machine: no key of the agent's, no other home.
func TestHookSeesLittle(t *testing.T) {
	opt := options()
	opt.Environ = append(opt.Environ, "ANTHROPIC_API_KEY=secret", "HOOKCTL_HOME=/elsewhere", "MINE=1", "OTHER=1")
	opt.Pass, opt.Set = []string{"MINE"}, []string{"SET=1", "HOME=/elsewhere"}
	const command = `env >&2; test -z "$ANTHROPIC_API_KEY$HOOKCTL_HOME$OTHER" && test "$MINE$SET" = 11 && case $HOME in */hookctl-simulate-*/home) exit 2;; esac`
	if h, _ := asked(t, "claude", Callback{Command: command}, opt, 0); h.Decision != Deny {
		t.Errorf("%+v", h)
	}
}

// The same program is read as each agent reads it.
func TestSameHookOtherAgent(t *testing.T) {
	for agent, want := range map[string]string{"claude": HookFailed, "codex": HookFailed, "gemini": Prevented, "qwen": HookFailed, "copilot": Prevented, "cursor": HookFailed} {
		if _, s := asked(t, agent, Callback{Command: "exit 3"}, options(), 0); s.Outcome != want {
			t.Errorf("%s: %s, want %s", agent, s.Outcome, want)
		}
	}
}

func TestHookThatFailsClosed(t *testing.T) {
	h, s := asked(t, "claude", Callback{Command: "exit 3", failClosed: true}, options(), 0)
	if h.Decision != Deny || s.Outcome != Prevented {
		t.Errorf("%+v", h)
	}
}

func TestSkippedHookIsNotRun(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	h, s := asked(t, "claude", Callback{Command: "touch " + mark, skip: "it is a prompt"}, options(), 0)
	if _, err := os.Stat(mark); err == nil || !h.Matched || h.Asked || s.Outcome != NotPlayed {
		t.Errorf("%+v %s", h, s.Outcome)
	}
}

func TestHookctlInProcess(t *testing.T) {
	opt := options()
	asks := 0
	opt.Hookctl = func(bundle string, places contract.Places) (contract.Runner, error) {
		asks++
		return contract.InProcess(contract.Candidate{}, places), nil
	}
	rep := mustPlay(t, Scenario{
		Registrations: []Registration{{Event: "pre-tool", Callback: Callback{Hookctl: "embedded"}}},
		Requests: []Request{
			{Tool: "Write", File: "~/.claude/settings.json", Content: "{}"},
			{Tool: "Write", File: "a", Content: "{}"},
		},
	}, opt)
	if asks != 1 || rep.Steps[0].Outcome != Prevented || rep.Steps[1].Outcome != LetThrough {
		t.Errorf("opened %d times: %+v", asks, rep.Steps)
	}
}
