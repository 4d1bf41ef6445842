package transcript

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file")

// transcripts are what real agents have written, which does not belong to this
// tree. What uses them is skipped where they are not beside it.
const transcripts = "../../../shared/clients/captured/transcripts-min"

// TestReal reads them and compares with a table that a person has checked.
func TestReal(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(transcripts, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no transcripts beside the tree")
	}
	var got strings.Builder
	for _, f := range files {
		tail, err := Read(ended(), File{Path: f})
		if err != nil {
			t.Errorf("%s: %v", f, err)
		}
		fmt.Fprintf(&got, "%s: text=%q context=%q message=%s turn=%s settled=%v\n", filepath.Base(f), tail.Text, tail.Context, tail.Message, tail.Turn, tail.Settled)
	}
	const golden = "testdata/real.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
