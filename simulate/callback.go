package simulate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/child"
	"github.com/agenthooks/hookctl/gate/host"
)

// Title is how the ledger calls a callback.
func (c Callback) Title() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Answer != "":
		return "scripted " + c.Answer
	case c.Hookctl != "":
		return "hookctl " + c.Hookctl
	}
	words := strings.Fields(c.Command)
	for i, w := range words {
		words[i] = path.Base(filepath.ToSlash(strings.Trim(w, `"'`)))
	}
	return strings.Join(append(words, c.Args...), " ")
}

// ask asks one callback about a call and reads its answer as the agent does.
func (p *play) ask(ctx context.Context, r Registration, event string, ph phase, c *call) answer {
	switch cb := r.Callback; {
	case cb.Hookctl != "":
		return p.inProcess(ctx, cb, event, ph, c)
	case cb.Command != "":
		o := p.command(ctx, r, event, ph, c)
		a := p.agent.read(event, ph, o)
		if a.decision == Failed && cb.failClosed && ph == before {
			return answer{Deny, a.reason, a.how + "; it is set to deny then"}
		}
		if cb.late {
			return answer{decision: None, how: "it runs in the background: its answer decides nothing"}
		}
		return a
	default:
		return p.agent.read(event, ph, scripted(cb, p.agent.name, event, ph, c))
	}
}

// scripted words an answer without a process, in the agent's dialect.
func scripted(cb Callback, agent, event string, ph phase, c *call) outcome {
	if cb.Answer == "fail" {
		return outcome{exit: 1}
	}
	if cb.Answer == "none" || len(cb.Files) > 0 && !slices.ContainsFunc(cb.Files, c.names) {
		return outcome{}
	}
	ev := gate.Event{Host: agent, Name: event, Kind: gate.PreTool}
	if ph != before {
		ev.Kind = gate.PostTool
	}
	v := gate.Verdict{Decision: gate.Block, Reason: cb.Reason}
	if cb.Answer == "ask" && ph == before {
		v.Decision = gate.Ask
	}
	a := host.Encode(ev, v)
	return outcome{stdout: a.Stdout, stderr: a.Stderr, exit: a.Exit}
}

// names reports whether a request speaks of a file.
func (c *call) names(file string) bool {
	if ok, err := path.Match(file, c.File); c.File != "" {
		return err == nil && ok
	}
	return strings.Contains(c.Command+c.Patch, strings.TrimPrefix(file, "~/"))
}

func (p *play) inProcess(ctx context.Context, cb Callback, event string, ph phase, c *call) answer {
	run, err := p.hookctl(cb.Hookctl)
	if err != nil {
		return failed(err.Error())
	}
	out, err := run(ctx, p.agent.stdin(event, ph, c, false))
	if err != nil {
		return failed(err.Error())
	}
	return p.agent.read(event, ph, outcome{stdout: out.Stdout, stderr: out.Stderr, exit: out.Exit})
}

// hookLimits bound what is kept of a hook's output, in bytes.
var hookLimits = child.Limits{Stdout: 1 << 20, Stderr: 64 << 10}

// command runs a hook's program as the agent does: its shell or the program itself,
// the event on stdin, the agent's time limit, everything that it started ended with
// it.
func (p *play) command(ctx context.Context, r Registration, event string, ph phase, c *call) outcome {
	cb := r.Callback
	argv := append(slices.Clone(p.agent.shell), cb.Command)
	argv[0] = shell(argv[0])
	if cb.Args != nil {
		argv = []string{p.fill(cb.Command)}
		for _, a := range cb.Args {
			argv = append(argv, p.fill(a))
		}
	}
	timeout := p.agent.timeout
	if r.Timeout > 0 {
		timeout = time.Duration(r.Timeout * float64(time.Second))
	}
	wait := min(timeout, p.opt.Limit)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = p.box.project, p.env
	out, err := child.Run(ctx, cmd, p.agent.stdin(event, ph, c, cb.own), hookLimits)
	o := outcome{stdout: out.Stdout, stderr: out.Stderr}
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ended && exit.Exited():
		o.exit = exit.ExitCode()
	case ended:
		o.lost = "it was ended by a " + exit.String()
	case errors.Is(err, context.DeadlineExceeded) && wait < timeout:
		o.lost, o.late = fmt.Sprintf("no answer within %s, where this simulation stops waiting; the agent waits %s", wait, timeout), true
	case errors.Is(err, context.DeadlineExceeded):
		o.lost, o.late = fmt.Sprintf("no answer within %s", wait), true
	case err != nil:
		o.lost = strings.ReplaceAll(err.Error(), p.box.dir, "")
	}
	return o
}

// fill puts the project's folder into a word that no shell reads.
func (p *play) fill(word string) string {
	for _, v := range projectVars {
		word = strings.ReplaceAll(word, "${"+v+"}", p.box.project)
	}
	return word
}
