package settings

import (
	"path/filepath"
	"slices"
	"strings"
)

// Own reports whether a registration is hookctl's: its program is named hookctl
// or hookctl.exe, in whatever folder, its first argument that is no flag is gate,
// and nothing else is started. Three forms are read: a shell command line, also
// with the ending of [Guarded], one as [PowerShellLine] makes it, and a program
// with args. A line that goes on to something else is somebody's own work.
func Own(command string, args []string) bool {
	if len(args) > 0 && program(command) && subcommand(args) {
		return true
	}
	words := append(splitWords(unguarded(command)), args...)
	return len(words) > 1 && program(words[0]) && subcommand(words[1:]) && !slices.ContainsFunc(words, control)
}

// control knows a word that begins another command.
func control(word string) bool { return slices.Contains([]string{";", "&", "|", "(", ")", "\n"}, word) }

// The endings that make a command line succeed whatever becomes of hookctl, and
// PowerShell's way to start a program whose path is quoted.
const (
	shGuard  = " || true"
	psGuard  = "; exit 0"
	psPrefix = "& "
)

// Guarded is a command line for sh that succeeds when hookctl is missing or is
// killed, for agents that take that for a block. What hookctl prints is unchanged.
func Guarded(line string) string { return line + shGuard }

// PowerShellLine is the guarded command line for PowerShell.
func PowerShellLine(binary string) string {
	return psPrefix + "'" + strings.ReplaceAll(binary, "'", "''") + "' gate" + psGuard
}

// FromPowerShell is a [PowerShellLine] as sh takes it; ok is false for any other
// line.
func FromPowerShell(line string) (sh string, ok bool) {
	inner, ok := strings.CutPrefix(line, psPrefix)
	if ok {
		inner, ok = strings.CutSuffix(inner, "' gate"+psGuard)
	}
	if ok {
		inner, ok = strings.CutPrefix(inner, "'")
	}
	if !ok {
		return "", false
	}
	return CommandLine(strings.ReplaceAll(inner, "''", "'")), true
}

// SameProgram reports whether two command lines of ours start one program with the
// same arguments: the guard and the quoting make no difference.
func SameProgram(a, b string) bool {
	return slices.Equal(splitWords(unguarded(a)), splitWords(unguarded(b)))
}

// unguarded is a command line without the guard, if it is one of ours to the
// letter, and trimmed.
func unguarded(line string) string {
	if inner, ok := FromPowerShell(line); ok {
		return inner
	}
	line, _ = strings.CutSuffix(strings.TrimSpace(line), shGuard)
	return line
}

func program(path string) bool {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	return name == "hookctl" || strings.EqualFold(name, "hookctl.exe")
}

func subcommand(words []string) bool {
	i := slices.IndexFunc(words, func(w string) bool { return !strings.HasPrefix(w, "-") })
	return i >= 0 && words[i] == "gate"
}

// splitWords cuts a command line as sh does, as far as telling a program's name
// needs it: quotes and backslashes, no expansion. What ends a word and is no white
// space is a word of its own. A backslash before an ordinary
// character stays, for the sake of Windows paths.
func splitWords(line string) []string {
	var words []string
	var w strings.Builder
	in, quote := false, byte(0)
	end := func() {
		if in {
			words = append(words, w.String())
			w.Reset()
			in = false
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line) && escapable(line[i+1], quote):
			i++
			w.WriteByte(line[i])
			in = true
		case quote != 0:
			w.WriteByte(c)
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == ' ' || c == '\t' || c == '\r':
			end()
		case c == '\n' || c == ';' || c == '&' || c == '|' || c == '<' || c == '>' || c == '(' || c == ')':
			end()
			words, in = append(words, string(c)), false
		default:
			w.WriteByte(c)
			in = true
		}
	}
	end()
	return words
}

func escapable(c, quote byte) bool {
	if quote == '"' {
		return strings.IndexByte("\"\\$`", c) >= 0
	}
	return strings.IndexByte(" \t'\"\\$`;&|<>()*?[]#~!{}", c) >= 0
}

// CommandLine is the command that is registered for an installed binary. The
// path is quoted for sh only where sh would read a character of it otherwise:
// the agents show the line, and their trust dialogs remember it.
func CommandLine(binary string) string {
	path := filepath.ToSlash(binary) // Git's bash on Windows takes backslashes for escapes
	if strings.ContainsAny(path, " \t\r\n'\"\\$`;&|<>()*?[]#~!{}=%^") {
		path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path + " gate"
}
