package judge

import (
	"strings"

	"github.com/agenthooks/hookctl/gate/child"
)

// passed are the variables without which programs do not start, find no user or
// no language. Keys and tokens are not among them: who needs one names it.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM", "TMPDIR", "TMP", "TEMP",
	"HOOKCTL_HOME", // where the guard's files lie, for a hook inside the judge
	// Windows
	"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

// environ returns the entries of all whose name is passed or in more.
func environ(all, more []string) []string {
	var env []string
	for _, entry := range all {
		name, _, ok := strings.Cut(entry, "=")
		if ok && name != "" && (child.Named(name, passed) || child.Named(name, more)) {
			env = append(env, entry)
		}
	}
	return env
}
