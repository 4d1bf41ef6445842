package bundle

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestLintOfPrograms(t *testing.T) {
	for name, tt := range map[string]struct {
		entry, rule, says string
		data              []byte
	}{
		"good":             {"linux/amd64: {path: bin/x}", "", "", elfFor(amd64)},
		"another platform": {"linux/amd64: {path: bin/x}", "binary-refused", "bin/x is for linux/arm64, and is named for linux/amd64", elfFor(arm64)},
		"a page":           {"linux/amd64: {path: bin/x}", "binary-refused", "an HTML page", []byte("<html>")},
		"a slip":           {"linux/x64: {path: bin/x}", "binary-platform", "no machine is linux/x64", []byte("#!/bin/sh\n")},
	} {
		fsys := tidyFS()
		manifest := string(fsys["hookctl.yaml"].Data)
		fsys["hookctl.yaml"] = &fstest.MapFile{Data: []byte(manifest + "binaries:\n  " + tt.entry + "\n")}
		fsys["bin/x"] = &fstest.MapFile{Data: tt.data}
		got := Lint(fsys, lines)
		switch {
		case tt.rule == "" && len(got) > 0:
			t.Errorf("%s: %+v", name, got)
		case tt.rule != "" && (len(got) != 1 || got[0].Rule != tt.rule || !strings.Contains(got[0].Message, tt.says) || got[0].Line == 0):
			t.Errorf("%s: %+v", name, got)
		}
		if n := len(Misfits(fsys)); (n > 0) != (tt.rule == "binary-refused") {
			t.Errorf("%s: %d misfits", name, n)
		}
	}
}
