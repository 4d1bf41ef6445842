package e2e

import (
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

	"github.com/agenthooks/hookctl/live/model"
)

var (
	claude  = flag.String("claude", os.Getenv("HOOKCTL_E2E_CLAUDE"), "Claude Code `program` to drive ($HOOKCTL_E2E_CLAUDE)")
	all     = flag.Bool("all", false, "drive every agent of this machine with hookctl verify --live")
	record  = flag.String("record", "", "with -all: `file` that gets what it printed, for docs/agents.json")
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
	cmd := exec.Command(built(b.t), "install", "--agent", "claude", "--yes")
	cmd.Env, cmd.Dir = b.env(), b.project
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("hookctl install: %v\n%s", err, out)
	}
}

// run lets the client work on one prompt while the model says turns, and returns
// what the model was asked in its main conversation.
func (b *bench) run(turns []model.Turn) []model.Request {
	t := b.t
	t.Helper()
	s := b.model(turns)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, *claude, "-p", "Please go on as discussed.",
		"--output-format", "json", "--permission-mode", "bypassPermissions")
	cmd.Dir = b.project
	cmd.Env = b.env(
		"ANTHROPIC_BASE_URL="+s.URL(), "ANTHROPIC_API_KEY=dummy", "NO_PROXY=127.0.0.1",
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
	asked := s.Turns()
	t.Logf("%d requests in %v", len(asked), time.Since(start).Round(time.Millisecond))
	for _, r := range asked {
		if r.Kind == model.Over {
			t.Errorf("the client went on after the script's end; it said:\n%s", out)
		}
	}
	return asked
}

// model starts the scripted model. It ends with the test.
func (b *bench) model(turns []model.Turn) *model.Server {
	b.t.Helper()
	s, err := model.Start()
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(s.Close)
	s.Play(turns...)
	return s
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

// build makes the hookctl that is tested, once, in a folder that TestMain removes.
var build = sync.OnceValues(func() (program, problem string) {
	if *hookctl != "" {
		return *hookctl, ""
	}
	dir, err := os.MkdirTemp("", "hookctl-e2e-")
	if err != nil {
		return "", err.Error()
	}
	program = filepath.Join(dir, "hookctl")
	cmd := exec.Command("go", "build", "-o", program, "github.com/agenthooks/hookctl/cmd/hookctl")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return program, "go build: " + err.Error() + "\n" + string(text)
	}
	return program, ""
})

func built(t *testing.T) (program string) {
	t.Helper()
	program, problem := build()
	if problem != "" {
		t.Fatal(problem)
	}
	return program
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if *hookctl == "" && (*claude != "" || *all) {
		if p, _ := build(); p != "" {
			_ = os.RemoveAll(filepath.Dir(p)) // a folder left in the temporary folder is no failure
		}
	}
	os.Exit(code)
}
