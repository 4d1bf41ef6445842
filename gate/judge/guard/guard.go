// Package guard owns the recursion guard: it marks the processes of a judge, and
// tells a hook that it runs inside one, so that a judge which is itself an agent
// does not ask a judge about its own answer, without end.
//
// It lets a stop pass and nothing else. Environment variables can be set by a
// repository's settings, so the guard must never switch off a tool gate. It
// stays light (no regular expression, no process, no fmt), because every event
// asks it before anything else.
package guard

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"strconv"
	"time"
)

// The variables that mark a judge's processes.
const (
	// Flag is "1" inside a judge. Other stop hooks with a judge set and honour it
	// too, so it holds even when nothing of ours is running.
	Flag = "STOP_HOOK_LLM_JUDGE_ACTIVE"
	// Mark names a live file of this installation. It still holds where an agent
	// drops the variables that it does not know, or sets Flag to its own value.
	Mark = "HOOKCTL_JUDGE_ACTIVE"
)

// MaxAge is how long a mark counts, in case its owner was killed before it could
// remove the file. It is far above every judge's deadline.
const MaxAge = 10 * time.Minute

// nonceLen is the length of a nonce: 128 bits in hexadecimal.
const nonceLen = 32

// Active reports whether this process runs inside a judge. dir is the folder
// that [Enter] was given, "" when there is none; then only Flag is looked at.
//
// Flag alone is enough: it is also set by judges that are not ours, and the worst
// that a forged one does is to let a stop pass. Ask only for stop events.
func Active(dir string, getenv func(string) string) bool {
	return getenv(Flag) == "1" || live(dir, getenv(Mark))
}

// live reports whether nonce names a fresh regular file in dir.
func live(dir, nonce string) bool {
	if dir == "" || !isNonce(nonce) {
		return false
	}
	fi, err := os.Lstat(path.Join(dir, nonce))
	return err == nil && fi.Mode().IsRegular() && fresh(fi)
}

// fresh reads both directions, so that a file from the future (a clock that was
// set back) does not count for ever.
func fresh(fi fs.FileInfo) bool {
	return time.Since(fi.ModTime()).Abs() < MaxAge
}

// isNonce keeps a path out: the value comes from the environment.
func isNonce(s string) bool {
	if len(s) != nonceLen {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Enter makes a live file in dir, which it creates when needed, and returns its
// name, the value for Mark. release removes the file; it may be called twice.
func Enter(dir string) (nonce string, release func(), err error) {
	if dir == "" {
		return "", nil, errors.New("recursion guard: no folder given")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, err
	}
	sweep(dir)
	nonce = hex64(rand.Uint64()) + hex64(rand.Uint64())
	file := path.Join(dir, nonce)
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", nil, err
	}
	release = func() { os.Remove(file) } // a file that stays loses its force after MaxAge
	if err := f.Close(); err != nil {
		release()
		return "", nil, err
	}
	return nonce, release, nil
}

// hex64 writes n with leading zeros. The source is the runtime's ChaCha8, seeded
// by the system: the nonce keeps strangers from naming a live file and is no
// secret to a process of the same user, and crypto/rand would cost every event
// half a millisecond at start.
func hex64(n uint64) string {
	s := strconv.FormatUint(n, 16)
	return "0000000000000000"[len(s):] + s
}

// sweep removes what killed processes left behind. Other files are not ours.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the marks are stale already
	}
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && isNonce(e.Name()) && fi.Mode().IsRegular() && !fresh(fi) {
			os.Remove(path.Join(dir, e.Name()))
		}
	}
}
