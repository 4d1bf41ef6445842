// Package simulate plays tool requests as an agent would dispatch them: event, then
// matcher, then callback, then base policy, in a throw-away sandbox folder in which
// the tools really act. It shows what a wiring prevents, what it only reports, and
// what it never sees. It promises to tell attempts from completed calls and "not
// matched" from "matched, no decision"; it decides nothing itself.
//
// Limits: hooks are asked one after the other where an agent asks them at once, a
// hook's updatedInput is not applied, and commands have the rights of the user who
// plays them. The sandbox keeps files apart; it locks nobody in.
package simulate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/contract"
)

// Options are what a play needs of the machine.
type Options struct {
	// DryRun lists what would match; no hook and no tool runs.
	DryRun bool
	// Environ is this process's environment, of which little is passed on; Pass names
	// what is passed on besides.
	Environ, Pass []string
	// Set are variables that hooks and tools get, as NAME=value.
	Set []string
	// Limit bounds the wait for one hook, whatever the agent would do.
	Limit time.Duration
	// Hookctl makes the runner of a callback that is hookctl in process.
	Hookctl func(bundle string, places contract.Places) (contract.Runner, error)
	// Notes stand in the report before those of the play.
	Notes []string
	// Bring are files of this machine that lie in the sandbox from the start.
	Bring []File
	Now   func() time.Time
}

// File is a file for the sandbox.
type File struct {
	Name string // as in a scenario
	Text string
	Exec bool
}

// play is one scenario on its way.
type play struct {
	scenario Scenario
	opt      Options
	agent    agent
	box      *sandbox
	env      []string
	start    map[string]state
	runners  map[string]contract.Runner
}

// Play plays a scenario and returns what happened. The error is of the sandbox; what
// a hook or a tool does wrong stands in the report.
func Play(ctx context.Context, s Scenario, opt Options) (rep Report, err error) {
	box, err := newSandbox()
	if err != nil {
		return rep, err
	}
	defer func() {
		if gone := box.close(); err == nil {
			err = gone
		}
	}()
	p := &play{scenario: s, opt: opt, agent: agentOf(s.Agent), box: box, runners: map[string]contract.Runner{}}
	p.env = environ(opt.Environ, opt.Pass, opt.Set, p.agent.name, box)
	if err := p.prepare(); err != nil {
		return rep, err
	}
	rep = Report{Schema: 1, Title: s.Title, Lesson: s.Lesson, Agent: p.agent.name, Policy: reasonOf(s.Policy, "allow"), Afresh: s.Afresh, DryRun: opt.DryRun, Notes: append(slices.Clone(opt.Notes), p.notes()...)}
	for i, r := range s.Requests {
		if err := ctx.Err(); err != nil {
			return rep, err
		}
		if s.Afresh && i > 0 {
			if err := p.reset(); err != nil {
				return rep, err
			}
		}
		rep.Steps = append(rep.Steps, p.request(ctx, i+1, r))
	}
	rep.sum(box.look(), p.start, s.Files)
	rep.Failed = []string{}
	if !opt.DryRun {
		rep.judge(s.Expect, box.look())
	}
	return rep, nil
}

func (p *play) prepare() error {
	for _, f := range p.opt.Bring {
		if err := p.box.write(f.Name, &f.Text); err != nil {
			return err
		}
		if f.Exec {
			if err := p.box.executable(f.Name); err != nil {
				return err
			}
		}
	}
	if err := p.box.fill(p.scenario.Files); err != nil {
		return err
	}
	p.start = p.box.look()
	return nil
}

// reset gives the next request the files of the start.
func (p *play) reset() error {
	if err := p.box.clear(p.start); err != nil {
		return err
	}
	return p.prepare()
}

// notes are what keeps a registration from ever being asked.
func (p *play) notes() (list []string) {
	events := p.agent.toolEvents()
	for _, r := range p.scenario.Registrations {
		if !slices.Contains(events, p.agent.event(r.Event)) {
			list = append(list, fmt.Sprintf("%s is registered on %s, which is no tool event of %s: it is never asked here", r.Callback.Title(), r.Event, p.agent.name))
		}
	}
	return list
}

func (p *play) hookctl(bundle string) (contract.Runner, error) {
	if run := p.runners[bundle]; run != nil {
		return run, nil
	}
	if p.opt.Hookctl == nil {
		return nil, fmt.Errorf("hookctl %s cannot be asked here", bundle)
	}
	run, err := p.opt.Hookctl(bundle, contract.Places{Home: p.box.home, Project: p.box.project})
	if err == nil {
		p.runners[bundle] = run
	}
	return run, err
}

// request takes one tool request the whole way.
func (p *play) request(ctx context.Context, n int, r Request) Step {
	c := &call{Request: r, n: n, box: p.box, at: p.opt.Now()}
	s := Step{N: n, Tool: r.Tool, Label: reasonOf(r.Label, r.Tool), Target: r.target(), column: r.File, Hooks: []Hook{}, Effects: []Effect{}}
	s.AgentTool, _ = p.agent.tool(p.agent.events(before, r.Tool)[0], c)
	if p.opt.DryRun {
		s.Hooks = append(p.dispatch(ctx, before, c), p.dispatch(ctx, after, c)...)
		return s
	}
	if _, err := c.edited(); r.Tool == toolEdit && err != nil && p.agent.fits {
		s.ToolError = strings.ReplaceAll(err.Error(), p.box.dir, "")
		s.Outcome = ToolFailed
		return s
	}
	s.Hooks = append(s.Hooks, p.dispatch(ctx, before, c)...)
	if !p.decide(&s) {
		return s
	}
	was := p.box.look()
	c.ran = c.run(ctx, p.env)
	is := p.box.look()
	s.Ran, s.ToolError, s.Effects = true, c.ran.failed, append(s.Effects, changes(was, is)...)
	ph := after
	if c.ran.failed != "" {
		ph = afterFailure
	}
	s.Hooks = append(s.Hooks, p.dispatch(ctx, ph, c)...)
	s.Later = changes(is, p.box.look())
	s.Outcome = s.seen()
	return s
}

// target is what a request is about.
func (r Request) target() string {
	if r.File != "" && r.Tool != toolBash {
		return r.File
	}
	return reasonOf(r.Command, r.File, "patch")
}

// dispatch asks every hook that is registered on an event of this phase and whose
// matcher fits, and notes those whose matcher does not.
func (p *play) dispatch(ctx context.Context, ph phase, c *call) (list []Hook) {
	for _, event := range p.agent.events(ph, c.Tool) {
		var asked []Callback
		for _, r := range p.scenario.Registrations {
			if p.agent.event(r.Event) != event {
				continue
			}
			h := Hook{Event: event, Matcher: r.Matcher, Callback: r.Callback.Title(), Before: ph == before, Skipped: r.Callback.skip}
			h.Matched, h.How = p.agent.matches(event, r, c)
			if h.Matched && p.agent.once && ran(asked, r.Callback) {
				h.Matched, h.How = false, "the same command is asked once"
			}
			if h.Matched {
				asked = append(asked, r.Callback)
			}
			if h.Matched && !p.opt.DryRun && h.Skipped == "" {
				a := p.ask(ctx, r, event, ph, c)
				h.Asked, h.Decision, h.Reason, h.How = true, a.decision, strings.ReplaceAll(a.reason, p.box.dir, ""), a.how
			}
			list = append(list, h)
		}
	}
	return list
}

// ran reports whether a command was asked on this event already, by another entry.
func ran(asked []Callback, cb Callback) bool {
	return cb.Command != "" && slices.ContainsFunc(asked, func(o Callback) bool {
		return o.Command == cb.Command && slices.Equal(o.Args, cb.Args)
	})
}

// decide joins what hooks, base policy and a person say, and reports whether the tool
// runs. A no of any hook wins, then a question, then a yes; without a word of theirs
// the base policy decides. A hook's yes spares the question, never a no.
func (p *play) decide(s *Step) (runs bool) {
	said := None
	for _, d := range []string{Deny, Ask, Allow} {
		if slices.ContainsFunc(s.Hooks, func(h Hook) bool { return h.Decision == d }) {
			said = d
			break
		}
	}
	policy := reasonOf(p.scenario.Policy, "allow")
	s.Decision, s.By = said, "hook"
	switch {
	case said == Deny:
		s.Outcome = Prevented
		return false
	case policy == "deny":
		s.Decision, s.By, s.Outcome = Deny, "policy", Refused
		return false
	case said == None:
		s.Decision, s.By = policy, "policy"
	}
	if s.Decision == Ask && p.scenario.Person != "agrees" {
		s.Outcome = Asked
		return false
	}
	return true
}
