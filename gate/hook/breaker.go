package hook

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/host"
	"github.com/agenthooks/hookctl/gate/loop"
)

const (
	// defaultBlocks is how often one gate blocks in one user turn when the machine
	// sets no number of its own; the next violation passes with a notice.
	defaultBlocks = 2
	// claimWindow is how long a stop that was answered stays answered for a
	// second registration of the hook.
	claimWindow = 2 * time.Second
)

// claim takes the right to answer a stop that needs an answer. It reports false
// when a second registration of the hook has it; with an error nobody is known to.
// The same words in another message are another stop. The transcript's size does
// not tell: Claude Code writes a progress line to it for each hook that it runs, so
// that two registrations of one stop see two sizes, and both would answer. What is
// lost without it: an agent that names neither message nor turn and says the same
// words again within the window is answered once.
func (r *run) claim() (mine bool, err error) {
	ev := r.in.Event
	sum := sha256.Sum256([]byte(ev.Text))
	key := fmt.Sprintf("%q %q %q %q %x %v", ev.Kind, ev.Session, ev.Turn, ev.Transcript, sum, ev.Active)
	return r.loop().Claim(key, ev.Message, r.in.Start, claimWindow)
}

// admit is the loop breaker: it tells why a violation of a gate, or a block of a
// hook, passes, "" when it does not. A tool call is no loop.
func (r *run) admit(id string) string {
	if !r.live || !r.in.Event.Kind.IsStop() {
		return ""
	}
	if !host.Hears(r.in.Event) {
		return r.in.Event.Host + " cannot be sent back"
	}
	if r.begins() {
		return ""
	}
	n, err := r.loop().Count(r.session(), r.turn(), id)
	if err != nil {
		return "the blocks of this turn cannot be counted"
	}
	if n >= r.maxBlocks() {
		return fmt.Sprintf("blocked %d times in this turn already", n)
	}
	if r.in.Event.Active && r.ours() == 0 {
		r.foreign = true
		return "another hook has sent the agent back already"
	}
	return ""
}

func (r *run) maxBlocks() int {
	if r.cfg.Blocks > 0 {
		return r.cfg.Blocks
	}
	return defaultBlocks
}

// settle keeps the second of two registrations silent and counts a block. What
// cannot be counted is not blocked: an agent without a cap of its own would go
// round for ever.
func (r *run) settle(v *gate.Verdict) {
	if !r.live || !r.in.Event.Kind.IsStop() || v.Decision == gate.Silent {
		return
	}
	mine, err := r.claim()
	if !mine {
		*v = gate.Verdict{Skipped: "another registration of the hook has answered this stop"}
		return
	}
	if r.foreign {
		hush(v)
	}
	if v.Decision != gate.Block {
		return
	}
	if err == nil {
		err = r.count(v.Findings)
	}
	if err != nil {
		v.Decision, v.Reason = gate.Notice, ""
		v.Faults = append(v.Faults, "the block could not be counted: "+err.Error())
	}
}

// hush keeps the findings for the journal alone, unless there is something else to
// tell: going on is what the other hook has asked for.
func hush(v *gate.Verdict) {
	if len(v.Faults)+len(v.Degraded)+failures(*v) > 0 {
		return
	}
	for i := range v.Findings {
		v.Findings[i].Mode = gate.Shadow
	}
	v.Decision = gate.Silent
}

func (r *run) count(findings []gate.Finding) error {
	s := r.loop()
	if r.begins() {
		for _, id := range r.rules.IDs() {
			if err := s.Reset(r.session(), r.turn(), id); err != nil {
				return err
			}
		}
	}
	for _, f := range findings {
		if f.Mode != gate.Enforce {
			continue
		}
		if err := s.Add(r.session(), r.turn(), f.Gate); err != nil {
			return err
		}
	}
	return nil
}

// ours is how often any of our gates and hooks has blocked in this turn.
func (r *run) ours() (n int) {
	for _, id := range r.rules.IDs() {
		c, _ := r.loop().Count(r.session(), r.turn(), id)
		n += c
	}
	return n
}

// begins reports that nothing counted so far concerns this stop: the agent does
// not tell the user's turns apart, but it does tell that no block has led here.
func (r *run) begins() bool { return r.turn() == "" && !r.in.Event.Active }

// turn names the user's turn. An agent of the generic dialect tells neither the
// turn nor whether a block has led here; it gets a new count each hour.
func (r *run) turn() string {
	ev := r.in.Event
	if ev.Turn == "" && ev.Host == host.Generic {
		return "hour-" + r.in.Start.UTC().Format("2006-01-02T15")
	}
	return ev.Turn
}

// session names the conversation by what the agent tells of it.
func (r *run) session() string {
	ev := r.in.Event
	for _, s := range []string{ev.Session, ev.Transcript} {
		if s != "" {
			return s
		}
	}
	return ev.CWD
}

func (r *run) loop() loop.Store { return loop.Store{Dir: r.in.State().Path("cache", "loop")} }
