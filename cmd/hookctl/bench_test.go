package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkProcess times whole processes in turn, so that their ratios hold when
// the machine's speed drifts: an empty Go program, and the hook on events of
// several kinds. It reports the median over rounds of the time of each against
// the empty program in the same round, and for events without a hit p99 against
// the p99 of the empty program.
//
//	go test ./cmd/hookctl -run '^$' -bench Process -benchtime 300x
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	empty := build(b, dir, "empty", "")
	hook := build(b, dir, "hookctl", "../../cmd/hookctl")
	env := append(os.Environ(), "HOOKCTL_HOME="+filepath.Join(dir, "home"))
	runs := []struct {
		name, program string
		event         []byte
		took          []float64
	}{
		{name: "empty", program: empty},
		{name: "nohit", program: hook, event: stopEvent(b, "", strings.Repeat("I read the parser and the printer. Both keep the order of keys. ", 60))},
		{name: "nohit-1KB-transcript", program: hook, event: stopEvent(b, transcriptOf(b, dir, 1<<10), "")},
		{name: "nohit-300MB-transcript", program: hook, event: stopEvent(b, transcriptOf(b, dir, 300<<20), "")},
		{name: "hit", program: hook, event: stopEvent(b, "", "The list is sorted now.\n\nShall I commit and push this?")},
		{name: "pretool-reads", program: hook, event: []byte(`{"session_id":"s","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"go test ./... 2>&1 | tail -20"}}`)},
		{name: "pretool-writes", program: hook, event: []byte(`{"session_id":"s","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"go test ./... > out.txt"}}`)},
	}
	for b.Loop() {
		for i := range runs {
			r := &runs[i]
			cmd := exec.Command(r.program, "gate")
			cmd.Env, cmd.Stdin = env, bytes.NewReader(r.event)
			start := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%s: %v: %s", r.name, err, out)
			}
			r.took = append(r.took, float64(time.Since(start)))
		}
	}
	base := runs[0].took
	for _, r := range runs[1:] {
		ratios := make([]float64, len(base))
		for i := range base {
			ratios[i] = r.took[i] / base[i]
		}
		b.ReportMetric(quantile(ratios, 0.5), r.name+"/empty")
	}
	b.ReportMetric(quantile(runs[1].took, 0.99)/quantile(base, 0.99), "nohit-p99/empty-p99")
	b.ReportMetric(quantile(runs[3].took, 0.5)/quantile(runs[2].took, 0.5), "300MB/1KB")
	b.ReportMetric(0, "ns/op") // the sum of unlike things
}

func quantile(v []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[min(int(q*float64(len(s))), len(s)-1)]
}

// build builds a package the way it is released and installed, or a program without a
// line.
func build(b *testing.B, dir, name, pkg string) string {
	b.Helper()
	out := filepath.Join(dir, name)
	if pkg == "" {
		pkg = filepath.Join(dir, "empty.go")
		if err := os.WriteFile(pkg, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", name, err, msg)
	}
	// What runs is a copy, as after an install: on Linux the linker's own file, which
	// it writes through a map, takes a fifth longer to start.
	program, err := os.ReadFile(out)
	if err == nil {
		err = errors.Join(os.Remove(out), os.WriteFile(out, program, 0o755))
	}
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// stopEvent is a stop with the final text, or with a transcript to read it from.
func stopEvent(b *testing.B, transcript, text string) []byte {
	b.Helper()
	ev := map[string]any{"session_id": "s", "cwd": "/tmp", "hook_event_name": "Stop", "stop_hook_active": false}
	if transcript != "" {
		ev["transcript_path"] = transcript
	} else {
		ev["last_assistant_message"] = text
	}
	raw, err := json.Marshal(ev)
	if err != nil {
		b.Fatal(err)
	}
	return raw
}

// transcriptOf writes a transcript of about so many bytes, of many small turns.
func transcriptOf(b *testing.B, dir string, size int) string {
	b.Helper()
	turn := `{"type":"user","uuid":"u1","message":{"role":"user","content":"go on"}}` + "\n" +
		`{"type":"assistant","uuid":"a1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I read the parser and the printer."}]}}` + "\n"
	path := filepath.Join(dir, fmt.Sprintf("transcript-%d.jsonl", size))
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	block := strings.Repeat(turn, max(1, min(size, 1<<20)/len(turn)))
	for n := 0; n < size; n += len(block) {
		if _, err := f.WriteString(block); err != nil {
			b.Fatal(err)
		}
	}
	return path
}
