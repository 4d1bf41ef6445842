package shell

import "strings"

// spec says how a program reads its arguments.
type spec struct {
	short string // as for getopt: "a" alone, "b:" with a value, "c::" with one attached or none
	long  string // names, those with a value followed by "="
	stop  bool   // the first operand ends the options
	// single: long options begin with one "-" (find, gcc, Go's flag package).
	single bool
}

// option is one that was given, by its name without dashes.
type option struct {
	name  string
	value Text
	raw   Text
}

// parsed are arguments by a spec.
type parsed struct {
	options  []option
	operands []Text
}

func (p parsed) has(names ...string) bool {
	for _, o := range p.options {
		for _, n := range names {
			if o.name == n {
				return true
			}
		}
	}
	return false
}

// values are the values of an option under its names.
func (p parsed) values(names ...string) (all []Text) {
	for _, o := range p.options {
		for _, n := range names {
			if o.name == n && o.value != "" {
				all = append(all, o.value)
			}
		}
	}
	return all
}

// value is the last of values, "" when there is none.
func (p parsed) value(names ...string) Text {
	all := p.values(names...)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// parse reads arguments as getopt_long does.
func parse(args []Text, s spec) (p parsed) {
	for i := 0; i < len(args); i++ {
		a := string(args[i])
		switch {
		case a == "--":
			p.operands = append(p.operands, args[i+1:]...)
			return p
		case strings.HasPrefix(a, "--") || s.single && len(a) > 1 && a[0] == '-':
			i += p.long(args, i, s)
		case len(a) > 1 && a[0] == '-':
			i += p.cluster(args, i, s)
		case s.stop:
			p.operands = append(p.operands, args[i:]...)
			return p
		default:
			p.operands = append(p.operands, args[i])
		}
	}
	return p
}

// long reads one long option and returns how many arguments more it took.
func (p *parsed) long(args []Text, i int, s spec) int {
	name, value, attached := strings.Cut(strings.TrimLeft(string(args[i]), "-"), "=")
	full, takes := s.find(name)
	o := option{name: full, value: Text(value), raw: args[i]}
	used := 0
	if takes && !attached && i+1 < len(args) {
		o.value, used = args[i+1], 1
	}
	p.options = append(p.options, o)
	return used
}

// find completes a long option that is cut short, as getopt_long does.
func (s spec) find(name string) (full string, takes bool) {
	found := ""
	for f := range strings.FieldsSeq(s.long) {
		n := strings.TrimSuffix(f, "=")
		switch {
		case n == name:
			return n, strings.HasSuffix(f, "=")
		case name != "" && strings.HasPrefix(n, name) && !s.single:
			if found != "" {
				return name, false
			}
			found = f
		}
	}
	if found != "" {
		return strings.TrimSuffix(found, "="), strings.HasSuffix(found, "=")
	}
	return name, false
}

// cluster reads short options that share a dash.
func (p *parsed) cluster(args []Text, i int, s spec) int {
	a := string(args[i])
	for j := 1; j < len(a); j++ {
		o := option{name: a[j : j+1], raw: args[i]}
		at := strings.IndexByte(s.short, a[j])
		takes := at >= 0 && at+1 < len(s.short) && s.short[at+1] == ':' && a[j] != ':'
		optional := takes && at+2 < len(s.short) && s.short[at+2] == ':'
		switch {
		case takes && j+1 < len(a):
			o.value = Text(a[j+1:])
			p.options = append(p.options, o)
			return 0
		case takes && !optional && i+1 < len(args):
			o.value = args[i+1]
			p.options = append(p.options, o)
			return 1
		}
		p.options = append(p.options, o)
	}
	return 0
}
