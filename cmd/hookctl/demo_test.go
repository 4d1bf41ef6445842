package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A demo that is broken off takes its folder away all the same; --keep leaves it.
// The script demo runs one to its end.
func TestDemoFolder(t *testing.T) {
	for _, keep := range []bool{false, true} {
		e := testEnv(t)
		tmp := t.TempDir()
		t.Setenv("TMPDIR", tmp)
		t.Setenv("TMP", tmp)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := e.demo(ctx, keep); err == nil {
			t.Fatalf("keep %v: a demo that was broken off ended well", keep)
		}
		left, err := filepath.Glob(filepath.Join(tmp, "*"))
		if err != nil {
			t.Fatal(err)
		}
		out := e.out.(*bytes.Buffer).String()
		if !keep && len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
		if !keep {
			continue
		}
		if len(left) != 1 || !strings.Contains(out, "kept: "+left[0]) {
			t.Errorf("kept %q, want one folder that is named:\n%s", left, out)
			continue
		}
		for _, name := range []string{"hooks.git/hookctl.lock", "hooks.git.signers", "home/.claude/settings.json"} {
			if _, err := os.Stat(filepath.Join(left[0], name)); err != nil {
				t.Errorf("the kept folder: %v", err)
			}
		}
		if entries, err := os.ReadDir(e.user); err != nil || len(entries) > 0 {
			t.Errorf("the demo wrote to the user's home: %v %v", entries, err)
		}
	}
}
