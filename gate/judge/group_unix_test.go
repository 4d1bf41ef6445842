//go:build unix

package judge

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// gone waits until the process is no more, or only an entry that nobody collected.
func gone(t *testing.T, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			return true
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(n) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

func TestAskGrandchild(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"holds the pipe after the answer", `cat >/dev/null; sleep 300 & echo $! > "$OUT/pid"; echo '` + yes + `'`, "block"},
		{"of a program that fails", `sleep 300 & echo $! > "$OUT/pid"; exit 1`, "error"},
		{"of a program that hangs", `sleep 300 & echo $! > "$OUT/pid"; wait`, "error"},
		{"ignores signals", `(trap '' TERM HUP INT; while :; do sleep 1; done) & echo $! > "$OUT/pid"; echo '` + yes + `'`, "block"},
		{"of a program that floods", `sleep 300 & echo $! > "$OUT/pid"; yes`, "error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, out := script(t, tt.body)
			c.Timeout = 3 * time.Second
			start := time.Now()
			got := outcome(c.Ask(context.Background(), one))
			if d := time.Since(start); got != tt.want || d > 5*time.Second {
				t.Errorf("outcome %s, want %s, after %v", got, tt.want, d)
			}
			if pid := read1(t, out, "pid"); !gone(t, pid) {
				t.Errorf("process %s is left", pid)
			}
			clean(t, c)
		})
	}
}

// TestAskSessionOfItsOwn has a grandchild that left the group and holds the
// pipes: the answer must not wait for it.
func TestAskSessionOfItsOwn(t *testing.T) {
	c, out := script(t, `command -v setsid >/dev/null || { echo none > "$OUT/pid"; exit 1; }
setsid sleep 30 & echo $! > "$OUT/pid"; sleep 0.2; echo '`+yes+`'`)
	start := time.Now()
	got := outcome(c.Ask(context.Background(), question(strings.Repeat("long ", 100_000), commitRule)))
	pid := strings.TrimSpace(read1(t, out, "pid"))
	if pid == "none" {
		t.Skip("no setsid")
	}
	if d := time.Since(start); got != "block" || d > 5*time.Second {
		t.Errorf("outcome %s after %v", got, d)
	}
	if n, err := strconv.Atoi(pid); err == nil {
		syscall.Kill(n, syscall.SIGKILL)
	}
	clean(t, c)
}
