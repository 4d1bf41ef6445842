package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Every agent of this machine keeps its promises, by the word of hookctl itself.
// Agents that lie elsewhere are named by $HOOKCTL_AGENT_NAME. -record writes down
// what docs/agents.md shows; go test ./cmd/hookctl -update puts it there.
func TestEveryAgentKeepsItsPromises(t *testing.T) {
	if !*all {
		t.Skip("drives every agent of this machine for some minutes: -all")
	}
	cmd := exec.Command(built(t), "verify", "--live", "--json", "--limit", "5m")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("verify --live: %v\n%s", err, out)
	}
	if *record == "" {
		return
	}
	var report map[string]any
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	for _, a := range report["agents"].([]any) {
		a := a.(map[string]any)
		if p, ok := a["program"].(string); ok {
			a["program"] = filepath.Base(p) // where it lay is nobody's business
		}
		delete(a, "seconds")
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(report); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*record, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
