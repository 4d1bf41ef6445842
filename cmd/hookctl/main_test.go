package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

// realHome carries the home of whoever runs the tests to the commands under
// test, which refuse to work in it.
const realHome = "HOOKCTL_TEST_REAL_HOME"

func TestMain(m *testing.M) {
	testscript.Main(elsewhere{m}, map[string]func(){"hookctl": hookctl})
}

// elsewhere runs the tests with a throw-away home, so that none of them, not
// even one that forgets to ask for a home of its own, can touch the real one.
type elsewhere struct{ m *testing.M }

func (e elsewhere) Run() int {
	real, err := os.UserHomeDir()
	if err == nil {
		err = os.Setenv(realHome, real)
	}
	dir, terr := os.MkdirTemp("", "hookctl-home-*")
	if err := errors.Join(err, terr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, k := range []string{"HOME", "USERPROFILE"} {
		os.Setenv(k, dir)
	}
	for _, k := range []string{"HOOKCTL_HOME", "CLAUDE_CONFIG_DIR"} {
		os.Unsetenv(k)
	}
	return e.m.Run()
}

// hookctl is the program as the scripts start it: the real one, but for the
// refusal to work in the home of whoever runs the tests.
func hookctl() {
	e := stdio()
	if real := os.Getenv(realHome); real != "" && inHome(real, string(e.home), e.user) {
		fmt.Fprintf(os.Stderr, "a test must not work in %s\n", real)
		os.Exit(99)
	}
	os.Exit(run(os.Args[1:], e))
}

// inHome reports that a command would work in the user's folder real.
func inHome(real, home, user string) bool {
	real = filepath.Clean(real)
	return filepath.Clean(user) == real || filepath.Dir(filepath.Clean(home)) == real
}

func TestHomeIsNotTheRealOne(t *testing.T) {
	real := os.Getenv(realHome)
	if real == "" {
		t.Fatal("the real home is not known, so that nothing keeps a test away from it")
	}
	e := stdio()
	if inHome(real, string(e.home), e.user) {
		t.Errorf("a test would work in %s: home %s, user %s", real, e.home, e.user)
	}
	for name, tt := range map[string]struct {
		home, user string
		want       bool
	}{
		"real":           {real + "/.hookctl", real, true},
		"real user only": {"/elsewhere/.hookctl", real + "/", true},
		"real home only": {real + "/.hookctl/", "/elsewhere", true},
		"neither":        {"/elsewhere/.hookctl", "/elsewhere", false},
	} {
		if got := inHome(real, tt.home, tt.user); got != tt.want {
			t.Errorf("%s: inHome(%q, %q) = %v", name, tt.home, tt.user, got)
		}
	}
}

// TestScript runs the specification of the command line: testdata/script, one
// behaviour a script. Beside the commands of testscript the scripts have
//
//	exits CODE program args…   run a program that must end with CODE
//	publish …                  see publish_test.go
//	plain FILE                 a copy FILE.plain, see below
//	journal                    the decision log as journal.jsonl
//	generation                 the folder of the running generation as $GENERATION
//	digest NAME                the digest that sha256sum has printed as $NAME
//	tamper FILE TEXT           write TEXT to the end of an installed file
//	demote GATE                let a gate of the running generation warn, in config.yaml
//	document FILE              what was printed last is the text that FILE shows
//	few FILE                   let a hookctl.yaml that extends drop most embedded cases
//	clean                      nothing of ours is left in the temporary folder
//
// After exits, the files out and err hold what the program printed, with what
// changes from run to run replaced by words in <>; plain does that to a file.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		Setup:               setup,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "publish": publish, "plain": plain, "journal": journalCmd, "clean": clean,
			"document": document, "generation": generationCmd, "tamper": tamper, "digest": digest, "demote": demote,
			"few": few,
		},
	})
}

// setup gives each script a home of its own.
func setup(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	for _, k := range []string{"HOME", "USERPROFILE"} {
		e.Setenv(k, home)
	}
	e.Setenv(noOffer, "1") // what is found differs between machines
	real := os.Getenv(realHome)
	e.Setenv(realHome, real)
	if home == filepath.Clean(real) {
		return fmt.Errorf("a script must not work in %s", real)
	}
	e.Values[publisherKey{}] = &published{}
	return os.MkdirAll(home, 0o755)
}

// exits runs a program that must end with a certain exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	for name, stream := range map[string]string{"out": "stdout", "err": "stderr"} {
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(steady(ts, ts.ReadFile(stream))), 0o644))
	}
}

var (
	reDigest = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	reCommit = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
	reShort  = regexp.MustCompile(`\b[0-9a-f]{16}\b`)
	reKey    = regexp.MustCompile(`SHA256:[0-9A-Za-z+/]{43}`)
	reBrief  = regexp.MustCompile(`\b[0-9a-f]{12}\b`)
	reTook   = regexp.MustCompile(`\b[0-9]+(\.[0-9])? (µs|s)\b`)
	reMicros = regexp.MustCompile(`"(us|all|layer1|judge)": [0-9]+`)
	reTime   = regexp.MustCompile(`\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)`)
)

// steady replaces what differs from run to run.
func steady(ts *testscript.TestScript, s string) string {
	s = strings.ReplaceAll(s, ts.Getenv("WORK"), "<work>")
	s = reKey.ReplaceAllString(s, "<key>")
	s = reDigest.ReplaceAllString(s, "<sha256>")
	s = reCommit.ReplaceAllString(s, "<commit>")
	s = reShort.ReplaceAllString(s, "<sum>")
	s = reBrief.ReplaceAllString(s, "<sum>")
	s = reTook.ReplaceAllString(s, "<n> $2")
	s = reMicros.ReplaceAllString(s, `"$1": <n>`)
	return reTime.ReplaceAllString(s, "<time>")
}

// plain makes a file comparable.
func plain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".plain"), []byte(steady(ts, ts.ReadFile(args[0]))), 0o644))
}

// journalCmd copies the decision log to journal.jsonl, without the lines that
// contract cases leave, and the id of its last line to $DECISION.
func journalCmd(ts *testscript.TestScript, _ bool, _ []string) {
	days, err := filepath.Glob(ts.MkAbs("home/.hookctl/journal/*.jsonl"))
	ts.Check(err)
	var lines strings.Builder
	var last journal.Line
	for _, day := range days {
		b, err := os.ReadFile(day)
		ts.Check(err)
		for line := range strings.Lines(string(b)) {
			if !strings.Contains(line, `"contract":true`) {
				lines.WriteString(line)
				ts.Check(json.Unmarshal([]byte(line), &last))
			}
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs("journal.jsonl"), []byte(lines.String()), 0o644))
	ts.Setenv("DECISION", last.ID)
}

// generationCmd tells where the running generation lies.
func generationCmd(ts *testscript.TestScript, _ bool, _ []string) {
	d := home.Dir(ts.MkAbs("home/.hookctl"))
	p, err := home.ReadPointer(d)
	ts.Check(err)
	ts.Setenv("GENERATION", d.Generation(p.Digest))
}

// digest keeps the first word of what was printed last.
func digest(ts *testscript.TestScript, neg bool, args []string) {
	words := strings.Fields(ts.ReadFile("stdout"))
	if neg || len(args) != 1 || len(words) == 0 || !reDigest.MatchString(words[0]) {
		ts.Fatalf("usage: digest NAME, after a program that prints a SHA-256")
	}
	ts.Setenv(args[0], words[0])
}

// few lets a bundle that extends keep a few embedded cases of each gate and side,
// where they are not the point: each is a process, some times over.
func few(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: few FILE")
	}
	all, err := manifests.Cases(manifests.Embedded())
	ts.Check(err)
	kept := map[string]bool{}
	for _, c := range contract.Spread(all, 30) {
		kept[c.Name] = true
	}
	text := ts.ReadFile(args[0]) + "drop_cases:\n"
	for _, c := range all {
		if !kept[c.Name] {
			text += fmt.Sprintf("  - {case: %s, why: a few are enough here}\n", c.Name)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// demote writes a demotion into config.yaml, as the machine's owner could.
func demote(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: demote GATE")
	}
	d := home.Dir(ts.MkAbs("home/.hookctl"))
	p, err := home.ReadPointer(d)
	ts.Check(err)
	text, err := manifests.AddDemotion(nil, manifests.Demotion{Gate: args[0], Bundle: p.Digest, Decision: "by-hand"})
	ts.Check(err)
	ts.Check(os.WriteFile(d.Config(), text, 0o600))
}

// tamper writes to the end of a file, read-only or not, and leaves its mode.
func tamper(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tamper FILE TEXT")
	}
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s: %d files of that name", args[0], len(found))
	}
	path := found[0]
	fi, err := os.Stat(path)
	ts.Check(err)
	b, err := os.ReadFile(path)
	ts.Check(err)
	ts.Check(os.Chmod(path, fi.Mode().Perm()|0o200))
	ts.Check(os.WriteFile(path, append(b, args[1]...), 0o644))
	ts.Check(os.Chmod(path, fi.Mode().Perm()))
}

var (
	reDecision = regexp.MustCompile(`decision [0-9a-z]+\b`)
	reMS       = regexp.MustCompile(`[0-9.]+ (ms|µs)`)
	reCases    = regexp.MustCompile(`\b[0-9]+ (contract )?cases\b`)
)

// document compares what was printed with the first block of a document of this
// project, but for what differs from run to run; with -update it writes it there.
func document(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: document FILE")
	}
	path := filepath.Join("..", "..", filepath.FromSlash(args[0]))
	raw, err := os.ReadFile(path)
	ts.Check(err)
	head, rest, ok := strings.Cut(string(raw), "```text\n")
	shown, tail, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		ts.Fatalf("%s has no block of text", args[0])
	}
	printed := strings.TrimLeft(ts.ReadFile("stdout"), "\n")
	same := func(s string) string {
		s = reMS.ReplaceAllString(s, "<n> $1")
		return reCases.ReplaceAllString(reDecision.ReplaceAllString(steady(ts, s), "decision <id>"), "<n> cases")
	}
	switch {
	case same(printed) == same(shown):
	case *update:
		ts.Check(os.WriteFile(path, []byte(head+"```text\n"+printed+"```"+tail), 0o644))
	default:
		ts.Fatalf("%s shows another text; go test ./cmd/hookctl -update writes this one:\n%s", args[0], printed)
	}
}

// clean fails when a command left something in the temporary folder.
func clean(ts *testscript.TestScript, _ bool, _ []string) {
	left, err := filepath.Glob(filepath.Join(ts.Getenv("WORK"), ".tmp", "*"))
	ts.Check(err)
	if len(left) > 0 {
		ts.Fatalf("left in the temporary folder: %q", left)
	}
}
