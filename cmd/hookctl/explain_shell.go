package main

import (
	"strings"

	"github.com/agenthooks/hookctl/gate"
)

// printShell shows how a command line was read. The numbers are bytes in the line:
// the first of a command or an effect, and the first behind it.
func (e *env) printShell(t *gate.ShellTrace) {
	if t == nil {
		return
	}
	e.printf("\ncommands:\n")
	for _, c := range t.Commands {
		text := c.Text
		if c.Env != "" {
			text = strings.TrimSpace(c.Env + " " + text)
		}
		text = oneLine(text)
		if c.Dir != "" {
			text += "   (in " + oneLine(c.Dir) + ")"
		}
		e.printf("  %4d-%-4d %s\n", c.Start, c.End, text)
	}
	e.printf("\nfiles that they would change (… cannot be told):\n")
	for _, f := range t.Effects {
		path := f.Path
		switch f.Reach {
		case "tree":
			path += " and what is below"
		case "below":
			path += ": something below"
		}
		e.printf("  %4d-%-4d %-7s %s   by %s\n", f.Start, f.End, f.Kind, oneLine(path), oneLine(f.By))
	}
	if len(t.Effects) == 0 {
		e.printf("  none\n")
	}
}
