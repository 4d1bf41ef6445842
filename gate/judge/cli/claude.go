package cli

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agenthooks/hookctl/gate/judge"
)

// claudeKeys: ANTHROPIC_BASE_URL is not among them, see [agent].
var claudeKeys = []string{"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"}

// claudeStart: --bare would be shorter, but with it the login of a subscription is
// not read.
func claudeStart(a Agent, _ string, c judge.Call) judge.Start {
	model := a.Model
	if model == "" {
		model = "haiku" // an alias: it outlives a model
	}
	return judge.Start{
		Argv: []string{
			a.Path, "--print", "--output-format", "json", "--model", model, "--system-prompt", system,
			"--setting-sources", "", // neither the user's nor a project's
			"--settings", `{"disableAllHooks":true}`,
			"--strict-mcp-config", "--tools", "", "--disable-slash-commands", "--no-session-persistence",
			"--json-schema", string(c.Schema),
		},
		Set: []string{
			"CLAUDE_CODE_SAFE_MODE=1", // plugins, skills, instructions: off, where the version knows it
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
			"CLAUDE_CODE_MAX_RETRIES=1",
		},
	}
}

// claudeWords opens {"type":"result", …}: what was held to the schema, else the
// text. It is the last line that is such an object.
func claudeWords(stdout []byte) (string, error) {
	var r struct {
		Type       string
		Failed     bool `json:"is_error"`
		Result     string
		Structured json.RawMessage `json:"structured_output"`
		Status     int             `json:"api_error_status"`
	}
	found := false
	for line := range strings.Lines(string(stdout)) {
		next := r
		next.Structured, next.Result, next.Failed, next.Status = nil, "", false, 0
		if json.Unmarshal([]byte(line), &next) == nil && next.Type == "result" {
			r, found = next, true
		}
	}
	switch {
	case !found:
		return "", errors.New("it printed no result")
	case r.Status >= 400:
		return "", judge.OfStatus(r.Status, r.Result)
	case r.Failed:
		return "", excused(r.Result)
	case len(r.Structured) > 0 && string(r.Structured) != "null":
		return string(r.Structured), nil
	}
	return r.Result, nil
}

// excused is the failure behind the words of a program that reports one.
func excused(words string) error {
	if f := judge.Excuse(words); f != nil {
		return f
	}
	return &judge.Failure{Kind: judge.Refused, Detail: judge.Detail(words)}
}
