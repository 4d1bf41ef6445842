// Package shell reads a command line as a shell would and tells which commands it
// runs and which files they change. It runs nothing and opens nothing: what it
// must know of the machine is handed to it. What only the run can tell is marked
// in what it returns, never guessed. Its time and memory are bounded.
package shell

import (
	"errors"
	"slices"
	"strings"
)

// Span is a range of bytes in the line.
type Span struct{ Start, End int }

// Command is one simple command that the line would run, inside whatever wraps
// it: of "sudo rm x" it is "rm x".
type Command struct {
	Args []Text // the program first
	Env  []Var  // assignments in front of it and exported before
	Dir  Text   // the folder it runs in, as seen from the event's; "" = that one
	Span
}

// Var is a variable of the environment.
type Var struct {
	Name  string
	Value Text
}

// Kind is what happens to a file.
type Kind string

// The kinds of effects.
const (
	Write  Kind = "write" // its content, or it is created
	Delete Kind = "delete"
	Move   Kind = "move" // away
	Mode   Kind = "chmod"
	Link   Kind = "link" // a link takes its place
	Code   Kind = "code" // what runs cannot be read; the path is unknown
)

// Reach says how far an effect goes from its path.
type Reach string

// The reaches of effects.
const (
	File  Reach = "file"  // the path alone
	Tree  Reach = "tree"  // the path and everything below
	Below Reach = "below" // something below the path, and it cannot be told what
)

// Effect is a change to a file that a command would make.
type Effect struct {
	// Path is as seen from the event's folder, or begins at the root, a home or the
	// project's root.
	Path  Text
	Kind  Kind
	Reach Reach
	By    string // the command that does it
	Span
}

// Analysis is what a line would do.
type Analysis struct {
	Commands []Command
	Effects  []Effect
	// Words is what the line says in words that run, for those who ask whether a
	// name is spoken of: quotes are taken off, comments and texts left out.
	Words []Text
}

// Stat is what lies at a path.
type Stat int

// What a path can hold.
const (
	Unknown Stat = iota
	Missing
	Folder
	Other
)

// Options is what an analysis may ask of the machine.
type Options struct {
	// Stat looks at an exact path as seen from the event's folder; nil knows nothing.
	Stat func(Text) Stat
}

// Errors of Analyze.
var (
	ErrDeep = errors.New("the command line is nested too deeply")
	ErrMuch = errors.New("the command line does too much to be followed")
)

// maxMarks bounds what may begin another level in a command line that is parsed.
// The parser calls itself for each level, and a stack that runs over ends the
// program. As many as this can take a quarter of a second already.
const maxMarks = 16 << 10

// Readable reports whether a command line can be parsed without harm: whether it
// can hold no more than 16 Ki levels.
func Readable(line string) bool {
	if len(line) <= maxMarks {
		return true
	}
	n := 0
	for i := 0; i < len(line); i++ {
		if c := line[i]; c > ' ' && c < 0x7f && !alnum(c) {
			n++
		}
	}
	for _, word := range []string{"if", "while", "until", "for", "select", "case", "do", "time", "coproc", "function"} {
		n += strings.Count(line, word)
	}
	return n <= maxMarks
}

func alnum(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// Analyze reads a bash command line. bash runs the statements before one that is
// broken, so those count in a line that is no valid bash. The errors are [ErrDeep]
// and [ErrMuch]; what was found before comes with them.
func Analyze(line string, o Options) (*Analysis, error) {
	w := newWalker(o)
	st := newState()
	err := w.code(st, line, nil)
	traps := w.traps
	for _, t := range traps[:min(len(traps), maxTurns)] {
		end := st.fork()
		end.dead = false
		t.st = end
		t.parse(end, t.args[0])
	}
	if errors.Is(err, errBroken) {
		err = nil
	}
	if w.spent > maxSteps {
		err = ErrMuch
	}
	return w.done(), err
}

// done drops what was found twice: a loop is followed more than once.
func (w *walker) done() *Analysis {
	a := &w.out
	seen := map[Effect]bool{}
	a.Effects = slices.DeleteFunc(a.Effects, func(e Effect) bool {
		twice := seen[e]
		seen[e] = true
		return twice
	})
	return a
}
