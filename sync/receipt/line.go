package receipt

import (
	"fmt"
	"strings"
	"unicode"
)

// maxLine bounds a summary, in characters: an error may be long.
const maxLine = 300

// Line says in one line what changed, without the time.
func (r Receipt) Line() string {
	switch {
	case r.Outcome != OK:
		return oneLine(fmt.Sprintf("%s %s: %s; %s", r.Action, r.Outcome, r.Error, r.stays()))
	case r.Action == NewKey:
		return oneLine(fmt.Sprintf("%s: machine key %s instead of %s", r.Action, r.Machine, r.Formerly))
	}
	parts := r.changes()
	if len(parts) == 0 {
		parts = append(parts, "nothing changed")
	}
	if n := r.Cases.Passed(); n > 0 {
		parts = append(parts, plural(n, "case")+" passed")
	}
	return oneLine(r.Action + ": " + strings.Join(parts, ", "))
}

// stays says what runs after an action that did not succeed.
func (r Receipt) stays() string {
	if a := r.Pointer.After; a != nil {
		return Named(a.Release) + " runs on"
	}
	return "nothing is installed"
}

func (r Receipt) changes() []string {
	var parts []string
	if what := r.Pointer.line(); what != "" {
		parts = append(parts, what)
	}
	if n := count(r.Files, Change.Changed); n > 0 {
		parts = append(parts, plural(n, "file")+" changed")
	}
	if p := r.Program; p.Changed() {
		parts = append(parts, fmt.Sprintf("program %s -> %s", short(p.Before), short(p.After)))
	}
	if n := count(r.Settings, Setting.Changed); n > 0 {
		parts = append(parts, plural(n, "settings file")+" changed")
	}
	return parts
}

// line is "" when the same generation runs.
func (m Move) line() string {
	b, a := m.Before, m.After
	switch {
	case a == nil && b == nil, a != nil && b != nil && *a == *b:
		return ""
	case a == nil:
		return Named(b.Release) + " removed"
	}
	what := Named(a.Release)
	switch {
	case b == nil:
	case a.Digest == b.Digest && a.Commit == b.Commit && a.Release == b.Release:
		what += " compiled again"
	default:
		what = FromTo(b.Release, a.Release)
	}
	if a.Commit != "" {
		what += ", commit " + short(a.Commit)
	}
	return what
}

// Summary says in one line what the last good receipt changed and what has come
// since; "" without a receipt. list is in order, as [List] returns it.
func Summary(list []Receipt) string {
	good := len(list) - 1
	for good >= 0 && list[good].Outcome != OK {
		good--
	}
	since := list[good+1:]
	var line string
	if good >= 0 {
		line = list[good].Line()
	}
	if len(since) == 0 {
		return line
	}
	last := since[len(since)-1].Line()
	if n := len(since); n > 1 {
		last = fmt.Sprintf("%d times without success, the last: %s", n, last)
	}
	if line == "" {
		return last
	}
	return line + "; since then " + last
}

// Repeats reports whether r says nothing that last did not: the same action
// ended the same way, about the same commits, and changed nothing. A scheduled
// sync need not store it again.
func (r Receipt) Repeats(last Receipt) bool {
	return len(r.changes()) == 0 && r.Formerly == "" && r.Action == last.Action && r.Outcome == last.Outcome &&
		cleanText(r.Error) == last.Error && r.Head == last.Head && r.Commit == last.Commit && r.Bundle == last.Bundle &&
		hexSum(r.Trust) == last.Trust && StripURL(r.Source.URL) == last.Source.URL && r.Source.Branch == last.Source.Branch &&
		same(r.Pointer.After, last.Pointer.After)
}

func same(a, b *Generation) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// short is a sum or commit cut to what a person compares.
func short(sum string) string {
	const digits = 12
	if sum == "" {
		return "none"
	}
	return sum[:min(digits, len(sum))]
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func count[T any](all []T, is func(T) bool) int {
	n := 0
	for _, e := range all {
		if is(e) {
			n++
		}
	}
	return n
}

// oneLine makes text safe for a terminal: no control or direction characters.
func oneLine(s string) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.IsControl(c) {
			return ' '
		}
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, s)
	if r := []rune(s); len(r) > maxLine {
		s = string(r[:maxLine-1]) + "…"
	}
	return s
}

// Named is what a release is called; 0 is the bundle that comes with the program.
func Named(release int) string {
	if release == 0 {
		return "the bundle that the program carries"
	}
	return fmt.Sprintf("release %d", release)
}

// FromTo names the release that was left, and the one that came.
func FromTo(from, to int) string {
	if from == 0 || to == 0 {
		return Named(from) + " -> " + Named(to)
	}
	return fmt.Sprintf("release %d -> %d", from, to)
}
