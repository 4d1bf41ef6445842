package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/gate/redact"
)

// maxKept bounds what of a text is kept in the journal, in bytes. A longer one is
// in the transcript, which the line names.
const maxKept = 64 << 10

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
		Tool: ev.Tool.Name, Decision: v.Decision.String(), Why: v.Skipped, Faults: r.cleanAll(slices.Concat(v.Faults, v.Degraded)),
		Judge: r.clean(r.heard, nil), Transcript: ev.Transcript, Message: ev.Message, Redacted: map[string]int{}, Micros: map[string]int64{},
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
	if v.Decision == gate.Block && ev.Kind.IsStop() {
		l.Text = r.clean(ev.Text, l.Redacted)
	}
	if ev.Kind == gate.PreTool && (v.Decision == gate.Block || v.Decision == gate.Ask) {
		if text := toolEvent(ev); text != "" {
			sum := sha256.Sum256([]byte(text))
			l.SHA256, l.Text = hex.EncodeToString(sum[:]), r.clean(text, l.Redacted)
		}
	}
	for kind, n := range r.redacted { // the judge saw the same secrets, or more of the turn
		l.Redacted[kind] = max(l.Redacted[kind], n)
	}
	for _, gt := range tr.Gates {
		if gt.Outcome != "no hit" {
			l.Gates = append(l.Gates, r.part(v, gt))
		}
	}
	for layer, d := range tr.Layer {
		l.Micros[layer] = d.Microseconds()
	}
	if r.read > 0 {
		l.Micros["read"] = r.read.Microseconds()
	}
	l.Micros["all"] = time.Since(r.in.Start).Microseconds()
	_ = journal.Append(r.in.State().Journal(), l)
}

// contents are members of a tool's input that hold what is written, not where: a
// case needs none of them, and the journal is no copy of the user's files.
var contents = []string{"content", "new_string", "old_string", "new_source", "file_text", "old_str", "new_str", "edits", "code_edit"}

// toolEvent is a tool call as an event that a case can hold, without what it writes;
// "" when its input cannot be read.
func toolEvent(ev gate.Event) string {
	if ev.Kind != gate.PreTool {
		return ""
	}
	var in map[string]json.RawMessage
	if json.Unmarshal(ev.Tool.Input, &in) != nil {
		return ""
	}
	for _, c := range contents {
		delete(in, c)
	}
	b, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "cwd": ev.CWD, "tool_name": ev.Tool.Name, "tool_input": in})
	if err != nil {
		return ""
	}
	return string(b)
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

// clean takes the secrets out of a text, adds their number to counts (nil: not
// counted), and leaves out a text that is too long to be kept.
func (r *run) clean(s string, counts map[string]int) string {
	if s == "" || len(s) > maxKept {
		return ""
	}
	out, found := redact.Text(s)
	for kind, n := range found {
		if counts != nil {
			counts[kind] += n
		}
	}
	return out
}

// cleanAll cleans what is told of faults: a judge's or a parser's words can hold a
// piece of the text.
func (r *run) cleanAll(texts []string) (all []string) {
	for _, s := range texts {
		all = append(all, r.clean(s, nil))
	}
	return all
}
