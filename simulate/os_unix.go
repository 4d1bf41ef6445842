//go:build unix

package simulate

// shell is the program of a shell that an agent names.
func shell(name string) string { return name }
