package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

var update = flag.Bool("update", false, "write the golden files")

func noEnv(string) string { return "" }

// TestPayloads reads what real agents have sent and compares with a table that
// a person has checked.
func TestPayloads(t *testing.T) {
	var got strings.Builder
	err := filepath.WalkDir("testdata/payloads", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		ev, err := Parse(raw, "", noEnv)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		rel, _ := filepath.Rel("testdata/payloads", path)
		short := func(s string) string { return s[:min(len(s), 8)] }
		fmt.Fprintf(&got, "%s: host=%s kind=%q name=%s session=%s turn=%s active=%v tasks=%d text=%v:%q tool=%s:%s transcript=%s cwd=%s\n",
			filepath.ToSlash(rel), ev.Host, ev.Kind, ev.Name, short(ev.Session), short(ev.Turn), ev.Active, ev.Tasks,
			ev.HasText, ev.Text, ev.Tool.Name, compact(ev.Tool.Input), filepath.Base(ev.Transcript), ev.CWD)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/payloads.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			t.Fatalf("line %d\nwant %s\n got %s", i+1, at(w, i), at(g, i))
		}
	}
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if len(raw) > 0 && json.Compact(&b, raw) != nil {
		return "not JSON"
	}
	return b.String()
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(none)"
}

func TestRecognise(t *testing.T) {
	env := func(name string) func(string) string {
		return func(n string) string {
			if n == name {
				return "1"
			}
			return ""
		}
	}
	for _, c := range []struct {
		name, in, as string
		env          func(string) string
		host         string
		kind         gate.Kind
	}{
		{"bare stop", `{"hook_event_name":"Stop"}`, "", noEnv, Claude, gate.Stop},
		{"nil environment", `{"hook_event_name":"Stop"}`, "", nil, Claude, gate.Stop},
		{"unknown event", `{"hook_event_name":"TaskCompleted"}`, "", noEnv, Claude, ""},
		{"no name", `{}`, "", noEnv, Claude, ""},
		{"name is a number", `{"hook_event_name":7}`, "", noEnv, Claude, ""},
		{"cursor", `{"cursor_version":"3","hook_event_name":"stop","loop_count":1}`, "", noEnv, Cursor, gate.Stop},
		{"cursor runs Claude's", `{"cursor_version":"3","hook_event_name":"PreToolUse"}`, "", noEnv, Cursor, gate.PreTool},
		{"cursor shell", `{"cursor_version":"3","hook_event_name":"beforeShellExecution","command":"ls"}`, "", noEnv, Cursor, gate.PreTool},
		{"cursor inside codex", `{"cursor_version":"3","turn_id":"t","hook_event_name":"stop"}`, "", noEnv, Cursor, gate.Stop},
		{"codex", `{"hook_event_name":"Stop","turn_id":"t","model":"m"}`, "", noEnv, Codex, gate.Stop},
		{"claude with both ids", `{"hook_event_name":"Stop","turn_id":"t","prompt_id":"p"}`, "", noEnv, Claude, gate.Stop},
		{"claude inside qwen", `{"hook_event_name":"Stop","prompt_id":"p"}`, "", env("QWEN_PROJECT_DIR"), Claude, gate.Stop},
		{"qwen without a mode", `{"hook_event_name":"PreToolUse","timestamp":"t"}`, "", env("QWEN_PROJECT_DIR"), Qwen, gate.PreTool},
		{"copilot inside qwen", `{"hook_event_name":"Stop","timestamp":"t","transcript_path":"x","stop_reason":"end_turn"}`, "", env("QWEN_PROJECT_DIR"), Copilot, gate.Stop},
		{"copilot camel subagent", `{"sessionId":"s","transcriptPath":"x","stopReason":"end_turn","agentName":"a"}`, "", noEnv, Copilot, gate.SubagentStop},
		{"opencode by its plugin", `{"agent":"opencode","hook_event_name":"Stop","session_id":"s"}`, "", noEnv, OpenCode, gate.Stop},
		{"another agent named in a field", `{"agent":"x","hook_event_name":"Stop","turn_id":"t"}`, "", noEnv, Codex, gate.Stop},
		{"gemini precompress", `{"hook_event_name":"PreCompress","timestamp":"t","transcript_path":"x"}`, "", noEnv, Gemini, ""},
		{"generic", `{"text":"x"}`, "generic", noEnv, Generic, gate.Stop},
		{"generic own word", `{"event":"pre-tool"}`, "generic", noEnv, Generic, gate.PreTool},
		{"generic with Claude's name", `{"hook_event_name":"PreToolUse"}`, "generic", noEnv, Generic, gate.PreTool},
		{"generic unknown", `{"event":"x"}`, "generic", noEnv, Generic, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, err := Parse([]byte(c.in), c.as, c.env)
			if err != nil || ev.Host != c.host || ev.Kind != c.kind {
				t.Errorf("got host %q kind %q err %v, want %q %q", ev.Host, ev.Kind, err, c.host, c.kind)
			}
		})
	}
}

func TestFields(t *testing.T) {
	for _, c := range []struct {
		name, in string
		ok       func(gate.Event) bool
	}{
		{"BOM", "\xef\xbb\xbf" + `{"hook_event_name":"Stop","session_id":"s"}`, func(e gate.Event) bool { return e.Session == "s" }},
		{"lone surrogate", `{"hook_event_name":"Stop","last_assistant_message":"a\ud83dz"}`, func(e gate.Event) bool { return e.Text == "a\uFFFDz" }},
		{"bytes that are not UTF-8", "{\"hook_event_name\":\"Stop\",\"last_assistant_message\":\"a\xffz\"}", func(e gate.Event) bool { return e.Text == "a\uFFFDz" }},
		{"null is not sent", `{"hook_event_name":"Stop","last_assistant_message":null}`, func(e gate.Event) bool { return !e.HasText }},
		{"empty is sent", `{"hook_event_name":"Stop","last_assistant_message":""}`, func(e gate.Event) bool { return e.HasText }},
		{"wrong types", `{"hook_event_name":"Stop","session_id":5,"cwd":[],"stop_hook_active":"true","background_tasks":{},"last_assistant_message":{},"transcript_path":null}`, func(e gate.Event) bool {
			return e.Kind == gate.Stop && e.Session == "" && e.CWD == "" && !e.Active && e.Tasks == 0 && !e.HasText && e.Transcript == ""
		}},
		{"last of two wins", `{"hook_event_name":"PreToolUse","hook_event_name":"Stop"}`, func(e gate.Event) bool { return e.Kind == gate.Stop }},
		{"names are exact", `{"hook_event_name":"PreToolUse","tool_name":"Bash","TOOL_NAME":"Read"}`, func(e gate.Event) bool { return e.Tool.Name == "Bash" }},
		{"tasks", `{"hook_event_name":"Stop","background_tasks":[{"status":"running"},{"status":"completed"},{"status":"pending"},{"status":"failed"},{},3]}`, func(e gate.Event) bool { return e.Tasks == 3 }},
		{"subagent's own transcript", `{"hook_event_name":"SubagentStop","transcript_path":"a","agent_transcript_path":"b"}`, func(e gate.Event) bool { return e.Transcript == "b" }},
		{"subagent without one", `{"hook_event_name":"SubagentStop","transcript_path":"a"}`, func(e gate.Event) bool { return e.Transcript == "a" }},
		{"tool input in a string", `{"sessionId":"s","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`, func(e gate.Event) bool { return string(e.Tool.Input) == `{"command":"ls"}` }},
		{"opencode's tool", `{"agent":"opencode","hook_event_name":"PreToolUse","session_id":"s","tool_name":"edit","tool_input":{"filePath":"/x"}}`, func(e gate.Event) bool {
			return e.Session == "s" && e.Tool.Name == "edit" && string(e.Tool.Input) == `{"filePath":"/x"}`
		}},
		{"contract", `{"hook_event_name":"Stop","hookctl_contract":true,"hookctl_recorded":{"a":1}}`, func(e gate.Event) bool { return e.Contract && string(e.Recorded) == `{"a":1}` }},
		{"recorded without contract", `{"hook_event_name":"Stop","hookctl_recorded":{"a":1}}`, func(e gate.Event) bool { return !e.Contract && e.Recorded == nil }},
		{"cursor's ids and root", `{"cursor_version":"1","hook_event_name":"stop","conversation_id":"c","generation_id":"g","workspace_roots":["/r"],"loop_count":2,"transcript_path":null}`, func(e gate.Event) bool {
			return e.Session == "c" && e.Turn == "g" && e.CWD == "/r" && e.Active
		}},
		{"cursor shell command", `{"cursor_version":"1","hook_event_name":"beforeShellExecution","command":"ls","cwd":"/x"}`, func(e gate.Event) bool {
			return e.Tool.Name == "Shell" && string(e.Tool.Input) == `{"command":"ls","cwd":"/x"}`
		}},
		{"copilot's time, a number", `{"sessionId":"s-1","timestamp":1795998837995,"stopReason":"end_turn","transcriptPath":"/t"}`, func(e gate.Event) bool {
			return e.At == 1795998837995 && e.Transcript == "/t"
		}},
		{"copilot's time, a text", `{"hook_event_name":"Stop","session_id":"s-1","timestamp":"2026-11-30T00:34:03.849Z","stop_reason":"end_turn"}`, func(e gate.Event) bool {
			return e.Host == Copilot && e.At == 1795998843849 && e.Transcript == "~/.copilot/session-state/s-1/events.jsonl"
		}},
		{"copilot's session is no path", `{"hook_event_name":"Stop","session_id":"../s","timestamp":"soon","stop_reason":"end_turn"}`, func(e gate.Event) bool {
			return e.Host == Copilot && e.At == 0 && e.Transcript == ""
		}},
		{"gemini goes on: the text holds the old one too", `{"hook_event_name":"AfterAgent","timestamp":"t","transcript_path":"x","prompt":"p","prompt_response":"a\nb","stop_hook_active":true}`, func(e gate.Event) bool {
			return !e.HasText && e.Turn != "" && e.Active
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, err := Parse([]byte(c.in), "", noEnv)
			if err != nil || !c.ok(ev) {
				t.Errorf("err %v, event %+v", err, ev)
			}
		})
	}
}

func TestBroken(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     error
		kind     gate.Kind
		host     string
	}{
		{"empty", "", ErrEmpty, "", ""},
		{"blank", " \n\ufeff", ErrEmpty, "", ""},
		{"prose", "hello", ErrNotEvent, "", ""},
		{"array", `[{"a":1}]`, ErrNotEvent, "", ""},
		{"null", `null`, ErrNotEvent, "", ""},
		{"number", `3`, ErrNotEvent, "", ""},
		{"cut in the tool's input", `{"hook_event_name":"PreToolUse","cursor_version":"1","tool_input":{"a":"b`, ErrNotEvent, gate.PreTool, Cursor},
		{"cut after a member", `{"hook_event_name": "PreToolUse"`, ErrNotEvent, gate.PreTool, Claude},
		{"cut in a name", `{"hook_event_name":"PreToolUse","tool_na`, ErrNotEvent, gate.PreTool, Claude},
		{"two objects", `{"hook_event_name":"Stop","turn_id":"t"}{"hook_event_name":"PreToolUse"}`, ErrNotEvent, gate.Stop, Codex},
		{"bad value between", `{"session_id":nope, "hook_event_name" : "PreToolUse","a":1}`, ErrNotEvent, gate.PreTool, Claude},
		{"the name only in a text", `{"a":"\"hook_event_name\":\"PreToolUse\"`, ErrNotEvent, "", ""},
		{"too deep", `{"hook_event_name":"PreToolUse","x":` + strings.Repeat("[", 20000), ErrNotEvent, gate.PreTool, Claude},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, err := Parse([]byte(c.in), "", noEnv)
			if !errors.Is(err, c.want) || ev.Kind != c.kind || ev.Host != c.host {
				t.Errorf("got kind %q host %q err %v, want %q %q %v", ev.Kind, ev.Host, err, c.kind, c.host, c.want)
			}
		})
	}
	if ev, err := Parse(nil, Generic, noEnv); !errors.Is(err, ErrEmpty) || ev.Kind != gate.Stop || ev.Host != Generic {
		t.Errorf("generic, empty: %+v %v", ev, err)
	}
}

// FuzzParse holds Parse and Encode to their promises on any bytes.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"hook_event_name":"PreToolUse","tool_input":{`, `{"sessionId":"s","toolName":"x"}`, "", "[]", `{"cursor_version":1,"hook_event_name":"stop"}`, `{"hook_event_name":"AfterAgent","timestamp":1,"prompt":"p"}`} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, raw []byte, generic bool) {
		as := ""
		if generic {
			as = Generic
		}
		ev, _ := Parse(raw, as, noEnv)
		for _, d := range []gate.Decision{gate.Silent, gate.Notice, gate.Ask, gate.Block} {
			a := Encode(ev, gate.Verdict{Decision: d, Reason: string(raw), Faults: []string{string(raw)}})
			check(t, ev, a)
		}
	})
}

// check holds for every answer: silence, one JSON object, or stderr.
func check(t *testing.T, ev gate.Event, a Answer) {
	t.Helper()
	if len(a.Stdout) > 0 {
		var obj map[string]any
		if err := json.Unmarshal(a.Stdout, &obj); err != nil || a.Stdout[len(a.Stdout)-1] != '\n' {
			t.Errorf("stdout %q: %v", a.Stdout, err)
		}
		if len(a.Stderr) > 0 {
			t.Errorf("both streams: %q %q", a.Stdout, a.Stderr)
		}
	}
	if a.Exit != 0 && (a.Exit != 2 || ev.Host != Generic || len(a.Stderr) == 0) {
		t.Errorf("exit %d for %s", a.Exit, ev.Host)
	}
	switch ev.Host {
	case Codex:
		checkCodex(t, a.Stdout)
	case Gemini: // it takes JSON on stderr for a decision
		if len(a.Stderr) > 0 {
			t.Errorf("stderr for Gemini: %q", a.Stderr)
		}
	}
}

// checkCodex: Codex drops an answer that has one key more than these, runs the
// tool on any word but deny, and passes over a block without a reason.
func checkCodex(t *testing.T, stdout []byte) {
	t.Helper()
	if len(stdout) == 0 {
		return
	}
	var known struct {
		Decision, Reason, SystemMessage *string
		HookSpecificOutput              *struct {
			HookEventName, PermissionDecision, PermissionDecisionReason, AdditionalContext *string
		}
	}
	d := json.NewDecoder(bytes.NewReader(stdout))
	d.DisallowUnknownFields()
	if err := d.Decode(&known); err != nil {
		t.Errorf("for Codex: %v: %s", err, stdout)
		return
	}
	filled := func(s *string) bool { return s != nil && strings.TrimSpace(*s) != "" }
	if known.Decision != nil && (*known.Decision != "block" || !filled(known.Reason)) {
		t.Errorf("for Codex: %s", stdout)
	}
	if o := known.HookSpecificOutput; o != nil && o.PermissionDecision != nil && (*o.PermissionDecision != "deny" || !filled(o.PermissionDecisionReason)) {
		t.Errorf("for Codex: %s", stdout)
	}
}

// Every word to every agent on every event holds to what check asks.
func TestEveryAnswer(t *testing.T) {
	for _, host := range []string{Claude, Codex, Gemini, Qwen, Copilot, Cursor, OpenCode, Generic} {
		for _, kind := range []gate.Kind{gate.Stop, gate.SubagentStop, gate.PreTool, gate.PostTool, gate.Prompt, gate.SessionStart, ""} {
			for _, d := range []gate.Decision{gate.Silent, gate.Notice, gate.Ask, gate.Block} {
				for _, v := range []gate.Verdict{
					{Decision: d},
					{Decision: d, Reason: "r"},
					{Decision: d, Faults: []string{`{"decision":"deny"}`}},
					{Decision: d, Findings: []gate.Finding{{Gate: "g", Mode: gate.Warn, Sentence: "s"}}},
				} {
					check(t, gate.Event{Host: host, Kind: kind, Name: "Name"}, Encode(gate.Event{Host: host, Kind: kind, Name: "Name"}, v))
				}
			}
		}
	}
}
