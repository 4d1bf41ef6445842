package pull

import (
	"strings"

	"github.com/agenthooks/hookctl/install"
)

// What a caller sees of installing, and the errors that it tells apart.
type (
	// SettingsChange is what happens, or would happen, to one settings file.
	SettingsChange = install.Change
	// Written is a settings file that install has written, and what became of it.
	Written = install.Written
	// BusyError says that another hookctl held the home for the whole wait.
	BusyError = install.BusyError
	// AgentError says that hookctl cannot register itself with an agent.
	AgentError = install.AgentError
	// ScopeError says that an agent has no settings of a scope.
	ScopeError = install.ScopeError
	// LinkError says that an agent refuses settings that are a symbolic link.
	LinkError = install.LinkError
)

// ConfigError says that this machine's config.yaml cannot be read.
type ConfigError struct {
	Path string
	Err  error
}

func (e *ConfigError) Error() string {
	return e.Path + ": " + strings.TrimPrefix(e.Err.Error(), "config.yaml: ")
}
func (e *ConfigError) Unwrap() error { return e.Err }
