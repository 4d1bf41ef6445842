package doctor_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/install/doctor"
)

// docs/doctor.md has a row for every code, with what doctor says of it, and no
// row for another.
func TestDocumentHasEveryCode(t *testing.T) {
	b, err := os.ReadFile("../../docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\| (.*) \\| (.*) \\| (.*) \\|\r?$").FindAllStringSubmatch(string(b), -1) {
		rows = append(rows, m[1])
		c := doctor.Of(m[1])
		if why, mend := cell(c.Why), cell(c.Mend); m[3] != why || m[4] != mend {
			t.Errorf("docs/doctor.md, %s: %q, %q, want %q, %q", m[1], m[3], m[4], why, mend)
		}
	}
	slices.Sort(rows)
	if want := doctor.Codes(); !slices.Equal(rows, want) {
		t.Errorf("docs/doctor.md has rows for %v, want %v", rows, want)
	}
}

// cell is a text in a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
