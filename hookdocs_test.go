package hookctl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// hookDocument makes the bundle that docs/hooks.md shows.
func hookDocument(t *testing.T) (dir string) {
	t.Helper()
	block := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)```(yaml|sh|js|json)\n(.*?)```").FindAllStringSubmatch(readFile(t, "docs/hooks.md"), -1) {
		if block[m[1]] != "" {
			t.Fatalf("docs/hooks.md shows two blocks of %s", m[1])
		}
		block[m[1]] = m[2]
	}
	dir = t.TempDir()
	for name, text := range map[string]string{
		"hookctl.yaml":                  block["yaml"],
		"hooks/no-todo.sh":              block["sh"],
		"hooks/no-curl.mjs":             block["js"],
		"cases/no-curl/block/pipe.json": block["json"],
		"cases/no-curl/allow/ls.json":   `{"hook_event_name":"PreToolUse","cwd":"${PROJECT}","tool_name":"Bash","tool_input":{"command":"ls curls"}}`,
		"cases/no-curl/allow/read.json": `{"hook_event_name":"PreToolUse","cwd":"${PROJECT}","tool_name":"Read","tool_input":{"command":"curl x"}}`,
		"cases/no-todo/block/left.md":   "The list is sorted. TODO: the map.\n",
		"cases/no-todo/allow/done.md":   "The list and the map are sorted.\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if filepath.Ext(name) == ".sh" {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What docs/hooks.md shows is a bundle in which lint finds nothing, and its hooks
// do what the page says.
func TestHookDocumentIsTrue(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the example without an interpreter is a shell script")
	}
	dir := hookDocument(t)
	for _, f := range bundle.Lint(os.DirFS(dir), func(string) (own, plain []string) { return nil, nil }) {
		t.Errorf("lint: %+v", f)
	}
	r, err := bundle.Compile(os.DirFS(dir), "", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := manifests.Cases(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	places := contract.Places{Home: t.TempDir(), Project: t.TempDir()}
	run := contract.InProcess(contract.Candidate{Rules: rules, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH")}}, places)
	for _, id := range []string{"no-todo", "no-curl"} {
		t.Run(id, func(t *testing.T) {
			if _, err := exec.LookPath("node"); err != nil && id == "no-curl" {
				t.Skip("there is no node on this machine: the Node example of docs/hooks.md is not run")
			}
			own := slices.DeleteFunc(slices.Clone(cases), func(c manifests.Case) bool { return c.Gate != id })
			rep := contract.Run(t.Context(), own, places, run)
			for _, f := range rep.Failures() {
				t.Errorf("%s: %s", f.Case.Name, f.Detail)
			}
			if rep.Passed < 2 {
				t.Errorf("only %d cases", rep.Passed)
			}
		})
	}
}
