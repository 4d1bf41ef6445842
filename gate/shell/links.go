package shell

import (
	"slices"
	"strings"
)

// link is a second name that the line itself gives to a file or a folder.
type link struct{ at, to Text }

const maxLinks = 16

// linked notes that a name leads elsewhere from now on. What a soft link says hangs
// on the folder that it lies in.
func (c *call) linked(at, to Text, soft bool) {
	for _, dir := range c.st.dirs {
		l := link{up(at.in(dir)), to.in(dir)}
		if soft && !to.rooted() {
			l.to = to.in(l.at.dir())
		}
		if l.at.Exact() && !l.to.Unknown() && len(c.st.links) < maxLinks {
			c.st.links = append(slices.Clip(c.st.links), l)
		}
	}
}

// led are the paths that a path leads to by the links of the line.
func (s *state) led(p Text) (all []Text) {
	todo := []Text{p}
	for len(todo) > 0 && len(all) < maxLinks {
		p := string(up(todo[0]))
		todo = todo[1:]
		for _, l := range s.links {
			rest, ok := strings.CutPrefix(p, string(l.at))
			if !ok || rest != "" && rest[0] != '/' {
				continue
			}
			if to := l.to + Text(rest); !slices.Contains(all, to) && to != Text(p) {
				all, todo = append(all, to), append(todo, to)
			}
		}
	}
	return all
}

// ofProcess takes out of a path what Linux says of the folders of a process:
// /proc/self/cwd is the current one.
func ofProcess(p Text) Text {
	rest, ok := strings.CutPrefix(string(p), "/proc/")
	if !ok {
		return p
	}
	_, rest, _ = strings.Cut(rest, "/")
	switch name, rest, _ := strings.Cut(rest, "/"); name {
	case "cwd":
		return Text("./" + rest)
	case "root":
		return Text("/" + rest)
	}
	return p
}
