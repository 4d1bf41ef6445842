package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	claude  = flag.String("claude", os.Getenv("HOOKCTL_E2E_CLAUDE"), "Claude Code `program` to drive ($HOOKCTL_E2E_CLAUDE)")
	hookctl = flag.String("hookctl", "", "hookctl `program` to install, instead of one built from this tree")
)

// limit bounds one run of the client, in which it normally takes a few seconds.
const limit = 90 * time.Second

// bench is one run: a scratch home, a scratch project, a model.
type bench struct {
	t             *testing.T
	home, project string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if *claude == "" {
		t.Skip("no client: name one with -claude or $HOOKCTL_E2E_CLAUDE")
	}
	b := &bench{t: t, home: t.TempDir(), project: t.TempDir()}
	if err := os.WriteFile(filepath.Join(b.project, "hello.txt"), []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return b
}

// env is all that the client and hookctl see of this machine.
func (b *bench) env(more ...string) []string {
	return append([]string{
		"HOME=" + b.home, "USERPROFILE=" + b.home, "PATH=" + os.Getenv("PATH"),
		"TMPDIR=" + b.t.TempDir(), "LANG=C.UTF-8", "TERM=dumb",
	}, more...)
}

// install puts hookctl into the scratch home, as a user would.
func (b *bench) install() {
	b.t.Helper()
	cmd := exec.Command(built(b.t).hookctl, "install", "--agent", "claude", "--yes")
	cmd.Env, cmd.Dir = b.env(), b.project
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("hookctl install: %v\n%s", err, out)
	}
}

// run lets the client work on one prompt while the model says turns, and returns
// what the model was asked in its main conversation.
func (b *bench) run(turns []turn) []request {
	t := b.t
	t.Helper()
	url, log := b.model(turns)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, *claude, "-p", "Please go on as discussed.",
		"--output-format", "json", "--permission-mode", "bypassPermissions")
	cmd.Dir = b.project
	cmd.Env = b.env(
		"ANTHROPIC_BASE_URL="+url, "ANTHROPIC_API_KEY=dummy", "NO_PROXY=127.0.0.1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
		"IS_SANDBOX=1", // the client refuses bypassPermissions to root without it
	)
	cmd.WaitDelay = 5 * time.Second
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v after %v\n%s", *claude, err, time.Since(start).Round(time.Millisecond), out)
	}
	asked := readLog(t, log)
	t.Logf("%d requests in %v", len(asked), time.Since(start).Round(time.Millisecond))
	for _, r := range asked {
		if r.Kind == "over" {
			t.Errorf("the client went on after the script's end; it said:\n%s", out)
		}
	}
	return asked
}

// model starts the fake model and returns its address and log. It ends with the
// test.
func (b *bench) model(turns []turn) (url, log string) {
	t := b.t
	t.Helper()
	script, err := json.Marshal(turns)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, log := filepath.Join(dir, "script.json"), filepath.Join(dir, "requests.jsonl")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(built(t).model, "-script", file, "-log", log, "-life", (limit + time.Minute).String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed: the error says no more
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("the fake model did not start: %q %v %s", line, err, stderr.String())
	}
	return url, log
}

// wantJournal checks that hookctl wrote its decisions about ended turns down, in
// this order. Without it, a hook that never ran would pass for one that allows.
func (b *bench) wantJournal(want ...string) {
	b.t.Helper()
	var got []string
	err := filepath.WalkDir(filepath.Join(b.home, ".hookctl", "journal"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		for line := range strings.Lines(read(b.t, path)) {
			var l struct{ Event, Decision string }
			if json.Unmarshal([]byte(line), &l) == nil && strings.EqualFold(l.Event, "stop") {
				got = append(got, l.Decision)
			}
		}
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		b.t.Errorf("the journal has the decisions %q about stops, want %q (error: %v)", got, want, err)
	}
}

// programs are what the tests run, built once.
type programs struct{ dir, hookctl, model string }

var build = sync.OnceValues(func() (programs, string) {
	dir, err := os.MkdirTemp("", "hookctl-e2e-")
	if err != nil {
		return programs{}, err.Error()
	}
	p := programs{dir: dir, hookctl: *hookctl, model: filepath.Join(dir, "fakemodel")}
	const module = "github.com/agenthooks/hookctl/"
	args := []string{"build", "-o", dir + string(filepath.Separator), module + "testdata/fakemodel"}
	if p.hookctl == "" {
		p.hookctl = filepath.Join(dir, "hookctl") // on Windows exec adds the .exe
		args = append(args, module+"cmd/hookctl")
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return p, "go " + strings.Join(args, " ") + ": " + err.Error() + "\n" + string(text)
	}
	return p, ""
})

func built(t *testing.T) programs {
	t.Helper()
	p, problem := build()
	if problem != "" {
		t.Fatal(problem)
	}
	return p
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if *claude != "" {
		if p, _ := build(); p.dir != "" {
			_ = os.RemoveAll(p.dir) // a folder left in the temporary folder is no failure
		}
	}
	os.Exit(code)
}
