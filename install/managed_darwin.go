package install

// managedDir is where Claude Code looks for managed settings.
const managedDir = "/Library/Application Support/ClaudeCode"
