//go:build !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestManagedServesOtherUsers: a home that root has installed answers a user who
// may write nothing in it, and keeps that user's journal with the user.
func TestManagedServesOtherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("root is needed, to become another user")
	}
	const nobody = 65534
	c := newContainer(t)
	for dir := c.root; dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(c.root, "lib")
	c.env = []string{"HOOKCTL_HOME=" + home, managedDir + "=" + filepath.Join(c.root, "etc")}
	c.sh("umask 077; hooks/hookctl install --from hooks/release.tar.gz --signers hooks/allowed_signers --scope managed --agent claude --yes")
	if err := os.Chown(c.home, nobody, nobody); err != nil {
		t.Fatal(err)
	}

	asNobody := func(script string) (string, error) {
		cmd := exec.Command("/bin/sh", "-c", script)
		cmd.Dir, cmd.Stdin = "/", strings.NewReader(laterEvent)
		cmd.Env = []string{"HOME=" + c.home, "PATH=/usr/bin:/bin"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	program := filepath.Join(home, "bin", "hookctl")
	if out, err := asNobody(program + " gate"); err != nil || !strings.Contains(out, `"decision":"block"`) || strings.Contains(out, "systemMessage") {
		t.Errorf("the hook of another user says %q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(c.home, ".hookctl", "journal")); err != nil {
		t.Error(err)
	}
	call := `printf '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"make"}}' | `
	if out, err := asNobody(call + program + " gate"); err != nil || out != "" {
		t.Errorf("before a call: %q, %v", out, err)
	}
	if left, err := os.ReadDir(filepath.Join(c.home, ".hookctl", "cache", "audit")); err != nil || len(left) != 1 {
		t.Errorf("what the check after the call compares with: %v, %v", left, err)
	}
	if out, err := asNobody("cat " + filepath.Join(c.root, "etc", "managed-settings.d", "50-hookctl.json")); err != nil || !strings.Contains(out, program) {
		t.Errorf("the settings of all are read by another user as %q, %v", out, err)
	}
	for _, path := range []string{program, filepath.Join(home, "current"), filepath.Join(home, "new"), filepath.Join(c.root, "etc", "managed-settings.d", "50-hookctl.json")} {
		if out, err := asNobody("echo x >>" + path); err == nil {
			t.Errorf("another user may write %s: %s", path, out)
		}
	}
}
