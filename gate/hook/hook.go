// Package hook is the full path of the gate: an event that may hit something, to
// the one answer and the line in the journal. It owns the order of things around
// a decision (transcript, judge, loop breaker, claim, answer, journal) and no
// rule. It writes below the home folder only and its answer is never garbage.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/gate/host"
	"github.com/agenthooks/hookctl/gate/redact"
	"github.com/agenthooks/hookctl/gate/transcript"
)

// Run answers one event and returns the exit code.
func Run(ctx context.Context, in *early.Input, cfg Config, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithTimeout(ctx, gate.JudgeTimeout+gate.SettleTimeout)
	defer cancel()
	r := &run{in: in, cfg: cfg, live: !in.Event.Contract}
	v, tr := r.decide(ctx)
	a := host.Encode(in.Event, v)
	// The answer goes out in one write each; an agent that has gone away is no
	// reason to exit with another code.
	if len(a.Stdout) > 0 {
		_, _ = stdout.Write(a.Stdout)
	}
	if len(a.Stderr) > 0 {
		_, _ = stderr.Write(a.Stderr)
	}
	r.snapshot(v)
	r.journal(v, tr)
	return a.Exit
}

// Decide decides one event without an answer, a line in the journal or a count:
// what explain, test and sync ask.
func Decide(ctx context.Context, in *early.Input, cfg Config) (gate.Verdict, gate.Trace) {
	return (&run{in: in, cfg: cfg}).decide(ctx)
}

// run is one event on its way.
type run struct {
	// live is set when an agent waits for the answer: then blocks are counted and
	// the decision is journalled.
	live    bool
	in      *early.Input
	cfg     Config
	rules   *gate.Rules
	decider *decide.Engine
	// foreign tells that what led here is a block that none of our gates has made.
	foreign bool
	// redacted counts the secrets that were taken out before the judge saw the
	// text.
	redacted redact.Counts
	// heard is which judge answered, and which did not.
	heard string
	// read is how long it took to have the event, the rules and the transcript.
	read time.Duration
}

func (r *run) decide(ctx context.Context) (v gate.Verdict, tr gate.Trace) {
	in := r.in
	defer func() {
		if p := recover(); p != nil {
			v = decide.Fault(in.Event.Kind, fmt.Sprintf("internal error: %v", p))
		}
	}()
	switch {
	case in.InsideJudge():
		v.Skipped = "inside a judge"
		return v, tr
	case in.Err != nil:
		return decide.Fault(in.Event.Kind, "the event could not be read: "+in.Err.Error()), tr
	case in.Event.Kind == "":
		v.Skipped = "unknown event"
		return v, tr
	}
	if in.Event.CWD == "" && !in.Event.Contract {
		in.Event.CWD, _ = os.Getwd() // an agent starts its hooks where it works
	}
	degraded := r.open()
	unread := r.text(ctx)
	r.read = time.Since(in.Start)
	e := r.engine()
	e.Changed = r.changed()
	v, tr = e.Decide(ctx, in.Event)
	if v.Skipped == "" || in.Event.Kind == gate.SessionStart {
		tell(in.Event.Kind, &v, unread, degraded)
	}
	r.settle(&v)
	return v, tr
}

// readRules reads what this event needs of the rules. Only another judge than builtin
// is told of the gates.
func (r *run) readRules(c *gate.Compiled, b []byte) (*gate.Rules, error) {
	if c == nil {
		var err error
		if c, err = gate.Open(b); err != nil {
			return nil, err
		}
	}
	return c.For(r.in.Event.Kind, r.cfg.Judge != nil)
}

// open loads the rules of the generation that judges. Broken steps are told at a
// stop or a session's start; a tool call is judged by what the fallback gives.
func (r *run) open() (faults []string) {
	o, c := r.in.Opened, r.in.Rules
	if o.Rules == nil {
		o, c = generation.Open(r.in.Home), nil
	}
	for {
		rules, err := r.readRules(c, o.Rules)
		if err == nil {
			r.rules = rules
			break
		}
		if o.From != "current" && o.From != "previous" {
			// A candidate has no substitute, and the embedded rules need none: a test
			// keeps broken ones from being released.
			o.Faults = append(o.Faults, o.From+" rules: "+err.Error())
			break
		}
		o, c = generation.After(r.in.Home, o, err), nil
	}
	r.in.Opened = o
	if r.rules != nil && !r.in.Event.Contract { // what a case must yield is the bundle's own
		for _, d := range r.cfg.Demote {
			r.rules.Demote(d.Gate, d.Bundle)
		}
	}
	faults = append(faults, o.Faults...)
	if r.cfg.Fault != "" {
		faults = append(faults, r.cfg.Fault)
	}
	return faults
}

// text completes a stop from the transcript: the text when the agent sent none,
// and in any case what the assistant said before in this turn.
func (r *run) text(ctx context.Context) (faults []string) {
	ev := &r.in.Event
	if !ev.Kind.IsStop() {
		return nil
	}
	r.in.ReadTail()
	if err := r.in.TailErr; err != nil {
		ev.HasText = true // nothing to judge
		if errors.Is(err, context.DeadlineExceeded) {
			return nil
		}
		return []string{"the transcript could not be read: " + err.Error()}
	}
	if ev.Transcript == "" || ev.Contract {
		return nil
	}
	now, cancel := context.WithCancel(ctx)
	cancel() // the text is here: take what the file holds, wait for nothing
	if t, err := transcript.Read(now, r.in.Transcript()); err == nil {
		if ev.Message == "" && ev.Text != "" && strings.HasSuffix(strings.TrimSpace(t.Context), strings.TrimSpace(ev.Text)) {
			ev.Message = t.Message // the file has this very message already
		}
		ev.Context = withText(t.Context, ev.Text)
		if ev.Turn == "" {
			ev.Turn = t.Turn
		}
	}
	return nil
}

// tell adds hookctl's own faults to a verdict without changing what a finding
// decided: what could not be judged, and what was judged with less than all.
func tell(kind gate.Kind, v *gate.Verdict, unread, degraded []string) {
	if kind == gate.PreTool || kind == gate.PostTool || len(unread)+len(degraded) == 0 {
		return
	}
	v.Faults = append(v.Faults, unread...)
	v.Degraded = append(v.Degraded, degraded...)
	v.Decision = max(v.Decision, gate.Notice)
}
