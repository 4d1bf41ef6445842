package pull

import "os"

// managedDir is where Claude Code 2.1 looks for managed settings.
func managedDir() string {
	if p := os.Getenv("ProgramFiles"); p != "" {
		return p + `\ClaudeCode`
	}
	return `C:\Program Files\ClaudeCode`
}
