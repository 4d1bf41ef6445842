package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/simulate"
)

// printPlay prints a play: the ledger, where it is asked for, the counts, and the
// table of coverage.
func (e *env) printPlay(r simulate.Report, ledger bool) {
	e.printf("%s\n", clip(r.Title, 120))
	e.printf("agent %s, base policy %s\n", r.Agent, r.Policy)
	for _, n := range r.Notes {
		e.printf("note: %s\n", clip(n, 200))
	}
	if ledger {
		e.printf("\n")
		t := table{{"#", "EVENT", "MATCHER", "CALLBACK", "DECISION", "TOOL", "FILE EFFECT"}}
		for _, s := range r.Steps {
			t = append(t, ledgerStep(s, r.DryRun)...)
		}
		t.print(e.out, e.paint)
	}
	if r.DryRun {
		e.printf("\nnothing was run\n")
		return
	}
	c := r.Counts
	e.printf("\n%s, %s, %s completed", counted(c.Attempts, "attempt"), counted(c.HookRuns, "hook run"), counted(c.ToolRuns, "tool run"))
	if c.ToolErrors > 0 {
		e.printf(", %s failed", counted(c.ToolErrors, "tool run"))
	}
	e.printf("; %d prevented, %d reported, %d unseen\n", c.Prevented, c.Reported, c.Unseen)
	if !r.Afresh {
		var files []string
		for _, name := range sortedKeys(r.Files) {
			files = append(files, clip(name, 60)+" = "+shownText(r.Files[name]))
		}
		e.printf("at the end: %s\n", strings.Join(files, "; "))
	}
	e.printCoverage(r)
	if !ledger {
		e.printSaid(r)
	}
	if r.Lesson != "" && len(r.Failed) == 0 {
		e.printf("\n%s\n", wrap(clip(r.Lesson, 1000), 90))
	}
	switch {
	case len(r.Failed) > 0:
		e.printf("\nnot as expected:\n")
		for _, f := range r.Failed {
			e.printf("  %s\n", clip(f, 200))
		}
	case r.Expected:
		e.printf("\nas expected\n")
	}
}

// ledgerStep is the lines of one request: the hooks before it, who decided, the tool,
// and the hooks after it.
func ledgerStep(s simulate.Step, dry bool) (rows table) {
	call := strings.TrimSpace(s.AgentTool + " " + clip(s.Target, 40))
	if s.AgentTool != s.Tool {
		call += " (" + s.Tool + ")"
	}
	rows = append(rows, []string{fmt.Sprint(s.N), "attempt", "", "", "", call, ""})
	n := 0
	for _, h := range s.Hooks {
		if h.Before {
			rows = append(rows, ledgerHook(h, s)...)
			n++
		}
	}
	if n == 0 && s.Outcome != simulate.ToolFailed {
		rows = append(rows, []string{"", "before", "", "no hook", "", "", ""})
	}
	if !dry {
		rows = append(rows, ledgerTool(s)...)
	}
	for _, h := range s.Hooks {
		if !h.Before {
			rows = append(rows, ledgerHook(h, s)...)
		}
	}
	for _, f := range s.Later {
		rows = append(rows, []string{"", "", "", "", "", "a hook did", fileEffect(f)})
	}
	return rows
}

func ledgerTool(s simulate.Step) (rows table) {
	if s.By == "policy" {
		rows = append(rows, []string{"", "base policy", "", "", s.Decision, "", ""})
	}
	state := "completed"
	switch {
	case s.ToolError != "" && !s.Ran:
		state = "refused by the tool: " + s.ToolError
	case s.ToolError != "":
		state = "failed: " + s.ToolError
	case s.Outcome == simulate.Asked:
		state = "not run: nobody agreed"
	case !s.Ran:
		state = "not run"
	}
	if len(s.Effects) == 0 {
		return append(rows, []string{"", "", "", "", "", state, "none"})
	}
	for _, f := range s.Effects {
		rows = append(rows, []string{"", "", "", "", "", state, fileEffect(f)})
		state = ""
	}
	return rows
}

// Decisions of the ledger that are coloured.
const (
	ledgerUnmatched = "not matched"
	ledgerFailed    = "failed, the agent goes on"
)

// ledgerHook is one registration: what it decided, and under it in which words.
func ledgerHook(h simulate.Hook, s simulate.Step) table {
	matcher := h.Matcher
	if matcher == "" {
		matcher = "(every tool)"
	}
	decision := h.Decision
	switch {
	case !h.Matched:
		decision = ledgerUnmatched
	case h.Skipped != "":
		decision = "matched, not run here: " + h.Skipped
	case !h.Asked:
		decision = "would be asked"
	case h.Decision == simulate.None:
		decision = "matched, no decision"
	case h.Decision == simulate.Tell && len(s.Later) == 0:
		decision = "reported, nothing undone"
	case h.Decision == simulate.Failed:
		decision = ledgerFailed
	}
	rows := table{{"", h.Event, matcher, clip(h.Callback, 30), decision, "", ""}}
	for _, words := range []string{h.Reason, said(h)} {
		if words != "" {
			rows = append(rows, []string{"", "> " + clip(words, 110)})
		}
	}
	return rows
}

// said is from what a decision was read, where that is not the usual.
func said(h simulate.Hook) string {
	if h.How == "JSON" || h.How == "exit code 2" {
		return ""
	}
	return h.How
}

func fileEffect(f simulate.Effect) string {
	switch {
	case f.Before == nil && f.After == nil:
		return f.File
	case f.Before == nil:
		return f.File + ": new, " + shownText(*f.After)
	case f.After == nil:
		return f.File + ": removed"
	case *f.Before == *f.After:
		return f.File + ": mode changed"
	}
	return f.File + ": " + shownText(*f.Before) + " -> " + shownText(*f.After)
}

func shownText(text string) string { return clip(strings.TrimSpace(text), 24) }

// clip makes one line of at most n characters of words from elsewhere.
func clip(s string, n int) string {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
	if r := []rune(line); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return line
}

// wrap breaks a text into lines of at most n characters.
func wrap(text string, n int) string {
	var b strings.Builder
	at := 0
	for i, w := range strings.Fields(text) {
		switch size := utf8.RuneCountInString(w); {
		case i == 0:
			at = size
		case at+1+size > n:
			b.WriteByte('\n')
			at = size
		default:
			b.WriteByte(' ')
			at += 1 + size
		}
		b.WriteString(w)
	}
	return b.String()
}

// table is rows of cells; a row that begins with an empty cell and "> " in the second
// is words that belong to the row above.
type table [][]string

// Its cells are made one line each: names and words come from files and programs.
func (t table) print(w io.Writer, paint func(string) string) {
	for _, row := range t {
		for i := range row {
			row[i] = clip(row[i], 120)
		}
	}
	widths := make([]int, len(t[0]))
	for _, row := range t {
		if len(row) < len(widths) {
			continue
		}
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t {
		if len(row) < len(widths) {
			fmt.Fprintf(w, "%s%s\n", strings.Repeat(" ", widths[0]+4), row[1])
			continue
		}
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(paint(cell) + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// outcomes draw what became of an attempt: the darker, the more was kept out.
var outcomes = []struct{ outcome, mark, colour, means string }{
	{simulate.Prevented, "█", "32", "a hook said no before the tool ran"},
	{simulate.Asked, "▓", "32", "a person was asked, and did not agree"},
	{simulate.Refused, "▓", "32", "the base policy said no, no hook did"},
	{simulate.Reported, "▒", "33", "the tool ran, the agent was told after it, nothing was undone"},
	{simulate.LetThrough, "░", "33", "a hook was asked and had nothing to say"},
	{simulate.HookFailed, "!", "31", "a hook was asked and gave no answer that counts; the tool ran"},
	{simulate.NotPlayed, "?", "33", "a hook matched that cannot be run here"},
	{simulate.Unseen, "·", "31", "no hook was asked; the tool ran"},
	{simulate.ToolFailed, "-", "2", "the tool itself changed nothing"},
}

// printCoverage draws tool × file.
func (e *env) printCoverage(r simulate.Report) {
	var files, tools []string
	for _, c := range r.Coverage {
		if !slices.Contains(files, c.File) {
			files = append(files, c.File)
		}
		if !slices.Contains(tools, c.Tool) {
			tools = append(tools, c.Tool)
		}
	}
	t := table{append([]string{""}, files...)}
	used := map[string]bool{}
	for _, tool := range tools {
		row := []string{tool}
		for _, file := range files {
			cell := ""
			if i := slices.IndexFunc(r.Coverage, func(c simulate.Cell) bool { return c.Tool == tool && c.File == file }); i >= 0 {
				used[r.Coverage[i].Outcome] = true
				cell = drawn(r.Coverage[i].Outcome)
			}
			row = append(row, cell)
		}
		t = append(t, row)
	}
	e.printf("\n")
	t.print(e.out, e.paint)
	e.printf("\n")
	for _, o := range outcomes {
		if used[o.outcome] {
			e.printf("%s: %s\n", e.paint(o.mark+" "+o.outcome), o.means)
		}
	}
}

func drawn(outcome string) string {
	for _, o := range outcomes {
		if o.outcome == outcome {
			return o.mark + " " + outcome
		}
	}
	return outcome
}

// paint gives a cell of a table its colour, where that is wanted.
func (e *env) paint(cell string) string {
	if !e.colour() {
		return cell
	}
	return painted(cell)
}

func painted(cell string) string {
	code := map[string]string{simulate.Deny: "32", ledgerFailed: "31", ledgerUnmatched: "2"}[cell]
	for _, o := range outcomes {
		if cell == o.mark+" "+o.outcome {
			code = o.colour
		}
	}
	if code == "" {
		return cell
	}
	return "\x1b[" + code + "m" + cell + "\x1b[0m"
}

// printSaid gives each thing that hooks have said, once.
func (e *env) printSaid(r simulate.Report) {
	var lines []string
	for _, s := range r.Steps {
		for _, h := range s.Hooks {
			if !h.Matched || h.Decision == simulate.None {
				continue
			}
			words := h.Reason
			if h.How != "JSON" {
				words = strings.TrimSuffix(h.How+": "+h.Reason, ": ")
			}
			line := fmt.Sprintf("  %s: %s (%s)", clip(h.Callback, 50), first(h.Decision, "not run here"), clip(first(words, h.Skipped), 110))
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	if len(lines) > 0 {
		e.printf("\nwhat the hooks said:\n%s\n", strings.Join(lines, "\n"))
	}
}
