package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"github.com/agenthooks/hookctl/install/agent"
)

// cursorEntries and copilotEntries are entries as they are registered with these.
func cursorEntries() []Entry {
	return []Entry{{Event: "stop", Command: "/h/hookctl gate", Timeout: 30}, {Event: "preToolUse", Command: "/h/hookctl gate", Timeout: 30}}
}

func copilotEntries() []Entry {
	return []Entry{{Event: "Stop", Command: "/h/hookctl gate || true", PowerShell: "& '/h/hookctl' gate; exit 0", Timeout: 30}}
}

func TestRegisterFlat(t *testing.T) {
	for name, tt := range map[string]struct {
		src, want string
		entries   []Entry
	}{
		"cursor": {"", `{
  "version": 1,
  "hooks": {
    "stop": [
      {
        "type": "command",
        "command": "/h/hookctl gate",
        "timeout": 30
      }
    ]
  }
}
`, cursorEntries()[:1]},
		"copilot": {"", `{
  "version": 1,
  "hooks": {
    "Stop": [
      {
        "type": "command",
        "bash": "/h/hookctl gate || true",
        "powershell": "& '/h/hookctl' gate; exit 0",
        "timeoutSec": 30
      }
    ]
  }
}
`, copilotEntries()},
		"last": {
			`{"version":1,"hooks":{"stop":[{"command":"say"}]},"x":1}`,
			`{"version":1,"hooks":{"stop":[{"command":"say"},{"type":"command","command":"/h/hookctl gate","timeout":30}]},"x":1}`,
			cursorEntries()[:1],
		},
		"mended in place": {
			`{"version":1,"hooks":{"stop":[{"matcher":"x","command":"/old/hookctl gate","loop_limit":3,"timeout":1},{"command":"say"},{"command":"hookctl gate"}]}}`,
			`{"version":1,"hooks":{"stop":[{"command":"/h/hookctl gate","loop_limit":3,"timeout":30,"type":"command"},{"command":"say"}]}}`,
			cursorEntries()[:1],
		},
		"half ours is not": {
			`{"version":1,"hooks":{"Stop":[{"bash":"hookctl gate","powershell":"say"}]}}`,
			`{"version":1,"hooks":{"Stop":[{"bash":"hookctl gate","powershell":"say"},{"type":"command","bash":"/h/hookctl gate || true","powershell":"& '/h/hookctl' gate; exit 0","timeoutSec":30}]}}`,
			copilotEntries(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := registerFlat([]byte(tt.src), Own, tt.entries)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(res.Out)); d != "" {
				t.Error(d)
			}
		})
	}
	for src, mention := range map[string]string{
		`{"version":2}`:                       "version: expected 1, found 2",
		`{"version":"1"}`:                     "version: expected 1, found string",
		`{"version":1,"hooks":[]}`:            "hooks: expected object",
		`{"version":1,"hooks":{"stop":{}}}`:   "hooks.stop: expected array",
		`{"version":1,"hooks":{},"hooks":{}}`: "duplicate",
	} {
		if _, err := registerFlat([]byte(src), Own, cursorEntries()); err == nil || !strings.Contains(err.Error(), mention) {
			t.Errorf("%s: %v, want %q", src, err, mention)
		}
	}
}

func TestListFlat(t *testing.T) {
	found, err := listFlat([]byte("{\"version\":1,\"hooks\":{\"stop\":[\n{\"command\":\"say\",\"timeout\":5,\"matcher\":\"x\"},\n{\"exec\":\"/h/hookctl\",\"args\":[\"gate\"],\"type\":\"command\"}, 1, {\"type\":\"http\"}]}}"), Own)
	want := []Registration{
		{Path: "hooks.stop[0]", Line: 2, Offset: 31, Event: "stop", Matcher: "x", Type: "command", Command: "say", Timeout: 5},
		{Path: "hooks.stop[1]", Line: 3, Offset: 76, Event: "stop", Type: "command", Command: "/h/hookctl", Args: []string{"gate"}, Own: true},
	}
	if d := cmp.Diff(want, found); d != "" || err != nil {
		t.Error(err, d)
	}
}

// flatFile draws a flat file as people and programs write it.
func (w writer) flatFile() string {
	top := []string{w.member("version", "1")}
	if w.flip("hooks", 70) {
		var events []string
		for _, e := range []string{"stop", "Stop", "beforeReadFile", "preToolUse"} {
			if w.flip(e, 50) {
				events = append(events, w.member(e, w.list(2, 1, w.hook)))
			}
		}
		if len(events) > 0 {
			top = append(top, w.member("hooks", w.box("{", "}", 1, events)))
		}
	}
	if w.flip("other", 40) {
		top = append(top, w.member("n", "12345678901234567890"))
	}
	return w.box("{", "}", 0, top) + w.gap(0, w.flip("end", 50))
}

// TestEditors: for every format and every agent's entries: what was there stays, a
// second time changes nothing, and what is taken away leaves no trace.
func TestEditors(t *testing.T) {
	gemini := []Entry{{Event: "AfterAgent", Command: "/h/hookctl gate || true", Timeout: 30000, Name: "hookctl"}, {Event: "Stop", Command: "/h/hookctl gate || true", Timeout: 30000, Name: "hookctl"}}
	for name, tt := range map[string]struct {
		editor  Editor
		entries []Entry
		file    func(writer) string
	}{
		"gemini":  {For(agent.Nested), gemini, writer.file},
		"cursor":  {For(agent.Flat), cursorEntries(), writer.flatFile},
		"copilot": {For(agent.Flat), copilotEntries(), writer.flatFile},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				src, jsonc := drawWith(t, tt.file)
				res, err := tt.editor.Register([]byte(src), Own, tt.entries)
				if err != nil {
					t.Fatalf("Register: %v\n%s", err, src)
				}
				if !jsonc && !json.Valid(res.Out) || !keeps(src, string(res.Out)) {
					t.Fatalf("bytes lost\n%s\n->\n%s", src, res.Out)
				}
				again, err := tt.editor.Register(res.Out, Own, tt.entries)
				if err != nil || !bytes.Equal(again.Out, res.Out) {
					t.Fatalf("second Register: %v\n%s\n->\n%s", err, res.Out, again.Out)
				}
				found, err := tt.editor.List(res.Out, Own)
				if err != nil {
					t.Fatal(err)
				}
				own := map[string]int{}
				for _, r := range found {
					if r.Own {
						own[r.Event]++
					}
				}
				for _, e := range tt.entries {
					if own[e.Event] != 1 {
						t.Fatalf("%d entries for %s\n%s", own[e.Event], e.Event, res.Out)
					}
				}
				back, err := tt.editor.Remove(res.Out, Own)
				if err != nil || string(back) != src && strings.Trim(src, " \r\n") != "{}" {
					t.Fatalf("Remove(Register(x)) is not x: %v\n%q\nvia\n%s\n%q", err, src, res.Out, back)
				}
			})
		})
	}
}

func TestGeminiSwitches(t *testing.T) {
	entries := []Entry{{Event: "AfterAgent", Command: "hookctl gate || true", Timeout: 30000, Name: "hookctl"}}
	for src, want := range map[string]int{
		`{}`: 0, `{"hooksConfig":{"enabled":true}}`: 0, `{"hooksConfig":{"enabled":false}}`: 1,
		`{"hooksConfig":{"disabled":["hookctl"]}}`: 1, `{"hooksConfig":{"disabled":["hookctl gate || true"],"enabled":false}}`: 2,
		`{"hooksConfig":{"disabled":["x"]}}`: 0, `{"hooksConfig":[]}`: 0,
	} {
		res, err := Register([]byte(src), Own, entries)
		if err != nil || len(res.Notes) != want {
			t.Errorf("%s: %v %v, want %d notes", src, res.Notes, err, want)
		}
	}
}

func TestPlugin(t *testing.T) {
	e := []Entry{{Command: `/a "b/hookctl`}}
	res, err := registerPlugin(nil, Own, e)
	if err != nil || !isPlugin(res.Out) || !strings.Contains(string(res.Out), `const program = "/a \"b/hookctl"`) {
		t.Fatalf("%v\n%s", err, res.Out)
	}
	found, err := listPlugin(res.Out, Own)
	if err != nil || len(found) != 1 || !found[0].Own || found[0].Command != e[0].Command {
		t.Errorf("%+v %v", found, err)
	}
	edited := append(bytes.Clone(res.Out), "// mine\n"...)
	if again, err := registerPlugin(edited, Own, e); err != nil || !bytes.Equal(again.Out, res.Out) {
		t.Errorf("an edited plugin: %v", err)
	}
	if out, err := removePlugin(edited, Own); out != nil || err != nil {
		t.Errorf("remove: %q %v", out, err)
	}
	foreign := []byte("export const Mine = async () => ({})\n")
	if _, err := registerPlugin(foreign, Own, e); !errors.Is(err, ErrForeignPlugin) {
		t.Errorf("foreign: %v", err)
	}
	if out, err := removePlugin(foreign, Own); !bytes.Equal(out, foreign) || err != nil {
		t.Errorf("foreign: %q %v", out, err)
	}
	if _, err := registerPlugin(nil, Own, []Entry{{Command: "/h/other"}}); err == nil {
		t.Error("another program was written")
	}
}

func FuzzFlat(f *testing.F) {
	for _, s := range []string{"", "{}", `{"version":1,"hooks":{"stop":[{"command":"hookctl gate","args":[]},]}}`, `{"hooks":{"Stop":[{"bash":"hookctl gate"} // x` + "\n]}}", BOM} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, entries := range [][]Entry{cursorEntries(), copilotEntries()} {
			res, err := registerFlat(src, Own, entries)
			if err != nil {
				return
			}
			again, err := registerFlat(res.Out, Own, entries)
			if err != nil || !bytes.Equal(again.Out, res.Out) {
				t.Fatalf("second Register: %v\n%s\n->\n%s", err, res.Out, again.Out)
			}
			out, err := removeFlat(res.Out, Own)
			if err != nil {
				t.Fatalf("Remove: %v\n%s", err, res.Out)
			}
			if _, err := hujson.Parse(append(bytes.Clone(bytes.TrimPrefix(out, []byte(BOM))), '\n')); err != nil {
				t.Fatalf("after Remove: %v\n%s", err, out)
			}
			if found, err := listFlat(out, Own); err != nil {
				t.Fatal(err)
			} else {
				for _, r := range found {
					if r.Own {
						t.Fatalf("still there: %s", out)
					}
				}
			}
		}
	})
}

func FuzzPlugin(f *testing.F) {
	res, _ := registerPlugin(nil, Own, []Entry{{Command: "hookctl"}})
	f.Add(res.Out)
	f.Fuzz(func(t *testing.T, src []byte) {
		_, _ = listPlugin(src, Own)
		if out, err := removePlugin(src, Own); err != nil || out != nil && !bytes.Equal(out, src) {
			t.Errorf("%q %v", out, err)
		}
	})
}
