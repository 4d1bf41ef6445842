package shell

import (
	"errors"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// errBroken says that code is no valid bash from some place on.
var errBroken = errors.New("the code is not valid")

// walker follows the code of one line.
type walker struct {
	o     Options
	out   Analysis
	spent int   // steps so far
	read  int   // bytes of code so far
	depth int   // of shells in shells and functions in functions
	at    *Span // of the word that holds the code; nil in the line's own
	turns int   // loops around
	traps []*call
	procs int // process substitutions so far
	alias map[string]Text
	made  map[Text]bool // paths that the line has changed; true: what was there may have gone
}

func newWalker(o Options) *walker { return &walker{o: o, made: map[Text]bool{}} }

// step counts what is done, so that a line cannot keep the gate busy.
func (w *walker) step() bool {
	w.spent++
	return w.spent <= maxSteps
}

// code follows a piece of shell code. at is the word that holds it.
func (w *walker) code(st *state, code string, at *Span) error {
	w.read += len(code)
	if !Readable(code) {
		return ErrDeep
	}
	if w.depth >= maxDepth || w.read > maxCode {
		w.spent = maxSteps + 1
		return ErrMuch
	}
	parsed, carried := carry(code)
	if carried && at == nil { // places in it are not those of the line
		at = &Span{0, len(code)}
	}
	w.depth++
	was := w.at
	if at != nil {
		w.at = at
	}
	defer func() { w.depth--; w.at = was }()
	var broken error
	for stmt, err := range syntax.NewParser(syntax.Variant(syntax.LangBash)).StmtsSeq(strings.NewReader(parsed)) {
		if err != nil {
			broken = errBroken // the parser ends by itself, and yields on to a loop that was left
			continue
		}
		if carried {
			uncarry(stmt)
		}
		w.stmt(st, stmt)
	}
	if broken != nil && strings.Contains(code, "((") && w.depth < maxDepth {
		// What is no arithmetic is a subshell in a substitution or a group.
		whole := Span{0, len(code)}
		if at == nil {
			at = &whole
		}
		return w.code(st, strings.ReplaceAll(code, "((", "( ("), at)
	}
	if broken != nil { // bash may read it otherwise: whoever asks for names is told all of it
		w.say(Text(code))
		span := Span{0, len(code)}
		if w.at != nil {
			span = *w.at
		}
		w.effect(st, Effect{Path: unknown, Kind: Code, Reach: Below, By: "bash", Span: span})
	}
	return broken
}

// span is where a node stands in the line.
func (w *walker) span(n syntax.Node) Span {
	if w.at != nil {
		return *w.at
	}
	return Span{int(n.Pos().Offset()), int(n.End().Offset())}
}

func (w *walker) stmts(st *state, list []*syntax.Stmt) {
	for _, s := range list {
		if st.dead {
			return
		}
		w.stmt(st, s)
	}
}

// stmt is one statement with its redirections.
func (w *walker) stmt(st *state, s *syntax.Stmt) {
	if s == nil || !w.step() || st.dead {
		return
	}
	st.stayed = nil
	run := st
	if s.Background || s.Coprocess {
		run = st.fork()
	}
	r := w.redirect(run, s)
	w.command(run, s.Cmd)
	r.restore(run)
	if s.Negated { // the failure of a "cd" is what goes on
		st.stayed = nil
	}
	if s.Background && len(run.dirs) > 0 {
		st.out = run.out
	}
}

// redirected is what redirections have put aside.
type redirected struct {
	in     Text
	hasIn  bool
	out    *Text
	to     []string // files that standard output goes to
	append bool
	moved  bool
	said   Text
}

func (w *walker) redirect(st *state, s *syntax.Stmt) *redirected {
	r := &redirected{in: st.in, hasIn: st.hasIn, out: st.out}
	for _, d := range s.Redirs {
		name := w.text(st, d.Word)
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			st.in, st.hasIn = w.heredoc(st, d), true
		case syntax.WordHdoc:
			st.in, st.hasIn = name+"\n", true
		case syntax.RdrIn:
			st.in, st.hasIn = w.contents(st, name), true
		default:
			if !writes(d.Op, string(name)) {
				continue
			}
			w.say(name)
			w.effect(st, Effect{Path: name, Kind: Write, Reach: File, By: d.Op.String(), Span: w.span(d)})
			if d.N == nil || d.N.Value == "1" {
				r.to, r.moved = append(r.to, st.file(name)), true
				r.append = r.append || d.Op == syntax.AppOut
			}
		}
	}
	if r.moved {
		st.out = &r.said
	}
	return r
}

// restore takes the redirections back, and keeps what has gone into files.
func (r *redirected) restore(st *state) {
	if r.moved {
		for _, f := range r.to {
			said := r.said
			if r.append {
				said = st.files[f] + said
				if _, known := st.files[f]; !known {
					said = unknown + r.said
				}
			}
			st.files[f] = said
		}
	}
	st.in, st.hasIn, st.out = r.in, r.hasIn, r.out
}

// heredoc is the text of a here-document.
func (w *walker) heredoc(st *state, d *syntax.Redirect) Text {
	if d.Hdoc == nil {
		return ""
	}
	var b strings.Builder
	plain := true
	for _, p := range d.Word.Parts { // quoted: nothing in it is expanded
		if l, ok := p.(*syntax.Lit); !ok || strings.Contains(l.Value, `\`) {
			plain = false
		}
	}
	for _, p := range d.Hdoc.Parts {
		l, ok := p.(*syntax.Lit)
		switch {
		case ok && plain:
			b.WriteString(unescapeDouble(l.Value))
		case ok:
			b.WriteString(l.Value)
		default:
			b.WriteString(string(w.parts(st, []syntax.WordPart{p}, []field{{}}, true)[0].t))
		}
	}
	return Text(b.String())
}

// contents is what a file holds when the line itself has written it.
func (w *walker) contents(st *state, name Text) Text {
	if t, ok := st.files[st.file(name)]; ok {
		return t
	}
	return unknown
}

// fileOrInput is what a script file holds: one that the line has written, or what
// is handed to the command.
func (w *walker) fileOrInput(c *call, name Text) Text {
	t := w.contents(c.st, name)
	if t == unknown && strings.HasPrefix(string(name), "/dev/") {
		return c.input()
	}
	return t
}

// writes reports whether a redirection writes the file of this name.
func writes(op syntax.RedirOperator, name string) bool {
	switch op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
		return name != ""
	case syntax.DplOut: // >&2 and >&- name a descriptor, >&file a file
		return strings.Trim(name, "0123456789-") != ""
	}
	return false
}

// command follows what a statement runs.
func (w *walker) command(st *state, c syntax.Command) {
	switch c := c.(type) {
	case *syntax.CallExpr:
		w.call(st, c)
	case *syntax.BinaryCmd:
		w.binary(st, c)
	case *syntax.Block:
		w.stmts(st, c.Stmts)
	case *syntax.Subshell:
		sub := st.fork()
		w.stmts(sub, c.Stmts)
		st.keep(sub)
	case *syntax.IfClause:
		w.ifs(st, c)
	case *syntax.WhileClause:
		w.while(st, c)
	case *syntax.ForClause:
		w.loop(st, c)
	case *syntax.CaseClause:
		w.cases(st, c)
	case *syntax.FuncDecl:
		w.declare(st, c)
	case *syntax.DeclClause:
		w.decl(st, c)
	case *syntax.TimeClause:
		w.stmt(st, c.Stmt)
	case *syntax.CoprocClause:
		w.stmt(st.fork(), c.Stmt)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		w.inside(st, c)
	}
}

// keep takes from a shell of its own what outlives it: the files that it wrote.
func (s *state) keep(sub *state) {
	for k, v := range sub.files {
		s.files[k] = v
	}
	s.addLinks(sub.links)
}

// inside follows the commands in the expansions of a node that runs none itself.
func (w *walker) inside(st *state, n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.subst(st, n)
			return false
		case *syntax.ProcSubst:
			w.process(st, n)
			return false
		}
		return w.step()
	})
}

// subst is a command substitution: what it prints, as far as that is known.
func (w *walker) subst(st *state, c *syntax.CmdSubst) Text {
	sub := st.fork()
	var said Text
	sub.out = &said
	w.stmts(sub, c.Stmts)
	st.keep(sub)
	return Text(strings.TrimRight(string(said), "\n"))
}

// process is a process substitution: the file from which its output is read, or
// which is its input.
func (w *walker) process(st *state, p *syntax.ProcSubst) Text {
	sub := st.fork()
	var said Text
	sub.out = &said
	if p.Op == syntax.CmdOut { // >(…) is given what the command writes
		sub.in, sub.hasIn = unknown, true
	}
	w.stmts(sub, p.Stmts)
	st.keep(sub)
	w.procs++
	name := "/dev/fd/" + strconv.Itoa(63+w.procs)
	if p.Op == syntax.CmdIn && w.procs <= maxTurns {
		st.files[name] = said
	}
	return Text(name)
}
