//go:build unix

package live

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/live/model"
)

var (
	measure = flag.Bool("measure", false, "ask the agents of this machine how they read matchers")
	rewrite = flag.Bool("rewrite", false, "with -measure: write what they do into install/settings/testdata/matchers")
)

// table is one file of install/settings/testdata/matchers: for each matcher the
// tools for which a hook with it ran.
type table struct {
	Client string              `json:"client"`
	Agent  string              `json:"agent"`
	Event  string              `json:"event"`
	Tools  []string            `json:"tools"`
	Ran    map[string][]string `json:"ran"`
}

// TestMatchers asks each real agent anew what the tables say of it, all matchers of
// a table in one run. An agent that is not on this machine is passed over.
//
//	go test ./live -run TestMatchers -measure [-rewrite]
func TestMatchers(t *testing.T) {
	if !*measure {
		t.Skip("-measure is not set")
	}
	files, err := filepath.Glob("../install/settings/testdata/matchers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var m table
			if err := json.Unmarshal(raw, &m); err != nil {
				t.Fatal(err)
			}
			got := measured(t, m, filepath.Base(file) == "copilot.json")
			for _, matcher := range slices.Sorted(maps.Keys(m.Ran)) {
				if !slices.Equal(m.Ran[matcher], got.Ran[matcher]) {
					t.Errorf("%s: matcher %q ran for %v, the table says %v", got.Client, matcher, got.Ran[matcher], m.Ran[matcher])
				}
			}
			if *rewrite {
				if err := os.WriteFile(file, got.text(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// text has one line a matcher.
func (m table) text() []byte {
	j := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // strings only
		}
		return strings.ReplaceAll(string(b), `","`, `", "`)
	}
	var rows []string
	for _, matcher := range slices.Sorted(maps.Keys(m.Ran)) {
		rows = append(rows, fmt.Sprintf("    %s: %s", j(matcher), j(m.Ran[matcher])))
	}
	return fmt.Appendf(nil, "{\n  \"client\": %s,\n  \"agent\": %s,\n  \"event\": %s,\n  \"tools\": %s,\n  \"ran\": {\n%s\n  }\n}\n",
		j(m.Client), j(m.Agent), j(m.Event), j(m.Tools), strings.Join(rows, ",\n"))
}

// measured runs the agent of a table once. flat is Copilot's own form of settings.
func measured(t *testing.T, m table, flat bool) table {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Hookctl: self, Getenv: os.Getenv, User: os.Getenv("HOME"), Limit: 3 * time.Minute}
	program := find(o, m.Agent)
	if program == "" {
		t.Skip("there is no " + m.Agent + " on this machine")
	}
	b, err := newBench(o, byName(m.Agent), program)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	marks := below(b.root, "marks")
	if err := os.MkdirAll(marks, 0o700); err != nil {
		t.Fatal(err)
	}
	matchers := slices.Sorted(maps.Keys(m.Ran))
	// The last hook has no matcher: it says which tools were called.
	mark := func(i int) string { return fmt.Sprintf("{ cat; echo; } >> '%s'", below(marks, fmt.Sprint(i))) }
	if err := b.register(m.Event, matchers, mark, flat); err != nil {
		t.Fatal(err)
	}
	got := table{Client: m.Client, Agent: m.Agent, Event: m.Event, Ran: map[string][]string{}}
	if v, err := b.version(t.Context()); err == nil && !strings.Contains(m.Client, v) {
		got.Client = m.Agent + " " + v
	}
	path := below(b.project, canary)
	turns := []model.Turn{{Calls: []model.Call{b.read(path)}}, {Calls: []model.Call{b.change(path, before, "after")}}}
	if w, ok := write(m.Agent, below(b.project, "new.txt")); ok {
		turns = append(turns, model.Turn{Calls: []model.Call{w}})
	}
	turns = append(turns, model.Turn{Calls: []model.Call{b.shell("echo x")}}, model.Turn{Text: "All is done."})
	r, err := b.prompt(t.Context(), turns...)
	if err := cmp.Or(err, r.err); err != nil {
		t.Fatalf("%v: %s", err, lastLines([]byte(r.output)))
	}
	got.Tools = called(t, below(marks, fmt.Sprint(len(matchers))))
	if len(got.Tools) == 0 {
		t.Fatalf("no hook ran at all: %s", lastLines([]byte(r.output)))
	}
	for i, matcher := range matchers {
		got.Ran[matcher] = called(t, below(marks, fmt.Sprint(i)))
	}
	return got
}

// write is the call that makes a new file, where the agent has a tool for it.
func write(agent, path string) (model.Call, bool) {
	switch agent {
	case "claude":
		return model.Call{Name: "Write", Input: in{"file_path": path, "content": "x\n"}}, true
	case "gemini", "qwen":
		return model.Call{Name: "write_file", Input: in{"file_path": path, "content": "x\n"}}, true
	case "copilot":
		return model.Call{Name: "create", Input: in{"path": path, "file_text": "x\n"}}, true
	}
	return model.Call{}, false
}

// called are the tools of which a hook was told, each once, in order.
func called(t *testing.T, mark string) []string {
	t.Helper()
	raw, err := os.ReadFile(mark)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	names := []string{}
	for line := range strings.Lines(string(raw)) {
		var p struct {
			A string `json:"tool_name"`
			B string `json:"toolName"`
		}
		if json.Unmarshal([]byte(line), &p) == nil && p.A+p.B != "" && !slices.Contains(names, p.A+p.B) {
			names = append(names, p.A+p.B)
		}
	}
	return names
}

// register writes one hook for each matcher, and one without.
func (b *bench) register(event string, matchers []string, mark func(int) string, flat bool) error {
	var hooks []any
	for i := 0; i <= len(matchers); i++ {
		group := in{"hooks": []any{in{"type": "command", "command": mark(i)}}}
		if flat {
			group = in{"type": "command", "bash": mark(i)}
		}
		if i < len(matchers) {
			group["matcher"] = matchers[i]
		}
		hooks = append(hooks, group)
	}
	name := map[string]string{
		"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json",
		"qwen": ".qwen/settings.json", "copilot": ".copilot/hooks/matchers.json",
	}[b.name]
	all := in{}
	if raw, err := os.ReadFile(below(b.home, name)); err == nil {
		if err := json.Unmarshal(raw, &all); err != nil {
			return err
		}
	}
	if b.name == "copilot" {
		all["version"] = 1
	}
	all["hooks"] = in{event: hooks}
	return put(below(b.home, name), text(all))
}
