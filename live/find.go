package live

import (
	"os"
	"path/filepath"
	"strings"
)

// find looks for an agent's program: where the caller says, then in
// $HOOKCTL_AGENT_NAME, in $PATH, and where installers put it that a shell knows of
// and this process may not. "" when there is none.
func find(o Options, name string) string {
	if p := o.Bins[name]; p != "" {
		return p
	}
	if p := o.Getenv("HOOKCTL_AGENT_" + strings.ToUpper(name)); p != "" {
		return p
	}
	folders := filepath.SplitList(o.Getenv("PATH"))
	if prefix := o.Getenv("NPM_CONFIG_PREFIX"); prefix != "" {
		folders = append(folders, filepath.Join(prefix, "bin"))
	}
	for _, f := range []string{".local/bin", ".npm-global/bin", ".npm/bin", ".bun/bin", ".volta/bin", ".claude/local", ".opencode/bin", "bin"} {
		if o.User != "" {
			folders = append(folders, filepath.Join(o.User, f))
		}
	}
	// The newest Node.js of nvm and fnm comes last in the order of names, more or
	// less; any will do, since its own node is then beside the program.
	for _, pattern := range []string{".nvm/versions/node/*/bin", ".local/share/fnm/node-versions/*/installation/bin"} {
		if more, err := filepath.Glob(filepath.Join(o.User, pattern)); err == nil && o.User != "" {
			folders = append(folders, more...)
		}
	}
	for _, f := range append(folders, "/usr/local/bin", "/opt/homebrew/bin") {
		if f == "" {
			continue // an empty entry of $PATH is the folder one stands in
		}
		if p := filepath.Join(f, name); isProgram(p) {
			return p
		}
	}
	return ""
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
