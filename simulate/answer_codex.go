package simulate

import (
	"bytes"
	"encoding/json"
	"strings"
)

// codexSaid is all that Codex takes in a hook's answer on tool events. One key that
// it does not know voids the answer.
type codexSaid struct {
	Continue *bool          `json:"continue"`
	Stop     *string        `json:"stopReason"`
	Suppress *bool          `json:"suppressOutput"`
	System   *string        `json:"systemMessage"`
	Decision string         `json:"decision"`
	Reason   string         `json:"reason"`
	Output   *codexSpecific `json:"hookSpecificOutput"`
}

type codexSpecific struct {
	Event      string          `json:"hookEventName"`
	Permission string          `json:"permissionDecision"`
	Why        string          `json:"permissionDecisionReason"`
	Context    string          `json:"additionalContext"`
	Input      json.RawMessage `json:"updatedInput"`
	MCP        json.RawMessage `json:"updatedMCPToolOutput"`
}

// readCodex: exit code 2 is a no only with words on stderr, JSON counts with exit
// code 0 only and is read strictly, and it has no "ask": the tool runs.
func readCodex(_ string, p phase, o outcome) answer {
	if o.lost != "" {
		return failed(o.lost)
	}
	words := strings.TrimSpace(string(o.stderr))
	switch {
	case o.exit == 2 && words == "":
		return failed("exit code 2 without a word on stderr, which Codex does not take for a no")
	case o.exit == 2:
		return no(p, words, "exit code 2")
	case o.exit != 0:
		return failed(exitCode(o) + reported(o))
	}
	raw := bytes.TrimSpace(o.stdout)
	if len(raw) == 0 || raw[0] != '{' {
		return mute(o)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var s codexSaid
	if err := d.Decode(&s); err != nil {
		return failed("its answer does not count: " + strings.TrimPrefix(err.Error(), "json: "))
	}
	return s.read(p)
}

func (s codexSaid) read(p phase) answer {
	const unsupported = ", which Codex does not support: the answer does not count"
	var out codexSpecific
	if s.Output != nil {
		out = *s.Output
	}
	switch {
	case s.Output != nil && out.Event == "": // which event it names is all the same
		return failed("its answer does not count: it has no hookEventName")
	case p == before && (s.Continue != nil || s.Stop != nil || s.Suppress != nil):
		return failed("continue, stopReason or suppressOutput" + unsupported)
	case p != before && s.Decision == "block" && s.Reason != "":
		return answer{Tell, s.Reason, "JSON"}
	case p != before && out.Context != "":
		return answer{Tell, out.Context, "JSON, as context"}
	case p != before:
		return answer{decision: None}
	case (out.Permission == "deny" && out.Why == "") || (s.Decision == "block" && s.Reason == ""):
		return failed("a no without a reason" + unsupported)
	case out.Permission == "deny":
		return answer{Deny, out.Why, "JSON"}
	case s.Decision == "block":
		return answer{Deny, s.Reason, "JSON"}
	case out.Permission == "allow" && len(out.Input) > 0:
		return answer{Allow, out.Why, "JSON"}
	case out.Permission != "" || s.Decision != "":
		return failed(reasonOf(out.Permission, s.Decision) + unsupported)
	}
	return answer{decision: None}
}
