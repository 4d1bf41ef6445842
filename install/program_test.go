package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// place is what an install does with a program: nothing when it is there.
func place(l *files.Layer, h home.Dir, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(h.Binary()); err == nil && string(old) == string(data) {
		return nil
	}
	return placeBytes(l, h, data)
}

func placeBytes(l *files.Layer, h home.Dir, data []byte) error {
	s, err := StageProgram(l, h, data, strings.TrimPrefix(Sum(data), "sha256:"))
	if err != nil {
		return err
	}
	defer s.Drop()
	return s.Commit(l, h, true)
}

// inBin lists the folder of the program.
func inBin(t *testing.T, h home.Dir) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(h.Binary()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestProgram(t *testing.T) {
	m := newMachine(t)
	old, bin := filepath.Base(m.home.OldBinary()), filepath.Base(m.home.Binary())
	for _, tt := range []struct{ data, before, list string }{
		{"ELF one", "", bin},
		{"ELF two", "ELF one", bin + " " + old},
		{"ELF three", "ELF two", bin + " " + old},
	} {
		if err := placeBytes(nil, m.home, []byte(tt.data)); err != nil {
			t.Fatal(err)
		}
		if got := m.read(m.home.Binary()); got != tt.data {
			t.Errorf("program %q", got)
		}
		if tt.before != "" && m.read(m.home.OldBinary()) != tt.before {
			t.Errorf("the one before is %q, want %q", m.read(m.home.OldBinary()), tt.before)
		}
		if got := inBin(t, m.home); got != tt.list {
			t.Errorf("there lie %s", got)
		}
		fi, err := os.Stat(m.home.Binary())
		if err != nil || modesCount && fi.Mode().Perm() != ProgramMode {
			t.Errorf("%v %v", fi.Mode(), err)
		}
	}
}

// Without a digest nothing would be checked, so that none is an error.
func TestStageProgramAsksForTheDigest(t *testing.T) {
	m := newMachine(t)
	for name, sum := range map[string]string{
		"none": "", "no hex": strings.Repeat("x", 64), "short": "00", "of other bytes": strings.TrimPrefix(Sum([]byte("other")), "sha256:"),
	} {
		if s, err := StageProgram(nil, m.home, []byte("ELF"), sum); err == nil {
			t.Errorf("%s: staged at %s", name, s.Path)
		}
	}
	if _, err := os.Stat(filepath.Dir(m.home.Binary())); err == nil && inBin(t, m.home) != "" {
		t.Errorf("there lies %s", inBin(t, m.home))
	}
}

// What a user put in the place of the program is replaced; what a link leads to
// is not touched.
func TestProgramReplacesWhatIsNone(t *testing.T) {
	for name, put := range map[string]func(m machine){
		"a link": func(m machine) {
			m.put(m.path("elsewhere"), "theirs")
			if err := os.Symlink(m.path("elsewhere"), m.home.Binary()); err != nil {
				t.Skip(err)
			}
		},
		"a dangling link": func(m machine) {
			if err := os.Symlink(m.path("nowhere"), m.home.Binary()); err != nil {
				t.Skip(err)
			}
		},
		"a folder": func(m machine) { m.put(filepath.Join(m.home.Binary(), "x"), "") },
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			if err := os.MkdirAll(filepath.Dir(m.home.Binary()), 0o755); err != nil {
				t.Fatal(err)
			}
			put(m)
			if err := placeBytes(nil, m.home, []byte("ELF")); err != nil {
				t.Fatal(err)
			}
			if fi, err := os.Lstat(m.home.Binary()); err != nil || !fi.Mode().IsRegular() || m.read(m.home.Binary()) != "ELF" {
				t.Errorf("%v %v", fi, err)
			}
			if name == "a link" && m.read(m.path("elsewhere")) != "theirs" {
				t.Error("the link was followed")
			}
		})
	}
}

// ways are the two ways to replace a program, each on every system.
var ways = map[string]func(l *files.Layer, staged, target, old string) error{"over": over, "aside": aside}

// e12-rename-fails: whatever operation fails, there is a program, or the error
// names where it lies. The way of Unix always leaves one in its place.
func TestE12RenameFails(t *testing.T) {
	for name, way := range ways {
		for _, lasting := range []bool{false, true} {
			for n := 1; ; n++ {
				m := newMachine(t)
				m.put(m.home.Binary(), "old")
				m.put(m.home.OldBinary(), "older")
				staged := m.path("staged")
				m.put(staged, "new")
				count := 0
				l := &files.Layer{Before: func(files.Op) error {
					if count++; count == n || lasting && count > n {
						return syscall.EIO
					}
					return nil
				}}
				err := way(l, staged, m.home.Binary(), m.home.OldBinary())
				if count < n {
					if err != nil || m.read(m.home.Binary()) != "new" || m.read(m.home.OldBinary()) != "old" {
						t.Errorf("%s: undisturbed: %v", name, err)
					}
					break
				}
				b, rerr := os.ReadFile(m.home.Binary())
				stranded, lost := errors.AsType[*StrandedError](err)
				switch {
				case lost && name == "over":
					t.Errorf("%s, operation %d: %v", name, n, err)
				case lost:
					if m.read(stranded.Backup) != "old" || !strings.Contains(err.Error(), stranded.Backup) || !errors.Is(err, syscall.EIO) {
						t.Errorf("%s, operation %d: %v", name, n, err)
					}
				case rerr != nil || err != nil && string(b) != "old":
					t.Errorf("%s, operation %d (lasting %v): program %q, %v, %v", name, n, lasting, b, rerr, err)
				case err == nil && string(b) != "new":
					t.Errorf("%s, operation %d: no error, and program %q", name, n, b)
				}
			}
		}
	}
}

// e11-windows-lock: the program before still runs, so that its name cannot be
// freed by removing it. It gets another one, is swept later, and the new program
// is there.
func TestE11WindowsLock(t *testing.T) {
	m := newMachine(t)
	m.put(m.home.Binary(), "two")
	m.put(m.home.OldBinary(), "one, which runs")
	staged := m.path("staged")
	m.put(staged, "three")
	l := &files.Layer{Before: func(op files.Op) error {
		if op.Kind == files.Remove {
			return syscall.EACCES
		}
		return nil
	}}
	if err := aside(l, staged, m.home.Binary(), m.home.OldBinary()); err != nil {
		t.Fatal(err)
	}
	if m.read(m.home.Binary()) != "three" || m.read(m.home.OldBinary()) != "two" {
		t.Errorf("program %q, before %q", m.read(m.home.Binary()), m.read(m.home.OldBinary()))
	}
	unique, err := filepath.Glob(filepath.Join(filepath.Dir(m.home.Binary()), ".hookctl-*.tmp"))
	if err != nil || len(unique) != 1 || m.read(unique[0]) != "one, which runs" {
		t.Errorf("under a name of its own: %q, %v", unique, err)
	}
	// And when it cannot be renamed either: nothing has changed.
	l.Before = func(op files.Op) error {
		if op.Path != m.home.Binary() {
			return syscall.EACCES
		}
		return nil
	}
	m.put(staged, "four")
	if err := aside(l, staged, m.home.Binary(), m.home.OldBinary()); !errors.Is(err, syscall.EACCES) {
		t.Error(err)
	}
	if m.read(m.home.Binary()) != "three" {
		t.Errorf("program %q", m.read(m.home.Binary()))
	}
}
