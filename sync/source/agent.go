package source

import (
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/crypto/ssh/agent"
)

// Agent is a connection to an ssh-agent. Close it.
type Agent struct {
	agent.ExtendedAgent
	io.Closer
}

// AgentError: there is no ssh-agent to be reached.
type AgentError struct {
	Path string // as in SSH_AUTH_SOCK; "" when that names none
	Err  error
}

func (e *AgentError) Error() string {
	if e.Path == "" {
		return "no ssh-agent: " + e.Err.Error()
	}
	return fmt.Sprintf("no ssh-agent at %s: %v", e.Path, e.Err)
}
func (e *AgentError) Unwrap() error { return e.Err }

// OpenAgent connects to the agent that listens at path, see [Options]. All that it
// is asked must be answered within wait; on Windows, whose pipes know no deadline,
// nothing bounds it. The error is an [AgentError].
func OpenAgent(path string, wait time.Duration) (*Agent, error) {
	if path == "" {
		return nil, &AgentError{Err: errors.New("SSH_AUTH_SOCK is not set")}
	}
	c, err := dialAgent(path, wait)
	if err != nil {
		return nil, &AgentError{Path: path, Err: err}
	}
	return &Agent{ExtendedAgent: agent.NewClient(c), Closer: c}, nil
}
