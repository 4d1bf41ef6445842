//go:build !windows

package install

// modesCount says that the system keeps a file's mode as it was set.
const modesCount = true
