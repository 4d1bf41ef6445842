package source

import "fmt"

// NotFoundError: there is no Git repository at URL.
type NotFoundError struct {
	URL string
	Err error // may be nil
}

func (e *NotFoundError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("no Git repository at %s: %v", e.URL, e.Err)
	}
	return "no Git repository at " + e.URL
}
func (e *NotFoundError) Unwrap() error { return e.Err }

// BranchError: the remote has no such branch.
type BranchError struct{ URL, Branch string }

func (e *BranchError) Error() string { return fmt.Sprintf("%s has no branch %q", e.URL, e.Branch) }

// URLError: the address cannot be used.
type URLError struct{ URL, Why string }

func (e *URLError) Error() string { return fmt.Sprintf("source %q: %s", e.URL, e.Why) }

// LimitError: the remote sends more than is taken.
type LimitError struct {
	What       string // "pack bytes", "objects", …
	Limit, Got int64  // Got is where reading stopped; the whole may be larger
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the source has too many %s: %d, limit %d", e.What, e.Got, e.Limit)
}

// IncompleteError: an object that the history needs was not sent.
type IncompleteError struct {
	Hash string
	Err  error
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("object %s is missing: %v", e.Hash, e.Err)
}
func (e *IncompleteError) Unwrap() error { return e.Err }

// CorruptError: bytes are not what their hash or their format says.
type CorruptError struct {
	What string
	Err  error
}

func (e *CorruptError) Error() string { return fmt.Sprintf("%s is damaged: %v", e.What, e.Err) }
func (e *CorruptError) Unwrap() error { return e.Err }

// FolderError: the folder meant for the quarantine holds something else.
type FolderError struct{ Dir string }

func (e *FolderError) Error() string {
	return e.Dir + " is not empty and not a quarantine of hookctl"
}
