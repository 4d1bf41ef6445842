// Package exam puts contract cases to a judge, to see whether it answers, how fast,
// and how often it agrees with what people have decided. It asks only what the hook
// would ask: a case that layer 1 settles is no question. It prints nothing.
package exam

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
)

// Case is a message with what must become of it by one gate.
type Case struct {
	Name, Gate, Text string
	Block            bool
}

// Item is one question of an exam.
type Item struct {
	Case Case
	q    gate.Question
}

// Items are at most each questions for every gate that can ask a judge, block and
// allow in turn, in the order of the cases; 0 means all.
func Items(rules *gate.Rules, cases []Case, each int) (items []Item) {
	var q gate.Question
	e := decide.Engine{Rules: rules, Ask: func(_ context.Context, asked gate.Question) (map[string]gate.Answer, error) {
		q = asked
		return nil, errors.New("asked")
	}}
	for _, id := range rules.IDs() {
		taken := map[bool]int{}
		for _, c := range cases {
			if c.Gate != id || each > 0 && taken[c.Block] >= half(each, c.Block) {
				continue
			}
			q = gate.Question{}
			e.Decide(context.Background(), gate.Event{Kind: gate.Stop, Text: c.Text, HasText: true, Context: c.Text})
			i := slices.IndexFunc(q.Gates, func(a gate.Asked) bool { return a.Rule.ID == id })
			if i < 0 {
				continue
			}
			q.Gates = q.Gates[i : i+1]
			items, taken[c.Block] = append(items, Item{c, q}), taken[c.Block]+1
		}
	}
	return items
}

// half is how many of n are to block, or to allow.
func half(n int, block bool) int {
	if block {
		return (n + 1) / 2
	}
	return n / 2
}

// Report is how a judge did.
type Report struct {
	Asked, Answered int
	// Median and Slowest are of the answers.
	Median, Slowest time.Duration
	Gates           []Count
	// Errors are the different failures, the first one first.
	Errors []error
	// Stopped tells that the rest was not asked: it had answered nothing.
	Stopped bool
}

// Count is what became of one gate's questions.
type Count struct {
	Gate      string
	N, Agreed int      // of those that were answered
	Wrong     []string // the cases in which it decides otherwise
}

// N and Agreed count over all gates.
func (r Report) Agreed() (agreed, n int) {
	for _, c := range r.Gates {
		agreed, n = agreed+c.Agreed, n+c.N
	}
	return agreed, n
}

// patience is how many failures in the beginning end an exam: somebody waits.
const patience = 2

// Run asks one question after the other, as a hook does. Each is told before it
// is asked.
func Run(ctx context.Context, ask gate.Asker, items []Item, told func(i int)) (r Report) {
	var times []time.Duration
	for i, item := range items {
		if told != nil {
			told(i)
		}
		start := time.Now()
		answers, err := ask(ctx, item.q)
		took := time.Since(start)
		r.Asked++
		violation, ok := item.q.Gates[0].Rule.Judge.Violates(answers[item.Case.Gate])
		if err == nil && !ok {
			err = errors.New("no verdict for " + item.Case.Gate)
		}
		if err != nil {
			r.fail(err)
			if r.Answered == 0 && r.Asked == patience || ctx.Err() != nil {
				r.Stopped = true
				break
			}
			continue
		}
		r.Answered++
		times = append(times, took)
		r.count(item.Case, violation == item.Case.Block)
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		r.Median, r.Slowest = times[n/2], times[n-1]
	}
	return r
}

func (r *Report) fail(err error) {
	if !slices.ContainsFunc(r.Errors, func(e error) bool { return e.Error() == err.Error() }) {
		r.Errors = append(r.Errors, err)
	}
}

func (r *Report) count(c Case, agreed bool) {
	i := slices.IndexFunc(r.Gates, func(g Count) bool { return g.Gate == c.Gate })
	if i < 0 {
		i, r.Gates = len(r.Gates), append(r.Gates, Count{Gate: c.Gate})
	}
	g := &r.Gates[i]
	g.N++
	if agreed {
		g.Agreed++
	} else {
		g.Wrong = append(g.Wrong, c.Name)
	}
}
