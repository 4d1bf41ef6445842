//go:build !darwin && !windows

package install

// managedDir is where Claude Code looks for managed settings.
const managedDir = "/etc/claude-code"
