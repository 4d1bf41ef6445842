package live

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/agenthooks/hookctl/live/model"
)

// agent says how one agent is started without a screen, and in which words its
// model calls tools.
type agent struct {
	name string
	// noStop says why a stop cannot be blocked, "" when it can.
	noStop string
	note   string // what is done otherwise than in the user's own home
	// files are the agent's own settings below the scratch home: the model's
	// address, no telemetry, no update. hookctl is installed into them afterwards.
	files func(b *bench) map[string]string
	env   func(b *bench) []string
	args  func(prompt string) []string

	read   func(path string) model.Call
	change func(path, old, text string) model.Call // needs a read before
	shell  func(line string) model.Call
}

type in = map[string]any

var agents = []agent{
	{
		name: "claude",
		env: func(b *bench) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + b.model.URL(), "ANTHROPIC_API_KEY=" + dummyKey,
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
				"IS_SANDBOX=1", // it refuses to bypass permissions for root without it
			}
		},
		args: func(prompt string) []string {
			return []string{"-p", prompt, "--output-format", "json", "--permission-mode", "bypassPermissions"}
		},
		read: func(path string) model.Call { return model.Call{Name: "Read", Input: in{"file_path": path}} },
		change: func(path, old, text string) model.Call {
			return model.Call{Name: "Edit", Input: in{"file_path": path, "old_string": old, "new_string": text}}
		},
		shell: func(line string) model.Call {
			return model.Call{Name: "Bash", Input: in{"command": line, "description": "Go on"}}
		},
	},
	{
		name: "codex",
		note: "its hooks were trusted for these runs alone, by --dangerously-bypass-hook-trust; whether yours are trusted is told by hookctl doctor",
		files: func(b *bench) map[string]string {
			return map[string]string{".codex/config.toml": fmt.Sprintf(`model = "gpt-5.5"
model_provider = "loopback"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.loopback]
name = "loopback"
base_url = %q
wire_api = "responses"
env_key = "LOOPBACK_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects.%q]
trust_level = "trusted"
`, b.model.URL()+"/v1", b.project)}
		},
		env: func(*bench) []string { return []string{"LOOPBACK_KEY=" + dummyKey} },
		args: func(prompt string) []string {
			return []string{"exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt}
		},
		read: func(path string) model.Call {
			return model.Call{Name: "exec_command", Input: in{"cmd": "cat " + path}}
		},
		change: func(path, old, text string) model.Call {
			return model.Call{Name: "apply_patch", Patch: "*** Begin Patch\n*** Update File: " + path + "\n@@\n-" + old + "\n+" + text + "\n*** End Patch\n"}
		},
		shell: func(line string) model.Call {
			return model.Call{Name: "exec_command", Input: in{"cmd": line}}
		},
	},
	{
		name: "gemini",
		files: func(*bench) map[string]string {
			return map[string]string{".gemini/settings.json": googleSettings("gemini-api-key")}
		},
		env: func(b *bench) []string {
			return []string{
				"GEMINI_API_KEY=" + dummyKey, "GOOGLE_GEMINI_BASE_URL=" + b.model.URL(),
				"GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_MODEL=gemini-2.5-pro",
			}
		},
		args: func(prompt string) []string {
			return []string{"-p", prompt, "--output-format", "json", "--approval-mode", "yolo"}
		},
		read: func(path string) model.Call { return model.Call{Name: "read_file", Input: in{"file_path": path}} },
		change: func(path, old, text string) model.Call {
			return model.Call{Name: "replace", Input: in{"file_path": path, "old_string": old, "new_string": text, "instruction": "go on"}}
		},
		shell: googleShell,
	},
	{
		name: "qwen",
		files: func(*bench) map[string]string {
			return map[string]string{".qwen/settings.json": googleSettings("openai")}
		},
		env: func(b *bench) []string {
			return []string{"OPENAI_API_KEY=" + dummyKey, "OPENAI_BASE_URL=" + b.model.URL() + "/v1", "OPENAI_MODEL=" + model.Name, "QWEN_TELEMETRY_ENABLED=false"}
		},
		args: func(prompt string) []string {
			return []string{"-p", prompt, "--output-format", "json", "--approval-mode", "yolo"}
		},
		read: func(path string) model.Call { return model.Call{Name: "read_file", Input: in{"file_path": path}} },
		change: func(path, old, text string) model.Call {
			return model.Call{Name: "edit", Input: in{"file_path": path, "old_string": old, "new_string": text}}
		},
		shell: googleShell,
	},
	{
		name: "copilot",
		env: func(b *bench) []string {
			return []string{
				"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + b.model.URL() + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_MODEL=gpt-5",
				"COPILOT_PROVIDER_WIRE_API=completions", "COPILOT_PROVIDER_API_KEY=" + dummyKey, "COPILOT_AUTO_UPDATE=false",
			}
		},
		args: func(prompt string) []string { return []string{"-p", prompt, "--allow-all-tools", "--no-color"} },
		read: func(path string) model.Call { return model.Call{Name: "view", Input: in{"path": path}} },
		change: func(path, old, text string) model.Call {
			return model.Call{Name: "edit", Input: in{"path": path, "old_str": old, "new_str": text}}
		},
		shell: func(line string) model.Call {
			return model.Call{Name: "bash", Input: in{"command": line, "description": "Go on"}}
		},
	},
	{
		name:   "opencode",
		noStop: "OpenCode tells its plugins that a turn has ended, and lets none of them go on",
		files: func(b *bench) map[string]string {
			return map[string]string{".config/opencode/opencode.json": text(in{
				"$schema": "https://opencode.ai/config.json", "autoupdate": false, "share": "disabled",
				"model": "loopback/" + model.Name, "small_model": "loopback/" + model.Name,
				"provider": in{"loopback": in{
					"npm": "@ai-sdk/openai-compatible", "name": "loopback",
					"options": in{"baseURL": b.model.URL() + "/v1", "apiKey": dummyKey},
					"models":  in{model.Name: in{"name": model.Name, "tool_call": true}},
				}},
			})}
		},
		env: func(*bench) []string {
			return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
		},
		args: func(prompt string) []string { return []string{"run", "--format", "json", prompt} },
		read: func(path string) model.Call { return model.Call{Name: "read", Input: in{"filePath": path}} },
		change: func(path, old, text string) model.Call {
			return model.Call{Name: "edit", Input: in{"filePath": path, "oldString": old, "newString": text}}
		},
		shell: func(line string) model.Call {
			return model.Call{Name: "bash", Input: in{"command": line, "description": "Go on"}}
		},
	},
}

func byName(name string) agent {
	for _, a := range agents {
		if a.name == name {
			return a
		}
	}
	panic("no agent " + name) // choose has looked
}

// googleSettings are those of Gemini and Qwen, which share a form.
func googleSettings(auth string) string {
	return text(in{
		"security":  in{"auth": in{"selectedType": auth}, "folderTrust": in{"enabled": false}},
		"privacy":   in{"usageStatisticsEnabled": false},
		"telemetry": in{"enabled": false},
		"memory":    in{"enableManagedAutoMemory": false},
		"general":   in{"disableAutoUpdate": true, "disableUpdateNag": true, "enableAutoUpdate": false},
	})
}

func googleShell(line string) model.Call {
	return model.Call{Name: "run_shell_command", Input: in{"command": line, "description": "go on", "is_background": false}}
}

func text(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil { // maps, strings and bools only: this cannot be
		panic(err)
	}
	return string(b) + "\n"
}

func below(folder, name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
