package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/child"
	"github.com/agenthooks/hookctl/gate/judge/guard"
	"github.com/agenthooks/hookctl/gate/redact"
)

const yes = `{"new_proposal": true, "reason": "x"}`

// script returns a judge that is a shell script. OUT is a folder it may write to.
func script(t *testing.T, body string) (c Command, out string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	out = t.TempDir()
	t.Setenv("OUT", out)
	path := filepath.Join(out, "judge.sh")
	if err := os.WriteFile(path, []byte(body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return Command{Argv: []string{"/bin/sh", path}, Program: Program{Timeout: 20 * time.Second, Dir: t.TempDir(), GuardDir: filepath.Join(t.TempDir(), "guard"), Env: []string{"OUT"}}}, out
}

func read1(t *testing.T, elem ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// clean fails when a call left a working directory or a guard file behind.
func clean(t *testing.T, c Command) {
	t.Helper()
	for _, dir := range []string{c.Dir, c.GuardDir} {
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("left in %s: %v, %v", dir, left, err)
		}
	}
}

func TestAsk(t *testing.T) {
	c, out := script(t, `cat > "$OUT/prompt"; printf '%s\n' "$#" "$0" > "$OUT/argv"; echo '`+yes+`'`)
	var taken redact.Counts
	c.Taken = func(counts redact.Counts) { taken = counts }
	q := question("Shall I commit?\nDB_PASSWORD=hunter2", commitRule)
	if got := outcome(c.Ask(context.Background(), q)); got != "block" {
		t.Errorf("outcome %s", got)
	}
	prompt := read1(t, out, "prompt")
	if !strings.Contains(prompt, "Shall I commit?\nDB_PASSWORD=[redacted:env]\n") || strings.Contains(prompt, "hunter2") || taken["env"] != 1 {
		t.Errorf("taken %v, prompt:\n%s", taken, prompt)
	}
	if argv := read1(t, out, "argv"); !strings.HasPrefix(argv, "0\n") {
		t.Errorf("argv %q", argv)
	}
	clean(t, c)
}

func TestAskFailures(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"exit 1 with a verdict", "cat >/dev/null; echo '" + yes + "'; exit 1", "exit status 1"},
		{"its complaint", "echo first >&2; printf 'quota \\033[31mreached\\033[0m\\n\\n' >&2; exit 3", "exit status 3: quota reached"},
		{"a secret in its complaint", "echo 'bad DB_PASSWORD=hunter2' >&2; exit 1", "[redacted:env]"},
		{"killed", "kill -9 $$", "killed"},
		{"nothing", "cat >/dev/null", "no verdict"},
		{"prompt printed again", "cat", "no verdict"},
		{"half of the prompt", "head -c 4100", "no verdict"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := script(t, tt.body)
			answers, err := c.Ask(context.Background(), question(yes+"\n"+strings.Repeat(yes+"\n", 100), commitRule))
			if err == nil || answers != nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("answers %v, error %v, want %q in it", answers, err, tt.want)
			}
			clean(t, c)
		})
	}
	c, _ := script(t, "")
	c.Argv = nil
	if _, err := c.Ask(context.Background(), one); err == nil {
		t.Error("no command, no error")
	}
	c.Argv = []string{"/nonexistent/judge"}
	if _, err := c.Ask(context.Background(), one); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such program: %v", err)
	}
	clean(t, c)
}

func TestAskStderrIsNoAnswer(t *testing.T) {
	c, _ := script(t, `head -c 3000000 /dev/zero >&2; echo '`+strings.Replace(yes, "true", "false", 1)+`' >&2; echo '`+yes+`'`)
	if got := outcome(c.Ask(context.Background(), one)); got != "block" {
		t.Errorf("outcome %s", got)
	}
}

func TestAskDeadline(t *testing.T) {
	for _, body := range []string{"sleep 60", "trap '' TERM INT HUP; sleep 60; sleep 60", "echo '" + yes + "'; exec sleep 60"} {
		c, _ := script(t, body)
		c.Timeout = 200 * time.Millisecond
		start := time.Now()
		_, err := c.Ask(context.Background(), one)
		if d := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || d > 5*time.Second {
			t.Errorf("%s: %v after %v", body, err, d)
		}
		clean(t, c)
	}
	c, _ := script(t, "sleep 60")
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.Ask(ctx, one); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the context's deadline: %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	if _, err := c.Ask(ctx, one); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestAskHugeOutput counts what the whole call allocates, which bounds what it
// can hold.
func TestAskHugeOutput(t *testing.T) {
	c, _ := script(t, "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | head -c 200000000; echo; echo '"+yes+"'")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	_, err := c.Ask(context.Background(), one)
	d := time.Since(start)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, child.ErrTooMuch) || d > 5*time.Second {
		t.Errorf("%v after %v", err, d)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("allocated %d bytes", n)
	}
	clean(t, c)
}

func TestAskLongPrompt(t *testing.T) {
	text := strings.Repeat("コミットしますか? ", 150_000) // 3.9 MB, far above an argument's limit
	c, out := script(t, `cat > "$OUT/prompt"; echo '`+yes+`'`)
	if got := outcome(c.Ask(context.Background(), question(text, commitRule))); got != "block" {
		t.Errorf("outcome %s", got)
	}
	if prompt := read1(t, out, "prompt"); !strings.Contains(prompt, text) {
		t.Errorf("%d bytes arrived", len(prompt))
	}
	c, _ = script(t, `echo '`+yes+`'`) // never reads
	if got := outcome(c.Ask(context.Background(), question(text, commitRule))); got != "block" {
		t.Errorf("a judge that does not read: %s", got)
	}
	c, _ = script(t, `exec <&-; sleep 0.3; echo '`+yes+`'`) // closes its end
	if got := outcome(c.Ask(context.Background(), question(text, commitRule))); got != "block" {
		t.Errorf("a judge that closes its input: %s", got)
	}
}

func TestAskSurroundings(t *testing.T) {
	t.Setenv("FOO", "secret")
	t.Setenv("ANTHROPIC_API_KEY", "secret")
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("CASE_ONE", "1")
	t.Setenv(guard.Flag, "0")
	c, out := script(t, `env > "$OUT/env"; pwd -P >> "$OUT/pwd"; ls -A >> "$OUT/ls"; ls "$GUARD" >> "$OUT/mark"; : > left.txt; echo '`+yes+`'`)
	t.Setenv("GUARD", c.GuardDir)
	c.Env = append(c.Env, "CASE_*", "GUARD")
	for range 2 {
		if got := outcome(c.Ask(context.Background(), one)); got != "block" {
			t.Fatalf("outcome %s", got)
		}
	}
	env := "\n" + read1(t, out, "env")
	for _, want := range []string{"\nPATH=", "\nLC_ALL=C.UTF-8\n", "\nCASE_ONE=1\n", "\n" + guard.Flag + "=1\n", "\n" + guard.Mark + "="} {
		if !strings.Contains(env, want) {
			t.Errorf("no %q in%s", want, env)
		}
	}
	if strings.Contains(env, "secret") || strings.Contains(env, guard.Flag+"=0") {
		t.Errorf("environment:%s", env)
	}
	dirs := strings.Fields(read1(t, out, "pwd"))
	if len(dirs) != 2 || dirs[0] == dirs[1] || read1(t, out, "ls") != "" {
		t.Errorf("working directories %v holding %q", dirs, read1(t, out, "ls"))
	}
	marks := strings.Fields(read1(t, out, "mark"))
	if len(marks) != 2 || marks[0] == marks[1] || !strings.Contains(env, guard.Mark+"="+marks[1]+"\n") {
		t.Errorf("live files %v, environment:%s", marks, env)
	}
	if guard.Active(c.GuardDir, func(string) string { return marks[1] }) {
		t.Error("the mark holds after the call")
	}
	clean(t, c)
}

func TestAfterEcho(t *testing.T) {
	const n = "abc"
	prompt := framed(question(yes, commitRule), n)
	for out, want := range map[string]string{
		"plain":                "plain",
		prompt + "answer":      "\nanswer",
		prompt + prompt + "x":  "\nx",
		prompt[:len(prompt)-9]: "",
	} {
		if got := string(afterEcho([]byte(out), n)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

var _ gate.Asker = Command{}.Ask

func ExampleParse() {
	q := gate.Question{Gates: []gate.Asked{{Rule: commitRule}}}
	answers, err := Parse([]byte("Here it is:\n```json\n{\"new_proposal\": true, \"reason\": \"offers a commit\"}\n```\n"), q)
	fmt.Println(answers["commit-before-verification"].Note, err)
	// Output: offers a commit <nil>
}
