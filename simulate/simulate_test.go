package simulate

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/testdata/scenarios"
)

func options() Options {
	return Options{Environ: os.Environ(), Limit: 20 * time.Second, Now: func() time.Time { return time.Unix(0, 0) }}
}

func mustPlay(t *testing.T, s Scenario, opt Options) Report {
	t.Helper()
	rep, err := Play(t.Context(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func shipped(t *testing.T, name string) Scenario {
	t.Helper()
	text, err := fs.ReadFile(scenarios.FS, name+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The numbers stand here a second time: a scenario that is changed together with its
// expectation would teach something else.
func TestShippedScenarios(t *testing.T) {
	for name, want := range map[string]struct {
		counts       Counts
		notes, locks string
	}{
		"pre-tool-edit-write":  {Counts{Attempts: 2, HookRuns: 2, ToolRuns: 1, Prevented: 1}, "reviewed", "locked"},
		"post-tool-edit-write": {Counts{Attempts: 2, HookRuns: 2, ToolRuns: 2, Reported: 1}, "reviewed", "open"},
		"matcher-edit":         {Counts{Attempts: 2, HookRuns: 1, ToolRuns: 2, Unseen: 1}, "reviewed", "open"},
		"no-decision":          {Counts{Attempts: 2, HookRuns: 2, ToolRuns: 2}, "reviewed", "open"},
	} {
		t.Run(name, func(t *testing.T) {
			rep := mustPlay(t, shipped(t, name), options())
			if rep.Counts != want.counts || rep.Files["notes.txt"] != want.notes || rep.Files["release.txt"] != want.locks {
				t.Errorf("counts %+v files %v, want %+v", rep.Counts, rep.Files, want)
			}
			if !rep.Expected || len(rep.Failed) > 0 {
				t.Errorf("expectations: %v", rep.Failed)
			}
			for _, s := range rep.Steps {
				if len(s.Later) > 0 {
					t.Errorf("a hook has changed %v", s.Later)
				}
			}
		})
	}
	names, err := fs.Glob(scenarios.FS, "*.yaml")
	if err != nil || len(names) != 4 {
		t.Errorf("scenarios %v: %v", names, err)
	}
}

// Not to be matched and to have nothing to say are two things, and so is who decided.
func TestNotMatchedIsNotNoDecision(t *testing.T) {
	unmatched := mustPlay(t, shipped(t, "matcher-edit"), options()).Steps[1]
	silent := mustPlay(t, shipped(t, "no-decision"), options()).Steps[1]
	if h := unmatched.Hooks[0]; h.Matched || h.Asked || h.Decision != "" || unmatched.Outcome != Unseen {
		t.Errorf("not matched: %+v %s", h, unmatched.Outcome)
	}
	if h := silent.Hooks[0]; !h.Matched || !h.Asked || h.Decision != None || silent.Outcome != LetThrough {
		t.Errorf("no decision: %+v %s", h, silent.Outcome)
	}
	for _, s := range []Step{unmatched, silent} {
		if s.By != "policy" || s.Decision != Allow || !s.Ran {
			t.Errorf("decided %s by %s, ran %v", s.Decision, s.By, s.Ran)
		}
	}
}

// The base policy decides where hooks do not, and a hook's yes is no key to what it
// forbids.
func TestBasePolicy(t *testing.T) {
	const yes = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`
	for _, c := range []struct {
		policy, person, callback string
		ran                      bool
		outcome, by              string
	}{
		{"allow", "", "none", true, LetThrough, "policy"},
		{"", "", "none", true, LetThrough, "policy"},
		{"deny", "", "none", false, Refused, "policy"},
		{"ask", "", "none", false, Asked, "policy"},
		{"ask", "agrees", "none", true, LetThrough, "policy"},
		{"allow", "", "deny", false, Prevented, "hook"},
		{"deny", "", "deny", false, Prevented, "hook"},
		{"allow", "", "ask", false, Asked, "hook"},
		{"allow", "agrees", "ask", true, LetThrough, "hook"},
		{"deny", "agrees", "ask", false, Refused, "policy"},
		{"ask", "", yes, true, LetThrough, "hook"},
		{"deny", "", yes, false, Refused, "policy"},
		{"allow", "", "fail", true, HookFailed, "policy"},
		{"deny", "", "fail", false, Refused, "policy"},
	} {
		cb := Callback{Answer: c.callback}
		if c.callback == yes {
			cb = Callback{Command: yes}
		}
		rep := mustPlay(t, Scenario{
			Policy: c.policy, Person: c.person,
			Registrations: []Registration{{Event: "pre-tool", Callback: cb}},
			Requests:      []Request{{Tool: "Write", File: "a", Content: "x"}},
		}, options())
		if s := rep.Steps[0]; s.Ran != c.ran || s.Outcome != c.outcome || s.By != c.by {
			t.Errorf("%+v: ran %v, %s, by %s (%+v)", c, s.Ran, s.Outcome, s.By, s.Hooks)
		}
	}
}

// The strictest hook decides, in whatever order they stand.
func TestStrictestHookDecides(t *testing.T) {
	for _, order := range [][]string{{"none", "ask", "deny"}, {"deny", "ask", "none"}, {"fail", "deny", "none"}} {
		s := Scenario{Requests: []Request{{Tool: "Write", File: "a", Content: "x"}}}
		for _, a := range order {
			s.Registrations = append(s.Registrations, Registration{Event: "pre-tool", Callback: Callback{Answer: a}})
		}
		rep := mustPlay(t, s, options())
		if rep.Counts.HookRuns != 3 || rep.Counts.Prevented != 1 || rep.Counts.ToolRuns != 0 {
			t.Errorf("%v: %+v", order, rep.Counts)
		}
	}
}

func TestToolsAct(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	rep := mustPlay(t, Scenario{
		Files: map[string]string{"a.txt": "one two", "gone.txt": "x", "p.txt": "l1\nl2\nl3\n", "~/h.txt": "home"},
		Requests: []Request{
			{Tool: "Edit", File: "a.txt", Old: "two", New: "three"},
			{Tool: "Write", File: "dir/new.txt", Content: "n"},
			{Tool: "Bash", Command: "rm gone.txt; echo $HOME >/dev/null; printf b > b.txt; printf h2 > ~/h.txt"},
			{Tool: "apply_patch", Patch: "*** Begin Patch\n*** Update File: p.txt\n@@\n l1\n-l2\n+L2\n l3\n*** Add File: q.txt\n+q\n*** Delete File: b.txt\n*** End Patch"},
			{Tool: "Bash", Command: "printf half > half.txt; exit 3"},
			{Tool: "Read", File: "a.txt"},
			{Tool: "Write", File: "a.txt/x", Content: "n"},
		},
	}, options())
	want := map[string]string{
		"a.txt": "one three", "dir/new.txt": "n", "p.txt": "l1\nL2\nl3\n", "q.txt": "q\n", "half.txt": "half", "~/h.txt": "h2",
	}
	if !maps.Equal(rep.Files, want) {
		t.Errorf("files %v, want %v", rep.Files, want)
	}
	if c := rep.Counts; c.Attempts != 7 || c.ToolRuns != 5 || c.ToolErrors != 2 {
		t.Errorf("counts %+v", c)
	}
	if s := rep.Steps[4]; s.Outcome != Unseen || s.ToolError != "exit code 3" || len(s.Effects) != 1 {
		t.Errorf("a command that fails after it has written: %+v", s)
	}
	if s := rep.Steps[6]; s.Outcome != ToolFailed {
		t.Errorf("a write that cannot be: %+v", s)
	}
}

// Claude Code looks whether an edit fits before it asks any hook.
func TestEditThatDoesNotFit(t *testing.T) {
	s := Scenario{
		Files:         map[string]string{"a": "x"},
		Registrations: []Registration{{Event: "pre-tool", Callback: Callback{Answer: "deny"}}},
		Requests:      []Request{{Tool: "Edit", File: "a", Old: "y", New: "z"}},
	}
	if rep := mustPlay(t, s, options()); rep.Counts != (Counts{Attempts: 1, ToolErrors: 1}) || rep.Steps[0].Outcome != ToolFailed {
		t.Errorf("claude: %+v", rep.Counts)
	}
	s.Agent = "qwen"
	if rep := mustPlay(t, s, options()); rep.Counts.HookRuns != 1 {
		t.Errorf("qwen: %+v", rep.Counts)
	}
}

// A tool that fails is reported as another event, which a hook on the first does not
// see.
func TestFailureIsAnEventOfItsOwn(t *testing.T) {
	s := Scenario{
		Registrations: []Registration{
			{Event: "PostToolUse", Callback: Callback{Answer: "deny"}},
			{Event: "PostToolUseFailure", Callback: Callback{Answer: "deny", Name: "failure"}},
		},
		Requests: []Request{{Tool: "Bash", Command: "printf x > x; exit 3"}},
	}
	step := mustPlay(t, s, options()).Steps[0]
	if len(step.Hooks) != 1 || step.Hooks[0].Callback != "failure" || step.Outcome != Reported {
		t.Errorf("%+v", step)
	}
}

func TestFilesStayInTheSandbox(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("safe"), 0o600); err != nil {
		t.Fatal(err)
	}
	rep := mustPlay(t, Scenario{Requests: []Request{
		{Tool: "Bash", Command: "ln -s " + outside + " link; ln -s / root"},
		{Tool: "Write", File: "link", Content: "broken"},
		{Tool: "Write", File: "root/tmp/hookctl-escaped", Content: "broken"},
		{Tool: "apply_patch", Patch: "*** Begin Patch\n*** Add File: ../escaped\n+x\n*** End Patch"},
		{Tool: "apply_patch", Patch: "*** Begin Patch\n*** Add File: " + outside + "\n+x\n*** End Patch"},
	}}, options())
	if b, err := os.ReadFile(outside); err != nil || string(b) != "safe" {
		t.Errorf("%q %v", b, err)
	}
	for _, s := range rep.Steps[1:] {
		if s.Outcome != ToolFailed {
			t.Errorf("%s: %s", s.Target, s.Outcome)
		}
	}
}

// Afresh gives every request the files of the start, also those that were made or
// taken away.
func TestAfresh(t *testing.T) {
	rep := mustPlay(t, Scenario{
		Afresh: true, Files: map[string]string{"a": "one"},
		Requests: []Request{
			{Tool: "Bash", Command: "rm a; mkdir d; chmod 500 d; touch new"},
			{Tool: "Edit", File: "a", Old: "one", New: "two"},
			{Tool: "Edit", File: "a", Old: "one", New: "three"},
		},
	}, options())
	if rep.Counts.ToolRuns != 3 || rep.Files["a"] != "three" || len(rep.Files) != 1 {
		t.Errorf("%+v %v", rep.Counts, rep.Files)
	}
}

func TestDryRunRunsNothing(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	opt := options()
	opt.DryRun = true
	rep := mustPlay(t, Scenario{
		Registrations: []Registration{{Event: "pre-tool", Matcher: "Write", Callback: Callback{Command: "touch " + mark}}},
		Requests:      []Request{{Tool: "Write", File: "a", Content: "x"}, {Tool: "Bash", Command: "touch " + mark}},
	}, opt)
	if _, err := os.Stat(mark); err == nil || len(rep.Files) > 0 {
		t.Errorf("something ran: %v", rep.Files)
	}
	if !rep.Steps[0].Hooks[0].Matched || rep.Steps[1].Hooks[0].Matched || rep.Counts.HookRuns != 0 || rep.Counts.ToolRuns != 0 {
		t.Errorf("%+v", rep)
	}
}

// The sandbox goes, whatever was done to it.
func TestSandboxGoes(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TEMP", tmp)
	t.Setenv("TMP", tmp)
	mustPlay(t, Scenario{Requests: []Request{{Tool: "Bash", Command: "mkdir -p d/e; chmod 000 d/e; chmod 000 d"}}}, options())
	left, err := filepath.Glob(filepath.Join(tmp, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// What does not hold is said with what was there instead.
func TestExpectations(t *testing.T) {
	s := shipped(t, "pre-tool-edit-write")
	s.Expect = &Expect{ToolRuns: new(2), HookRuns: new(2), Files: map[string]*string{
		"notes.txt": new("draft"), "release.txt": nil, "none.txt": new("x"),
	}}
	rep := mustPlay(t, s, options())
	want := []string{
		"tool_runs: want 2, got 1", `none.txt: want "x", and it is not there`, `notes.txt: want "draft", got "reviewed"`,
		`release.txt: want no file, got "locked"`,
	}
	if !slices.Equal(rep.Failed, want) {
		t.Errorf("got  %q\nwant %q", rep.Failed, want)
	}
}

// A hook on an event that the agent does not have is named, not passed over.
func TestUnknownEventIsNoted(t *testing.T) {
	s := shipped(t, "pre-tool-edit-write")
	s.Agent = "gemini"
	s.Registrations[0].Event = "PreToolUse"
	rep := mustPlay(t, s, options())
	if len(rep.Notes) != 1 || !strings.Contains(rep.Notes[0], "PreToolUse") || rep.Counts.Unseen != 2 {
		t.Errorf("%v %+v", rep.Notes, rep.Counts)
	}
}

// Claude Code asks a command once, in however many groups it stands; Codex each time,
// also the one for Edit: a write is a patch like it.
func TestSameCommandTwice(t *testing.T) {
	s := Scenario{
		Registrations: []Registration{
			{Event: "PreToolUse", Matcher: "Write", Callback: Callback{Command: "true"}},
			{Event: "PreToolUse", Matcher: "Write|Edit", Callback: Callback{Command: "true"}},
			{Event: "PreToolUse", Matcher: "*", Callback: Callback{Command: "true", Args: []string{}}},
			{Event: "PreToolUse", Matcher: "Edit", Callback: Callback{Command: "false"}},
		},
		Requests: []Request{{Tool: "Write", File: "a", Content: "x"}},
	}
	for agent, want := range map[string]int{"claude": 1, "codex": 4} {
		s.Agent = agent
		if rep := mustPlay(t, s, options()); rep.Counts.HookRuns != want {
			t.Errorf("%s: %d hook runs, want %d", agent, rep.Counts.HookRuns, want)
		}
	}
}
