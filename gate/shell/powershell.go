package shell

import (
	"strings"
)

// powershell follows pwsh -Command.
func (c *call) powershell() {
	for i, a := range c.args {
		l := strings.ToLower(string(a))
		switch {
		case len(l) < 2 || l[0] != '-' || i+1 == len(c.args):
		case strings.HasPrefix("-command", l):
			c.cmdlets(string(joined(c.args[i+1:])))
			return
		case strings.HasPrefix("-encodedcommand", l) || l == "-ec":
			if code, ok := utf16Of(string(c.args[i+1])); ok {
				c.cmdlets(code)
			} else {
				c.opaque()
			}
			return
		}
	}
	if len(c.args) > 0 && !strings.HasPrefix(string(c.args[0]), "-") && !strings.HasSuffix(string(c.args[0]), ".ps1") {
		c.cmdlets(string(joined(c.args)))
	}
}

// cmdExe is cmd /c, as far as its commands are PowerShell's by name.
func (c *call) cmdExe() {
	for i, a := range c.args {
		if l := strings.TrimLeft(strings.ToLower(string(a)), "/"); a[0:min(1, len(a))] == "/" && (l == "c" || l == "k" || l == "r") {
			code := string(joined(c.args[i+1:]))
			for _, home := range []string{"%USERPROFILE%", "%HOMEDRIVE%%HOMEPATH%", "%userprofile%"} {
				code = strings.ReplaceAll(code, home, "~")
			}
			c.cmdlets(code)
			return
		}
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
	var got []Text // what the statement before hands on
	for _, s := range psWords(line) {
		words := psJoined(s.words)
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
		if !s.piped {
			got = nil
		}
		c.cmdlet(words, got)
		got = psFound(words)
	}
}

// psFound are the files that a cmdlet hands on to the next one.
func psFound(words []Text) []Text {
	if len(words) == 0 {
		return nil
	}
	switch strings.ToLower(string(words[0])) {
	case "get-childitem", "gci", "ls", "dir", "get-item", "gi", "resolve-path", "write-output":
		named, operands := psParameters(words[1:])
		if p := named["path"] + named["literalpath"]; p != "" {
			return psList(p)
		}
		if len(operands) > 0 {
			return psList(operands[0])
		}
	}
	return nil
}

// psJoined puts Join-Path and its two words together.
func psJoined(words []Text) (out []Text) {
	for i := 0; i < len(words); i++ {
		if strings.EqualFold(string(words[i]), "Join-Path") && i+2 < len(words) {
			out = append(out, join(psVariableOr(words[i+1]), words[i+2]))
			i += 2
			continue
		}
		out = append(out, words[i])
	}
	return out
}

func psVariableOr(t Text) Text {
	if strings.HasPrefix(string(t), "$") {
		return psVariable(string(t))
	}
	return t
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
func (c *call) cmdlet(words, piped []Text) {
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
		return piped
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
				name.arrive(f, psList(to)[0], arrival{deep: true})
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
				v = psList(v)[0]
				name.change(v, Write, File)
				name.change(v, Write, Below)
			}
		}
		return
	case "&", ".":
		if len(words) > 1 {
			c.cmdlet(words[1:], piped)
		}
		return
	case "invoke-expression", "iex":
		if len(words) > 1 && c.w.step() && c.w.depth < maxDepth {
			c.w.depth++
			c.cmdlets(string(joined(words[1:])))
			c.w.depth--
		}
		return
	}
	if _, method, ok := strings.Cut(strings.ToLower(string(words[0])), "]::"); ok { // [IO.File]::WriteAllText("a", …)
		name.netMethod(method, words[1:])
		return
	}
	c.again(c.st, words, nil)
}

// netMethod is a static method of .NET that changes files.
func (c *call) netMethod(name string, args []Text) {
	for _, verb := range []string{"write", "append", "delete", "move", "copy", "create", "replace", "openwrite", "set"} {
		if strings.HasPrefix(name, verb) {
			for _, a := range args {
				c.changes(psList(a), Write, Tree)
			}
		}
	}
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

// psStatement is one command, and whether it is given what the one before it finds.
type psStatement struct {
	words []Text
	piped bool
}

// psWords cuts PowerShell into statements, at ";", "|", "&&" and line ends, and
// these into words.
func psWords(line string) (all []psStatement) {
	var words []Text
	piped := false
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
			all = append(all, psStatement{words, piped})
			words = nil
		}
		piped = false
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
			piped = c == '|' && !strings.HasPrefix(line[i+1:], "|")
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
