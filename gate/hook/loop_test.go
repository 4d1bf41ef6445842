//go:build !windows

package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/home"
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
