//go:build !windows

package receipt

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agenthooks/hookctl/home"
)

// Whatever the umask: the key is the owner's alone, receipts are read-only.
func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		d := home.Dir(t.TempDir())
		old := syscall.Umask(mask)
		k, err := MakeKey(nil, d)
		_, err2 := Write(nil, d, sample(1), k)
		syscall.Umask(old)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for path, want := range map[string]fs.FileMode{
			d.Path(KeyName): 0o600, d.Path(PubName): 0o644, Folder(d): 0o755,
			Path(d, 1): 0o444, Path(d, 1) + sigExt: 0o444, d.Path(folder, headName): 0o644,
		} {
			if got := must2(os.Stat(path))(t).Mode().Perm(); got != want {
				t.Errorf("umask %o: %s has mode %o, want %o", mask, filepath.Base(path), got, want)
			}
		}
		good(t, d, Options{})
	}
}

func TestOpenKeyIsFound(t *testing.T) {
	d, k := machine(t)
	chain(t, d, k, 1)
	for mode, want := range map[fs.FileMode]string{0o600: "", 0o400: "", 0o640: "state 0", 0o604: "state 0", 0o622: "state 0"} {
		if err := os.Chmod(d.Path(KeyName), mode); err != nil {
			t.Fatal(err)
		}
		if got := kinds(verify(t, d, Options{})); got != want {
			t.Errorf("mode %o: %q, want %q", mode, got, want)
		}
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	d, k := machine(t)
	chain(t, d, k, 2)
	for _, path := range []string{Path(d, 1), Path(d, 2) + sigExt, d.Path(folder, headName)} {
		b := cat(t, path)
		elsewhere := filepath.Join(t.TempDir(), "x")
		put(t, elsewhere, b)
		remove(t, path)
		if err := os.Symlink(elsewhere, path); err != nil {
			t.Fatal(err)
		}
		if ps := verify(t, d, Options{}); len(ps) == 0 || !strings.Contains(ps[0].Text, "regular") {
			t.Errorf("%s: %v", filepath.Base(path), ps)
		}
		put(t, path, b)
	}
	remove(t, Path(d, 2))
	if err := syscall.Mkfifo(Path(d, 2), 0o644); err != nil {
		t.Skip(err)
	}
	if got := kinds(verify(t, d, Options{})); got != "unreadable 2" { // and it does not wait for a writer
		t.Error(got)
	}
}

// TestAnotherUser has a user without rights try: the receipts may be read and
// verified, the key and the folder not be changed or read.
func TestAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to become another user")
	}
	d, k := machine(t)
	chain(t, d, k, 1)
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, cat(t, must2(os.Executable())(t)), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{dir, string(d)} {
		for ; p != os.TempDir() && p != "/"; p = filepath.Dir(p) {
			if err := os.Chmod(p, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	run := func(what string) (string, error) {
		cmd := exec.Command(program)
		cmd.Env = []string{childVar + "=" + string(d) + "|" + what + "|1000"}
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for what, works := range map[string]bool{"write": false, "rekey": false, "make": false, "verify": true} {
		if out, err := run(what); (err == nil) != works {
			t.Errorf("%s: %v: %s", what, err, out)
		}
	}
	good(t, d, Options{})
	if n := len(must2(List(d))(t)); n != 1 {
		t.Errorf("%d receipts", n)
	}
}
