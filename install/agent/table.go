package agent

import "time"

// What stands here was measured with the clients named, offline, or taken from
// their documentation where they could not be run (Cursor; everything managed).

// claudeEvents are the events of Claude Code, and of those who took its names.
func claudeEvents() []Event {
	return []Event{
		{"stop", "Stop"},
		{"subagent-stop", "SubagentStop"},
		{"pre-tool", "PreToolUse"},
		{"post-tool", "PostToolUse"},
		{"session-start", "SessionStart"},
	}
}

// claude: Claude Code 2.1.332. Started below the root of a repository it reads
// settings.json of that folder alone, and settings.local.json of the folder and of
// the root; with keys that contradict, the root's holds. In a linked work tree the
// root is that of the main one. It is the same with -p and on a screen.
func claude() Agent {
	return Agent{
		Name: Claude, Title: "Claude Code", Program: "claude",
		Folder: ".claude", Env: "CLAUDE_CONFIG_DIR",
		System: map[string]string{
			"linux":   "/etc/claude-code",
			"darwin":  "/Library/Application Support/ClaudeCode",
			"windows": `C:\Program Files\ClaudeCode`,
		},
		Files: []File{
			{Scope: Managed, Path: "managed-settings.json", Format: Nested},
			{Scope: Managed, Path: "managed-settings.d/50-hookctl.json", Format: Nested, Edit: true},
			{Scope: Managed, Path: "managed-settings.d/*.json", Format: Nested},
			{Scope: Local, Path: ".claude/settings.local.json", Format: Nested, Root: true},
			{Scope: Local, Path: ".claude/settings.local.json", Format: Nested, Edit: true},
			{Scope: Project, Path: ".claude/settings.json", Format: Nested, Edit: true},
			{Scope: User, Path: "settings.json", Format: Nested, Edit: true},
		},
		Events: claudeEvents(), Unit: time.Second,
		Missing: "goes on as if there were no hook, and shows nothing with -p",
		Then: []Step{
			{Text: "in an interactive session hooks wait until the folder is trusted: answer Claude Code's question once"},
			{Scopes: []Scope{Project}, Text: "commit .claude/settings.json; whoever has no hookctl on the PATH works on without it"},
		},
	}
}

// codex: Codex CLI 0.171.0. A hook's trust hangs on its place in the file and on
// its text, so ours stands last and never changes.
func codex() Agent {
	return Agent{
		Name: Codex, Title: "Codex CLI", Program: "codex",
		Folder: ".codex", Env: "CODEX_HOME",
		System: map[string]string{"linux": "/etc/codex", "darwin": "/etc/codex", "windows": `C:\ProgramData\OpenAI\Codex`},
		Files: []File{
			{Scope: Managed, Path: "requirements.toml", Format: TOML},
			{Scope: Project, Path: ".codex/hooks.json", Format: Nested, Edit: true},
			{Scope: Project, Path: ".codex/config.toml", Format: TOML, Edit: true},
			{Scope: User, Path: "hooks.json", Format: Nested, Edit: true},
			{Scope: User, Path: "config.toml", Format: TOML, Edit: true},
		},
		Events: claudeEvents(), Unit: time.Second,
		Missing: "goes on as if there were no hook",
		Then: []Step{
			{Text: "start codex, open /hooks and approve hookctl's five hooks: until then Codex skips them, and \"codex exec\" says nothing of it"},
			{Scopes: []Scope{Project}, Text: "trust the project in Codex: the hooks of an untrusted one are not read"},
		},
	}
}

// gemini: Gemini CLI 0.61.0. Any exit from 2 on blocks, a missing program's 127
// too; on AfterAgent that went round until the client crashed.
func gemini() Agent {
	return Agent{
		Name: Gemini, Title: "Gemini CLI", Program: "gemini",
		Folder: ".gemini", Env: "GEMINI_CLI_HOME", Below: ".gemini",
		System: map[string]string{
			"linux":   "/etc/gemini-cli",
			"darwin":  "/Library/Application Support/GeminiCli",
			"windows": `C:\ProgramData\gemini-cli`,
		},
		Files: []File{
			{Scope: Managed, Path: "settings.json", Format: Nested, Edit: true},
			{Scope: Project, Path: ".gemini/settings.json", Format: Nested, Edit: true},
			{Scope: User, Path: "settings.json", Format: Nested, Edit: true},
		},
		Events: []Event{
			{"stop", "AfterAgent"},
			{"pre-tool", "BeforeTool"},
			{"post-tool", "AfterTool"},
			{"session-start", "SessionStart"},
		},
		Unit: time.Millisecond, HookName: "hookctl", Comments: true, Guard: true, PowerShell: true,
		Missing: "would take it for a block and go round; the command line that install registers ends with success instead",
		Then: []Step{
			{Text: "trust the folders you work in (/permissions): in an untrusted one Gemini CLI runs no hook at all, your own neither"},
		},
	}
}

// qwen: Qwen Code 0.24.4.
func qwen() Agent {
	return Agent{
		Name: Qwen, Title: "Qwen Code", Program: "qwen",
		Folder: ".qwen", Env: "QWEN_HOME",
		System: map[string]string{
			"linux":   "/etc/qwen-code",
			"darwin":  "/Library/Application Support/QwenCode",
			"windows": `C:\ProgramData\qwen-code`,
		},
		Files: []File{
			{Scope: Managed, Path: "settings.json", Format: Nested, Edit: true},
			{Scope: Project, Path: ".qwen/settings.json", Format: Nested, Edit: true},
			{Scope: User, Path: "settings.json", Format: Nested, Edit: true},
		},
		Events: claudeEvents(), Unit: time.Second, Comments: true, PowerShell: true,
		Missing: "goes on as if there were no hook",
		Then: []Step{
			{Text: "a session that runs reads its hooks again only when /hooks is opened: start a new one"},
			{Scopes: []Scope{Project}, Text: "trust the folder: Qwen Code reads a project's hooks in trusted folders only"},
		},
	}
}

// copilot: GitHub Copilot CLI 1.0.102. Before a tool every exit but 0 denies. In
// PascalCase an event comes with Claude's names; a file of our own is one that
// nobody else's edits can damage.
func copilot() Agent {
	return Agent{
		Name: Copilot, Title: "GitHub Copilot CLI", Program: "copilot",
		Folder: ".copilot", Env: "COPILOT_HOME",
		System: map[string]string{"linux": "/etc/github-copilot", "darwin": "/etc/github-copilot", "windows": `C:\ProgramData\GitHub\Copilot`},
		Files: []File{
			{Scope: Managed, Path: "policy.d/*.json", Format: Flat},
			{Scope: Project, Path: ".github/hooks/hookctl.json", Format: Flat, Edit: true},
			{Scope: Project, Path: ".github/hooks/*.json", Format: Flat},
			{Scope: Project, Path: ".github/copilot/settings.json", Format: Flat},
			{Scope: Local, Path: ".github/copilot/settings.local.json", Format: Flat},
			{Scope: Project, Path: ".claude/settings.json", Format: Nested, Foreign: true},
			{Scope: Local, Path: ".claude/settings.local.json", Format: Nested, Foreign: true},
			{Scope: User, Path: "hooks/hookctl.json", Format: Flat, Edit: true},
			{Scope: User, Path: "hooks/*.json", Format: Flat},
			{Scope: User, Path: "settings.json", Format: Flat},
		},
		Events: claudeEvents(), Unit: time.Second, Guard: true, EachShell: true,
		Missing: "would deny every tool call; the command line that install registers ends with success instead",
		Then: []Step{
			{Text: "a session that runs keeps the hooks it started with: start a new one"},
			{Scopes: []Scope{Project}, Text: "commit .github/hooks/hookctl.json; Copilot reads it in trusted folders, and its cloud agent reads nothing else"},
		},
	}
}

// cursor: by its documentation of autumn 2026; it could not be run here.
func cursor() Agent {
	return Agent{
		Name: Cursor, Title: "Cursor", Program: "cursor-agent",
		Folder: ".cursor",
		System: map[string]string{
			"linux":   "/etc/cursor",
			"darwin":  "/Library/Application Support/Cursor",
			"windows": `C:\ProgramData\Cursor`,
		},
		Files: []File{
			{Scope: Managed, Path: "hooks.json", Format: Flat, Edit: true},
			{Scope: Project, Path: ".cursor/hooks.json", Format: Flat, Edit: true},
			{Scope: User, Path: "hooks.json", Format: Flat, Edit: true},
			{Scope: Local, Path: ".claude/settings.local.json", Format: Nested, Foreign: true},
			{Scope: Project, Path: ".claude/settings.json", Format: Nested, Foreign: true},
		},
		Events: []Event{
			{"stop", "stop"},
			{"subagent-stop", "subagentStop"},
			{"pre-tool", "preToolUse"},
			{"post-tool", "postToolUse"},
			{"session-start", "sessionStart"},
		},
		Unit: time.Second, NoLinks: true,
		Missing: "goes on as if there were no hook",
		Then: []Step{
			{Text: "nothing: Cursor reads hooks.json again when it is saved; \"cursor-agent -p\" is reported to run no hook at the end of a turn"},
			{Scopes: []Scope{Project}, Text: "trust the workspace: Cursor reads a project's hooks in trusted ones only"},
		},
	}
}

// opencode: OpenCode 1.18.33. It has no command hooks, and its session.idle comes
// after the turn: a stop is observed there, not held back.
func opencode() Agent {
	return Agent{
		Name: OpenCode, Title: "OpenCode", Program: "opencode",
		Folder: ".config/opencode", Env: "XDG_CONFIG_HOME", Below: "opencode",
		Files: []File{
			{Scope: Project, Path: ".opencode/plugins/hookctl.js", Format: Plugin, Edit: true},
			{Scope: User, Path: "plugins/hookctl.js", Format: Plugin, Edit: true},
		},
		Events: []Event{
			{"stop", "session.idle"},
			{"pre-tool", "tool.execute.before"},
			{"post-tool", "tool.execute.after"},
		},
		Unit:    time.Second,
		Missing: "goes on: the plugin lets every tool call through",
		Then: []Step{
			{Text: "OpenCode loads plugins when it starts: start it anew; a stop is only looked at there, it cannot be held back"},
		},
	}
}
