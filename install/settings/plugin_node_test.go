package settings

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// driver loads the plugin and hands it one event of each kind, as OpenCode does.
const driver = `
const { Hookctl } = await import("./hookctl.mjs")
const said = [{ info: { role: "user" }, parts: [] }, { info: { role: "assistant" }, parts: [{ type: "text", text: "Shall I commit?" }, { type: "tool" }] }]
const client = { session: { messages: async () => ({ data: said }) } }
const hooks = await Hookctl({ client, directory: "/repo" })
const result = {}
try {
  await hooks["tool.execute.before"]({ tool: "edit", sessionID: "s", callID: "c" }, { args: { filePath: "a" } })
} catch (e) {
  result.thrown = e.message
}
const output = { output: "done" }
await hooks["tool.execute.after"]({ tool: "edit", sessionID: "s", callID: "c", args: { filePath: "a" } }, output)
result.after = output.output
await hooks.event({ event: { type: "session.created", properties: {} } })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
console.log(JSON.stringify(result))
`

// TestPluginInNode runs the plugin against programs that answer, are missing, fail
// or print anything: only a clear answer reaches the agent.
func TestPluginInNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("node and sh are needed")
	}
	const deny = `{"decision":"block","reason":"not this file"}`
	type result struct{ Thrown, After string }
	for name, tt := range map[string]struct {
		program string // of sh; "" = there is none
		want    result
	}{
		"deny":        {"echo '" + deny + "'", result{"not this file", "done\n\nnot this file"}},
		"ask":         {`echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"who?"}}'`, result{"who?", "done\n\nwho?"}},
		"silence":     {"exit 0", result{"", "done"}},
		"missing":     {"", result{"", "done"}},
		"fails":       {"echo '" + deny + "'; exit 1", result{"", "done"}},
		"exits 2":     {"echo no >&2; exit 2", result{"", "done"}},
		"killed":      {"kill -9 $$", result{"", "done"}},
		"no JSON":     {"echo hello", result{"", "done"}},
		"null":        {"echo null", result{"", "done"}},
		"reads not":   {"exec 0<&-; echo '" + deny + "'", result{"not this file", "done\n\nnot this file"}},
		"only a note": {`echo '{"systemMessage":"x"}'`, result{"", "done"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			program := filepath.Join(dir, "hookctl")
			if tt.program != "" {
				put(t, program, "#!/bin/sh\n[ \"$1\" = gate ] || exit 9\ncat >>"+filepath.Join(dir, "events")+"\n"+tt.program+"\n", 0o755)
			}
			res, err := registerPlugin(nil, Own, []Entry{{Command: program}})
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "hookctl.mjs"), string(res.Out), 0o644)
			put(t, filepath.Join(dir, "driver.mjs"), driver, 0o644)
			cmd := exec.Command(node, "driver.mjs")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			var got result
			if err != nil || json.Unmarshal(out, &got) != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
			if name == "deny" {
				wantEvents(t, filepath.Join(dir, "events"))
			}
		})
	}
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// wantEvents compares what the program was told.
func wantEvents(t *testing.T, path string) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"agent":"opencode","hook_event_name":"PreToolUse","session_id":"s","cwd":"/repo","tool_name":"edit","tool_use_id":"c","tool_input":{"filePath":"a"}}` +
		`{"agent":"opencode","hook_event_name":"PostToolUse","session_id":"s","cwd":"/repo","tool_name":"edit","tool_use_id":"c","tool_input":{"filePath":"a"}}` +
		`{"agent":"opencode","hook_event_name":"Stop","session_id":"s","cwd":"/repo","last_assistant_message":"Shall I commit?"}`
	if string(b) != want {
		t.Errorf("%s\nwant\n%s", b, want)
	}
}
