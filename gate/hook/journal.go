package hook

import (
	"crypto/sha256"
	"encoding/hex"
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
		Tool: ev.Tool.Name, Decision: v.Decision.String(), Why: v.Skipped, Faults: v.Faults,
		Transcript: ev.Transcript, Message: ev.Message, Redacted: map[string]int{}, Micros: map[string]int64{},
	}
	if r.rules != nil {
		l.Bundle, l.Release = r.rules.Bundle, r.rules.Release
	}
	switch {
	case v.Skipped != "":
		l.Decision = "skipped"
	case len(v.Faults) > 0 && len(v.Findings) == 0:
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
		if gt.Outcome == "no hit" {
			continue
		}
		g := journal.Gate{ID: gt.Gate, Outcome: gt.Outcome}
		if len(gt.Hits) > 0 {
			g.Sentence = r.clean(gt.Hits[0].Sentence, nil)
		}
		l.Gates = append(l.Gates, g)
	}
	for layer, d := range tr.Layer {
		l.Micros[layer] = d.Microseconds()
	}
	l.Micros["all"] = time.Since(r.in.Start).Microseconds()
	_ = journal.Append(r.in.Home.Journal(), l)
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
