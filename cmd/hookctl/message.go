package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/gate/transcript"
)

// wanted says which message is meant.
type wanted struct {
	id, turn, contains string
	journal            string // id of a decision
	last               bool
}

// message is one that was found.
type message struct {
	text   string
	source string // where it is from, in words that name no person and no machine
	// redacted tells that only the log's redacted copy is left.
	redacted bool
	event    bool          // it is a tool call, as an event
	line     *journal.Line // the decision that led here, nil when none did
}

// message finds a message: by the decision log, else in a transcript.
func (e *env) message(file string, w wanted) (message, error) {
	if w.journal != "" || file == "" && w.last {
		l, err := e.journalLine(w.journal)
		if err != nil {
			return message{}, err
		}
		return e.judged(file, l)
	}
	if file == "" {
		return message{}, &usageError{errors.New("name a transcript, or --journal with the id of a decision")}
	}
	var last *transcript.Message
	m, ok, err := transcript.Find(file, e.user, func(m transcript.Message) bool {
		if (w.last || w.turn != "" && m.Turn == w.turn) && (last == nil || last.Side || !m.Side) {
			last = &m // a subagent's only where nobody else speaks
		}
		return w.id != "" && m.ID == w.id || w.contains != "" && strings.Contains(m.Text, w.contains)
	})
	if err != nil {
		return message{}, err
	}
	if !ok && last != nil {
		m, ok = *last, true
	}
	if !ok {
		return message{}, fmt.Errorf("%s holds no such message", file)
	}
	return message{text: m.Text, source: "message " + m.ID + " of a transcript"}, nil
}

// judged finds the very text that a decision was about: its hash stands in the
// log. What can no longer be found is taken from the log, redacted.
func (e *env) judged(file string, l journal.Line) (message, error) {
	m := message{source: "decision " + l.ID, line: &l, event: gate.Kind(l.Event) == gate.PreTool}
	if l.SHA256 == "" {
		return m, fmt.Errorf("decision %s (%s on %s) is about no message", l.ID, l.Decision, orNone(l.Event))
	}
	if hashOf(l.Text) == l.SHA256 {
		m.text = l.Text // there was nothing to redact
		return m, nil
	}
	if m.event && l.Text != "" { // no transcript has it in this form
		m.text, m.redacted = l.Text, true
		m.source += " (redacted)"
		return m, nil
	}
	if file == "" {
		file = l.Transcript
	}
	text, err := e.bySum(file, l.SHA256)
	switch {
	case err == nil:
		m.text = text
		return m, nil
	case l.Text != "":
		m.text, m.redacted = l.Text, true
		m.source += " (redacted: " + what(err) + ")"
		return m, nil
	}
	return m, fmt.Errorf("decision %s: %w", l.ID, err)
}

var (
	errNoTranscript = errors.New("the agent named no transcript; name it yourself")
	errNotInside    = errors.New("the transcript no longer holds the message that was judged")
)

// what words why a transcript did not help, without its path.
func what(err error) string {
	switch {
	case errors.Is(err, errNotInside):
		return errNotInside.Error()
	case errors.Is(err, errNoTranscript):
		return "the agent named no transcript"
	case errors.Is(err, fs.ErrNotExist):
		return "the transcript is gone"
	}
	return "the transcript could not be read"
}

// bySum finds a text of a transcript by its SHA-256: a message, one of its parts,
// or either without the white space around it, whichever the agent handed over.
func (e *env) bySum(file, sum string) (text string, err error) {
	if file == "" {
		return "", errNoTranscript
	}
	_, ok, err := transcript.Find(file, e.user, func(m transcript.Message) bool {
		for _, s := range append([]string{m.Text}, m.Parts...) {
			for _, s := range []string{s, strings.TrimSpace(s)} {
				if hashOf(s) == sum {
					text = s
					return true
				}
			}
		}
		return false
	})
	if err == nil && !ok {
		err = fmt.Errorf("%s: %w", e.short(file), errNotInside)
	}
	return text, err
}

// journalLine is the decision of an id, or of its first characters; with "" the
// newest stop that was blocked.
func (e *env) journalLine(id string) (journal.Line, error) {
	var found []journal.Line
	err := journal.Read(e.home.State(e.getenv).Journal(), func(l journal.Line) bool {
		switch {
		case id == "" && l.Decision == gate.Block.String() && gate.Kind(l.Event).IsStop(), id != "" && l.ID == id:
			found = []journal.Line{l}
			return false
		case id != "" && strings.HasPrefix(l.ID, id):
			found = append(found, l)
		}
		return true
	})
	switch {
	case err != nil:
		return journal.Line{}, err
	case len(found) == 0 && id == "":
		return journal.Line{}, errors.New("the decision log holds no stop that was blocked; name a transcript")
	case len(found) == 0:
		return journal.Line{}, fmt.Errorf("the decision log holds no line %s", id)
	case len(found) > 1:
		return journal.Line{}, &usageError{fmt.Errorf("%s is the beginning of %d lines of the decision log, such as %s and %s", id, len(found), found[0].ID, found[1].ID)}
	}
	return found[0], nil
}

// blamed are the gates that a decision blocks by.
func blamed(l journal.Line) (ids []string) {
	for _, g := range l.Gates {
		if g.Outcome == gate.OutcomeViolation {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

func hashOf(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
