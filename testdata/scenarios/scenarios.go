// Package scenarios carries the scenarios that hookctl ships: each teaches one thing
// about when a check can still prevent. The program embeds them, so that they can be
// played where there is nothing but the program.
package scenarios

import "embed"

// FS holds the scenarios, one NAME.yaml each.
//
//go:embed *.yaml
var FS embed.FS
