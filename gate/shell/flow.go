package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// binary is a list or a pipe.
func (w *walker) binary(st *state, c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		w.stmt(st, c.X)
		if st.dead {
			return
		}
		without := st.fork()
		stayed := st.stayed
		st.stayed = nil
		if c.Op == syntax.AndStmt {
			st.leave(stayed)
		}
		w.stmt(st, c.Y)
		for _, d := range stayed {
			st.addDir(d)
		}
		if c.Op == syntax.AndStmt { // what follows by one more && runs only if this has
			stayed = append(slices.Clip(stayed), st.stayed...)
			defer func() { st.stayed = stayed }()
		}
		// After "cd x && …" the folder is x, or the rest does not run: a command that
		// only the success leads to is taken to have run when it goes on in the folder.
		if c.Op == syntax.AndStmt && !st.dead && certain(c.X) {
			return
		}
		if st.dead && c.Op == syntax.OrStmt {
			st.take(without)
			return
		}
		st.merge(without)
	default: // a pipe: both sides run in shells of their own
		left := st.fork()
		var said Text
		left.out = &said
		w.stmt(left, c.X)
		right := st.fork()
		right.in, right.hasIn = said, true
		w.stmt(right, c.Y)
		st.keep(left)
		st.keep(right)
	}
}

// leave drops the folders that only a failed "cd" stays in, where another is left.
func (s *state) leave(stayed []Text) {
	dirs := slices.DeleteFunc(slices.Clone(s.dirs), func(d Text) bool { return slices.Contains(stayed, d) })
	if len(dirs) > 0 {
		s.dirs = dirs
	}
}

// certain reports whether a statement only sets what always succeeds, so that what
// follows && has run as well.
func certain(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return true
		}
		switch c.Args[0].Lit() {
		case "cd", "true", ":", "echo", "printf", "export", "mkdir", "pushd", "set":
			return true
		}
	case *syntax.DeclClause:
		return true
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && certain(c.X) && certain(c.Y)
	}
	return false
}

func (w *walker) ifs(st *state, c *syntax.IfClause) {
	if len(c.Cond) > 0 {
		w.stmts(st, c.Cond)
	}
	els := st.fork()
	w.stmts(st, c.Then)
	if c.Else != nil {
		w.ifs(els, c.Else)
	}
	if c.ThenPos.IsValid() { // an "else" has no other way
		st.merge(els)
	}
}

func (w *walker) cases(st *state, c *syntax.CaseClause) {
	w.text(st, c.Word)
	before := st.fork()
	out := before.fork()
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			w.text(before, p)
		}
		branch := before.fork()
		w.stmts(branch, item.Stmts)
		out.merge(branch)
	}
	st.take(out)
}

// while follows the body once for each line that is read, when those are known,
// else twice, so that what the first turn sets is seen by the second.
func (w *walker) while(st *state, c *syntax.WhileClause) {
	after := st.fork()
	name, rest := readLoop(c)
	if name != "" && st.hasIn && !st.in.Unknown() {
		for i, l := range lines(st.in) {
			if i >= maxTurns {
				l = unknown
			}
			turn := st.fork()
			turn.read(l, append([]string{name}, rest...))
			w.stmts(turn, c.Do)
			turn.dead = false
			after.merge(turn)
			if i >= maxTurns {
				break
			}
		}
		st.take(after)
		return
	}
	for range w.twice() {
		w.stmts(st, c.Cond)
		w.stmts(st, c.Do)
		st.dead = false
		st.merge(after)
	}
	st.dead = false
}

// read sets variables to the words of a line; the last one to all that is left.
func (s *state) read(l Text, names []string) {
	for i, n := range names {
		word := strings.Trim(string(l), " \t\n\r")
		if l.Unknown() || s.ifs && len(names) > 1 {
			s.vars[n] = unknown
			continue
		}
		if cut := strings.IndexAny(word, " \t"); cut >= 0 && i < len(names)-1 {
			s.vars[n], l = Text(word[:cut]), Text(word[cut:])
			continue
		}
		s.vars[n], l = Text(word), ""
	}
}

// twice is how often a body is followed whose turns are not known. Loops in loops
// would double it each time.
func (w *walker) twice() int {
	if w.turns > 2 {
		return 1
	}
	return 2
}

// readLoop is the variable of "while read x", and those after it.
func readLoop(c *syntax.WhileClause) (name string, rest []string) {
	if c.Until || len(c.Cond) != 1 {
		return "", nil
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "read" {
		return "", nil
	}
	for i := 1; i < len(call.Args); i++ {
		switch a := call.Args[i].Lit(); {
		case a == "-d" || a == "-n" || a == "-u" || a == "-t" || a == "-p":
			i++
		case strings.HasPrefix(a, "-"):
		case a == "":
			return "", nil
		case name == "":
			name = a
		default:
			rest = append(rest, a)
		}
	}
	return name, rest
}

func (w *walker) loop(st *state, c *syntax.ForClause) {
	w.turns++
	defer func() { w.turns-- }()
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		w.inside(st, c.Loop)
		after := st.fork()
		for range w.twice() {
			w.stmts(st, c.Do)
			st.dead = false
			st.merge(after)
		}
		return
	}
	items := st.args
	if it.InPos.IsValid() {
		items = w.fields(st, it.Items)
	} else if items == nil {
		items = []Text{unknown}
	}
	if len(items) > maxTurns {
		items = append(items[:maxTurns:maxTurns], unknown)
	}
	for _, item := range items {
		if !w.step() {
			return
		}
		w.say(item)
		before := st.fork()
		st.vars[it.Name.Value] = item
		w.stmts(st, c.Do)
		left := st.dead // break, continue, or the end of all
		st.dead = false
		if left {
			st.merge(before)
		}
	}
}

func (w *walker) declare(st *state, c *syntax.FuncDecl) {
	if c.Name != nil {
		st.fns[c.Name.Value] = c.Body
	}
	for _, n := range c.Names {
		st.fns[n.Value] = c.Body
	}
}

// decl is export, declare, local, readonly, typeset.
func (w *walker) decl(st *state, c *syntax.DeclClause) {
	export, refers := c.Variant.Value == "export" || st.auto, false
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			if l := a.Value.Lit(); strings.HasPrefix(l, "-") {
				export = export || strings.Contains(l, "x")
				refers = refers || strings.Contains(l, "n") && c.Variant.Value != "export"
			}
			continue
		}
		if a.Name == nil {
			continue
		}
		if !a.Naked {
			w.assign(st, a)
		}
		if refers { // another name for a variable
			st.vars[a.Name.Value] = unknown
		}
		if export {
			st.env[a.Name.Value] = true
			if v, ok := st.vars[a.Name.Value]; ok && runsValue(a.Name.Value) && v.Plain() {
				(&call{w: w, st: st, name: a.Name.Value, span: w.span(c)}).shell(v, nil)
			}
		}
	}
	w.out.Commands = append(w.out.Commands, Command{Args: []Text{Text(c.Variant.Value)}, Env: st.environment(nil), Dir: st.pwdOrUnknown(), Span: w.span(c)})
}

func (s *state) pwdOrUnknown() Text {
	if len(s.dirs) == 1 {
		return s.dirs[0]
	}
	return unknown
}

func (w *walker) assign(st *state, a *syntax.Assign) {
	name := a.Name.Value
	w.inside(st, a.Index)
	if a.Array != nil {
		var list []Text
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				words := w.expand(st, e.Value)
				for _, t := range words {
					w.say(t)
				}
				list = append(list, words...)
			}
		}
		if a.Append {
			list = slices.Concat(st.lists[name], list)
		}
		st.lists[name] = list
		delete(st.vars, name)
		return
	}
	v := w.text(st, a.Value)
	w.say(v)
	switch {
	case a.Index != nil:
		list := slices.Clone(st.lists[name])
		i, ok := w.index(a.Index)
		if i = fromEnd(i, len(list)); ok && i >= 0 && i < len(list) {
			list[i] = v
		} else {
			list = append(list, v)
		}
		st.lists[name] = list
		return
	case a.Append:
		old, ok := st.vars[name]
		if !ok {
			old = unknown
		}
		v = old + v
	}
	if len(v) > maxText {
		v = unknown
	}
	st.vars[name] = v
	st.ifs = st.ifs || name == "IFS"
	if st.auto {
		st.env[name] = true
	}
}

// say notes a word that the line uses.
func (w *walker) say(t Text) {
	if t != "" && len(w.out.Words) < maxSteps {
		w.out.Words = append(w.out.Words, t)
	}
}
