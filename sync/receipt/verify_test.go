package receipt

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hiddeco/sshsig"
	"pgregory.net/rapid"

	"github.com/agenthooks/hookctl/home"
)

func TestVerifyNames(t *testing.T) {
	original, k := machine(t)
	chain(t, original, k, 4)
	other, otherKey := machine(t)
	chain(t, other, otherKey, 4)
	move := func(t *testing.T, from, to string) {
		t.Helper()
		put(t, to, cat(t, from))
	}
	tests := []struct {
		name string
		do   func(t *testing.T, d home.Dir)
		want string // kinds and numbers; "" = good
		text string // in one of the problems
	}{
		{"nothing", func(*testing.T, home.Dir) {}, "", ""},
		{"the first removed", func(t *testing.T, d home.Dir) { remove(t, Path(d, 1), Path(d, 1)+".sig") }, "missing 1", "000001.json: is missing"},
		{"one in the middle removed", func(t *testing.T, d home.Dir) { remove(t, Path(d, 3), Path(d, 3)+".sig") }, "missing 3", "000003.json: is missing"},
		{"two in the middle removed", func(t *testing.T, d home.Dir) {
			remove(t, Path(d, 2), Path(d, 2)+".sig", Path(d, 3), Path(d, 3)+".sig")
		}, "missing 2", "up to 000003.json"},
		{"the last removed", func(t *testing.T, d home.Dir) { remove(t, Path(d, 4), Path(d, 4)+".sig") }, "missing 4", "000004.json: is missing"},
		{"the last two removed", func(t *testing.T, d home.Dir) {
			remove(t, Path(d, 4), Path(d, 4)+".sig", Path(d, 3), Path(d, 3)+".sig")
		}, "missing 3", "up to 000004.json"},
		{"the last and head removed", func(t *testing.T, d home.Dir) {
			remove(t, Path(d, 4), Path(d, 4)+".sig", d.Path(folder, headName))
		}, "missing 0", "head: is missing"},
		{"all removed", func(t *testing.T, d home.Dir) {
			if err := os.RemoveAll(Folder(d)); err != nil {
				t.Fatal(err)
			}
		}, "missing 0", "no receipt"},
		{"only the receipt removed", func(t *testing.T, d home.Dir) { remove(t, Path(d, 4)) }, "unfinished 4, missing 4", "cut short, or the receipt was removed"},
		{"only a signature removed", func(t *testing.T, d home.Dir) { remove(t, Path(d, 2)+".sig") }, "signature 2", "there is none"},
		{"two swapped", func(t *testing.T, d home.Dir) {
			for _, e := range []string{"", ".sig"} {
				two, three := cat(t, Path(d, 2)+e), cat(t, Path(d, 3)+e)
				put(t, Path(d, 2)+e, three)
				put(t, Path(d, 3)+e, two)
			}
		}, "order 2, order 3, link 4", "holds the receipt with number 3"},
		{"signatures swapped", func(t *testing.T, d home.Dir) {
			two := cat(t, Path(d, 2)+".sig")
			move(t, Path(d, 3)+".sig", Path(d, 2)+".sig")
			put(t, Path(d, 3)+".sig", two)
		}, "signature 2, signature 3", "not those that were signed"},
		{"one twice", func(t *testing.T, d home.Dir) {
			move(t, Path(d, 4), Path(d, 5))
			move(t, Path(d, 4)+".sig", Path(d, 5)+".sig")
		}, "order 5", "number 4"},
		{"another machine's receipt", func(t *testing.T, d home.Dir) {
			move(t, Path(other, 2), Path(d, 2))
			move(t, Path(other, 2)+".sig", Path(d, 2)+".sig")
		}, "link 2, key 2, link 3", "signed by " + otherKey.Fingerprint()},
		{"another machine's signature", func(t *testing.T, d home.Dir) {
			sig := must2(sign(cat(t, Path(d, 2)), otherKey, Namespace))(t)
			put(t, Path(d, 2)+".sig", sig)
		}, "signature 2", "names the machine " + k.Fingerprint()},
		{"another namespace", func(t *testing.T, d home.Dir) {
			put(t, Path(d, 2)+".sig", must2(sign(cat(t, Path(d, 2)), k, "file"))(t))
		}, "signature 2", `made for "file"`},
		{"another machine's folder", func(t *testing.T, d home.Dir) {
			if err := os.RemoveAll(Folder(d)); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(Folder(d), os.DirFS(Folder(other))); err != nil {
				t.Fatal(err)
			}
		}, "key 0", "the machine key is " + k.Fingerprint()},
		{"another machine's head", func(t *testing.T, d home.Dir) {
			h := head{sequence: 4, sum: sum(cat(t, Path(d, 4)))}
			put(t, d.Path(folder, headName), must2(h.encode(otherKey))(t))
		}, "key 0", "did not sign receipt 4"},
		{"an old head", func(t *testing.T, d home.Dir) {
			h := head{sequence: 2, sum: sum(cat(t, Path(d, 2)))}
			put(t, d.Path(folder, headName), must2(h.encode(k))(t))
		}, "state 0", "says that receipt 2 is the newest"},
		{"head one behind, as a kill leaves it", func(t *testing.T, d home.Dir) {
			h := head{sequence: 3, sum: sum(cat(t, Path(d, 3)))}
			put(t, d.Path(folder, headName), must2(h.encode(k))(t))
		}, "", ""},
		{"the last rewritten with the machine key", func(t *testing.T, d home.Dir) {
			r := must2(Last(d))(t)
			r.Notes = []string{"never mind"}
			b := must2(r.encode())(t)
			put(t, Path(d, 4), b)
			put(t, Path(d, 4)+".sig", must2(sign(b, k, Namespace))(t))
		}, "link 4", "head has another sum"},
		{"one in the middle rewritten with the machine key", func(t *testing.T, d home.Dir) {
			r := must2(read(d, 2))(t)
			r.Release = 9
			b := must2(r.encode())(t)
			put(t, Path(d, 2), b)
			put(t, Path(d, 2)+".sig", must2(sign(b, k, Namespace))(t))
		}, "link 3", "does not follow"},
		{"cut off", func(t *testing.T, d home.Dir) { put(t, Path(d, 4), cat(t, Path(d, 4))[:100]) }, "signature 4, link 4", ""},
		{"empty", func(t *testing.T, d home.Dir) { put(t, Path(d, 2), nil) }, "signature 2, link 3", ""},
		{"signed nonsense", func(t *testing.T, d home.Dir) {
			put(t, Path(d, 5), []byte("{}"))
			put(t, Path(d, 5)+".sig", must2(sign([]byte("{}"), k, Namespace))(t))
		}, "unreadable 5", "not a receipt"},
		{"a newer schema", func(t *testing.T, d home.Dir) {
			b := bytes.Replace(cat(t, Path(d, 4)), []byte(`"schema": 1`), []byte(`"schema": 2`), 1)
			put(t, Path(d, 4), b)
			put(t, Path(d, 4)+".sig", must2(sign(b, k, Namespace))(t))
		}, "unreadable 4, link 4", "a newer hookctl wrote it"},
		{"other files", func(t *testing.T, d home.Dir) {
			for _, n := range []string{"note.txt", "00005.json", "+00005.json", "000000.json", "9999999999.json", "0000005.json", "000005.JSON"} {
				put(t, d.Path(folder, n), []byte("x"))
			}
		}, strings.TrimSuffix(strings.Repeat("extra 0, ", 7), ", "), "note.txt: is no receipt"},
		{"a high number", func(t *testing.T, d home.Dir) { put(t, d.Path(folder, "999999999.json"), []byte("x")) }, "missing 5, signature 999999999, state 0", "up to 999999998.json"},
		{"a folder for a receipt", func(t *testing.T, d home.Dir) {
			remove(t, Path(d, 2))
			if err := os.Mkdir(Path(d, 2), 0o755); err != nil {
				t.Fatal(err)
			}
		}, "unreadable 2", "not a regular file"},
		{"a stray signature", func(t *testing.T, d home.Dir) { move(t, Path(d, 1)+".sig", Path(d, 9)+".sig") }, "extra 9", ""},
		{"no public key", func(t *testing.T, d home.Dir) { remove(t, d.Path(PubName)) }, "missing 0", "machine.pub"},
		{"no private key", func(t *testing.T, d home.Dir) { remove(t, d.Path(KeyName)) }, "missing 0", "nothing more can be signed"},
		{"another public key", func(t *testing.T, d home.Dir) { move(t, other.Path(PubName), d.Path(PubName)) }, "key 0, key 0", "the machine key is " + otherKey.Fingerprint()},
		{"a damaged public key", func(t *testing.T, d home.Dir) { put(t, d.Path(PubName), []byte("ssh-rsa x")) }, "unreadable 0", "machine.pub"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := copyHome(t, original)
			tt.do(t, d)
			ps := verify(t, d, Options{})
			if got := kinds(ps); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			var all strings.Builder
			for _, p := range ps {
				fmt.Fprintln(&all, p)
				if !strings.HasPrefix(p.Path, d.Path()) {
					t.Errorf("path %s", p.Path)
				}
			}
			if !strings.Contains(all.String(), tt.text) {
				t.Errorf("no %q in\n%s", tt.text, all.String())
			}
		})
	}
}

func TestVerifyOptions(t *testing.T) {
	d, k := machine(t)
	_, other := machine(t)
	chain(t, d, k, 2)
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"all right":      {Options{Key: k.Public(), Current: generation(2), AtLeast: 2}, ""},
		"another runs":   {Options{Current: generation(1)}, "state 2"},
		"one was taken":  {Options{AtLeast: 3}, "state 0"},
		"another signed": {Options{Key: other.Public()}, "key 0"},
	} {
		if got := kinds(verify(t, d, tt.o)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	alone := home.Dir(t.TempDir()) // a copy without the key files
	if err := os.CopyFS(Folder(alone), os.DirFS(Folder(d))); err != nil {
		t.Fatal(err)
	}
	good(t, alone, Options{Key: k.Public()})
	good(t, home.Dir(t.TempDir()), Options{}) // nothing was ever installed
}

func TestVerifyFileRefuses(t *testing.T) {
	d, k := machine(t)
	_, other := machine(t)
	chain(t, d, k, 1)
	b, sig := cat(t, Path(d, 1)), cat(t, Path(d, 1)+".sig")
	if _, err := VerifyFile(b, sig, nil); err == nil {
		t.Error("no key")
	}
	if _, err := VerifyFile(b, sig, other.Public()); err == nil {
		t.Error("another key")
	}
	for i := range b {
		bad := slices.Clone(b)
		bad[i] ^= 1 << (i % 8)
		if _, err := VerifyFile(bad, sig, k.Public()); err == nil {
			t.Fatalf("byte %d of the receipt", i)
		}
	}
	for i := range sig {
		for bit := range 8 {
			bad := slices.Clone(sig)
			bad[i] ^= 1 << bit
			if _, err := VerifyFile(b, bad, k.Public()); err == nil {
				t.Fatalf("byte %d of the signature", i)
			}
		}
	}
	longer := must2(sshsig.Unarmor(sig))(t)
	longer.Signature.Rest = []byte("x")
	for name, bad := range map[string][]byte{
		"bytes behind": sshsig.Armor(longer),
		"text behind":  append(slices.Clone(sig), '\n'),
		"text before":  append([]byte("\n"), sig...),
		"CRLF":         bytes.ReplaceAll(sig, []byte("\n"), []byte("\r\n")),
		"twice":        append(slices.Clone(sig), sig...),
		"none":         nil,
		"no last line": bytes.TrimSuffix(sig, []byte("\n")),
	} {
		if _, err := VerifyFile(b, bad, k.Public()); err == nil {
			t.Errorf("signature with %s", name)
		}
	}
}

// Any byte that is changed, added or taken away in any file of the chain is
// found.
func TestTamperingIsFound(t *testing.T) {
	d, k := machine(t)
	chain(t, d, k, 3)
	files := map[string][]byte{}
	for _, path := range must2(filepath.Glob(filepath.Join(Folder(d), "*")))(t) {
		files[path] = cat(t, path)
	}
	names := slices.Sorted(maps.Keys(files))
	if len(names) != 7 {
		t.Fatal(names)
	}
	rapid.Check(t, func(rt *rapid.T) {
		path := rapid.SampledFrom(names).Draw(rt, "file")
		was := files[path]
		at := rapid.IntRange(0, len(was)-1).Draw(rt, "at")
		b := slices.Clone(was)
		switch rapid.IntRange(0, 3).Draw(rt, "how") {
		case 0:
			b[at] ^= byte(rapid.IntRange(1, 255).Draw(rt, "bits"))
		case 1:
			b = slices.Insert(b, at, rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(rt, "more")...)
		case 2:
			b = slices.Delete(b, at, rapid.IntRange(at+1, len(b)).Draw(rt, "to"))
		case 3:
			b = b[:at]
		}
		put(t, path, b)
		ps := verify(t, d, Options{})
		put(t, path, was)
		if len(ps) == 0 && !bytes.Equal(b, was) {
			rt.Fatalf("%s: not found", path)
		}
		if n, ok := number(strings.TrimSuffix(filepath.Base(path), sigExt)); ok && len(ps) > 0 && ps[0].Sequence != n {
			rt.Fatalf("%s: named %v", path, ps[0])
		}
	})
	good(t, d, Options{})
}
