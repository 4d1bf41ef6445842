package transcript

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// Message is one message of the assistant, verbatim.
type Message struct {
	ID    string
	Text  string   // its parts, joined as paragraphs: what Read gives as Text
	Parts []string // as they stand in the file; an agent may report the last one alone
	Index int      // 0 for the first message with words in the file
	Turn  string   // id of the user's turn that it belongs to, "" before the first
	Side  bool     // a subagent's
}

// maxWhole bounds a line that Find looks at, in bytes.
const maxWhole = 64 << 20

// Find walks all messages of the assistant in the file, from its beginning,
// subagents' included, and gives the first that match accepts. It reads the
// whole file, so it is for a person who waits and not for a hook.
func Find(path, user string, match func(Message) bool) (Message, bool, error) {
	f, size, err := open(expand(path, user))
	if err != nil {
		return Message{}, false, err
	}
	defer f.Close()
	type placed struct {
		spoken
		turn string
		side bool
	}
	var all []placed
	turn := ""
	byID := map[string]int{}
	var last row
	err = forward(io.NewSectionReader(f, 0, size), func(line []byte) {
		r, ok := parse(line)
		if ok && r.kind == queued {
			r = r.resolve(last)
		}
		last = r
		if ok && r.kind == prompt && !r.side {
			turn = r.turn
		}
		if !ok || r.kind != speech || len(r.texts) == 0 {
			return
		}
		at, seen := byID[r.id]
		if r.id == "" || !seen {
			at = len(all)
			all = append(all, placed{spoken{id: r.id}, turn, r.side})
			byID[r.id] = at
		}
		if r.whole {
			all[at].lines = nil
		}
		all[at].lines = append(all[at].lines, r.texts)
	})
	if err != nil {
		return Message{}, false, err
	}
	for i, s := range all {
		m := Message{ID: s.id, Index: i, Turn: s.turn, Side: s.side}
		for _, l := range s.lines { // oldest first here
			m.Parts = append(m.Parts, l...)
		}
		m.Text = strings.Join(m.Parts, "\n\n")
		if match(m) {
			return m, true, nil
		}
	}
	return Message{}, false, nil
}

// forward calls each with the lines of r; a line beyond maxWhole is left out.
func forward(r io.Reader, each func(line []byte)) error {
	buf := make([]byte, 0, firstBlock)
	tooLong, first := false, true
	give := func(line []byte) {
		if first {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			first = false
		}
		if !tooLong {
			each(line)
		}
		tooLong = false
	}
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		old := len(buf)
		buf = buf[:old+n]
		start := 0
		for from := old; ; {
			i := bytes.IndexByte(buf[from:], '\n')
			if i < 0 {
				break
			}
			give(buf[start : from+i])
			from += i + 1
			start = from
		}
		buf = buf[:copy(buf, buf[start:])]
		if len(buf) > maxWhole {
			buf, tooLong = buf[:0], true
		}
		switch {
		case errors.Is(err, io.EOF):
			if len(buf) > 0 {
				give(buf)
			}
			return nil
		case err != nil:
			return err
		}
	}
}
