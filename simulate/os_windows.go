package simulate

import "path"

// shell is the program of a shell that an agent names: that of Git for Windows.
func shell(name string) string { return path.Base(name) }
