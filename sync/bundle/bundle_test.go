package bundle

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/sync/source"
	"golang.org/x/crypto/ssh"
)

// signer makes the same key for the same name: test keys, good for nothing else.
func signer(t testing.TB, name string) ssh.Signer {
	t.Helper()
	seed := sha256.Sum256([]byte("TEST KEY " + name))
	s, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed[:]))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func row(s ssh.Signer, name, options string) string {
	return name + "@example.test " + options + string(ssh.MarshalAuthorizedKey(s.PublicKey()))
}

func allow(t testing.TB, names ...string) Signers {
	t.Helper()
	var b strings.Builder
	for _, n := range names {
		b.WriteString(row(signer(t, n), n, `namespaces="hookctl" `))
	}
	s, err := ParseSigners([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const gateYAML = `schema: 1
id: talk
events: [stop]
mode: enforce
signals: {en: ["shall i commit"], ja: ["コミットしますか"]}
judge: {prompt: {en: p}, fields: [{name: new_proposal, verdict: blocks, when: w}]}
feedback: {en: "do it"}
`

// bundleFS is a small good bundle, with files beside it that are not of it.
func bundleFS() fstest.MapFS {
	return fstest.MapFS{
		"hookctl.yaml":             {Data: []byte("schema: 1\nname: team\n")},
		"gates/talk.yaml":          {Data: []byte(gateYAML)},
		"hooks/fmt.sh":             {Data: []byte("#!/bin/sh\necho ok\n"), Mode: 0o755},
		"cases/talk/allow/x.md":    {Data: []byte("done\r\n")},
		"README.md":                {Data: []byte("not of the bundle")},
		".github/workflows/ci.yml": {Data: []byte("on: push")},
	}
}

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func trust(t testing.TB) Trust { return Trust{Signers: allow(t, "alice", "bob"), Now: now} }

// sign turns a folder into a signed candidate.
func sign(t testing.TB, fsys fstest.MapFS, o LockOptions, by ...string) Candidate {
	t.Helper()
	if o.Release == 0 {
		o.Release = 1
	}
	_, lock, err := MakeLock(fsys, o)
	if err != nil {
		t.Fatal(err)
	}
	return signLock(t, fsys, lock, by...)
}

func signLock(t testing.TB, fsys fs.FS, lock []byte, by ...string) Candidate {
	t.Helper()
	c, err := FromFS(fsys)
	if err != nil {
		t.Fatal(err)
	}
	c.Lock, c.Time = lock, now.Add(-time.Hour)
	for _, name := range by {
		if c.Sig, err = AddSignature(c.Sig, lock, signer(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// wants fails unless err is of the same type as want.
func wants(t *testing.T, err, want error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		if reflect.TypeOf(e) == reflect.TypeOf(want) {
			return
		}
	}
	t.Errorf("error %v (%T), want %T", err, err, want)
}

func refused(t *testing.T, c Candidate, tr Trust, want error) {
	t.Helper()
	v, err := Verify(c, tr)
	wants(t, err, want)
	if v.Digest() != "" || len(v.Files()) != 0 {
		t.Error("a refused candidate has files")
	}
}

func TestVerify(t *testing.T) {
	expires := now.Add(24 * time.Hour)
	c := sign(t, bundleFS(), LockOptions{Release: 7, Expires: expires}, "alice")
	v, err := Verify(c, trust(t))
	if err != nil {
		t.Fatal(err)
	}
	if v.Release() != 7 || v.Digest() != Digest(c.Lock) || !v.Expires().Equal(expires) {
		t.Errorf("got %v, expires %v", v, v.Expires())
	}
	if want := []string{"cases/talk/allow/x.md", "gates/talk.yaml", "hookctl.yaml", "hooks/fmt.sh"}; !slices.Equal(slices.Sorted(maps.Keys(v.Files())), want) {
		t.Errorf("files %v, want %v", slices.Sorted(maps.Keys(v.Files())), want)
	}
	if f := v.Files()["hooks/fmt.sh"]; f.Mode != 0o755 || string(f.Data) != "#!/bin/sh\necho ok\n" {
		t.Errorf("hooks/fmt.sh: %o %q", f.Mode, f.Data)
	}
	if s := v.Signers(); len(s) != 1 || !strings.HasPrefix(s[0], "alice@example.test SHA256:") {
		t.Errorf("signers %q", s)
	}
	if l := v.Lock(); l.ExpectedNewBlocks != DefaultNewBlocks {
		t.Errorf("expected_new_blocks %v", l.ExpectedNewBlocks)
	}
	if err := fstest.TestFS(v.FS(), "hooks/fmt.sh", "gates/talk.yaml"); err != nil {
		t.Error(err)
	}
	r, err := v.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "team" || r.Release != 7 || r.Bundle != v.Digest() || len(r.Gates) != 1 || r.Gates[0].Subagent != gate.Off {
		t.Errorf("rules %+v", r)
	}
	if !r.Filter().Maybe("Shall I commit?") || r.Filter().Maybe("All done.") {
		t.Error("the prefilter does not know the signals")
	}
}

func TestZeroValuesPermitNothing(t *testing.T) {
	var v Verified
	if len(v.Files()) != 0 || v.Digest() != "" || v.Signers() != nil {
		t.Error("the zero Verified holds something")
	}
	if _, err := fs.ReadFile(v.FS(), "hookctl.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile: %v", err)
	}
	c := sign(t, bundleFS(), LockOptions{}, "alice")
	refused(t, c, Trust{}, &SignatureError{})
	refused(t, c, Trust{Signers: allow(t, "alice")}, &ClockError{})
	refused(t, Candidate{}, trust(t), &MissingLockError{})
}

func TestEmbedded(t *testing.T) {
	v, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Embedded()
	if err != nil || again.Digest() != v.Digest() || v.Release() != 0 || len(v.Signers()) != 0 {
		t.Errorf("%v, again %v, %v", v, again, err)
	}
	r, err := v.Compile()
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	r2, err := v.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if b2, _ := r2.Encode(); !bytes.Equal(b, b2) {
		t.Error("the same bundle gives other rules")
	}
	// The embedded lock is no release that a remote could send.
	if _, err := ParseLock(v.LockBytes()); err == nil {
		t.Error("release 0 was read from a lock")
	}
}

func TestMakeLockIsDeterministic(t *testing.T) {
	o := LockOptions{Release: 3, Expires: now}
	_, a, err := MakeLock(bundleFS(), o)
	if err != nil {
		t.Fatal(err)
	}
	fsys := bundleFS()
	fsys[LockName] = &fstest.MapFile{Data: a}
	fsys[SigName] = &fstest.MapFile{Data: []byte("x")}
	o.Expires = now.In(time.FixedZone("x", 3600))
	l, b, err := MakeLock(fsys, o)
	if err != nil || !bytes.Equal(a, b) {
		t.Fatalf("%v\n%s\n%s", err, a, b)
	}
	if a[len(a)-1] != '\n' || !json.Valid(a) {
		t.Errorf("lock %q", a)
	}
	if got, err := ParseLock(a); err != nil || !reflect.DeepEqual(got, l) {
		t.Errorf("ParseLock = %+v, %v, want %+v", got, err, l)
	}
	if _, _, err := MakeLock(bundleFS(), LockOptions{}); err == nil {
		t.Error("a lock without a release number")
	}
	l, _, err = MakeLock(bundleFS(), LockOptions{Release: 1, Exec: func(p string) bool { return p == "gates/talk.yaml" }})
	if err != nil || l.Files["gates/talk.yaml"].Mode != "0755" || l.Files["hooks/fmt.sh"].Mode != "0644" {
		t.Errorf("Exec was not asked: %v %+v", err, l.Files)
	}
}

// relock writes a lock by hand, as a hostile signer would.
func relock(t testing.TB, fsys fstest.MapFS, change func(*Lock)) []byte {
	t.Helper()
	l := Lock{Schema: 1, Release: 1, Files: map[string]LockFile{}}
	for p, f := range fsys {
		if Owns(p) {
			mode := "0644"
			if f.Mode&0o111 != 0 {
				mode = "0755"
			}
			l.Files[p] = LockFile{SHA256: sum(f.Data), Size: int64(len(f.Data)), Mode: mode}
		}
	}
	if change != nil {
		change(&l)
	}
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFilesRefused(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	tests := map[string]struct {
		tamper func(fstest.MapFS) // after signing
		want   error
	}{
		"tampered":        {func(m fstest.MapFS) { m["gates/talk.yaml"] = file(strings.Replace(gateYAML, "en", "de", 1)) }, &DigestError{}},
		"longer":          {func(m fstest.MapFS) { m["hookctl.yaml"] = file("schema: 1\nname: team\n# off\n") }, &FileSizeError{}},
		"mode change":     {func(m fstest.MapFS) { m["hooks/fmt.sh"].Mode = 0o644 }, &ModeError{}},
		"made executable": {func(m fstest.MapFS) { m["gates/talk.yaml"].Mode = 0o755 }, &ModeError{}},
		"missing":         {func(m fstest.MapFS) { delete(m, "hooks/fmt.sh") }, &FileMissingError{}},
		"extra file":      {func(m fstest.MapFS) { m["hooks/more.sh"] = file("#!/bin/sh\n") }, &ExtraFileError{}},
		"extra gate":      {func(m fstest.MapFS) { m["gates/zz/a"] = file("") }, &ExtraFileError{}},
		"link":            {func(m fstest.MapFS) { m["hooks/fmt.sh"].Mode = fs.ModeSymlink | 0o777 }, &KindError{}},
		"device":          {func(m fstest.MapFS) { m["hooks/fmt.sh"].Mode = fs.ModeNamedPipe }, &KindError{}},
		"LFS pointer": {func(m fstest.MapFS) {
			m["gates/talk.yaml"] = file("version https://git-lfs.github.com/spec/v1\noid x\n")
		}, &LFSError{}},
		"line ends changed": {func(m fstest.MapFS) { m["hooks/fmt.sh"].Data = []byte("#!/bin/sh\r\necho ok\r\n") }, &CarriageReturnError{}},
		"too large":         {func(m fstest.MapFS) { m["hookctl.yaml"].Data = make([]byte, MaxFile+1) }, &LimitError{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			fsys := bundleFS()
			_, lock, err := MakeLock(fsys, LockOptions{Release: 1})
			if err != nil {
				t.Fatal(err)
			}
			tt.tamper(fsys)
			refused(t, signLock(t, fsys, lock, "alice"), trust(t), tt.want)
		})
	}
	t.Run("submodule", func(t *testing.T) {
		c := sign(t, bundleFS(), LockOptions{}, "alice")
		for i := range c.Entries {
			if c.Entries[i].Path == "hooks/fmt.sh" {
				c.Entries[i].Kind = source.Submodule
			}
		}
		refused(t, c, trust(t), &KindError{})
	})
	t.Run("files beside the bundle are free", func(t *testing.T) {
		fsys := bundleFS()
		_, lock, err := MakeLock(fsys, LockOptions{Release: 1})
		if err != nil {
			t.Fatal(err)
		}
		fsys["README.md"] = file("changed")
		fsys["docs/new.md"] = file("new")
		if _, err := Verify(signLock(t, fsys, lock, "alice"), trust(t)); err != nil {
			t.Error(err)
		}
	})
}

func TestPathsRefused(t *testing.T) {
	nfc, nfd := "hooks/\u304c.sh", "hooks/\u304b\u3099.sh"
	tests := map[string]struct {
		paths []string
		want  error
	}{
		"parent":               {[]string{"hooks/../../etc/passwd"}, &PathError{}},
		"parent first":         {[]string{"../hooks/a"}, &PathError{}},
		"absolute":             {[]string{"/hooks/a"}, &PathError{}},
		"drive":                {[]string{"hooks/C:/a"}, &PathError{}},
		"backslash":            {[]string{`hooks/..\a`}, &PathError{}},
		"empty segment":        {[]string{"hooks//a"}, &PathError{}},
		"folder":               {[]string{"hooks/"}, &PathError{}},
		"dot":                  {[]string{"hooks/./a"}, &PathError{}},
		"control":              {[]string{"hooks/a\nb"}, &PathError{}},
		"zero width":           {[]string{"hooks/a\u200bb"}, &PathError{}},
		"right to left":        {[]string{"hooks/a\u202eb"}, &PathError{}},
		"not UTF-8":            {[]string{"hooks/a\xff"}, &PathError{}},
		"device":               {[]string{"hooks/nul"}, &PathError{}},
		"device with suffix":   {[]string{"hooks/Com1.tar.gz"}, &PathError{}},
		"device as folder":     {[]string{"hooks/aux/x"}, &PathError{}},
		"trailing dot":         {[]string{"hooks/a."}, &PathError{}},
		"trailing space":       {[]string{"hooks/a /b"}, &PathError{}},
		"stream":               {[]string{"hooks/a:b"}, &PathError{}},
		"git folder":           {[]string{"hooks/.GIT/config"}, &PathError{}},
		"long":                 {[]string{"hooks/" + strings.Repeat("a", 300)}, &PathError{}},
		"outside":              {[]string{"README.md"}, &PathError{}},
		"the lock itself":      {[]string{LockName}, &PathError{}},
		"case":                 {[]string{"hooks/Gate.sh", "hooks/gate.sh"}, &CollisionError{}},
		"case of a folder":     {[]string{"hooks/A/x", "hooks/a/y"}, &CollisionError{}},
		"case beyond ASCII":    {[]string{"hooks/STRASSE", "hooks/straße"}, &CollisionError{}},
		"file and folder":      {[]string{"hooks/a", "hooks/a/b"}, &CollisionError{}},
		"both normal forms":    {[]string{nfd, nfc}, &CollisionError{}},
		"NFD alone":            {[]string{nfd}, nil},
		"NFC alone":            {[]string{nfc}, nil},
		"names that look like": {[]string{"hooks/common.sh", "hooks/com10", "hooks/null", "hooks/...a", "hooks/.env"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := checkPaths(slices.Sorted(slices.Values(tt.paths)))
			if tt.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wants(t, err, tt.want)
			// A signature does not help.
			fsys := bundleFS()
			lock := relock(t, fsys, func(l *Lock) {
				for _, p := range tt.paths {
					l.Files[p] = LockFile{SHA256: sum(nil), Mode: "0644"}
				}
			})
			if v, err := Verify(signLock(t, fsys, lock, "alice"), trust(t)); err == nil {
				t.Errorf("accepted: %v", v)
			}
		})
	}
}

func TestScriptsWithCarriageReturns(t *testing.T) {
	for name, want := range map[string]bool{
		"hooks/a.sh": true, "hooks/plain": true, "hooks/a.py": true,
		"hooks/a.cmd": false, "hooks/a.ps1": false, "cases/talk/block/a.md": false,
	} {
		fsys := bundleFS()
		fsys[name] = &fstest.MapFile{Data: []byte("#!/bin/sh\r\n")}
		_, _, err := MakeLock(fsys, LockOptions{Release: 1})
		if want {
			wants(t, err, &CarriageReturnError{})
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	fsys := bundleFS()
	fsys["hooks/data.bin"] = &fstest.MapFile{Data: []byte("#!\x00\r\n"), Mode: 0o755}
	if _, _, err := MakeLock(fsys, LockOptions{Release: 1}); err != nil {
		t.Error(err)
	}
}

// A machine may weaken a gate only where the floor says so and does not name it,
// and never one that judges tool calls.
func TestCompileDemotable(t *testing.T) {
	const toolGate = "schema: 1\nid: tools\nevents: [stop, pre-tool]\nmode: enforce\nsignals: {en: [shall i commit]}\nfeedback: {en: x}\n"
	for name, tt := range map[string]struct {
		floor       string
		talk, tools bool
	}{
		"no floor":        {"", false, false},
		"demotable":       {"floor: {demotable: true}\n", true, false},
		"not this one":    {"floor: {demotable: true, gates: [talk]}\n", false, false},
		"another one":     {"floor: {demotable: true, gates: [tools]}\n", true, false},
		"said to be none": {"floor: {demotable: false}\n", false, false},
	} {
		fsys := bundleFS()
		fsys["hookctl.yaml"].Data = append(fsys["hookctl.yaml"].Data, tt.floor...)
		fsys["gates/tools.yaml"] = &fstest.MapFile{Data: []byte(toolGate)}
		r, err := Compile(fsys, "", "sha256:x", 1)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, g := range r.Gates {
			got[g.ID] = g.Demotable
		}
		if got["talk"] != tt.talk || got["tools"] != tt.tools {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := map[string]struct{ old, new, want string }{
		"broken pattern":     {"shall i commit", "shall i (commit", "shall i (commit"},
		"no literal":         {"shall i commit", ".*", `".*"`},
		"language":           {"{en: [", "{xx: [", "xx"},
		"no signals":         {`signals: {en: ["shall i commit"], ja: ["コミットしますか"]}` + "\n", "", "no signals"},
		"field twice":        {"{name: new_proposal, verdict: blocks, when: w}", "{name: a, verdict: blocks, when: w}, {name: a, verdict: allows, when: w}", "twice"},
		"field name":         {"new_proposal", "New-Proposal", "New-Proposal"},
		"no field blocks":    {"verdict: blocks", "verdict: allows", "no field blocks"},
		"language, feedback": {"feedback: {", "feedback: {yy: x, ", "yy"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			fsys := bundleFS()
			fsys["gates/talk.yaml"].Data = []byte(strings.Replace(gateYAML, tt.old, tt.new, 1))
			_, err := Compile(fsys, "", "sha256:x", 1)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "talk") {
				t.Errorf("error %v, want one that names talk and %q", err, tt.want)
			}
		})
	}
}
