// Package transcript reads the tail of an agent's transcript: backwards,
// bounded, settled. It opens regular files only and never reads a whole one.
package transcript

import "context"

// Tail is what the end of a transcript tells.
type Tail struct {
	Text    string // the final message of the assistant in this user turn, "" when it has none
	Context string // its text since the last real user turn, at most gate.ContextBytes, ends with Text
	Message string // id of the final message
	Turn    string // id of the last real user turn
	Size    int64  // of the file
}

// Read reads the tail of the file at path ("~" is user's home). It waits for a
// file that lags until ctx ends, then answers with what is there.
func Read(ctx context.Context, path, user string) (Tail, error) { return Tail{}, nil }
