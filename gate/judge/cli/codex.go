package cli

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agenthooks/hookctl/gate/judge"
)

var codexKeys = []string{"CODEX_API_KEY", "OPENAI_API_KEY", "CODEX_HOME"}

// codexOff are the features that let a model act, or the program start others.
// Without the host of its code mode the tools that are left cannot run.
var codexOff = []string{
	"hooks", "shell_tool", "unified_exec", "code_mode_host", "apps", "plugins", "multi_agent", "multi_agent_v2", "view_image",
	"goals", "browser_use", "computer_use", "image_generation", "memories", "tool_suggest", "shell_snapshot", "skill_search",
}

// codexSet are further choices of this run, in place of config.toml's, which is
// not read. What the user keeps in CODEX_HOME/AGENTS.md is sent all the same.
var codexSet = []string{
	"mcp_servers={}", "project_doc_max_bytes=0", `web_search="disabled"`, `approval_policy="never"`, "skills.include_instructions=false",
	"include_environment_context=false", "include_permissions_instructions=false", "include_apps_instructions=false",
	"include_collaboration_mode_instructions=false", "analytics.enabled=false", "check_for_update_on_startup=false",
	`model_reasoning_effort="low"`,
}

func codexStart(a Agent, dir string, c judge.Call) judge.Start {
	argv := []string{
		a.Path, "exec", "--json", "--color", "never", "--ephemeral", "--ignore-user-config", "--ignore-rules",
		"--skip-git-repo-check", "--sandbox", "read-only", "--output-schema", filepath.Join(dir, "schema.json"),
	}
	for _, f := range codexOff {
		argv = append(argv, "-c", "features."+f+"=false")
	}
	for _, set := range codexSet {
		argv = append(argv, "-c", set)
	}
	argv = append(argv, "-c", "model_instructions_file="+strconv.Quote(filepath.Join(dir, "instructions.md")))
	if a.Model != "" {
		argv = append(argv, "--model", a.Model)
	}
	return judge.Start{
		Argv:  append(argv, "-"),
		Files: map[string][]byte{"schema.json": c.Schema, "instructions.md": []byte(system)},
	}
}

// codexWords reads the events, one a line: the last message of the model counts,
// unless the turn failed. An event of type error may be followed by a new try.
func codexWords(stdout []byte) (string, error) {
	words, failed := "", ""
	for line := range strings.Lines(string(stdout)) {
		var e struct {
			Type, Message string
			Item          struct{ Type, Text string }
			Error         struct{ Message string }
		}
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch {
		case e.Type == "item.completed" && e.Item.Type == "agent_message":
			words = e.Item.Text
		case e.Type == "turn.failed":
			return "", excused(e.Error.Message)
		case e.Type == "error":
			failed = e.Message
		}
	}
	switch {
	case words != "":
		return words, nil
	case failed != "":
		return "", excused(failed)
	}
	return "", errors.New("it printed no message")
}
