// Package early answers, before the rest of the program is initialised, the
// events that no gate can have anything to say about. Go initialises packages in
// the order of their import paths as soon as what they import is ready
// (specification, "Program initialization"), so this package, which imports
// light ones only, runs before the Git, HTTP and terminal libraries of the
// program: on the machine where it was measured that halves the time of a hook.
// Whatever it cannot answer it hands on, with the bytes it has read, to the full
// path in gate/hook. It holds no rule of its own: it only asks the prefilter.
package early

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/gate/host"
	"github.com/agenthooks/hookctl/gate/journal"
	"github.com/agenthooks/hookctl/gate/judge/guard"
	"github.com/agenthooks/hookctl/gate/transcript"
	"github.com/agenthooks/hookctl/home"
)

// MaxEvent bounds an event, in bytes. A larger one is read to its end and thrown
// away, so that the agent's write does not fail.
const MaxEvent = 32 << 20

// ErrTooLarge is the error of an event over [MaxEvent].
var ErrTooLarge = errors.New("the event is larger than 32 MiB")

// Input is an event as far as it has been read.
type Input struct {
	Start  time.Time
	Home   home.Dir
	Getenv func(string) string
	// Environ is what executables of the bundle inherit; nil = this process's.
	Environ []string
	Event   gate.Event
	Err     error // the bytes were no event; Event.Kind holds what could be told
	Opened  generation.Opened
	Rules   *gate.Compiled // of Opened; nil = not read yet
	// Tail tells that the transcript was read; TailErr how that failed.
	Tail    bool
	TailErr error
}

// Taken is what the fast path read when it left the answer to main; nil when
// the program was not started as a hook.
var Taken *Input

func init() {
	// A panic would exit with 2, which agents read as a block.
	defer func() {
		if p := recover(); p != nil && Taken != nil {
			Taken.Err = errors.Join(Taken.Err, errors.New("internal error"))
		}
	}()
	if len(os.Args) < 2 || os.Args[1] != "gate" || wantsHelp(os.Args[2:]) {
		return
	}
	exe, _ := os.Executable()
	in := Start(home.Find(exe, os.Getenv), os.Getenv, time.Now())
	Taken = in
	in.Read(os.Stdin, Host(os.Args[2:]))
	if in.answered() {
		os.Exit(0)
	}
}

// Start begins an event.
func Start(d home.Dir, getenv func(string) string, now time.Time) *Input {
	return &Input{Start: now, Home: d, Getenv: getenv}
}

// State is where the hook keeps what it writes.
func (in *Input) State() home.Dir {
	if in.Getenv == nil {
		return in.Home
	}
	return in.Home.State(in.Getenv)
}

// Host is the value of --host in the arguments after "gate". Arguments it does
// not know are passed over: how an agent was made to call the hook must not
// decide what the hook answers.
func Host(args []string) string {
	for i, a := range args {
		if a == "--host" && i+1 < len(args) {
			return args[i+1]
		}
		if v, ok := strings.CutPrefix(a, "--host="); ok {
			return v
		}
	}
	return ""
}

func wantsHelp(args []string) bool {
	for _, a := range args {
		if a == "-h" || a == "--help" {
			return true
		}
	}
	return false
}

// Read reads and parses the event.
func (in *Input) Read(r io.Reader, as string) {
	var buf bytes.Buffer
	n, err := io.Copy(&buf, io.LimitReader(r, MaxEvent+1))
	if n > MaxEvent {
		_, _ = io.Copy(io.Discard, r)
		err = ErrTooLarge
		buf.Truncate(1 << 20)
	}
	ev, perr := host.Parse(buf.Bytes(), as, in.Getenv)
	in.Event = ev
	in.Event.Raw = buf.Bytes()
	in.Err = errors.Join(err, perr)
	if errors.Is(in.Err, ErrTooLarge) {
		in.Err = ErrTooLarge
	}
}

// InsideJudge reports whether this stop is that of a judge that a hook started.
// It never switches off a tool gate: a repository's settings can set variables.
func (in *Input) InsideJudge() bool {
	return in.Event.Kind.IsStop() && guard.Active(in.State().Path("cache", "judge"), in.Getenv)
}

// ReadTail fills the event with the final message of the transcript, when the
// agent sent a stop without the text.
func (in *Input) ReadTail() {
	if in.Tail || in.Event.HasText || !in.Event.Kind.IsStop() || in.Event.Transcript == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), gate.SettleTimeout)
	defer cancel()
	in.Tail = true
	t, err := transcript.Last(ctx, in.Transcript())
	if err != nil {
		in.TailErr = err
		return
	}
	in.Event.Text, in.Event.Message = t.Text, t.Message
	if in.Event.Turn == "" {
		in.Event.Turn = t.Turn
	}
}

// Transcript is the event's transcript, to be read.
func (in *Input) Transcript() transcript.File {
	return transcript.File{Path: in.Event.Transcript, User: in.Getenv("HOME"), Stop: in.Event.At}
}

// answered settles the event when nothing can hit it, and says so in the
// journal. The answer itself is silence.
func (in *Input) answered() bool {
	ev := &in.Event
	if in.Err != nil {
		return false
	}
	if in.InsideJudge() {
		in.journal("skipped", "inside a judge")
		return true
	}
	switch {
	case ev.Kind == "":
		in.journal("skipped", "unknown event")
		return true
	case ev.Kind == gate.PreTool || ev.Kind == gate.PostTool:
		if !quiet(ev.Tool) || in.hooked() || in.ownCommands() {
			return false
		}
	case ev.Kind.IsStop():
		if !in.noHit() {
			return false
		}
	default:
		return false
	}
	in.journal("allow", "")
	return true
}

// noHit reports that no signal can match the text.
func (in *Input) noHit() bool {
	if in.Event.Tasks > 0 {
		return false
	}
	in.Opened = generation.Open(in.Home)
	if len(in.Opened.Faults) > 0 {
		return false
	}
	rules, err := gate.Open(in.Opened.Rules)
	if err != nil {
		return false
	}
	in.Rules = rules
	if rules.WakesFor(in.Event.Kind, "") {
		return false
	}
	f, err := rules.Filter()
	if err != nil {
		return false
	}
	in.ReadTail()
	return in.TailErr == nil && !f.Maybe(in.Event.Text)
}

// hooked reports that an executable of the bundle is to see a tool call. Only the
// pointer is read where no generation that could serve holds any.
func (in *Input) hooked() bool {
	if !home.MayHook(in.Home) {
		return false
	}
	in.Opened = generation.Open(in.Home)
	rules, err := gate.Open(in.Opened.Rules)
	if err != nil {
		return true
	}
	in.Rules = rules
	return rules.WakesFor(in.Event.Kind, in.Event.Tool.Name)
}

// readers are the tools that write nothing.
var readers = []string{"Read", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "TodoWrite", "Agent", "Task", "AskUserQuestion", "read_file", "glob", "grep_search", "list_directory", "view"}

// ownCommands reports that the machine may guard commands of its own.
func (in *Input) ownCommands() bool {
	b, err := home.ReadConfig(in.Home)
	return err == nil && bytes.Contains(b, []byte("commands"))
}

// quiet reports that no tool gate can have anything to say about a call: a tool
// that only reads, or a command line that can be told to be harmless at a glance.
func quiet(t gate.Tool) bool {
	for _, r := range readers {
		if t.Name == r {
			return true
		}
	}
	if t.Name != "Bash" && t.Name != "bash" && t.Name != "run_shell_command" && t.Name != "Shell" {
		return false
	}
	var in map[string]json.RawMessage // a struct would take "Command" for it as well
	var line string
	return json.Unmarshal(t.Input, &in) == nil && json.Unmarshal(in["command"], &line) == nil && gate.Harmless(line)
}

func (in *Input) journal(decision, why string) {
	ev := in.Event
	if ev.Contract {
		return
	}
	l := journal.Line{
		Time: in.Start, Host: ev.Host, Event: string(ev.Kind), Session: ev.Session, Turn: ev.Turn, CWD: ev.CWD,
		Tool: ev.Tool.Name, Decision: decision, Why: why, Transcript: ev.Transcript, Message: ev.Message,
	}
	if ev.Text != "" { // a missed block is captured by its line too
		sum := sha256.Sum256([]byte(ev.Text))
		l.SHA256 = hex.EncodeToString(sum[:])
	}
	l.Micros = map[string]int64{"all": time.Since(in.Start).Microseconds()}
	_ = journal.Append(in.State().Journal(), l)
}
