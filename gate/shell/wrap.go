package shell

import (
	"slices"
	"strings"
)

// isShell reports whether a program runs shell code.
func isShell(name string) bool {
	switch strings.TrimPrefix(name, "-") {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "rbash", "csh", "tcsh", "yash":
		return true
	}
	return false
}

// wrapper is how a program that runs another command is followed; nil for all
// others.
func wrapper(name string) func(*call) {
	if isShell(name) {
		return (*call).shells
	}
	switch name {
	case "sudo", "doas", "run0", "env", "nice", "ionice", "nohup", "time", "stdbuf", "timeout", "gtimeout", "setsid", "chrt", "taskset", "command",
		"exec", "builtin", "pkexec", "chronic", "screen", "busybox", "toybox", "unbuffer", "caffeinate", "strace", "ltrace", "noglob", "nocorrect", "then", "watch", "flock", "script", "chroot",
		"fakeroot", "proxychains", "dotenv", "npx", "bunx", "pnpx", "uvx", "rtk", "entr", "unshare", "nsenter", "firejail", "bwrap", "systemd-run", "xvfb-run", "catchsegv", "setarch", "linux64":
		return (*call).prefix
	case "su", "runuser", "sg":
		return (*call).su
	case "tmux":
		return (*call).tmux
	case "at", "batch":
		return func(c *call) {
			c.noted()
			if c.st.hasIn {
				c.shell(c.st.in, nil)
			}
		}
	case "expect":
		return (*call).expect
	case "xargs", "gxargs":
		return (*call).xargs
	case "parallel":
		return (*call).parallel
	case "ssh", "mosh":
		return (*call).ssh
	}
	if launches(name) != "" {
		return (*call).launch
	}
	return nil
}

// launches are the subcommands of a program behind which another command stands.
func launches(name string) string {
	switch name {
	case "uv", "poetry", "pipenv", "rye", "pdm", "hatch", "conda", "micromamba":
		return "run"
	case "npm", "pnpm", "yarn", "mise", "asdf", "bundle", "rbenv", "pyenv", "direnv", "opam", "devbox":
		return "exec x dlx"
	case "nix-shell":
		return "-"
	}
	return ""
}

// launch follows what "uv run", "npm exec" and their like start.
func (c *call) launch() {
	s := spec{short: "p:n:C:", long: "with= python= project= directory= package= extra= group= name= prefix= call= run= command=", stop: true}
	p := parse(c.args, s)
	c.noted()
	if code := p.value("run", "command"); code != "" && c.name == "nix-shell" {
		c.shell(code, nil)
	} else if len(p.operands) > 1 && slices.Contains(strings.Fields(launches(c.name)), string(p.operands[0])) {
		s.short += "c:"
		rest := parse(p.operands[1:], s)
		if code := rest.value("c", "call"); code != "" {
			c.shell(code, nil)
		}
		if c.name == "direnv" && len(rest.operands) > 0 {
			rest.operands = rest.operands[1:]
		}
		if c.name == "mise" { // tools come before "--"
			if i := slices.Index(p.operands, "--"); i >= 0 {
				rest.operands = p.operands[i+1:]
			}
		}
		c.again(c.st, rest.operands, c.env)
	}
	c.st.puts(unknown)
}

// ssh runs on another machine, but for one name.
func (c *call) ssh() {
	c.noted()
	p := parse(c.args, spec{short: "b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:", stop: true})
	if len(p.operands) > 1 {
		switch host := string(p.operands[0]); host[strings.LastIndexByte(host, '@')+1:] {
		case "localhost", "127.0.0.1", "::1":
			sub := *c
			sub.st = c.st.fork()
			sub.st.dirs = []Text{"\xfa"}
			sub.shell(joined(p.operands[1:]), nil)
		}
	}
	c.st.puts(unknown)
}

// tmux hands commands to shells, or types them.
func (c *call) tmux() {
	c.noted()
	p := parse(c.args, spec{short: "s:n:t:c:x:y:e:F:L:S:f:"})
	for i, o := range p.operands {
		if i > 0 {
			c.shell(o, nil)
		}
	}
	if len(p.operands) > 2 {
		c.again(c.st.fork(), p.operands[1:], nil)
	}
}

// expect starts what its scripts spawn.
func (c *call) expect() {
	c.noted()
	for _, code := range append(parse(c.args, spec{short: "c:"}).values("c"), c.st.in) {
		for l := range strings.FieldsFuncSeq(string(code), func(r rune) bool { return r == '\n' || r == ';' }) {
			if cmd, ok := strings.CutPrefix(strings.TrimSpace(l), "spawn "); ok {
				c.shell(Text(cmd), nil)
			}
		}
	}
}

// prefixes are the options, with and without a value, that wrappers take before
// the command that they run, and the operands that come before it.
func prefixes(name string) (s spec, operands int) {
	switch name {
	case "sudo", "doas", "run0":
		return spec{short: "u:g:C:c:h:p:r:R:t:T:D:U:", long: "user= group= host= prompt= chdir= chroot= close-from= role= type= other-user= command-timeout="}, 0
	case "env":
		return spec{short: "u:C:S:P:", long: "unset= chdir= split-string="}, 0
	case "nice", "gnice":
		return spec{short: "n:", long: "adjustment="}, 0
	case "ionice":
		return spec{short: "c:n:p:P:u:", long: "class= classdata="}, 0
	case "time":
		return spec{short: "f:o:", long: "format= output="}, 0
	case "stdbuf":
		return spec{short: "i:o:e:", long: "input= output= error="}, 0
	case "timeout", "gtimeout":
		return spec{short: "k:s:", long: "kill-after= signal="}, 1
	case "taskset", "chrt", "setarch", "chroot":
		return spec{short: "", long: "userspec= groups="}, 1
	case "flock":
		return spec{short: "w:E:c:", long: "timeout= wait= conflict-exit-code= command="}, 1
	case "exec":
		return spec{short: "a:"}, 0
	case "watch":
		return spec{short: "n:q:", long: "interval="}, 0
	case "screen":
		return spec{short: "S:c:t:p:h:e:s:T:"}, 0
	case "strace", "ltrace":
		return spec{short: "e:o:p:s:u:a:O:S:P:E:I:b:X:"}, 0
	case "script":
		return spec{short: "c:T:I:O:B:E:m:o:", long: "command="}, 1
	case "npx", "bunx", "pnpx", "uvx":
		return spec{short: "p:c:", long: "package= call= from= with= python="}, 0
	case "bwrap", "systemd-run", "unshare", "nsenter", "firejail":
		return spec{short: "p:u:E:S:G:t:", long: "property= unit= setenv= uid= gid="}, 0
	}
	return spec{}, 0
}

// prefix takes a wrapper off and follows what is behind it.
func (c *call) prefix() {
	s, operands := prefixes(c.name)
	s.stop = true
	p := parse(c.args, s)
	st, env := c.st, c.env
	if dir := p.value("C", "chdir", "D"); dir != "" && (c.name == "env" || c.name == "sudo" || c.name == "run0") {
		st = st.fork()
		(&call{w: c.w, st: st, name: "cd", span: c.span}).enter(dir)
	}
	switch {
	case c.name == "command" && p.has("v", "V"):
		c.st.puts(joined(p.operands) + "\n")
		return
	case c.name == "exec" && len(c.args) == 0:
		return // its redirections are all it is about
	case c.name == "script" || c.name == "time" || c.name == "strace":
		c.traced(p)
	}
	rest := p.operands
	if code := p.value("c", "command", "call"); code != "" && (c.name == "script" || c.name == "flock" || strings.HasSuffix(c.name, "x")) {
		c.shell(code, nil)
		return
	}
	if s := p.value("S", "split-string"); s != "" && c.name == "env" {
		rest = append(split(s), rest...)
	}
	if operands > 0 && len(rest) > 0 {
		rest = rest[min(operands, len(rest)):]
	}
	for len(rest) > 0 && (c.name == "env" || c.name == "sudo" || c.name == "doas" || c.name == "busybox") {
		name, value, ok := strings.Cut(string(rest[0]), "=")
		if !ok || name == "" || strings.ContainsAny(name, "/ \n") {
			break
		}
		env = append(env, Var{name, Text(value)})
		rest = rest[1:]
	}
	if c.name == "script" {
		return
	}
	if len(rest) == 1 && c.name == "watch" {
		c.shell(rest[0], nil)
		return
	}
	if c.name == "flock" && len(rest) > 1 && rest[0] == "-c" {
		c.shell(rest[1], nil)
		return
	}
	c.again(st, rest, env)
}

// again follows a command that was inside this one.
func (c *call) again(st *state, args []Text, env []Var) {
	if len(args) == 0 {
		return
	}
	if c.w.depth >= maxDepth*4 {
		c.w.spent = maxSteps + 1
		return
	}
	c.w.depth++
	out := st.out
	c.w.run(st, args, env, c.span)
	st.out = out
	c.w.depth--
}

// traced writes the files that some wrappers write themselves.
func (c *call) traced(p parsed) {
	switch c.name {
	case "script":
		if len(p.operands) > 0 {
			c.change(p.operands[0], Write, File)
		}
	default:
		c.changes(p.values("o", "output"), Write, File)
	}
}

func (c *call) su() {
	p := parse(c.args, spec{short: "c:s:g:G:w:u:", long: "command= shell= group= user="})
	if code := p.value("c", "command"); code != "" {
		c.shell(code, nil)
	} else if c.name == "runuser" && p.has("u", "user") {
		c.again(c.st, p.operands, c.env)
	}
}

// shells is sh, bash and their like: code with -c, a script, or standard input.
func (c *call) shells() {
	c.noted()
	args := slices.DeleteFunc(slices.Clone(c.args), func(t Text) bool { return len(t) > 1 && t[0] == '+' }) // +x takes an option back
	p := parse(args, spec{short: "O:o:", long: "rcfile= init-file=", stop: true})
	switch {
	case p.has("c", "command") && len(p.operands) > 0:
		args := p.operands[1:]
		if len(args) > 0 {
			c.zero, args = args[0], args[1:]
		}
		c.shell(p.operands[0], args)
		c.st.puts("")
	case p.has("c") || p.has("version", "help"):
	case len(p.operands) > 0 && !p.has("s"):
		t := c.w.fileOrInput(c, p.operands[0])
		if t != unknown {
			c.args = p.operands[1:]
			c.script(t, c.name)
		}
		c.st.puts(unknown)
	default:
		if c.st.hasIn {
			c.shell(c.st.in, p.operands)
		}
		c.st.puts(unknown)
	}
}

// xargs runs a command with what it reads.
func (c *call) xargs() {
	p := parse(c.args, spec{short: "a:d:E:e::I:i::J:L:l::n:P:R:s:S:", long: "arg-file= delimiter= eof replace max-lines max-args= max-procs= max-chars= process-slot-var= null no-run-if-empty verbose", stop: true})
	in := c.input()
	if f := p.value("a", "arg-file"); f != "" {
		in = c.w.contents(c.st, f)
	}
	items := split(in)
	if p.has("0", "null", "d", "delimiter") || p.has("I", "replace", "L") {
		items = lines(Text(strings.ReplaceAll(string(in), "\x00", "\n")))
	}
	if len(items) > maxTurns {
		items = append(items[:maxTurns:maxTurns], unknown)
	}
	mark := p.value("I", "J", "replace", "i")
	if mark == "" && p.has("i", "replace") {
		mark = "{}"
	}
	args := p.operands
	if len(args) == 0 {
		args = []Text{"echo"}
	}
	if mark == "" {
		c.again(c.st, append(args[:len(args):len(args)], items...), c.env)
		return
	}
	c.each(args, mark, items)
}

// each follows a command once for each item in the place of mark.
func (c *call) each(args []Text, mark Text, items []Text) {
	for _, item := range items {
		one := make([]Text, len(args))
		for i, a := range args {
			one[i] = Text(strings.ReplaceAll(string(a), string(mark), string(item)))
		}
		c.again(c.st, one, c.env)
	}
}

func (c *call) parallel() {
	p := parse(c.args, spec{short: "j:I:a:N:n:L:S:C:P:d:E:", long: "jobs= arg-file= max-procs= colsep= delimiter= joblog= results= tmpdir= delay= retries= timeout= load=", stop: true})
	args := p.operands
	var items []Text
	for i, a := range args {
		if strings.HasPrefix(string(a), ":::") {
			for _, it := range args[i+1:] {
				if !strings.HasPrefix(string(it), ":::") {
					items = append(items, it)
				}
			}
			args = args[:i]
			break
		}
	}
	if items == nil {
		items = lines(c.input())
	}
	code := joined(args)
	c.noted()
	for i, it := range items {
		if i > maxTurns {
			break
		}
		switch {
		case len(args) == 0:
			c.shell(it, nil)
		case strings.Contains(string(code), "{}"):
			c.shell(Text(strings.ReplaceAll(string(code), "{}", string(it))), nil)
		default:
			c.shell(code+" "+it, nil)
		}
	}
}

// noted takes the command itself down.
func (c *call) noted() {
	c.w.note(c.st, append([]Text{Text(c.name)}, c.args...), c.env, c.span)
}
