package bundle

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/agenthooks/hookctl/sync/source"
)

// MaxPack is how many bytes a pack may have, packed and unpacked.
const MaxPack = MaxBytes + MaxPrograms + MaxLock + MaxSig + tarRoom

// tarRoom is what the archive adds: for each file its header, that of a long
// name, and the rest of a block.
const tarRoom = (MaxFiles + MaxBinaries + 8) * 4096

// PackError: bytes that are no pack, or one that was not written by [Pack].
type PackError struct{ Why string }

func (e *PackError) Error() string { return "pack: " + e.Why }

// FS shows the candidate's regular files for reading, untrusted as they are,
// without lock and signature.
func (c Candidate) FS() fs.FS {
	files := map[string]viewFile{}
	for _, e := range c.Entries {
		if e.Kind != source.File && e.Kind != source.Exec {
			continue
		}
		mode := fs.FileMode(0o644)
		if e.Kind == source.Exec {
			mode = 0o755
		}
		files[e.Path] = viewFile{Mode: mode, Size: e.Size, Read: func() ([]byte, error) { return load(e, MaxFile) }}
	}
	return viewOf(files)
}

// released checks what can be checked without knowing whom to trust: that every
// file is as the lock says, and that some key has signed this very lock. It
// vouches for nothing; only [Verify] does.
func (c Candidate) released() (Lock, map[string]File, error) {
	if c.Lock == nil {
		return Lock{}, nil, &MissingLockError{}
	}
	lock, err := ParseLock(c.Lock)
	if err != nil {
		return Lock{}, nil, err
	}
	files, err := match(lock, c.Entries)
	if err != nil {
		return Lock{}, nil, err
	}
	sigs, err := parseSignatures(c.Sig)
	if err != nil {
		return Lock{}, nil, err
	}
	if len(sigs) == 0 {
		return Lock{}, nil, &UnsignedError{}
	}
	var rejected []Rejection
	for _, s := range sigs {
		why := good(c.Lock, s)
		if why == "" {
			return lock, files, nil
		}
		key := Signer{Key: s.PublicKey}
		rejected = append(rejected, Rejection{Fingerprint: key.Fingerprint(), Why: why})
	}
	return Lock{}, nil, &SignatureError{Rejected: rejected}
}

// Pack writes a release as one archive: lock, signature, then by name the files
// and the programs that lie in the repository, with no times, no owners and the
// lock's modes, so that the same release gives the same bytes. A program that has
// an address is not in it. It refuses what is not a release.
func Pack(w io.Writer, c Candidate) (Lock, error) {
	lock, files, err := c.released()
	if err != nil {
		return Lock{}, err
	}
	if err := c.carries(lock); err != nil {
		return Lock{}, err
	}
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	put := func(name string, mode fs.FileMode, b []byte) error {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(mode), Size: int64(len(b)), ModTime: time.Unix(0, 0)}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		_, err := t.Write(b)
		return err
	}
	err = errors.Join(put(LockName, 0o644, c.Lock), put(SigName, 0o644, c.Sig))
	programs := lock.programs()
	for _, p := range slices.Sorted(maps.Keys(programs)) {
		files[p] = File{Mode: 0o755} // read one at a time, below
	}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		f := files[p]
		if _, ok := programs[p]; ok && err == nil {
			f.Data, err = loadBinary(c.outside, p)
		}
		if err != nil {
			return Lock{}, err
		}
		err = put(p, f.Mode, f.Data)
	}
	return lock, errors.Join(err, t.Close(), z.Close())
}

// ReadPack reads an archive that [Pack] wrote. Nothing in it is trusted yet: the
// candidate goes to [Verify]. It takes one form only: one gzip member, lock and
// signature first, then regular files in the order of their names, nothing
// after them. It reads no more than a bundle may hold, whatever the archive
// unfolds to, and of the programs it keeps the one for this platform only.
func ReadPack(r io.Reader) (Candidate, error) {
	packed := bufio.NewReader(io.LimitReader(r, MaxPack+1))
	z, err := gzip.NewReader(packed)
	if err != nil {
		return Candidate{}, &PackError{Why: "no gzip: " + err.Error()}
	}
	z.Multistream(false)
	plain := &io.LimitedReader{R: z, N: MaxPack}
	c, err := readTar(plain)
	if err != nil {
		return Candidate{}, err
	}
	if err := atEnd(plain); err != nil {
		return Candidate{}, err
	}
	if _, err := packed.ReadByte(); !errors.Is(err, io.EOF) {
		return Candidate{}, &PackError{Why: "something after the archive"}
	}
	return c, nil
}

func readTar(r io.Reader) (Candidate, error) {
	p := packReader{kept: map[string]Entry{}}
	t := tar.NewReader(r)
	for n := 0; ; n++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Candidate{}, &PackError{Why: err.Error()}
		}
		if err := p.take(h, n, t); err != nil {
			return Candidate{}, err
		}
	}
	if p.c.Sig == nil {
		return Candidate{}, &PackError{Why: "lock and signature are missing"}
	}
	p.c.outside = func(path string) (Entry, bool) {
		e, ok := p.kept[path]
		return e, ok
	}
	return p.c, nil
}

// packReader is how far an archive has been read.
type packReader struct {
	c        Candidate
	total    int64
	last     string           // name
	programs map[string]int64 // path and size of the programs that the lock names
	wanted   string           // path of this platform's, "" = none
	kept     map[string]Entry
}

// take reads entry n.
func (p *packReader) take(h *tar.Header, n int, r io.Reader) error {
	size, program := p.programs[h.Name]
	if err := checkHeader(h, n, program); err != nil {
		return err
	}
	limit := packLimit(h.Name)
	if program {
		limit = size
	}
	if h.Size > limit {
		return &LimitError{What: "bytes in " + h.Name, Limit: limit, Got: h.Size}
	}
	if n > 2 && h.Name <= p.last {
		return &PackError{Why: fmt.Sprintf("%q comes after %q", h.Name, p.last)}
	}
	p.last = h.Name
	if program {
		return p.program(h, r)
	}
	if p.total += h.Size; n >= 2 && p.total > MaxBytes+MaxLock+MaxSig {
		return &LimitError{What: "bytes in all files", Limit: MaxBytes, Got: p.total}
	}
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil || int64(len(b)) != h.Size {
		return &PackError{Why: fmt.Sprintf("%s is cut off", h.Name)}
	}
	switch n {
	case 0:
		p.c.Lock = b
	case 1:
		p.c.Sig = b
		if lock, err := ParseLock(p.c.Lock); err == nil { // Verify says what is wrong with it
			p.programs = lock.programs()
			p.wanted = lock.Binaries[Platform()].Path
		}
	default:
		p.c.Entries = append(p.c.Entries, packEntry(h, b))
	}
	return nil
}

// program keeps a program for this platform and passes over any other: an archive
// may hold half a gigabyte of them.
func (p *packReader) program(h *tar.Header, r io.Reader) error {
	if h.Name != p.wanted {
		return nil // the next header comes after what is not read
	}
	b, err := io.ReadAll(io.LimitReader(r, h.Size+1))
	if err != nil || int64(len(b)) != h.Size {
		return &PackError{Why: fmt.Sprintf("%s is cut off", h.Name)}
	}
	p.kept[h.Name] = packEntry(h, b)
	return nil
}

func packEntry(h *tar.Header, b []byte) Entry {
	e := Entry{Path: h.Name, Kind: source.File, Size: int64(len(b)), Read: func() ([]byte, error) { return bytes.Clone(b), nil }}
	if h.Mode == 0o755 {
		e.Kind = source.Exec
	}
	return e
}

func packLimit(name string) int64 {
	switch name {
	case LockName:
		return MaxLock
	case SigName:
		return MaxSig
	}
	return MaxFile
}

// checkHeader refuses entry n when it is not what Pack would write there.
func checkHeader(h *tar.Header, n int, program bool) error {
	bad := func(why string) error { return &PackError{Why: fmt.Sprintf("%q: %s", h.Name, why)} }
	switch {
	case h.Typeflag != tar.TypeReg || h.Linkname != "":
		return bad("not a regular file")
	case h.Mode != 0o644 && h.Mode != 0o755:
		return bad(fmt.Sprintf("mode %04o, want 0644 or 0755", h.Mode))
	case h.Size < 0:
		return bad("a negative size")
	case n == 0 && h.Name != LockName:
		return bad("want " + LockName + " first")
	case n == 1 && h.Name != SigName:
		return bad("want " + SigName + " second")
	case n >= 2+MaxFiles+MaxBinaries:
		return &LimitError{What: "files", Limit: MaxFiles, Got: int64(n) - 1}
	case n >= 2 && !program:
		return checkPath(h.Name)
	}
	return nil
}

// atEnd demands that nothing follows the two empty blocks that end an archive;
// reading to the end also checks the sum of all bytes.
func atEnd(r io.Reader) error {
	n, err := io.ReadFull(r, make([]byte, 1))
	switch {
	case n > 0:
		return &PackError{Why: "something after the files"}
	case !errors.Is(err, io.EOF):
		return &PackError{Why: err.Error()}
	}
	return nil
}
