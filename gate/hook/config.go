package hook

import "github.com/agenthooks/hookctl/manifests"

// Config is what this machine chose, within the floor of the bundle.
type Config struct {
	// Judge is layer 2; nil is the builtin judge.
	Judge   Judge
	Protect []string // further protected paths
	// Commands are ids of guards to enforce, and further guarded commands.
	Commands []string
	Demote   []manifests.Demotion
	Blocks   int // of one gate in one user turn; 0 = 2
	// Fault says why the machine's choices could not be read, "" when they were.
	Fault string
}
