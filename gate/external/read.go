package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/child"
)

// read turns what a hook printed, and how it ended, into its answer: by the exit
// codes that the bundle declares, and by the decision on stdout where the code
// allows.
func read(h *gate.Hook, out child.Output, err error) gate.HookAnswer {
	code := 0
	if err != nil {
		exit, ended := errors.AsType[*exec.ExitError](err)
		if !ended || !exit.Exited() {
			return failed(err.Error()) // not started, too much output, a signal
		}
		code = exit.ExitCode()
	}
	a := gate.HookAnswer{Exit: code}
	switch h.Exit[code] {
	case "allow":
		a.Decision, a.Said, a.Failure = printed(out.Stdout)
	case "ask":
		a.Decision, a.Said = gate.Ask, words(out)
	case "block":
		a.Decision, a.Said = gate.Block, words(out)
	default:
		a.Failure = fmt.Sprintf("exit code %d", code)
		if last := lastLine(out.Stderr); last != "" {
			a.Failure += ": " + last
		}
	}
	return a
}

// words are a hook's reason: stderr, as agents read it, or stdout, where linters
// print, when stderr is empty.
func words(out child.Output) string {
	for _, b := range [][]byte{out.Stderr, out.Stdout} {
		if s := strings.TrimSpace(string(b)); s != "" {
			return s[:min(len(s), limits.Stderr)]
		}
	}
	return ""
}

func lastLine(b []byte) string {
	s := strings.TrimSpace(string(b))
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

// printed reads a decision from stdout, in the form of Claude Code's hooks. Text
// that is no JSON object decides nothing; an object that cannot be understood is a
// failure, since it may mean to block.
func printed(stdout []byte) (d gate.Decision, reason, failure string) {
	text := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(stdout), []byte("\xef\xbb\xbf")))
	if len(text) == 0 || text[0] != '{' {
		return gate.Silent, "", ""
	}
	var a struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
		Continue *bool  `json:"continue"`
		Output   struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return gate.Silent, "", "its answer cannot be read: " + err.Error()
	}
	if a.Continue != nil && !*a.Continue {
		return gate.Silent, "", "its answer has continue: false, which hookctl does not pass on"
	}
	for _, said := range [][2]string{{a.Decision, a.Reason}, {a.Output.Decision, a.Output.Reason}} {
		one, ok := decisions[said[0]]
		if !ok {
			return gate.Silent, "", fmt.Sprintf("its answer has the decision %q", said[0])
		}
		if one > d {
			d, reason = one, said[1]
		}
	}
	return d, reason[:min(len(reason), limits.Stderr)], ""
}

// decisions are the words of agents' hooks. An allow is silence: a hook takes no
// decision of the agent away.
var decisions = map[string]gate.Decision{
	"": gate.Silent, "allow": gate.Silent, "approve": gate.Silent,
	"ask": gate.Ask, "block": gate.Block, "deny": gate.Block,
}
