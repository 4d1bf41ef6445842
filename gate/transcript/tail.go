package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
)

// depth says how far back a look goes.
type depth int

const (
	wholeTurn    depth = iota // to the last real user turn
	finalMessage              // to the beginning of the final message
)

// spoken is one message of the assistant, its lines newest first.
type spoken struct {
	id    string
	whole bool
	lines [][]string
}

// text joins a message's parts as paragraphs of their own.
func (s spoken) text() string {
	var parts []string
	for _, l := range slices.Backward(s.lines) {
		parts = append(parts, l...)
	}
	return strings.Join(parts, "\n\n")
}

// look is one pass over the end of a file.
type look struct {
	depth depth
	sides bool // a subagent's own file: side chains are the text

	said    []spoken // newest first; the first is the final message
	bytes   int      // of text in said
	turn    string
	torn    bool // the last line is half written
	behind  bool // something newer than the last words stands in the file
	main    bool // a line that is no side chain was seen
	hasSide bool
	asked   int64 // when the agent last started its hooks at a stop; 0 = not seen
	wait    *row  // a queued line, until the one before it is read
}

// tailOf reads the tail of the size bytes in r. In a file that turns out to hold
// side chains alone, they are what is read.
func tailOf(r io.ReaderAt, size int64, d depth, own bool) (Tail, error) {
	t, _, err := tailAt(r, size, d, own)
	return t, err
}

// tailAt also tells when the agent has last started its hooks at a stop, as far as
// that stands behind the final message.
func tailAt(r io.ReaderAt, size int64, d depth, own bool) (t Tail, asked int64, err error) {
	l := look{depth: d, sides: own}
	b := newBackward(r, size)
	l.run(b)
	if b.err == nil && !own && !l.main && l.hasSide && b.done {
		l = look{depth: d, sides: true}
		b = newBackward(r, size)
		l.run(b)
	}
	if b.err != nil && !errors.Is(b.err, io.ErrUnexpectedEOF) {
		return Tail{}, 0, b.err
	}
	t = l.tail()
	t.Size = size
	t.Settled = t.Settled && b.err == nil
	return t, l.asked, nil
}

func (l *look) run(b *backward) {
	for first := true; ; first = false {
		line, long, ok := b.next()
		if !ok {
			l.resolve(row{})
			return
		}
		if long {
			l.behind, l.torn = l.behind || !l.hasText(), l.torn || first
			continue
		}
		if l.depth == wholeTurn && len(l.said) > 0 && wordless(line) {
			continue
		}
		r, ok := parse(line)
		if !ok {
			// Whole JSON cannot be the beginning of a longer line, so only a last
			// line that is none is half written.
			l.torn = l.torn || (first && len(bytes.TrimSpace(line)) > 0 && !json.Valid(line))
			continue
		}
		if l.resolve(r) {
			return
		}
		if r.kind != other {
			l.main, l.hasSide = l.main || !r.side, l.hasSide || r.side
		}
		if r.side && !l.sides {
			continue
		}
		if l.take(r) {
			return
		}
		if l.depth == finalMessage && b.limit == maxScan && l.hasText() {
			b.limit = b.scan + maxParts
		}
	}
}

// resolve takes the queued line that was read last, now that the one before it is
// known, and reports whether the look may end.
func (l *look) resolve(before row) (end bool) {
	if l.wait == nil {
		return false
	}
	r := l.wait.resolve(before)
	l.wait = nil
	return l.take(r)
}

// take adds a line and reports whether the look may end.
func (l *look) take(r row) (end bool) {
	switch r.kind {
	case prompt:
		if l.depth == wholeTurn {
			l.turn = r.turn
		}
		return true
	case result:
		// A message may go on after the result of a call of its own.
		l.behind = l.behind || !l.hasText()
	case sentBack:
		// The assistant was called again after this; without a line of its own
		// since, its newer message has begun and is not there.
		if len(l.said) == 0 {
			l.said, l.behind = []spoken{{}}, true
		}
		return l.depth == finalMessage && l.hasText()
	case speech:
		return l.hear(r)
	case queued:
		l.wait = &r
	case asked:
		l.asked = max(l.asked, r.at)
	}
	return false
}

// hear adds a line of the assistant's.
func (l *look) hear(r row) (end bool) {
	if len(r.texts) == 0 {
		l.behind = l.behind || !l.hasText()
	}
	at := -1
	if r.id != "" {
		at = slices.IndexFunc(l.said, func(s spoken) bool { return s.id == r.id })
	}
	switch {
	case at >= 0 && l.said[at].whole:
		return false // an older state of the same message
	case at >= 0:
	case l.depth == finalMessage && len(l.said) > 0:
		return true
	case len(l.said) > 0 && (len(r.texts) == 0 || l.bytes >= gate.ContextBytes):
		return false
	default:
		l.said = append(l.said, spoken{id: r.id, whole: r.whole})
		at = len(l.said) - 1
	}
	if len(r.texts) > 0 {
		l.said[at].lines = append(l.said[at].lines, r.texts)
		for _, t := range r.texts {
			l.bytes += len(t)
		}
	}
	return l.depth == finalMessage && l.hasText() && (r.id == "" || r.whole)
}

// hasText reports whether the final message has words.
func (l *look) hasText() bool { return len(l.said) > 0 && len(l.said[0].lines) > 0 }

func (l *look) tail() Tail {
	if l.torn {
		// A newer line has begun: what was said before belongs to an earlier state.
		return Tail{Turn: l.turn}
	}
	t := Tail{Turn: l.turn, Settled: l.hasText() && !l.behind}
	var all []string
	for i, s := range slices.Backward(l.said) {
		text := s.text()
		if i == 0 {
			t.Text, t.Message = text, s.id
		}
		if text != "" {
			all = append(all, text)
		}
	}
	t.Context = cut(strings.Join(all, "\n\n"), gate.ContextBytes)
	return t
}

// cut keeps at most the last n bytes of s, beginning with a whole character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// wordless tells without parsing that a line holds neither words of the
// assistant nor a real user turn. Most of a transcript are tool calls and their
// results; a quote inside a JSON string is escaped, so these marks cannot come
// from within a text.
func wordless(line []byte) bool {
	if typed(line, "tool_result") || member(line, "toolUseResult") {
		return true
	}
	return typed(line, "tool_use") && !typed(line, "text")
}

func typed(line []byte, name string) bool {
	return bytes.Contains(line, []byte(`"type":"`+name+`"`)) || bytes.Contains(line, []byte(`"type": "`+name+`"`))
}

func member(line []byte, name string) bool {
	return bytes.Contains(line, []byte(`"`+name+`":`))
}
