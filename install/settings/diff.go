package settings

import "github.com/aymanbagabas/go-udiff"

// Diff is the unified diff of two versions of the file name, "" when they are
// equal.
func Diff(name string, before, after []byte) string {
	return udiff.Unified(name, name, string(before), string(after))
}
