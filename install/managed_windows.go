package install

// managedDir is where Claude Code looks for managed settings.
const managedDir = `C:\Program Files\ClaudeCode`
