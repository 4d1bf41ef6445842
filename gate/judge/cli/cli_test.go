package cli

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
	"github.com/agenthooks/hookctl/gate/judge"
)

// The envelopes of the three programs: real ones, cut to what counts, and broken
// ones. A want that begins with "!" is an error.
func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, out, want string }{
		{"claude", `{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"result":"{}","structured_output":{"a":true}}`, `{"a":true}`},
		{"claude", `{"type":"result","is_error":false,"result":"text"}`, "text"},
		{"claude", "a warning\n{\"type\":\"result\",\"result\":\"text\"}\n", "text"},
		{"claude", `{"type":"result","is_error":true,"api_error_status":null,"result":"Not logged in · Please run /login"}`, "!" + string(judge.Login)},
		{"claude", `{"type":"result","is_error":true,"api_error_status":429,"result":"API Error: Request rejected (429) · slow"}`, "!" + string(judge.Rate) + " (HTTP 429)"},
		{"claude", `{"type":"result","is_error":true,"result":"5-hour limit reached ∙ resets 3pm"}`, "!" + string(judge.Quota)},
		{"claude", `{"type":"result","is_error":true,"result":"There's an issue with the selected model (x). It may not exist"}`, "!" + string(judge.NoModel)},
		{"claude", `{"type":"result","is_error":true,"result":"{\"a\":true}","structured_output":{"a":true}}`, "!" + string(judge.Refused)},
		{"claude", `{"type":"result","result":"a"}` + "\n" + `{"type":"result","is_error":true,"result":"b"}`, "!" + string(judge.Refused)},
		{"claude", `{"type":"assistant","result":"a"}`, "!printed no result"},
		{"claude", ``, "!printed no result"},
		{"codex", `{"type":"thread.started"}` + "\n" + `{"type":"item.completed","item":{"type":"reasoning","text":"r"}}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"a"}}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"b"}}` + "\n" + `{"type":"turn.completed"}`, "b"},
		{"codex", `{"type":"error","message":"Reconnecting... 2/5"}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"a"}}`, "a"},
		{"codex", `{"type":"item.completed","item":{"type":"agent_message","text":"a"}}` + "\n" + `{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`, "!" + string(judge.Rate)},
		{"codex", `{"type":"error","message":"You've hit your usage limit."}`, "!" + string(judge.Quota)},
		{"codex", `{"type":"item.completed","item":{"type":"error","message":"a warning"}}`, "!printed no message"},
		{"codex", "not JSON", "!printed no message"},
		{"gemini", "a warning\n{\n \"response\": \"a\",\n \"stats\": {}\n}", "a"},
		{"gemini", `{"error":{"type":"ApiError","message":"Resource has been exhausted (e.g. check quota).","code":429}}`, "!" + string(judge.Rate)},
		{"gemini", `{"error":{"message":"API key not valid. Please pass a valid API key."}}`, "!" + string(judge.Login)},
		{"gemini", `{"response":"a"} x`, "!not its JSON"},
		{"gemini", "nothing", "!printed no result"},
	} {
		got, err := agents[tt.name].words([]byte(tt.out))
		if err != nil {
			got = "!" + err.Error()
		}
		if got != tt.want && (err == nil || !strings.Contains(got, strings.TrimPrefix(tt.want, "!"))) {
			t.Errorf("%s %s: %q, want %q", tt.name, tt.out, got, tt.want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("claude", []byte(`{"type":"result","is_error":false,"result":"a"}`))
	f.Add("codex", []byte(`{"type":"turn.failed","error":{"message":"x"}}`))
	f.Add("gemini", []byte(`{"response":"a"}`))
	f.Fuzz(func(t *testing.T, name string, out []byte) {
		a, ok := agents[name]
		if !ok {
			return
		}
		words, err := a.words(out)
		if err == nil && len(words) > 4*len(out)+16 {
			t.Errorf("%d bytes of words from %d", len(words), len(out))
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("error %q", err)
		}
	})
}

var rule = &gate.Rule{ID: "demo", Judge: gate.Judge{Fields: []gate.Field{{Name: "new_proposal", Blocks: true, When: "w"}}}}

// fake is an agent that is a shell script; $OUT is a folder that it may write to.
// NONCE is the nonce of the call in its answers.
func fake(t *testing.T, name, body string) (a Agent, out string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	out = t.TempDir()
	t.Setenv("OUT", out)
	path := filepath.Join(out, name)
	text := "#!/bin/sh\ncat > \"$OUT/prompt\"\nNONCE=$(sed -n 's/^--- text-end \\(.*\\) ---$/\\1/p' \"$OUT/prompt\")\n" + body + "\n"
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return Agent{
		Name: name, Path: path,
		Program: judge.Program{Timeout: 10 * time.Second, Dir: filepath.Join(t.TempDir(), "work"), GuardDir: filepath.Join(t.TempDir(), "guard"), Env: []string{"OUT"}},
	}, out
}

func ask(a Agent) string {
	q := gate.Question{Text: "Shall I commit?", Context: "Shall I commit?", Gates: []gate.Asked{{Rule: rule}}}
	answers, err := judge.Asker(a.Send, nil)(context.Background(), q)
	if err != nil {
		return "!" + err.Error()
	}
	return fmt.Sprint(answers["demo"].Fields["new_proposal"])
}

const verdict = `{\"nonce\":\"'$NONCE'\",\"reason\":\"r\",\"new_proposal\":true}`

// answers are what each program prints for a verdict.
var answers = map[string]string{
	"claude": `echo '{"type":"result","is_error":false,"result":"` + verdict + `"}'`,
	"codex":  `echo '{"type":"item.completed","item":{"type":"agent_message","text":"` + verdict + `"}}'`,
	"gemini": `echo '{"response":"` + verdict + `"}'`,
}

// Each program is started in an empty folder of its own, without a key or a
// server's address of the environment that is not its own, marked as a judge, with
// the text on its input and not among its arguments.
func TestStart(t *testing.T) {
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			for _, v := range []string{"ANTHROPIC_API_KEY", "CODEX_API_KEY", "GEMINI_API_KEY", "GITHUB_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "NODE_OPTIONS", "LD_PRELOAD_X"} {
				t.Setenv(v, "set-outside")
			}
			a, out := fake(t, name, `env > "$OUT/env"; pwd > "$OUT/pwd"; ls -A > "$OUT/ls"; printf '%s\n' "$@" > "$OUT/argv"; `+answer)
			if got := ask(a); got != "true" {
				t.Fatal(got)
			}
			env, argv := read(t, out, "env"), read(t, out, "argv")
			for _, key := range map[string][]string{"claude": claudeKeys, "codex": codexKeys, "gemini": geminiKeys}[name] {
				env = strings.ReplaceAll(env, key+"=set-outside", "")
			}
			if strings.Contains(env, "set-outside") {
				t.Errorf("environment:\n%s", env)
			}
			if !strings.Contains(env, "STOP_HOOK_LLM_JUDGE_ACTIVE=1") || !strings.Contains(env, "HOOKCTL_JUDGE_ACTIVE=") {
				t.Errorf("no mark of the recursion guard:\n%s", env)
			}
			if strings.Contains(argv, "Shall I commit?") {
				t.Errorf("the text is among the arguments:\n%s", argv)
			}
			work := strings.TrimSpace(read(t, out, "pwd"))
			if real, _ := filepath.EvalSymlinks(a.Dir); !strings.HasPrefix(work, real) {
				t.Errorf("it works in %s, not below %s", work, a.Dir)
			}
			for _, f := range strings.Fields(read(t, out, "ls")) {
				if f != "schema.json" && f != "instructions.md" && f != "home" && f != "system.md" {
					t.Errorf("its folder holds %s", f)
				}
			}
			if left, err := os.ReadDir(a.Dir); err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// What is switched off must stay so, whatever else changes. testdata/e2e proves with
// the real programs that it holds.
func TestSwitchedOff(t *testing.T) {
	c := judge.Call{Schema: []byte(`{}`)}
	for name, wants := range map[string][]string{
		"claude": {"--setting-sources  ", `{"disableAllHooks":true}`, "--strict-mcp-config", "--tools  ", "--disable-slash-commands", "--no-session-persistence", "CLAUDE_CODE_SAFE_MODE=1"},
		"codex":  {"--ignore-user-config", "--ephemeral", "--ignore-rules", "--sandbox read-only", "features.hooks=false", "features.shell_tool=false", "features.code_mode_host=false", "mcp_servers={}", "project_doc_max_bytes=0"},
		"gemini": {"--extensions none", "--allowed-mcp-server-names none", "GEMINI_CLI_HOME=", `"hooksConfig": {"enabled": false}`, `"core": ["none"]`, `"memoryBoundaryMarkers": []`},
	} {
		s := agents[name].start(Agent{Path: name}, "/work", c)
		all := strings.Join(s.Argv, " ") + " " + strings.Join(s.Set, " ")
		for _, f := range s.Files {
			all += string(f)
		}
		for _, want := range wants {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no %q in %s", name, want, all)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	for name, answer := range answers {
		for _, tt := range []struct{ body, want string }{
			{"echo 'error: unknown option --tools' >&2; exit 1", "does not know an option"},
			{"echo 'something odd' >&2; exit 3", "exit status 3: something odd"},
			{"exit 7", "exit status 7"},
			{answer + "; exit 1", "exit status 1"},
			{strings.ReplaceAll(answer, "$NONCE", "0123"), "not of this call"},
			{"echo \"You've hit your usage limit\"", "printed no"},
			{"exec sleep 60", "no answer in time"},
			{"yes '{\"type\":\"x\"}'", "printed too much"},
		} {
			a, _ := fake(t, name, tt.body)
			if strings.Contains(tt.body, "sleep") {
				a.Timeout = 300 * time.Millisecond
			}
			if got := ask(a); !strings.HasPrefix(got, "!") || !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
				t.Errorf("%s, %s: %q, want %q", name, tt.body, got, tt.want)
			}
		}
	}
	t.Setenv("PATH", t.TempDir())
	for name := range answers {
		if got := ask(Agent{Name: name}); !strings.Contains(got, "not found") {
			t.Errorf("%s is not there: %s", name, got)
		}
	}
	if _, err := (Agent{Name: "oracle"}).Send(context.Background(), judge.Call{}); err == nil {
		t.Error("an unknown program is asked")
	}
}

// A program of the working folder is not what PATH means by its name.
func TestProgramOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PATH", ".")
	if err := os.WriteFile("claude", []byte("#!/bin/sh\ntouch started\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	got := ask(Agent{Name: "claude"})
	if _, err := os.Stat("started"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was started: %s", got)
	}
}

// The login of Gemini is read from a copy, and only where no key is given.
func TestGeminiLogin(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("GEMINI_API_KEY", "")
	t.Setenv("GOOGLE_GENAI_USE_VERTEXAI", "")
	if err := os.Mkdir(filepath.Join(home, ".gemini"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"oauth_creds.json", "settings.json"} {
		if err := os.WriteFile(filepath.Join(home, ".gemini", f), []byte("theirs"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := geminiStart(Agent{}, "/work", judge.Call{})
	if string(s.Files["home/.gemini/oauth_creds.json"]) != "theirs" || strings.Contains(string(s.Files["home/.gemini/settings.json"]), "theirs") {
		t.Errorf("files %q", s.Files)
	}
	t.Setenv("GEMINI_API_KEY", "k")
	if s := geminiStart(Agent{}, "/work", judge.Call{}); s.Files["home/.gemini/oauth_creds.json"] != nil || !strings.Contains(string(s.Files["home/.gemini/settings.json"]), "gemini-api-key") {
		t.Errorf("files %q", s.Files)
	}
}

func read(t *testing.T, elem ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
