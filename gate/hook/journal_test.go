//go:build !windows

package hook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestAllowIsSilent(t *testing.T) {
	m := newMachine(t)
	for _, e := range []string{
		m.stop(report, nil),
		m.stop("All 41 tests pass, committed as 3f2a91c.", nil),
		m.stop("After the tests I will commit.", nil),
		m.stop(offer, fields{"background_tasks": []fields{{"id": "1", "status": "running"}}}),
		m.stop("", nil),
		m.tool("Bash", fields{"command": "git status"}, nil),
		m.tool("Bash", fields{"command": "echo x > notes.txt"}, nil),
		m.tool("Write", fields{"file_path": "notes.txt"}, nil),
		event(fields{"hook_event_name": "SessionStart"}, nil),
	} {
		silent(t, m.fire(t, e))
	}
	for _, as := range []string{`{"text":"done"}`, `{}`, `{"transcript_path":null}`} {
		silent(t, m.fire(t, as, "--host", "generic"))
	}
	if r := m.fire(t, `{"text":"Shall I commit and push this?"}`, "--host", "generic"); r.exit != 2 || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("generic: exit %d, %q, want 2 and the feedback on stderr", r.exit, r.said())
	}
}

// Sixteen processes at once, of the fast path and of the full one, and not a
// line is lost or torn.
func TestJournalOfSixteen(t *testing.T) {
	m := newMachine(t)
	const processes, rounds = 16, 2
	var wg sync.WaitGroup
	errs := make(chan error, processes*rounds)
	for p := range processes {
		wg.Go(func() {
			for i := range rounds {
				text := report
				if p%2 == 0 {
					text = "All 41 tests pass. " + strings.Repeat("Shall I commit and push this? ", 40)
				}
				r, err := m.run(strings.NewReader(m.stop(text, fields{"session_id": fmt.Sprintf("s-%d-%d", p, i)})))
				if err == nil && r.exit != 0 {
					err = fmt.Errorf("exit %d: %s", r.exit, r.said())
				}
				errs <- err
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	seen := map[string]bool{}
	for _, l := range m.lines(t) {
		seen[l.Session] = true
	}
	if lines := m.lines(t); len(lines) != processes*rounds || len(seen) != processes*rounds {
		t.Errorf("%d lines of %d sessions, want %d of each", len(lines), len(seen), processes*rounds)
	}
}

// A journal that takes no line changes no answer.
func TestJournalThatCannotBeWritten(t *testing.T) {
	answers := func(t *testing.T, m *machine) {
		t.Helper()
		silent(t, m.fire(t, m.stop(report, nil)))
		blocked(t, m.fire(t, m.stop(offer, nil)))
		denied(t, m.fire(t, m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, nil)))
		silent(t, m.fire(t, m.tool("Bash", fields{"command": "ls"}, nil)))
	}
	t.Run("a file in its place", func(t *testing.T) {
		m := newMachine(t)
		write(t, filepath.Join(m.home, "journal"), "")
		answers(t, m)
	})
	t.Run("another user's", func(t *testing.T) {
		m := newMachine(t)
		m.become(t, 65534)
		mkdir(t, filepath.Join(m.home, "journal"), filepath.Join(m.home, "cache"))
		must(t, os.Chown(filepath.Join(m.home, "cache"), 65534, 65534))
		answers(t, m)
		if lines := m.lines(t); len(lines) > 0 {
			t.Errorf("%d lines were written after all: nothing was tested", len(lines))
		}
	})
	t.Run("a full disk", func(t *testing.T) {
		m := newMachine(t)
		dir := filepath.Join(m.home, "journal")
		mkdir(t, dir)
		fullDisk(t, dir)
		answers(t, m)
		if lines := m.lines(t); len(lines) > 0 {
			t.Errorf("%d lines were written after all: nothing was tested", len(lines))
		}
	})
	t.Run("no file may grow", func(t *testing.T) {
		m := newMachine(t)
		sh := exec.Command("sh", "-c", `ulimit -f 0; "$0" gate; echo "exit $?" >&2`, m.program)
		sh.Env, sh.Stdin = []string{"HOME=" + m.user, "PATH=/usr/bin:/bin"}, strings.NewReader(m.stop(report, nil))
		if out, err := sh.CombinedOutput(); err != nil || string(out) != "exit 0\n" {
			t.Errorf("%v, said %q, want exit 0", err, out)
		}
	})
}

// become makes the machine's processes another user's, who may read and enter
// what lies on the way.
func (m *machine) become(t *testing.T, uid uint32) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	for dir := m.user; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
	m.uid = uid
}

func TestJournalHoldsNoSecret(t *testing.T) {
	m := newMachine(t)
	secret := "ghp_" + strings.Repeat("aB3", 12)
	blocked(t, m.fire(t, m.stop("The token is "+secret+".\n\nShall I commit and push "+secret+" now?", nil)))
	raw := m.rawJournal(t)
	if strings.Contains(raw, secret) || !strings.Contains(raw, "[redacted:") {
		t.Errorf("the journal holds the secret, or no word of it:\n%s", raw)
	}
	l := m.lines(t)[0]
	if !strings.Contains(l.Text, "The token is") || l.Redacted["github-token"] != 2 || len(l.SHA256) != 64 || len(l.Gates) == 0 || l.Gates[0].Sentence == "" {
		t.Errorf("a blocked stop's line lacks something: %+v", l)
	}
}

// The line of a blocked stop keeps no text without bound, tells how long each
// layer took, and what a fault says is redacted as well.
func TestJournalLines(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	token := "ghp_" + strings.Repeat("aB3", 12)
	blocked(t, m.fire(t, m.stop(strings.Repeat("The list is long.\n", 5000)+"\n"+offer, nil)))
	noted(t, m.fire(t, m.stop("", fields{"session_id": "s-2", "last_assistant_message": nil, "transcript_path": "/nowhere/" + token + ".jsonl"})))
	lines := m.lines(t)
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	if l := lines[0]; l.Decision != "block" || l.Text != "" || len(l.SHA256) != 64 || l.Gates[0].Sentence == "" {
		t.Errorf("a long text's line: %+v", l)
	}
	for _, layer := range []string{"read", "layer1", "judge", "all"} {
		if _, ok := lines[0].Micros[layer]; !ok {
			t.Errorf("no time of %s: %v", layer, lines[0].Micros)
		}
	}
	if l := lines[1]; l.Decision != "failed" || len(l.Faults) != 1 || strings.Contains(l.Faults[0], token) || !strings.Contains(l.Faults[0], "[redacted:") {
		t.Errorf("a fault's line: %+v", l)
	}
}

func TestAllowLinesHoldNoText(t *testing.T) {
	m := newMachine(t)
	const word = "zanzibar"
	for _, text := range []string{
		"The list of " + word + " is sorted.",
		"All 41 tests pass for " + word + ". Shall I commit and push " + word + "?", // evidence
		"Shall I commit " + word + " or push " + word + " first?",                   // the judge
		"After the tests I will commit " + word + ".",
	} {
		silent(t, m.fire(t, m.stop(text, nil)))
	}
	silent(t, m.fire(t, m.tool("Bash", fields{"command": "echo " + word + " > notes.txt"}, nil)))
	silent(t, m.fire(t, m.tool("Write", fields{"file_path": "x", "content": word}, nil)))
	hits := 0
	for _, l := range m.lines(t) {
		hits += len(l.Gates)
	}
	if raw := m.rawJournal(t); strings.Contains(raw, word) || len(m.lines(t)) != 6 || hits == 0 {
		t.Errorf("%d lines, %d gates with a hit, or text in a line:\n%s", len(m.lines(t)), hits, raw)
	}
}

func (m *machine) rawJournal(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(m.home, "journal", "*"))
	must(t, err)
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		must(t, err)
		all.Write(b)
	}
	return all.String()
}
