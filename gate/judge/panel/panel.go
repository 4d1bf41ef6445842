// Package panel decides which judges are asked, in which order, and whether one
// has to be asked at all: it remembers answers, leaves a judge alone for a while
// that has failed again and again, and takes the next one instead. What it
// remembers lies below hookctl's cache folder, bounded in number and age. It waits
// for no lock, and where nothing can be written it goes on without.
package panel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge"
)

// Judge is one judge of a panel.
type Judge struct {
	// Name is the backend, as in config.yaml, Model its model, and Where the host or
	// the program that is asked.
	Name, Model, Where string
	// Timeout bounds one call; 0 = only the context does.
	Timeout time.Duration
	// Local marks a judge that costs nothing to ask and cannot be away: it is neither
	// remembered nor left alone.
	Local bool
	// Fresh marks one whose answers are not kept: what is behind it can change
	// without another name.
	Fresh bool
	Ask   gate.Asker
}

// Panel asks its judges in order until one has answered.
type Panel struct {
	Judges []Judge
	// Dir is where answers and failures are remembered; "" remembers nothing.
	Dir string
	// Version is hookctl's: an answer of another one is not taken.
	Version string
	Now     func() time.Time
	// Heard, when set, is told who answered, after the judges that did not.
	Heard func(Heard)
}

// Heard is what became of a question.
type Heard struct {
	Judge  string // the name of the judge that answered, "" when none did
	Model  string
	Cached bool     // it had answered before
	Passed []string // what the judges before it failed with
	Local  bool
}

// String words h in one line, for the journal.
func (h Heard) String() string {
	s := strings.TrimSpace(h.Judge + " " + h.Model)
	if h.Cached {
		s += ", remembered"
	}
	if s != "" && len(h.Passed) > 0 {
		s += "; "
	}
	return s + strings.Join(h.Passed, "; ")
}

// Ask is a [gate.Asker]. A judge that has left out a gate leaves it to the next.
// The error is that of all judges, when none has answered anything.
func (p Panel) Ask(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
	var h Heard
	var errs []error
	all := map[string]gate.Answer{}
	for _, j := range p.Judges {
		if ctx.Err() != nil && !j.Local && len(errs) > 0 {
			continue // no time is left for it
		}
		answers, cached, err := p.ask(ctx, j, q)
		if err != nil {
			err = fmt.Errorf("%s: %w", j.Name, err)
			errs, h.Passed = append(errs, err), append(h.Passed, err.Error())
			continue
		}
		if h.Judge == "" {
			h.Judge, h.Model, h.Cached, h.Local = j.Name, j.Model, cached, j.Local
		}
		if q.Gates = take(all, answers, q.Gates); len(q.Gates) == 0 {
			break
		}
	}
	if p.Heard != nil {
		p.Heard(h)
	}
	switch {
	case h.Judge != "":
		return all, nil
	case len(errs) == 1:
		return nil, errs[0]
	}
	return nil, oneLine(errs)
}

// take moves the answers that can be used and returns the gates that have none.
func take(all, answers map[string]gate.Answer, asked []gate.Asked) (open []gate.Asked) {
	for _, a := range asked {
		answer, ok := answers[a.Rule.ID]
		if _, usable := a.Rule.Judge.Violates(answer); !ok || !usable {
			open = append(open, a)
			continue
		}
		all[a.Rule.ID] = answer
	}
	return open
}

// oneLine joins errors as one sentence; errors.Join takes a line for each.
func oneLine(errs []error) error {
	var texts []string
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return errors.New(strings.Join(texts, "; "))
}

// ask asks one judge for the gates that it has not answered before.
func (p Panel) ask(ctx context.Context, j Judge, q gate.Question) (answers map[string]gate.Answer, cached bool, err error) {
	if j.Local {
		answers, err = j.Ask(ctx, q)
		return answers, false, err
	}
	known, open := p.remembered(j, q)
	if len(open.Gates) == 0 {
		return known, true, nil
	}
	state := p.state(j)
	if err := state.rests(p.now()); err != nil {
		return nil, false, err
	}
	own := ctx
	if j.Timeout > 0 {
		var cancel context.CancelFunc
		own, cancel = context.WithTimeout(ctx, j.Timeout)
		defer cancel()
	}
	answers, err = j.Ask(own, open)
	switch {
	case err == nil:
		p.recovered(j)
		p.remember(j, open, answers)
	case errors.Is(ctx.Err(), context.Canceled): // nobody waits any more: no fault of the judge
	default:
		p.failed(j, err)
	}
	if err != nil {
		return nil, false, err
	}
	for id, a := range known {
		answers[id] = a
	}
	return answers, false, nil
}

func (p Panel) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// after is what a judge asked for when it refused, 0 when it asked for nothing.
func after(err error) time.Duration {
	if f, ok := errors.AsType[*judge.Failure](err); ok {
		return f.After
	}
	return 0
}
