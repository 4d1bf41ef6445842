package settings

import (
	"regexp"
	"slices"
	"strings"
)

// claudeEvents are the events of Claude Code 2.1.332.
func claudeEvents() []string {
	return []string{
		"PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
		"UserPromptSubmit", "UserPromptExpansion", "SessionStart", "Setup", "SessionEnd", "Stop", "SubagentStop",
		"StopFailure", "SubagentStart", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch",
		"PreSkillShellCommand", "TeammateIdle", "TaskCreated", "TaskCompleted", "ConfigChange", "Notification",
		"CwdChanged", "DirectoryAdded", "FileChanged", "InstructionsLoaded", "MessageDisplay", "Elicitation",
		"ElicitationResult", "WorktreeCreate", "WorktreeRemove",
	}
}

// claudeTools are the names that a matcher on a tool event can mean, of 2.1.332
// and, where they were renamed, of before. MCP tools (mcp__…) come on top.
func claudeTools() []string {
	return []string{
		"Bash", "PowerShell", "Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS",
		"Agent", "Task", "WebFetch", "WebSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "Skill",
		"SlashCommand", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput", "TaskStop",
		"BashOutput", "KillShell", "KillBash", "ToolSearch", "LSP", "ListMcpResourcesTool", "ReadMcpResourceTool",
	}
}

func toolEvent(event string) bool {
	return slices.Contains([]string{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "PreSkillShellCommand",
	}, event)
}

// matched are the values that a matcher is compared with, nil = not known here.
func matched(event string) []string {
	switch {
	case event == "PreSkillShellCommand":
		return nil
	case toolEvent(event):
		return claudeTools()
	case event == "SessionStart":
		return []string{"startup", "resume", "clear", "compact", "fork"}
	case event == "PreCompact" || event == "PostCompact":
		return []string{"manual", "auto"}
	case event == "Setup":
		return []string{"init", "maintenance"}
	}
	return nil
}

// ignoresMatcher names the events on which a matcher means nothing.
func ignoresMatcher(event string) bool {
	return slices.Contains([]string{
		"UserPromptSubmit", "PostToolBatch", "Stop", "TeammateIdle", "TaskCreated", "TaskCompleted",
		"WorktreeCreate", "WorktreeRemove", "MessageDisplay", "CwdChanged",
	}, event)
}

// judgeMatcher says what is wrong with a matcher, "" = nothing. The agent takes
// a matcher of only letters, digits, "_- ,|" as a list of exact names and any
// other as an unanchored regular expression, and says nothing when no name fits.
func judgeMatcher(event, m string) (code string, warn bool, what string) {
	if m == "" || m == "*" {
		return "", false, ""
	}
	if ignoresMatcher(event) {
		return "matcher-ignored", true, "is ignored: " + event + " has no matcher"
	}
	known := matched(event)
	if known == nil {
		return "", false, ""
	}
	const dead = "matcher-dead"
	if strings.Trim(m, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_- ,|") != "" {
		return judgePattern(event, m, known)
	}
	unknown := false
	what = "matches nothing"
	for name := range strings.FieldsFuncSeq(m, func(r rune) bool { return r == '|' || r == ',' }) {
		name = strings.TrimSpace(name)
		switch server, ok := strings.CutPrefix(name, "mcp__"); {
		case slices.Contains(known, name), ok && strings.Contains(server, "__"):
			return "", false, ""
		case ok:
			what = "matches nothing: a server's tools are " + name + "__.*"
		default:
			if hint := near(name, known); hint != "" {
				what = "matches nothing: names are compared exactly" + hint
			} else {
				unknown = true
			}
		}
	}
	if unknown && what == "matches nothing" {
		return "matcher-unknown", true, "matches no name that is known here"
	}
	return dead, false, what
}

// judgePattern judges a matcher that the agent takes as a regular expression.
func judgePattern(event, m string, known []string) (code string, warn bool, what string) {
	const dead = "matcher-dead"
	if name, rest, ok := strings.Cut(m, "("); ok && slices.Contains(known, name) && strings.HasSuffix(rest, ")") {
		return dead, false, "matches nothing: a permission rule is no matcher, write " + name + " (and the rule into \"if\")"
	}
	re, err := regexp.Compile(m)
	switch {
	case err != nil && strings.Contains(m, "(?"):
		return "", false, "" // may well be an expression that only JavaScript has
	case err != nil:
		return dead, false, "matches nothing: it is no valid regular expression"
	case strings.Contains(m, "mcp"):
		return "", false, ""
	case slices.ContainsFunc(known, re.MatchString):
		return "", false, ""
	case toolEvent(event) && looksLikeFile(m):
		return dead, false, "matches nothing: it is compared with the tool's name, not with a file's"
	}
	return "matcher-unknown", true, "matches no name that is known here"
}

func looksLikeFile(m string) bool {
	return strings.ContainsAny(m, `/\`) || strings.HasPrefix(m, "*.") || strings.LastIndexByte(m, '.') > 0 && !strings.ContainsAny(m, "*+")
}

// near is a hint at the name that was probably meant, or "".
func near(name string, known []string) string {
	if name == "" {
		return ""
	}
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return ", write " + k
		}
	}
	for _, k := range known {
		if len(name) > 1 && strings.HasPrefix(strings.ToLower(k), strings.ToLower(name)) {
			return ", did you mean " + k + "?"
		}
	}
	return ""
}
