// Package compiled carries the embedded bundle's gates in the compiled form that
// the hook loads. The file beside it is made by "go generate ./manifests/..."
// from manifests/gates; a test goes red when it is stale.
package compiled

import _ "embed"

//go:generate go run github.com/agenthooks/hookctl/cmd/hookctl bundle compile --embedded rules

//go:embed rules
var rules []byte

// Rules are the compiled rules of the embedded bundle.
func Rules() []byte { return rules }
