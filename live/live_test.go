//go:build unix

package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/home"
)

// This test binary also plays the two programs that a run starts: hookctl, of
// which install alone is asked, and an agent with one flaw, which is the rest of
// its program's name: "agent-FLAW".
func TestMain(m *testing.M) {
	name := filepath.Base(os.Args[0])
	switch flaw, isAgent := strings.CutPrefix(name, "agent-"); {
	case name == "hookctl":
		os.Exit(playInstall())
	case isAgent:
		os.Exit((&player{flaw: flaw}).play())
	}
	os.Exit(m.Run())
}

func playInstall() int {
	d := home.Dir(filepath.Join(os.Getenv("HOME"), ".hookctl"))
	if err := put(d.Binary(), "#!/bin/sh\n"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// player speaks to the model as Claude Code does, and answers for hookctl as well.
type player struct {
	flaw     string
	messages []map[string]any
	hooked   bool
	blocks   int
}

func (p *player) play() int {
	if slices.Contains(os.Args, "--version") {
		fmt.Println("9.8.7 (Player)")
		return 0
	}
	switch p.flaw {
	case "mute":
		fmt.Fprintln(os.Stderr, "no account")
		return 1
	case "hangs":
		cmd := exec.Command("sleep", "600") // leaves the group, and holds no output
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		_ = cmd.Start()
		time.Sleep(10 * time.Minute)
	}
	d := home.Dir(filepath.Join(os.Getenv("HOME"), ".hookctl"))
	_, err := os.Stat(d.Binary())
	p.hooked = err == nil
	p.hear("user", "go on")
	for {
		text, tool, input, ok := p.ask()
		switch {
		case !ok:
			return 1
		case tool != "":
			p.hear("user", p.call(tool, input))
		case p.goesOn(text):
		default:
			if p.flaw == "talks" && text == report {
				fmt.Println("hookctl: all is well.")
			}
			return 0
		}
	}
}

func (p *player) hear(role, text string) {
	p.messages = append(p.messages, map[string]any{"role": role, "content": text})
}

func (p *player) ask() (text, tool string, input map[string]string, ok bool) {
	body, _ := json.Marshal(map[string]any{"model": "m", "tools": []any{map[string]any{}}, "messages": p.messages})
	res, err := http.Post(os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", "application/json", bytes.NewReader(body))
	if err != nil || res.StatusCode != http.StatusOK {
		return "", "", nil, false
	}
	defer res.Body.Close()
	var m struct {
		Content []struct {
			Text, Name string
			Input      map[string]string
		}
	}
	if json.NewDecoder(res.Body).Decode(&m) != nil || len(m.Content) == 0 {
		return "", "", nil, false
	}
	p.hear("assistant", m.Content[0].Text)
	return m.Content[0].Text, m.Content[0].Name, m.Content[0].Input, true
}

// goesOn is the end of a turn.
func (p *player) goesOn(text string) bool {
	block := p.hooked && text == offer && (p.blocks < 2 || p.flaw == "goes-round") && p.flaw != "stops" || !p.hooked && p.flaw == "needs-it"
	if !block {
		p.judge("stop", "allow")
		return false
	}
	p.blocks++
	p.judge("stop", "block")
	words := "Stop hook feedback: hookctl [" + textGate + "]"
	if p.flaw == "keeps-it" {
		words = "Go on."
	}
	p.hear("user", words)
	return true
}

// call runs a tool.
func (p *player) call(tool string, input map[string]string) string {
	denied := "denied: hookctl [" + toolGate + "]"
	guarded := p.hooked && (tool == "Edit" || strings.HasSuffix(input["command"], "> "+canary)) && p.flaw != "ignores-deny"
	if guarded || !p.hooked && p.flaw == "denies-without" {
		p.judge("pre-tool", "block")
		return denied
	}
	p.judge("pre-tool", "allow")
	said := ""
	switch tool {
	case "Edit":
		_ = os.WriteFile(input["file_path"], []byte(input["new_string"]+"\n"), 0o600)
	case "Bash":
		out, _ := exec.Command("/bin/sh", "-c", input["command"]).CombinedOutput()
		said = string(out)
		if p.hooked && strings.Contains(input["command"], linker) && p.flaw != "drops-report" {
			said += "hookctl [" + toolGate + "]"
		}
		if p.flaw == "tells" {
			said += "hookctl: allowed"
		}
	}
	return "done. " + said
}

func (p *player) judge(event, decision string) {
	if p.hooked && p.flaw != "runs-no-hook" {
		d := home.Dir(filepath.Join(os.Getenv("HOME"), ".hookctl"))
		_ = journal.Append(d.Journal(), journal.Line{Time: time.Now(), Event: event, Decision: decision})
	}
}

// play drives a player as claude, and gives the states of its promises.
func play(t *testing.T, flaw string, limit time.Duration) Result {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "agent-"+flaw)
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	all, err := Run(context.Background(), Options{Hookctl: exe, Agents: []string{"claude"}, Bins: map[string]string{"claude": program}, Getenv: os.Getenv, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	return all[0]
}

// Each flaw is found, and found where it is.
func TestFlaws(t *testing.T) {
	for flaw, want := range map[string]string{
		"none":           "kept kept kept kept kept kept",
		"stops":          "broken kept kept kept kept unknown",
		"keeps-it":       "broken kept kept kept kept kept",
		"ignores-deny":   "kept broken kept kept kept kept",
		"drops-report":   "kept kept broken kept kept kept",
		"tells":          "kept kept kept broken kept kept",
		"talks":          "kept kept kept broken kept kept",
		"runs-no-hook":   "kept kept kept broken kept kept",
		"needs-it":       "kept kept kept kept broken kept",
		"denies-without": "kept kept kept kept broken kept",
		"goes-round":     "kept kept kept kept kept broken",
		"mute":           "unknown unknown unknown unknown unknown unknown",
	} {
		t.Run(flaw, func(t *testing.T) {
			r := play(t, flaw, time.Minute)
			var got []string
			for _, c := range r.Cells {
				got = append(got, string(c.State))
				if (c.State == Kept) != (c.Why == "") {
					t.Errorf("%s is %s: %q", c.Promise, c.State, c.Why)
				}
			}
			if s := strings.Join(got, " "); s != want || r.Version != "9.8.7" {
				t.Errorf("got  %s %q\nwant %s\n%+v", s, r.Version, want, r.Cells)
			}
		})
	}
}

// An agent that hangs is ended, with what it has started.
func TestHangingAgent(t *testing.T) {
	r := play(t, "hangs", 2*time.Second)
	if Any([]Result{r}, Kept) {
		t.Errorf("%+v", r.Cells)
	}
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range all {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, []byte("TMPDIR="+os.Getenv("TMPDIR")+"/agent-live")) {
			t.Errorf("%s is still there", filepath.Dir(file))
		}
	}
}

func TestEnvironmentHoldsNothingOfTheUser(t *testing.T) {
	o := Options{Getenv: func(n string) string {
		return map[string]string{"PATH": "/p", "OPENAI_API_KEY": "real", "HTTPS_PROXY": "http://proxy"}[n]
	}}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Hookctl = exe
	for _, a := range agents {
		b, err := newBench(o, a, "/x/bin/"+a.name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.close)
		for _, v := range b.fullEnviron() {
			name, value, _ := strings.Cut(v, "=")
			if strings.Contains(value, "real") || strings.Contains(value, "http://proxy") {
				t.Errorf("%s: %s", a.name, v)
			}
			if strings.Contains(name, "KEY") && value != dummyKey {
				t.Errorf("%s: %s", a.name, v)
			}
			if strings.Contains(value, "://") && !strings.HasPrefix(value, "http://127.0.0.1:") {
				t.Errorf("%s: another machine: %s", a.name, v)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	folder := t.TempDir()
	for name, mode := range map[string]os.FileMode{"codex": 0o700, "gemini": 0o600} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	getenv := func(n string) string {
		return map[string]string{"PATH": string(filepath.ListSeparator) + folder, "HOOKCTL_AGENT_QWEN": "/q"}[n]
	}
	found, err := choose(Options{Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		want := map[string]string{"codex": filepath.Join(folder, "codex"), "qwen": "/q"}[r.Agent]
		if (r.Agent == "codex" || r.Agent == "qwen" || r.Agent == "gemini") && r.Program != want {
			t.Errorf("%s: %q, want %q", r.Agent, r.Program, want)
		}
	}
	if r, err := choose(Options{Getenv: getenv, Agents: []string{"codex"}, Bins: map[string]string{"codex": "/own"}}); err != nil || len(r) != 1 || r[0].Program != "/own" {
		t.Errorf("%+v %v", r, err)
	}
	var unknown *UnknownError
	if _, err := choose(Options{Getenv: getenv, Agents: []string{"cursor"}}); !errors.As(err, &unknown) {
		t.Errorf("cursor: %v", err)
	}
	var absent *AbsentError
	if _, err := choose(Options{Getenv: getenv, Agents: []string{"gemini"}}); !errors.As(err, &absent) {
		t.Errorf("a file that is no program: %v", err)
	}
}
