//go:build race

package hook_test

// The race detector takes 5 to 10 times the memory (https://go.dev/doc/articles/race_detector).
func init() { memoryFactor = 10 }
