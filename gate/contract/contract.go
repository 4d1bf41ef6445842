// Package contract proves a gate by its cases: each is an input as an agent
// would send it and the decision it must get. The same cases run in process and
// through a command line as a process, from stdin to exit code.
package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/manifests"
)

// Places are the folders that ${HOME} and ${PROJECT} mean in a case.
type Places struct{ Home, Project string }

// Outcome is what a hook printed and how it exited.
type Outcome struct {
	Stdout, Stderr []byte
	Exit           int
	Signal         string // what ended it, "" when it ended by itself
}

// Runner hands one event to a hook.
type Runner func(ctx context.Context, event []byte) (Outcome, error)

// Result is one case's.
type Result struct {
	Case manifests.Case
	Got  string // allow, ask, block, or what went wrong
	Pass bool
	// Detail says what did not fit, "" when the case passed.
	Detail string
	Reason string // the feedback, when it blocked
	Took   time.Duration
}

// Report counts the results of a run.
type Report struct {
	Results []Result
	Passed  int
	Failed  int
}

// Failures are the results that did not pass.
func (r Report) Failures() (out []Result) {
	for _, res := range r.Results {
		if !res.Pass {
			out = append(out, res)
		}
	}
	return out
}

// Run runs every case, as many at once as there are processors. The order of the
// results is that of the cases.
func Run(ctx context.Context, cases []manifests.Case, places Places, run Runner) Report {
	rep := Report{Results: make([]Result, len(cases))}
	var wg sync.WaitGroup
	next := make(chan int)
	for range max(2, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				rep.Results[i] = one(ctx, cases[i], i, places, run)
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, r := range rep.Results {
		if r.Pass {
			rep.Passed++
		} else {
			rep.Failed++
		}
	}
	return rep
}

func one(ctx context.Context, c manifests.Case, n int, places Places, run Runner) Result {
	res := Result{Case: c}
	event, err := Event(c, n, places)
	if err != nil {
		res.Got, res.Detail = "no event", err.Error()
		return res
	}
	start := time.Now()
	out, err := run(ctx, event)
	res.Took = time.Since(start)
	if err != nil {
		res.Got, res.Detail = "not run", err.Error()
		return res
	}
	res.Got, res.Reason = read(out)
	res.Detail = misfit(c, res.Got, res.Reason, out)
	res.Pass = res.Detail == ""
	return res
}

// misfit says in which way an outcome is not what the case asks, "" when it is.
func misfit(c manifests.Case, got, reason string, out Outcome) string {
	named := strings.Contains(reason, "["+c.Gate+"]")
	switch {
	case c.Block && strings.Contains(reason, "["+c.Gate+"] "+gate.CouldNot):
		return "the hook failed: " + reason // it is held up, but nothing is proven
	case c.Block && got == "ask" && named:
		return "" // a hook puts the call to the user
	case c.Block && got != "block":
		return "want block, got " + got
	case c.Block && !named:
		return "blocked, but not by " + c.Gate + ": " + reason
	case c.Block:
		return ""
	case got == "allow" && (len(out.Stdout) > 0 || len(out.Stderr) > 0):
		return "want silence, got " + strings.TrimSpace(string(out.Stdout)+string(out.Stderr))
	case got == "allow":
		return ""
	case c.Gate != "all" && got == "block" && !named:
		return "" // another gate's business
	}
	return "want allow, got " + got + ": " + reason
}

// read turns the bytes of an answer into a decision and its reason.
func read(o Outcome) (decision, reason string) {
	if o.Signal != "" {
		return o.Signal, string(o.Stderr)
	}
	if o.Exit == 2 {
		return "block", string(o.Stderr)
	}
	if o.Exit != 0 {
		return fmt.Sprintf("exit %d", o.Exit), string(o.Stderr)
	}
	if len(bytes.TrimSpace(o.Stdout)) == 0 {
		return "allow", ""
	}
	var a struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
		Output   struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(o.Stdout, &a); err != nil {
		return "garbage", string(o.Stdout)
	}
	switch {
	case a.Output.Decision == "deny":
		return "block", a.Output.Reason
	case a.Output.Decision != "":
		return a.Output.Decision, a.Output.Reason
	case a.Decision == "block" || a.Decision == "deny":
		return "block", a.Reason
	}
	return "allow", ""
}

// Event words a case as the event that Claude Code 2.1 would send, marked as a
// contract case, in a session of its own.
func Event(c manifests.Case, n int, places Places) ([]byte, error) {
	fields := map[string]any{
		"session_id": fmt.Sprintf("hookctl-contract-%d", n), "cwd": places.Project,
		"hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": string(c.Body),
	}
	if c.IsEvent {
		// The places go in as JSON strings do, so that a Windows path stays valid.
		body := c.Body
		for name, dir := range map[string]string{"${HOME}": places.Home, "${PROJECT}": places.Project} {
			quoted, err := json.Marshal(dir)
			if err != nil {
				return nil, err
			}
			body = bytes.ReplaceAll(body, []byte(name), quoted[1:len(quoted)-1])
		}
		fields = map[string]any{}
		if err := json.Unmarshal(body, &fields); err != nil {
			return nil, fmt.Errorf("case %s: %w", c.Name, err)
		}
	}
	for k, v := range c.Note.Event {
		if v == nil {
			delete(fields, k)
		} else {
			fields[k] = v
		}
	}
	fields["hookctl_contract"] = true
	recorded, err := c.Recorded()
	if err != nil {
		return nil, err
	}
	if recorded != nil {
		fields["hookctl_recorded"] = recorded
	}
	return json.Marshal(fields)
}
