package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/gate/redact"
)

// journal writes the line of a decision, after the answer. Nothing of the text
// goes in unredacted, and none of it unless the stop was blocked. A journal that
// cannot be written does not change the answer.
func (r *run) journal(v gate.Verdict, tr gate.Trace) {
	ev := r.in.Event
	if !r.live {
		return
	}
	l := journal.Line{
		Time: r.in.Start, Host: ev.Host, Event: string(ev.Kind), Session: ev.Session, Turn: ev.Turn, CWD: ev.CWD,
		Tool: ev.Tool.Name, Decision: v.Decision.String(), Why: v.Skipped, Faults: slices.Concat(v.Faults, v.Degraded),
		Transcript: ev.Transcript, Message: ev.Message, Redacted: map[string]int{}, Micros: map[string]int64{},
	}
	if r.rules != nil {
		l.Bundle, l.Release = r.rules.Bundle, r.rules.Release
	}
	switch {
	case v.Skipped != "":
		l.Decision = "skipped"
	case (v.Decision == gate.Notice || v.Decision == gate.Ask) && len(v.Faults)+failures(v) > 0 && failures(v) == len(v.Findings):
		l.Decision = "failed"
	}
	if ev.Text != "" {
		sum := sha256.Sum256([]byte(ev.Text))
		l.SHA256 = hex.EncodeToString(sum[:])
	}
	for kind, n := range r.redacted {
		l.Redacted[kind] += n
	}
	if v.Decision == gate.Block && ev.Kind.IsStop() {
		l.Text = r.clean(ev.Text, l.Redacted)
	}
	for _, gt := range tr.Gates {
		if gt.Outcome != "no hit" {
			l.Gates = append(l.Gates, r.part(v, gt))
		}
	}
	for layer, d := range tr.Layer {
		l.Micros[layer] = d.Microseconds()
	}
	l.Micros["all"] = time.Since(r.in.Start).Microseconds()
	_ = journal.Append(r.in.Home.Journal(), l)
}

// part is the line's part of one gate or hook.
func (r *run) part(v gate.Verdict, gt gate.GateTrace) journal.Gate {
	g := journal.Gate{ID: gt.Gate, Outcome: gt.Outcome}
	if a := gt.Hook; a != nil {
		g.Exit, g.Failure, g.Micros = &a.Exit, r.clean(a.Failure, nil), a.Took.Microseconds()
		if v.Decision != gate.Silent {
			g.Sentence = r.clean(a.Said, nil)
		}
		return g
	}
	if v.Decision != gate.Silent && found(v, gt.Gate) {
		g.Sentence = r.clean(gt.Hits[0].Sentence, nil)
	}
	return g
}

// failures counts the hooks that gave no answer.
func failures(v gate.Verdict) (n int) {
	for _, f := range v.Findings {
		if f.Fault {
			n++
		}
	}
	return n
}

// found reports whether a gate has found something; then its outcome has a hit.
func found(v gate.Verdict, id string) bool {
	return slices.ContainsFunc(v.Findings, func(f gate.Finding) bool { return f.Gate == id })
}

func (r *run) clean(s string, counts map[string]int) string {
	out, found := redact.Text(s)
	for kind, n := range found {
		if counts != nil {
			counts[kind] += n
		}
	}
	return out
}
