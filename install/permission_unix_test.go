//go:build !windows

package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnlySettings has a user without rights install over a file and a
// folder that are read-only: one clear message, no half state.
func TestReadOnlySettings(t *testing.T) {
	for _, tt := range []struct {
		name           string
		folder, file   fs.FileMode
		wantPermission bool
	}{
		{"folder and file", 0o555, 0o444, true},
		{"folder", 0o555, 0o644, true},
		{"file", 0o755, 0o444, true},
		{"neither", 0o755, 0o600, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine(t)
			m.put(m.settings(), `{ "hooks": {} }`)
			cmd := child(m, "apply", 0)
			if os.Geteuid() == 0 {
				asNobody(t, m, &cmd.Path)
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			}
			must := func(err error) {
				if err != nil {
					t.Fatal(err)
				}
			}
			must(os.Chmod(m.settings(), tt.file))
			must(os.Chmod(m.path(".claude"), tt.folder))
			t.Cleanup(func() { os.Chmod(m.path(".claude"), 0o755) })
			out, err := cmd.CombinedOutput()
			if !tt.wantPermission {
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if fi, err := os.Stat(m.settings()); err != nil || fi.Mode().Perm() != tt.file {
					t.Errorf("mode %v, %v", fi.Mode(), err)
				}
				return
			}
			if err == nil || !strings.Contains(string(out), "permission") || !strings.Contains(string(out), ".claude") {
				t.Errorf("%v: %s", err, out)
			}
			if m.read(m.settings()) != `{ "hooks": {} }` || m.read(m.home.Record()) != "<none>" {
				t.Error("something was written")
			}
			m.noTemp()
		})
	}
}

// asNobody gives the user folder to nobody and puts the test program where
// nobody can start it.
func asNobody(t *testing.T, m machine, program *string) {
	t.Helper()
	data, err := os.ReadFile(*program)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	*program = filepath.Join(dir, "program")
	if err := os.WriteFile(*program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, m.user} {
		for ; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			os.Chmod(d, 0o755)
		}
	}
	err = filepath.WalkDir(m.user, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = os.Lchown(path, 65534, 65534)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
