//go:build !windows

package hook_test

import (
	"os"
	"strings"
	"testing"
)

// What a command does that nobody could read is told after it has run; nothing is
// undone. What stays as it is, is not spoken of.
func TestAuditTellsWhatSlippedThrough(t *testing.T) {
	m := guarded(t)
	settings := m.user + "/dotfiles/claude.json" // what ~/.claude/settings.json is a link to
	write(t, m.project+"/.codex/config.toml", "x")
	post := fields{"hook_event_name": "PostToolUse"}
	for _, tt := range []struct {
		name string
		do   func()
		want string
	}{
		{"nothing", func() { write(t, m.project+"/main.go", "package x") }, ""},
		{"settings", func() { write(t, settings, `{"disableAllHooks": true}`) }, "settings.json changed while this ran"},
		{"mode", func() { must(t, os.Chmod(settings, 0o600)) }, "settings.json changed while this ran"},
		{"a new file", func() { write(t, m.project+"/.codex/hooks.json", "{}") }, ".codex/hooks.json changed while this ran"},
		{"taken away", func() { must(t, os.Remove(m.project+"/.codex/hooks.json")) }, ".codex/hooks.json changed while this ran"},
		{"own config", func() { write(t, m.home+"/config.yaml", "judge: {backend: none}\n") }, "config.yaml changed while this ran"},
		{"journal, cache", func() { write(t, m.home+"/journal/x", "y"); write(t, m.home+"/cache/y", "z") }, ""},
	} {
		line := fields{"command": "make " + tt.name}
		silent(t, m.fire(t, m.tool("Bash", line, nil)))
		tt.do()
		r := m.fire(t, m.tool("Bash", line, post))
		if tt.want == "" {
			silent(t, r)
			continue
		}
		if reason := blocked(t, r); !strings.Contains(reason, tt.want) || !strings.Contains(reason, "[protected-files]") {
			t.Errorf("%s: %q", tt.name, reason)
		}
		silent(t, m.fire(t, m.tool("Bash", line, post))) // told once
		write(t, settings, "{}")
	}
}

// What agents write themselves while a call goes on is told to the user only.
func TestAuditOfTheAgentsOwnFiles(t *testing.T) {
	m := guarded(t)
	line := fields{"command": "make x"}
	silent(t, m.fire(t, m.tool("Bash", line, nil)))
	write(t, m.project+"/.claude/settings.local.json", "{}")
	r := m.fire(t, m.tool("Bash", line, fields{"hook_event_name": "PostToolUse"}))
	if r.exit != 0 || strings.Contains(r.stdout, `"block"`) || !strings.Contains(r.stdout, "noted, and let through") {
		t.Errorf("exit %d, %s", r.exit, r.stdout)
	}
}
