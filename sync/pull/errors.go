package pull

import "github.com/agenthooks/hookctl/install"

// The errors of installing that a caller tells apart.
type (
	// BusyError says that another hookctl held the home for the whole wait.
	BusyError = install.BusyError
	// AgentError says that hookctl cannot register itself with an agent.
	AgentError = install.AgentError
)
