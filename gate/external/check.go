package external

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// maxFile bounds a file below hooks/, in bytes: the limit of a bundle.
const maxFile = 4 << 20

// FileError: a file below hooks/ is not what was released, so that no hook is
// started.
type FileError struct{ Path, Why string }

func (e *FileError) Error() string { return e.Path + " " + e.Why }

const changed = "is not the file that was released"

// check compares every file below hooks/ with its digest, through a root that no
// link leads out of. A file more counts as well: an interpreter might load it in
// the place of one of its own.
func (b Bundle) check() error {
	root, err := os.OpenRoot(b.Dir)
	if err != nil {
		return fmt.Errorf("the folder of the hooks: %w", err)
	}
	defer root.Close()
	seen := map[string]bool{}
	err = fs.WalkDir(root.FS(), "hooks", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, ok := b.Files[p]
		if !ok {
			return &FileError{p, "is not in the release"}
		}
		seen[p] = true
		if !d.Type().IsRegular() { // a pipe would be waited for
			return &FileError{p, changed}
		}
		sum, err := hash(root, p)
		if err == nil && sum != want {
			err = &FileError{p, changed}
		}
		return err
	})
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || len(seen) > 0) {
		return err
	}
	for _, p := range slices.Sorted(maps.Keys(b.Files)) {
		if !seen[p] {
			return &FileError{p, "is missing"}
		}
	}
	return nil
}

func hash(root *os.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxFile+1)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
