// Package loop keeps a blocked agent from going round for ever, and a hook that
// is registered twice from answering twice: small files under the cache folder.
// It never waits, and it decides nothing: how many blocks are too many is the
// caller's. Names are hashes, so no text of a conversation lies in the folder.
package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// Store is the folder of the counters and claims. It is made when it is missing.
type Store struct{ Dir string }

const (
	countPrefix = "count-"
	claimPrefix = "claim-"
	maxTerms    = 64 // times that one key can be claimed anew and exactly
)

// Count tells how often gate has blocked in this session and user turn.
func (s Store) Count(session, turn, gate string) (int, error) {
	info, err := os.Lstat(s.counter(session, turn, gate))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("loop: %w", err)
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("loop: %s is not a regular file", info.Name())
	}
	return int(info.Size()), nil
}

// Add counts one block more. When it fails, the caller must not block. The count
// is the length of a file that each block appends one byte to, so that none is
// lost when two are added at once.
func (s Store) Add(session, turn, gate string) error {
	path := s.counter(session, turn, gate)
	f, err := s.create(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE|noHang)
	if err != nil {
		return fmt.Errorf("loop: %w", err)
	}
	_, err = f.WriteString("+")
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("loop: %w", err)
	}
	s.sweep(path, time.Now())
	return nil
}

// Reset forgets the blocks of gate in this session and turn: the next one counts
// as the first.
func (s Store) Reset(session, turn, gate string) error {
	if err := os.Remove(s.counter(session, turn, gate)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("loop: %w", err)
	}
	return nil
}

// Claim takes key for the window from now on, which is the clock's time. It
// reports false when another process holds it. When the folder cannot be used
// nobody is known to hold it: then it reports true and the error.
//
// id tells what is claimed more exactly than key, where it is known: two claims
// of one key are of different things when both have an id and the ids differ.
//
// A claim is a file that only one process can create, and its time is when it
// was taken. One that has run out is never replaced, which two could do at once,
// but followed by a file for the next term, which again only one can create.
func (s Store) Claim(key, id string, now time.Time, window time.Duration) (bool, error) {
	base := s.path(claimPrefix, key)
	for term := range maxTerms {
		path := base + "." + strconv.Itoa(term)
		info, err := os.Lstat(path)
		if err == nil {
			if age := now.Sub(info.ModTime()); age.Abs() < window && !ofAnother(path, id) {
				return false, nil
			}
			continue // run out, from a clock that was set back since, or of another thing
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return true, fmt.Errorf("loop: %w", err)
		}
		switch taken, err := s.take(path, id, now); {
		case err != nil:
			return true, fmt.Errorf("loop: %w", err)
		case !taken:
			return false, nil // taken in this very moment
		}
		// The first term's file stands for the claim as well, so that the sweep
		// does not take it for old while a later term runs.
		if err := os.Chtimes(base+".0", now, now); err != nil {
			return true, fmt.Errorf("loop: %w", err)
		}
		s.sweep(path, now)
		return true, nil
	}
	return true, nil
}

// take makes the file of a claim and reports false when it is there already.
func (s Store) take(path, id string, now time.Time) (bool, error) {
	f, err := s.create(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = f.WriteString(mark(id))
	return true, errors.Join(err, f.Close(), os.Chtimes(path, now, now))
}

// ofAnother reports whether a claim is of another thing than id. Of one whose mark
// has not been written yet that is not known.
func ofAnother(path, id string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|noHang, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	marked := make([]byte, len(mark("x")))
	n, err := io.ReadFull(f, marked)
	return err == nil && id != "" && string(marked[:n]) != mark(id)
}

// mark is what a claim's file holds of an id, which is a piece of a conversation.
func mark(id string) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}

func (s Store) counter(session, turn, gate string) string {
	return s.path(countPrefix, session, turn, gate)
}

// path names a file by its parts; their lengths keep ("a","bc") from ("ab","c").
func (s Store) path(prefix string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return path.Join(s.Dir, prefix+hex.EncodeToString(h.Sum(nil)))
}

func (s Store) create(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.Dir, 0o700); err == nil {
			f, err = os.OpenFile(path, flags, 0o600)
		}
	}
	return f, err
}

// Bounds of a sweep.
const (
	keep       = 7 * 24 * time.Hour
	sweepFrom  = 256  // files that may lie there unswept
	sweepLimit = 4096 // files looked at in one sweep
)

// sweep removes old files, now and then: the hash of the file just written
// decides, so that one write in 32 looks at the folder. What cannot be removed
// stays; the next sweep tries again.
func (s Store) sweep(written string, now time.Time) {
	if _, hash, _ := strings.Cut(path.Base(written), "-"); hash < "08" {
		s.sweepAll(now)
	}
}

func (s Store) sweepAll(now time.Time) {
	d, err := os.Open(s.Dir)
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(sweepLimit)
	d.Close()
	if len(names) < sweepFrom {
		return
	}
	for _, n := range names {
		if !strings.HasPrefix(n, countPrefix) && !strings.HasPrefix(n, claimPrefix) {
			continue
		}
		file := path.Join(s.Dir, n)
		if info, err := os.Lstat(file); err == nil && now.Sub(info.ModTime()) > keep {
			_ = os.Remove(file)
		}
	}
}
