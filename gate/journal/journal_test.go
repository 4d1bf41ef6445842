package journal

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	writers = 16
	each    = 200
	envDir  = "HOOKCTL_TEST_JOURNAL"
	envName = "HOOKCTL_TEST_WRITER"
	envWhat = "HOOKCTL_TEST_WHAT"
)

// small are bounds that a test reaches: a day's file holds a few lines.
var small = bounds{part: 16 << 10, minute: 64 << 20, all: 1 << 30, days: 30}

// TestMain makes the test program one of the writers when it is told to.
func TestMain(m *testing.M) {
	dir, name := os.Getenv(envDir), os.Getenv(envName)
	if dir == "" {
		os.Exit(m.Run())
	}
	b := standard
	if os.Getenv(envWhat) == "small" {
		b = small
	}
	for i := range each {
		l := Line{ID: name + "-" + strconv.Itoa(i), Decision: "block", Text: strings.Repeat("x<&>", i*10)} // up to 8 KB: more than a page holds
		if b == small {                                                                                    // days and hours on end, so that each process begins and sweeps files
			l.Time = day.Add(time.Duration(i) * 20 * time.Minute)
		}
		if err := b.append(dir, l); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(0)
}

var day = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// start starts one writer.
func start(t *testing.T, dir, name, what string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), envDir+"="+dir, envName+"="+name, envWhat+"="+what)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestProcesses lets many processes append at once: into one file, and over many
// files that each of them begins, fills and sweeps.
func TestProcesses(t *testing.T) {
	for what, files := range map[string]int{"standard": 1, "small": 20} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a", "journal")
			var procs []*exec.Cmd
			for w := range writers {
				procs = append(procs, start(t, dir, strconv.Itoa(w), what))
			}
			for _, c := range procs {
				if err := c.Wait(); err != nil {
					t.Error(err)
				}
			}
			if names := ls(t, dir); len(names) < files {
				t.Errorf("only the files %q", names)
			}
			whole(t, dir, writers*each)
		})
	}
}

// whole fails unless the journal holds so many lines, each once and as it was
// written.
func whole(t *testing.T, dir string, want int) {
	t.Helper()
	seen := map[string]int{}
	if err := Read(dir, func(l Line) bool {
		_, i, _ := strings.Cut(l.ID, "-")
		if n, err := strconv.Atoi(i); err != nil || l.Text != strings.Repeat("x<&>", n*10) {
			t.Errorf("%s: torn", l.ID)
		}
		seen[l.ID]++
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if len(seen) != want {
		t.Errorf("%d lines, want %d", len(seen), want)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s: %d times", id, n)
		}
	}
}

// TestKilledWriters kills writers while they write: what is there are whole lines.
func TestKilledWriters(t *testing.T) {
	dir := t.TempDir()
	for w := range 8 {
		c := start(t, dir, strconv.Itoa(w), "small")
		for len(ls(t, dir)) <= w { // it has begun
			runtime.Gosched()
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
	}
	lines := 0
	for _, name := range ls(t, dir) {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			if l := (Line{}); json.Unmarshal([]byte(line), &l) != nil || !strings.HasSuffix(line, "\n") {
				t.Errorf("%s: torn: %.80q", name, line)
			}
			lines++
		}
	}
	if lines == 0 {
		t.Error("nobody wrote anything: nothing was tested")
	}
}

func ls(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAppendAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	day := time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)
	for i, at := range []time.Time{day, day.Add(time.Second), day.Add(time.Hour)} {
		if err := Append(dir, Line{Time: at, ID: strconv.Itoa(i), Decision: "allow", Why: "a <b> & c"}); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "2026-11-30.jsonl")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), `"why":"a <b> & c"`) || strings.Count(string(raw), "\n") != 2 {
		t.Errorf("%s", raw)
	}
	for path, want := range map[string]os.FileMode{file: 0o600, dir: 0o700} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
	// A cut line, the next one glued to it, and things that are no lines.
	add := `{"schema":1,"id":"cut","dec{"schema":1,"id":"glued","decision":"block","release":0}` + "\nnull\nx\n" + `{"schema":2,"id":"later"}` + "\n" + `{"schema":1,"id":"half`
	if err := os.WriteFile(file, append(raw, add...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.jsonl"), []byte(`{"schema":1,"id":"no"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var ids []string
	read := func(stop string) {
		ids = nil
		if err := Read(dir, func(l Line) bool { ids = append(ids, l.ID); return l.ID != stop }); err != nil {
			t.Fatal(err)
		}
	}
	if read(""); strings.Join(ids, " ") != "2 glued 1 0" {
		t.Errorf("%v", ids)
	}
	if read("glued"); strings.Join(ids, " ") != "2 glued" {
		t.Errorf("%v", ids)
	}
	if err := Read(filepath.Join(dir, "none"), nil); err != nil {
		t.Error(err)
	}
}

func TestCannotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Append(file, Line{}); err == nil {
		t.Error("a file as the folder: no error")
	}
	if err := Append(filepath.Join(file, "x"), Line{}); err == nil {
		t.Error("a folder below a file: no error")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":1,"id":"x"}`))
	f.Add([]byte(`{"schema":1,"i{"schema":1}` + "\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		n := 0
		backward(raw, func(l Line) bool {
			n++
			return l.Schema == Schema
		})
		if n > strings.Count(string(raw), "\n")+1 {
			t.Errorf("%d lines", n)
		}
	})
}
