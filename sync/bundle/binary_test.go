package bundle

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agenthooks/hookctl/sync/source"
)

// elfFor is the head of a program of Linux for a machine, with some weight.
func elfFor(machine uint16) []byte {
	b := make([]byte, 200)
	copy(b, "\x7fELF\x02\x01\x01")
	binary.LittleEndian.PutUint16(b[16:], 2)
	binary.LittleEndian.PutUint16(b[18:], machine)
	return b
}

const (
	amd64 = 62
	arm64 = 183
)

// programFS is a bundle that brings two programs.
func programFS() fstest.MapFS {
	fsys := bundleFS()
	fsys["hookctl.yaml"] = &fstest.MapFile{Data: []byte("schema: 1\nname: team\nbinaries:\n" +
		"  linux/amd64: {path: bin/hookctl-linux-amd64}\n  linux/arm64: {path: bin/hookctl-linux-arm64}\n" +
		"  darwin/arm64: {url: 'https://example.com/hookctl', sha256: '" + strings.Repeat("ab", 32) + "', size: 7}\n")}
	fsys["bin/hookctl-linux-amd64"] = &fstest.MapFile{Data: elfFor(amd64), Mode: 0o755}
	fsys["bin/hookctl-linux-arm64"] = &fstest.MapFile{Data: elfFor(arm64)}
	return fsys
}

func TestLockNamesPrograms(t *testing.T) {
	c := sign(t, programFS(), LockOptions{Release: 3}, "alice")
	v, err := Verify(c, trust(t))
	if err != nil {
		t.Fatal(err)
	}
	b, ok := v.Binary("linux/amd64")
	if want := (Binary{Path: "bin/hookctl-linux-amd64", SHA256: sum(elfFor(amd64)), Size: 200}); !ok || b != want {
		t.Errorf("got %+v, want %+v", b, want)
	}
	if b, ok := v.Binary("darwin/arm64"); !ok || b.Size != 7 || b.Where() != "https://example.com/hookctl" {
		t.Errorf("of the address: %+v", b)
	}
	if _, ok := v.Binary("plan9/mips"); ok {
		t.Error("a platform that is not listed")
	}
	if _, ok := v.Files()["bin/hookctl-linux-amd64"]; ok {
		t.Error("a program is among the files of the bundle")
	}
	p, err := v.ReadProgram("linux/amd64")
	if err != nil || p.SHA256() != b.SHA256 || !bytes.Equal(p.Data(), elfFor(amd64)) {
		t.Errorf("program %s, %v", p.SHA256(), err)
	}
}

func TestProgramRefuses(t *testing.T) {
	v, err := Verify(sign(t, programFS(), LockOptions{}, "alice"), trust(t))
	if err != nil {
		t.Fatal(err)
	}
	other := elfFor(amd64)
	other[150]++
	lfs := []byte("version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0", 64) + "\nsize 200\n")
	for name, tt := range map[string]struct {
		platform string
		b        []byte
		want     error
		says     string
	}{
		"nothing":            {"linux/amd64", nil, &NotProgramError{}, "is empty"},
		"a login page":       {"linux/amd64", []byte("\n<!DOCTYPE html><title>Sign in</title>"), &NotProgramError{}, "an HTML page"},
		"an archive":         {"linux/amd64", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00"), &NotProgramError{}, "an archive"},
		"an error text":      {"linux/amd64", []byte("Not Found"), &NotProgramError{}, "a text"},
		"noise":              {"linux/amd64", bytes.Repeat([]byte{0, 0xff}, 100), &NotProgramError{}, "no system runs"},
		"a pointer":          {"linux/amd64", lfs, &LFSError{}, "LFS pointer"},
		"cut off":            {"linux/amd64", elfFor(amd64)[:100], &FileSizeError{}, "100 bytes, the lock says 200"},
		"one byte more":      {"linux/amd64", append(elfFor(amd64), 0), &FileSizeError{}, "201 bytes"},
		"one bit":            {"linux/amd64", other, &DigestError{}, "bin/hookctl-linux-amd64: sha256"},
		"that of another":    {"linux/amd64", elfFor(arm64), &DigestError{}, "sha256"},
		"a platform unknown": {"plan9/mips", elfFor(amd64), &FileMissingError{}, "plan9/mips"},
	} {
		p, err := v.Program(tt.platform, tt.b)
		wants(t, err, tt.want)
		if err != nil && !strings.Contains(err.Error(), tt.says) || p.SHA256() != "" || p.Data() != nil {
			t.Errorf("%s: %v, program %s", name, err, p.SHA256())
		}
	}
	if (Program{}).SHA256() != "" {
		t.Error("the zero value has a digest")
	}
}

// A program that is labelled with another platform is refused, and both are
// named.
func TestProgramOfAnotherPlatform(t *testing.T) {
	fsys := programFS()
	fsys["bin/hookctl-linux-amd64"].Data = elfFor(arm64)
	v, err := Verify(sign(t, fsys, LockOptions{}, "alice"), trust(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err = v.ReadProgram("linux/amd64")
	wants(t, err, &PlatformError{})
	if err.Error() != "bin/hookctl-linux-amd64 is for linux/arm64, this machine is linux/amd64" {
		t.Error(err)
	}
}

// What the linker of Go writes is what is read.
func TestPlatformsOfRealPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\nfunc main() {}\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n"), 0o644))
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"} {
		system, arch, _ := strings.Cut(platform, "/")
		out := filepath.Join(dir, system+arch)
		cmd := exec.Command("go", "build", "-o", out, ".")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", platform, err, text)
		}
		b, err := os.ReadFile(out)
		must(t, err)
		made, err := platforms(b)
		if err != nil || !runsOn(made, platform) || runsOn(made, "plan9/386") {
			t.Errorf("%s: %v, %v", platform, made, err)
		}
	}
}

func TestPlatforms(t *testing.T) {
	fat := make([]byte, 8+2*20)
	binary.BigEndian.PutUint32(fat, 0xcafebabe)
	binary.BigEndian.PutUint32(fat[4:], 2)
	binary.BigEndian.PutUint32(fat[8:], 0x01000007)
	binary.BigEndian.PutUint32(fat[28:], 0x0100000c)
	class := append([]byte{0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52}, make([]byte, 2000)...)
	bsd := elfFor(amd64)
	bsd[7] = 9
	for name, tt := range map[string]struct {
		b    []byte
		want string
	}{
		"fat":      {fat, "darwin/amd64 darwin/arm64"},
		"script":   {[]byte("#!/bin/sh\n"), "any"},
		"freebsd":  {bsd, "freebsd/amd64"},
		"odd":      {elfFor(9999), "linux/machine 9999"},
		"java":     {class, ""},
		"MZ only":  {[]byte("MZ"), ""},
		"MZ far":   {append([]byte("MZ"), bytes.Repeat([]byte{0xff}, 100)...), ""},
		"ELF only": {[]byte("\x7fELF"), ""},
	} {
		got, err := platforms(tt.b)
		if strings.Join(got, " ") != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if !runsOn([]string{"linux/arm64"}, "android/arm64") || runsOn([]string{"linux/arm64"}, "darwin/arm64") {
		t.Error("systems without a mark of their own")
	}
}

func FuzzPlatforms(f *testing.F) {
	f.Add(elfFor(amd64))
	f.Add([]byte("MZ\x00\x00PE\x00\x00"))
	f.Add([]byte{0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2})
	f.Add([]byte{0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		if list, err := platforms(b); err == nil && len(list) == 0 {
			t.Error("neither a platform nor a reason")
		}
	})
}

func TestLockRefusesPrograms(t *testing.T) {
	good := Binary{Path: "bin/x", SHA256: strings.Repeat("0a", 32), Size: 5}
	for name, tt := range map[string]struct {
		platform string
		change   func(*Binary)
		want     error
	}{
		"good":            {"linux/amd64", func(*Binary) {}, nil},
		"platform":        {"linux", func(*Binary) {}, &LockError{}},
		"neither":         {"linux/amd64", func(b *Binary) { b.Path = "" }, &LockError{}},
		"both":            {"linux/amd64", func(b *Binary) { b.URL = "https://example.com/x" }, &LockError{}},
		"http":            {"linux/amd64", func(b *Binary) { b.Path, b.URL = "", "http://example.com/x" }, &LockError{}},
		"credential":      {"linux/amd64", func(b *Binary) { b.Path, b.URL = "", "https://a:b@example.com/x" }, &LockError{}},
		"sum":             {"linux/amd64", func(b *Binary) { b.SHA256 = "x" }, &LockError{}},
		"no size":         {"linux/amd64", func(b *Binary) { b.Size = 0 }, &LockError{}},
		"too large":       {"linux/amd64", func(b *Binary) { b.Size = MaxBinary + 1 }, &LimitError{}},
		"among the gates": {"linux/amd64", func(b *Binary) { b.Path = "gates/x" }, &LockError{}},
		"the lock":        {"linux/amd64", func(b *Binary) { b.Path = LockName }, &LockError{}},
		"up":              {"linux/amd64", func(b *Binary) { b.Path = "bin/../../x" }, &PathError{}},
		"a device":        {"linux/amd64", func(b *Binary) { b.Path = "bin/CON" }, &PathError{}},
	} {
		t.Run(name, func(t *testing.T) {
			b := good
			tt.change(&b)
			raw := relock(t, bundleFS(), func(l *Lock) { l.Binaries = map[string]Binary{tt.platform: b} })
			_, err := ParseLock(raw)
			if tt.want == nil && err == nil {
				return
			}
			wants(t, err, tt.want)
		})
	}
	many := map[string]Binary{}
	for i := range MaxBinaries + 1 {
		many["linux/a"+strings.Repeat("a", i)] = good
	}
	_, err := ParseLock(relock(t, bundleFS(), func(l *Lock) { l.Binaries = many }))
	wants(t, err, &LimitError{})
	other := good
	other.Size++
	_, err = ParseLock(relock(t, bundleFS(), func(l *Lock) { l.Binaries = map[string]Binary{"linux/amd64": good, "linux/arm64": other} }))
	wants(t, err, &LockError{})
	raw := relock(t, bundleFS(), func(l *Lock) { l.Binaries = map[string]Binary{"linux/amd64": good} })
	_, err = ParseLock(bytes.Replace(raw, []byte(`"path":"bin/x"`), []byte(`"path":"bin/x","run":"sh"`), 1))
	wants(t, err, &LockError{})
}

// What cannot be released is refused when it is locked.
func TestMakeLockRefusesPrograms(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(fstest.MapFS)
		want   error
	}{
		"a link": {func(f fstest.MapFS) {
			f["bin/hookctl-linux-arm64"] = &fstest.MapFile{Data: []byte("hookctl-linux-amd64"), Mode: os.ModeSymlink | 0o777}
		}, &KindError{}},
		"a pointer": {func(f fstest.MapFS) {
			f["bin/hookctl-linux-arm64"].Data = []byte("version https://git-lfs.github.com/spec/v1\n")
		}, &LFSError{}},
		"empty":     {func(f fstest.MapFS) { f["bin/hookctl-linux-arm64"].Data = nil }, &LockError{}},
		"too large": {func(f fstest.MapFS) { f["bin/hookctl-linux-arm64"].Data = make([]byte, MaxBinary+1) }, &LimitError{}},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := programFS()
			tt.change(fsys)
			_, _, err := MakeLock(fsys, LockOptions{Release: 1})
			wants(t, err, tt.want)
		})
	}
}

func TestMakeLockMissesPrograms(t *testing.T) {
	fsys := programFS()
	delete(fsys, "bin/hookctl-linux-arm64")
	_, _, err := MakeLock(fsys, LockOptions{Release: 1})
	if err == nil || err.Error() != "hookctl.yaml names bin/hookctl-linux-arm64, which is missing" {
		t.Error(err)
	}
}

// A commit that changes a program and leaves the lock is work in progress: the
// release before it is taken, with the program that it was signed with.
func TestProgramOfAPendingCommit(t *testing.T) {
	r := newTeam(t)
	for p, f := range programFS() {
		r.write(p, string(f.Data))
	}
	one := r.release(1, "alice")
	r.write("README.md", "a commit that changes nothing of it")
	r.commit("docs")
	r.write("bin/hookctl-linux-amd64", string(elfFor(amd64))+"next")
	r.commit("the next program, in no release yet")
	repo, err := source.Fetch(t.Context(), r.q, source.Remote{URL: r.dir, Branch: "main"})
	must(t, err)
	defer repo.Close()
	v, sel, err := Newest(repo, trust(t), Accepted{})
	if err != nil || v.Commit() != one {
		t.Fatalf("commit %s, want %s, %+v, %v", v.Commit(), one, sel, err)
	}
	if p, err := v.ReadProgram("linux/amd64"); err != nil || p.SHA256() != sum(elfFor(amd64)) {
		t.Errorf("program %s, %v", p.SHA256(), err)
	}
}

// A release whose program is another one than its lock says.
func TestProgramTamperedInTheRepository(t *testing.T) {
	r := newTeam(t)
	for p, f := range programFS() {
		r.write(p, string(f.Data))
	}
	r.lock(1, "alice")
	evil := elfFor(amd64)
	evil[100]++
	r.write("bin/hookctl-linux-amd64", string(evil))
	r.commit("Release 1")
	repo, err := source.Fetch(t.Context(), r.q, source.Remote{URL: r.dir, Branch: "main"})
	must(t, err)
	defer repo.Close()
	v, _, err := Newest(repo, trust(t), Accepted{})
	must(t, err)
	_, err = v.ReadProgram("linux/amd64")
	wants(t, err, &DigestError{})
}

func TestPackHoldsPrograms(t *testing.T) {
	c := sign(t, programFS(), LockOptions{Release: 7}, "alice")
	b := packed(t, c)
	got, err := ReadPack(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	v, err := Verify(got, trust(t))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := v.ReadProgram(Platform()); Platform() == "linux/amd64" && (err != nil || p.SHA256() != sum(elfFor(amd64))) {
		t.Errorf("program %s, %v", p.SHA256(), err)
	}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64"} {
		if _, err := v.ReadProgram(platform); platform != Platform() && err == nil {
			t.Errorf("the program for %s is kept", platform)
		}
	}
	if len(got.Entries) != 4 {
		t.Errorf("%d files", len(got.Entries))
	}
	// Changed after it was locked: no archive.
	fsys := programFS()
	fsys["bin/hookctl-linux-arm64"].Data[180]++
	bad := signLock(t, fsys, c.Lock, "alice")
	_, err = Pack(&bytes.Buffer{}, bad)
	wants(t, err, &DigestError{})
	fsys["bin/hookctl-linux-arm64"].Data = append(fsys["bin/hookctl-linux-arm64"].Data, 0)
	_, err = Pack(&bytes.Buffer{}, signLock(t, fsys, c.Lock, "alice"))
	wants(t, err, &FileSizeError{})
}

// An archive may hold no more than its lock names.
func TestPackWithForeignPrograms(t *testing.T) {
	c := sign(t, programFS(), LockOptions{Release: 7}, "alice")
	program := "bin/hookctl-linux-amd64"
	head := []entry{file(LockName, string(c.Lock)), file(SigName, string(c.Sig))}
	for name, tt := range map[string]struct {
		entries []entry
		want    error
	}{
		"not in the lock": {append(head, file("bin/other", "x")), &PathError{}},
		"too large":       {append(head, file(program, strings.Repeat("x", 201))), &LimitError{}},
		"twice":           {append(head, file(program, "x"), file(program, "x")), &PackError{}},
		"a link":          {append(head, kind(file(program, ""), '2', "/bin/sh")), &PackError{}},
		"in front":        {append(head, file("gates/talk.yaml", "x"), file(program, "x")), &PackError{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadPack(bytes.NewReader(archive(t, tt.entries...)))
			wants(t, err, tt.want)
		})
	}
	// A lock that is none names no programs.
	var l map[string]any
	must(t, json.Unmarshal(c.Lock, &l))
	l["release"] = 0
	raw, err := json.Marshal(l)
	must(t, err)
	_, err = ReadPack(bytes.NewReader(archive(t, file(LockName, string(raw)), file(SigName, "x"), file(program, "x"))))
	wants(t, err, &PathError{})
}
