package shell

import "strings"

// find follows find and fd: what they delete, write and run.
func (c *call) find() {
	if c.name != "find" {
		c.fd()
		return
	}
	var roots, names []Text
	deletes := false
	var execs [][]Text
	i := 0
	for ; i < len(c.args) && (c.args[i] == "-L" || c.args[i] == "-H" || c.args[i] == "-P" || strings.HasPrefix(string(c.args[i]), "-O")); i++ {
	}
	for ; i < len(c.args); i++ {
		a := string(c.args[i])
		if strings.HasPrefix(a, "-") || a == "(" || a == "!" || a == ")" {
			break
		}
		roots = append(roots, c.args[i])
	}
	negated := false
	for ; i < len(c.args); i++ {
		switch a := string(c.args[i]); a {
		case "!", "-not":
			negated = true
			continue
		case "-delete":
			deletes = true
		case "-name", "-iname", "-path", "-wholename", "-ipath":
			i++
			if i < len(c.args) && !negated {
				names = append(names, nameOf(a, c.args[i]))
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(c.args) && c.args[end] != ";" && (c.args[end] != "+" || c.args[end-1] != "{}") {
				end++
			}
			execs = append(execs, c.args[i+1:end])
			i = end
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(c.args) {
				c.change(c.args[i+1], Write, File)
			}
		}
		negated = false
	}
	c.found(roots, names, deletes, execs)
}

// nameOf is the pattern of paths that a test of find lets through.
func nameOf(test string, t Text) Text {
	s := globs(string(t))
	s = strings.NewReplacer(string([]byte{Star}), string([]byte{StarDot}), string([]byte{Deep}), string([]byte{StarDot})).Replace(s)
	if strings.Contains(test, "path") || strings.Contains(test, "whole") {
		s = strings.ReplaceAll(s, string([]byte{StarDot}), string([]byte{Any}))
		return Text("\x00" + s) // of the whole path
	}
	return Text(s)
}

// found is what find does to what it finds.
func (c *call) found(roots, names []Text, deletes bool, execs [][]Text) {
	if len(roots) == 0 {
		roots = []Text{"."}
	}
	var files []Text
	for _, r := range roots {
		below := join(r, Text([]byte{DeepDot, '/'}))
		if len(names) == 0 {
			files = append(files, r, below+Text([]byte{StarDot}))
		}
		for _, n := range names {
			if whole, ok := strings.CutPrefix(string(n), "\x00"); ok {
				files = append(files, Text(whole))
				continue
			}
			files = append(files, below+n)
			if r.Base() == n {
				files = append(files, r)
			}
		}
	}
	if deletes {
		c.changes(files, Delete, File)
	}
	for _, cmd := range execs {
		c.each(cmd, "{}", files)
	}
	if !deletes && len(execs) == 0 {
		for _, f := range files {
			c.st.puts(f + "\n")
		}
	}
}

// fd follows fd -x and -X; its patterns are regular expressions.
func (c *call) fd() {
	found := unknown
	if p := parse(c.args, spec{short: "e:t:d:E:x:X:", long: "extension= type= max-depth= exclude= exec= exec-batch=", stop: true}); len(p.operands) > 1 {
		found = join(p.operands[1], unknown)
		if rest := parse(p.operands[1:], spec{stop: true}).operands; len(rest) > 0 {
			found = join(rest[0], unknown)
		}
	}
	for i, a := range c.args {
		if a == "-x" || a == "-X" || a == "--exec" || a == "--exec-batch" {
			cmd := c.args[i+1:]
			has := false
			for _, t := range cmd {
				has = has || strings.Contains(string(t), "{}")
			}
			if !has {
				cmd = append(cmd[:len(cmd):len(cmd)], "{}")
			}
			c.each(cmd, "{}", []Text{found})
			return
		}
	}
	c.st.puts(found)
}
