package install

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/minio/selfupdate"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// ProgramMode is the mode of the installed program.
const ProgramMode = 0o755

// Staged is a program that lies beside the installed one, can be started there,
// and is not it yet.
type Staged struct {
	Path string
	dir  string // of its own, removed by Drop
}

// StageProgram puts the bytes of a program, with the SHA-256 that they must have
// (hex), onto the disk of the installed one.
//
// selfupdate writes the file itself: under a fixed name, truncating what is
// there, through links, without a flush, and unseen by l. In a folder that is new
// and named at random nothing can be there, what a kill leaves is never looked at
// again, and the flush is done here before the file gets its name.
func StageProgram(l *files.Layer, h home.Dir, data []byte, sum string) (_ *Staged, err error) {
	want, err := hex.DecodeString(sum)
	if err != nil || len(want) != 32 {
		return nil, fmt.Errorf("stage the program: %q is no SHA-256", sum) // none given would be none checked
	}
	target := h.Binary()
	if _, err := l.MkdirAll(string(h), homeMode); err != nil {
		return nil, err
	}
	if _, err := l.MkdirAll(filepath.Dir(target), openMode); err != nil {
		return nil, err
	}
	dir := filepath.Join(filepath.Dir(target), files.TempName())
	s := &Staged{Path: filepath.Join(dir, filepath.Base(target)), dir: dir}
	defer func() {
		if err != nil {
			s.Drop()
			err = fmt.Errorf("stage the program %s: %w", target, err)
		}
	}()
	if _, err := l.MkdirAll(dir, homeMode); err != nil {
		return nil, err
	}
	if err := selfupdate.PrepareAndCheckBinary(bytes.NewReader(data), selfupdate.Options{TargetPath: s.Path, TargetMode: ProgramMode, Checksum: want}); err != nil {
		return nil, err
	}
	prepared := filepath.Join(dir, "."+filepath.Base(target)+".new")
	if err := l.Chmod(prepared, ProgramMode); err != nil { // whatever the umask
		return nil, err
	}
	if err := l.SyncTree(dir); err != nil {
		return nil, err
	}
	return s, l.Rename(prepared, s.Path) // Windows starts no program called .new
}

// Drop takes away what Commit has not moved. It is not announced to a layer: it
// must also happen when that is made to fail.
func (s *Staged) Drop() { _ = (*files.Layer)(nil).RemoveAll(s.dir) }

// Commit makes the staged program the installed one. The one that it takes the
// place of is kept at [home.Dir.OldBinary] when keep is set. On Unix that is one
// rename, so that there is a program at every moment; Windows needs two. A program
// that is running goes on as it is. Of the failure to put the old one back
// [*StrandedError] tells.
func (s *Staged) Commit(l *files.Layer, h home.Dir, keep bool) error {
	target, old := h.Binary(), ""
	if keep {
		old = h.OldBinary()
	}
	fi, err := os.Stat(target) // a link is replaced as a program is
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l.Rename(s.Path, target)
	case err == nil && fi.IsDir(): // never installed by us
		if err := l.RemoveAll(target); err != nil {
			return err
		}
		return l.Rename(s.Path, target)
	}
	return swap(l, s.Path, target, old)
}

// StrandedError says that there is no program at Path any more: the new one
// could not be put there, nor the old one back. It lies at Backup.
type StrandedError struct {
	Path, Backup string
	Err, Back    error
}

func (e *StrandedError) Error() string {
	return fmt.Sprintf("replace %s: %v; and the program before could not be put back (%v): it lies at %s", e.Path, e.Err, e.Back, e.Backup)
}
func (e *StrandedError) Unwrap() []error { return []error{e.Err, e.Back} }

// over replaces target in one rename, with a copy of it at old before ("" =
// none).
func over(l *files.Layer, staged, target, old string) error {
	if old != "" {
		b, err := os.ReadFile(target)
		if err != nil {
			return err
		}
		if err := l.WriteFile(old, b, ProgramMode); err != nil {
			return err
		}
	}
	return l.Rename(staged, target)
}

// aside replaces target where a program that runs can be renamed and not be
// replaced: target to old, staged to target, and back when that fails. An old one
// that runs itself keeps its place under a name that nobody else has; what has
// such a name is swept later.
func aside(l *files.Layer, staged, target, old string) error {
	if old == "" {
		old = filepath.Join(filepath.Dir(target), files.TempName())
	}
	if _, err := os.Lstat(old); err == nil && l.Remove(old) != nil {
		if err := l.Rename(old, filepath.Join(filepath.Dir(old), files.TempName())); err != nil {
			return err
		}
	}
	if err := l.Rename(target, old); err != nil {
		return err
	}
	err := l.Rename(staged, target)
	if err == nil {
		return nil
	}
	if back := l.Rename(old, target); back != nil {
		return &StrandedError{Path: target, Backup: old, Err: err, Back: back}
	}
	return err
}
