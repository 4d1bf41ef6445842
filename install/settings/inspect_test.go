package settings

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInspectProblems(t *testing.T) {
	hook := func(event, matcher, fields string) string {
		return fmt.Sprintf("{\"hooks\":\n{%q:[{\"matcher\":%q,\"hooks\":[{\"type\":\"command\",%s}]}]}}", event, matcher, fields)
	}
	tool := func(matcher string) string { return hook("PreToolUse", matcher, `"command":"x"`) }
	for name, tt := range map[string]struct {
		src     string
		want    string // code, ! = warning
		mention string
		managed bool
	}{
		"clean":             {hook("Stop", "", `"command":"hookctl gate","timeout":30`), "", "", false},
		"blank":             {" \n", "", "", false},
		"null":              {`{"hooks":null}`, "", "", false},
		"command array":     {hook("Stop", "", `"command":["hookctl","hook","stop"]`), "wrong-type", "line 2: hooks.Stop[0].hooks[0].command: expected string, found array", false},
		"event object":      {`{"hooks":{"Stop":{}}}`, "wrong-type", "hooks.Stop: expected array, found object", false},
		"hooks array":       {`{"hooks":[]}`, "wrong-type", "hooks: expected object", false},
		"flat group":        {`{"hooks":{"Stop":[{"type":"command","command":"x"}]}}`, "wrong-type", "hooks.Stop[0]: has no hooks", false},
		"group string":      {`{"hooks":{"Stop":["x"]}}`, "wrong-type", "hooks.Stop[0]: expected object", false},
		"hook string":       {`{"hooks":{"Stop":[{"hooks":["x"]}]}}`, "wrong-type", "hooks.Stop[0].hooks[0]: expected object", false},
		"args":              {hook("Stop", "", `"command":"hookctl","args":"gate"`), "wrong-type", "array of strings", false},
		"no command":        {hook("Stop", "", `"timeout":3`), "wrong-type", "has no command", false},
		"off":               {"{\n\n\"disableAllHooks\": true}", "disable-all-hooks", "line 3", false},
		"not off":           {`{"disableAllHooks": false}`, "", "", false},
		"managed only":      {`{"allowManagedHooksOnly": true}`, "managed-only", "managed", true},
		"managed invalid":   {`{"allowManagedHooksOnly": "no"}`, "managed-only", "managed", true},
		"not managed":       {`{"allowManagedHooksOnly": true}`, "", "", false},
		"plugins only":      {`{"strictPluginOnlyCustomization": ["hooks"]}`, "managed-only", "plugins", true},
		"unknown event":     {hook("stop", "", `"command":"x"`), "unknown-event", "write Stop", false},
		"if on stop":        {hook("Stop", "", `"command":"x","if":"Bash(git *)"`), "if-without-tool", "Stop", false},
		"if on tool":        {hook("PreToolUse", "", `"command":"x","if":"Bash(git *)"`), "", "", false},
		"async":             {hook("Stop", "", `"command":"hookctl gate","async":true`), "async", "block", false},
		"zero":              {hook("Stop", "", `"command":"x","timeout":0`), "timeout", "at once", false},
		"small":             {hook("Stop", "", `"command":"hookctl gate","timeout":5`), "timeout", "5 s", false},
		"small but foreign": {hook("Stop", "", `"command":"x","timeout":5`), "", "", false},
		"milliseconds":      {hook("Stop", "", `"command":"x","timeout":30000`), "timeout-unit!", "seconds", false},
		"timeout string":    {hook("Stop", "", `"command":"x","timeout":"30"`), "wrong-type", "number", false},
		"judge switch":      {`{"env":{"STOP_HOOK_LLM_JUDGE_ACTIVE":"1"}}`, "environment", "env.STOP_HOOK_LLM_JUDGE_ACTIVE", false},
		"other env":         {`{"env":{"EDITOR":"vi"}}`, "", "", false},
		"comments":          {"{} // x", "not-strict-json", "strict JSON", false},
		"bom":               {BOM + "{}", "bom!", "byte order mark", false},
		"duplicate":         {`{"hooks":{},"hooks":{}}`, "duplicate-key", "duplicate", false},
		"twice":             {`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookctl gate"},{"type":"command","command":"/b/hookctl gate"}]}]}}`, "registered-twice", "twice", false},
		"type":              {`{"hooks":{"Stop":[{"hooks":[{"type":"cmd","command":"x"}]}]}}`, "unknown-type", "cmd", false},
		"matcher all":       {tool("*"), "", "", false},
		"matcher Edit":      {tool("Edit"), "", "", false},
		"matcher list":      {tool("Edit, Write"), "", "", false},
		"matcher anchored":  {tool("^Edit$"), "", "", false},
		"matcher pattern":   {tool("Ed.*"), "", "", false},
		"matcher lookahead": {tool("^(?!Bash).*$"), "", "", false},
		"matcher mcp":       {tool("mcp__memory__.*"), "", "", false},
		"matcher mcp tool":  {tool("mcp__memory__add"), "", "", false},
		"matcher server":    {tool("mcp__memory"), "matcher-dead", "mcp__memory__.*", false},
		"matcher case":      {tool("edit"), "matcher-dead", `write "Edit"`, false},
		"matcher cut":       {tool("Edi"), "matcher-dead", `write "Edit"`, false},
		"matcher part":      {tool("edit|Write"), "", "", false},
		"matcher paren":     {tool("("), "matcher-dead", "regular expression", false},
		"matcher rule":      {tool("Bash(git *)"), "matcher-dead", "permission rule", false},
		"matcher file":      {tool("*.go"), "matcher-dead", "", false},
		"matcher file name": {tool("settings.json"), "matcher-dead", "file", false},
		"matcher unknown":   {tool("Frobnicate"), "matcher-unknown!", "", false},
		"matcher on stop":   {hook("Stop", "Bash", `"command":"x"`), "matcher-ignored!", "ignored", false},
		"matcher start":     {hook("SessionStart", "compact", `"command":"x"`), "", "", false},
		"matcher start no":  {hook("SessionStart", "Startup", `"command":"x"`), "matcher-dead", `write "startup"`, false},
		"matcher number":    {`{"hooks":{"PreToolUse":[{"matcher":1,"hooks":[]}]}}`, "wrong-type", "matcher", false},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems, err := Inspect([]byte(tt.src), Own, tt.managed)
			if err != nil {
				t.Fatal(err)
			}
			var codes, texts []string
			for _, p := range problems {
				code := p.Code
				if p.Severity != Error {
					code += "!"
				}
				codes, texts = append(codes, code), append(texts, p.String())
			}
			if got := strings.Join(codes, " "); got != tt.want {
				t.Errorf("problems %q, want %q\n%s", got, tt.want, strings.Join(texts, "\n"))
			}
			if !strings.Contains(strings.Join(texts, "\n"), tt.mention) {
				t.Errorf("%q does not mention %q", texts, tt.mention)
			}
		})
	}
	if _, _, err := Inspect([]byte("{\n\"a"), Own, false); !errors.As(err, new(*SyntaxError)) {
		t.Errorf("Inspect of a cut file: %v", err)
	}
}

func TestInspectRegistrations(t *testing.T) {
	src := "{\"hooks\": {\n\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/x y/hookctl\", \"args\": [\"gate\"], \"timeout\": 30},\n{\"type\": \"http\", \"url\": \"http://localhost\"}]}],\n\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"guard.sh\"}]}]}}"
	found, problems, err := Inspect([]byte(src), Own, false)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for i := range found {
		if src[found[i].Offset] != '{' {
			t.Errorf("offset %d of %s is no object", found[i].Offset, found[i].Path)
		}
		found[i].Offset = 0
	}
	want := []Registration{
		{Path: "hooks.Stop[0].hooks[0]", Line: 2, Event: "Stop", Type: "command", Command: "/x y/hookctl", Args: []string{"gate"}, Timeout: 30, Own: true},
		{Path: "hooks.Stop[0].hooks[1]", Line: 3, Event: "Stop", Type: "http"},
		{Path: "hooks.PreToolUse[0].hooks[0]", Line: 4, Event: "PreToolUse", Matcher: "Bash", Type: "command", Command: "guard.sh"},
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestRegisteredIsClean ties the two halves: what Register writes, Inspect finds
// nothing wrong with.
func TestRegisteredIsClean(t *testing.T) {
	res, err := Register(nil, Own, entries)
	if err != nil {
		t.Fatal(err)
	}
	found, problems, err := Inspect(res.Out, Own, false)
	if err != nil || len(problems) > 0 || len(found) != len(entries) {
		t.Errorf("%v %v %v", found, problems, err)
	}
}

func FuzzInspect(f *testing.F) {
	f.Add([]byte(`{"hooks":{"Stop":[{"matcher":"(","hooks":[{"command":[],"timeout":1e999}]}]},"env":{"HOOKCTL_HOME":1}}`), true)
	f.Fuzz(func(_ *testing.T, src []byte, managed bool) {
		Inspect(src, Own, managed)
	})
}

func TestDiff(t *testing.T) {
	got := Diff("settings.json", []byte("{\n}\n"), []byte("{\n  \"a\": 1\n}\n"))
	want := "--- settings.json\n+++ settings.json\n@@ -1,2 +1,3 @@\n {\n+  \"a\": 1\n }\n"
	if got != want || Diff("x", []byte("a"), []byte("a")) != "" {
		t.Errorf("Diff = %q", got)
	}
}
