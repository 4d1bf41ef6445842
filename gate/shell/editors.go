package shell

import (
	"strings"
)

func (c *call) sed() {
	p := parse(c.args, spec{short: "e:f:l:i::E", long: "expression= file= line-length= in-place quiet silent regexp-extended null-data separate follow-symlinks"})
	script := p.values("e", "expression")
	files := p.operands
	if len(script) == 0 && !p.has("f", "file") && len(files) > 0 {
		script, files = files[:1], files[1:]
	}
	if p.has("i", "in-place") {
		for _, o := range p.options {
			if o.name == "i" && o.value == "" && len(files) > 1 && files[0] == "" {
				files = files[1:] // sed -i '' on BSD: the empty suffix is an operand
				break
			}
		}
		if len(p.operands) > 1 && p.operands[0] == "" && len(p.values("e", "expression")) == 0 { // the script was taken for it
			script, files = p.operands[1:2], p.operands[2:]
		}
		for _, f := range files {
			c.change(f, Write, File)
			if s := p.value("i", "in-place"); s != "" {
				if strings.Contains(string(s), "*") {
					s = Text(strings.ReplaceAll(string(s), "*", string(f.Base())))
					if !strings.Contains(string(s), "/") {
						s = join(f.dir(), s)
					}
					c.change(s, Write, File)
				} else {
					c.change(f+s, Write, File)
				}
			}
		}
	}
	for _, s := range script {
		c.sedRuns(string(s))
		for _, f := range sedWrites(string(s)) {
			c.change(Text(f), Write, File)
		}
	}
	c.st.puts(unknown)
}

// sedRuns follows the e command of a script, and marks the flag, which runs what
// has been read, as code that cannot be.
func (c *call) sedRuns(script string) {
	for l := range strings.SplitSeq(script, "\n") {
		l = strings.TrimLeft(l, "0123456789,$! ")
		if cmd, ok := strings.CutPrefix(l, "e "); ok {
			c.shell(Text(cmd), nil)
		}
		if len(l) < 4 || l[0] != 's' || strings.Count(l, l[1:2]) < 3 {
			continue
		}
		if flags := l[strings.LastIndexByte(l, l[1])+1:]; strings.Contains(flags, "e") && strings.Trim(flags, "egpiImM0123456789") == "" {
			c.opaque()
		}
	}
}

// sedWrites are the files that the w command and flag of a script name.
func sedWrites(script string) (files []string) {
	for l := range strings.SplitSeq(script, "\n") {
		for i := 0; i+1 < len(l); i++ {
			if l[i] != 'w' && l[i] != 'W' || l[i+1] != ' ' && l[i+1] != '\t' {
				continue
			}
			before := strings.TrimRight(l[:i], " ")
			last := byte(';')
			if before != "" {
				last = before[len(before)-1]
			}
			// A command stands at the beginning, behind an address or a brace; a flag
			// behind the end of s///.
			if strings.IndexByte(";{}/$|,#@!gpIiMme0123456789", last) >= 0 {
				if f := strings.TrimSpace(l[i+1:]); f != "" {
					files = append(files, f)
				}
			}
		}
	}
	return files
}

func (c *call) editor() {
	s := spec{short: "c:S:u:i:T:s:", long: "cmd= eval= load= batch"}
	if c.name == "ex" || c.name == "ed" {
		s.short = "c:u:i:T:" // -s is silent there
	}
	p := parse(c.args, s)
	code := Text("")
	for _, t := range append(p.values("c", "cmd", "eval", "S"), c.st.in) {
		code += t + "\n"
	}
	for _, o := range p.operands {
		if !strings.HasPrefix(string(o), "+") {
			c.change(o, Write, File)
		} else {
			code += "\n" + o[1:]
		}
	}
	if c.name == "view" || c.name == "code" || c.name == "subl" {
		return
	}
	// ":w file", ":saveas file", ":!command"
	for _, l := range lines(Text(strings.ReplaceAll(string(code), "|", "\n"))) {
		l := strings.TrimLeft(strings.TrimSpace(string(l)), ":%")
		for _, verb := range []string{"w! ", "w ", "write ", "write! ", "saveas ", "sav ", "e ", "edit ", "W "} {
			if f, ok := strings.CutPrefix(l, verb); ok {
				if cmd, ok := strings.CutPrefix(f, "!"); ok {
					c.shell(Text(cmd), nil)
					continue
				}
				c.change(tilde(strings.TrimPrefix(strings.TrimSpace(f), ">>")), Write, File)
			}
		}
		if cmd, ok := strings.CutPrefix(l, "!"); ok {
			c.shell(Text(cmd), nil)
		}
	}
	if strings.HasPrefix(c.name, "emacs") {
		for _, t := range lex("emacs", string(code)) {
			if t.kind == 's' { // which of its functions write is not known
				c.change(tilde(t.text), Code, File)
			}
		}
	}
}
