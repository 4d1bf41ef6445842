package shell

import (
	"errors"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call is one simple command that is followed.
type call struct {
	w    *walker
	st   *state
	name string // of the program, without folder
	args []Text // after the program
	env  []Var  // in front
	span Span
	zero Text // $0 of the code that it hands on
}

// call follows a simple command: assignments, expansions, then what it runs.
func (w *walker) call(st *state, c *syntax.CallExpr) {
	args := w.fields(st, c.Args)
	if len(args) == 0 {
		for _, a := range c.Assigns {
			w.assign(st, a)
		}
		if len(c.Args) == 0 && len(c.Assigns) > 0 {
			w.note(st, nil, w.front(st, c.Assigns), w.span(c))
		}
		return
	}
	w.run(st, args, w.front(st, c.Assigns), w.span(c))
}

// front are the assignments before a command.
func (w *walker) front(st *state, assigns []*syntax.Assign) (env []Var) {
	for _, a := range assigns {
		if a.Name != nil && a.Array == nil {
			v := w.text(st, a.Value)
			w.say(v)
			env = append(env, Var{a.Name.Value, v})
		}
	}
	return env
}

// note takes a command down, once for each folder it may run in.
func (w *walker) note(st *state, args []Text, env []Var, span Span) {
	for _, d := range st.dirs {
		w.out.Commands = append(w.out.Commands, Command{Args: args, Env: st.environment(env), Dir: d, Span: span})
	}
	for _, a := range args {
		w.say(a)
	}
}

// run follows a command with its arguments.
func (w *walker) run(st *state, args []Text, env []Var, span Span) {
	if len(args) == 0 || !w.step() || len(w.out.Commands) > maxSteps {
		return
	}
	if w.spent > maxSteps {
		return
	}
	name := program(args[0])
	c := &call{w: w, st: st, name: name, args: args[1:], env: env, span: span}
	defer func() { st.vars["_"] = args[len(args)-1] }()
	for _, v := range env[max(0, len(env)-maxTurns):] { // the last one counts
		if runsValue(v.Name) && v.Value.Plain() && w.depth < maxDepth {
			c.shell(v.Value, nil)
		}
	}
	if code, ok := w.alias[string(args[0])]; ok { // what it hides counts as well
		delete(w.alias, string(args[0]))
		c.parse(st, code+" "+Text(Quote(plainly(c.args))))
		w.alias[string(args[0])] = code
	}
	if body := st.fns[string(args[0])]; body != nil {
		c.function(body)
		return
	}
	if f := wrapper(name); f != nil {
		f(c)
		return
	}
	w.note(st, args, env, span)
	st.stayed = nil
	if f := builtin(name); f != nil {
		f(c)
		return
	}
	if f := writer(name); f != nil {
		f(c)
		return
	}
	if !args[0].Plain() { // "$CMD x": it cannot be told what runs
		c.opaque()
	}
	if t, ok := st.files[st.file(args[0])]; ok { // a script that the line has just written
		c.script(t, path.Base(string(args[0])))
	}
	st.puts(unknown)
}

// runsValue reports whether programs run what is in a variable of the environment.
func runsValue(name string) bool {
	switch name {
	case "EDITOR", "VISUAL", "PAGER", "MANPAGER", "GIT_EDITOR", "GIT_PAGER", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "PROMPT_COMMAND", "BROWSER":
		return true
	}
	return false
}

func plainly(all []Text) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = string(t)
	}
	return out
}

// Program is the name of the program, without folder and extension.
func (c Command) Program() string {
	if len(c.Args) == 0 {
		return ""
	}
	return program(c.Args[0])
}

// program is the name of a program without folder and extension.
func program(t Text) string {
	s := string(t)
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	if l := strings.ToLower(s); strings.HasSuffix(l, ".exe") || strings.HasSuffix(l, ".cmd") {
		s = l[:len(l)-4]
	}
	return s
}

// function runs a function of the line with its arguments.
func (c *call) function(body *syntax.Stmt) {
	w, st := c.w, c.st
	if w.depth >= maxDepth {
		return // recursion: one more round changes nothing that was not seen
	}
	w.depth++
	args := st.args
	st.args = append([]Text{}, c.args...)
	for _, a := range c.args {
		w.say(a)
	}
	w.stmt(st, body)
	st.args, st.dead = args, false
	w.depth--
}

// opaque notes that something runs that cannot be read.
func (c *call) opaque() {
	c.w.effect(c.st, Effect{Path: unknown, Kind: Code, Reach: Below, By: c.name, Span: c.span})
}

// effect takes a change down, once for each folder it may happen in.
func (w *walker) effect(st *state, e Effect) {
	p := string(e.Path)
	if p == "" || device(p) {
		return
	}
	if len(w.out.Effects) >= maxSteps {
		w.spent = maxSteps + 1
		return
	}
	e.Path = ofProcess(e.Path)
	if e.Path[0] == Any && e.Path != unknown && (len(st.dirs) > 1 || st.dirs[0] != "") { // it may be absolute
		w.out.Effects = append(w.out.Effects, e)
	}
	for _, d := range st.dirs {
		one := e
		one.Path = e.Path.in(d)
		w.out.Effects = append(w.out.Effects, one)
		w.makes(up(one.Path), one.Kind)
		if len(st.links) > 0 {
			for _, to := range st.led(one.Path) {
				one.Path = to
				w.out.Effects = append(w.out.Effects, one)
			}
		}
		if e.Path.rooted() {
			return
		}
	}
}

// makes notes that a path is no longer what lies there.
func (w *walker) makes(p Text, k Kind) {
	w.made[p] = w.made[p] || k != Write
}

// device reports whether a path is one of the system's that hold nothing.
func device(p string) bool {
	rest, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return strings.EqualFold(p, "nul")
	}
	switch rest {
	case "null", "stdout", "stderr", "stdin", "tty", "zero", "full":
		return true
	}
	return strings.HasPrefix(rest, "fd/") || strings.HasPrefix(rest, "tcp/") || strings.HasPrefix(rest, "udp/")
}

// change is an effect of this command.
func (c *call) change(p Text, k Kind, r Reach) {
	if k == Delete || k == Move {
		delete(c.st.files, c.st.file(p))
	}
	c.w.effect(c.st, Effect{Path: p, Kind: k, Reach: r, By: c.name, Span: c.span})
}

func (c *call) changes(paths []Text, k Kind, r Reach) {
	for _, p := range paths {
		c.change(p, k, r)
	}
}

// stat is what lies at a path in the folder of this command.
func (c *call) stat(p Text) Stat {
	if c.w.o.Stat == nil || len(c.st.dirs) != 1 {
		return Unknown
	}
	p = p.in(c.st.dirs[0])
	if !p.Exact() {
		return Unknown
	}
	s := c.w.o.Stat(p)
	if gone, ok := c.w.made[up(p)]; ok && (s == Missing || gone) { // no longer what it was
		return Unknown
	}
	return s
}

// input is what the command reads from standard input.
func (c *call) input() Text {
	if !c.st.hasIn {
		return unknown
	}
	return c.st.in
}

// shell follows code that this command hands to a shell of its own.
func (c *call) shell(code Text, args []Text) {
	sub := c.st.fork()
	sub.posix = c.name == "sh" || c.name == "dash" || c.name == "ash"
	sub.args, sub.zero = append([]Text{}, args...), c.zero
	for _, v := range c.env {
		sub.vars[v.Name] = v.Value
		sub.env[v.Name] = true
	}
	c.parse(sub, code)
	c.st.keep(sub)
}

// parse follows code in a state. Code of which a part is unknown is followed as
// far as it is known.
func (c *call) parse(st *state, code Text) {
	if code.Unknown() {
		c.opaque()
	}
	if code == unknown {
		return
	}
	span := c.span
	if err := c.w.code(st, string(code), &span); err != nil {
		if !errors.Is(err, errBroken) {
			c.w.spent = maxSteps + 1
		}
		c.opaque()
	}
}

// script follows the text of a script file, by what its first line or its name
// says it is.
func (c *call) script(t Text, name string) {
	first, _, _ := strings.Cut(string(t), "\n")
	if strings.HasPrefix(first, "#!") {
		if f := strings.Fields(first[2:]); len(f) > 0 {
			name = path.Base(f[0])
			if name == "env" && len(f) > 1 {
				name = f[len(f)-1]
			}
		}
	} else {
		name = "sh"
	}
	if isShell(name) {
		c.shell(t, c.args)
		return
	}
	if lang := language(name); lang != "" {
		c.inline(lang, t, c.args)
	}
}
