// Package eval measures gates on labelled messages: what each of them said, and
// how often that was right. It is pure: it reads what it is handed, and the judge
// is handed to it too.
package eval

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/decide"
)

// What a gate said of a message.
const (
	Allow  = "allow"
	Block  = "block"
	Failed = "failed" // the judge gave no verdict, so that the message passes
)

// Subject is what is measured: rules, and the judge that decides by them.
type Subject struct {
	judge  string
	engine decide.Engine
	gates  []string
}

// NewSubject prepares rules for messages without a turn around them. Every gate
// that is not off counts as if it were enforced: a gate is measured before it
// blocks anybody. Tool gates and executables say nothing to a message. ask nil is
// the judge "none": a hit alone never blocks.
func NewSubject(rules *gate.Rules, judge string, ask gate.Asker) *Subject {
	own := *rules
	own.Gates, own.Executables = slices.Clone(rules.Gates), gate.Executables{}
	s := &Subject{judge: judge}
	for i := range own.Gates {
		g := &own.Gates[i]
		if g.Mode == gate.Off || len(g.Signals) == 0 || !slices.Contains(g.Events, gate.Stop) {
			continue
		}
		g.Mode = gate.Enforce
		s.gates = append(s.gates, g.ID)
	}
	s.engine = decide.Engine{Rules: &own, Ask: ask}
	return s
}

// Engine decides as the subject does.
func (s *Subject) Engine() *decide.Engine { return &s.engine }

// Verdict is what one gate said of one message. Sentence is the one that it is
// about, "" where no signal hit.
type Verdict struct{ Gate, Verdict, Sentence string }

// decide gives a verdict for every gate, in the order of the rules, and whether
// the judge was to be asked at all.
func (s *Subject) decide(ctx context.Context, text string) (out []Verdict, asked bool) {
	v, tr := s.engine.Decide(ctx, gate.Event{Kind: gate.Stop, Text: text, HasText: true, Context: text})
	for _, gt := range tr.Gates {
		if !slices.Contains(s.gates, gt.Gate) {
			continue
		}
		d := Verdict{Gate: gt.Gate, Verdict: Allow}
		if len(gt.Hits) > 0 {
			asked, d.Sentence = true, gt.Hits[0].Sentence
		}
		switch gt.Outcome {
		case gate.OutcomeFailed:
			d.Verdict = Failed
		case gate.OutcomeViolation:
			d.Verdict = Block
			for _, f := range v.Findings {
				if f.Gate == gt.Gate {
					d.Sentence = f.Sentence
				}
			}
		}
		out = append(out, d)
	}
	return out, asked
}

// Broken is a line that could not be read.
type Broken struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// Run reads messages from r, one a line, and lets each subject decide each of
// them, on as many processors as there are workers. The reports stand in the
// order of the subjects. The error is that of reading r, or of ctx.
func Run(ctx context.Context, r io.Reader, subjects []*Subject, workers int) ([]*Report, []Broken, error) {
	jobs := make(chan *job)
	var all []*job
	var broken []Broken
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			for j := range jobs {
				j.run(ctx, subjects)
			}
		})
	}
	err := read(r, func(line int, m Message, err error) bool {
		if err != nil {
			broken = append(broken, Broken{Line: line, Why: err.Error()})
			return ctx.Err() == nil
		}
		j := &job{message: m}
		all = append(all, j)
		jobs <- j
		return ctx.Err() == nil
	})
	close(jobs)
	wg.Wait()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	reports := make([]*Report, len(subjects))
	for i, s := range subjects {
		reports[i] = newReport(s)
		for _, j := range all {
			reports[i].add(j.message, j.said[i], j.asked[i])
		}
	}
	return reports, broken, nil
}

// job is one message on its way.
type job struct {
	message Message
	said    [][]Verdict // by subject
	asked   []bool
}

func (j *job) run(ctx context.Context, subjects []*Subject) {
	for _, s := range subjects {
		said, asked := s.decide(ctx, j.message.Text)
		j.said, j.asked = append(j.said, said), append(j.asked, asked)
	}
	j.message.Text = "" // what has been decided need not be kept
}
