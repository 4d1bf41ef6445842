package source

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// liar is a remote that leaves one object out of what it sends.
type liar struct {
	*localWire
	without string
}

func (w liar) pack(ctx context.Context, want plumbing.Hash, haves []plumbing.Hash) (io.ReadCloser, error) {
	all, err := newObjects(ctx, w.s, want, haves, true)
	if err != nil {
		return nil, err
	}
	var some []plumbing.Hash
	for _, h := range all {
		if h.String() != w.without {
			some = append(some, h)
		}
	}
	var b bytes.Buffer
	_, err = packfile.NewEncoder(&b, w.s, false).Encode(some, 0)
	return io.NopCloser(&b), err
}

func TestMaliciousMirror(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	src.commit("deep/b", "2")
	src.commit("deep/b", "3")
	for _, what := range []string{"HEAD", "HEAD~1", "HEAD^{tree}", "HEAD:deep", "HEAD:deep/b", "HEAD~1:deep/b"} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "q")
			w, err := dial(Remote{URL: src.dir, Branch: "main"}, Options{})
			must(t, err)
			defer w.close()
			head, err := w.head(t.Context())
			must(t, err)
			r, err := open(dir)
			must(t, err)
			err = r.update(t.Context(), liar{w.(*localWire), src.git("rev-parse", what)}, head)
			if _, ok := errors.AsType[*IncompleteError](err); !ok {
				t.Fatalf("error %v, want an IncompleteError", err)
			}
			if _, err := r.s.Reference(incoming); err == nil {
				t.Error("the branch moved all the same")
			}
			// An honest remote mends it, although the commit may be there already.
			if r := fetch(t, dir, src.dir); r.Head().Hash != head.String() {
				t.Errorf("head %s, want %s", r.Head().Hash, head)
			}
		})
	}
}

func TestObjectUnderAnotherHash(t *testing.T) {
	src := newRepo(t)
	src.write("a", "good")
	src.commit("b", "evil")
	file := func(rev string) string {
		h := src.git("rev-parse", rev)
		return filepath.Join(src.dir, ".git", "objects", h[:2], h[2:])
	}
	evil, err := os.ReadFile(file("HEAD:b"))
	must(t, err)
	must(t, os.Chmod(file("HEAD:a"), 0o644))
	must(t, os.WriteFile(file("HEAD:a"), evil, 0o644))
	w, err := dial(Remote{URL: src.dir, Branch: "main"}, Options{})
	must(t, err)
	defer w.close()
	_, err = w.head(t.Context())
	must(t, err)
	_, err = read(w.(*localWire).s, plumbing.BlobObject, plumbing.NewHash(src.git("rev-parse", "HEAD:a")))
	if _, ok := errors.AsType[*CorruptError](err); !ok {
		t.Errorf("error %v, want a CorruptError", err)
	}
	if _, err := Fetch(t.Context(), filepath.Join(t.TempDir(), "q"), Remote{URL: src.dir, Branch: "main"}); err == nil {
		t.Error("fetched")
	}
}

// onePack is a pack of count objects, of which it holds one: a blob, or the
// content of a delta.
func onePack(t testing.TB, count uint32, kind plumbing.ObjectType, length uint64, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("PACK")
	binary.Write(&b, binary.BigEndian, []uint32{2, count})
	c := byte(kind)<<4 | byte(length&15)
	for length >>= 4; length > 0; length >>= 7 {
		b.WriteByte(c | 0x80)
		c = byte(length & 0x7f)
	}
	b.WriteByte(c)
	if kind == plumbing.REFDeltaObject {
		b.Write(make([]byte, 20))
	}
	z := zlib.NewWriter(&b)
	z.Write(content)
	z.Close()
	return b.Bytes()
}

func varint(n uint64) (b []byte) { return binary.AppendUvarint(nil, n) }

func TestMeasure(t *testing.T) {
	delta := append(varint(4), varint(MaxObject+1)...)
	tests := map[string]struct {
		pack []byte
		want any
	}{
		"good":               {onePack(t, 1, plumbing.BlobObject, 4, []byte("good")), nil},
		"too many":           {onePack(t, MaxObjects+1, plumbing.BlobObject, 4, []byte("good")), new(*LimitError)},
		"too large":          {onePack(t, 1, plumbing.BlobObject, MaxObject+1, []byte("x")), new(*LimitError)},
		"delta to too large": {onePack(t, 1, plumbing.REFDeltaObject, uint64(len(delta)), delta), new(*LimitError)},
		"delta without size": {onePack(t, 1, plumbing.REFDeltaObject, 1, []byte{0x80}), new(*CorruptError)},
		"longer than it says": {
			onePack(t, 1, plumbing.BlobObject, 4, bytes.Repeat([]byte("bomb"), 1<<20)), new(*CorruptError),
		},
		"fewer than it says": {onePack(t, 2, plumbing.BlobObject, 4, []byte("good")), new(*CorruptError)},
		"no pack":            {[]byte("<!doctype html><title>Sign in</title>"), new(*CorruptError)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := measure(t.Context(), bytes.NewReader(tt.pack))
			switch {
			case tt.want == nil && err != nil, tt.want != nil && (err == nil || !errors.As(err, tt.want)):
				t.Errorf("error %v (%T), want %T", err, err, tt.want)
			}
		})
	}
}

func TestParseTree(t *testing.T) {
	row := func(s string) string { return s + "\x00" + string(make([]byte, 20)) }
	for text, good := range map[string]bool{
		"":                                true,
		row("100644 a"):                   true,
		row("40000 a"):                    true,
		row("100644 a")[:15]:              false,
		row("100644 "):                    false,
		row("100644 a/b"):                 false,
		row("40000 .."):                   false,
		row("100600 a"):                   false,
		row("100644 a") + row("100755 a"): false,
		"garbage":                         false,
	} {
		if _, err := parseTree([]byte(text)); (err == nil) != good {
			t.Errorf("parseTree(%q): %v", text, err)
		}
	}
}

func FuzzMeasure(f *testing.F) {
	f.Add(onePack(f, 1, plumbing.BlobObject, 4, []byte("good")))
	f.Add(onePack(f, 1, plumbing.REFDeltaObject, 3, []byte{4, 4, 1}))
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = measure(t.Context(), bytes.NewReader(b))
		_, _ = parseTree(b)
	})
}
