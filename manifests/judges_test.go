package manifests

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestJudgeChoices(t *testing.T) {
	c, err := ParseConfig([]byte(`judge:
  backend: openai
  model: big
  endpoint: https://api.example.com/v1/
  key_env: EXAMPLE_KEY
  timeout: 5s
  fallback:
    - {backend: openai, model: small, endpoint: "http://127.0.0.1:11434/v1", timeout: 3s}
    - claude
    - builtin
`))
	if err != nil {
		t.Fatal(err)
	}
	all := c.Judge.Choices()
	if len(all) != 4 || all[0].Timeout != 5*time.Second || all[1].Model != "small" || all[2].Backend != "claude" || all[3].Backend != "builtin" {
		t.Fatalf("%+v", all)
	}
	if u, err := all[0].Target(); err != nil || u != "https://api.example.com/v1" {
		t.Errorf("%v, %v", u, err)
	}
	if all := (JudgeConfig{}).Choices(); len(all) != 1 || all[0].Backend != "builtin" {
		t.Errorf("without a choice: %+v", all)
	}
}

// Without a choice a vendor's key goes to the vendor's host only.
func TestJudgeKey(t *testing.T) {
	for _, tt := range []struct {
		c         JudgeChoice
		env, file string
	}{
		{JudgeChoice{Backend: "anthropic"}, "ANTHROPIC_API_KEY", ""},
		{JudgeChoice{Backend: "openai"}, "OPENAI_API_KEY", ""},
		{JudgeChoice{Backend: "openai", Endpoint: "https://api.openai.com/v1"}, "OPENAI_API_KEY", ""},
		{JudgeChoice{Backend: "openai", Endpoint: "https://api.openai.com.evil.example/v1"}, "", ""},
		{JudgeChoice{Backend: "openai", Endpoint: "https://api.openai.com:8443/v1"}, "", ""},
		{JudgeChoice{Backend: "openai", Endpoint: "https://api.cerebras.ai/v1"}, "", ""},
		{JudgeChoice{Backend: "anthropic", Endpoint: "https://api.openai.com"}, "", ""},
		{JudgeChoice{Backend: "openai", Endpoint: "https://api.cerebras.ai/v1", KeyEnv: "K"}, "K", ""},
		{JudgeChoice{Backend: "openai", KeyFile: "f"}, "", "f"},
		{JudgeChoice{Backend: "claude"}, "", ""},
	} {
		if env, file := tt.c.Key(); env != tt.env || file != tt.file {
			t.Errorf("%+v: %q, %q", tt.c, env, file)
		}
	}
}

func TestJudgeRefused(t *testing.T) {
	for text, want := range map[string]string{
		"{backend: cerebras}":                                             `judge.backend: "cerebras", want one of builtin, none,`,
		"{backend: command}":                                              "judge.command: missing",
		"{backend: claude, command: [claude, -p]}":                        "judge.command: want the program of claude alone",
		"{backend: openai}":                                               "judge.model: missing",
		"{backend: openai, model: m, command: [x]}":                       "judge.command: openai is no program",
		"{backend: openai, model: m, env: [X]}":                           "judge.env: openai is no program",
		"{backend: openai, model: m, key_env: a, key_file: b}":            "judge.key_file: key_env is there",
		"{backend: openai, model: m, key_env: $KEY}":                      "judge.key_env: want the name",
		"{backend: openai, model: m, endpoint: ftp://x}":                  "judge.endpoint: want https",
		"{backend: openai, model: m, endpoint: api.example.com}":          "judge.endpoint: want https",
		`{backend: openai, model: m, endpoint: "http://10.0.0.1/v1"}`:     "judge.endpoint: plain http is for this machine only",
		`{backend: openai, model: m, endpoint: "http://localhost.evil/"}`: "judge.endpoint: plain http",
		`{backend: openai, model: m, endpoint: "https://u:secret@h/v1"}`:  "judge.endpoint: must hold no credential",
		`{backend: openai, model: m, endpoint: "https://h/v1?k=secret"}`:  "judge.endpoint: must hold no query",
		"{backend: codex, key_env: K}":                                    "judge.key_env: is for anthropic and openai, not for codex",
		"{backend: claude, timeout: -1s}":                                 "judge.timeout: -1s",
		"{fallback: [oracle]}":                                            `judge.fallback[0].backend: "oracle"`,
		"{backend: claude, fallback: [builtin, {backend: openai}]}":       "judge.fallback[1].model: missing",
		"{backend: claude, fallback: [none]}":                             "none is no judge to fall back to",
		"{backend: claude, fallback: [{backend: builtin, modell: x}]}":    `unknown field "modell"`,
		"{bakend: claude}":                                                `unknown field "bakend"`,
	} {
		c, err := ParseConfig([]byte("protect: {paths: [a]}\njudge: " + text + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if !strings.Contains(want, "unknown field") && (len(c.Protect.Paths) != 1 || c.Judge.Backend != "") {
			t.Errorf("%s: the other choices are lost, or the judge is not: %+v", text, c)
		}
	}
	for _, text := range []string{
		"{}", "{backend: none}", "{backend: builtin, command: [x], model: left-over}", "{backend: openai, model: m}",
		`{backend: openai, model: m, endpoint: "http://[::1]:1/v1"}`, `{backend: openai, model: m, endpoint: "http://localhost:11434/v1"}`,
		"{backend: gemini, model: x, env: [HTTPS_PROXY], timeout: 9s}", "{backend: claude, command: [/opt/claude]}",
	} {
		if _, err := ParseConfig([]byte("judge: " + text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAddJudge(t *testing.T) {
	const line = "judge: {backend: claude, fallback: [builtin]}"
	for before, want := range map[string]string{
		"":                              line + "\n",
		"# mine\nagents: [claude]":      "# mine\nagents: [claude]\n" + line + "\n",
		"agents:\n  - claude # one\n":   "agents:\n  - claude # one\n" + line + "\n",
		"protect:\n  paths:\n    - a\n": "protect:\n  paths:\n    - a\n" + line + "\n",
	} {
		got, err := AddJudge([]byte(before), line)
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", before, got, err)
		}
	}
	for before, want := range map[string]error{
		"judge: {backend: none}\n": ErrJudgeChosen, "judge:\n": ErrJudgeChosen, "{agents: [claude]}\n": ErrByHand, "agents: [claude]\n...\n": ErrByHand,
	} {
		if got, err := AddJudge([]byte(before), line); !errors.Is(err, want) {
			t.Errorf("%q: %q, %v", before, got, err)
		}
	}
	if _, err := AddJudge([]byte("judge: ["), line); err == nil {
		t.Error("a broken file was added to")
	}
}
