//go:build unix

package external

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
)

// shell is a bundle whose only hook is a shell script. OUT is a folder that the
// script may write to.
func shell(t *testing.T, body string) (b Bundle, h *gate.Hook, out string) {
	t.Helper()
	out = t.TempDir()
	b = Bundle{Dir: t.TempDir(), Files: map[string]string{}, Environ: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "OUT=" + out}}
	b.put(t, "hooks/h.sh", "#!/bin/sh\n"+body+"\n", 0o755)
	return b, hookOf("h"), out
}

func hookOf(id string) *gate.Hook {
	return &gate.Hook{
		ID: id, File: "hooks/h.sh", Events: []gate.Kind{gate.PreTool}, Mode: gate.Enforce, Timeout: 8 * time.Second,
		Failure: gate.FailAsk, Exit: map[int]string{0: "allow", 2: "block"},
	}
}

// put writes a file and releases it.
func (b Bundle) put(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	write(t, filepath.Join(b.Dir, name), text, mode)
	sum := sha256.Sum256([]byte(text))
	b.Files[name] = hex.EncodeToString(sum[:])
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), mode))
	must(t, os.Chmod(path, mode))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (b Bundle) ask(t *testing.T, ev gate.Event, h *gate.Hook) gate.HookAnswer {
	t.Helper()
	return b.Start(t.Context(), ev, []*gate.Hook{h})()[0]
}

var call = gate.Event{Kind: gate.PreTool, Raw: []byte(`{"tool_name":"Bash"}`)}

func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       gate.HookAnswer
		failure    string
	}{
		{"nothing", "", gate.HookAnswer{}, ""},
		{"text", "echo all is well; echo really >&2", gate.HookAnswer{}, ""},
		{"2", "echo no >&2; echo out; exit 2", gate.HookAnswer{Decision: gate.Block, Said: "no", Exit: 2}, ""},
		{"2 with stdout alone", "echo out; exit 2", gate.HookAnswer{Decision: gate.Block, Said: "out", Exit: 2}, ""},
		{"2 without a word", "exit 2", gate.HookAnswer{Decision: gate.Block, Exit: 2}, ""},
		{"1", "echo first >&2; echo last >&2; exit 1", gate.HookAnswer{Exit: 1}, "exit code 1: last"},
		{"a signal", "kill -9 $$", gate.HookAnswer{Exit: -1}, "killed"},
		{"json block", `echo '{"decision":"block","reason":"r"}'`, gate.HookAnswer{Decision: gate.Block, Said: "r"}, ""},
		{"json deny", `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}'`, gate.HookAnswer{Decision: gate.Block, Said: "r"}, ""},
		{"json ask", `echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"r"}}'`, gate.HookAnswer{Decision: gate.Ask, Said: "r"}, ""},
		{"the stricter of two", `echo '{"decision":"block","reason":"b","hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"a"}}'`, gate.HookAnswer{Decision: gate.Block, Said: "b"}, ""},
		{"json allow", `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`, gate.HookAnswer{}, ""},
		{"json of something else", `printf '\357\273\277 {"systemMessage":"x","continue":true}\n'`, gate.HookAnswer{}, ""},
		{"json is not looked at behind another code", `echo '{"decision":"approve"}'; exit 2`, gate.HookAnswer{Decision: gate.Block, Said: `{"decision":"approve"}`, Exit: 2}, ""},
		{"half an object", `echo '{"decision":"block"'`, gate.HookAnswer{}, "cannot be read"},
		{"two objects", `echo '{} {"decision":"block"}'`, gate.HookAnswer{}, "cannot be read"},
		{"a decision of another type", `echo '{"decision":true}'`, gate.HookAnswer{}, "cannot be read"},
		{"a decision nobody knows", `echo '{"decision":"defer"}'`, gate.HookAnswer{}, `the decision "defer"`},
		{"continue: false", `echo '{"continue":false}'`, gate.HookAnswer{}, "continue: false"},
		{"much stderr", "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo ' the end' >&2; exit 1", gate.HookAnswer{Exit: 1}, "the end"},
		{"too much stdout", "yes", gate.HookAnswer{Exit: -1}, "printed too much"},
		{"reads no stdin", "exec <&-; exit 2", gate.HookAnswer{Decision: gate.Block, Exit: 2}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, h, _ := shell(t, tt.body)
			got := b.ask(t, gate.Event{Kind: gate.PreTool, Raw: []byte(strings.Repeat("long ", 1<<20))}, h)
			failure := got.Failure
			got.Failure, got.Took = "", 0
			if got != tt.want || (failure == "") != (tt.failure == "") || !strings.Contains(failure, tt.failure) {
				t.Errorf("%+v, failure %q; want %+v, %q", got, failure, tt.want, tt.failure)
			}
		})
	}
}

func TestDeclaredExitCodes(t *testing.T) {
	b, h, _ := shell(t, `exit "$(cat)"`)
	h.Exit = map[int]string{1: "block", 4: "ask", 7: "allow"}
	for code, want := range map[string]gate.Decision{"1": gate.Block, "4": gate.Ask, "7": gate.Silent} {
		if a := b.ask(t, gate.Event{Kind: gate.PreTool, Raw: []byte(code)}, h); a.Decision != want || a.Failure != "" {
			t.Errorf("%s: %+v", code, a)
		}
	}
	for _, code := range []string{"0", "2", "3"} { // a declared table is the whole table
		if a := b.ask(t, gate.Event{Kind: gate.PreTool, Raw: []byte(code)}, h); a.Decision != gate.Silent || a.Failure != "exit code "+code {
			t.Errorf("%s: %+v", code, a)
		}
	}
}

func TestInterpreter(t *testing.T) {
	b, h, _ := shell(t, "")
	b.put(t, "hooks/h.sh", `printf '%s|' "$@" "${0##*/}" >&2; exit 2`, 0o644) // no first line, no mode
	if a := b.ask(t, call, h); a.Failure == "" {
		t.Errorf("a file that is not executable: %+v", a)
	}
	h.Run = []string{"sh", "-u"}
	if a := b.ask(t, call, h); a.Said != "h.sh|" || a.Decision != gate.Block {
		t.Errorf("%+v", a)
	}
	h.Run = []string{"/bin/sh"}
	if a := b.ask(t, call, h); a.Decision != gate.Block {
		t.Errorf("%+v", a)
	}
	h.Run = []string{"no-such-interpreter"}
	if a := b.ask(t, call, h); a.Failure != "no-such-interpreter is not found in PATH" || a.Exit != -1 {
		t.Errorf("%+v", a)
	}
}

// A hook is not started unless every file beside it is the one that was released.
func TestChangedFilesAreNotStarted(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(t *testing.T, b *Bundle)
		want   string
	}{
		"the file": {func(t *testing.T, b *Bundle) {
			write(t, filepath.Join(b.Dir, "hooks/h.sh"), "#!/bin/sh\n: > \"$OUT/ran\"\n#", 0o755)
		}, "hooks/h.sh is not the file that was released"},
		"a neighbour":         {func(t *testing.T, b *Bundle) { write(t, filepath.Join(b.Dir, "hooks/lib/x"), "y", 0o644) }, "hooks/lib/x is not the file that was released"},
		"a file is gone":      {func(t *testing.T, b *Bundle) { must(t, os.Remove(filepath.Join(b.Dir, "hooks/lib/x"))) }, "hooks/lib/x is missing"},
		"the folder is gone":  {func(t *testing.T, b *Bundle) { must(t, os.RemoveAll(filepath.Join(b.Dir, "hooks"))) }, "hooks/h.sh is missing"},
		"all is gone":         {func(t *testing.T, b *Bundle) { must(t, os.RemoveAll(b.Dir)) }, "the folder of the hooks: "},
		"nobody said where":   {func(_ *testing.T, b *Bundle) { b.Dir = "" }, "the folder of the hooks: "},
		"a file more":         {func(t *testing.T, b *Bundle) { write(t, filepath.Join(b.Dir, "hooks/json.py"), "", 0o644) }, "hooks/json.py is not in the release"},
		"a link to the same":  {func(t *testing.T, b *Bundle) { link(t, b) }, "hooks/h.sh is not the file that was released"},
		"a pipe":              {func(t *testing.T, b *Bundle) { pipe(t, b) }, "hooks/lib/x is not the file that was released"},
		"other bytes are due": {func(_ *testing.T, b *Bundle) { b.Files["hooks/h.sh"] = strings.Repeat("0", 64) }, "hooks/h.sh is not the file that was released"},
	} {
		t.Run(name, func(t *testing.T) {
			b, h, out := shell(t, `: > "$OUT/ran"`)
			b.put(t, "hooks/lib/x", "x", 0o644)
			if a := b.ask(t, call, h); a.Failure != "" || !exists(out+"/ran") {
				t.Fatalf("before the change: %+v", a)
			}
			must(t, os.Remove(out+"/ran"))
			tt.change(t, &b)
			a := b.ask(t, call, h)
			if !strings.HasPrefix(a.Failure, tt.want) || a.Decision != gate.Silent || a.Exit != -1 {
				t.Errorf("%+v, want %q", a, tt.want)
			}
			if exists(out + "/ran") {
				t.Error("it was started")
			}
		})
	}
}

func link(t *testing.T, b *Bundle) {
	t.Helper()
	outside := filepath.Join(t.TempDir(), "h.sh")
	must(t, os.Rename(filepath.Join(b.Dir, "hooks/h.sh"), outside))
	must(t, os.Symlink(outside, filepath.Join(b.Dir, "hooks/h.sh")))
}

func pipe(t *testing.T, b *Bundle) {
	t.Helper()
	file := filepath.Join(b.Dir, "hooks/lib/x")
	must(t, os.Remove(file))
	must(t, syscall.Mkfifo(file, 0o644))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// A hook that hangs is ended with all that it started, and others beside it have
// their say meanwhile.
func TestTimeout(t *testing.T) {
	b, slow, out := shell(t, `[ "$HOOKCTL_HOOK" = h ] || exit 2
(trap '' TERM HUP INT; while :; do sleep 1; done) & echo $! > "$OUT/pid"; trap '' TERM; wait; sleep 60`)
	slow.Timeout = 500 * time.Millisecond
	answers := b.Start(t.Context(), call, []*gate.Hook{slow, hookOf("quick")})()
	if a := answers[0]; a.Failure != "no answer within 500ms" || a.Exit != -1 || a.Took < slow.Timeout {
		t.Errorf("%+v", a)
	}
	if a := answers[1]; a.Decision != gate.Block {
		t.Errorf("the other one: %+v", a)
	}
	pid, err := os.ReadFile(out + "/pid")
	must(t, err)
	if !gone(t, string(pid)) {
		t.Errorf("process %s is left", pid)
	}
}

// gone waits until a process is no more, or only an entry that nobody collected.
func gone(t *testing.T, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	must(t, err)
	for range 100 {
		if errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			return true
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(n) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// What a repository's settings can set runs nothing of theirs inside a hook, and
// nothing secret of hookctl's reaches it.
func TestSurroundings(t *testing.T) {
	b, h, out := shell(t, `cat > "$OUT/in"; pwd -P > "$OUT/pwd"; env > "$OUT/env"`)
	project := filepath.Join(t.TempDir(), "project")
	evil := filepath.Join(project, "bin")
	write(t, evil+"/cat", "#!/bin/sh\n: > \"$OUT/evil\"\n", 0o755)
	write(t, evil+"/run.sh", ": > \"$OUT/evil\"\n", 0o755)
	b.Project = project
	b.Environ = []string{
		"PATH=" + evil + ":bin:.:" + ":/usr/local/bin:/usr/bin:/bin", "OUT=" + out, "KEPT=1", "LC_ALL=C",
		"HOOKCTL_JUDGE_ACTIVE=0123", "STOP_HOOK_LLM_JUDGE_ACTIVE=1", "HOOKCTL_GIT_TOKEN=secret", "BASH_ENV=" + evil + "/run.sh",
		"ENV=" + evil + "/run.sh", "NODE_OPTIONS=--require " + evil + "/x.js", "PYTHONPATH=" + evil, "LD_PRELOAD=" + evil + "/x.so", "HOOKCTL_HOOK=other",
		"BASH_FUNC_cat%%=() { : > $OUT/evil; }",
	}
	a := b.ask(t, gate.Event{Kind: gate.PreTool, CWD: project, Raw: []byte(`{"a": 1 }`)}, h)
	if a.Failure != "" {
		t.Fatalf("%+v", a)
	}
	if exists(out + "/evil") {
		t.Error("a program of the project ran")
	}
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(out, name))
		must(t, err)
		return "\n" + string(raw)
	}
	if got := read("in"); got != "\n{\"a\": 1 }" {
		t.Errorf("stdin was %q", got)
	}
	if got := strings.TrimSpace(read("pwd")); got != real(project) {
		t.Errorf("it ran in %s", got)
	}
	env := read("env")
	for _, want := range []string{"\nKEPT=1\n", "\nHOOKCTL_HOOK=h\n", "\nPATH=/usr/local/bin:/usr/bin:/bin\n", "\nLC_ALL=C\n"} {
		if !strings.Contains(env, want) {
			t.Errorf("no %q in%s", want, env)
		}
	}
	for _, not := range []string{"JUDGE_ACTIVE", "secret", evil, "other"} {
		if strings.Contains(env, not) {
			t.Errorf("%q in%s", not, env)
		}
	}
	// Who works in a home folder has the interpreters there.
	b.Homes = []string{filepath.Join(project, "home")}
	must(t, os.Mkdir(b.Homes[0], 0o755))
	if b.ask(t, gate.Event{Kind: gate.PreTool, CWD: project}, h); !exists(out + "/evil") {
		t.Error("a program below the home was not found")
	}
}

// Without the folder that the event names a hook works where nothing lies.
func TestWorkDir(t *testing.T) {
	b, h, _ := shell(t, "pwd >&2; exit 2")
	for _, cwd := range []string{"", "/no/such/folder", "relative", b.Dir + "/hooks/h.sh"} {
		if a := b.ask(t, gate.Event{Kind: gate.Stop, CWD: cwd}, h); a.Said != "/" {
			t.Errorf("%q: %+v", cwd, a)
		}
	}
}

func TestNotInsideItself(t *testing.T) {
	b, h, out := shell(t, `: > "$OUT/ran"; exit 2`)
	b.Inside = "h"
	if a := b.ask(t, gate.Event{Kind: gate.Stop}, h); a.Decision != gate.Silent || a.Failure != "" || exists(out+"/ran") {
		t.Errorf("a stop inside the hook: %+v", a)
	}
	if a := b.ask(t, call, h); a.Decision != gate.Block {
		t.Errorf("a tool call inside the hook: %+v", a)
	}
}

func FuzzPrinted(f *testing.F) {
	f.Add([]byte(`{"decision":"block","reason":"r"}`))
	f.Add([]byte("\xef\xbb\xbf{"))
	f.Fuzz(func(t *testing.T, out []byte) {
		d, reason, failure := printed(out)
		if failure != "" && d != gate.Silent || len(reason) > limits.Stderr || d == gate.Notice {
			t.Errorf("%v %q %q", d, reason, failure)
		}
	})
}
