//go:build !windows

package pull

import "runtime"

// managedDir is where Claude Code 2.1 looks for managed settings.
func managedDir() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/ClaudeCode"
	}
	return "/etc/claude-code"
}
