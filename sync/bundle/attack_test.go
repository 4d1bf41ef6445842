package bundle

import (
	"bytes"
	"crypto/rand"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/agenthooks/hookctl/sync/source"
	"github.com/hiddeco/sshsig"
	"pgregory.net/rapid"
)

// The attacks of TUF (theupdateframework.github.io/specification, section 1.5.2)
// that a signed lock must stand against. Slow retrieval and endless data on the
// wire are tested in package source, rewritten branches in newest_test.go.

func TestArbitraryInstallation(t *testing.T) {
	good := sign(t, bundleFS(), LockOptions{}, "alice")
	t.Run("unsigned", func(t *testing.T) {
		c := good
		c.Sig = nil
		refused(t, c, trust(t), &UnsignedError{})
		c.Sig = []byte{}
		refused(t, c, trust(t), &UnsignedError{})
	})
	t.Run("wrong key", func(t *testing.T) {
		refused(t, sign(t, bundleFS(), LockOptions{}, "mallory"), trust(t), &SignatureError{})
	})
	t.Run("altered lock", func(t *testing.T) {
		c := good
		c.Lock = bytes.Replace(c.Lock, []byte(`"release": 1`), []byte(`"release": 9`), 1)
		refused(t, c, trust(t), &SignatureError{})
	})
	t.Run("missing lock", func(t *testing.T) {
		c := good
		c.Lock = nil
		refused(t, c, trust(t), &MissingLockError{})
	})
	t.Run("wrong namespace", func(t *testing.T) {
		c := good
		sig, err := sshsig.Sign(bytes.NewReader(c.Lock), signer(t, "alice"), sshsig.HashSHA512, "git")
		if err != nil {
			t.Fatal(err)
		}
		c.Sig = sshsig.Armor(sig)
		refused(t, c, trust(t), &SignatureError{})
		sig.Namespace = Namespace // the label alone
		c.Sig = sshsig.Armor(sig)
		refused(t, c, trust(t), &SignatureError{})
	})
	t.Run("key of somebody else in the signature", func(t *testing.T) {
		c := sign(t, bundleFS(), LockOptions{}, "mallory")
		sigs, err := parseSignatures(c.Sig)
		if err != nil {
			t.Fatal(err)
		}
		sigs[0].PublicKey = signer(t, "alice").PublicKey()
		c.Sig = sshsig.Armor(sigs[0])
		refused(t, c, trust(t), &SignatureError{})
	})
	t.Run("second spelling", func(t *testing.T) {
		// This namespace leaves two unused bits in the last character of base64.
		sig, err := sshsig.Sign(bytes.NewReader(good.Lock), signer(t, "alice"), sshsig.HashSHA512, "git")
		if err != nil {
			t.Fatal(err)
		}
		b := sshsig.Armor(sig)
		at := bytes.IndexByte(b, '=') - 1
		if at < 0 {
			t.Fatalf("no padding in %s", b)
		}
		b[at]++
		_, err = parseSignatures(b)
		wants(t, err, &ArmorError{})
	})
	t.Run("garbage around it", func(t *testing.T) {
		for _, s := range []string{"x" + string(good.Sig), string(good.Sig) + "x", "\n" + string(good.Sig), strings.ReplaceAll(string(good.Sig), "\n", "\r\n"), strings.TrimSpace(string(good.Sig))} {
			c := good
			c.Sig = []byte(s)
			refused(t, c, trust(t), &ArmorError{})
		}
	})
}

func TestKeyTimes(t *testing.T) {
	alice := signer(t, "alice")
	c := sign(t, bundleFS(), LockOptions{}, "alice")
	for options, good := range map[string]bool{
		`valid-before="20260601Z"`:                             false, // now is noon of that day
		`valid-before="20260602Z"`:                             true,
		`valid-after="20260602Z"`:                              false,
		`valid-after="20260601Z",valid-before="202606011201Z"`: true,
		`namespaces="git"`:                                     false,
		`namespaces="git,hook*"`:                               true,
		`namespaces="*,!hookctl"`:                              false,
		`NAMESPACES="hookctl"`:                                 true,
	} {
		s, err := ParseSigners([]byte(row(alice, "alice", options+" ")))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(c, Trust{Signers: s, Now: now}); (err == nil) != good {
			t.Errorf("%s: %v", options, err)
		}
	}
}

func TestKeyCompromise(t *testing.T) {
	// One stolen key does not reach a threshold of two, however often it signs.
	tr := trust(t)
	tr.Threshold = 2
	c := sign(t, bundleFS(), LockOptions{}, "alice")
	refused(t, c, tr, &ThresholdError{})
	twice, err := Sign(c.Lock, signer(t, "alice"))
	if err != nil {
		t.Fatal(err)
	}
	c.Sig = append(c.Sig, twice...)
	refused(t, c, tr, &ThresholdError{})
	stranger := sign(t, bundleFS(), LockOptions{}, "alice", "mallory")
	refused(t, stranger, tr, &ThresholdError{})
	both := sign(t, bundleFS(), LockOptions{}, "alice", "bob", "alice")
	v, err := Verify(both, tr)
	if err != nil || len(v.Signers()) != 2 {
		t.Errorf("%v %v", v.Signers(), err)
	}
}

func TestEndlessData(t *testing.T) {
	good := sign(t, bundleFS(), LockOptions{}, "alice")
	t.Run("lock", func(t *testing.T) {
		c := good
		c.Lock = append(bytes.Clone(c.Lock), bytes.Repeat([]byte(" "), MaxLock)...)
		refused(t, c, trust(t), &LimitError{})
	})
	t.Run("signature", func(t *testing.T) {
		c := good
		c.Sig = bytes.Repeat(c.Sig, 1+MaxSig/len(c.Sig))
		refused(t, c, trust(t), &LimitError{})
	})
	t.Run("a file that lies about its size", func(t *testing.T) {
		c := good
		for i, e := range c.Entries {
			if e.Path == "hookctl.yaml" {
				c.Entries[i].Read = func() ([]byte, error) { return make([]byte, MaxFile+1), nil }
			}
		}
		refused(t, c, trust(t), &LimitError{})
	})
	t.Run("all files", func(t *testing.T) {
		lock := relock(t, bundleFS(), func(l *Lock) {
			for i := range 17 {
				l.Files["hooks/"+string(rune('a'+i))] = LockFile{SHA256: sum(nil), Size: MaxFile, Mode: "0644"}
			}
		})
		refused(t, signLock(t, bundleFS(), lock, "alice"), trust(t), &LimitError{})
	})
	t.Run("count", func(t *testing.T) {
		c := good
		for range MaxFiles {
			c.Entries = append(c.Entries, Entry{Path: "cases/" + rand.Text()})
		}
		refused(t, c, trust(t), &LimitError{})
	})
}

func TestExtraneousDependencies(t *testing.T) {
	fsys := bundleFS()
	_, lock, err := MakeLock(fsys, LockOptions{Release: 1})
	if err != nil {
		t.Fatal(err)
	}
	fsys["hooks/lib/helper.sh"] = &fstest.MapFile{Data: []byte("#!/bin/sh\n")}
	refused(t, signLock(t, fsys, lock, "alice"), trust(t), &ExtraFileError{})
}

func TestFastForward(t *testing.T) {
	// Without a key nobody can push the number up so that real releases are
	// refused from then on.
	c := sign(t, bundleFS(), LockOptions{Release: math.MaxInt32}, "mallory")
	refused(t, c, trust(t), &SignatureError{})
	c = sign(t, bundleFS(), LockOptions{Release: 2}, "alice")
	c.Lock = bytes.Replace(c.Lock, []byte(`"release": 2`), []byte(`"release": 2000000000`), 1)
	refused(t, c, trust(t), &SignatureError{})
}

func TestIndefiniteFreeze(t *testing.T) {
	c := sign(t, bundleFS(), LockOptions{Expires: now}, "alice")
	refused(t, c, trust(t), &ExpiredError{})
	tr := trust(t)
	tr.Now = now.Add(-time.Second)
	if _, err := Verify(c, tr); err != nil {
		t.Error(err)
	}
	// A clock set back does not revive it silently.
	tr.Now = c.Time.Add(-48 * time.Hour)
	refused(t, c, tr, &ClockError{})
}

func TestMixAndMatch(t *testing.T) {
	one := sign(t, bundleFS(), LockOptions{Release: 1}, "alice")
	fsys := bundleFS()
	fsys["gates/talk.yaml"] = &fstest.MapFile{Data: []byte(gateYAML + "# second\n")}
	two := sign(t, fsys, LockOptions{Release: 2}, "alice")

	mixed := two
	mixed.Entries = one.Entries
	refused(t, mixed, trust(t), &FileSizeError{})
	mixed = two
	mixed.Sig = one.Sig
	refused(t, mixed, trust(t), &SignatureError{})
	mixed = one
	mixed.Lock = two.Lock
	refused(t, mixed, trust(t), &SignatureError{})
}

func TestRollback(t *testing.T) {
	c := sign(t, bundleFS(), LockOptions{Release: 4}, "alice")
	tr := trust(t)
	tr.MinRelease = 5
	refused(t, c, tr, &RollbackError{})
	tr.MinRelease = 4
	if _, err := Verify(c, tr); err != nil {
		t.Error(err)
	}
	tr.LastDigest = Digest(c.Lock)
	if _, err := Verify(c, tr); err != nil {
		t.Error(err)
	}
	tr.LastDigest = Digest([]byte("another lock"))
	refused(t, c, tr, &SameReleaseError{})
}

func TestWrongSoftware(t *testing.T) {
	// A good signature of a good file, at the wrong place.
	fsys := bundleFS()
	fsys["hooks/other.sh"] = &fstest.MapFile{Data: []byte("#!/bin/sh\necho no\n"), Mode: 0o755}
	_, lock, err := MakeLock(fsys, LockOptions{Release: 1})
	if err != nil {
		t.Fatal(err)
	}
	fsys["hooks/other.sh"], fsys["hooks/fmt.sh"] = fsys["hooks/fmt.sh"], fsys["hooks/other.sh"]
	refused(t, signLock(t, fsys, lock, "alice"), trust(t), &DigestError{})
}

// Any single flipped bit, in the lock, in the signature or in a file, is refused.
func TestAnyFlipIsRefused(t *testing.T) {
	c := sign(t, bundleFS(), LockOptions{Expires: now.Add(time.Hour)}, "alice")
	tr := trust(t)
	flipped := func(b []byte, bit int) []byte {
		b = bytes.Clone(b)
		b[bit/8] ^= 1 << (bit % 8)
		return b
	}
	for bit := range len(c.Sig) * 8 { // every one
		bad := c
		bad.Sig = flipped(c.Sig, bit)
		if _, err := Verify(bad, tr); err == nil {
			t.Fatalf("bit %d of the signature", bit)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		bad := c
		bad.Entries = append([]Entry(nil), c.Entries...)
		if i := rapid.IntRange(-1, len(c.Entries)-1).Draw(rt, "file"); i < 0 {
			bad.Lock = flipped(c.Lock, rapid.IntRange(0, len(c.Lock)*8-1).Draw(rt, "bit"))
		} else {
			b, err := c.Entries[i].Read()
			if err != nil {
				rt.Fatal(err)
			}
			b = flipped(b, rapid.IntRange(0, len(b)*8-1).Draw(rt, "bit"))
			bad.Entries[i].Read = func() ([]byte, error) { return b, nil }
		}
		if _, err := Verify(bad, tr); err == nil {
			rt.Fatal("accepted")
		}
	})
}

func TestAddSignature(t *testing.T) {
	lock := []byte("one")
	a, err := AddSignature(nil, lock, signer(t, "alice"))
	if err != nil {
		t.Fatal(err)
	}
	ab, err := AddSignature(a, lock, signer(t, "bob"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := AddSignature(ab, lock, signer(t, "alice"))
	if err != nil {
		t.Fatal(err)
	}
	for n, b := range map[int][]byte{1: a, 2: ab} {
		if sigs, err := parseSignatures(b); err != nil || len(sigs) != n {
			t.Errorf("%d signatures, %v, want %d", len(sigs), err, n)
		}
	}
	if sigs, err := parseSignatures(again); err != nil || len(sigs) != 2 {
		t.Errorf("signing twice with one key: %d signatures, %v", len(sigs), err)
	}
	// Of another lock they are worth nothing and go.
	next, err := AddSignature(ab, []byte("two"), signer(t, "bob"))
	if err != nil {
		t.Fatal(err)
	}
	if sigs, err := parseSignatures(next); err != nil || len(sigs) != 1 {
		t.Errorf("%d signatures, %v", len(sigs), err)
	}
	if _, err := AddSignature([]byte("garbage"), lock, signer(t, "bob")); err == nil {
		t.Error("garbage was replaced without a word")
	}
}

// FuzzVerify: whatever tree and lock are signed, what is accepted is exactly what
// the lock says, on paths that stay inside.
func FuzzVerify(f *testing.F) {
	f.Add("hooks/a", "x", "hooks/A", "y", uint8(0))
	f.Add("hooks/../a", "x", "gates/a/b", "y", uint8(2))
	f.Add("hooks/a", "version https://git-lfs.github.com/spec/v1", "hooks/a/b", "\r", uint8(1))
	f.Fuzz(func(t *testing.T, p1, d1, p2, d2 string, kinds uint8) {
		fsys := fstest.MapFS{"hookctl.yaml": {Data: []byte("schema: 1\n")}}
		lock := relock(t, fsys, func(l *Lock) {
			l.Files[p1] = LockFile{SHA256: sum([]byte(d1)), Size: int64(len(d1)), Mode: "0644"}
			l.Files[p2] = LockFile{SHA256: sum([]byte(d2)), Size: int64(len(d2)), Mode: "0755"}
		})
		c := signLock(t, fsys, lock, "alice")
		for i, e := range map[int][2]string{0: {p1, d1}, 1: {p2, d2}} {
			c.Entries = append(c.Entries, Entry{
				Path: e[0], Kind: source.Kind(1 + kinds>>(2*i)&3), Size: int64(len(e[1])),
				Read: func() ([]byte, error) { return []byte(e[1]), nil },
			})
		}
		v, err := Verify(c, Trust{Signers: allow(t, "alice"), Now: now})
		if err != nil {
			return
		}
		for p, file := range v.Files() {
			if !Owns(p) || strings.Contains(p, "..") && strings.Contains("/"+p+"/", "/../") || strings.ContainsAny(p, "\\\x00") {
				t.Errorf("path %q", p)
			}
			if sum(file.Data) != v.Lock().Files[p].SHA256 {
				t.Errorf("bytes of %q", p)
			}
		}
	})
}
