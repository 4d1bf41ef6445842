package pull

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/install/files"
)

// job is what a child process does.
type job struct {
	User, Program string
	Install       *Options // nil = sync
	Kill          int      // die at this operation; 0 = never
}

// killed is the exit code of a child that died as it was told.
const killed = 9

// child is what the test program does as a process of its own.
func child() int {
	var j job
	if err := json.Unmarshal([]byte(os.Getenv("CHILD")), &j); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	m := machineAt(j.User)
	m.Program = j.Program
	n := 0
	m.Files.Before = func(files.Op) error {
		if n++; n == j.Kill {
			os.Exit(killed)
		}
		return nil
	}
	changed, err := j.do(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("changed", changed)
	return 0
}

func (j job) do(m *Machine) (changed bool, err error) {
	if j.Install != nil {
		in, err := m.Install(context.Background(), *j.Install)
		return in.Changed, err
	}
	r, err := m.Sync(context.Background())
	return r.Changed, err
}

// command is the child as a process.
func (j job) command(t testing.TB) *exec.Cmd {
	t.Helper()
	b, err := json.Marshal(j)
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"CHILD=" + string(b), "PATH=" + os.Getenv("PATH"), "HOME=" + j.User}
	return cmd
}

// snapshot is a machine at one moment, to come back to.
type snapshot struct{ user, copy string }

func (b box) snapshot() snapshot {
	b.Helper()
	s := snapshot{b.User, filepath.Join(b.TempDir(), "copy")}
	copyTree(b, s.user, s.copy)
	b.Cleanup(func() { _ = (&files.Layer{}).RemoveAll(s.copy) })
	return s
}

func (s snapshot) back(t testing.TB) {
	t.Helper()
	must(t, (&files.Layer{}).RemoveAll(s.user))
	copyTree(t, s.copy, s.user)
}

// copyTree copies a folder. The program is linked, since nothing writes into it.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	modes := map[string]fs.FileMode{}
	must(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		fi, err := d.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			modes[target] = fi.Mode().Perm()
			return os.MkdirAll(target, 0o755)
		}
		if strings.Contains(rel, "/bin/") {
			return os.Link(path, target)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, data, 0o600); err != nil {
			return err
		}
		return os.Chmod(target, fi.Mode().Perm())
	}))
	for path, mode := range modes {
		must(t, os.Chmod(path, mode))
	}
}
