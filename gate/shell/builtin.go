package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// builtin is how a command of the shell's own, or one that only prints, is
// followed; nil for all others.
func builtin(name string) func(*call) {
	switch name {
	case "cd", "chdir":
		return (*call).cd
	case "pushd":
		return (*call).pushd
	case "popd":
		return (*call).popd
	case "exit", "return", "break", "continue":
		return func(c *call) { c.st.dead = true }
	case "eval":
		return func(c *call) { c.parse(c.st, joined(c.args)) }
	case "source", ".":
		return (*call).source
	case "trap":
		return (*call).trap
	case "set":
		return (*call).set
	case "shift":
		return (*call).shift
	case "unset":
		return (*call).unset
	case "read", "mapfile", "readarray", "getopts":
		return (*call).reads
	case "echo":
		return (*call).echo
	case "printf":
		return (*call).printf
	case "cat", "tac", "head", "tail":
		return (*call).cat
	case "pwd":
		return func(c *call) { c.st.puts(c.st.pwd() + "\n") }
	case "dirname", "basename", "realpath", "readlink":
		return (*call).pathOf
	case "base64":
		return (*call).base64
	case "find", "fd", "fdfind":
		return (*call).find
	case "ls":
		return (*call).ls
	case "alias":
		return (*call).alias
	case "which", "type":
		return func(c *call) {
			for _, o := range parse(c.args, spec{}).operands {
				c.st.puts(o + "\n")
			}
		}
	case "xxd":
		return (*call).hexadecimal
	case "test", "[", "true", "false", ":", "sleep", "wait", "shopt", "umask", "ulimit", "hash", "kill", "jobs":
		return func(*call) {}
	}
	return nil
}

func (c *call) cd() {
	to, given := Text(""), false
	for _, a := range c.args {
		if a == "--" || len(a) > 1 && a[0] == '-' && a.Plain() {
			continue
		}
		to, given = a, true
		break
	}
	switch {
	case !given && len(c.args) == 1 && c.args[0] == "-", len(c.args) > 0 && c.args[len(c.args)-1] == "-":
		to = c.st.vars["OLDPWD"]
		if to == "" {
			to = unknown
		}
	case !given:
		to = Text([]byte{Home})
		if h, ok := c.st.vars["HOME"]; ok {
			to = h
		}
	}
	c.enter(to)
}

// enter makes a folder the current one. One that is not there leaves the shell
// where it is; one that may not be there, too.
func (c *call) enter(to Text) {
	st := c.st
	old := st.dirs
	st.vars["OLDPWD"] = st.pwd()
	st.dirs = nil
	var reached []Text
	for _, d := range old {
		p := up(to.in(d))
		st.addDir(p)
		if to != "" && to[0] == Any { // it may be absolute
			st.addDir(to)
		}
		reached = append(reached, p)
		if path, ok := st.vars["CDPATH"]; ok && !to.rooted() && !strings.HasPrefix(string(to), ".."+"/") && !strings.HasPrefix(string(to), "./") {
			for part := range strings.SplitSeq(string(path), ":") {
				st.addDir(up(to.in(Text(part).in(d))))
			}
		}
		stat := Unknown
		if c.w.o.Stat != nil && p.Exact() {
			stat = c.w.o.Stat(p)
		}
		if stat == Missing || stat == Other || to == unknown {
			st.addDir(d)
			st.stayed = append(st.stayed, d)
		}
	}
	st.stayed = slices.DeleteFunc(st.stayed, func(d Text) bool { return slices.Contains(reached, d) })
}

// up takes out the names that ".." leads back from, as "cd" does. Names that
// are not known stay.
func up(t Text) Text {
	if !t.Exact() || t == "" {
		return t
	}
	head := ""
	rest := string(t)
	if t[0] == Home || t[0] == Root || t[0] == Here {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return t
		}
		head, rest = rest[:i], rest[i:]
		if strings.HasPrefix(path.Clean(rest[1:]), "..") {
			return t // above the home
		}
	}
	clean := path.Clean(rest)
	if head != "" && clean == "/" {
		clean = ""
	}
	if head == "" && clean == "." {
		return ""
	}
	return Text(head + clean)
}

func (c *call) pushd() {
	c.st.stack = append(c.st.stack, c.st.pwdOrUnknown())
	if len(c.args) > 0 && !strings.HasPrefix(string(c.args[0]), "+") && !strings.HasPrefix(string(c.args[0]), "-") {
		old := c.st.dirs
		c.enter(c.args[len(c.args)-1])
		if c.st.posix { // dash has no pushd
			for _, d := range old {
				c.st.addDir(d)
			}
		}
		return
	}
	c.st.dirs = []Text{unknown}
}

func (c *call) popd() {
	n := len(c.st.stack)
	if n == 0 {
		return
	}
	c.st.dirs, c.st.stack = []Text{c.st.stack[n-1]}, c.st.stack[:n-1]
}

func (c *call) source() {
	if len(c.args) == 0 {
		return
	}
	c.parse(c.st, c.w.fileOrInput(c, c.args[0]))
}

func (c *call) trap() {
	if len(c.args) > 1 && c.args[0] != "-" && !strings.HasPrefix(string(c.args[0]), "-") {
		c.parse(c.st.fork(), c.args[0])
		c.w.traps = append(c.w.traps, c) // it runs where the shell is then
	}
}

func (c *call) set() {
	for i, a := range c.args {
		if len(a) > 1 && (a[0] == '-' || a[0] == '+') && a[1] != '-' && strings.Contains(string(a), "a") {
			c.st.auto = a[0] == '-'
		}
		if a == "--" || a == "-" {
			c.st.args = append([]Text{}, c.args[i+1:]...)
			return
		}
		if a != "" && a[0] != '-' && a[0] != '+' && (i == 0 || c.args[i-1] != "-o" && c.args[i-1] != "+o" && !strings.HasSuffix(string(c.args[i-1]), "o")) {
			c.st.args = append([]Text{}, c.args[i:]...)
			return
		}
	}
}

func (c *call) shift() {
	n := 1
	if len(c.args) > 0 {
		n, _ = strconv.Atoi(string(c.args[0]))
	}
	if n >= 0 && n <= len(c.st.args) {
		c.st.args = c.st.args[n:]
	}
}

func (c *call) unset() {
	for _, a := range c.args {
		delete(c.st.fns, string(a))
		delete(c.st.lists, string(a))
		if _, ok := c.st.vars[string(a)]; ok {
			c.st.vars[string(a)] = ""
		}
	}
}

// reads sets variables from standard input.
func (c *call) reads() {
	in := c.input()
	var names []string
	for i := 0; i < len(c.args); i++ {
		a := string(c.args[i])
		if len(a) > 1 && a[0] == '-' {
			if strings.IndexByte("dnNutpiaCcOs", a[len(a)-1]) >= 0 && a != "-s" && (a != "-t" || c.name == "read") {
				i++
				if strings.HasSuffix(a, "a") && i < len(c.args) {
					c.st.lists[string(c.args[i])] = split(in)
				}
			}
			continue
		}
		names = append(names, a)
	}
	if c.name == "read" {
		if len(names) == 0 {
			names = []string{"REPLY"}
		}
		c.st.read(lines(in)[0], names)
		return
	}
	for _, a := range names {
		delete(c.st.vars, a)
		c.st.lists[a] = lines(in)
	}
}

func (c *call) echo() {
	args, end, escapes := c.args, Text("\n"), false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(string(args[0][1:]), "neE") == "" {
		if strings.Contains(string(args[0]), "n") {
			end = ""
		}
		escapes = escapes || strings.Contains(string(args[0]), "e")
		args = args[1:]
	}
	t := joined(args)
	if escapes {
		t = Text(ansi(string(t)))
	}
	c.st.puts(t + end)
}

// printf knows %s, %b and %q and what is written out.
func (c *call) printf() {
	args := c.args
	if len(args) > 1 && args[0] == "-v" {
		c.st.vars[string(args[1])] = unknown
		if len(args) > 2 {
			c.st.vars[string(args[1])] = format(string(args[2]), args[3:])
		}
		return
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) > 0 {
		c.st.puts(format(string(args[0]), args[1:]))
	}
}

func format(f string, args []Text) Text {
	var b strings.Builder
	for round := 0; round == 0 || len(args) > 0 && round < maxFields; round++ {
		used := false
		s := ansi(f)
		for i := 0; i < len(s); i++ {
			if s[i] != '%' || i+1 == len(s) {
				b.WriteByte(s[i])
				continue
			}
			i++
			switch c := s[i]; {
			case c == '%':
				b.WriteByte('%')
			case c == 's' || c == 'b' || c == 'q':
				used = true
				if len(args) > 0 {
					b.WriteString(string(args[0]))
					args = args[1:]
				}
			default: // a width, a number
				used = true
				for i < len(s) && strings.IndexByte("0123456789.-+ #*l", s[i]) >= 0 {
					i++
				}
				b.WriteByte(Any)
				if len(args) > 0 {
					args = args[1:]
				}
			}
		}
		if !used || b.Len() > maxText {
			break
		}
	}
	return Text(b.String())
}

// cat prints its input, or files that the line has written.
func (c *call) cat() {
	p := parse(c.args, spec{short: "n:c:", long: "lines= bytes="})
	if len(p.operands) == 0 {
		c.st.puts(c.input())
		return
	}
	for _, f := range p.operands {
		if f == "-" {
			c.st.puts(c.input())
			continue
		}
		c.st.puts(c.w.contents(c.st, f))
	}
}

func (c *call) pathOf() {
	p := parse(c.args, spec{short: "s:", long: "suffix="})
	for _, o := range p.operands {
		switch {
		case c.name == "dirname":
			o = o.dir()
		case c.name == "basename":
			o = o.Base()
			if len(p.operands) == 2 {
				o = Text(strings.TrimSuffix(string(o), string(p.operands[1])))
			}
		case !o.rooted():
			o = o.in(c.st.pwdOrUnknown())
		}
		c.st.puts(o + "\n")
		if c.name == "basename" {
			return
		}
	}
}

// alias takes down what a word stands for. In a script bash asks for a switch
// first; the agents' shells have it on.
func (c *call) alias() {
	for _, a := range c.args {
		if name, code, ok := strings.Cut(string(a), "="); ok && name != "" {
			if c.w.alias == nil {
				c.w.alias = map[string]Text{}
			}
			c.w.alias[name] = Text(code)
		}
	}
}

func (c *call) ls() {
	p := parse(c.args, spec{short: "I:w:T:"})
	for _, o := range p.operands {
		if c.stat(o) != Other && !p.has("d") {
			c.st.puts(Text([]byte{Star, '\n'}))
		}
		if c.stat(o) != Folder && !strings.HasSuffix(string(o), "/") {
			c.st.puts(o + "\n")
		}
	}
	if len(p.operands) == 0 {
		c.st.puts(Text([]byte{Star, '\n'}))
	}
}
