package decide

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

// toolKind is what a tool does, by its name.
type toolKind int

const (
	toolOther      toolKind = iota // cannot be told by its name
	toolReads                      // changes no file
	toolWrites                     // changes the files that its input names
	toolShell                      // runs a command line
	toolPowerShell                 // runs a line of PowerShell
	toolPatch                      // applies a patch that it is given as text
)

// kindOf knows the tools of the agents, and reads the names of others: of
// "mcp__files__write_file" the last part.
func kindOf(name string) toolKind {
	if kind, ok := exactly(name); ok {
		return kind
	}
	own := name
	if strings.HasPrefix(name, "mcp__") || strings.HasPrefix(name, "mcp_") {
		own = name[strings.LastIndex(name, "__")+1:]
	}
	return kindByWords(nameWords(own))
}

// exactly are the tools that agents come with.
func exactly(name string) (toolKind, bool) {
	switch name {
	case "Bash", "bash", "Shell", "shell", "run_shell_command", "local_shell", "exec_command", "unified_exec", "run_terminal_cmd", "runCommand", "runInTerminal",
		"run_in_terminal", "Terminal", "terminal", "execute_command", "container.exec", "Monitor":
		return toolShell, true
	case "PowerShell", "powershell", "pwsh":
		return toolPowerShell, true
	case "apply_patch", "patch", "ApplyPatch", "applyPatch":
		return toolPatch, true
	case "Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace", "edit", "create", "write", "multiedit", "edit_file", "search_replace", "StrReplace",
		"Delete", "delete_file", "EditNotebook", "str_replace_editor", "str_replace_based_edit_tool", "editFiles", "insert_edit_into_file", "create_file", "edit_notebook":
		return toolWrites, true
	case "Agent", "Task", "TodoWrite", "AskUserQuestion", "WebFetch", "WebSearch", "ExitPlanMode", "todo_write", "update_plan", "save_memory", "TaskCreate", "TaskUpdate", "Skill", "SlashCommand":
		return toolReads, true
	}
	return toolOther, false
}

// kindByWords tells by the words of a name. A word that writes counts more than
// one that reads: "read_and_replace" writes.
func kindByWords(words []string) toolKind {
	kind := toolOther
	for i, w := range words {
		switch w {
		case "write", "edit", "create", "delete", "remove", "move", "rename", "copy", "append", "insert", "replace", "patch", "update", "save", "modify", "put", "touch",
			"mkdir", "chmod", "truncate", "overwrite", "unlink", "extract", "set", "upload", "download", "restore", "symlink", "link", "apply", "store", "sync":
			return toolWrites
		case "shell", "bash", "terminal", "command", "exec", "execute", "run":
			if kind == toolOther && (w != "run" && w != "execute" || i == 0) {
				kind = toolShell
			}
		case "read", "get", "list", "search", "find", "stat", "info", "view", "show", "tree", "glob", "grep", "query", "fetch", "open", "cat", "ls", "describe", "diff", "head":
			if kind == toolOther {
				kind = toolReads
			}
		}
	}
	return kind
}

// nameWords cuts a name at signs and where a capital begins.
func nameWords(name string) (words []string) {
	start := 0
	cut := func(i int) {
		if start < i {
			words = append(words, strings.ToLower(name[start:i]))
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + len(string(r))
		case unicode.IsUpper(r) && i > start && !unicode.IsUpper(rune(name[i-1])):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

// pathFields are the members of a tool's input that name files.
var pathFields = []string{
	"file_path", "path", "notebook_path", "filePath", "filepath", "file", "filename", "fileName", "target_file", "targetFile", "relative_path", "relativePath",
	"absolute_path", "absolutePath", "destination", "dest", "destination_path", "destinationPath", "target", "target_path", "to", "new_path", "newPath", "output_path", "outputPath", "uri",
	"source", "src", "source_path", "sourcePath", "from", "old_path", "oldPath", "paths", "files", "file_paths", "filePaths", "edits", "target_notebook",
}

// sources are those of them that a copy only reads.
var sources = []string{"source", "src", "source_path", "sourcePath", "from", "old_path", "oldPath"}

// writes reads the files that a call names. A tool of which it cannot be told what
// it does may write them.
func (e *Engine) writes(ev gate.Event, a *acts, in map[string]json.RawMessage, kind toolKind) (*acts, error) {
	words := nameWords(ev.Tool.Name)
	if c := str(in, "command"); c == "view" && strings.HasPrefix(ev.Tool.Name, "str_replace") {
		return a, nil
	}
	effect := shell.Write
	switch {
	case slices.Contains(words, "delete") || slices.Contains(words, "remove"):
		effect = shell.Delete
	case slices.Contains(words, "move") || slices.Contains(words, "rename"):
		effect = shell.Move
	case kind == toolOther:
		effect = shell.Code
	}
	_, known := exactly(ev.Tool.Name)
	if !known {
		return e.others(ev, a, in, effect)
	}
	for _, f := range pathFields {
		raw, given := in[f]
		if !given || slices.Contains(sources, f) && slices.Contains(words, "copy") {
			continue
		}
		paths, err := strs(raw)
		many := strings.HasSuffix(f, "s")
		switch {
		case !many && raw[0] != '"' && string(raw) != "null" && f != "to" && f != "from":
			return a, unread(ev, f)
		case err != nil:
			continue
		}
		e.names(a, ev, effect, paths)
	}
	return a, nil
}

// names notes the files that a call names.
func (e *Engine) names(a *acts, ev gate.Event, kind shell.Kind, paths []string) {
	reach := shell.File
	if kind == shell.Delete || kind == shell.Move {
		reach = shell.Tree
	}
	for _, p := range paths {
		if p = ofURI(p); p != "" {
			a.effects = append(a.effects, shell.Effect{Path: named(p), Kind: kind, Reach: reach, By: ev.Tool.Name})
		}
	}
}

// diffEffects are the files of a unified diff, with and without the folder that
// stands before each name.
func diffEffects(patch string) (all []shell.Effect) {
	for _, n := range shell.DiffNames(patch) {
		_, rest, _ := strings.Cut(n, "/")
		for _, p := range []string{n, rest} {
			if p != "" && !strings.HasSuffix(n, " File") && !strings.Contains(n, "File:") {
				all = append(all, shell.Effect{Path: shell.Text(p), Kind: shell.Write, Reach: shell.File, By: "patch"})
			}
		}
	}
	return all
}
