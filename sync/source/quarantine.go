package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// marker tells a quarantine from any other folder, so that rebuilding one can
// never delete what is not ours.
const marker = "hookctl-quarantine"

func open(dir string) (*Repo, error) {
	names, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open quarantine: %w", err)
	}
	_, err = os.Lstat(filepath.Join(dir, marker))
	if len(names) > 0 && err != nil {
		return nil, &FolderError{Dir: dir}
	}
	// Opening a pack anew for each object costs more than reading it.
	s := filesystem.NewStorageWithOptions(osfs.New(dir), cache.NewObjectLRUDefault(), filesystem.Options{KeepDescriptors: true})
	r := &Repo{s: s, dir: dir, maxPack: MaxPack}
	if err == nil {
		return r, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make quarantine: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, marker), nil, 0o600); err != nil {
		return nil, fmt.Errorf("make quarantine: %w", err)
	}
	if err := s.Init(); err != nil {
		return nil, fmt.Errorf("make quarantine: %w", err)
	}
	// With a HEAD a person can look into it with git.
	if err := s.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, incoming)); err != nil {
		return nil, fmt.Errorf("make quarantine: %w", err)
	}
	return r, nil
}

// wipe empties a quarantine. The marker goes last: a wipe that was cut short
// leaves a folder that can still be wiped.
func wipe(dir string) error {
	names, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("clear quarantine: %w", err)
	}
	for _, n := range names {
		if n.Name() == marker {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, n.Name())); err != nil {
			return fmt.Errorf("clear quarantine: %w", err)
		}
	}
	if err := os.Remove(filepath.Join(dir, marker)); err != nil {
		return fmt.Errorf("clear quarantine: %w", err)
	}
	return nil
}

// receive takes a pack into the quarantine. It is measured first, in a file of
// its own: the storage's index builder holds whole objects in memory, and a few
// bytes can unpack to gigabytes.
func (r *Repo) receive(ctx context.Context, pack io.Reader) (err error) {
	f, err := os.CreateTemp(r.dir, "receive-*")
	if err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	defer func() {
		f.Close()
		os.Remove(f.Name())
	}()
	n, err := io.Copy(f, io.LimitReader(pack, r.maxPack+1))
	if isOurs(err) {
		return err
	}
	if err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	if n > r.maxPack {
		return &LimitError{What: "pack bytes", Limit: r.maxPack, Got: n}
	}
	if n == 0 {
		return nil // nothing that is not here already
	}
	if err := measure(ctx, f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	if err := packfile.UpdateObjectStorage(r.s, f); err != nil {
		return &CorruptError{What: "the pack that the source sent", Err: err}
	}
	return nil
}

// measure reads a pack from its start and refuses one that unpacks to more than
// the limits.
func measure(ctx context.Context, f io.ReadSeeker) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	bad := func(err error) error { return &CorruptError{What: "the pack that the source sent", Err: err} }
	s := packfile.NewScanner(f)
	_, count, err := s.Header()
	if err != nil {
		return bad(err)
	}
	if count > MaxObjects {
		return &LimitError{What: "objects", Limit: MaxObjects, Got: int64(count)}
	}
	var total int64
	for range count {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := s.NextObjectHeader()
		if err != nil {
			return bad(err)
		}
		if h.Length > MaxObject {
			return &LimitError{What: "bytes in one object", Limit: MaxObject, Got: h.Length}
		}
		// The scanner itself refuses content longer than its header says.
		start := &prefix{}
		if _, _, err := s.NextObject(start); err != nil {
			return bad(err)
		}
		size := h.Length
		if h.Type.IsDelta() {
			if size, err = start.deltaTarget(); err != nil {
				return bad(err)
			}
			if size > MaxObject {
				return &LimitError{What: "bytes in one object", Limit: MaxObject, Got: size}
			}
		}
		if total += size + h.Length; total > MaxTotal {
			return &LimitError{What: "unpacked bytes", Limit: MaxTotal, Got: total}
		}
	}
	return nil
}

// prefix keeps the first bytes that are written to it.
type prefix struct{ b []byte }

func (p *prefix) Write(b []byte) (int, error) {
	p.b = append(p.b, b[:min(len(b), 32-len(p.b))]...)
	return len(b), nil
}

// deltaTarget reads the size of the object that a delta makes: the second of the
// two numbers that it begins with (Documentation/gitformat-pack).
func (p *prefix) deltaTarget() (int64, error) {
	r := bytes.NewReader(p.b)
	var n int64
	for range 2 {
		n = 0
		for shift := 0; ; shift += 7 {
			c, err := r.ReadByte()
			if err != nil || shift > 49 {
				return 0, errors.New("a delta without sizes")
			}
			n |= int64(c&0x7f) << shift
			if c < 0x80 {
				break
			}
		}
	}
	return n, nil
}
