package settings

import (
	"slices"

	"github.com/agenthooks/hookctl/install/agent"
)

// Reader is what one agent makes of the hooks in a file: which events there are,
// with what a matcher is compared, and how. It was measured with the clients that
// testdata/matchers names; Cursor's is from its documentation.
type Reader struct {
	Agent  string
	Title  string
	Format agent.Format
	events []string
	tools  []Tool
	kinds  []string // of a hook: command, …
	// compared are the values that a matcher on an event is compared with; an event
	// that is not there ignores its matcher. nil values are not known here.
	compared map[string][]string
	onTools  []string // events on which a matcher is compared with tools
	match    func(matcher string, t Tool) Match
	// whole says that one value of a wrong type costs all hooks of the file.
	whole bool
	// noNull says that anything but a list in the place of an event does too, noBOM
	// that a byte order mark does, strict that comments and trailing commas do.
	noNull, noBOM bool
	strict        bool
}

// Tool is a tool of an agent: the name that the agent gives it, and the other
// names by which a matcher may call it.
type Tool struct {
	Name  string
	Alias []string
}

// ReaderOf is how an agent reads a file of a format. Unknown agents are read as
// Claude Code, whose form most have taken.
func ReaderOf(name string, f agent.Format) Reader {
	var r Reader
	switch name {
	case agent.Codex:
		r = codexReader()
	case agent.Gemini:
		r = geminiReader()
	case agent.Qwen:
		r = qwenReader()
	case agent.Copilot:
		r = copilotReader()
	case agent.Cursor:
		r = cursorReader()
	default:
		name, r = agent.Claude, claudeReader()
	}
	r.Agent, r.Title, r.Format = name, name, f
	if a, ok := agent.Lookup(name); ok {
		r.Title = a.Title
	}
	return r
}

// tools makes tools of names without aliases.
func tools(names ...string) (list []Tool) {
	for _, n := range names {
		list = append(list, Tool{Name: n})
	}
	return list
}

// claudeReader: Claude Code 2.1.332.
func claudeReader() Reader {
	return Reader{
		events: []string{
			"PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
			"UserPromptSubmit", "UserPromptExpansion", "SessionStart", "Setup", "SessionEnd", "Stop", "SubagentStop",
			"StopFailure", "SubagentStart", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch",
			"PreSkillShellCommand", "TeammateIdle", "TaskCreated", "TaskCompleted", "ConfigChange", "Notification",
			"CwdChanged", "DirectoryAdded", "FileChanged", "InstructionsLoaded", "MessageDisplay", "Elicitation",
			"ElicitationResult", "WorktreeCreate", "WorktreeRemove",
		},
		tools: tools(
			"Bash", "PowerShell", "Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS",
			"Agent", "Task", "WebFetch", "WebSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "Skill",
			"SlashCommand", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput", "TaskStop",
			"BashOutput", "KillShell", "KillBash", "ToolSearch", "LSP", "ListMcpResourcesTool", "ReadMcpResourceTool",
		),
		kinds:   []string{"command", "http", "mcp_tool", "prompt", "agent"},
		onTools: []string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"},
		compared: map[string][]string{
			"SessionStart": {"startup", "resume", "clear", "compact", "fork"}, "Setup": {"init", "maintenance"},
			"PreCompact": {"manual", "auto"}, "PostCompact": {"manual", "auto"},
			"SessionEnd": nil, "Notification": nil, "SubagentStart": nil, "SubagentStop": nil, "ConfigChange": nil,
			"DirectoryAdded": nil, "FileChanged": nil, "StopFailure": nil, "InstructionsLoaded": nil, "UserPromptExpansion": nil,
			"Elicitation": nil, "ElicitationResult": nil, "PreModelSwitch": nil, "PostModelSwitch": nil, "PreSkillShellCommand": nil,
		},
		match: matchClaude, whole: true, strict: true,
	}
}

// codexReader: Codex CLI 0.171.0. A patch is called by the names of Claude Code's
// tools too.
func codexReader() Reader {
	return Reader{
		events: []string{
			"PreToolUse", "PermissionRequest", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "SubagentStart",
			"SessionStart", "SessionEnd", "PreCompact", "PostCompact", "Interrupt",
		},
		tools: []Tool{
			{Name: "Bash"},
			{Name: "apply_patch", Alias: []string{"Edit", "Write"}},
			{Name: "spawn_agent", Alias: []string{"Agent"}},
			{Name: "update_plan"},
			{Name: "view_image"},
			{Name: "write_stdin"},
		},
		kinds:   []string{"command", "mcp_tool"},
		onTools: []string{"PreToolUse", "PostToolUse", "PermissionRequest"},
		compared: map[string][]string{
			"SessionStart": {"startup", "resume", "clear", "compact", "fork"},
			"PreCompact":   {"manual", "auto"}, "PostCompact": {"manual", "auto"},
			"SubagentStart": nil, "SubagentStop": nil, "SessionEnd": nil,
		},
		match: matchCodex, whole: true, noNull: true, noBOM: true, strict: true,
	}
}

// geminiReader: Gemini CLI 0.61.0.
func geminiReader() Reader {
	return Reader{
		events: []string{
			"BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection",
			"SessionStart", "SessionEnd", "Notification", "PreCompress",
		},
		tools: tools(
			"run_shell_command", "write_file", "replace", "read_file", "read_many_files", "glob", "grep_search", "list_directory",
			"web_fetch", "google_web_search", "invoke_agent", "write_todos", "activate_skill", "ask_user", "get_internal_docs",
			"enter_plan_mode", "exit_plan_mode", "update_topic", "complete_task", "read_mcp_resource", "list_mcp_resources",
			"save_memory",
		),
		kinds:   []string{"command"},
		onTools: []string{"BeforeTool", "AfterTool"},
		compared: map[string][]string{
			"SessionStart": {"startup", "resume", "clear"}, "SessionEnd": {"exit", "clear", "logout", "prompt_input_exit", "other"},
			"PreCompress": {"manual", "auto"}, "Notification": nil,
		},
		match: matchGemini, noBOM: true,
	}
}

// qwenReader: Qwen Code 0.24.4.
func qwenReader() Reader {
	return Reader{
		events: []string{
			"PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "UserPromptExpansion",
			"SessionStart", "SessionEnd", "SessionDelete", "MessageDisplay", "Stop", "StopFailure", "SubagentStart",
			"SubagentStop", "PreCompact", "PostCompact", "Notification", "PermissionRequest", "PermissionDenied",
			"TodoCreated", "TodoCompleted", "InstructionsLoaded",
		},
		tools: []Tool{
			{"run_shell_command", []string{"Shell", "ShellTool", "Bash"}},
			{"edit", []string{"Edit", "EditTool", "replace"}},
			{"write_file", []string{"Write", "WriteFile", "WriteFileTool"}},
			{"read_file", []string{"Read", "ReadFile", "ReadFileTool"}},
			{"notebook_edit", []string{"NotebookEdit", "NotebookEditTool"}},
			{"grep_search", []string{"Grep", "GrepTool", "SearchFiles", "search_file_content"}},
			{"glob", []string{"Glob", "GlobTool", "FindFiles"}},
			{"list_directory", []string{"ListFiles", "ListFilesTool", "ReadFolder"}},
			{"todo_write", []string{"TodoList", "TodoWrite", "TodoWriteTool"}},
			{"web_fetch", []string{"WebFetch", "WebFetchTool"}},
			{"web_search", []string{"WebSearch", "WebSearchTool"}},
			{"agent", []string{"Agent", "AgentTool", "Task", "TaskTool", "task"}},
			{"skill", []string{"Skill", "SkillTool"}},
			{"exit_plan_mode", []string{"ExitPlanMode", "ExitPlanModeTool"}},
			{"ask_user_question", []string{"AskUserQuestion", "AskUserQuestionTool"}},
			{"save_memory", []string{"SaveMemory", "SaveMemoryTool"}},
			{"monitor", []string{"Monitor", "MonitorTool"}},
			{"exec", []string{"Exec", "ExecTool"}},
			{"tool_call", []string{"ToolCall", "ToolCallTool"}},
			{"zoom_image", []string{"ZoomImage", "ZoomImageTool"}},
			{"read_mcp_resource", []string{"ReadMcpResource", "ReadMcpResourceTool"}},
		},
		kinds:   []string{"command", "http", "function", "prompt"},
		onTools: []string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"},
		compared: map[string][]string{
			"SessionStart": {"startup", "resume", "clear", "compact"},
			"PreCompact":   {"manual", "auto"}, "PostCompact": {"manual", "auto"},
			"SessionEnd": nil, "StopFailure": nil, "Notification": nil, "InstructionsLoaded": nil, "UserPromptExpansion": nil,
			"SubagentStart": nil, "SubagentStop": nil,
		},
		match: matchQwen,
	}
}

// copilotReader: GitHub Copilot CLI 1.0.102. Names of Claude Code's events bring
// its names of the tools along, and another reading of matchers.
func copilotReader() Reader {
	return Reader{
		events: []string{
			"agentStop", "subagentStart", "subagentStop", "preToolUse", "postToolUse", "postToolUseFailure", "permissionRequest",
			"preMcpToolCall", "preCompact", "notification", "userPromptSubmitted", "userPromptTransformed", "sessionStart",
			"sessionEnd", "errorOccurred",
			"Stop", "SubagentStart", "SubagentStop", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest",
			"PreCompact", "Notification", "UserPromptSubmit", "SessionStart", "SessionEnd", "ErrorOccurred",
		},
		tools: []Tool{
			{"bash", []string{"Bash"}},
			{"view", []string{"Read"}},
			{"edit", []string{"Edit"}},
			{"create", []string{"Write"}},
			{Name: "powershell"},
			{Name: "grep", Alias: []string{"Grep"}},
			{Name: "glob", Alias: []string{"Glob"}},
			{Name: "web_fetch", Alias: []string{"WebFetch"}},
			{Name: "task", Alias: []string{"Task"}},
			{Name: "str_replace_editor"},
			{Name: "read_bash"},
			{Name: "write_bash"},
			{Name: "stop_bash"},
			{Name: "list_bash"},
			{Name: "report_intent"},
			{Name: "update_todo"},
			{Name: "store_memory"},
			{Name: "ask_user"},
			{Name: "apply_patch"},
		},
		kinds: []string{"command", "http", "prompt"},
		onTools: []string{
			"preToolUse", "postToolUse", "postToolUseFailure", "permissionRequest",
			"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest",
		},
		compared: map[string][]string{
			"sessionStart": nil, "SessionStart": nil, "sessionEnd": nil, "SessionEnd": nil, "preCompact": nil, "PreCompact": nil,
			"notification": nil, "Notification": nil, "subagentStart": nil, "subagentStop": nil, "SubagentStart": nil,
			"SubagentStop": nil, "preMcpToolCall": nil, "userPromptSubmitted": nil, "userPromptTransformed": nil,
			"UserPromptSubmit": nil, "errorOccurred": nil, "ErrorOccurred": nil,
		},
		noNull: true,
	}
}

// cursorReader is from Cursor's documentation.
func cursorReader() Reader {
	return Reader{
		events: []string{
			"sessionStart", "sessionEnd", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart", "subagentStop",
			"beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution", "beforeReadFile",
			"afterFileEdit", "beforeSubmitPrompt", "preCompact", "stop", "afterAgentResponse", "afterAgentThought",
			"beforeTabFileRead", "afterTabFileEdit", "workspaceOpen",
		},
		tools:   tools("Shell", "Read", "Write", "Grep", "Delete", "Task", "MCP:tool"),
		kinds:   []string{"command", "prompt"},
		onTools: []string{"preToolUse", "postToolUse", "postToolUseFailure"},
		compared: map[string][]string{
			"beforeShellExecution": nil, "afterShellExecution": nil, "beforeMCPExecution": nil, "afterMCPExecution": nil,
			"beforeReadFile": nil, "afterFileEdit": nil, "subagentStart": nil, "subagentStop": nil, "sessionStart": nil,
			"sessionEnd": nil, "preCompact": nil, "beforeTabFileRead": nil, "afterTabFileEdit": nil, "workspaceOpen": nil,
			"beforeSubmitPrompt": {"UserPromptSubmit"}, "stop": {"Stop"},
			"afterAgentResponse": {"AgentResponse"}, "afterAgentThought": {"AgentThought"},
		},
		match: matchRegexp,
	}
}

// Known reports whether the agent has an event of that name.
func (r Reader) Known(event string) bool { return slices.Contains(r.events, event) }

// OnTools reports whether a matcher on the event is compared with tools.
func (r Reader) OnTools(event string) bool { return slices.Contains(r.onTools, event) }
