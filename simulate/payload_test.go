package simulate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/host"
)

func requestOf(tool string) Request {
	return map[string]Request{
		toolEdit:  {Tool: toolEdit, File: "hello.txt", Old: "old", New: "new"},
		toolWrite: {Tool: toolWrite, File: "new.txt", Content: "written\n"},
		toolRead:  {Tool: toolRead, File: "hello.txt"},
		toolBash:  {Tool: toolBash, Command: "true"},
		toolPatch: {Tool: toolPatch, Patch: "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch"},
	}[tool]
}

// Every payload is what hookctl knows as that agent's, on that event and tool.
func TestPayloadsAreRecognised(t *testing.T) {
	box := testBox(t)
	for _, name := range Agents() {
		a := agentOf(name)
		for _, tool := range tools {
			for _, p := range []phase{before, after, afterFailure} {
				for _, event := range a.events(p, tool) {
					c := &call{Request: requestOf(tool), n: 1, box: box, at: time.Unix(0, 0)}
					kind := gate.PreTool
					if p != before {
						kind = gate.PostTool
						c.ran = &toolResult{stdout: "out"}
					}
					ev, err := host.Parse(a.stdin(event, p, c, true), "", func(k string) string {
						if k == "COPILOT_CLI" && name == host.Copilot || k == "QWEN_PROJECT_DIR" && name == host.Qwen {
							return "1"
						}
						return ""
					})
					if err != nil || ev.Host != name || ev.Kind != kind || ev.CWD != box.project || ev.Tool.Name == "" || !json.Valid(ev.Tool.Input) || !ev.Contract {
						t.Errorf("%s %s %s: %+v %v", name, event, tool, ev, err)
					}
				}
			}
		}
	}
}

// The members of a payload are those that the real client sent, but for its tool's
// answer, whose form nobody promises.
func TestPayloadsHaveTheMembersOfRealOnes(t *testing.T) {
	box := testBox(t)
	seen := 0
	for _, name := range Agents() {
		a := agentOf(name)
		for _, tool := range []string{toolEdit, toolWrite, toolBash} {
			for _, p := range []phase{before, after} {
				for _, event := range a.events(p, tool) {
					c := &call{Request: requestOf(tool), n: 1, box: box, at: time.Unix(0, 0)}
					if p == after {
						c.ran = &toolResult{stdout: "out"}
					}
					called, _ := a.tool(event, c)
					file := filepath.Join("..", "gate", "host", "testdata", "payloads", name, event+"-"+called+".json")
					raw, err := os.ReadFile(file)
					if err != nil {
						continue
					}
					seen++
					// What is not told of the session: how hard the model thinks, how long
					// the tool took.
					want := members(t, raw, "effort", "duration_ms")
					if got := members(t, a.stdin(event, p, c, false)); !slices.Equal(got, want) {
						t.Errorf("%s\ngot  %v\nwant %v", file, got, want)
					}
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d payloads were compared", seen)
	}
}

func members(t *testing.T, raw []byte, but ...string) (names []string) {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	for name, v := range m {
		if slices.Contains(but, name) {
			continue
		}
		names = append(names, name)
		var input map[string]json.RawMessage
		if name == "tool_input" || name == "toolArgs" {
			if err := json.Unmarshal(v, &input); err != nil {
				t.Fatal(err)
			}
			for k := range input {
				names = append(names, name+"."+k)
			}
		}
	}
	slices.Sort(names)
	return names
}

func testBox(t *testing.T) *sandbox {
	t.Helper()
	box, err := newSandbox()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.close(); err != nil {
			t.Error(err)
		}
	})
	if err := box.fill(map[string]string{"hello.txt": "hello old world\n"}); err != nil {
		t.Fatal(err)
	}
	return box
}
