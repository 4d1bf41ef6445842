package pull

import (
	"time"

	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// Report tells what an install, a sync or a rollback did.
type Report struct {
	Source  source.Remote
	Head    string // the branch's newest commit
	Pending int    // commits that change the bundle and are in no release
	Changed bool   // another generation runs now
	// RolledBack tells that To is what a rollback chose, and not the newest.
	RolledBack bool
	Healed     []string
	From, To   Accepted
	Signers    []receipt.Signer
	Binary     Change // the installed program; Path "" = it was not looked at
	Files      []Change
	Settings   []install.Change // of the agents
	Cases      int              // contract cases that passed: in process (unless Foreign), and as processes on the staged copy
	Wired      bool             // hookctl is registered, so that cases ran through the settings too
	Through    int              // how many of the cases ran through a command in the settings
	Notes      []string
	Receipt    string // path of the receipt, "" when there was nothing new to record

	// Protection is what the source's host said of the branch.
	Protection receipt.Evidence

	// Foreign tells that the rules were compiled, and the cases run, by a program
	// of the release that is not the one that did the sync.
	Foreign bool

	proof   receipt.Cases
	proven  proven
	expired error

	have      programs
	carried   bundle.Program // read from the source
	fromStore bool           // the release was read out of the store, which holds no programs
}

// Staged tells that the cases ran on a staged copy, which they do where something is
// to become active. What is installed to the byte was proven when it did.
func (r Report) Staged() bool { return r.proof.Staged.Passed > 0 }

// Newer tells that a release waits.
func (r Report) Newer() bool { return r.To.Digest != r.From.Digest }

// stopwatch times the steps of one command, one after the other.
type stopwatch struct {
	done  []receipt.Step
	name  string
	since time.Time
}

// next ends the step that runs and begins another; "" begins none.
func (s *stopwatch) next(name string) {
	now := time.Now()
	if s.name != "" {
		s.done = append(s.done, receipt.Step{Name: s.name, MS: now.Sub(s.since).Milliseconds()})
	}
	s.name, s.since = name, now
}
