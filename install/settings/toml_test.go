package settings

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

// codexEntries are entries as they are registered with Codex.
func codexEntries(command string) []Entry {
	return []Entry{{Event: "Stop", Command: command, Timeout: 30}, {Event: "PreToolUse", Command: command, Timeout: 30}}
}

const oneBlock = `[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "/h/hookctl gate"
timeout = 30
`

func TestRegisterTOML(t *testing.T) {
	stop := []Entry{{Event: "Stop", Command: "/h/hookctl gate", Timeout: 30}}
	for name, tt := range map[string]struct{ src, want string }{
		"empty":        {"", oneBlock},
		"other tables": {"# my\nmodel = \"m\" # x\n\n[projects.'C:\\Users\\T U\\app']\ntrust_level = \"trusted\"\n", "# my\nmodel = \"m\" # x\n\n[projects.'C:\\Users\\T U\\app']\ntrust_level = \"trusted\"\n\n" + oneBlock},
		"no line end":  {"a = 1", "a = 1\n\n" + strings.TrimSuffix(oneBlock, "\n")},
		"crlf":         {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(oneBlock, "\n", "\r\n")},
		"bom":          {BOM + "a = 1\n", BOM + "a = 1\n\n" + oneBlock},
		"others stay before": {
			"[[hooks.Stop]]\nmatcher = \"x\"\n  [[hooks.Stop.hooks]] # mine\n  type = \"command\"\n  command = 'say'\n\n[hooks.state.\"a:stop:0:0\"]\ntrusted_hash = \"sha256:x\"\n",
			"[[hooks.Stop]]\nmatcher = \"x\"\n  [[hooks.Stop.hooks]] # mine\n  type = \"command\"\n  command = 'say'\n\n[hooks.state.\"a:stop:0:0\"]\ntrusted_hash = \"sha256:x\"\n\n" + oneBlock,
		},
		"changed in place": {
			"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = '/old/hookctl gate' # here\nasync = true\ntype = \"command\"\n[x]\n",
			"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"/h/hookctl gate\" # here\ntype = \"command\"\ntimeout = 30\n[x]\n",
		},
		"surplus goes": {
			oneBlock + "\n" + oneBlock, oneBlock,
		},
		"a matcher of ours goes": {
			"[[hooks.Stop]]\nmatcher = \"Edit\"\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"/h/hookctl gate\"\ntimeout = 30\n", oneBlock,
		},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := registerTOML([]byte(tt.src), Own, stop)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, strings.TrimPrefix(string(res.Out), "\n")); d != "" {
				t.Errorf("%s", d)
			}
			again, err := registerTOML(res.Out, Own, stop)
			if err != nil || string(again.Out) != string(res.Out) {
				t.Errorf("a second time: %v\n%s", err, again.Out)
			}
		})
	}
}

func TestRegisterTOMLRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		src     string
		mention string
	}{
		"cut":            {"a = [1,\n", "line"},
		"twice":          {"a = 1\na = 2\n", "already defined"},
		"inline event":   {"[hooks]\nStop = []\n", "hooks.Stop"},
		"inline hooks":   {"\nhooks = { Stop = [] }\n", "line 2"},
		"dotted":         {"hooks.Stop = []\n", "hooks.Stop"},
		"ours is inline": {"[[hooks.Stop]]\nhooks = [ { type = 'command', command = 'hookctl gate' } ]\n", "line 2"},
		"deep":           {"a = " + strings.Repeat("[", 1<<20), ""},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := registerTOML([]byte(tt.src), Own, codexEntries("/h/hookctl gate"))
			if err == nil || !strings.Contains(err.Error(), tt.mention) || len(err.Error()) > 500 {
				t.Errorf("%v, want %q\n%s", err, tt.mention, res.Out)
			}
		})
	}
	_, err := removeTOML([]byte("[hooks]\nStop = [{hooks=[{command='hookctl gate'}]}]\n"), Own)
	if !errors.As(err, new(*InlineError)) {
		t.Errorf("remove: %v", err)
	}
	if out, err := removeTOML([]byte("[hooks]\nStop = []\n"), Own); err != nil || string(out) != "[hooks]\nStop = []\n" {
		t.Errorf("nothing to remove: %v %q", err, out)
	}
}

func TestRemoveTOML(t *testing.T) {
	for name, tt := range map[string]struct{ src, want string }{
		"comments stay": {
			"a = 1\n\n# before\n[[hooks.Stop]] # group\n# between\n[[hooks.Stop.hooks]]\ncommand = \"hookctl gate\" # why\n# after\n[b]\n",
			"a = 1\n\n# before\n# group\n# between\n# why\n# after\n[b]\n",
		},
		"beside another": {
			"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'say'\n[[hooks.Stop.hooks]]\ncommand = 'hookctl gate'\n[[hooks.Stop.hooks]]\ncommand = 'sing'\n",
			"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = 'say'\n[[hooks.Stop.hooks]]\ncommand = 'sing'\n",
		},
		"all":      {oneBlock, ""},
		"trust":    {oneBlock + "\n[hooks.state.x]\ntrusted_hash = \"y\"\n", "\n[hooks.state.x]\ntrusted_hash = \"y\"\n"},
		"in lines": {"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\nargs = [\n 1,\n]\ncommand = \"\"\"\nhookctl gate\"\"\"\nb=1\n[c]", "[c]"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := removeTOML([]byte(tt.src), Own)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(got)); d != "" || got == nil {
				t.Errorf("%s", d)
			}
		})
	}
}

// TestListTOML: every form is seen, each with its place.
func TestListTOML(t *testing.T) {
	found, err := listTOML([]byte("[[hooks.Stop]]\nmatcher='x'\n[[hooks.Stop.hooks]]\ntype='command'\ncommand='say'\ntimeout=1.5\n[[hooks.Stop.hooks]]\ncommand='hookctl gate'\n[hooks]\nPreToolUse=[{hooks=[{command='sing'}]}]\n"), Own)
	if err != nil {
		t.Fatal(err)
	}
	want := []Registration{
		{Path: "hooks.Stop[0].hooks[0]", Line: 3, Offset: 27, Event: "Stop", Matcher: "x", Type: "command", Command: "say", Timeout: 1.5},
		{Path: "hooks.Stop[0].hooks[1]", Line: 7, Offset: 89, Event: "Stop", Matcher: "x", Command: "hookctl gate", Own: true},
		{Path: "hooks.PreToolUse", Line: 10, Event: "PreToolUse", Type: "command", Command: "sing"},
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

// tomlText draws a config.toml as people write it.
func tomlText(t *rapid.T) string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{
		"# a comment, [[hooks.Stop]]", "", "   ", "[[hooks.Stop]]\nmatcher = \"x\" # why\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'say done'",
		"[[hooks.Stop]]\n\n  [[hooks.Stop.hooks]]\n  command = \"\"\"\nhookctl\n gate\"\"\"", "[[hooks.PreToolUse]]\n# c\n[[ hooks . \"PreToolUse\" . hooks ]]\ncommand = 'it'\nstatusMessage = '''\n[[hooks.Stop]]'''",
		"[[mcp]]\nargs = [\n  'a', # [[hooks.Stop]]\n]", "[[hooks.Stop]]\nhooks = [ { command = 'inline' } ]", "[[hooks.SessionEnd]]",
	}), 0, 6).Draw(t, "parts")
	src := rapid.SampledFrom([]string{"", "model = \"m\"\n", "# 表は「’é—」\nmodel = 'm' # x\n\n", "[projects.'C:\\U']\ntrust_level = \"trusted\"\n"}).Draw(t, "head")
	src += strings.Join(parts, "\n")
	if rapid.Bool().Draw(t, "end") {
		src += "\n[hooks.state.\"/h/config.toml:stop:0:0\"]\ntrusted_hash = \"sha256:0\"\n"
	}
	return strings.ReplaceAll(src, "\n", eol)
}

// TestTOMLProperties: idempotent, what others wrote stays byte for byte and in
// order, valid, and taken away again without a trace.
func TestTOMLProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := tomlText(t)
		if toml.Unmarshal([]byte(src), new(map[string]any)) != nil {
			t.Skip("not TOML")
		}
		entries := codexEntries(CommandLine(rapid.SampledFrom([]string{"/h/hookctl", "/a b/hookctl", `C:\x"y\hookctl.exe`}).Draw(t, "bin")))
		res, err := registerTOML([]byte(src), Own, entries)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if !strings.HasPrefix(string(res.Out), src) {
			t.Fatalf("what was there has changed:\n%s\n---\n%s", src, res.Out)
		}
		if err := toml.Unmarshal(res.Out, new(map[string]any)); err != nil {
			t.Fatalf("%v\n%s", err, res.Out)
		}
		again, err := registerTOML(res.Out, Own, entries)
		if err != nil || string(again.Out) != string(res.Out) {
			t.Fatalf("a second time: %v\n%s", err, again.Out)
		}
		found, err := listTOML(res.Out, Own)
		own := 0
		for _, r := range found {
			if r.Own {
				own++
			}
		}
		if err != nil || own != len(entries) {
			t.Fatalf("%d own entries, %v\n%s", own, err, res.Out)
		}
		back, err := removeTOML(res.Out, Own)
		if err != nil || string(back) != src {
			t.Fatalf("taken away: %v\n%q\nwant\n%q", err, back, src)
		}
	})
}

func FuzzTOML(f *testing.F) {
	f.Add(oneBlock)
	f.Add("[hooks]\nStop = [{hooks=[{command='hookctl gate'}]}]\n")
	f.Add("[[hooks.Stop]]\r\n[[hooks.Stop.hooks]]\r\ncommand=\"hookctl gate\" # x")
	f.Add("[[hooks.Stop]]\n[hooks.Stop.hooks]\ncommand='x'\n[[hooks.Stop.hooks.y]]")
	f.Fuzz(func(t *testing.T, src string) {
		res, err := registerTOML([]byte(src), Own, codexEntries("/h/hookctl gate"))
		if err != nil {
			return
		}
		if _, err := parseTOML(res.Out[len(res.Out)-len(strings.TrimPrefix(string(res.Out), BOM)):]); err != nil {
			t.Fatalf("made invalid: %v\n%q\n%q", err, src, res.Out)
		}
		again, err := registerTOML(res.Out, Own, codexEntries("/h/hookctl gate"))
		if err != nil || string(again.Out) != string(res.Out) {
			t.Fatalf("not idempotent: %v\n%q\n%q", err, res.Out, again.Out)
		}
		back, err := removeTOML(res.Out, Own)
		if err != nil {
			return
		}
		if found, err := listTOML(back, Own); err != nil {
			t.Fatalf("removal made it invalid: %v\n%q", err, back)
		} else {
			for _, r := range found {
				if r.Own {
					t.Fatalf("still there: %q", back)
				}
			}
		}
	})
}
