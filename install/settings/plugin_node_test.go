package settings

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// driver loads the plugin from each folder that it is given, and hands it one event
// of each kind, as OpenCode does.
const driver = `
const said = [{ info: { role: "user" }, parts: [] }, { info: { role: "assistant" }, parts: [{ type: "text", text: "Shall I commit?" }, { type: "tool" }] }]
const client = { session: { messages: async () => ({ data: said }) } }
const results = {}
for (const name of process.argv.slice(2)) {
  const { Hookctl } = await import("./" + name + "/hookctl.mjs")
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
  results[name] = result
}
// What is left keeps the agent from ending.
if (process.getActiveResourcesInfo?.().includes("Timeout")) results.left = { thrown: "a timer" }
console.log(JSON.stringify(results))
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
	tests := map[string]struct {
		program string // of sh; "" = there is none
		want    result
	}{
		"deny":    {"echo '" + deny + "'", result{"not this file", "done\n\nnot this file"}},
		"ask":     {`echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"who?"}}'`, result{"who?", "done\n\nwho?"}},
		"silence": {"exit 0", result{"", "done"}},
		"missing": {"", result{"", "done"}},
		"fails":   {"echo '" + deny + "'; exit 1", result{"", "done"}},
		"exits-2": {"echo no >&2; exit 2", result{"", "done"}},
		"killed":  {"kill -9 $$", result{"", "done"}},
		"no-json": {"echo hello", result{"", "done"}},
		"null":    {"echo null", result{"", "done"}},
		"hangs":   {"exec sleep 60", result{"", "done"}},
		"note":    {`echo '{"systemMessage":"x"}'`, result{"", "done"}},
	}
	dir := t.TempDir()
	args := []string{"driver.mjs"}
	put(t, filepath.Join(dir, "driver.mjs"), driver, 0o644)
	for name, tt := range tests {
		args = append(args, name)
		program := filepath.Join(dir, name, "hookctl")
		if tt.program != "" {
			put(t, program, "#!/bin/sh\n[ \"$1\" = gate ] || exit 9\ncat >>"+filepath.Join(dir, name, "events")+"\n"+tt.program+"\n", 0o755)
		}
		res, err := registerPlugin(nil, Own, []Entry{{Command: program}})
		if err != nil {
			t.Fatal(err)
		}
		plugin := string(res.Out)
		if name == "hangs" {
			plugin = strings.Replace(plugin, "timeout = 30000", "timeout = 200", 1)
		}
		put(t, filepath.Join(dir, name, "hookctl.mjs"), plugin, 0o644)
	}
	cmd := exec.Command(node, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var got map[string]result
	if err != nil || json.Unmarshal(out, &got) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, tt := range tests {
		if got[name] != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got[name], tt.want)
		}
	}
	if left, ok := got["left"]; ok {
		t.Errorf("left when all is answered: %s", left.Thrown)
	}
	wantEvents(t, filepath.Join(dir, "deny", "events"))
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
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
