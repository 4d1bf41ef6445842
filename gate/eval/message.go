package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Message is one line of a file of labelled messages.
type Message struct {
	ID     string
	Lang   string // "other" when the line names none that could be one
	Text   string
	Labels map[string]string // gate -> allow, block or either
}

// Either is the label of a message on which careful readers differ. It is not
// counted.
const Either = "either"

// maxLine bounds a line, in bytes. A longer one is broken, and passed over.
const maxLine = 32 << 20

var (
	errTooLong = errors.New("longer than 32 MiB")
	errNoText  = errors.New("no text")
)

// read calls each with every line of r that is not blank, by its number from 1,
// until it returns false.
func read(r io.Reader, each func(line int, m Message, err error) bool) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		end := errors.Is(err, io.EOF)
		if err != nil && !end && !errors.Is(err, errTooLong) {
			return err
		}
		if errors.Is(err, errTooLong) {
			if !each(n, Message{}, errTooLong) {
				return nil
			}
		} else if line = bytes.TrimSpace(line); len(line) > 0 {
			m, err := parse(line, n)
			if !each(n, m, err) {
				return nil
			}
		}
		if end {
			return nil
		}
	}
}

// readLine reads to the end of a line. The rest of one that is too long is
// thrown away, so that the next can be read.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case long:
			return nil, errTooLong // at the end of the file the next read says so
		default:
			return line, err
		}
	}
}

// parse reads one line. Members that it does not know are passed over.
func parse(line []byte, n int) (Message, error) {
	var l struct {
		ID     string  `json:"id"`
		Lang   string  `json:"lang"`
		Text   *string `json:"text"`
		Labels []struct {
			Gate  string `json:"gate"`
			Label string `json:"label"`
		} `json:"labels"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return Message{}, err
	}
	if l.Text == nil {
		return Message{}, errNoText
	}
	m := Message{ID: l.ID, Lang: language(l.Lang), Text: *l.Text}
	if m.ID == "" {
		m.ID = fmt.Sprintf("line %d", n)
	}
	for _, lab := range l.Labels {
		switch {
		case lab.Gate == "":
			return Message{}, errors.New("a label names no gate")
		case lab.Label != Allow && lab.Label != Block && lab.Label != Either:
			return Message{}, fmt.Errorf("label %q of gate %q, want allow, block or either", lab.Label, lab.Gate)
		case m.Labels[lab.Gate] != "" && m.Labels[lab.Gate] != lab.Label:
			return Message{}, fmt.Errorf("two labels of gate %q that contradict", lab.Gate)
		}
		if m.Labels == nil {
			m.Labels = map[string]string{}
		}
		m.Labels[lab.Gate] = lab.Label
	}
	return m, nil
}

// language keeps what can be the code of a language, such as en or pt-BR.
func language(s string) string {
	if s == "" || len(s) > 12 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return "other"
	}
	return s
}
