package transcript

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// ErrNotRegular is a directory, a pipe or a device in place of a transcript.
var ErrNotRegular = errors.New("the transcript is not a regular file")

// open opens a regular file, following links. It looks before it opens, since
// opening a device can act on it, and looks again after, since the path may have
// changed in between; the open itself cannot hang on a pipe.
func open(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noHang, 0)
	if err != nil {
		return nil, 0, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// expand puts the user's home in the place of a leading "~".
func expand(path, user string) string {
	if user == "" || !strings.HasPrefix(path, "~") {
		return path
	}
	if rest := path[1:]; rest == "" || os.IsPathSeparator(rest[0]) {
		return user + rest
	}
	return path
}

// subagentFile reports whether the path is one of those that hold a subagent's
// own transcript, where every line is marked as a side chain.
func subagentFile(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	i := strings.LastIndexByte(path, '/') + 1
	return strings.HasPrefix(path[i:], "agent-") || strings.HasSuffix(path[:i], "/subagents/")
}
