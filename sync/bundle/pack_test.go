package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func packed(t testing.TB, c Candidate) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Pack(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPackIsTheRelease(t *testing.T) {
	c := sign(t, bundleFS(), LockOptions{Release: 7}, "alice")
	b := packed(t, c)
	if !bytes.Equal(b, packed(t, c)) {
		t.Error("the same release gave other bytes")
	}
	got, err := ReadPack(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	v, err := Verify(got, trust(t))
	if err != nil {
		t.Fatal(err)
	}
	c.Time = got.Time
	want, err := Verify(c, trust(t))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got %v, want %v", v, want)
	}
	if v.Files()["hooks/fmt.sh"].Mode != 0o755 {
		t.Errorf("mode %o", v.Files()["hooks/fmt.sh"].Mode)
	}
	text, err := fs.ReadFile(got.FS(), "hookctl.yaml")
	if err != nil || !bytes.Equal(text, bundleFS()["hookctl.yaml"].Data) {
		t.Errorf("FS: %q, %v", text, err)
	}
}

func TestPackRefuses(t *testing.T) {
	good := func() Candidate { return sign(t, bundleFS(), LockOptions{Release: 7}, "alice") }
	unlocked, unsigned, other := good(), good(), good()
	unlocked.Lock = nil
	unsigned.Sig = nil
	other.Sig = sign(t, bundleFS(), LockOptions{Release: 8}, "alice").Sig
	changed := bundleFS()
	changed["gates/talk.yaml"] = &fstest.MapFile{Data: []byte("changed")}
	differs := signLock(t, changed, good().Lock, "alice")
	more := bundleFS()
	more["gates/more.yaml"] = &fstest.MapFile{Data: []byte("more")}
	extra := signLock(t, more, good().Lock, "alice")
	for name, tt := range map[string]struct {
		c    Candidate
		want error
	}{
		"no lock": {unlocked, &MissingLockError{}}, "no signature": {unsigned, &UnsignedError{}}, "another signature": {other, &SignatureError{}},
		"a changed file": {differs, &FileSizeError{}}, "a file more": {extra, &ExtraFileError{}},
	} {
		var b bytes.Buffer
		_, err := Pack(&b, tt.c)
		if err == nil || reflect.TypeOf(err) != reflect.TypeOf(tt.want) {
			t.Errorf("%s: %v, want a %T", name, err, tt.want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes were written", name, b.Len())
		}
	}
}

// entry is one entry of an archive that a hostile hand wrote.
type entry struct {
	tar.Header
	body string
}

func file(name, body string) entry {
	return entry{tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(body))}, body}
}

func archive(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range entries {
		if err := w.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func kind(e entry, flag byte, link string) entry {
	e.Typeflag, e.Linkname = flag, link
	if flag != tar.TypeReg {
		e.Size, e.body = 0, ""
	}
	return e
}

func TestReadPackRefuses(t *testing.T) {
	lock, sig, manifest := file(LockName, "{}"), file(SigName, ""), file(Manifest, "schema: 1\n")
	gates := file("gates/a.yaml", "x")
	mode := gates
	mode.Mode = 0o4755
	whole := archive(t, lock, sig, gates, manifest)
	if _, err := ReadPack(bytes.NewReader(whole)); err != nil {
		t.Fatalf("the plain one: %v", err)
	}
	for name, tt := range map[string]struct {
		b    []byte
		want string
	}{
		"nothing":         {nil, "no gzip"},
		"no gzip":         {[]byte("hookctl.lock"), "no gzip"},
		"empty":           {archive(t), "lock and signature are missing"},
		"lock only":       {archive(t, lock), "lock and signature are missing"},
		"signature first": {archive(t, sig, lock), "want hookctl.lock first"},
		"no signature":    {archive(t, lock, manifest), "want hookctl.lock.sig second"},
		"order":           {archive(t, lock, sig, manifest, gates), "comes after"},
		"twice":           {archive(t, lock, sig, gates, gates), "comes after"},
		"a second lock":   {archive(t, lock, sig, gates, lock), "outside"},
		"symlink":         {archive(t, lock, sig, kind(gates, tar.TypeSymlink, "/etc/passwd")), "not a regular file"},
		"hard link":       {archive(t, lock, sig, kind(gates, tar.TypeLink, "hookctl.lock")), "not a regular file"},
		"folder":          {archive(t, lock, sig, kind(file("gates/", ""), tar.TypeDir, "")), "not a regular file"},
		"device":          {archive(t, lock, sig, kind(gates, tar.TypeChar, "")), "not a regular file"},
		"set-uid":         {archive(t, lock, sig, mode), "mode"},
		"up":              {archive(t, lock, sig, file("gates/../../x", "x")), ".."},
		"absolute":        {archive(t, lock, sig, file("/etc/x", "x")), "outside"},
		"not ours":        {archive(t, lock, sig, file("README.md", "x")), "outside"},
		"device's name":   {archive(t, lock, sig, file("gates/nul.yaml", "x")), "device"},
		"large file":      {archive(t, lock, sig, file("gates/a.yaml", strings.Repeat("x", MaxFile+1))), "limit"},
		"cut off":         {whole[:len(whole)-20], "pack: "},
		"two members":     {append(bytes.Clone(whole), whole...), "something after the archive"},
		"a tail":          {append(bytes.Clone(whole), 'x'), "something after the archive"},
		"a hidden tail":   {hidden(t), "something after the files"},
		"a wrong sum":     {flipped(whole, len(whole)-6), "checksum"},
	} {
		c, err := ReadPack(bytes.NewReader(tt.b))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if c.Lock != nil || c.Entries != nil {
			t.Errorf("%s: a candidate came out", name)
		}
	}
}

func flipped(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

// hidden is an archive with bytes after its end that only some readers see.
func hidden(t testing.TB) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range []entry{file(LockName, "{}"), file(SigName, "")} {
		if err := errors.Join(w.WriteHeader(&e.Header), ignore(io.WriteString(w, e.body))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), ignore(io.WriteString(z, "more")), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func ignore(_ int, err error) error { return err }

// A bomb costs no more than a bundle may hold: 10,000 files of 4 MB that pack to
// a few hundred kilobytes are refused at the sum, and zeros without end at the
// limit of the stream.
func TestReadPackEndlessData(t *testing.T) {
	big := strings.Repeat("\x00", MaxFile)
	entries := []entry{file(LockName, "{}"), file(SigName, "")}
	for i := range 20 {
		entries = append(entries, file("gates/"+string(rune('a'+i))+".yaml", big))
	}
	_, err := ReadPack(bytes.NewReader(archive(t, entries...)))
	if !errors.As(err, new(*LimitError)) {
		t.Errorf("files beyond the sum: %v", err)
	}

	r, w := io.Pipe()
	go func() {
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		tw := tar.NewWriter(z)
		for _, e := range entries[:2] {
			_ = tw.WriteHeader(&e.Header)
			_, _ = io.WriteString(tw, e.body)
		}
		_ = tw.Flush()
		for zeros := make([]byte, 1<<20); ; {
			if _, err := z.Write(zeros); err != nil {
				return // the reader has had enough
			}
		}
	}()
	_, err = ReadPack(r)
	r.Close()
	if err == nil {
		t.Error("zeros without end were read to an end")
	}
}

func FuzzReadPack(f *testing.F) {
	f.Add(packed(f, sign(f, bundleFS(), LockOptions{Release: 7}, "alice")))
	f.Add(archive(f, file(LockName, "{}"), file(SigName, ""), file(Manifest, "x")))
	f.Add(hidden(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ReadPack(bytes.NewReader(b))
		if err != nil {
			return
		}
		for _, e := range c.Entries {
			if err := checkPath(e.Path); err != nil {
				t.Fatal(err)
			}
		}
		// What is a release packs again, and is the same.
		var again bytes.Buffer
		if _, err := Pack(&again, c); err != nil {
			return
		}
		c2, err := ReadPack(&again)
		if err != nil || !bytes.Equal(c2.Lock, c.Lock) || len(c2.Entries) != len(c.Entries) {
			t.Fatalf("packed again it is another one: %v", err)
		}
	})
}
