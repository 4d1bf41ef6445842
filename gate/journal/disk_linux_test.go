package journal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk fills a small file system while a line is written, and makes room
// again: the cut line harms no other.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=32k"); err != nil {
		t.Skip("a file system cannot be mounted here: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	write := func(id string) error {
		return Append(dir, Line{ID: id, Time: day, Decision: "block", Text: strings.Repeat("x", 3000)})
	}
	if err := write("first"); err != nil {
		t.Fatal(err)
	}
	fill := filepath.Join(dir, "fill")
	_ = os.WriteFile(fill, make([]byte, 1<<20), 0o600) // as much as there is room for
	if err := write("cut"); err == nil {
		t.Fatal("a full disk: no error")
	}
	info, err := os.Stat(filepath.Join(dir, "2026-11-01.jsonl"))
	if err != nil || info.Size() <= 3500 {
		t.Fatalf("%v, %v: nothing of the line was written, so nothing was cut", info, err)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	if err := write("next"); err != nil {
		t.Fatal(err)
	}
	var ids []string
	if err := Read(dir, func(l Line) bool { ids = append(ids, l.ID); return true }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ids, []string{"next", "first"}) {
		t.Errorf("%q", ids)
	}
	// Where nothing can be begun nothing is lost either.
	_ = os.WriteFile(fill, make([]byte, 1<<20), 0o600)
	if err := Append(dir, Line{Time: day.AddDate(0, 2, 0), Decision: "allow", Text: strings.Repeat("x", 3000)}); err == nil {
		t.Error("no error")
	}
}
