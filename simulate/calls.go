package simulate

import (
	"strings"
	"time"
)

// call is one request on its way through the agent.
type call struct {
	Request
	n   int // from 1
	box *sandbox
	// ran is what the tool said, once it has run.
	ran *toolResult
	at  time.Time
}

// pascal reports whether an event is spelled as Claude spells it.
func pascal(event string) bool { return event != "" && event[0] >= 'A' && event[0] <= 'Z' }

func (c *call) path() string { return c.box.path(c.File) }

// The tools as each agent names them and hands them to a hook.

func claudeTool(_ string, c *call) (string, map[string]any) {
	switch c.Tool {
	case toolEdit:
		return "Edit", map[string]any{"file_path": c.path(), "old_string": c.Old, "new_string": c.New, "replace_all": false}
	case toolWrite:
		return "Write", map[string]any{"file_path": c.path(), "content": c.Content}
	case toolRead:
		return "Read", map[string]any{"file_path": c.path()}
	case toolBash:
		return "Bash", map[string]any{"command": c.Command, "description": "simulated"}
	}
	return c.Tool, map[string]any{"command": c.Patch}
}

// codexTool: Codex edits and writes by a patch, and reads by a shell command.
func codexTool(_ string, c *call) (string, map[string]any) {
	switch c.Tool {
	case toolRead:
		return "Bash", map[string]any{"command": "cat " + quote(c.path())}
	case toolBash:
		return "Bash", map[string]any{"command": c.Command}
	}
	return "apply_patch", map[string]any{"command": c.asPatch()}
}

func geminiTool(_ string, c *call) (string, map[string]any) {
	switch c.Tool {
	case toolEdit:
		return "replace", map[string]any{"file_path": c.path(), "old_string": c.Old, "new_string": c.New, "instruction": "simulated"}
	case toolWrite:
		return "write_file", map[string]any{"file_path": c.path(), "content": c.Content}
	case toolRead:
		return "read_file", map[string]any{"file_path": c.path()}
	case toolBash:
		return "run_shell_command", map[string]any{"command": c.Command, "description": "simulated", "is_background": false}
	}
	return c.Tool, map[string]any{"command": c.Patch}
}

func qwenTool(event string, c *call) (string, map[string]any) {
	if c.Tool == toolEdit {
		return "edit", map[string]any{"file_path": c.path(), "old_string": c.Old, "new_string": c.New}
	}
	return geminiTool(event, c)
}

func copilotTool(event string, c *call) (name string, input map[string]any) {
	switch c.Tool {
	case toolEdit:
		name, input = "edit", map[string]any{"path": c.path(), "old_str": c.Old, "new_str": c.New}
	case toolWrite:
		name, input = "create", map[string]any{"path": c.path(), "file_text": c.Content}
	case toolRead:
		name, input = "view", map[string]any{"path": c.path()}
	case toolBash:
		name, input = "bash", map[string]any{"command": c.Command, "description": "simulated"}
	default:
		return c.Tool, map[string]any{"command": c.Patch}
	}
	if pascal(event) {
		name = c.Tool // Claude's names, with its own fields
	}
	return name, input
}

func cursorTool(event string, c *call) (string, map[string]any) {
	if pascal(event) {
		return claudeTool(event, c)
	}
	switch c.Tool {
	case toolEdit:
		return "Write", map[string]any{"file_path": c.path(), "old_string": c.Old, "new_string": c.New}
	case toolWrite:
		return "Write", map[string]any{"file_path": c.path(), "content": c.Content}
	case toolRead:
		return "Read", map[string]any{"file_path": c.path()}
	case toolBash:
		return "Shell", map[string]any{"command": c.Command, "cwd": c.box.project}
	}
	return "Write", map[string]any{"command": c.Patch}
}

// asPatch words an edit or a write as Codex does.
func (c *call) asPatch() string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	lines := func(mark, text string) {
		for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			b.WriteString(mark + l + "\n")
		}
	}
	old, there := c.box.read(c.File)
	switch {
	case c.Tool == toolPatch:
		return c.Patch
	case c.Tool == toolEdit && there:
		b.WriteString("*** Update File: " + c.patchName() + "\n@@\n")
		from, to := around(old, c.Old, c.New)
		lines("-", from)
		lines("+", to)
	case there:
		b.WriteString("*** Update File: " + c.patchName() + "\n@@\n")
		lines("-", old)
		lines("+", c.Content)
	default:
		b.WriteString("*** Add File: " + c.patchName() + "\n")
		lines("+", c.Content)
	}
	b.WriteString("*** End Patch\n")
	return b.String()
}

// patchName is a file as a patch names it: from the project's folder.
func (c *call) patchName() string {
	if strings.HasPrefix(c.File, "~/") {
		return c.path()
	}
	return c.File
}

// around gives the whole lines that an edit takes away and those that it puts there;
// the texts themselves where the edit does not fit.
func around(file, old, new string) (from, to string) {
	i := strings.Index(file, old)
	if i < 0 || old == "" {
		return old, new
	}
	start := strings.LastIndexByte(file[:i], '\n') + 1
	end := i + len(old)
	if n := strings.IndexByte(file[end:], '\n'); n >= 0 {
		end += n
	} else {
		end = len(file)
	}
	from = file[start:end]
	return from, strings.Replace(from, old, new, 1)
}

// quote makes one word of a text for sh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
