package early_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingHeavyStarts runs the program with the runtime's trace of package
// initialisation. The answer to an event that hits nothing ends the process from
// within this package's own initialisation, so whatever the trace lists was
// initialised before it, and was paid for by every hook of every agent.
//
// Go initialises packages in the order of their import paths once their imports
// are ready. One import of this package that comes late in that order makes the
// packages of the whole program come first.
func TestNothingHeavyStarts(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	program := filepath.Join(t.TempDir(), "hookctl")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/agenthooks/hookctl/cmd/hookctl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	home := t.TempDir()
	transcript := filepath.Join(home, "t.jsonl")
	line := `{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"The list is sorted."}]}}` + "\n"
	if err := os.WriteFile(transcript, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, event := range map[string]string{
		"a stop with its message": `{"hook_event_name":"Stop","last_assistant_message":"The list is sorted."}`,
		"a stop without":          `{"hook_event_name":"Stop","transcript_path":"` + filepath.ToSlash(transcript) + `"}`,
		"a tool that reads":       `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"a"}}`,
		"a command":               `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`,
		"an unknown event":        `{"hook_event_name":"Nothing"}`,
	} {
		t.Run(name, func(t *testing.T) {
			started := start(t, program, home, event)
			if len(started) < 5 {
				t.Fatalf("the trace lists only %q: nothing was tested", started)
			}
			others := 0
			for _, p := range started {
				if host, _, _ := strings.Cut(p, "/"); strings.Contains(host, ".") && !strings.HasPrefix(p, "github.com/agenthooks/") {
					others++
				}
				if heavy(p) {
					t.Errorf("%s is initialised before the answer", p)
				}
			}
			if others > maxOthers {
				t.Errorf("%d packages of others are initialised before the answer, want at most %d: %q", others, maxOthers, started)
			}
		})
	}
	// For an event that something is to be decided about there is more, but not all.
	for name, event := range map[string]string{
		"a stop that hits": `{"hook_event_name":"Stop","last_assistant_message":"Shall I commit and push this?"}`,
		"a write":          `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cp a b"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			started := start(t, program, home, event)
			if !slices.Contains(started, "regexp") {
				t.Fatalf("nothing was decided: %q", started)
			}
			for _, p := range latest {
				if slices.Contains(started, p) {
					t.Errorf("%s is initialised before the answer", p)
				}
			}
		})
	}
	// The same program has all of it for a stop on a machine with another judge;
	// otherwise the lists above would prove nothing.
	if err := os.MkdirAll(filepath.Join(home, ".hookctl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".hookctl", "config.yaml"), []byte("judge: {backend: none}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range start(t, program, home, `{"hook_event_name":"Stop","last_assistant_message":"Shall I commit and push this?"}`) {
		seen[p] = true
	}
	for _, p := range append([]string{"golang.org/x/crypto/ssh", "github.com/goccy/go-yaml", "path/filepath", "regexp"}, latest...) {
		if !seen[p] {
			t.Errorf("%s is not even in the trace of a stop with another judge: name another package here", p)
		}
	}
}

// latest are packages that must not be initialised before any answer without another
// judge.
var latest = []string{"net", "net/http", "crypto/x509", "crypto/tls", "golang.org/x/crypto/ssh", "github.com/ProtonMail/go-crypto/openpgp/packet", "github.com/spf13/cobra"}

// late are packages that must not be initialised before the answer, with all
// below them. path/filepath, regexp and net are no burden by themselves: they come
// late in the order of paths, so an import of one of them, by this package or by
// what it imports, lets the rest of the program come first.
var late = []string{
	"net", "crypto/x509", "crypto/tls", "golang.org/x/crypto", "golang.org/x/sys", "github.com/ProtonMail/go-crypto/openpgp/packet",
	"github.com/go-git/go-git/v5/config", "github.com/go-git/go-git/v5/plumbing/object", "github.com/go-git/go-git/v5/plumbing/transport",
	"github.com/go-git/go-billy", "github.com/go-git/gcfg", "github.com/goccy/go-yaml", "github.com/spf13", "github.com/tailscale/hujson",
	"github.com/gofrs/flock", "github.com/hiddeco/sshsig", "mvdan.cc/sh", "charm.land", "github.com/charmbracelet",
	"regexp", "path/filepath", "os/exec", "text/template", "html/template", "math/big", "go", "testing",
}

// lightComers are packages of others or late ones of the standard library, which
// are ready before this one whatever it imports. They take some microseconds.
var lightComers = []string{"golang.org/x/net/context", "crypto/tls/internal/fips140tls"}

// maxOthers bounds how many packages of others are initialised before the answer
// because they are ready earlier. More than these are a reason to look.
const maxOthers = 12

func heavy(p string) bool {
	if rest, ok := strings.CutPrefix(p, "github.com/agenthooks/hookctl/"); ok {
		return !slices.Contains(ours, rest)
	}
	if slices.Contains(lightComers, p) {
		return false
	}
	for _, l := range late {
		if p == l || strings.HasPrefix(p, l+"/") {
			return true
		}
	}
	return false
}

// ours is what of this program may come before the answer.
var ours = []string{
	"gate", "gate/generation", "gate/host", "gate/journal", "gate/transcript", "gate/judge/guard", "gate/loop", "home", "manifests/compiled",
}

// start gives the packages that were initialised, in their order.
func start(t *testing.T, program, home, event string) (packages []string) {
	t.Helper()
	cmd := exec.Command(program, "gate")
	cmd.Env = []string{"GODEBUG=inittrace=1", "HOME=" + home, "USERPROFILE=" + home, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	cmd.Stdin = strings.NewReader(event)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	for s := bufio.NewScanner(&stderr); s.Scan(); {
		if f := strings.Fields(s.Text()); len(f) > 2 && f[0] == "init" {
			packages = append(packages, f[1])
		}
	}
	return packages
}
