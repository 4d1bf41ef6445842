package simulate

import (
	"strings"

	"github.com/agenthooks/hookctl/gate/child"
)

// allowed are the variables of this process that hooks and tools get. What an agent
// holds besides, keys above all, is not theirs here; Options.Pass adds to it.
var allowed = []string{
	"PATH", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM",
	"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "ProgramFiles*", "NUMBER_OF_PROCESSORS", "OS",
}

// projectVars name the project's folder, for one agent or another.
var projectVars = []string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR", "CURSOR_PROJECT_DIR"}

// environ is all that a hook or a tool sees of this machine: what is allowed of ours,
// what the settings set, and above both a home of its own and what the agent sets.
func environ(ours, pass, settings []string, agent string, b *sandbox) []string {
	var env []string
	for _, entry := range ours {
		name, _, _ := strings.Cut(entry, "=")
		if child.Named(name, allowed) || child.Named(name, pass) {
			env = append(env, entry)
		}
	}
	env = append(append(env, settings...),
		"HOME="+b.home, "USERPROFILE="+b.home, "TMPDIR="+b.tmp, "TMP="+b.tmp, "TEMP="+b.tmp, "PWD="+b.project, "NO_COLOR=1",
	)
	set := map[string][]string{
		"claude":  {"CLAUDE_PROJECT_DIR=" + b.project, "CLAUDECODE=1"},
		"gemini":  {"CLAUDE_PROJECT_DIR=" + b.project, "GEMINI_PROJECT_DIR=" + b.project, "GEMINI_CWD=" + b.project, "GEMINI_SESSION_ID=" + session},
		"qwen":    {"CLAUDE_PROJECT_DIR=" + b.project, "GEMINI_PROJECT_DIR=" + b.project, "QWEN_PROJECT_DIR=" + b.project},
		"copilot": {"CLAUDE_PROJECT_DIR=" + b.project, "COPILOT_CLI=1"},
		"cursor":  {"CLAUDE_PROJECT_DIR=" + b.project, "CURSOR_PROJECT_DIR=" + b.project, "CURSOR_VERSION=simulated"},
	}
	return append(env, set[agent]...)
}
