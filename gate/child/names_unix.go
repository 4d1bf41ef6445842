//go:build unix

package child

// sameName compares the names of two environment variables.
func sameName(a, b string) bool { return a == b }
