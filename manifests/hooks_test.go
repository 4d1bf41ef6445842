package manifests

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const hookBundle = `schema: 1
name: team
hooks:
  - id: no-todo
    file: hooks/no-todo.sh
    run: [node, --no-warnings]
    events: [stop, pre-tool]
    tools: [Bash, Edit]
    mode: enforce
    timeout: 3s
    failure: closed
    exit: {0: allow, 1: block, 4: ask}
`

func TestParseHooks(t *testing.T) {
	b, err := ParseBundle([]byte(hookBundle))
	if err != nil {
		t.Fatal(err)
	}
	h := b.Hooks[0]
	if h.ID != "no-todo" || h.Run[1] != "--no-warnings" || h.Timeout != 3*time.Second || h.Failure != "closed" || h.Exit[4] != "ask" || h.Exit[1] != "block" || len(h.Tools) != 2 {
		t.Errorf("%+v", h)
	}
	for name, tt := range map[string]struct{ from, to, want string }{
		"upper case":           {"id: no-todo", "id: No-Todo", `hooks[0].id: "No-Todo", want lower-case`},
		"no id":                {"id: no-todo", `id: ""`, `hooks[0].id: ""`},
		"all":                  {"id: no-todo", "id: all", "hooks[0].id"},
		"a bracket":            {"id: no-todo", "id: 'a]b'", "hooks[0].id"},
		"twice":                {"    file:", "    file: hooks/x\n    events: [stop]\n    mode: off\n  - id: no-todo\n    file:", "hooks[1].id"},
		"no file":              {"file: hooks/no-todo.sh", "file: ''", "hooks[0].file"},
		"outside":              {"file: hooks/no-todo.sh", "file: /bin/sh", "hooks[0].file"},
		"led out":              {"file: hooks/no-todo.sh", "file: hooks/../x", "hooks[0].file"},
		"the folder":           {"file: hooks/no-todo.sh", "file: hooks/", "hooks[0].file"},
		"of Windows":           {"file: hooks/no-todo.sh", `file: 'hooks/a\..\..\x'`, "hooks[0].file"},
		"an empty word":        {"run: [node, --no-warnings]", "run: ['']", "hooks[0].run[0]"},
		"a relative program":   {"run: [node, --no-warnings]", "run: [bin/node]", "hooks[0].run[0]"},
		"no events":            {"events: [stop, pre-tool]", "events: []", "hooks[0].events: none"},
		"an event not wired":   {"events: [stop, pre-tool]", "events: [prompt, pre-tool]", `hooks[0].events[0]: "prompt", want one of`},
		"tools without a call": {"events: [stop, pre-tool]", "events: [stop]", "hooks[0].tools"},
		"an empty tool":        {"tools: [Bash, Edit]", "tools: [Bash, '']", "hooks[0].tools[1]"},
		"no mode":              {"    mode: enforce\n", "", `hooks[0].mode: "", want one of`},
		"too long":             {"timeout: 3s", "timeout: 10.1s", "hooks[0].timeout"},
		"before it begins":     {"timeout: 3s", "timeout: -1s", "hooks[0].timeout"},
		"no time":              {"timeout: 3s", "timeout: soon", "hookctl.yaml"},
		"direction":            {"failure: closed", "failure: sideways", "hooks[0].failure"},
		"no code allows":       {"{0: allow, 1: block, 4: ask}", "{1: block}", "hooks[0].exit: no exit code allows"},
		"no code":              {"{0: allow, 1: block, 4: ask}", "{0: allow, 256: block}", "hooks[0].exit.256"},
		"no decision":          {"{0: allow, 1: block, 4: ask}", "{0: allow, 1: fail}", "hooks[0].exit.1"},
		"asks at a stop":       {"events: [stop, pre-tool]\n    tools: [Bash, Edit]", "events: [stop]", "hooks[0].exit.4: ask"},
		"unknown key":          {"mode: enforce", "mode: enforce\n    matcher: Bash", `unknown field "matcher"`},
		"no list":              {"hooks:\n  - id", "hooks:\n    id", "hookctl.yaml"},
	} {
		text := strings.Replace(hookBundle, tt.from, tt.to, 1)
		if text == hookBundle {
			t.Fatalf("%s: nothing was changed", name)
		}
		_, err := ParseBundle([]byte(text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "hookctl.yaml") {
			t.Errorf("%s: error %v, want the file and %q", name, err, tt.want)
		}
	}
	many := "schema: 1\nname: x\nhooks:\n"
	for i := range maxHooks + 1 {
		many += fmt.Sprintf("  - {id: h%d, file: hooks/x, events: [stop], mode: warn}\n", i)
	}
	if _, err := ParseBundle([]byte(many)); err == nil || !strings.Contains(err.Error(), "hooks: 17, want at most 16") {
		t.Errorf("many: %v", err)
	}
}

// The block cases of a hook wait while it blocks nothing, as a gate's do.
func TestCasesOfHooks(t *testing.T) {
	for mode, want := range map[string]int{"enforce": 2, "warn": 1, "off": 1} {
		for _, extends := range []string{"", "extends: embedded\n"} {
			text := strings.Replace(extends+hookBundle, "mode: enforce", "mode: "+mode, 1)
			cases, err := Cases(fstest.MapFS{
				"hookctl.yaml":                {Data: []byte(text)},
				"cases/no-todo/allow/a.md":    {Data: []byte("done")},
				"cases/no-todo/block/b.json":  {Data: []byte("{}")},
				"gates/scope-check.yaml.orig": {Data: []byte("no gate")},
			})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, c := range cases {
				if c.Gate == "no-todo" {
					n++
				}
			}
			if n != want {
				t.Errorf("%s, %q: %d cases, want %d", mode, extends, n, want)
			}
		}
	}
}

func FuzzParseBundle(f *testing.F) {
	f.Add([]byte(hookBundle))
	f.Add([]byte("schema: 1\nhooks: [{exit: {a: b}}]\n"))
	f.Add([]byte("schema: 1\nhooks:\n  - A: .\n\n    events: !00\n000000000000000000\n    B: 0\n00000008: 000000000000")) // the library panics
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ParseBundle(b)
		if err != nil {
			return
		}
		for _, h := range v.Hooks {
			if !strings.HasPrefix(h.File, "hooks/") || strings.Contains(h.File, "..") && strings.Contains(h.File, "/../") || h.Timeout > maxHookTimeout || len(h.Events) == 0 {
				t.Errorf("accepted %+v", h)
			}
		}
	})
}
