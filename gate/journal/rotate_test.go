package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A busy day's lines go on in files of the hour and the minute, and are read in
// the order of time.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	b := bounds{part: 1000, minute: 1000, all: 1 << 30, days: 30}
	var want []string
	for i := range 60 {
		id := fmt.Sprint(i)
		if err := b.append(dir, Line{ID: id, Time: day.Add(time.Duration(i) * 7 * time.Minute), Decision: "block", Text: strings.Repeat("x", 400)}); err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
	}
	names := ls(t, dir)
	for _, name := range []string{"2026-11-01.jsonl", "2026-11-01T00.jsonl", "2026-11-01T0042.jsonl", "2026-11-01T06.jsonl"} {
		if !slices.Contains(names, name) {
			t.Errorf("no %s among %q", name, names)
		}
	}
	var got []string
	if err := Read(dir, func(l Line) bool { got = append(got, l.ID); return true }); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(got)
	if !slices.Equal(got, want) {
		t.Errorf("read %q", got)
	}
	// A minute's file that is full as well refuses, and nothing else is harmed.
	var err error
	for range 9 {
		err = errors.Join(err, b.append(dir, Line{Time: day, Decision: "block", Text: strings.Repeat("x", 400)}))
	}
	if !errors.Is(err, errFull) {
		t.Errorf("%v, want errFull", err)
	}
}

// Thirty days are kept; what another one put there is kept whatever its age.
func TestDays(t *testing.T) {
	dir := t.TempDir()
	alien := map[string]string{
		"2026-08-01.jsonl":       `{"message":"a log of another program"}` + "\n", // our name, not our bytes
		"2026-08-02.jsonl":       "",
		"2026-08-03.jsonl.bak":   `{"schema":1}`,
		"notes.jsonl":            `{"schema":1}`,
		"2026-8-4.jsonl":         `{"schema":1}`,
		"2026-08-05T1.jsonl":     `{"schema":1}`,
		"2026-08-06T0102x.jsonl": `{"schema":1}`,
	}
	for name, text := range alien {
		put(t, dir, name, text)
	}
	if err := os.Mkdir(filepath.Join(dir, "2026-08-07.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 45 {
		if err := Append(dir, Line{Time: day.AddDate(0, 0, i-44), Decision: "allow"}); err != nil {
			t.Fatal(err)
		}
	}
	days := 0
	if err := Read(dir, func(l Line) bool { days++; return l.Time.After(day.AddDate(0, 0, -31)) }); err != nil {
		t.Fatal(err)
	}
	names := ls(t, dir)
	if days != 31 || !slices.Contains(names, "2026-10-02.jsonl") || slices.Contains(names, "2026-10-01.jsonl") {
		t.Errorf("%d days are kept: %q", days, names)
	}
	for name, text := range alien {
		if raw, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(raw) != text {
			t.Errorf("%s: %q, %v", name, raw, err)
		}
	}
	if !slices.Contains(names, "2026-08-07.jsonl") {
		t.Error("a folder was removed")
	}
}

// All files together stay below the bound, also in one day and in one hour; the
// newest lines are there.
func TestSize(t *testing.T) {
	b := bounds{part: 2000, minute: 4000, all: 20_000, days: 30}
	for name, step := range map[string]time.Duration{"days": 9 * time.Hour, "a day": 11 * time.Minute, "an hour": 10 * time.Second} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			// Another's file takes no room of ours.
			put(t, dir, "2020-01-01.jsonl", strings.Repeat("x", 50_000))
			for i := range 400 {
				if err := b.append(dir, Line{ID: fmt.Sprint(i), Time: day.Add(time.Duration(i) * step), Decision: "block", Text: strings.Repeat("x", 300)}); err != nil {
					t.Fatal(i, err)
				}
				if _, total := list(dir); total > b.all {
					t.Fatalf("%d bytes after line %d", total, i)
				}
			}
			last := 399
			if err := Read(dir, func(l Line) bool { last--; return l.ID == fmt.Sprint(last+1) }); err != nil {
				t.Fatal(err)
			}
			// The day's first file stays until the day is over: lines after it may be gone.
			if kept := 399 - last; kept < 15 {
				t.Errorf("only the last %d lines are kept", kept)
			}
		})
	}
}

// The bounds of the program itself: nothing that a burst begins can exceed them.
func TestStandardBounds(t *testing.T) {
	if b := standard; b.all != 64<<20 || b.days != 30 || b.minute+3*b.part > b.all || maxLine > b.part {
		t.Errorf("%+v", b)
	}
}

func TestLongLine(t *testing.T) {
	dir := t.TempDir()
	if err := Append(dir, Line{ID: "long", Event: "stop", Decision: "block", Session: strings.Repeat("s", 2*maxLine), Text: "x"}); err != nil {
		t.Fatal(err)
	}
	n := 0
	err := Read(dir, func(l Line) bool {
		n++
		if l.ID != "long" || l.Decision != "block" || l.Event != "stop" || l.Session != "" || !strings.Contains(l.Why, "left out") {
			t.Errorf("%+v", l)
		}
		return true
	})
	if err != nil || n != 1 {
		t.Errorf("%d lines, %v", n, err)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
