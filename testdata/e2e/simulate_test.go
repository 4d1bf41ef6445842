package e2e

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/live/model"
	"github.com/agenthooks/hookctl/simulate"
	"github.com/agenthooks/hookctl/testdata/scenarios"
)

// What simulate says of the shipped scenarios is what the agent does: as many hook
// runs, as many completed tools, the same files at the end, and the hook's reason to
// the model where simulate tells of one.
func TestScenariosAreWhatTheAgentDoes(t *testing.T) {
	names, err := fs.Glob(scenarios.FS, "*.yaml")
	if err != nil || len(names) != 4 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			text, err := fs.ReadFile(scenarios.FS, name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := simulate.Parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t)
			said, err := simulate.Play(t.Context(), s, simulate.Options{Limit: time.Minute, Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			b.compare(s, said)
		})
	}
}

// compare lets the client do what a scenario asks for, with hooks that answer as the
// scenario's do, and compares what happened with what simulate said.
func (b *bench) compare(s simulate.Scenario, said simulate.Report) {
	t := b.t
	t.Helper()
	for name, content := range s.Files {
		write(t, filepath.Join(b.project, name), content)
	}
	hooks, tools := filepath.Join(b.home, "hooks.log"), filepath.Join(b.home, "tools.log")
	settings := b.wire(s, hooks, tools)
	b.sameBySettings(s, settings, said)
	if left := lines(t, hooks); len(left) > 0 { // simulate has run them for real
		if err := os.Remove(hooks); err != nil {
			t.Fatal(err)
		}
	}
	asked := b.run(b.turns(s))

	if got := len(lines(t, hooks)); got != said.Counts.HookRuns {
		t.Errorf("%d hook runs, simulate says %d: %q", got, said.Counts.HookRuns, lines(t, hooks))
	}
	// The client's own record of completed tools: the reads are not the scenario's.
	done := slices.DeleteFunc(lines(t, tools), func(l string) bool { return l == "Read" })
	if len(done) != said.Counts.ToolRuns {
		t.Errorf("%q completed, simulate says %d", done, said.Counts.ToolRuns)
	}
	for _, name := range slices.Sorted(maps.Keys(said.Files)) {
		if got := read(t, filepath.Join(b.project, name)); got != said.Files[name] {
			t.Errorf("%s holds %q, simulate says %q", name, got, said.Files[name])
		}
	}
	last := asked[len(asked)-1]
	heard := strings.Contains(last.News(model.Request{}), "release.txt is locked")
	if told := said.Counts.Prevented+said.Counts.Reported > 0; heard != told {
		t.Errorf("the model heard the reason: %v, simulate says %v", heard, told)
	}
}

// sameBySettings plays the scenario by the very settings that the client gets.
func (b *bench) sameBySettings(s simulate.Scenario, file string, said simulate.Report) {
	t := b.t
	t.Helper()
	w, err := simulate.Wire("claude", file, []byte(read(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	s.Registrations = slices.DeleteFunc(w.Registrations, func(r simulate.Registration) bool { return r.Matcher == "*" }) // the bench's own
	rep, err := simulate.Play(t.Context(), s, simulate.Options{Environ: os.Environ(), Limit: time.Minute, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Counts != said.Counts || !maps.Equal(rep.Files, said.Files) {
		t.Errorf("by the settings simulate says %+v %v, by the scenario %+v %v", rep.Counts, rep.Files, said.Counts, said.Files)
	}
}

// wire registers the scenario's hooks as programs, and one of the bench's own that
// writes down which tools were completed. It returns the settings file.
func (b *bench) wire(s simulate.Scenario, hooks, tools string) string {
	t := b.t
	t.Helper()
	type hook struct {
		Type    string `json:"type"`
		Command string `json:"command"`
	}
	type group struct {
		Matcher string `json:"matcher"`
		Hooks   []hook `json:"hooks"`
	}
	events := map[string][]group{}
	for _, r := range s.Registrations {
		event, answer := "PreToolUse", map[string]any{"hookSpecificOutput": map[string]any{
			"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": r.Callback.Reason,
		}}
		if r.Event == "post-tool" {
			event, answer = "PostToolUse", map[string]any{"decision": "block", "reason": r.Callback.Reason}
		}
		words, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(b.home, "guard.sh")
		body := "#!/bin/sh\ninput=$(cat)\necho ran >> " + hooks + "\n"
		if r.Callback.Answer == "deny" {
			for _, f := range r.Callback.Files {
				body += "case $input in *'\"file_path\":\"'*/" + f + "'\"'*) echo '" + string(words) + "' ;; esac\n"
			}
		}
		write(t, program, body)
		events[event] = append(events[event], group{r.Matcher, []hook{{"command", "sh " + program}}})
	}
	const note = `sed -n 's/.*"tool_name":"\([A-Za-z]*\)".*/\1/p'`
	events["PostToolUse"] = append(events["PostToolUse"], group{"*", []hook{{"command", note + " >> " + tools}}})
	settings, err := json.Marshal(map[string]any{"hooks": events})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(b.project, ".claude", "settings.json")
	write(t, file, string(settings))
	return file
}

// turns are what the model says: the client wants a file read before it is changed.
func (b *bench) turns(s simulate.Scenario) (all []model.Turn) {
	for _, r := range s.Requests {
		file := filepath.Join(b.project, r.File)
		all = append(all, call("Read", map[string]any{"file_path": file}))
		if r.Tool == "Edit" {
			all = append(all, call("Edit", map[string]any{"file_path": file, "old_string": r.Old, "new_string": r.New}))
			continue
		}
		all = append(all, call("Write", map[string]any{"file_path": file, "content": r.Content}))
	}
	return append(all, model.Turn{Text: "That is all."})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// lines are those of a file that need not be there.
func lines(t *testing.T, name string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}
