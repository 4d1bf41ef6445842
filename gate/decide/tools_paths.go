package decide

import (
	"path"
	"strings"

	"github.com/agenthooks/hookctl/gate/shell"
)

// absolute puts the folders of the machine in the place of what a path hangs on: a
// home, the root of the project, the event's folder.
func (e *Engine) absolute(cwd string, t shell.Text) (all []shell.Text) {
	s := slashed(string(t))
	switch {
	case s == "":
		return nil
	case s[0] == shell.Home:
		for _, h := range e.underHome("~" + s[1:]) {
			all = append(all, shell.Text(h))
		}
		if all != nil {
			return all
		}
		s = "~" + s[1:] // a user that is not there
	case s[0] == shell.Root:
		root := cwd
		if e.Paths.Project != nil {
			if r := e.Paths.Project(cwd); r != "" {
				root = r
			}
		}
		return []shell.Text{shell.Text(slashed(root) + s[1:])}
	case s[0] == shell.Here:
		return []shell.Text{shell.Text(slashed(cwd) + s[1:])}
	case s[0] == shell.Any: // it may be absolute
		return []shell.Text{shell.Text(s)}
	case absolute(s):
		return []shell.Text{shell.Text(e.drive(s))}
	}
	return []shell.Text{shell.Text(slashed(cwd) + "/" + s)}
}

// drive gives a Windows path the one form that patterns have: C:/x, of \\?\C:\x and
// of /c/x.
func (e *Engine) drive(s string) string {
	for _, prefix := range []string{"//?/", "//./", "/??/"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok && len(rest) > 1 && rest[1] == ':' {
			return rest
		}
	}
	if !e.windows() {
		return s
	}
	for _, prefix := range []string{"/mnt", "/cygdrive", "//localhost", "//127.0.0.1", ""} {
		rest, ok := strings.CutPrefix(s, prefix+"/")
		if !ok || rest == "" || prefix == "" && s[1] == '/' {
			continue
		}
		if drive, tail, _ := strings.Cut(rest, "/"); len(strings.TrimSuffix(drive, "$")) == 1 {
			return drive[:1] + ":/" + tail
		}
	}
	return s
}

// windows reports whether the paths of the machine begin with a drive.
func (e *Engine) windows() bool {
	return len(e.Paths.Homes) > 0 && len(e.Paths.Homes[0]) > 1 && e.Paths.Homes[0][1] == ':'
}

// win32 takes off what Windows does not see in a name: dots and spaces at its end,
// and the name of a stream.
func win32(t shell.Text) shell.Text {
	names := strings.Split(string(t), "/")
	for i, n := range names {
		if i > 0 {
			n, _, _ = strings.Cut(n, ":")
		}
		if trimmed := strings.TrimRight(n, " ."); trimmed != "" {
			n = trimmed
		}
		names[i] = n
	}
	return shell.Text(strings.Join(names, "/"))
}

// places are the absolute names of what an effect changes: as given, and with
// links followed. What is followed still has its "..": behind a link to a folder they
// lead elsewhere than the spelling says.
func (e *Engine) places(cwd string, t shell.Text) (all []shell.Text) {
	for _, g := range e.absolute(cwd, t) {
		if e.windows() {
			g = win32(g)
		}
		if g.Plain() {
			all = append(all, shell.Text(e.fold(path.Clean(string(g)))))
			if e.Paths.Resolve != nil {
				all = append(all, shell.Text(e.fold(slashed(e.Paths.Resolve(string(g))))))
			}
			continue
		}
		g = cleaned(g)
		all = append(all, shell.Text(e.fold(string(g))))
		if e.Paths.Resolve == nil {
			continue
		}
		known, rest := knownFolder(string(g))
		if known != "" {
			all = append(all, shell.Text(e.fold(slashed(e.Paths.Resolve(known))+rest)))
		}
	}
	return all
}

// knownFolder cuts a path before the first name that is not known.
func knownFolder(s string) (known, rest string) {
	parts := strings.Split(s, "/")
	n := 0
	for n < len(parts) && shell.Text(parts[n]).Plain() {
		n++
	}
	known = strings.Join(parts[:n], "/")
	return known, s[len(known):]
}

// cleaned takes "." and "..", where they lead back from a name that is known, out
// of a path with marks. Behind others nothing is known of what stands before.
func cleaned(t shell.Text) shell.Text {
	var out []string
	parts := strings.Split(string(t), "/")
	for i, n := range parts {
		switch {
		case n == "." || n == "" && i > 0:
		case n == ".." && len(out) > 1 && shell.Text(out[len(out)-1]).Plain() && out[len(out)-1] != "..":
			out = out[:len(out)-1]
		case n == "..":
			out = []string{string(anyText)}
		default:
			out = append(out, n)
		}
	}
	return shell.Text(strings.Join(out, "/"))
}

// underHome puts the homes in the place of a leading "~" or "~name", the home of
// the user with that name. nil when it means none of them.
func (e *Engine) underHome(t string) (all []string) {
	name, rest, deeper := strings.Cut(t, "/")
	if deeper {
		rest = "/" + rest
	}
	for _, h := range e.Paths.Homes {
		h = slashed(h)
		switch {
		case name == "~" || name[1:] == path.Base(h):
			all = append(all, h+rest)
		case strings.IndexByte(name, shell.Any) >= 0: // "$HOME$X"
			all = append(all, h+name[1:]+rest)
		}
	}
	return all
}

// expand makes the absolute patterns that a pattern stands for.
func (e *Engine) expand(cwd, pattern string) []string {
	p := slashed(pattern)
	var all []string
	switch {
	case strings.HasPrefix(p, "~/"):
		for _, h := range e.Paths.Homes {
			all = append(all, e.under(h, p[2:])...)
		}
	case strings.HasPrefix(p, "${PROJECT}/"):
		rest := strings.TrimPrefix(p, "${PROJECT}/")
		all = e.under(cwd, rest)
		if e.Paths.Project != nil {
			if root := e.Paths.Project(cwd); root != "" && root != cwd {
				all = append(all, e.under(root, rest)...)
			}
		}
	case absolute(p):
		clean := path.Clean(p)
		root := clean[:strings.IndexByte(clean, '/')+1]
		all = e.under(root, clean[len(root):])
	default: // a bare name or relative pattern: anywhere
		all = []string{"**/" + p}
	}
	for i := range all {
		all[i] = e.fold(all[i])
	}
	return all
}

// under places a pattern in a folder, whose name comes from the machine and is
// taken literally, and follows the links in what comes before the first
// wildcard. Without a wildcard the file itself is followed as well: who writes to
// where it leads has changed it.
func (e *Engine) under(folder, rest string) []string {
	dir := slashed(folder)
	all := []string{path.Join(quoted(dir), rest)}
	if e.Paths.Resolve == nil {
		return all
	}
	base, wild := globBase(rest)
	all = appendNew(all, path.Join(quoted(slashed(e.Paths.Resolve(path.Join(dir, base)))), wild))
	if !strings.ContainsAny(rest, wildcards) {
		all = appendNew(all, quoted(slashed(e.Paths.Resolve(path.Join(dir, rest)))))
	}
	return all
}

func appendNew(all []string, s string) []string {
	for _, o := range all {
		if o == s {
			return all
		}
	}
	return append(all, s)
}

func (e *Engine) fold(s string) string {
	if e.Paths.FoldCase {
		return lower(s)
	}
	return s
}

// lower leaves the marks in a text as they are, which are no UTF-8.
func lower(s string) string {
	var b strings.Builder
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= shell.Here {
			b.WriteString(strings.ToLower(s[start:i]))
			b.WriteByte(s[i])
			start = i + 1
		}
	}
	b.WriteString(strings.ToLower(s[start:]))
	return b.String()
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

func absolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
