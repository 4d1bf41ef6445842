package panel

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge"
)

const (
	// maxAge is how long an answer counts: long enough for a message that comes
	// again, short enough that a service's better model is heard.
	maxAge = 7 * 24 * time.Hour
	// maxAnswers bounds the answers that are kept; each is a file of some hundred
	// bytes.
	maxAnswers = 500
	// maxFile bounds one file that is read back, in bytes.
	maxFile = 8 << 10
)

// answer is a remembered answer. The text that it is about is in the file's name
// alone, as a digest.
type answer struct {
	Fields map[string]bool `json:"fields"`
	Note   string          `json:"note,omitempty"`
}

// key names an answer: who was asked what about which text. What is asked of a
// gate goes in as it is worded, so that a changed gate, or another way of asking, is another
// question.
func (p Panel) key(j Judge, asked gate.Asked, text string) string {
	question, _ := judge.Frame(gate.Question{Gates: []gate.Asked{{Rule: asked.Rule}}}, "")
	return digest(asked.Rule.ID, question, j.Name, j.Model, j.Where, p.Version, text)
}

// digest is over the parts and their bounds.
func digest(parts ...string) string {
	b, err := json.Marshal(parts)
	if err != nil {
		return "" // strings: it cannot fail
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (p Panel) answers() string { return filepath.Join(p.Dir, "answers") }

// remembered are the answers that j has given before, and the question that is
// left.
func (p Panel) remembered(j Judge, q gate.Question) (known map[string]gate.Answer, open gate.Question) {
	if p.Dir == "" || j.Fresh {
		return nil, q
	}
	known, open = map[string]gate.Answer{}, q
	open.Gates = nil
	text, _ := judge.Material(q)
	for _, asked := range q.Gates {
		a, ok := p.recall(p.key(j, asked, text), asked.Rule)
		if ok {
			known[asked.Rule.ID] = a
		} else {
			open.Gates = append(open.Gates, asked)
		}
	}
	return known, open
}

func (p Panel) recall(key string, r *gate.Rule) (gate.Answer, bool) {
	name := filepath.Join(p.answers(), key)
	fi, err := os.Lstat(name)
	if err != nil || !fi.Mode().IsRegular() || p.now().Sub(fi.ModTime()).Abs() > maxAge {
		return gate.Answer{}, false
	}
	var a answer
	if !readJSON(name, &a) {
		return gate.Answer{}, false
	}
	for f := range a.Fields {
		if !slices.ContainsFunc(r.Judge.Fields, func(own gate.Field) bool { return own.Name == f }) {
			return gate.Answer{}, false
		}
	}
	return gate.Answer{Fields: a.Fields, Note: a.Note}, true
}

// remember keeps answers that can be used. What cannot be written is asked again.
func (p Panel) remember(j Judge, q gate.Question, answers map[string]gate.Answer) {
	if p.Dir == "" || j.Fresh {
		return
	}
	text, _ := judge.Material(q)
	for _, asked := range q.Gates {
		a, ok := answers[asked.Rule.ID]
		if _, usable := asked.Rule.Judge.Violates(a); ok && usable {
			writeJSON(filepath.Join(p.answers(), p.key(j, asked, text)), answer{Fields: a.Fields, Note: a.Note})
		}
	}
	p.prune()
}

// prune removes the answers that are too old or too many, the oldest first, and
// what a write that was cut short has left.
func (p Panel) prune() {
	entries, err := os.ReadDir(p.answers())
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			files = append(files, fi)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for i, fi := range files {
		if i >= maxAnswers || p.now().Sub(fi.ModTime()).Abs() > maxAge {
			os.Remove(filepath.Join(p.answers(), fi.Name()))
		}
	}
}

// readJSON reads a file of ours; false when it is not there or not as we write it.
func readJSON(name string, v any) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil || len(b) > maxFile {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v) == nil
}

// writeJSON replaces a file as a whole, or leaves it: it is only remembered.
func writeJSON(name string, v any) {
	b, err := json.Marshal(v)
	if err != nil || len(b) > maxFile || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return
	}
	_, err = f.Write(b)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
}
