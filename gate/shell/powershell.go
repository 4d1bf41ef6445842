package shell

import "strings"

// powershell follows pwsh -Command.
func (c *call) powershell() {
	for i, a := range c.args {
		l := strings.ToLower(string(a))
		if len(l) > 1 && l[0] == '-' && strings.HasPrefix("-command", l) && i+1 < len(c.args) {
			c.cmdlets(string(joined(c.args[i+1:])))
			return
		}
	}
	if len(c.args) > 0 && !strings.HasPrefix(string(c.args[0]), "-") && !strings.HasSuffix(string(c.args[0]), ".ps1") {
		c.cmdlets(string(joined(c.args)))
	}
}

// AnalyzePowerShell reads a line of PowerShell as far as it is simple: cmdlets
// that write, and redirections. Other programs are followed as in bash.
func AnalyzePowerShell(line string, o Options) (*Analysis, error) {
	w := newWalker(o)
	c := &call{w: w, st: newState(), name: "powershell", span: Span{0, len(line)}}
	if len(line) > maxCode {
		return w.done(), ErrMuch
	}
	c.cmdlets(line)
	if w.spent > maxSteps {
		return w.done(), ErrMuch
	}
	return w.done(), nil
}

// cmdlets cuts a line into statements and these into words.
func (c *call) cmdlets(line string) {
	vars := map[string]Text{}
	for _, words := range psWords(line) {
		if !c.w.step() {
			return
		}
		for i, w := range words {
			if s := string(w); strings.HasPrefix(s, "$") {
				name := strings.ToLower(strings.TrimPrefix(s, "$"))
				if v, ok := vars[name]; ok {
					words[i] = v
				} else if i > 0 {
					words[i] = psVariable(s)
				}
			}
		}
		if len(words) > 2 && words[1] == "=" {
			vars[strings.ToLower(strings.TrimPrefix(string(words[0]), "$"))] = words[2]
			continue
		}
		c.cmdlet(words)
	}
}

func psVariable(s string) Text {
	for _, home := range []string{"$HOME", "$env:USERPROFILE", "$env:HOME", "$Env:USERPROFILE", "${HOME}"} {
		if rest, ok := strings.CutPrefix(s, home); ok {
			return Text("\xfa" + rest)
		}
	}
	return unknown
}

// cmdlet is one command.
func (c *call) cmdlet(words []Text) {
	for i := 0; i < len(words); i++ {
		if w := string(words[i]); (w == ">" || w == ">>" || strings.HasSuffix(w, ">") && strings.Trim(w, "0123456789*>") == "") && i+1 < len(words) {
			c.change(words[i+1], Write, File)
			words = append(words[:i:i], words[i+2:]...)
			i--
		}
	}
	if len(words) == 0 {
		return
	}
	named, operands := psParameters(words[1:])
	one := func(names ...string) []Text {
		for _, n := range names {
			if v := named[n]; v != "" {
				return psList(v)
			}
		}
		if len(operands) > 0 {
			return psList(operands[0])
		}
		return nil
	}
	name := *c
	name.name = string(words[0])
	switch strings.ToLower(string(words[0])) {
	case "set-content", "add-content", "out-file", "new-item", "clear-content", "tee-object", "export-csv", "export-clixml", "sc", "ac", "ni", "set-itemproperty":
		name.changes(one("path", "filepath", "literalpath"), Write, File)
		return
	case "remove-item", "ri", "rm", "del", "erase", "rd", "rmdir":
		name.changes(one("path", "literalpath"), Delete, Tree)
		return
	case "move-item", "mi", "mv", "move", "rename-item", "ren", "rni":
		name.changes(one("path", "literalpath"), Move, Tree)
		fallthrough
	case "copy-item", "ci", "cp", "copy", "cpi":
		to := named["destination"] + named["newname"]
		if to == "" && len(operands) > 1 {
			to = operands[1]
		}
		for _, f := range one("path", "literalpath") {
			if to != "" {
				name.arrive(f, to, arrival{deep: true})
			}
		}
		return
	case "set-location", "cd", "sl", "push-location", "pushd", "chdir":
		if d := one("path"); len(d) > 0 {
			name.enter(d[0])
		}
		return
	case "invoke-webrequest", "iwr", "invoke-restmethod", "irm", "expand-archive", "start-bitstransfer":
		for _, n := range []string{"outfile", "destinationpath", "destination"} {
			if v := named[n]; v != "" {
				name.change(v, Write, File)
				name.change(v, Write, Below)
			}
		}
		return
	case "&", ".", "invoke-expression", "iex":
		if len(words) > 1 {
			c.again(c.st, words[1:], nil)
		}
		return
	}
	if s := string(words[0]); strings.HasPrefix(s, "[") { // [IO.File]::WriteAllText("a", …)
		name.inline("other", joined(words), nil)
		return
	}
	c.again(c.st, words, nil)
}

func psList(t Text) (all []Text) {
	for s := range strings.SplitSeq(string(t), ",") {
		s = strings.TrimSpace(s)
		if strings.HasPrefix(s, "~") {
			s = "\xfa" + s[1:]
		}
		all = append(all, Text(globs(strings.ReplaceAll(s, `\`, "/"))))
	}
	return all
}

// psParameters are -Name value pairs, by names in lower case, and the rest.
func psParameters(words []Text) (named map[string]Text, operands []Text) {
	named = map[string]Text{}
	for i := 0; i < len(words); i++ {
		w := string(words[i])
		if len(w) < 2 || w[0] != '-' {
			operands = append(operands, words[i])
			continue
		}
		n, v, ok := strings.Cut(strings.ToLower(w[1:]), ":")
		switch n {
		case "force", "recurse", "append", "nonewline", "passthru", "confirm", "whatif", "verbose", "noclobber":
			continue
		}
		if !ok && i+1 < len(words) {
			i++
			named[n] = words[i]
		} else {
			named[n] = Text(v)
		}
	}
	return named, operands
}

// psWords cuts PowerShell into statements, at ";", "|", "&&" and line ends, and
// these into words.
func psWords(line string) (all [][]Text) {
	var words []Text
	var b strings.Builder
	inWord := false
	word := func() {
		if inWord {
			words = append(words, Text(b.String()))
			b.Reset()
			inWord = false
		}
	}
	stmt := func() {
		word()
		if len(words) > 0 {
			all = append(all, words)
			words = nil
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				end = len(line) - i - 1
			}
			s := line[i+1 : i+1+end]
			if c == '"' && strings.HasPrefix(s, "$") {
				s = string(psVariable(s))
			}
			b.WriteString(s)
			inWord = true
			i += end + 1
		case c == '`' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
			inWord = true
		case c == ' ' || c == '\t' || c == '(' || c == ')':
			word()
		case c == ';' || c == '|' || c == '\n' || c == '\r' || c == '{' || c == '}' || c == '&' && i+1 < len(line) && line[i+1] == '&':
			stmt()
		case c == '#' && !inWord:
			for i < len(line) && line[i] != '\n' {
				i++
			}
		case c == '>' && (!inWord || strings.Trim(b.String(), "0123456789*") == ""):
			b.WriteByte(c)
			inWord = true
			if i+1 < len(line) && line[i+1] == '>' {
				i++
				b.WriteByte('>')
			}
			word()
		default:
			b.WriteByte(c)
			inWord = true
		}
	}
	stmt()
	return all
}
