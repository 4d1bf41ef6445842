//go:build !windows

package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests"
)

// A step is one stop in a session, and what becomes of it.
type step struct {
	what string
	text string // "" = an offer of its own
	with fields
	want string // block, notice or allow
}

func (m *machine) walk(t *testing.T, steps []step) {
	t.Helper()
	for i, s := range steps {
		text := s.text
		if text == "" { // an agent words the same offer anew each time
			text = fmt.Sprintf("Step %d is done.\n\nShall I commit and push this?", i)
		}
		r := m.fire(t, m.stop(text, s.with))
		got, message := r.decision(t)
		if got == "allow" && message != "" {
			got = "notice"
		}
		if got != s.want || r.exit != 0 {
			t.Errorf("step %d (%s): %s, want %s: %s", i, s.what, got, s.want, r.said())
		}
	}
}

func TestLoopBreaker(t *testing.T) {
	active := func(f fields) fields {
		all := fields{"stop_hook_active": true}
		for k, v := range f {
			all[k] = v
		}
		return all
	}
	next := fields{"prompt_id": "p-2"}
	noTurn := fields{"prompt_id": nil}
	for name, steps := range map[string][]step{
		"two blocks, then a notice": {
			{"first", "", nil, "block"},
			{"sent back", "", active(nil), "block"},
			{"sent back again", "", active(nil), "notice"},
			{"and again", "", active(nil), "notice"},
		},
		"a restatement and a tool call count on": {
			{"first", offer, nil, "block"},
			{"restated", offer, active(nil), "block"},
			{"the flag is lost", "", nil, "notice"},
		},
		"a new turn of the user begins anew": {
			{"first", "", nil, "block"},
			{"sent back", "", active(nil), "block"},
			{"sent back again", "", active(nil), "notice"},
			{"the next turn", "", next, "block"},
			{"sent back", "", active(next), "block"},
			{"sent back again", "", active(next), "notice"},
		},
		"a clean stop between does not reset the turn": {
			{"first", "", nil, "block"},
			{"sent back", "", active(nil), "block"},
			{"clean", report, active(nil), "allow"},
			{"again", "", active(nil), "notice"},
		},
		"somebody else's block": {
			{"first of ours", "", active(nil), "allow"},
			{"again", "", active(nil), "allow"},
			{"the flag is gone", "", nil, "block"},
		},
		"no turn is told: a chain begins without the flag": {
			{"first", "", noTurn, "block"},
			{"sent back", "", active(noTurn), "block"},
			{"sent back again", "", active(noTurn), "notice"},
			{"a new chain", "", noTurn, "block"},
			{"sent back", "", active(noTurn), "block"},
			{"sent back again", "", active(noTurn), "notice"},
			{"a clean stop", report, noTurn, "allow"},
			{"a new chain", "", noTurn, "block"},
		},
		"no turn is told, somebody else's block": {
			{"first of ours", "", active(noTurn), "allow"},
		},
		"another gate has a count of its own": {
			{"first", "", nil, "block"},
			{"sent back", "", active(nil), "block"},
			{"another gate", "I fixed the bug in the parser.", active(nil), "block"},
			{"the first gate", "", active(nil), "notice"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.direct = true
			m.walk(t, steps)
		})
	}
	t.Run("sessions are apart", func(t *testing.T) {
		m := newMachine(t)
		m.walk(t, []step{
			{"one session", "", nil, "block"},
			{"sent back", "", active(nil), "block"},
			{"another session", "", fields{"session_id": "s-2"}, "block"},
			{"the first", "", active(nil), "notice"},
		})
	})
}

// A machine may choose how often a gate blocks.
func TestBlocksAreConfigurable(t *testing.T) {
	for n := range 5 {
		m := newMachine(t)
		m.direct, m.cfg = true, hook.Config{Blocks: n}
		want := n
		if n == 0 {
			want = 2
		}
		steps := make([]step, 0, want+1)
		for i := range want {
			steps = append(steps, step{fmt.Sprint("block ", i), "", fields{"stop_hook_active": i > 0}, "block"})
		}
		m.walk(t, append(steps, step{"one more", "", fields{"stop_hook_active": true}, "notice"}))
	}
}

// Tool calls between two stops of a turn do not begin it anew.
func TestToolCallsDoNotReset(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	active := fields{"stop_hook_active": true}
	for i, s := range []step{{"first", "", nil, "block"}, {"sent back", "", active, "block"}, {"sent back again", "", active, "notice"}} {
		m.walk(t, []step{{s.what, fmt.Sprintf("Try %d.\n\n%s", i, offer), s.with, s.want}})
		silent(t, m.fire(t, m.tool("Bash", fields{"command": "echo x > notes.txt"}, fields{"prompt_id": "p-1"})))
		silent(t, m.fire(t, m.tool("Write", fields{"file_path": "notes.txt"}, fields{"hook_event_name": "PostToolUse", "prompt_id": "p-1"})))
	}
}

// The right to answer is taken only where there is something to answer.
func TestOnlyAHitIsClaimed(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	for _, e := range []string{
		m.stop(report, nil), m.stop("", nil),
		m.stop("All 41 tests pass. "+offer, nil),                                                             // evidence
		m.stop("After the tests I will commit.", nil),                                                        // the judge
		m.stop(offer, fields{"background_tasks": []fields{{"id": "1", "status": "running"}}}),                // passes
		m.tool("Write", fields{"file_path": "notes.txt"}, nil), m.tool("Bash", fields{"command": "ls"}, nil), // no decision
	} {
		silent(t, m.fire(t, e))
	}
	denied(t, m.fire(t, m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, nil)))
	if dir := filepath.Join(m.home, "cache", "loop"); exists(dir) {
		t.Errorf("%s was made", dir)
	}
	// Finished tasks hold nothing up.
	blocked(t, m.fire(t, m.stop(offer, fields{"background_tasks": []fields{{"id": "1", "status": "completed"}}})))
}

// The same words in the next message are another stop, however soon; what else the
// agent writes to its transcript meanwhile makes no other stop of one.
func TestSameWordsAgain(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	file := filepath.Join(t.TempDir(), "t.jsonl")
	row := func(f fields) string { return event(f, nil) + "\n" }
	says := func(id string) string {
		return row(fields{"type": "assistant", "message": fields{"id": id, "role": "assistant", "content": []fields{{"type": "text", "text": offer}}}})
	}
	rows := row(fields{"type": "user", "uuid": "u-1", "message": fields{"role": "user", "content": "go on"}})
	write(t, file, rows) // the message itself lags
	e := m.stop(offer, fields{"transcript_path": file, "stop_hook_active": false})
	blocked(t, m.fire(t, e))
	rows += says("m-1")
	write(t, file, rows)
	silent(t, m.fire(t, e)) // the other registration, which finds the message there
	rows += row(fields{"type": "progress", "data": fields{"type": "hook_progress", "hookEvent": "Stop"}})
	write(t, file, rows)
	silent(t, m.fire(t, e))

	active := m.stop(offer, fields{"transcript_path": file, "stop_hook_active": true})
	rows += says("m-2")
	write(t, file, rows)
	blocked(t, m.fire(t, active))
	silent(t, m.fire(t, active))
	rows += says("m-3")
	write(t, file, rows)
	noted(t, m.fire(t, active), "2 times") // not taken for m-2 again
	if l := m.lines(t); l[len(l)-1].Message != "m-3" {
		t.Errorf("the journal names message %q", l[len(l)-1].Message)
	}
}

// A subagent is told less: the fix gates and the commit gate warn, the others say
// nothing, none blocks. The messages are those that block a stop.
func TestSubagents(t *testing.T) {
	cases, err := manifests.Cases(manifests.Embedded())
	must(t, err)
	m := newMachine(t)
	m.direct = true
	warning := []string{"commit-before-verification", "shallow-bugfix", "bugfix-without-reproduction"}
	seen := map[string]int{}
	for i, c := range cases {
		if !c.Block || c.IsEvent {
			continue
		}
		id := fields{"session_id": fmt.Sprint("s-", i)}
		if d, _ := m.fire(t, m.stop(string(c.Body), id)).decision(t); d != "block" {
			continue // it takes more than these words
		}
		id["hook_event_name"] = "SubagentStop"
		in := early.Start(home.Dir(m.home), func(string) string { return "" }, time.Now())
		in.Read(strings.NewReader(m.stop(string(c.Body), id)), "")
		v, _ := hook.Decide(t.Context(), in, hook.Config{})
		told := false
		for _, f := range v.Findings {
			told = told || f.Gate == c.Gate
			if f.Mode != gate.Warn || !slices.Contains(warning, f.Gate) {
				t.Errorf("%s: %s is in mode %s", c.Name, f.Gate, f.Mode)
			}
		}
		if v.Decision > gate.Notice || told != slices.Contains(warning, c.Gate) {
			t.Errorf("%s: %v with %d findings", c.Name, v.Decision, len(v.Findings))
		}
		seen[c.Gate]++
	}
	if len(seen) != 6 {
		t.Errorf("cases of the gates %v, want all six", seen)
	}
}

// The turn is read from the transcript when the agent sends none, as before
// Claude Code 2.1.
func TestTurnFromTheTranscript(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	file := filepath.Join(t.TempDir(), "t.jsonl")
	user := func(id string) string {
		return event(fields{"type": "user", "uuid": id, "message": fields{"role": "user", "content": "go on"}}, nil) + "\n"
	}
	with := func(active bool) fields {
		return fields{"prompt_id": nil, "transcript_path": file, "stop_hook_active": active}
	}
	write(t, file, user("u-1"))
	m.walk(t, []step{
		{"first", "", with(false), "block"},
		{"sent back", "", with(true), "block"},
		{"sent back again", "", with(true), "notice"},
		{"the flag is lost in the same turn", "", with(false), "notice"},
	})
	write(t, file, user("u-1")+user("u-2"))
	m.walk(t, []step{{"the next turn", "", with(false), "block"}})
}

// An agent of the generic dialect says neither the turn nor whether it was sent
// back, and has no cap of its own.
func TestGenericAgentsAreNotSentBackForEver(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	blocks := 0
	for i := range 6 {
		r := m.fire(t, fmt.Sprintf(`{"text":"Step %d is done.\n\nShall I commit and push this?"}`, i), "--host", "generic")
		if r.exit == 2 {
			blocks++
		}
	}
	if blocks < 2 || blocks > 4 { // an hour may have ended meanwhile
		t.Errorf("%d blocks in 6 stops, want 2", blocks)
	}
}

func TestUncountedIsNotBlocked(t *testing.T) {
	t.Run("a file in the folder's place", func(t *testing.T) {
		m := newMachine(t)
		write(t, filepath.Join(m.home, "cache"), "")
		noted(t, m.fire(t, m.stop(offer, nil)), "cannot be counted")
		denied(t, m.fire(t, m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, nil)))
	})
	t.Run("another user's folder", func(t *testing.T) {
		m := newMachine(t)
		m.become(t, 65534)
		mkdir(t, filepath.Join(m.home, "cache", "loop"))
		noted(t, m.fire(t, m.stop(offer, nil)), "could not be counted")
		silent(t, m.fire(t, m.stop(report, nil)))
	})
	t.Run("a folder in a counter's place", func(t *testing.T) {
		m := newMachine(t)
		m.direct = true
		blocked(t, m.fire(t, m.stop(offer, nil)))
		counts, err := filepath.Glob(filepath.Join(m.home, "cache", "loop", "count-*"))
		if err != nil || len(counts) != 1 {
			t.Fatalf("counters %q, %v", counts, err)
		}
		must(t, os.Remove(counts[0]))
		mkdir(t, counts[0])
		noted(t, m.fire(t, m.stop("Done. "+offer, nil)), "cannot be counted")
	})
}

// Two registrations answer with one voice: one blocks, and counts one block.
func TestTwoRegistrations(t *testing.T) {
	m := newMachine(t)
	for round := range 3 {
		e := m.stop(fmt.Sprintf("Round %d.\n\n%s", round, offer), fields{"prompt_id": fmt.Sprint("p-", round)})
		var results [2]result
		var errs [2]error
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() { results[i], errs[i] = m.run(strings.NewReader(e)) })
		}
		wg.Wait()
		blocks, quiet := 0, 0
		for i, r := range results {
			must(t, errs[i])
			switch d, _ := r.decision(t); {
			case d == "block" && r.exit == 0:
				blocks++
			case r.exit == 0 && r.said() == "":
				quiet++
			}
		}
		if blocks != 1 || quiet != 1 {
			t.Errorf("round %d: %d blocks and %d silent, want one of each: %q, %q", round, blocks, quiet, results[0].said(), results[1].said())
		}
	}
	// Each round was one block, so that a second one is still to come.
	blocked(t, m.fire(t, m.stop("Once more.\n\n"+offer, fields{"prompt_id": "p-0", "stop_hook_active": true})))
	noted(t, m.fire(t, m.stop("And again.\n\n"+offer, fields{"prompt_id": "p-0", "stop_hook_active": true})), "2 times")
	// A tool call is always answered, however often it is registered.
	w := m.tool("Write", fields{"file_path": "~/.claude/settings.json"}, nil)
	denied(t, m.fire(t, w))
	denied(t, m.fire(t, w))
	// So is what went wrong: it is told once.
	fault := m.stop("", fields{"last_assistant_message": nil, "transcript_path": "/nowhere/t.jsonl"})
	noted(t, m.call(fault))
	silent(t, m.call(fault))
}

// Cases and questions of hookctl's own count nothing and stand in no journal.
func TestContractEventsDoNotCount(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	for range 5 {
		blocked(t, m.fire(t, m.stop(offer, fields{"hookctl_contract": true})))
		in := early.Start(home.Dir(m.home), func(string) string { return "" }, time.Now())
		in.Read(strings.NewReader(m.stop(offer, nil)), "")
		if v, tr := hook.Decide(t.Context(), in, hook.Config{}); v.Decision != gate.Block || len(tr.Gates) == 0 {
			t.Errorf("asked, it says %v", v)
		}
	}
	if exists(m.home) {
		t.Error("something was written")
	}
	blocked(t, m.fire(t, m.stop(offer, nil)))
}

// An agent that tells of a stop when it is over is not blocked: what was found is a
// notice, and the journal has no block that never was.
func TestAgentsThatCannotBeSentBack(t *testing.T) {
	m := newMachine(t)
	m.direct = true
	for i := range 3 {
		m.fire(t, fmt.Sprintf(`{"agent":"opencode","hook_event_name":"Stop","session_id":"s%d","last_assistant_message":"Shall I commit and push this?"}`, i))
	}
	lines := m.lines(t)
	if len(lines) != 3 || slices.ContainsFunc(lines, func(l journal.Line) bool { return l.Decision != "notice" || l.Host != "opencode" }) {
		t.Errorf("the journal has %+v", lines)
	}
}
