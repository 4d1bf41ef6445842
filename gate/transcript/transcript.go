// Package transcript reads the tail of an agent's transcript: backwards,
// bounded, settled. It opens regular files only, never reads a whole one, never
// waits for another process beyond the given context, and writes nothing. The
// formats are internal to the agents and change without notice: an unknown line
// is passed over, and what cannot be told is left empty.
package transcript

import (
	"context"
	"errors"
	"io/fs"
	"os"
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

// File is a transcript to be read.
type File struct {
	Path string // "~" is User
	User string
	// Stop is when the agent reported the stop of which the text is wanted, in
	// milliseconds; 0 = it does not say. Copilot writes a line with that time into
	// the file as it starts its hooks, but some 100 ms later, and until then the file
	// ends with an older message or is not there at all.
	Stop int64
}

// ErrBehind is a transcript that did not come to hold its stop in time.
var ErrBehind = errors.New("the agent had not written this stop into the transcript in time")

// Read reads the tail of a file. It waits for one that lags until ctx ends, at most
// [gate.SettleTimeout], then answers with what is there; a ctx that has ended
// already makes it read once and not wait. A file that ends in whole lines with a
// final text needs no wait, unless it has to hold its stop.
//
// The errors: one that wraps fs.ErrNotExist when there is no file,
// [ErrNotRegular], [ErrBehind], or what the system said.
func Read(ctx context.Context, f File) (Tail, error) {
	return read(ctx, f, wholeTurn)
}

// Last is Read for the final message alone: Context is cut from Text, and Turn
// stays empty. It reads no further back than that message, so that the length of
// a turn costs nothing where no pattern has matched yet.
func Last(ctx context.Context, f File) (Tail, error) {
	return read(ctx, f, finalMessage)
}

// Pauses between two looks at a file that lags.
const (
	firstPause = 25 * time.Millisecond
	longPause  = 100 * time.Millisecond
)

func read(ctx context.Context, at File, d depth) (Tail, error) {
	ctx, cancel := context.WithTimeout(ctx, gate.SettleTimeout)
	defer cancel()
	path := expand(at.Path, at.User)
	f, size, err := appear(ctx, path, at.Stop > 0)
	if err != nil {
		return Tail{}, err
	}
	defer f.Close()

	own := subagentFile(path)
	tail, asked, err := tailAt(f, size, d, own)
	if err != nil {
		return Tail{}, err
	}
	// A file that grew while it was watched has to stand still for one pause.
	for pause, grew := firstPause, false; !tail.Settled || asked < at.Stop || grew; pause = min(2*pause, longPause) {
		ended := sleep(ctx, pause)
		info, err := f.Stat()
		if err != nil {
			return Tail{}, err
		}
		grew = info.Size() != size
		if grew {
			size = info.Size()
			if tail, asked, err = tailAt(f, size, d, own); err != nil {
				return Tail{}, err
			}
		}
		if ended {
			break
		}
	}
	if asked < at.Stop {
		return Tail{}, ErrBehind // what is there belongs to an earlier stop
	}
	return tail, nil
}

// appear opens the file, and waits for one that has yet to be made if it shall.
func appear(ctx context.Context, path string, wait bool) (*os.File, int64, error) {
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		f, size, err := open(path)
		if !wait || !errors.Is(err, fs.ErrNotExist) || sleep(ctx, pause) {
			return f, size, err
		}
	}
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
