// Package transcript reads the tail of an agent's transcript: backwards,
// bounded, settled. It opens regular files only, never reads a whole one, never
// waits for another process beyond the given context, and writes nothing. The
// formats are internal to the agents and change without notice: an unknown line
// is passed over, and what cannot be told is left empty.
package transcript

import (
	"context"
	"time"

	"github.com/agenthooks/hookctl/gate"
)

// Tail is what the end of a transcript tells.
type Tail struct {
	Text    string // the final message of the assistant in this user turn, "" when it has none
	Context string // its text since the last real user turn, at most gate.ContextBytes, ends with Text
	Message string // id of the final message
	Turn    string // id of the last real user turn, "" when it lies too far back
	Size    int64  // of the file
	// Settled is false when the end of the file was still being written, or its
	// final message had no text yet, when the wait ended.
	Settled bool
}

// Read reads the tail of the file at path ("~" is user's home). It waits for a
// file that lags until ctx ends, at most [gate.SettleTimeout], then answers with
// what is there; a ctx that has ended already makes it read once and not wait.
// A file that ends in whole lines with a final text needs no wait.
//
// The errors: one that wraps fs.ErrNotExist when there is no file,
// [ErrNotRegular], or what the system said.
func Read(ctx context.Context, path, user string) (Tail, error) {
	return read(ctx, path, user, wholeTurn)
}

// Last is Read for the final message alone: Context is cut from Text, and Turn
// stays empty. It reads no further back than that message, so that the length of
// a turn costs nothing where no pattern has matched yet.
func Last(ctx context.Context, path, user string) (Tail, error) {
	return read(ctx, path, user, finalMessage)
}

// Pauses between two looks at a file that lags.
const (
	firstPause = 25 * time.Millisecond
	longPause  = 100 * time.Millisecond
)

func read(ctx context.Context, path, user string, d depth) (Tail, error) {
	path = expand(path, user)
	f, size, err := open(path)
	if err != nil {
		return Tail{}, err
	}
	defer f.Close()
	ctx, cancel := context.WithTimeout(ctx, gate.SettleTimeout)
	defer cancel()

	own := subagentFile(path)
	tail, err := tailOf(f, size, d, own)
	if err != nil {
		return Tail{}, err
	}
	// A file that grew while it was watched has to stand still for one pause.
	for pause, grew := firstPause, false; !tail.Settled || grew; pause = min(2*pause, longPause) {
		ended := sleep(ctx, pause)
		info, err := f.Stat()
		if err != nil {
			return Tail{}, err
		}
		grew = info.Size() != size
		if grew {
			size = info.Size()
			if tail, err = tailOf(f, size, d, own); err != nil {
				return Tail{}, err
			}
		}
		if ended {
			break
		}
	}
	return tail, nil
}

// sleep waits for d and reports whether ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return true
	case <-t.C:
		return false
	}
}
