package bundle

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agenthooks/hookctl/gate"
)

// hookFS is tidyFS with two hooks.
func hookFS() fstest.MapFS {
	fsys := tidyFS()
	fsys["hookctl.yaml"] = &fstest.MapFile{Data: []byte(`schema: 1
name: team
floor: {gates: [no-todo]}
hooks:
  - {id: no-todo, file: hooks/no-todo.sh, events: [stop], mode: enforce}
  - {id: lint, file: hooks/lib/lint.mjs, run: [node], events: [post-tool], tools: [Edit], mode: warn, timeout: 2s, failure: open, exit: {0: allow, 1: block}}
`)}
	fsys["hooks/no-todo.sh"] = &fstest.MapFile{Data: []byte("#!/bin/sh\n"), Mode: 0o755}
	fsys["hooks/lib/lint.mjs"] = &fstest.MapFile{Data: []byte("// none\n")}
	for _, name := range []string{"no-todo/allow/a.md", "no-todo/block/b.md", "lint/allow/a.json", "lint/block/b.json"} {
		fsys["cases/"+name] = &fstest.MapFile{Data: []byte("{}\n")}
	}
	return fsys
}

func TestCompileHooks(t *testing.T) {
	fsys := hookFS()
	r, err := Compile(fsys, "", "", 3)
	if err != nil {
		t.Fatal(err)
	}
	if r.Schema != gate.HooksSchema || !slices.Equal(r.Wakes, []string{"post-tool Edit", "stop"}) {
		t.Errorf("schema %d, wakes %q", r.Schema, r.Wakes)
	}
	if len(r.Files) != 2 || r.Files["hooks/lib/lint.mjs"] != sum([]byte("// none\n")) {
		t.Errorf("files %v", r.Files)
	}
	first, second := r.Hooks[0], r.Hooks[1]
	if first.Timeout != gate.HookTimeout || first.Failure != gate.FailAsk || first.Exit[2] != "block" || first.Exit[0] != "allow" || len(first.Exit) != 2 {
		t.Errorf("the defaults: %+v", first)
	}
	if second.Failure != gate.FailOpen || second.Exit[1] != "block" || second.Exit[2] != "" || second.Mode != gate.Warn {
		t.Errorf("%+v", second)
	}
	one, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := gate.DecodeRules(one); err != nil || len(got.Hooks) != 2 {
		t.Errorf("%v, %+v", err, got)
	}
	again, err := Compile(fsys, "", "", 3)
	if err != nil {
		t.Fatal(err)
	}
	if two, _ := again.Encode(); string(one) != string(two) {
		t.Error("the same bundle gives other bytes")
	}
	fsys["hooks/lib/lint.mjs"].Data = []byte("// other\n")
	if other, err := Compile(fsys, "", "", 3); err != nil || other.Files["hooks/lib/lint.mjs"] == r.Files["hooks/lib/lint.mjs"] {
		t.Errorf("another neighbour has the same digest, %v", err)
	}
	// Undeclared files make no rules of the newer schema: an older hookctl may run
	// them.
	fsys["hookctl.yaml"].Data = []byte("schema: 1\nname: team\n")
	if r, err := Compile(fsys, "", "", 3); err != nil || r.Schema != gate.RulesSchema || r.Files != nil {
		t.Errorf("no hooks: %+v, %v", r, err)
	}
}

func TestCompileHooksRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"no such file":    {func(f fstest.MapFS) { delete(f, "hooks/no-todo.sh") }, "hookctl.yaml: hooks[0].file: there is no file hooks/no-todo.sh"},
		"no hooks/":       {func(f fstest.MapFS) { delete(f, "hooks/no-todo.sh"); delete(f, "hooks/lib/lint.mjs") }, "hooks[1].file: there is no file hooks/lib/lint.mjs"},
		"not executable":  {func(f fstest.MapFS) { f["hooks/no-todo.sh"].Mode = 0o644 }, "hookctl.yaml: hooks[0].file: hooks/no-todo.sh is not executable"},
		"a gate's id":     {func(f fstest.MapFS) { replace(f, "id: lint", "id: talk") }, `hookctl.yaml: hooks[1].id: there is a gate "talk"`},
		"a link":          {func(f fstest.MapFS) { f["hooks/link"] = &fstest.MapFile{Mode: fs.ModeSymlink | 0o777} }, "hooks/link is a symbolic link, not a file"},
		"below the floor": {func(f fstest.MapFS) { replace(f, "mode: enforce", "mode: off") }, "the floor demands gate no-todo"},
	} {
		fsys := hookFS()
		tt.change(fsys)
		if _, err := Compile(fsys, "", "", 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if found := Lint(fsys, lines); len(found) == 0 || found[0].Rule != "refused" {
			t.Errorf("%s: lint says %+v", name, found)
		}
	}
	// What Windows starts by its name needs no mode.
	fsys := hookFS()
	replace(fsys, "hooks/no-todo.sh", "hooks/no-todo.CMD")
	fsys["hooks/no-todo.CMD"] = &fstest.MapFile{Data: []byte("@exit 0\r\n")}
	if _, err := Compile(fsys, "", "", 1); err != nil {
		t.Error(err)
	}
}

func replace(f fstest.MapFS, from, to string) {
	f["hookctl.yaml"].Data = []byte(strings.Replace(string(f["hookctl.yaml"].Data), from, to, 1))
}

func TestLintHooks(t *testing.T) {
	if found := Lint(hookFS(), lines); len(found) > 0 {
		t.Fatalf("the tidy one: %+v", found)
	}
	for name, tt := range map[string]struct {
		change func(fstest.MapFS)
		want   Finding
	}{
		"no allow case": {func(f fstest.MapFS) { delete(f, "cases/no-todo/allow/a.md") }, Finding{File: Manifest, Line: 5, Rule: "one-side"}},
		"no block case": {func(f fstest.MapFS) { delete(f, "cases/lint/block/b.json") }, Finding{File: Manifest, Line: 6, Rule: "one-side"}},
		"a message": {
			func(f fstest.MapFS) { f["cases/lint/block/c.md"] = &fstest.MapFile{Data: []byte("x")} },
			Finding{File: "cases/lint/block/c.md", Rule: "case-event"},
		},
		"CRLF": {func(f fstest.MapFS) { f["hooks/no-todo.sh"].Data = []byte("#!/bin/sh\r\n") }, Finding{File: "hooks/no-todo.sh", Line: 1, Rule: "refused"}},
		"no hook": {func(f fstest.MapFS) {
			f["hookctl.yaml"].Data = []byte("schema: 1\nname: team\n")
			for name := range f {
				if strings.HasPrefix(name, "cases/no-todo/") || strings.HasPrefix(name, "cases/lint/") || name == "hooks/lib/lint.mjs" {
					delete(f, name)
				}
			}
		}, Finding{File: "hooks/no-todo.sh", Rule: "hook-idle"}},
	} {
		fsys := hookFS()
		tt.change(fsys)
		found := Lint(fsys, lines)
		for i := range found {
			found[i].Message = ""
		}
		if len(found) != 1 || found[0] != tt.want {
			t.Errorf("%s: %+v, want %+v", name, found, tt.want)
		}
	}
	off := hookFS()
	replace(off, "floor: {gates: [no-todo]}\n", "")
	replace(off, "mode: enforce", "mode: off")
	delete(off, "cases/no-todo/allow/a.md")
	delete(off, "cases/no-todo/block/b.md")
	if found := Lint(off, lines); len(found) > 0 {
		t.Errorf("a hook that is off: %+v", found)
	}
}
