package settings

import (
	"slices"
	"time"
)

// Tool is the agent's tool that is called so, by its own name or by another that a
// matcher may use. One that is not known here has no other names.
func (r Reader) Tool(called string) Tool {
	i := slices.IndexFunc(r.tools, func(t Tool) bool { return t.Name == called || slices.Contains(t.Alias, called) })
	if i < 0 {
		return Tool{Name: called}
	}
	return r.tools[i]
}

// Waits is how long the agent waits for a hook by its entry, 0 when that names no time.
func (r Reader) Waits(h Registration) time.Duration { return r.takes(h.Timeout) }
