package decide

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

// No call of a tool, whatever its name and its input are, is a fault of ours.
func FuzzToolCall(f *testing.F) {
	for _, s := range [][2]string{
		{"Bash", `{"command":"rm -rf ~/.claude/* && git push -f"}`},
		{"Write", `{"file_path":"a"}`},
		{"apply_patch", `{"input":"*** Update File: a\n"}`},
		{"mcp__x__write", `{"files":{"a/b":1},"args":[{"path":["c"]}],"uri":"file://h/%2e%zz"}`},
		{"PowerShell", `{"command":"rm (Join-Path $HOME a) | del"}`},
		{"shell", `{"command":["sh","-c","x"]}`},
		{"mcp__y", `{"command":"a","args":["b"]}`},
		{"Edit", `"{\"file_path\":\"x\"}"`},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, tool, input string) {
		if !json.Valid([]byte(input)) {
			return
		}
		v, _ := unix().engine(t).Decide(t.Context(), gate.Event{Kind: gate.PreTool, CWD: "/home/u/app", Tool: gate.Tool{Name: tool, Input: []byte(input)}})
		for _, fault := range v.Faults {
			if strings.Contains(fault, "internal error") {
				t.Errorf("%s %s: %s", tool, input, fault)
			}
		}
	})
}
