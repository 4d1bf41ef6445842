package journal

import (
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
)

// TestMain makes the test program one of the writers when it is told to.
func TestMain(m *testing.M) {
	if dir := os.Getenv(envDir); dir != "" {
		for i := range each {
			text := strings.Repeat("x<&>", i*10) // up to 8 KB: more than a page holds
			if err := Append(dir, Line{ID: os.Getenv(envName) + "-" + strconv.Itoa(i), Decision: "block", Text: text}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "journal")
	var procs []*exec.Cmd
	for w := range writers {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), envDir+"="+dir, envName+"="+strconv.Itoa(w))
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		procs = append(procs, c)
	}
	for _, c := range procs {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
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
	if len(seen) != writers*each {
		t.Errorf("%d lines, want %d", len(seen), writers*each)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s: %d times", id, n)
		}
	}
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
