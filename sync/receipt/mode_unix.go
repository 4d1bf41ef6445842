//go:build !windows

package receipt

import "io/fs"

// tooOpen reports whether others than the owner may do anything with a file.
func tooOpen(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o077 != 0 }
