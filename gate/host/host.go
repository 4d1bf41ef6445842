// Package host speaks the agents' dialects: their bytes to a [gate.Event], a
// [gate.Verdict] to the bytes and the exit code that each of them honours.
package host

import "github.com/agenthooks/hookctl/gate"

// Parse reads the bytes an agent wrote to the hook. as is "" or "generic".
func Parse(raw []byte, as string, getenv func(string) string) (gate.Event, error) {
	return gate.Event{}, nil
}

// Answer is what the hook prints and how it exits.
type Answer struct {
	Stdout, Stderr []byte
	Exit           int
}

// Encode words a verdict for the agent that asked.
func Encode(ev gate.Event, v gate.Verdict) Answer { return Answer{} }
