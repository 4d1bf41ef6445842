package loop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	envDir  = "HOOKCTL_TEST_LOOP"
	envWhat = "HOOKCTL_TEST_WHAT"
	envID   = "HOOKCTL_TEST_ID"
	keys    = 50
	adds    = 100
	window  = 2 * time.Second
)

var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// TestMain makes the test program one of the racing processes when told to.
func TestMain(m *testing.M) {
	dir := os.Getenv(envDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	s := Store{dir}
	switch os.Getenv(envWhat) {
	case "claim": // print the keys won
		for i := range keys {
			won, err := s.Claim(fmt.Sprint("k", i), os.Getenv(envID), time.Now(), time.Minute)
			if err != nil {
				fmt.Println("error", err)
			}
			if won {
				fmt.Println("won", i)
			}
		}
	case "add":
		for range adds {
			if err := s.Add("s", "t", "g"); err != nil {
				fmt.Println("error", err)
			}
		}
	case "closed": // a folder that may not be written
		n, err := s.Count("s", "t", "g")
		fmt.Println("count", n, err == nil)
		fmt.Println("add", s.Add("s", "t", "new") != nil)
		won, err := s.Claim("k", "", epoch, window)
		fmt.Println("claim", won, err != nil)
	}
	os.Exit(0)
}

// race runs n processes and gives all that they print.
func race(t *testing.T, n int, dir, what string) []string {
	t.Helper()
	out := make([]strings.Builder, n)
	procs := make([]*exec.Cmd, n)
	for i := range procs {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), envDir+"="+dir, envWhat+"="+what)
		c.Stdout, c.Stderr = &out[i], os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		procs[i] = c
	}
	var lines []string
	for i, c := range procs {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		lines = append(lines, strings.FieldsFunc(out[i].String(), func(r rune) bool { return r == '\n' })...)
	}
	return lines
}

func TestClaim(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "a", "loop")}
	for i, c := range []struct {
		key  string
		at   time.Duration
		want bool
	}{
		{"a", 0, true},
		{"a", 0, false},
		{"a", time.Second, false},
		{"b", time.Second, true},
		{"a", window, true}, // run out
		{"a", window + time.Second, false},
		{"a", 2 * window, true},
		{"a", 2*window + time.Second, false},
		{"a", -time.Second + 2*window, false}, // a process that started earlier
		{"a", -time.Hour, true},               // the clock was set back
	} {
		got, err := s.Claim(c.key, "", epoch.Add(c.at), window)
		if err != nil || got != c.want {
			t.Errorf("%d: %s at %v: %v %v", i, c.key, c.at, got, err)
		}
	}
	for i := range maxTerms + 3 { // more terms than it keeps apart: always answered
		if got, err := s.Claim("c", "", epoch.Add(time.Duration(i)*time.Hour), window); err != nil || !got {
			t.Errorf("term %d: %v %v", i, got, err)
		}
	}
}

// TestClaimRace: of many processes that claim a key at once one wins, whether
// the key is new or its last claim has run out.
func TestClaimRace(t *testing.T) {
	dir := t.TempDir()
	s := Store{dir}
	for i := range keys / 2 {
		for _, ago := range []time.Duration{2 * time.Hour, time.Hour} {
			if won, err := s.Claim(fmt.Sprint("k", i), "before", time.Now().Add(-ago), time.Minute); err != nil || !won {
				t.Fatal(won, err)
			}
		}
	}
	won := map[string]int{}
	t.Setenv(envID, "now")
	for _, l := range race(t, 16, dir, "claim") {
		won[l]++
	}
	for i := range keys {
		l := fmt.Sprint("won ", i)
		if won[l] != 1 {
			t.Errorf("%s: %d times", l, won[l])
		}
		delete(won, l)
	}
	if len(won) > 0 {
		t.Errorf("%v", won)
	}

	now := time.Now() // a new file has the system's time until it is given its own
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			if ok, err := s.Claim("goroutines", "m", now, time.Minute); err != nil {
				t.Error(err)
			} else if ok {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	if n.Load() != 1 {
		t.Errorf("%d won", n.Load())
	}
}

// Two things of one key are told apart by their ids, as far as those are known.
func TestClaimIDs(t *testing.T) {
	s := Store{t.TempDir()}
	for i, c := range []struct {
		id   string
		at   time.Duration
		want bool
	}{
		{"m1", 0, true},
		{"m1", time.Second, false},
		{"", time.Second, false}, // it may be m1
		{"m2", time.Second, true},
		{"m2", time.Second, false},
		{"m1", time.Second, false},
		{"", time.Second, false},
		{"m3", window, true},
		{"", 10 * window, true},
		{"m1", 10 * window, false}, // what holds it may be m1
	} {
		if got, err := s.Claim("k", c.id, epoch.Add(c.at), window); err != nil || got != c.want {
			t.Errorf("%d: %q at %v: %v %v", i, c.id, c.at, got, err)
		}
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(s.Dir, e.Name()))
		if err != nil || strings.Contains(string(raw)+e.Name(), "m1") {
			t.Errorf("%s: %q, %v", e.Name(), raw, err)
		}
	}
}

func TestCount(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "loop")}
	want := func(session, turn, gate string, n int) {
		t.Helper()
		if got, err := s.Count(session, turn, gate); err != nil || got != n {
			t.Errorf("%s %s %s: %d %v, want %d", session, turn, gate, got, err, n)
		}
	}
	want("s", "t", "g", 0)
	for range 3 {
		if err := s.Add("s", "t", "g"); err != nil {
			t.Fatal(err)
		}
	}
	want("s", "t", "g", 3)
	want("s", "t2", "g", 0)
	want("st", "", "g", 0)
	want("", "st", "g", 0)

	for _, l := range race(t, 8, s.Dir, "add") {
		t.Error(l)
	}
	want("s", "t", "g", 3+8*adds)
}

func TestUnusable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Store{filepath.Join(file, "loop")}
	if err := s.Add("s", "t", "g"); err == nil {
		t.Error("Add: no error")
	}
	if won, err := s.Claim("k", "", epoch, window); !won || err == nil {
		t.Errorf("Claim: %v %v", won, err)
	}
	s = Store{t.TempDir()}
	if err := os.Mkdir(s.counter("s", "t", "g"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Count("s", "t", "g"); err == nil {
		t.Error("a folder as the counter: no error")
	}
}

func TestSweep(t *testing.T) {
	s := Store{t.TempDir()}
	now := time.Now()
	put := func(name string, age time.Duration) string {
		path := filepath.Join(s.Dir, name)
		if err := os.WriteFile(path, []byte("+"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	young, alien := put(countPrefix+"young", time.Hour), put("alien", 2*keep)
	old := put(countPrefix+"old", 2*keep)
	// A claim of long ago that was taken anew just now.
	for _, at := range []time.Time{now.Add(-2 * keep), now} {
		if won, err := s.Claim("k", "", at, window); err != nil || !won {
			t.Fatal(won, err)
		}
	}
	there := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	s.sweepAll(now)
	if !there(old) {
		t.Error("swept a folder with few files")
	}
	for i := range sweepFrom {
		put(fmt.Sprint(claimPrefix, i), time.Hour)
	}
	// Some write in the next hundreds meets the condition.
	for i := 0; i < 1000 && there(old); i++ {
		if err := s.Add("s", fmt.Sprint(i), "g"); err != nil {
			t.Fatal(err)
		}
	}
	if won, err := s.Claim("k", "", now, window); err != nil || won {
		t.Errorf("a running claim was swept: %v %v", won, err)
	}
	if there(old) || !there(young) || !there(alien) {
		t.Errorf("old %v young %v alien %v", there(old), there(young), there(alien))
	}
}
