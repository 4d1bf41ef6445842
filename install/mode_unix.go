//go:build !windows

package install

// modesCount says that the system keeps a file's mode as it was set.
const modesCount = true

// programEndings are what the name of a program may end with.
var programEndings = []string{""}
