//go:build unix

package hook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// oracle is a service on loopback that finds a violation in everything, or answers
// with a status.
type oracle struct {
	*httptest.Server
	mu      sync.Mutex
	status  int
	prompts []string
	keys    []string
}

var (
	reNonce = regexp.MustCompile(`--- text-end ([0-9a-f]{32}) ---`)
	reGate  = regexp.MustCompile(`(?m)^## Gate (\S+)$`)
)

func newOracle(t *testing.T) *oracle {
	t.Helper()
	o := &oracle{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []struct{ Content string } }
		b, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(b, &body); err != nil || len(body.Messages) != 1 {
			t.Errorf("asked with %s", b)
			return
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		prompt := body.Messages[0].Content
		o.prompts, o.keys = append(o.prompts, prompt), append(o.keys, r.Header.Get("Authorization"))
		if o.status != 0 {
			w.WriteHeader(o.status)
			return
		}
		yes := `{"new_proposal": true, "reason": "the oracle has spoken"}`
		answer := fmt.Sprintf(`{"nonce": %q, `, reNonce.FindStringSubmatch(prompt)[1])
		if gates := reGate.FindAllStringSubmatch(prompt, -1); len(gates) == 1 {
			answer += yes[1:]
		} else {
			answer += `"gates": {`
			for i, g := range gates {
				answer += strings.Repeat(", ", min(i, 1)) + fmt.Sprintf("%q: %s", g[1], yes)
			}
			answer += "}}"
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": answer}}}})
	}))
	t.Cleanup(o.Close)
	return o
}

func (o *oracle) asked() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.prompts)
}

// config writes the machine's choice of o, and more of it.
func (o *oracle) config(t *testing.T, m *machine, more string) {
	t.Helper()
	write(t, filepath.Join(m.home, "config.yaml"), fmt.Sprintf("judge: {backend: openai, model: m, endpoint: %q, key_file: %q%s}\n", o.URL+"/v1", filepath.Join(m.user, "key"), more))
	write(t, filepath.Join(m.user, "key"), "the-key\n")
}

// later is what the builtin judge lets pass, and the oracle does not.
const later = "The list is sorted now. Once you approve, I will commit and push.\n\nDB_PASSWORD=hunter2"

// A service decides: it gets the text without its secrets, and its key; the journal
// names it and nothing of the key.
func TestServiceDecides(t *testing.T) {
	m, o := newMachine(t), newOracle(t)
	o.config(t, m, "")
	reason := blocked(t, m.fire(t, m.stop(later, nil)))
	if !strings.Contains(reason, "the oracle has spoken") || o.asked() != 1 || o.keys[0] != "Bearer the-key" {
		t.Errorf("%s, asked %d times, key %q", reason, o.asked(), o.keys)
	}
	if strings.Contains(o.prompts[0], "hunter2") || !strings.Contains(o.prompts[0], "[redacted:env]") {
		t.Errorf("the prompt:\n%s", o.prompts[0])
	}
	l := m.lines(t)[0]
	if l.Judge != "openai m" || l.Redacted["env"] == 0 {
		t.Errorf("the journal: %+v", l)
	}
	// The same words again: nobody is asked.
	blocked(t, m.fire(t, m.stop(later, fields{"session_id": "s-2"})))
	if all := m.lines(t); o.asked() != 1 || all[len(all)-1].Judge != "openai m, remembered" {
		t.Errorf("asked %d times, the journal says %q", o.asked(), all[len(all)-1].Judge)
	}
	err := filepath.WalkDir(m.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), "the-key") || strings.Contains(string(b), "hunter2") {
			t.Errorf("%s holds a secret", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// All gates that hit are one question.
func TestOneCallForAllGates(t *testing.T) {
	m, o := newMachine(t), newOracle(t)
	o.config(t, m, "")
	reason := blocked(t, m.fire(t, m.stop("The crash is fixed. Shall I commit this? The CSV export I leave for the next session.", nil)))
	if gates := reGate.FindAllString(o.prompts[0], -1); o.asked() != 1 || len(gates) < 2 || strings.Count(reason, "hookctl [") != len(gates) {
		t.Errorf("asked %d times about %v: %s", o.asked(), gates, reason)
	}
}

// A service that fails lets the stop pass, visibly; with another judge behind it that
// one decides, and after some failures it is left alone.
func TestServiceFails(t *testing.T) {
	m, o := newMachine(t), newOracle(t)
	o.status = 429
	o.config(t, m, "")
	noted(t, m.fire(t, m.stop(offer, nil)), "openai", "too many requests (HTTP 429)")
	o.config(t, m, ", fallback: [builtin]")
	if reason := blocked(t, m.fire(t, m.stop(offer+" Now?", nil))); strings.Contains(reason, "note") {
		t.Errorf("the builtin judge's note is for explain: %s", reason)
	}
	silent(t, m.fire(t, m.stop(later, nil)))
	before := o.asked()
	silent(t, m.fire(t, m.stop(later+" again", nil)))
	if o.asked() != before {
		t.Error("a judge that has failed three times is asked again at once")
	}
	all := m.lines(t)
	if l := all[len(all)-1]; l.Judge != "builtin; openai: it has failed 3 times in a row; it is asked again in 30s" && !strings.Contains(l.Judge, "it is asked again in") {
		t.Errorf("the journal says %q", l.Judge)
	}
}

// A judge that cannot be meant is a fault that is told; the builtin judge decides,
// and what else the machine has chosen holds.
func TestBrokenJudgeChoice(t *testing.T) {
	m := newMachine(t)
	write(t, filepath.Join(m.home, "config.yaml"), "judge: {backend: openai}\nprotect: {paths: [\""+m.project+"/kept.txt\"]}\n")
	d, reason := m.fire(t, m.tool("Write", map[string]any{"file_path": m.project + "/kept.txt", "content": "x"}, nil)).decision(t)
	if d != "deny" {
		t.Errorf("%s, %s", d, reason)
	}
	r := m.fire(t, m.stop(later, nil))
	noted(t, r, "judge.model: missing")
	d, _ = m.fire(t, m.stop(offer, nil)).decision(t)
	if d != "block" {
		t.Errorf("the builtin judge does not decide: %s", d)
	}
}

// A pipe in the place of a file of the home is not waited for: the choices, and the
// pointer to the rules.
func TestPipesInTheHome(t *testing.T) {
	m := newMachine(t)
	must(t, os.MkdirAll(m.home, 0o700))
	must(t, syscall.Mkfifo(filepath.Join(m.home, "config.yaml"), 0o600))
	noted(t, m.fire(t, m.stop(later, nil)), "config.yaml: is not a regular file")
	silent(t, m.fire(t, m.tool("Bash", map[string]any{"command": "cp a b"}, nil)))
	must(t, syscall.Mkfifo(filepath.Join(m.home, "current"), 0o600))
	blocked(t, m.fire(t, m.stop(offer, nil)))
	silent(t, m.fire(t, m.tool("Bash", map[string]any{"command": "ls"}, nil)))
}
