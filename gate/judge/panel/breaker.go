package panel

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agenthooks/hookctl/gate/judge/api"
)

const (
	// maxFailures in a row let a judge rest.
	maxFailures = 3
	// firstRest is the first rest; each further failure doubles it, up to maxRest.
	firstRest = 30 * time.Second
	maxRest   = 15 * time.Minute
)

// state is what is remembered of a judge. Two that write it at once lose one
// failure, which is no harm.
type state struct {
	Failures int       `json:"failures,omitempty"` // in a row
	Until    time.Time `json:"until,omitzero"`     // it rests until then
	// Shape is what its server does not take.
	Shape api.Shape `json:"shape,omitzero"`
}

// RestError: a judge is not asked because it has failed again and again.
type RestError struct {
	Failures int
	For      time.Duration // from now
}

func (e *RestError) Error() string {
	if e.Failures < maxFailures {
		return fmt.Sprintf("it asked to be left alone; it is asked again in %s", e.For)
	}
	return fmt.Sprintf("it has failed %d times in a row; it is asked again in %s", e.Failures, e.For)
}

func (p Panel) stateFile(j Judge) string {
	return filepath.Join(p.Dir, "state", digest(j.Name, j.Model, j.Where)[:32])
}

func (p Panel) state(j Judge) (s state) {
	if p.Dir != "" && !readJSON(p.stateFile(j), &s) {
		return state{}
	}
	return s
}

// rests is a [RestError] while the judge rests. A rest that is longer than any that we
// give comes from a clock that was set back.
func (s state) rests(now time.Time) error {
	left := s.Until.Sub(now)
	if left <= 0 || left > maxRest {
		return nil
	}
	return &RestError{s.Failures, left.Round(time.Second)}
}

func (p Panel) failed(j Judge, err error) {
	if p.Dir == "" {
		return
	}
	s := p.state(j)
	s.Failures = min(s.Failures+1, 100)
	rest := min(after(err), maxRest)
	if over := s.Failures - maxFailures; over >= 0 {
		rest = max(rest, min(firstRest<<min(over, 10), maxRest))
	}
	s.Until = time.Time{}
	if rest > 0 {
		s.Until = p.now().Add(rest)
	}
	writeJSON(p.stateFile(j), s)
}

func (p Panel) recovered(j Judge) {
	if s := p.state(j); p.Dir != "" && s.Failures > 0 {
		s.Failures, s.Until = 0, time.Time{}
		writeJSON(p.stateFile(j), s)
	}
}

// Shape is what the server of j is known not to take.
func (p Panel) Shape(j Judge) api.Shape { return p.state(j).Shape }

// Learn remembers it.
func (p Panel) Learn(j Judge, shape api.Shape) {
	if p.Dir == "" {
		return
	}
	s := p.state(j)
	s.Shape = shape
	writeJSON(p.stateFile(j), s)
}

// Forget drops what is remembered of a judge's failures.
func (p Panel) Forget(j Judge) { os.Remove(p.stateFile(j)) }
