//go:build !windows

package hook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/home"
)

// scratch is where the program is built.
var scratch string

// program is hookctl, built once, when a test first needs it: what is promised of
// a process is tested on one.
var program = sync.OnceValues(func() (string, error) {
	file := filepath.Join(scratch, "hookctl")
	out, err := exec.Command("go", "build", "-o", file, "github.com/agenthooks/hookctl/cmd/hookctl").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return file, nil
})

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "hookctl-hook-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		if err := os.Chmod(dir, 0o755); err != nil { // other users run it too
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		scratch = dir
		return m.Run()
	}())
}

// machine is a user's machine: a home folder, hookctl's folder, a project.
type machine struct {
	user, home, project string
	program             string
	env                 []string    // beside the few that every process gets
	uid                 uint32      // another user's, 0 = the test's own
	direct              bool        // no process: where the promise is not about one
	cfg                 hook.Config // of a call without a process
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m := &machine{user: filepath.Join(dir, "user"), project: filepath.Join(dir, "project"), program: file}
	m.home = filepath.Join(m.user, ".hookctl")
	mkdir(t, m.user, m.project)
	return m
}

// result is what one process of the hook did.
type result struct {
	stdout, stderr string
	exit           int
	took           time.Duration
	rssMB          int64
}

// memoryFactor is how much more memory the program takes here than when it is
// built without the race detector, in whole times.
var memoryFactor int64 = 1

// within fails t when the process used more than limit MB.
func (r result) within(t *testing.T, limit int64) {
	t.Helper()
	t.Logf("%v, %d MB", r.took.Round(time.Millisecond), r.rssMB)
	if limit *= memoryFactor; r.rssMB > limit {
		t.Errorf("used %d MB, want at most %d", r.rssMB, limit)
	}
}

// said is all that the process printed.
func (r result) said() string { return r.stdout + r.stderr }

// decision reads the answer as an agent would.
func (r result) decision(t *testing.T) (decision, reason string) {
	t.Helper()
	if r.exit == 2 {
		return "block", r.stderr
	}
	if strings.TrimSpace(r.stdout) == "" {
		return "allow", ""
	}
	var a struct {
		Decision, Reason, SystemMessage string
		HookSpecificOutput              struct{ PermissionDecision, PermissionDecisionReason string }
	}
	d := json.NewDecoder(strings.NewReader(r.stdout))
	if err := d.Decode(&a); err != nil {
		t.Fatalf("stdout is no JSON: %v\n%s", err, r.stdout)
	}
	if rest, _ := io.ReadAll(d.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		t.Fatalf("stdout holds more than one object:\n%s", r.stdout)
	}
	switch {
	case a.HookSpecificOutput.PermissionDecision != "":
		return a.HookSpecificOutput.PermissionDecision, a.HookSpecificOutput.PermissionDecisionReason
	case a.Decision != "":
		return a.Decision, a.Reason
	}
	return "allow", a.SystemMessage
}

// fire sends one event to a process of the hook.
func (m *machine) fire(t *testing.T, event string, args ...string) result {
	t.Helper()
	if m.direct {
		return m.call(event, args...)
	}
	return m.fireFrom(t, strings.NewReader(event), args...)
}

// call runs the full path in this process.
func (m *machine) call(event string, args ...string) result {
	in := early.Start(home.Dir(m.home), func(k string) string {
		if k == "HOME" {
			return m.user
		}
		return ""
	}, time.Now())
	in.Read(strings.NewReader(event), early.Host(args))
	var stdout, stderr bytes.Buffer
	code := hook.Run(context.Background(), in, m.cfg, &stdout, &stderr)
	return result{stdout: stdout.String(), stderr: stderr.String(), exit: code, took: time.Since(in.Start)}
}

func (m *machine) fireFrom(t *testing.T, event io.Reader, args ...string) result {
	t.Helper()
	r, err := m.run(event, args...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (m *machine) run(event io.Reader, args ...string) (result, error) {
	cmd := exec.Command(m.program, append([]string{"gate"}, args...)...)
	cmd.Env = append([]string{
		"PATH=" + filepath.Dir(m.program) + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + m.user, "LANG=C.UTF-8",
	}, m.env...)
	cmd.Dir, cmd.Stdin = m.project, event
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if m.uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: m.uid, Gid: m.uid}}
	}
	cmd.WaitDelay = time.Second
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	_ = cmd.Wait()
	r := result{stdout: stdout.String(), stderr: stderr.String(), exit: cmd.ProcessState.ExitCode(), took: time.Since(start)}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.rssMB = u.Maxrss >> 10
		if runtime.GOOS == "darwin" { // bytes there, kilobytes elsewhere
			r.rssMB >>= 10
		}
	}
	return r, nil
}

// exitInto is the exit code of a process whose output goes to out.
func (m *machine) exitInto(t *testing.T, event string, out *os.File) int {
	t.Helper()
	cmd := exec.Command(m.program, "gate")
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = []string{"HOME=" + m.user}, strings.NewReader(event), out, out
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode()
}

// lines reads the journal, oldest line first.
func (m *machine) lines(t *testing.T) (all []journal.Line) {
	t.Helper()
	err := journal.Read(filepath.Join(m.home, "journal"), func(l journal.Line) bool {
		all = append([]journal.Line{l}, all...)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// fields are members of an event; nil takes a member away.
type fields map[string]any

func event(base, more fields) string {
	all := fields{}
	for _, f := range []fields{base, more} {
		for k, v := range f {
			if all[k] = v; v == nil {
				delete(all, k)
			}
		}
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// offer is a message that the commit gate blocks, report one that nothing hits.
const (
	offer  = "The list is sorted now.\n\nShall I commit and push this?"
	report = "The list is sorted now."
)

func (m *machine) stop(text string, more fields) string {
	return event(fields{
		"session_id": "s-1", "prompt_id": "p-1", "cwd": m.project, "hook_event_name": "Stop",
		"stop_hook_active": false, "last_assistant_message": text,
	}, more)
}

func (m *machine) tool(name string, input any, more fields) string {
	return event(fields{
		"session_id": "s-1", "cwd": m.project, "hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input,
	}, more)
}

func mkdir(t *testing.T, dirs ...string) {
	t.Helper()
	for _, d := range dirs {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(file))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// silent fails unless the event was let through without a word.
func silent(t *testing.T, r result) {
	t.Helper()
	if r.exit != 0 || r.said() != "" {
		t.Errorf("exit %d, said %q, want silence and 0", r.exit, r.said())
	}
}

// blocked fails unless the agent was sent back, and gives the reason.
func blocked(t *testing.T, r result) string {
	t.Helper()
	d, reason := r.decision(t)
	if r.exit != 0 || d != "block" || r.stderr != "" {
		t.Errorf("exit %d, %s, stderr %q, want a block on stdout", r.exit, d, r.stderr)
	}
	return reason
}

// noted fails unless the event was let through with one line, which says once
// who speaks and holds every word of want.
func noted(t *testing.T, r result, want ...string) {
	t.Helper()
	d, message := r.decision(t)
	said := strings.TrimSpace(message + r.stderr)
	if r.exit != 0 || d != "allow" || strings.Count(said, "hookctl: ")+strings.Count(said, "hookctl [") != 1 || strings.Contains(said, "\n") {
		t.Errorf("exit %d, %s, said %q, want 0 and one line of notice", r.exit, d, r.said())
	}
	for _, w := range want {
		if !strings.Contains(said, w) {
			t.Errorf("%q is not in %q", w, said)
		}
	}
}
