package shell

import (
	"strings"
)

// language is what an interpreter reads, "" for a program that is none.
func language(name string) string {
	base := strings.TrimRight(name, "0123456789.")
	switch base {
	case "python", "pypy", "ipython":
		return "python"
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node":
		return "node"
	case "ruby", "jruby":
		return "ruby"
	case "perl":
		return "perl"
	case "php":
		return "php"
	case "awk", "gawk", "mawk", "nawk":
		return "awk"
	case "lua", "luajit", "Rscript", "osascript", "tclsh", "groovy", "julia", "scala", "elixir", "swift":
		return "other"
	}
	return ""
}

// interpreterSpec says how an interpreter reads its arguments, and by which
// options it is given code.
func interpreterSpec(lang string) (s spec, code []string) {
	switch lang {
	case "python":
		return spec{short: "c:m:W:X:Q:", stop: true}, []string{"c"}
	case "node":
		return spec{short: "e:p:r:C:", long: "eval= print= require= import= loader= input-type=", stop: true}, []string{"e", "p", "eval", "print"}
	case "ruby":
		return spec{short: "e:r:I:C:F:K:E:x::i::", stop: true}, []string{"e"}
	case "perl":
		return spec{short: "e:E:M:m:I:F:x::i::", stop: true}, []string{"e", "E"}
	case "php":
		return spec{short: "r:B:R:F:E:d:c:f:", stop: true}, []string{"r", "B", "R", "E"}
	case "awk":
		return spec{short: "f:F:v:i:e:E:l:", long: "file= field-separator= assign= include= source= exec= load=", stop: true}, []string{"e", "source"}
	}
	return spec{short: "e:l:", stop: true}, []string{"e"}
}

// interpreter follows python, node and their like: inline code, a here-document,
// or a script that the line has written.
func (c *call) interpreter() {
	lang := language(c.name)
	if lang == "node" && len(c.args) > 1 && (c.args[0] == "eval" || c.args[0] == "-pe" || c.args[0] == "-ep") {
		c.args = append([]Text{"-e"}, c.args[1:]...)
	}
	s, options := interpreterSpec(lang)
	p := parse(c.args, s)
	if i := programAt(c.args); lang == "python" && i >= 0 {
		p = parse(c.args[:i], s)
		p.operands = c.args[i:]
	}
	code := p.values(options...)
	args := p.operands
	switch {
	case lang == "awk":
		c.awk(p, code)
	case len(code) > 0:
	case lang == "python" && p.value("m") != "":
		c.module(string(p.value("m")), args)
	case len(args) > 0 && args[0] != "-" && args[0] != "/dev/stdin":
		if t := c.w.contents(c.st, args[0]); t != unknown {
			code = []Text{t}
		}
		args = args[1:]
	case c.st.hasIn && !p.has("V", "version", "v", "h", "help"):
		code = []Text{c.st.in}
		args = args[min(1, len(args)):]
	}
	if p.has("i") && (lang == "perl" || lang == "ruby") {
		c.inPlace(p, code, args)
	}
	for _, t := range code {
		c.inline(lang, t, args)
	}
	c.st.puts(unknown)
}

// programAt is where the arguments of a Python program begin that comes by -c or
// -m; the interpreter's own options end there. -1: there is none.
func programAt(args []Text) int {
	for i, a := range args {
		switch {
		case len(a) < 2 || a[0] != '-' || a[1] == '-':
			if i == 0 || args[i-1] != "-W" && args[i-1] != "-X" {
				return -1
			}
		case strings.HasSuffix(string(a), "c") || strings.HasSuffix(string(a), "m"):
			return min(i+2, len(args))
		}
	}
	return -1
}

// inPlace is perl -pi and ruby -i: every operand is written.
func (c *call) inPlace(p parsed, code, args []Text) {
	if len(code) == 0 && len(args) > 0 {
		args = args[1:]
	}
	for _, f := range args {
		c.change(f, Write, File)
		if s := p.value("i"); s != "" && s[0] == '.' {
			c.change(f+s, Write, File)
		}
	}
}

// awk takes its program as the first operand.
func (c *call) awk(p parsed, code []Text) {
	args := p.operands
	if len(code) == 0 && !p.has("f", "file") && len(args) > 0 {
		code, args = args[:1], args[1:]
	}
	var vars []Text
	vars = append(vars, p.values("v", "assign")...)
	for _, t := range code {
		c.inlineAt("awk", t, args, vars, 0)
	}
	for _, i := range p.values("i", "include") {
		if i == "inplace" {
			c.changes(args, Write, File)
		}
	}
}

// module is python -m for those modules that write what they are given.
func (c *call) module(name string, args []Text) {
	switch name {
	case "json.tool":
		p := parse(args, spec{long: "indent="})
		if len(p.operands) > 1 {
			c.change(p.operands[1], Write, File)
		}
	case "zipfile", "tarfile":
		if len(args) > 2 && (args[0] == "-e" || args[0] == "--extract") {
			c.change(args[2], Write, Below)
		} else if len(args) > 2 && (args[0] == "-c" || args[0] == "--create") {
			c.change(args[1], Write, File)
		}
	default: // most that write are programs as well
		c.again(c.st, append([]Text{Text(strings.ReplaceAll(name, "_", "-"))}, args...), c.env)
	}
}

// inline looks in a program's text for calls that write, and for the files that
// they name.
func (c *call) inline(lang string, code Text, args []Text) { c.inlineAt(lang, code, args, nil, 0) }

// inlineAt follows a program that is so deep in others, with variables of its own.
func (c *call) inlineAt(lang string, code Text, args, vars []Text, deep int) {
	w := c.w
	if w.read += len(code); w.read > maxCode {
		w.spent = maxSteps + 1
		return
	}
	if code == unknown {
		c.opaque()
		return
	}
	r := &reader{c: c, lang: lang, args: args, bound: map[string][]Text{}, deep: deep}
	for _, v := range vars {
		if k, val, ok := strings.Cut(string(v), "="); ok {
			r.bound[k] = []Text{Text(val)}
		}
	}
	r.toks = lex(lang, string(code))
	r.asked = lang == "perl" && strings.Contains(string(code), "$^I") // files change in place
	if w.spent += len(r.toks) / 8; w.spent > maxSteps {
		return
	}
	r.read()
	if code.Unknown() {
		c.opaque()
	}
}
