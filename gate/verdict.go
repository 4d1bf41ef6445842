package gate

import "time"

// Decision is what becomes of an event. The order is meaning: merging the
// decisions of several gates is max. The zero value says nothing, which every
// agent reads as its own base policy.
type Decision int

const (
	Silent Decision = iota // no gate has anything to say
	Notice                 // let through, but tell the user one thing
	Ask                    // let a person decide (tool calls only)
	Block                  // send the agent back to work, or deny the tool call
)

func (d Decision) String() string {
	return [...]string{"allow", "notice", "ask", "block"}[d]
}

// Verdict is the one answer to an event.
type Verdict struct {
	Decision Decision
	Findings []Finding
	// Faults are hookctl's own: a judge that did not answer, broken rules, an
	// unreadable transcript. They are worded as faults, never as findings.
	Faults []string
	// Degraded tells what was broken while the event was judged all the same:
	// rules of an older generation, a config.yaml that could not be read.
	Degraded []string
	// Reason is the whole feedback to the agent, under 600 characters. It is
	// empty unless Decision is Ask or Block.
	Reason string
	// Skipped says why an event was not judged at all, "" when it was.
	Skipped string
}

// Finding is what one gate or hook holds against the event.
type Finding struct {
	Gate     string
	Mode     Mode
	Sentence string // the original sentence (text gates), the path (tool gates), what a hook said
	Feedback string // what would satisfy the gate, in the language of Sentence; a hook has none
	Note     string // the judge's reason: one line of data, not to be obeyed
	Ask      bool   // an enforced finding puts the tool call to the user
	// Fault marks a hook that gave no answer; Sentence says why. The mode is what
	// its bundle demands then.
	Fault bool
}

// Trace tells how a verdict came about, for explain, test and the journal.
type Trace struct {
	Gates []GateTrace
	// Layer is the time spent in each layer: "read", "layer1", "judge".
	Layer map[string]time.Duration
	// Shell is how a command line was read; nil where there was none.
	Shell *ShellTrace `json:",omitempty"`
}

// ShellTrace tells how a command line was read.
type ShellTrace struct {
	Line     string         `json:"line"`
	Commands []ShellCommand `json:"commands"`
	Effects  []ShellEffect  `json:"effects"`
}

// ShellCommand is a command that the line would run; Start and End are bytes in it.
type ShellCommand struct {
	Text  string `json:"text"`
	Env   string `json:"env,omitempty"`
	Dir   string `json:"dir,omitempty"` // from the event's folder
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// ShellEffect is a file that the line would change.
type ShellEffect struct {
	Kind  string `json:"kind"`
	Path  string `json:"path"`  // … stands for what cannot be told
	Reach string `json:"reach"` // file, tree or below
	By    string `json:"by"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// GateTrace is the way of one gate through its layers, or the run of one hook.
type GateTrace struct {
	Gate     string
	Hits     []Hit
	Evidence []Hit            // evidence that freed a hit
	Fields   map[string]*bool // the judge's answer, nil = not given
	Note     string           // the judge's reason
	Outcome  string           // "no hit", "evidence", "judge allows", "violation", "judge failed", "loop breaker", "off", …
	Hook     *HookAnswer      `json:",omitempty"` // of a hook; nil for a gate
}

// Outcomes that others than the trace's readers look at.
const (
	OutcomeViolation = "violation"
	OutcomeFailed    = "judge failed"
)

// Hit is one place where a pattern matched.
type Hit struct {
	Pattern  string // the pattern's text as it stands in the gate file
	Kind     string // "signal", or the kind of evidence
	Sentence string // the original sentence
	Start    int    // byte offset of the sentence in the text
	Line     int    // 1-based
}
