package doctor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/doctor"
)

// patient is a home with files in it. A path that ends in ! is executable, in ? is
// writable by all; $H in a text is the home. The project is the folder p.
type patient struct {
	home  string
	files map[string]string
	env   map[string]string
	links map[string]string
}

func (p patient) examine(t *testing.T) doctor.Report {
	t.Helper()
	for path, text := range p.files {
		mode := os.FileMode(0o644)
		if strings.HasSuffix(path, "!") {
			path, mode = strings.TrimSuffix(path, "!"), 0o755
		}
		if strings.HasSuffix(path, "?") {
			path, mode = strings.TrimSuffix(path, "?"), 0o777
		}
		path = filepath.Join(p.home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "$H", p.home)), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range p.links {
		path := filepath.Join(p.home, from)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(p.home, to), path); err != nil {
			t.Fatal(err)
		}
	}
	return doctor.Examine(p.world(t))
}

// world asks install where the agents' files lie.
func (p patient) world(t *testing.T) doctor.World {
	t.Helper()
	w := doctor.World{Home: p.home, Project: filepath.Join(p.home, "p"), Getenv: func(k string) string {
		if v, ok := p.env[k]; ok {
			return strings.ReplaceAll(v, "$H", p.home)
		}
		if k == "PATH" {
			return "/usr/local/bin:/usr/bin:/bin"
		}
		return ""
	}}
	if d := p.env["PROJECT"]; d != "" {
		w.Project = filepath.Join(p.home, d)
	}
	if err := os.MkdirAll(w.Project, 0o755); err != nil {
		t.Fatal(err)
	}
	w.Root = install.GitRoot(w.Project)
	for _, name := range agent.Names() {
		scopes, err := install.Scopes(name, install.Where{Home: p.home, ManagedDir: filepath.Join(p.home, "managed", name)}, w.Project)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range scopes {
			w.Files = append(w.Files, doctor.File{Agent: s.Agent, Scope: s.Name, Path: s.Path, Format: s.Format, Foreign: s.Foreign})
		}
	}
	return w
}

// coded are the findings as "severity agent code line path".
func coded(findings []doctor.Finding) (list []string) {
	for _, f := range findings {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s:%d %s", f.Severity, f.Agent, f.Code, f.Line, f.Path)))
	}
	return list
}

// nested and flat are a settings file with one hook.
func nested(event, matcher, fields string) string {
	m := ""
	if matcher != "" {
		m = fmt.Sprintf("\"matcher\": %q, ", matcher)
	}
	return fmt.Sprintf("{\n\"hooks\": {%q: [{%s\"hooks\": [\n{\"type\": \"command\", %s}]}]}}", event, m, fields)
}

func flat(event, fields string) string {
	return fmt.Sprintf("{\"version\": 1,\n\"hooks\": {%q: [\n{\"type\": \"command\", %s}]}}", event, fields)
}

const (
	claude  = ".claude/settings.json"
	codex   = ".codex/hooks.json"
	gemini  = ".gemini/settings.json"
	qwen    = ".qwen/settings.json"
	copilot = ".copilot/hooks/x.json"
	cursor  = ".cursor/hooks.json"
	cat     = `"command": "cat"`
	// trust is what Gemini CLI keeps of the folders that it was told to trust.
	trust = ".gemini/trustedFolders.json"
)

// with adds files to some.
func with(files map[string]string, more ...string) map[string]string {
	for i := 0; i < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

func one(path, text string) map[string]string { return map[string]string{path: text} }

// trusting is a file of Gemini CLI in a trusted folder.
func trusting(text string) map[string]string {
	return map[string]string{gemini: text, trust: `{"$H": "TRUST_FOLDER"}`}
}

// approved is a file of Codex whose first hook on an event is approved.
func approved(text, event string) map[string]string {
	return map[string]string{codex: text, ".codex/config.toml": "[hooks.state.\"$H/.codex/hooks.json:" + event + ":0:0\"]\ntrusted_hash = \"sha256:00\"\n"}
}

func faults() map[string]struct {
	patient
	want []string
} {
	type fault = struct {
		patient
		want []string
	}
	f := func(files map[string]string, want ...string) fault { return fault{patient{files: files}, want} }
	script := func(name, text string) map[string]string {
		return with(one(claude, nested("PreToolUse", "Bash", `"command": "$H/`+strings.TrimRight(name, "!?")+`"`)), name, text)
	}
	all := map[string]fault{
		// The file as a whole.
		"unreadable":          f(one(claude+"/x", ""), "error claude unreadable:1"),
		"invalid JSON":        f(one(claude, "{\n\"hooks\": {"), "error claude invalid:2"),
		"invalid TOML":        f(one(".codex/config.toml", "a = 1\nb = \n"), "error codex invalid:2"),
		"invalid flat":        f(one(cursor, "[]"), "error cursor invalid:1"),
		"bom":                 f(one(claude, "\ufeff{}"), "warning claude bom:1"),
		"bom in Codex":        f(one(codex, "\ufeff{}"), "error codex bom:1"),
		"comment":             f(one(claude, "// c\n{}"), "error claude not-strict-json:1"),
		"duplicate":           f(one(claude, "{\"hooks\": {},\n\"hooks\": {}}"), "error claude duplicate-key:2 hooks"),
		"unknown key":         f(one(codex, "{\n\"disableAllHooks\": true,\n\"hooks\": {}}"), "error codex unknown-key:2 disableAllHooks"),
		"no version":          f(one(cursor, `{"hooks": {}}`), "error cursor wrong-type:1 version"),
		"timeout as string":   f(one(claude, nested("Stop", "", cat+`, "timeout": "30"`)), "error claude wrong-type:3 hooks.Stop[0].hooks[0].timeout"),
		"null event in Codex": f(one(codex, "{\"hooks\": {\n\"Stop\": null}}"), "error codex wrong-type:2 hooks.Stop"),
		"no type":             f(one(claude, `{"hooks": {"Stop": [{"hooks": [{"command": "cat"}]}]}}`), "error claude wrong-type:1 hooks.Stop[0].hooks[0]"),
		"group without hooks": f(one(qwen, `{"hooks": {"Stop": [{"type": "command", "command": "cat"}]}}`), "error qwen wrong-type:1 hooks.Stop[0]"),
		// Switches.
		"switch":                f(one(claude, "{\n\"disableAllHooks\": true}"), "error claude disable-all-hooks:2 disableAllHooks"),
		"switch overruled":      f(with(one(claude, `{"disableAllHooks": true}`), "p/.claude/settings.json", `{"disableAllHooks": false}`)),
		"switch not overruled":  f(with(one("p/.claude/settings.json", `{"disableAllHooks": true}`), claude, `{"disableAllHooks": false}`), "error claude disable-all-hooks:1 disableAllHooks"),
		"switch of Qwen":        f(one("p/.qwen/settings.json", `{"disableAllHooks": true}`), "error qwen disable-all-hooks:1 disableAllHooks"),
		"switch of Gemini":      f(one(gemini, "{\"hooksConfig\":\n{\"enabled\": false}}"), "error gemini disable-all-hooks:2 hooksConfig.enabled"),
		"switch of Codex":       f(one(".codex/config.toml", "[features]\nhooks = false\n"), "error codex disable-all-hooks:2 features.hooks"),
		"switch of Copilot":     f(one(copilot, `{"version": 1, "disableAllHooks": true, "hooks": {}}`), "error copilot disable-all-hooks:1 disableAllHooks"),
		"disabled by name":      f(trusting("{\"hooksConfig\": {\"disabled\": [\"guard\"]},\n\"hooks\": {\"AfterAgent\": [{\"hooks\": [{\"type\": \"command\", \"name\": \"guard\", \"command\": \"cat\"}]}]}}"), "error gemini hook-disabled:1 hooksConfig.disabled"),
		"managed only":          f(one("managed/claude/managed-settings.json", `{"allowManagedHooksOnly": true}`), "error claude managed-only:1 allowManagedHooksOnly"),
		"managed only, drop-in": f(one("managed/claude/managed-settings.d/10-x.json", `{"strictPluginOnlyCustomization": ["hooks"]}`), "error claude managed-only:1 strictPluginOnlyCustomization"),
		"managed only, Codex":   f(one("managed/codex/requirements.toml", "allow_managed_hooks_only = true\n"), "error codex managed-only:1 allow_managed_hooks_only"),
		"environment":           f(one(claude, "{\"env\":\n{\"STOP_HOOK_LLM_JUDGE_ACTIVE\": \"1\"}}"), "error claude environment:2 env.STOP_HOOK_LLM_JUDGE_ACTIVE"),
		"moved configuration":   f(one("p/.claude/settings.json", `{"env": {"CLAUDE_CONFIG_DIR": "/x"}}`), "warning claude environment:1 env.CLAUDE_CONFIG_DIR"),
		"simple mode":           f(one(claude, `{"env": {"CLAUDE_CODE_SIMPLE": "1"}}`), "error claude environment:1 env.CLAUDE_CODE_SIMPLE"),
		// Trust.
		"Gemini, undecided":   f(one(gemini, nested("AfterAgent", "", cat)), "warning gemini untrusted-folder:3 hooks.AfterAgent[0].hooks[0]"),
		"Gemini, not trusted": f(with(one(gemini, nested("AfterAgent", "", cat)), trust, `{"$H/p": "DO_NOT_TRUST", "$H": "TRUST_FOLDER"}`), "error gemini untrusted-folder:3 hooks.AfterAgent[0].hooks[0]"),
		"Gemini, parent":      f(with(one(gemini, nested("AfterAgent", "", cat)), trust, `{"$H/q": "TRUST_PARENT"}`)),
		"Gemini, asks nobody": f(one(gemini, "{\"security\": {\"folderTrust\": {\"enabled\": false}}, "+nested("AfterAgent", "", cat)[1:])),
		"Qwen, project":       f(with(one("p/.qwen/settings.json", nested("Stop", "", cat)), qwen, `{"security": {"folderTrust": {"enabled": true}}}`), "warning qwen untrusted-folder:3 hooks.Stop[0].hooks[0]"),
		"Qwen, asks nobody":   f(one("p/.qwen/settings.json", nested("Stop", "", cat))),
		"Codex, new":          f(one(codex, nested("Stop", "", cat)), "error codex codex-untrusted:3 hooks.Stop[0].hooks[0]"),
		"Codex, moved":        f(approved(`{"hooks": {"Stop": [{"hooks": []}, {"hooks": [{"type": "command", "command": "cat"}]}]}}`, "stop"), "error codex codex-untrusted:1 hooks.Stop[1].hooks[0]"),
		"Codex, off":          f(with(one(codex, nested("PreToolUse", "", cat)), ".codex/config.toml", "[hooks.state.\"$H/.codex/hooks.json:pre_tool_use:0:0\"]\nenabled = false\ntrusted_hash = \"x\"\n"), "error codex codex-disabled:3 hooks.PreToolUse[0].hooks[0]"),
		"Codex, TOML":         f(one(".codex/config.toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"cat\"\n"), "error codex codex-untrusted:2 hooks.Stop[0].hooks[0]"),
		"Codex, project":      f(with(one("p/.codex/hooks.json", nested("Stop", "", cat)), ".codex/config.toml", "[hooks.state.\"$H/p/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\"\n"), "error codex untrusted-folder:3 hooks.Stop[0].hooks[0]"),
		// One hook.
		"event of another":    f(trusting(nested("PreToolUse", "", cat)), "error gemini unknown-event:2 hooks.PreToolUse"),
		"event in lower case": f(one(claude, nested("stop", "", cat)), "error claude unknown-event:2 hooks.stop"),
		"event of Cursor":     f(one(cursor, flat("Stop", cat)), "error cursor unknown-event:2 hooks.Stop"),
		"event of Copilot":    f(one(copilot, flat("stop", `"bash": "cat"`)), "error copilot unknown-event:2 hooks.stop"),
		"type in upper case":  f(trusting(`{"hooks": {"AfterAgent": [{"hooks": [{"type": "Command", "command": "cat"}]}]}}`), "error gemini unknown-type:1 hooks.AfterAgent[0].hooks[0].type"),
		"prompt in Codex":     f(approved(`{"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}}`, "stop"), "error codex unknown-type:1 hooks.Stop[0].hooks[0].type"),
		"empty command":       f(one(claude, nested("Stop", "", `"command": " "`)), "error claude empty-command:3 hooks.Stop[0].hooks[0].command"),
		"matcher, lower case": f(one(claude, nested("PreToolUse", "bash", cat)), "error claude matcher-dead:2 hooks.PreToolUse[0].matcher"),
		"matcher, file":       f(one(claude, nested("PreToolUse", "*.go", cat)), "error claude matcher-dead:2 hooks.PreToolUse[0].matcher"),
		"matcher, rule":       f(one(claude, nested("PreToolUse", "Bash(git *)", cat)), "error claude matcher-dead:2 hooks.PreToolUse[0].matcher"),
		"matcher, Gemini":     f(trusting(nested("BeforeTool", "Edit|Write", cat)), "error gemini matcher-dead:2 hooks.BeforeTool[0].matcher"),
		"matcher, Codex":      f(approved(nested("PreToolUse", "Edit, Write", cat), "pre_tool_use"), "error codex matcher-dead:2 hooks.PreToolUse[0].matcher"),
		"matcher, Qwen":       f(one(qwen, nested("PreToolUse", "^(Edit|Write)$", cat)), "error qwen matcher-dead:2 hooks.PreToolUse[0].matcher"),
		"matcher, Copilot":    f(one(copilot, flat("preToolUse", `"bash": "cat", "matcher": "*"`)), "error copilot matcher-dead:3 hooks.preToolUse[0].matcher"),
		"matcher, Cursor":     f(one(cursor, flat("preToolUse", cat+`, "matcher": "Bash"`)), "error cursor matcher-dead:3 hooks.preToolUse[0].matcher"),
		"matcher, unknown":    f(one(claude, nested("PreToolUse", "Frobnicate", cat)), "warning claude matcher-unknown:2 hooks.PreToolUse[0].matcher"),
		"matcher, ignored":    f(one(claude, nested("Stop", "Bash", cat)), "warning claude matcher-ignored:2 hooks.Stop[0].matcher"),
		"timeout zero":        f(one(claude, nested("Stop", "", cat+`, "timeout": 0`)), "error claude timeout:3 hooks.Stop[0].hooks[0].timeout"),
		"timeout of Codex":    f(approved(nested("Stop", "", cat+`, "timeout": 0.5`), "stop"), "error codex timeout:3 hooks.Stop[0].hooks[0].timeout"),
		"milliseconds":        f(one(claude, nested("Stop", "", cat+`, "timeout": 30000`)), "warning claude timeout-unit:3 hooks.Stop[0].hooks[0].timeout"),
		"seconds in Gemini":   f(trusting(nested("AfterAgent", "", cat+`, "timeout": 30`)), "error gemini timeout-unit:3 hooks.AfterAgent[0].hooks[0].timeout"),
		"1000 in Qwen":        f(one(qwen, nested("Stop", "", cat+`, "timeout": 1200`)), "warning qwen timeout-unit:3 hooks.Stop[0].hooks[0].timeout"),
		"if on stop":          f(one(claude, nested("Stop", "", cat+`, "if": "Bash(git *)"`)), "error claude if-without-tool:3 hooks.Stop[0].hooks[0].if"),
		"if in Codex":         f(approved(nested("PreToolUse", "", cat+`, "if": "Bash(git *)"`), "pre_tool_use"), "warning codex field-ignored:3 hooks.PreToolUse[0].hooks[0].if"),
		"args in Qwen":        f(one(qwen, nested("Stop", "", cat+`, "args": ["-n"]`)), "error qwen field-ignored:3 hooks.Stop[0].hooks[0].args"),
		"async gate":          f(with(one(claude, nested("PreToolUse", "", `"command": "$H/g.sh", "async": true`)), "g.sh!", "#!/bin/sh\nexit 2\n"), "error claude async:3 hooks.PreToolUse[0].hooks[0]"),
		"async notice":        f(one(claude, nested("Stop", "", cat+`, "async": true`))),
		"once":                f(one(claude, nested("Stop", "", cat+`, "once": true`)), "note claude once:3 hooks.Stop[0].hooks[0].once"),
		// Between hooks.
		"twice, hookctl":     f(with(with(one(claude, nested("Stop", "", `"command": "$H/hookctl gate"`)), "hookctl!", ""), "p/.claude/settings.json", nested("Stop", "", `"command": "$H/p/hookctl gate"`), "p/hookctl!", ""), "warning claude registered-twice:3 hooks.Stop[0].hooks[0]"),
		"twice, one file":    f(with(one(claude, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "$H/hookctl gate"}, {"type": "command", "command": "$H/hookctl gate"}]}]}}`), "hookctl!", ""), "error claude registered-twice:1 hooks.Stop[0].hooks[1]"),
		"twice, Codex":       f(with(approved(nested("Stop", "", cat), "stop"), ".codex/config.toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"cat\"\n[hooks.state.\"$H/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\"\n[hooks.state.\"$H/.codex/config.toml:stop:0:0\"]\ntrusted_hash = \"x\"\n"), "warning codex registered-twice:2 hooks.Stop[0].hooks[0]"),
		"twice, plugin":      f(with(one(claude, "{\"enabledPlugins\": {\"a@m\": true, \"b@m\": false}, "+nested("Stop", "", cat)[1:]), ".claude/plugins/installed_plugins.json", `{"version": 2, "plugins": {"a@m": [{"installPath": "$H/a"}], "b@m": [{"installPath": "$H/b"}]}}`, "a/hooks/hooks.json", nested("Stop", "", cat), "b/hooks/hooks.json", nested("Stop", "", cat)), "warning claude registered-twice:3 hooks.Stop[0].hooks[0]"),
		"twice, Copilot":     f(with(one(copilot, flat("Stop", `"bash": "$H/hookctl gate || true"`)), "hookctl!", "", "p/.claude/settings.json", nested("Stop", "", `"command": "$H/hookctl gate"`)), "warning copilot registered-twice:3 hooks.Stop[0]"),
		"same in two scopes": f(with(one(claude, nested("Stop", "", cat)), "p/.claude/settings.json", nested("Stop", "", cat))),
		"broken plugin":      f(with(one(claude, `{"enabledPlugins": {"a@m": true}}`), ".claude/plugins/installed_plugins.json", `{"plugins": {"a@m": {"installPath": "$H/a"}}}`, "a/hooks/hooks.json", "{"), "error claude invalid:1"),
		"extension":          f(one(".gemini/extensions/e/hooks/hooks.json", nested("BeforeTool", "", `"command": "${extensionPath}/g.sh"`)), "error gemini program-missing:3 hooks.BeforeTool[0].hooks[0]", "warning gemini untrusted-folder:3 hooks.BeforeTool[0].hooks[0]"),
		"hookctl after":      f(with(one(claude, nested("PostToolUse", "", `"command": "$H/hookctl gate"`)), "hookctl!", ""), "error claude gate-after-tool:3 hooks.PostToolUse[0].hooks[0]"),
		"gate after":         f(with(one(claude, nested("PostToolUse", "", `"command": "$H/g.sh"`)), "g.sh!", "#!/bin/sh\necho '{\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"}}'\n"), "warning claude gate-after-tool:3 hooks.PostToolUse[0].hooks[0]"),
		"exit 2 in Copilot":  f(with(one(copilot, flat("agentStop", `"bash": "$H/g.sh"`)), "g.sh!", "#!/bin/sh\necho no >&2\nexit 2\n"), "error copilot exit-2-ignored:3 hooks.agentStop[0]"),
		// The program.
		"no program":            f(one(claude, nested("Stop", "", `"command": "/no/such --x"`)), "error claude program-missing:3 hooks.Stop[0].hooks[0]"),
		"no program on PATH":    f(one(claude, nested("Stop", "", `"command": "no-such-program"`)), "error claude program-missing:3 hooks.Stop[0].hooks[0]"),
		"no hookctl":            f(one(claude, nested("Stop", "", `"command": "$H/.hookctl/bin/hookctl gate"`)), "error claude program-missing:3 hooks.Stop[0].hooks[0]"),
		"no script":             f(one(claude, nested("Stop", "", `"command": "bash ~/no.sh"`)), "error claude program-missing:3 hooks.Stop[0].hooks[0]"),
		"no interpreter":        f(script("g.sh!", "#!/no/such/sh\n"), "error claude program-missing:3 hooks.PreToolUse[0].hooks[0]"),
		"exec form":             f(one(claude, nested("Stop", "", `"command": "$H/no such", "args": ["gate"]`)), "error claude program-missing:3 hooks.Stop[0].hooks[0]"),
		"project variable":      f(one("p/.claude/settings.json", nested("Stop", "", `"command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/g.sh"`)), "error claude program-missing:3 hooks.Stop[0].hooks[0]"),
		"unknown variable":      f(one(claude, nested("Stop", "", `"command": "$WHO/g.sh"`))),
		"line for the shell":    f(one(claude, nested("Stop", "", `"command": "[ -x /no/such ] || exit 0; /no/such"`))),
		"assignment":            f(one(claude, nested("Stop", "", `"command": "A=b exec /no/such"`)), "error claude program-missing:3 hooks.Stop[0].hooks[0]"),
		"not executable":        f(script("g.sh", "#!/bin/sh\n"), "error claude not-executable:3 hooks.PreToolUse[0].hooks[0]"),
		"not executable, fine":  f(with(one(claude, nested("Stop", "", `"command": "sh $H/g.sh"`)), "g.sh", "exit 0\n")),
		"space":                 f(with(one(claude, nested("Stop", "", `"command": "$H/a b/g.sh --x"`)), "a b/g.sh!", "#!/bin/sh\n"), "error claude unquoted-space:3 hooks.Stop[0].hooks[0]"),
		"space after a program": f(with(one(claude, nested("Stop", "", `"command": "bash $H/a b/g.sh"`)), "a b/g.sh", ""), "error claude unquoted-space:3 hooks.Stop[0].hooks[0]"),
		"space, quoted":         f(with(one(claude, nested("Stop", "", `"command": "'$H/a b/g.sh' --x"`)), "a b/g.sh!", "#!/bin/sh\n")),
		"relative":              f(with(one("p/.claude/settings.json", nested("Stop", "", `"command": ".claude/g.sh"`)), "p/.claude/g.sh!", ""), "warning claude relative-path:3 hooks.Stop[0].hooks[0]"),
		"relative in Cursor":    f(one("p/.cursor/hooks.json", flat("stop", `"command": "./.cursor/g.sh"`)), "error cursor program-missing:3 hooks.stop[0]"),
		"carriage return":       f(script("g.sh!", "#!/bin/sh\r\nexit 0\r\n"), "error claude carriage-return:3 hooks.PreToolUse[0].hooks[0]"),
		"world-writable":        f(script("g.sh?", "#!/bin/sh\n"), "warning claude world-writable:3 hooks.PreToolUse[0].hooks[0]"),
		"PowerShell only":       f(one(copilot, flat("agentStop", `"powershell": "x"`)), "error copilot program-missing:3 hooks.agentStop[0]"),
		"not Gemini's switch":   f(one(gemini, `{"disableAllHooks": true}`)),
		"null in Copilot":       f(one(copilot, `{"version": 1, "hooks": {"agentStop": null}}`), "error copilot wrong-type:1 hooks.agentStop"),
		"list of one in Gemini": f(trusting(`{"hooks": {"AfterAgent": {"hooks": [{"type": "command", "command": "cat"}]}}}`)),
		"number in Gemini":      f(trusting(`{"hooks": {"BeforeTool": [{"matcher": 1, "hooks": [{"type": "command", "command": "cat"}]}]}}`), "error gemini wrong-type:1 hooks.BeforeTool[0].matcher"),
		"two languages":         f(one(copilot, flat("agentStop", `"bash": "/no/such", "powershell": "x"`)), "error copilot program-missing:3 hooks.agentStop[0]"),
	}
	all["interactive PATH"] = fault{patient{
		files: with(one(claude, nested("Stop", "", `"command": "tool"`)), ".nvm/bin/tool!", ""),
		env:   map[string]string{"PATH": "$H/.nvm/bin:/usr/bin"},
	}, []string{"warning claude program-path:3 hooks.Stop[0].hooks[0]"}}
	all["profile"] = fault{patient{
		files: with(approved(nested("Stop", "", cat), "stop"), ".profile", "if true; then\n  echo no\nfi\necho hello\n"),
		env:   map[string]string{"SHELL": "/bin/bash"},
	}, []string{"warning codex profile-noise:4"}}
	all["profile of zsh"] = fault{patient{
		files: with(approved(nested("Stop", "", cat), "stop"), ".profile", "echo hello\n", ".zshenv", "echo x >&2\nf() {\n echo no\n}\n"),
		env:   map[string]string{"SHELL": "/bin/zsh"},
	}, nil}
	all["environment around"] = fault{patient{
		files: one(claude, nested("Stop", "", cat)), env: map[string]string{"STOP_HOOK_LLM_JUDGE_ACTIVE": "1"},
	}, []string{"warning  environment:0 STOP_HOOK_LLM_JUDGE_ACTIVE"}}
	all["no jq"] = fault{patient{
		files: with(one(claude, nested("PreToolUse", "", `"command": "$H/g.sh"`)), "g.sh!", "#!/bin/sh\nx=$(cat | jq .tool_name)\n"),
		env:   map[string]string{"PATH": "/no/such"},
	}, []string{"error claude program-missing:3 hooks.PreToolUse[0].hooks[0]"}}
	all["symlink"] = fault{patient{
		files: one("dot/hooks.json", flat("stop", cat)), links: map[string]string{cursor: "dot/hooks.json"},
	}, []string{"error cursor symlink:1"}}
	all["link to nothing"] = fault{patient{links: map[string]string{claude: "dot/settings.json"}}, []string{"warning claude unreadable:1"}}
	below := with(one("p/.claude/settings.json", nested("Stop", "", cat)), "p/.git/HEAD", "", "p/.claude/settings.local.json", "{\"disableAllHooks\": true}")
	all["below the root"] = fault{patient{files: below, env: map[string]string{"PROJECT": "p/sub"}}, []string{
		"error claude disable-all-hooks:1 disableAllHooks", "warning claude not-read:3 hooks.Stop[0].hooks[0]",
	}}
	all["below the home"] = fault{patient{ // what is at the root is the user's file
		files: with(one(claude, nested("Stop", "", cat)), ".git/HEAD", ""), env: map[string]string{"PROJECT": "sub"},
	}, nil}
	all["home as project"] = fault{patient{
		files: one(claude, nested("Stop", "", cat)), env: map[string]string{"PROJECT": "."},
	}, []string{"note  home-as-project:0"}}
	return all
}

// Each fault is found, and nothing beside it.
func TestFaults(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks here are shell scripts")
	}
	seen := map[string]bool{}
	for name, tt := range faults() {
		t.Run(name, func(t *testing.T) {
			tt.home = t.TempDir()
			r := tt.examine(t)
			got := coded(r.Findings)
			for i, f := range r.Findings {
				seen[f.Code] = true
				if f.Why == "" || f.Mend == "" || f.Text == "" {
					t.Errorf("%s: text %q, why %q, mend %q", got[i], f.Text, f.Why, f.Mend)
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s%+v", d, r.Findings)
			}
		})
	}
	seen["home-missing"] = true // below
	own := []string{
		"not-registered", "no-generation", "rules-stale", "program-changed", "journal", "judge-missing", "config", "clock", "permissions",
	}
	for _, code := range doctor.Codes() {
		if !seen[code] && !slices.Contains(own, code) {
			t.Errorf("no row plants %s", code)
		}
	}
}

func TestHomeMissing(t *testing.T) {
	if r := doctor.Examine(doctor.World{}); len(r.Findings) != 1 || r.Findings[0].Code != "home-missing" {
		t.Errorf("%+v", r)
	}
}
