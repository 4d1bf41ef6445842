//go:build !windows

package pull

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user without rights.
const nobody = 65534

// TestReadOnlyHome has a user without rights work on folders that are read-only:
// a clear error, and nothing changed.
func TestReadOnlyHome(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	r, b := newTeam(t), newBox(t)
	r.release(1)
	b.install(r.options())
	r.release(2)
	o := r.options()
	self := filepath.Join(t.TempDir(), "program")
	in, err := os.Open(os.Args[0])
	must(t, err)
	defer in.Close()
	out, err := os.OpenFile(self, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, err)
	must(t, out.Close())
	for _, dir := range []string{self, r.dir, b.User} {
		for d := filepath.Dir(dir); d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			must(t, os.Chmod(d, 0o755))
		}
	}
	must(t, filepath.WalkDir(b.User, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	}))
	settings := filepath.Dir(b.settings())
	for _, tt := range []struct {
		name, dir, names string
		mode             fs.FileMode
		install, works   bool
	}{
		{"sync, home", string(b.Home), string(b.Home), 0o555, false, false},
		{"sync, store", b.Home.Store(), b.Home.Store(), 0o555, false, false},
		{"sync, cache", b.Home.Cache(), b.Home.Cache(), 0o555, false, false},
		{"install, home", string(b.Home), string(b.Home), 0o555, true, false},
		{"install, bin", filepath.Dir(b.Home.Binary()), b.Home.Binary(), 0o555, true, false},
		{"install, settings", settings, settings, 0o555, true, false},
		{"sync, settings", settings, "", 0o555, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.install { // something to change in each place
				f, err := os.OpenFile(b.Home.Binary(), os.O_APPEND|os.O_WRONLY, 0)
				must(t, err)
				_, err = f.WriteString("other")
				must(t, err)
				must(t, f.Close())
				text := string(must1(t)(os.ReadFile(b.settings())))
				must(t, os.WriteFile(b.settings(), []byte(strings.ReplaceAll(text, `"timeout": 30`, `"timeout": 20`)), 0o600))
			}
			must(t, os.Chmod(tt.dir, tt.mode))
			before := tree(t, b.User)
			j := job{User: b.User, Program: program}
			if tt.install {
				j.Install = &o
			}
			cmd := j.command(t)
			cmd.Path = self
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			text, err := cmd.CombinedOutput()
			if (err == nil) != tt.works {
				t.Errorf("%v: %s", err, text)
			}
			if !tt.works {
				if !strings.Contains(string(text), "permission denied") || !strings.Contains(string(text), filepath.Base(tt.names)) {
					t.Errorf("it says %s", text)
				}
				same(t, "after it", before, tree(t, b.User))
			}
			must(t, os.Chmod(tt.dir, 0o755))
		})
	}
}
