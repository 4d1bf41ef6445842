package simulate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// What a hook has decided, as its agent understands it.
const (
	None   = "no decision" // the hook was asked and has nothing to say
	Allow  = "allow"
	Ask    = "ask"
	Deny   = "deny"
	Tell   = "report" // after the tool has run: the agent is told
	Failed = "failed" // the hook gave no answer that counts, and the agent goes on
)

// outcome is how a hook's program ended.
type outcome struct {
	stdout, stderr []byte
	exit           int
	// lost says why there is no answer: not started, no end in time. "" = it ended.
	lost string
	late bool // it did not end in time
}

// answer is a hook's, as its agent reads it.
type answer struct {
	decision string
	reason   string
	how      string // what it was read from, or why it does not count
}

func failed(how string) answer { return answer{decision: Failed, how: how} }

// said is the JSON that agents understand, of all of them together.
type said struct {
	Continue   *bool    `json:"continue"`
	Stop       string   `json:"stopReason"`
	Decision   string   `json:"decision"`
	Reason     string   `json:"reason"`
	Permission string   `json:"permission"`         // Cursor
	User       string   `json:"user_message"`       // Cursor
	Added      string   `json:"additional_context"` // Cursor
	specific            // Copilot
	Output     specific `json:"hookSpecificOutput"`
}

type specific struct {
	Event      string `json:"hookEventName"`
	Permission string `json:"permissionDecision"`
	Why        string `json:"permissionDecisionReason"`
	Context    string `json:"additionalContext"`
}

// object reads a JSON object that stands alone.
func object(raw []byte) (s said, ok bool) {
	raw = bytes.TrimSpace(raw)
	return s, len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, &s) == nil
}

// mute is the answer of a hook whose words are no JSON object.
func mute(o outcome) answer {
	text := bytes.TrimSpace(o.stdout)
	switch {
	case len(text) == 0:
		return answer{decision: None}
	case text[0] == '{', bytes.Contains(text, []byte("ecision\"")):
		return failed("its answer does not count: it is no JSON object that stands alone")
	}
	return answer{decision: None, how: "printed words, which decide nothing"}
}

func exitCode(o outcome) string { return fmt.Sprintf("exit code %d", o.exit) }

func reasonOf(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

// readClaude: exit code 2 is a no whatever stdout says; JSON counts with any other
// code; every failure lets the tool run.
func readClaude(event string, p phase, o outcome) answer {
	if o.lost != "" {
		return failed(o.lost)
	}
	s, ok := object(o.stdout)
	switch {
	case o.exit == 2:
		return no(p, reasonOf(s.Output.Why, s.Reason, string(o.stderr)), "exit code 2")
	case ok && s.Output != (specific{}) && s.Output.Event != event:
		return failed("its answer does not count: hookEventName is not " + event)
	case ok:
		return s.claude(p)
	case o.exit != 0:
		return failed(exitCode(o) + reported(o))
	}
	return mute(o)
}

// reported is the last line that a failed hook has printed.
func reported(o outcome) string {
	text := strings.TrimSpace(string(o.stderr))
	if text == "" {
		return ""
	}
	return ": " + text[strings.LastIndexByte(text, '\n')+1:]
}

// no is a no: before the tool it denies, after it it can only tell.
func no(p phase, reason, how string) answer {
	if p == before {
		return answer{Deny, reason, how}
	}
	return answer{Tell, reason, how}
}

// claude takes the JSON of a hook as Claude Code does.
func (s said) claude(p phase) answer {
	permission := s.Output.Permission
	if p != before {
		permission = ""
	}
	switch {
	case permission == "deny":
		return answer{Deny, s.Output.Why, "JSON"}
	case permission == "ask", permission == "defer":
		return answer{Ask, s.Output.Why, "JSON"}
	case permission == "allow":
		return answer{Allow, s.Output.Why, "JSON"}
	case s.Decision == "block":
		return no(p, s.Reason, "JSON")
	case s.Decision == "approve" && p == before:
		return answer{Allow, s.Reason, "JSON"}
	case p != before && s.Output.Context != "":
		return answer{Tell, s.Output.Context, "JSON, as context"}
	case s.Continue != nil && !*s.Continue && p == before:
		return failed("continue: false stops the agent after this tool, which still runs")
	}
	return answer{decision: None}
}

// readQwen: as Claude Code, but continue: false keeps the tool from running, no event
// need be named, and after a tool only additional context reaches the model.
func readQwen(event string, p phase, o outcome) answer {
	s, ok := object(o.stdout)
	if ok && s.Continue != nil && !*s.Continue && p == before && o.lost == "" {
		return answer{Deny, reasonOf(s.Stop, s.Reason), "continue: false"}
	}
	if ok && o.lost == "" && o.exit != 2 {
		return qwenAfter(p, s.claude(p))
	}
	return qwenAfter(p, readClaude(event, p, o))
}

func qwenAfter(p phase, a answer) answer {
	if p != before && a.decision == Tell && a.how != "JSON, as context" {
		return failed("Qwen passes on nothing but additional context after a tool")
	}
	return a
}

// readGemini: any exit code but 0 and 1 is a no, also that of a program which is not
// there; JSON counts on stderr too when stdout is empty; hookSpecificOutput decides
// nothing.
func readGemini(_ string, p phase, o outcome) answer {
	if o.lost != "" {
		return failed(o.lost)
	}
	raw := o.stdout
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = o.stderr
	}
	s, ok := object(raw)
	switch {
	case ok && (s.Decision == "deny" || s.Decision == "block"):
		return no(p, s.Reason, "JSON")
	case ok && s.Continue != nil && !*s.Continue:
		return no(p, reasonOf(s.Stop, s.Reason), "continue: false stops the agent")
	case ok && s.Decision == "ask" && p == before:
		return answer{Ask, s.Reason, "JSON"}
	case ok && s.Decision == "allow" && p == before:
		return answer{Allow, s.Reason, "JSON"}
	case ok && p != before && s.Output.Context != "":
		return answer{Tell, s.Output.Context, "JSON, as context"}
	case ok && s.Output.Permission != "":
		return failed("Gemini does not read permissionDecision; it wants {\"decision\":\"deny\"}")
	case ok:
		return answer{decision: None}
	case o.exit == 1:
		return failed(exitCode(o) + reported(o))
	case o.exit != 0:
		return no(p, reasonOf(string(o.stderr), string(o.stdout)), exitCode(o)+", which Gemini takes for a no")
	}
	return mute(o)
}

// readCopilot: before a tool every failure but lateness is a no; after it only
// additional context is passed on.
func readCopilot(_ string, p phase, o outcome) answer {
	if o.late {
		return failed(o.lost)
	}
	if p == before && (o.lost != "" || o.exit != 0) {
		how := o.lost
		if how == "" {
			how = exitCode(o)
		}
		return answer{Deny, reasonOf(string(o.stderr)), how + ", which Copilot takes for a no"}
	}
	s, ok := object(o.stdout)
	permission := reasonOf(s.specific.Permission, s.Output.Permission)
	why := reasonOf(s.specific.Why, s.Output.Why)
	switch context := reasonOf(s.specific.Context, s.Output.Context); {
	case o.lost != "" || o.exit != 0:
		return failed(reasonOf(o.lost, exitCode(o)+reported(o)))
	case ok && p != before && context != "":
		return answer{Tell, context, "JSON, as context"}
	case ok && p != before && s.Decision != "":
		return failed("Copilot passes on nothing but additional context after a tool")
	case ok && p == before && permission == "deny":
		return answer{Deny, why, "JSON"}
	case ok && p == before && permission == "ask":
		return answer{Ask, why, "JSON"}
	case ok && p == before && permission == "allow":
		return answer{Allow, why, "JSON"}
	case ok && s.Decision != "":
		return failed("Copilot does not read decision before a tool; it wants permissionDecision")
	case ok:
		return answer{decision: None}
	}
	return mute(o)
}

// readCursor: Cursor's own events have their own words; a registration made for
// Claude is answered in Claude's. It takes "ask" and does not heed it on preToolUse.
func readCursor(event string, p phase, o outcome) answer {
	if pascal(event) || o.lost != "" || o.exit != 0 {
		a := readClaude(event, p, o)
		if a.decision == Ask {
			return failed("Cursor does not heed ask here")
		}
		return a
	}
	s, ok := object(o.stdout)
	switch {
	case ok && p == before && s.Permission == "deny":
		return answer{Deny, s.User, "JSON"}
	case ok && p == before && s.Permission == "ask" && event == "beforeShellExecution":
		return answer{Ask, s.User, "JSON"}
	case ok && p == before && s.Permission == "ask":
		return failed("Cursor does not heed ask here")
	case ok && p == before && s.Permission == "allow":
		return answer{Allow, s.User, "JSON"}
	case ok && p != before && s.Added != "":
		return answer{Tell, s.Added, "JSON, as context"}
	case ok:
		return answer{decision: None}
	}
	return mute(o)
}
