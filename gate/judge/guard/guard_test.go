package guard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func env(kv ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(kv); i += 2 {
			if kv[i] == name {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestActive(t *testing.T) {
	dir := t.TempDir()
	nonce, release, err := Enter(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	const unknown = "00000000000000000000000000000000"
	stale := strings.Repeat("a", nonceLen)
	future := strings.Repeat("b", nonceLen)
	for name, at := range map[string]time.Time{stale: time.Now().Add(-MaxAge - time.Second), future: time.Now().Add(MaxAge + time.Minute)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	folder := strings.Repeat("c", nonceLen)
	if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		dir  string
		env  func(string) string
		want bool
	}{
		{"plain shell", dir, env(), false},
		{"both", dir, env(Flag, "1", Mark, nonce), true},
		{"another tool's judge", dir, env(Flag, "1"), true},
		{"flag, no folder", "", env(Flag, "1"), true},
		{"mark alone", dir, env(Mark, nonce), true},
		{"mark, no folder", "", env(Mark, nonce), false},
		{"mark of another folder", t.TempDir(), env(Mark, nonce), false},
		{"flag of another value", dir, env(Flag, "0"), false},
		{"mark of no file", dir, env(Mark, unknown), false},
		{"stale mark", dir, env(Mark, stale), false},
		{"mark from the future", dir, env(Mark, future), false},
		{"mark that is a folder", dir, env(Mark, folder), false},
		{"mark that is a path", dir, env(Mark, "../"+filepath.Base(dir)+"/"+nonce), false},
		{"mark that is absolute", dir, env(Mark, filepath.Join(dir, nonce)), false},
		{"mark in capitals", dir, env(Mark, strings.ToUpper(stale)), false},
	}
	for _, tt := range tests {
		if got := Active(tt.dir, tt.env); got != tt.want {
			t.Errorf("%s: Active = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestEnter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run", "judge") // does not exist yet
	nonce, release, err := Enter(dir)
	if err != nil {
		t.Fatal(err)
	}
	other, releaseOther, err := Enter(dir)
	if err != nil {
		t.Fatal(err)
	}
	if nonce == other || !isNonce(nonce) {
		t.Errorf("nonces %q and %q", nonce, other)
	}
	release()
	release()
	if Active(dir, env(Mark, nonce)) {
		t.Error("active after release")
	}
	if !Active(dir, env(Mark, other)) {
		t.Error("release took another judge's mark")
	}
	releaseOther()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, _, err := Enter(""); err == nil {
		t.Error("Enter without a folder gave no error")
	}
}

func TestEnterSweepsOnlyItsOwnStaleMarks(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * MaxAge)
	stale := filepath.Join(dir, strings.Repeat("a", nonceLen))
	foreign := filepath.Join(dir, "notes.txt")
	for _, path := range []string{stale, foreign} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	_, release, err := Enter(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := os.Stat(stale); err == nil {
		t.Error("the stale mark is still there")
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("a foreign file is gone: %v", err)
	}
}

// TestLight holds the promise of the package comment: what the hook's first step
// imports is initialised before every answer.
func TestLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	deps := "\n" + string(out)
	for _, heavy := range []string{"regexp", "os/exec", "fmt", "crypto/rand", "encoding/json"} {
		if strings.Contains(deps, "\n"+heavy+"\n") {
			t.Errorf("guard imports %s", heavy)
		}
	}
}
