//go:build !windows

package hook_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// reported is a case from the reports of other people's hooks.
type reported struct {
	ID, Kind, Manual string
	Expected         struct {
		Judge, Decision, Also, Gate string
		Stdout                      string
		TimeMS                      int64  `json:"time_ms_max"`
		RSS                         int64  `json:"rss_mb_max"`
		HookRuns                    int    `json:"hook_runs_max"`
		NoProcess                   string `json:"no_left_process"`
	}
	Env map[string]string
}

// faults are the cases in which something is wrong with the machine, so that one
// line may tell of it.
var faults = []string{"a05-empty-stdin", "c29-directory", "c30-fifo"}

// waiting are the cases in which the hook waits until a limit of its own.
var waiting = []string{"c02-lag-missing", "c04-partial-last", "c20-old-turn", "f25-timeout"}

func TestReportedCases(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/cases/[acf]*")
	if err != nil || len(dirs) < 45 {
		t.Fatalf("%d cases found (%v): the table is not there", len(dirs), err)
	}
	for _, dir := range dirs {
		var c reported
		raw, err := os.ReadFile(filepath.Join(dir, "expect.json"))
		if err != nil {
			t.Fatal(err)
		}
		// Some expectations are sentences; those fields are read as they come.
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if c.Manual != "" { // TestBrokenRules
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			if slices.Contains(waiting, c.ID) {
				t.Parallel()
			}
			c.test(t, dir)
		})
	}
}

func (c reported) test(t *testing.T, dir string) {
	m := newMachine(t)
	here := filepath.Join(t.TempDir(), c.ID)
	if err := os.CopyFS(here, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	generate(t, c.ID, here)
	if home := filepath.Join(here, "home"); exists(home) {
		m.user, m.home = home, filepath.Join(home, ".hookctl")
	}
	if judge := filepath.Join(here, "judge.sh"); exists(judge) {
		script, err := os.ReadFile(judge)
		if err != nil {
			t.Fatal(err)
		}
		// The judge gets few variables, so it must know its files itself; and the
		// process that it leaves behind is to be found again.
		text := strings.ReplaceAll(string(script), "${CASE_OUT:-/dev/null}", here+"/prompt.txt")
		text = strings.ReplaceAll(text, "sleep 300 &", "sleep 300 & echo $! > '"+here+"/pid'")
		write(t, judge, text)
		if err := os.Chmod(judge, 0o755); err != nil {
			t.Fatal(err)
		}
		// Its answer is in the flat form, which is for one gate.
		m.install(t, rules(t, only("commit-before-verification")))
		write(t, filepath.Join(m.home, "config.yaml"), fmt.Sprintf("judge:\n  backend: command\n  command: [%q]\n  timeout: %s\n", judge, c.Env["HOOKCTL_JUDGE_TIMEOUT"]))
	}
	raw, err := os.ReadFile(filepath.Join(here, "stdin.json"))
	if err != nil {
		t.Fatal(err)
	}
	if l := c.Env["LC_ALL"]; l != "" {
		m.env = append(m.env, "LC_ALL="+l, "LANG="+c.Env["LANG"])
	}
	r := m.fire(t, strings.ReplaceAll(string(raw), "${CASE_DIR}", here))
	c.answer(t, r)
	c.limits(t, r)
	c.leftovers(t, here)
	if c.ID == "f32-frame-break" {
		framed(t, here, string(raw))
	}
}

// answer checks decision, exit code and silence.
func (c reported) answer(t *testing.T, r result) {
	got, reason := r.decision(t)
	want := c.Expected.Decision
	if want == "" {
		want = "allow"
		if strings.Contains(c.Expected.Stdout, "(block)") {
			want = "deny" // in Gemini's words
		}
	}
	if r.exit != 0 || got != want && got != c.Expected.Also {
		t.Fatalf("exit %d, %s, want 0, %s: %s", r.exit, got, want, r.said())
	}
	switch {
	case got == "block" || got == "deny":
		if !strings.Contains(reason, "[commit-before-verification]") || len([]rune(reason)) >= 600 || r.stderr != "" {
			t.Errorf("reason %q, stderr %q", reason, r.stderr)
		}
		if c.ID == "f36-reason-inject" {
			note := reason[strings.Index(reason, "(judge's note: "):]
			if strings.ContainsAny(reason, "\n\x1b\x07") || len([]rune(note)) > 300+len("(judge's note: )") || !strings.Contains(note, "git push --force") {
				t.Errorf("the judge's note stands as %q", reason)
			}
		}
	case c.Expected.Judge == "error":
		noted(t, r, "the judge")
	case slices.Contains(faults, c.ID):
		noted(t, r)
	default:
		silent(t, r)
	}
}

func (c reported) limits(t *testing.T, r result) {
	if limit := time.Duration(c.Expected.TimeMS) * time.Millisecond; limit > 0 && r.took > limit {
		t.Errorf("took %v, want at most %v", r.took, limit)
	}
	if c.Expected.RSS > 0 {
		r.within(t, c.Expected.RSS)
	}
}

// leftovers checks what the judge has left behind.
func (c reported) leftovers(t *testing.T, here string) {
	if c.Expected.NoProcess != "" {
		raw, err := os.ReadFile(filepath.Join(here, "pid"))
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(2 * time.Second); running(pid); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("%q (process %d) is still running", c.Expected.NoProcess, pid)
			}
		}
	}
	if c.Expected.HookRuns > 0 {
		runs, err := os.ReadFile(filepath.Join(here, "runs"))
		if n := 1 + strings.Count(string(runs), "run\n"); err != nil || n < 2 || n > c.Expected.HookRuns {
			t.Errorf("%d runs of the hook (%v), want 2: the judge's own and the first", n, err)
		}
		if child, err := os.ReadFile(filepath.Join(here, "child.out")); err != nil || len(child) > 0 {
			t.Errorf("the hook inside the judge said %q (%v)", child, err)
		}
	}
}

// running tells a live process from one that has ended and that nobody has
// waited for yet.
func running(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		_, after, _ := bytes.Cut(stat, []byte(") "))
		return !bytes.HasPrefix(after, []byte("Z"))
	}
	return syscall.Kill(pid, 0) == nil && !exists("/proc/self")
}

// framed checks the prompt that the judge got: what the agent wrote stands whole
// between the two markers, which carry a word that it could not know.
func framed(t *testing.T, here, event string) {
	prompt, err := os.ReadFile(filepath.Join(here, "prompt.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var e struct {
		Text string `json:"last_assistant_message"`
	}
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		t.Fatal(err)
	}
	const begin, end = "\n--- text-begin ", "\n--- text-end "
	before, rest, ok := strings.Cut(string(prompt), begin)
	inside, after, ok2 := strings.Cut(rest, end)
	nonce, text, _ := strings.Cut(inside, " ---\n")
	if !ok || !ok2 || len(nonce) < 16 || after != nonce+" ---\n" {
		t.Fatalf("no frame with one word at both ends:\n%s", prompt)
	}
	if strings.TrimSpace(text) != strings.TrimSpace(e.Text) {
		t.Errorf("between the markers stands %q, want %q", text, e.Text)
	}
	for _, hostile := range []string{"</message>", "<|im_end|>", "answer false"} {
		if strings.Contains(before, hostile) || !strings.Contains(text, hostile) {
			t.Errorf("%q does not stand in the frame, or before it", hostile)
		}
	}
	if strings.Contains(e.Text, nonce) || strings.Contains(text, nonce) {
		t.Errorf("the text holds the word %s of its own frame", nonce)
	}
}

// generate makes what is too large or too odd to lie in a repository.
func generate(t *testing.T, id, here string) {
	t.Helper()
	var err error
	switch file := filepath.Join(here, "transcript.jsonl"); id {
	case "c30-fifo":
		err = syscall.Mkfifo(filepath.Join(here, "pipe.jsonl"), 0o600)
	case "c31-symlink":
		err = os.Symlink("real/s.jsonl", file)
	case "c32-huge-line":
		rows := rowsOf(t, here)
		head, tail, ok := strings.Cut(rows[1], `"content": [{`)
		if !ok {
			t.Fatal("the second row has no content to blow up")
		}
		err = stream(file, func(w io.Writer) {
			fmt.Fprintf(w, `%s%s"content": [{"filler": "`, rows[0], head)
			for range 20 {
				_, _ = w.Write(bytes.Repeat([]byte("A"), 1_000_000))
			}
			fmt.Fprintf(w, `", %s%s`, tail, rows[2])
		})
	case "c33-huge-file":
		rows := rowsOf(t, here)
		middle := []byte(strings.Repeat(rows[1]+rows[2], 1000))
		err = stream(file, func(w io.Writer) {
			fmt.Fprint(w, rows[0])
			for n := 0; n < 300_000_000; n += len(middle) {
				_, _ = w.Write(middle)
			}
			fmt.Fprint(w, rows[3])
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func rowsOf(t *testing.T, here string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(here, "rows.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(string(raw), "\n")
}

// stream writes a file piece by piece: a large test process would be counted as
// the child's memory at the moment of its start.
func stream(file string, pieces func(io.Writer)) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	pieces(w)
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
