package shell

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of one analysis. A line that a person or an agent means to be read stays
// far below them.
const (
	maxSteps  = 20000   // statements and words that are followed
	maxCode   = 1 << 20 // bytes of code that is parsed, a line's own and what it hands to shells
	maxDepth  = 12      // shells in shells, functions in functions
	maxFields = 512     // words that one word can become
	maxText   = 64 << 10
	maxDirs   = 8
	maxTurns  = 64 // turns of a loop that are followed one by one
)

// state is what a shell knows at one place of the line.
type state struct {
	dirs  []Text          // folders that may be the current one, as seen from the event's
	vars  map[string]Text // those that the line has set
	lists map[string][]Text
	env   map[string]bool // exported
	args  []Text          // positional parameters, when they are known
	zero  Text            // $0, when it is known
	fns   map[string]*syntax.Stmt
	stack []Text // of pushd
	links []link
	// stayed are folders that the shell is in if the "cd" just before failed.
	stayed []Text

	in    Text // standard input, when it is known
	hasIn bool
	out   *Text           // what was printed, as far as it is known; nil = nobody reads it
	dead  bool            // exit, return, break or continue came
	files map[string]Text // what the line itself has written, by path
	posix bool            // a sh that may not know what bash does
	ifs   bool            // IFS was changed
	auto  bool            // set -a: all variables go to the environment
}

func newState() *state {
	return &state{
		dirs: []Text{""}, vars: map[string]Text{}, lists: map[string][]Text{}, env: map[string]bool{},
		fns: map[string]*syntax.Stmt{}, files: map[string]Text{},
	}
}

// fork is a state for what may or may not run, or runs in a shell of its own.
func (s *state) fork() *state {
	c := *s
	c.dirs = slices.Clone(s.dirs)
	c.vars, c.lists, c.env, c.fns, c.files = maps.Clone(s.vars), maps.Clone(s.lists), maps.Clone(s.env), maps.Clone(s.fns), maps.Clone(s.files)
	c.stack = slices.Clone(s.stack)
	return &c
}

// take makes the state that of another branch.
func (s *state) take(o *state) {
	out := s.out
	*s = *o
	s.out = out
}

// merge makes the state one that holds after s or o, whichever ran.
func (s *state) merge(o *state) {
	switch {
	case o.dead && !s.dead:
		return
	case s.dead && !o.dead:
		s.take(o)
		return
	}
	for _, d := range o.dirs {
		s.addDir(d)
	}
	for k, v := range o.vars {
		if s.vars[k] != v {
			s.vars[k] = unknown
		}
	}
	for k := range s.vars {
		if _, ok := o.vars[k]; !ok {
			s.vars[k] = unknown
		}
	}
	for k, v := range o.lists {
		if !slices.Equal(s.lists[k], v) {
			s.lists[k] = []Text{unknown}
		}
	}
	for k := range o.env {
		s.env[k] = true
	}
	for k, v := range o.fns {
		if s.fns[k] == nil {
			s.fns[k] = v
		}
	}
	for k, v := range o.files {
		if old, ok := s.files[k]; ok && old != v {
			v = unknown
		}
		s.files[k] = v
	}
	s.ifs = s.ifs || o.ifs
	s.addLinks(o.links)
	s.args = o.args
}

func (s *state) addLinks(all []link) {
	for _, l := range all {
		if !slices.Contains(s.links, l) {
			s.links = append(slices.Clip(s.links), l)
		}
	}
}

func (s *state) addDir(d Text) {
	if slices.Contains(s.dirs, d) {
		return
	}
	if len(s.dirs) == maxDirs {
		d = unknown
		s.dirs[maxDirs-1] = d
		return
	}
	s.dirs = append(s.dirs, d)
}

// file is the one key under which a file is kept that is used under a name.
func (s *state) file(name Text) string { return string(up(name.in(s.dirs[0]))) }

func (s *state) puts(t Text) {
	if s.out == nil {
		return
	}
	if len(*s.out)+len(t) > maxText {
		t = unknown
	}
	*s.out += t
}

// environment are the exported variables and those in front of a command.
func (s *state) environment(front []Var) []Var {
	var all []Var
	for _, k := range slices.Sorted(maps.Keys(s.env)) {
		if v, ok := s.vars[k]; ok {
			all = append(all, Var{k, v})
		}
	}
	return append(all, front...)
}

// unknown is a text of which nothing is known.
const unknown = Text("\xff")
