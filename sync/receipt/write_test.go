package receipt

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

var errBoom = errors.New("boom")

// onlyUnfinished reports whether the next write mends all that was found.
func onlyUnfinished(ps []Problem) bool {
	for _, p := range ps {
		if p.Kind != Unfinished {
			return false
		}
	}
	return true
}

// TestWriteFailsAtEach stops Write by an error at each of its operations: the
// chain is good or says that a write was cut short, and the next write mends it.
func TestWriteFailsAtEach(t *testing.T) {
	for _, before := range []int{0, 1, 2} {
		for n := 0; ; n++ {
			d, k := machine(t)
			chain(t, d, k, before)
			done := 0
			path, err := Write(stopAt(n, &done, func() error { return errBoom }), d, sample(before+1), k)
			there := exists(Path(d, before+1))
			if (err == nil) != there || (path != "") != there {
				t.Errorf("%d receipts, stopped at %d: %q, %v, there %v", before, n, path, err, there)
			}
			if ps := verify(t, d, Options{}); !onlyUnfinished(ps) && before+len(must2(List(d))(t)) > 0 {
				t.Errorf("%d receipts, stopped at %d: %v", before, n, ps)
			}
			must2(Write(nil, d, sample(before+2), k))(t)
			good(t, d, Options{})
			if done <= n {
				if n < 15 {
					t.Errorf("only %d operations", n)
				}
				break
			}
		}
	}
}

const childVar = "HOOKCTL_TEST_RECEIPT_CHILD"

// TestMain lets the test program be the process that is killed.
func TestMain(m *testing.M) {
	if dir, rest, ok := strings.Cut(os.Getenv(childVar), "|"); ok {
		what, digits, _ := strings.Cut(rest, "|")
		n, err := strconv.Atoi(digits)
		if err != nil {
			os.Exit(3)
		}
		os.Exit(child(home.Dir(dir), what, n))
	}
	os.Exit(m.Run())
}

// child does one thing and kills itself at operation n.
func child(d home.Dir, what string, n int) int {
	done := 0
	l := stopAt(n, &done, func() error {
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	})
	var err error
	switch what {
	case "make":
		_, err = MakeKey(l, d)
	case "rekey":
		_, _, err = Rekey(l, d, sample(9))
	case "verify":
		var ps []Problem
		if ps, err = Verify(d, Options{}); len(ps) > 0 {
			return 1
		}
	case "write":
		var k Key
		if k, err = OpenKey(d); err == nil {
			_, err = Write(l, d, sample(9), k)
		}
	}
	if err != nil {
		return 1
	}
	return 0
}

// killed runs child and reports whether it was killed before it was done.
func killed(t *testing.T, d home.Dir, what string, n int) bool {
	t.Helper()
	cmd := exec.Command(must2(os.Executable())(t))
	cmd.Env = append(os.Environ(), childVar+"="+string(d)+"|"+what+"|"+strconv.Itoa(n))
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() == 1 || exit.ExitCode() == 3) {
		t.Fatalf("%s at %d: %v", what, n, err)
	}
	return err != nil
}

// TestKilledAtEach kills a process at each operation: what it leaves is good or
// named, and doing it again is enough.
func TestKilledAtEach(t *testing.T) {
	t.Run("write", func(t *testing.T) {
		t.Parallel()
		for n := 0; ; n++ {
			d, k := machine(t)
			chain(t, d, k, 2)
			again := killed(t, d, "write", n)
			if ps := verify(t, d, Options{}); !onlyUnfinished(ps) {
				t.Errorf("killed at %d: %v", n, ps)
			}
			r := sample(3)
			r.Time = time.Now().Add(time.Second) // coarse clocks of file systems
			must2(Write(nil, d, r, k))(t)
			good(t, d, Options{})
			if !again {
				break
			}
		}
	})
	t.Run("make", func(t *testing.T) {
		t.Parallel()
		for n := 0; ; n++ {
			d := home.Dir(t.TempDir())
			again := killed(t, d, "make", n)
			had, err := readPrivate(d)
			k := must2(MakeKey(nil, d))(t)
			if err == nil && had.Fingerprint() != k.Fingerprint() {
				t.Errorf("killed at %d: the key was replaced", n)
			}
			chain(t, d, k, 1)
			good(t, d, Options{})
			if !again {
				break
			}
		}
	})
	t.Run("rekey", func(t *testing.T) {
		t.Parallel()
		for n := 0; ; n++ {
			d, old := machine(t)
			chain(t, d, old, 2)
			remove(t, d.Path(KeyName))
			again := killed(t, d, "rekey", n)
			if ps := verify(t, d, Options{}); again && len(ps) == 0 && !exists(Path(d, 3)) {
				t.Errorf("killed at %d: nothing is found", n)
			}
			k, _, err := Rekey(nil, d, sample(9))
			if err != nil {
				t.Fatal(err)
			}
			r := sample(10)
			r.Time = time.Now().Add(time.Second)
			must2(Write(nil, d, r, k))(t)
			good(t, d, Options{})
			list := must2(List(d))(t)
			if len(list) != 4 || list[2].Action != NewKey || list[2].Formerly != old.Fingerprint() || list[2].Machine != k.Fingerprint() {
				t.Errorf("killed at %d: %+v", n, list)
			}
			if !again {
				break
			}
		}
	})
}

// A damaged chain stops no sync, and the next receipt says that it was damaged.
// What was removed is found for ever.
func TestWriteAfterDamage(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(t *testing.T, d home.Dir)
		next int
		note string
		want string
	}{
		{"the last removed", func(t *testing.T, d home.Dir) { remove(t, Path(d, 3), Path(d, 3)+".sig") }, 4, "receipt 3 could not be read", "missing 3"},
		{"one in the middle removed", func(t *testing.T, d home.Dir) { remove(t, Path(d, 2), Path(d, 2)+".sig") }, 4, "", "missing 2"},
		{"the last changed", func(t *testing.T, d home.Dir) { put(t, Path(d, 3), []byte("{}")) }, 4, "receipt 3 had been changed", "signature 3, link 4"},
		{"head removed", func(t *testing.T, d home.Dir) { remove(t, d.Path(folder, headName)) }, 4, "head was missing", ""},
		{"head damaged", func(t *testing.T, d home.Dir) { put(t, d.Path(folder, headName), []byte("x")) }, 4, "head was damaged", ""},
		{"the last and head removed", func(t *testing.T, d home.Dir) {
			remove(t, Path(d, 3), Path(d, 3)+".sig", d.Path(folder, headName))
		}, 3, "head was missing", ""}, // all that is left of it is the note
		{"a strange next", func(t *testing.T, d home.Dir) { put(t, Path(d, 4), []byte("x")) }, 5, "000004.json was there", "signature 4, link 5"},
		{"another machine's next", func(t *testing.T, d home.Dir) {
			other, k := machine(t)
			chain(t, other, k, 4)
			put(t, Path(d, 4), cat(t, Path(other, 4)))
			put(t, Path(d, 4)+sigExt, cat(t, Path(other, 4)+sigExt))
		}, 5, "000004.json was there", "link 4, key 4, link 5"},
		{"a strange high number", func(t *testing.T, d home.Dir) { put(t, d.Path(folder, "999999999.json"), []byte("x")) }, 4, "", "missing 5, signature 999999999, state 0"},
		{"a folder for a receipt", func(t *testing.T, d home.Dir) {
			if err := os.Mkdir(Path(d, 4), 0o755); err != nil {
				t.Fatal(err)
			}
		}, 5, "000004.json was there", "unreadable 4"},
		{"all bad", func(t *testing.T, d home.Dir) {
			remove(t, d.Path(folder, headName), Path(d, 1)+".sig", Path(d, 2)+".sig", Path(d, 3)+".sig")
		}, 4, "head was missing", "signature 1, signature 2, signature 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, k := machine(t)
			chain(t, d, k, 3)
			tt.do(t, d)
			path := must2(Write(nil, d, sample(9), k))(t)
			if path != Path(d, tt.next) {
				t.Errorf("written to %s, want number %d", path, tt.next)
			}
			r := must2(VerifyFile(cat(t, path), cat(t, path+sigExt), k.Public()))(t)
			notes := strings.Join(r.Notes[1:], "\n")
			if !strings.Contains(notes, tt.note) || (tt.note == "") != (notes == "") {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
			must2(Write(nil, d, sample(10), k))(t)
			ps := verify(t, d, Options{})
			if got := strings.ReplaceAll(kinds(ps), "missing 6", "missing 5"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Two writers are the caller's matter; if they come all the same, none
// overwrites the other's receipt.
func TestWriteOverwritesNone(t *testing.T) {
	d, k := machine(t)
	chain(t, d, k, 1)
	once := false
	l := &files.Layer{Before: func(op files.Op) error {
		if op.Kind == files.Mkdir || once {
			return nil
		}
		once = true
		_, err := Write(nil, d, sample(2), k)
		return err
	}}
	if _, err := Write(l, d, sample(3), k); !errors.Is(err, files.ErrChanged) {
		t.Errorf("the second writer: %v", err)
	}
	if r := must2(read(d, 2))(t); r.Release != 2 {
		t.Errorf("release %d", r.Release)
	}
}

func TestWriteAnotherKey(t *testing.T) {
	d, k := machine(t)
	_, other := machine(t)
	chain(t, d, k, 1)
	var changed *KeyChangedError
	if _, err := Write(nil, d, sample(2), other); !errors.As(err, &changed) || changed.Was != k.Fingerprint() || changed.Is != other.Fingerprint() {
		t.Errorf("%v", err)
	}
	r := sample(2)
	r.Formerly = k.Fingerprint()
	must2(Write(nil, d, r, other))(t)
	good(t, d, Options{Key: other.Public()})
}
