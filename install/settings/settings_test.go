package settings

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
)

const ourCommand = "/home/dev/.hookctl/bin/hookctl gate"

var entries = []Entry{
	{Event: "Stop", Command: ourCommand, Timeout: 30},
	{Event: "PreToolUse", Command: ourCommand, Timeout: 30},
}

func register(t testing.TB, src string) string {
	t.Helper()
	res, err := Register([]byte(src), Own, entries)
	if err != nil {
		t.Fatalf("Register(%q): %v", src, err)
	}
	return string(res.Out)
}

func remove(t testing.TB, src string) string {
	t.Helper()
	out, err := Remove([]byte(src), Own)
	if err != nil {
		t.Fatalf("Remove(%q): %v", src, err)
	}
	return string(out)
}

// TestRegister compares whole files, before and after, in testdata/<name>.
func TestRegister(t *testing.T) {
	dirs, err := filepath.Glob("testdata/register/*")
	if err != nil || len(dirs) < 10 {
		t.Fatalf("testdata: %v %v", dirs, err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			before, err := os.ReadFile(filepath.Join(dir, "before.json"))
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join(dir, "after.json")
			got := register(t, string(before))
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("Register (-want +got):\n%s", d)
			}
			if again := register(t, got); again != got {
				t.Errorf("a second run changes the file:\n%s", Diff("settings.json", []byte(got), []byte(again)))
			}
			checkParses(t, string(before), got)
		})
	}
}

// checkParses wants standard JSON to stay standard JSON.
func checkParses(t testing.TB, before, after string) {
	t.Helper()
	if !json.Valid([]byte(after)) && json.Valid([]byte(before)) {
		t.Errorf("standard JSON became other than that:\n%s", after)
	}
	if _, err := hujson.Standardize(append([]byte(after), '\n')); err != nil {
		t.Errorf("does not parse: %v\n%s", err, after)
	}
}

func TestRegisterKeepsBytes(t *testing.T) {
	for _, src := range []string{
		`{ "cleanupPeriodDays": 12345678901234567890, "x": 1.0, "y": 1e3, "z": "\u0041\/", "hooks": {"Notification": []} }`,
		"{\n  // 27\" display, don't touch\n  \"env\": { \"GLOB\": \"*.{ts,}\", \"JQ\": \"[.a,]\" },\n  \"hooks\": { \"SessionEnd\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"echo ,}\" } ] } ], },\n}\n",
		`{"n":"表は「’é—」のまま"}`,
	} {
		got := register(t, src)
		if back := remove(t, got); back != src {
			t.Errorf("not the same after Register and Remove\n got %q\nwant %q\n via %q", back, src, got)
		}
	}
}

func TestRefused(t *testing.T) {
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for name, tt := range map[string]struct {
		src  string
		want string
		is   any
	}{
		"truncated":        {"{\n  \"model\": \"opus\",\n  \"hooks\": { \"Stop\": [ { \"hoo", "line 3, column", new(*SyntaxError)},
		"array":            {`["x"]`, "line 1: expected object, found array", new(*TypeError)},
		"hooks array":      {`{ "hooks": ["x"] }`, "line 1: hooks: expected object, found array", new(*TypeError)},
		"event object":     {"{\n\"hooks\": { \"Stop\": {} } }", "line 2: hooks.Stop: expected array, found object", new(*TypeError)},
		"duplicate hooks":  {`{ "hooks": {}, "hooks": {} }`, "duplicate", new(*DuplicateError)},
		"escaped":          {`{ "hooks": {}, "\u0068ooks": {} }`, "duplicate", new(*DuplicateError)},
		"duplicate event":  {`{ "hooks": {"Stop": [], "Stop": []} }`, "hooks.Stop: duplicate", new(*DuplicateError)},
		"duplicate inside": {`{ "hooks": {"Stop": [{"hooks":[], "hooks":[]}]} }`, "hooks.Stop[0].hooks: duplicate", new(*DuplicateError)},
		"deep":             {`{"x": ` + deep + `}`, "nested", new(*DepthError)},
		"single quotes":    {`{'hooks': {}}`, "line 1, column 2", new(*SyntaxError)},
		"two values":       {`{} {}`, "after top-level value", new(*SyntaxError)},
		"utf-16":           {"\xff\xfe{\x00}\x00", "line 1", new(*SyntaxError)},
		"long literal":     {`{"x": "` + strings.Repeat("\t", 5000) + `"}`, "invalid literal", new(*SyntaxError)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Register([]byte(tt.src), Own, entries)
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 200 {
				t.Fatalf("Register(%.60q): %v, want %q", tt.src, err, tt.want)
			}
			if !errors.As(err, tt.is) {
				t.Errorf("error is a %T, want %T", err, tt.is)
			}
		})
	}
	// A name that stands twice elsewhere is none of our business.
	register(t, `{"env": {"A": "1", "A": "2"}}`)
}

func TestBOM(t *testing.T) {
	res, err := Register([]byte(BOM+`{"a":1}`), Own, entries)
	if err != nil || !res.BOM || len(res.Notes) != 1 || res.Out[0] != '{' {
		t.Fatalf("Register: %+v, %v", res, err)
	}
	withBOM := BOM + string(res.Out)
	if got := remove(t, withBOM); got != BOM+`{"a":1}` {
		t.Errorf("Remove took the byte order mark or more: %q", got)
	}
}

func TestBlank(t *testing.T) {
	for _, src := range []string{"", "  \n", "\r\n", BOM} {
		got := register(t, src)
		if !json.Valid([]byte(got)) || !strings.HasPrefix(got, "{") || !strings.HasSuffix(got, "\n") {
			t.Errorf("Register(%q) = %q", src, got)
		}
	}
	if got := register(t, "\r\n"); strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\n") {
		t.Errorf("line ends: %q", got)
	}
}

func TestUpdateInPlace(t *testing.T) {
	ours := func(fields string) string {
		return `{"hooks":{"Stop":[{"hooks":[{"type":"command",` + fields + `},{"type":"command","command":"say done"}]}]}}`
	}
	stop := entries[:1]
	for name, tt := range map[string]struct{ src, want string }{
		"path":       {ours(`"command":"/old/hookctl gate","timeout":30`), ours(`"command":"` + ourCommand + `","timeout":30`)},
		"timeout":    {ours(`"command":"` + ourCommand + `","timeout":5`), ours(`"command":"` + ourCommand + `","timeout":30`)},
		"no timeout": {ours(`"command":"hookctl gate"`), ours(`"command":"` + ourCommand + `","timeout":30`)},
		"exec form":  {ours(`"command":"/x y/hookctl","args":["gate"],"timeout":30`), ours(`"command":"` + ourCommand + `","timeout":30`)},
		"async":      {ours(`"async":true,"command":"hookctl gate","timeout":30,"if":"Bash(x)"`), ours(`"command":"` + ourCommand + `","timeout":30`)},
		"kept":       {ours(`"statusMessage":"…","command":"hookctl gate","timeout":30`), ours(`"statusMessage":"…","command":"` + ourCommand + `","timeout":30`)},
		"twice": {
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookctl gate","timeout":30}]},{"hooks":[{"type":"command","command":"x"},{"type":"command","command":"hookctl gate","timeout":30}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"` + ourCommand + `","timeout":30}]},{"hooks":[{"type":"command","command":"x"}]}]}}`,
		},
		"matcher": {
			`{"hooks":{"Stop":[{"matcher":"Bash","hooks":[{"type":"command","command":"hookctl gate"}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"` + ourCommand + `","timeout":30}]}]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := Register([]byte(tt.src), Own, stop)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(res.Out)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	for name, tt := range map[string]struct{ src, want string }{
		"none":          {`{"hooks": {"Stop": []}}`, `{"hooks": {"Stop": []}}`},
		"blank":         {" \n", " \n"},
		"wrong types":   {`{"hooks": {"Stop": {}, "X": ["hookctl gate"]}}`, `{"hooks": {"Stop": {}, "X": ["hookctl gate"]}}`},
		"beside others": {`{ "hooks": { "Stop": [ {"hooks":[{"type":"command","command":"hookctl gate"},{"type":"command","command":"say done"}]} ], "PreToolUse": [ {"matcher":"Bash|Edit|Write","hooks":[{"type":"command","command":"hookctl gate"}]} ] }, "model": "opus" }`, `{ "hooks": { "Stop": [ {"hooks":[{"type":"command","command":"say done"}]} ] }, "model": "opus" }`},
		"all":           {`{"hooks":{"Stop":[{"hooks":[{"command":"hookctl gate"}]}]}}`, `{}`},
		"comment stays": {"{\"hooks\":{\"Stop\":[ // mine\n {\"hooks\":[{\"command\":\"hookctl gate\"}]}]}}", "{\"hooks\":{\"Stop\":[ // mine\n]}}"},
		"foreign empty": {`{"hooks":{"Stop":[{"hooks":[]},{"hooks":[{"command":"hookctl gate"}]}],"X":[]}}`, `{"hooks":{"Stop":[{"hooks":[]}],"X":[]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, remove(t, tt.src)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestOwn(t *testing.T) {
	for _, tt := range []struct {
		command string
		args    []string
		want    bool
	}{
		{"hookctl gate", nil, true},
		{"/a/b/hookctl gate --host claude", nil, true},
		{"'/a b/hookctl' gate", nil, true},
		{`"/a b/hookctl" gate`, nil, true},
		{`/a\ b/hookctl gate`, nil, true},
		{`"$HOME/.hookctl/bin/hookctl" gate`, nil, true},
		{`C:\Users\T\hookctl.exe gate`, nil, true},
		{`"C:\Users\T U\HOOKCTL.EXE" gate`, nil, true},
		{"hookctl gate>/dev/null", nil, true},
		{" hookctl gate\n", nil, true},
		{"hookctl gate || true", nil, true},
		{"'/a b/hookctl' gate --host claude || true", nil, true},
		{`& 'C:\Users\T U\hookctl.exe' gate; exit 0`, nil, true},
		{"hookctl gate || true && say done", nil, false},
		{"hookctl gate || say done", nil, false},
		{"hookctl gate || true || true", nil, false},
		{"hookctl gate ||true", nil, false},
		{"hookctl gate; say done", nil, false},
		{"hookctl gate | tee log", nil, false},
		{"hookctl gate &", nil, false},
		{"hookctl gate\nsay done", nil, false},
		{"& hookctl gate", nil, false},
		{"hookctl gate; exit 0", nil, false},
		{"& 'hookctl' gate; say done; exit 0", nil, false},
		{"true || hookctl gate", nil, false},
		{"/a b/hookctl", []string{"gate"}, true},
		{"hookctl", []string{"--json", "gate"}, true},
		{"hookctl", nil, false},
		{"hookctl sync", nil, false},
		{"hookctl explain gate", nil, false},
		{"hookctl; gate", nil, false},
		{"my-hookctl gate", nil, false},
		{"echo hookctl gate", nil, false},
		{"hookctl-old gate", nil, false},
		{"hookctl", []string{"sync"}, false},
		{"", nil, false},
		{"", []string{"gate"}, false},
	} {
		if got := Own(tt.command, tt.args); got != tt.want {
			t.Errorf("Own(%q, %q) = %v, want %v", tt.command, tt.args, got, tt.want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for path, want := range map[string]string{
		"/home/dev/.hookctl/bin/hookctl":   "/home/dev/.hookctl/bin/hookctl gate",
		"/home/a b/.hookctl/bin/hookctl":   "'/home/a b/.hookctl/bin/hookctl' gate",
		"/home/o'neil/.hookctl/hookctl":    `'/home/o'\''neil/.hookctl/hookctl' gate`,
		"/home/$x/hookctl":                 "'/home/$x/hookctl' gate",
		"/home/ü/.hookctl/bin/hookctl":     "/home/ü/.hookctl/bin/hookctl gate",
		"/tmp/ho`id`/.hookctl/bin/hookctl": "'/tmp/ho`id`/.hookctl/bin/hookctl' gate",
	} {
		got := CommandLine(path)
		if got != want {
			t.Errorf("CommandLine(%q) = %q, want %q", path, got, want)
		}
		if !Own(got, nil) {
			t.Errorf("Own(%q) = false for our own command line", got)
		}
	}
}
