package home

import (
	"errors"
	"io/fs"
	"os"
)

// maxFile bounds what the hook reads of its own folder at an event, in bytes; the
// files are of some hundred.
const maxFile = 1 << 20

// ReadConfig reads config.yaml as it is.
func ReadConfig(d Dir) ([]byte, error) { return readFile(d.Config()) }

// readFile reads a regular file: a pipe of its name would be waited for.
func readFile(path string) ([]byte, error) {
	i, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !i.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is not a regular file")}
	case i.Size() > maxFile:
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is larger than 1 MiB")}
	}
	return os.ReadFile(path)
}
