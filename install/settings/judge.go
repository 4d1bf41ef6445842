package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/install/agent"
)

// judge says what is wrong with a matcher on an event.
func (r Reader) judge(event, m string) (p Problem, bad bool) {
	known := r.subjects(event)
	switch {
	case !r.Known(event):
		return p, false
	case known == nil && r.ignores(event):
		if m == "" || m == "*" {
			return p, false
		}
		return Problem{Code: "matcher-ignored", Severity: Warning, Mend: "take the matcher out", Text: fmt.Sprintf("%q is ignored: %s has no matcher", m, event)}, true
	case known == nil:
		return p, false
	}
	if r.fits(event, m, known) != No {
		return p, false
	}
	p = Problem{Code: "matcher-dead", Severity: Error, Text: fmt.Sprintf("%q matches nothing: %s", m, r.whyDead(event, m))}
	if better := r.better(event, m); better != "" {
		p.Mend = "write " + strconv.Quote(better)
	} else if r.strange(m) {
		p.Code, p.Severity = "matcher-unknown", Warning
		p.Text = fmt.Sprintf("%q matches no name that is known here", m)
	}
	return p, true
}

// ignores reports that the agent compares a matcher on the event with nothing.
func (r Reader) ignores(event string) bool {
	_, ok := r.compared[event]
	return !ok && !r.OnTools(event)
}

// subjects are what a matcher on an event is compared with, nil = not known.
func (r Reader) subjects(event string) []Tool {
	if r.OnTools(event) {
		return r.tools
	}
	return tools(r.compared[event]...)
}

// fits reports whether a matcher fits any of those.
func (r Reader) fits(event, m string, known []Tool) Match {
	if r.Agent == agent.Gemini && !r.OnTools(event) { // compared as it is
		m = strings.TrimSpace(m)
		return matchIf(m == "" || m == "*" || slices.ContainsFunc(known, func(t Tool) bool { return t.Name == m }))
	}
	best := No
	for _, t := range known {
		switch r.Matches(event, m, t) {
		case Yes:
			return Yes
		case Unknown:
			best = Unknown
		}
	}
	if best == No && r.OnTools(event) && r.fitsMCP(event, m) {
		return Yes
	}
	return best
}

// fitsMCP reports whether a matcher can be meant for the tools of an MCP server,
// whose names are not known here.
func (r Reader) fitsMCP(event, m string) bool {
	for _, part := range alternatives(m, "|,") {
		server, ok := strings.CutPrefix(strings.TrimLeft(part, "^("), "mcp_")
		server = strings.TrimLeft(server, "_")
		if !ok || server == "" {
			continue
		}
		if r.Agent == agent.Claude && only(part, word+"-") && !strings.Contains(server, "__") {
			continue // a server's name alone is compared with a tool's, and fits none
		}
		return true
	}
	return strings.Contains(m, "mcp") && !only(m, word+"- ,|")
}

// whyDead words why a matcher fits nothing.
func (r Reader) whyDead(event, m string) string {
	name, rest, paren := strings.Cut(m, "(")
	switch {
	case paren && strings.HasSuffix(rest, ")") && r.find(name) != "":
		return "a permission rule is no matcher"
	case m == "" || only(m, "*"):
		return r.Title + " takes it for no name and for no pattern; leave the matcher out for every tool"
	case strings.HasPrefix(m, "mcp__"):
		return "a server's tools are " + m + "__.*"
	case r.OnTools(event) && looksLikeFile(m):
		return "it is compared with the tool's name, not with a file's"
	case strings.Contains(m, ",") && r.Agent != agent.Claude:
		return "only | separates names in " + r.Title
	case invalid(m):
		return "it is no valid regular expression"
	case !r.OnTools(event):
		return "it is compared with " + strings.Join(r.compared[event], ", ")
	}
	return r.Title + " has no tool of that name"
}

// strange reports that no name in a matcher is known of any agent, so that it may
// be right all the same.
func (r Reader) strange(m string) bool {
	if m == "" || invalid(m) || looksLikeFile(m) || strings.HasPrefix(m, "mcp__") || strings.ContainsAny(m, ",(*") {
		return false
	}
	return true
}

func looksLikeFile(m string) bool {
	return strings.ContainsAny(m, `/\`) && !strings.ContainsAny(m, "()[]+") || strings.HasPrefix(m, "*.") ||
		strings.LastIndexByte(m, '.') > 0 && !strings.ContainsAny(m, "*+()[]|")
}

func invalid(m string) bool { return javaScript(m, "") == No && javaScript("|(?:"+m+")", "") == No }

// better is the matcher that was probably meant, "" = it cannot be told.
func (r Reader) better(event, m string) string {
	if !r.OnTools(event) {
		for _, v := range r.compared[event] {
			if strings.EqualFold(v, strings.TrimSpace(m)) {
				return v
			}
		}
		return ""
	}
	if strings.HasPrefix(m, "mcp__") && !strings.Contains(m[5:], "__") {
		return m + "__.*"
	}
	if name, rest, ok := strings.Cut(m, "("); ok && strings.HasSuffix(rest, ")") && r.find(name) != "" {
		return r.find(name)
	}
	var names []string
	for _, part := range alternatives(strings.Trim(m, "^$()"), "|,") {
		name := r.find(part)
		if name == "" {
			return ""
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// find is this agent's name of a tool that somebody calls by another agent's name,
// in other letters, or by its beginning; "" = none.
func (r Reader) find(called string) string {
	if called == "" {
		return ""
	}
	for _, t := range r.tools {
		for _, n := range append([]string{t.Name}, t.Alias...) {
			if strings.EqualFold(n, called) && r.names(t) != nil {
				if slices.Contains(r.names(t), n) {
					return n
				}
				return r.names(t)[0]
			}
		}
	}
	for _, same := range sameTools() {
		if slices.ContainsFunc(same, func(n string) bool { return strings.EqualFold(n, called) }) {
			for _, t := range r.tools {
				if slices.Contains(same, t.Name) {
					return r.names(t)[0]
				}
			}
		}
	}
	for _, t := range r.tools {
		if len(called) > 2 && strings.HasPrefix(strings.ToLower(t.Name), strings.ToLower(called)) {
			return t.Name
		}
	}
	return ""
}

// names are those by which a matcher can call a tool.
func (r Reader) names(t Tool) []string {
	if r.Agent == agent.Codex && len(t.Alias) > 0 || r.Agent == agent.Qwen {
		return append([]string{t.Name}, t.Alias...)
	}
	return []string{t.Name}
}

// sameTools are the names that the agents give the same tool.
func sameTools() [][]string {
	return [][]string{
		{"Bash", "run_shell_command", "bash", "Shell", "exec_command", "local_shell"},
		{"Edit", "MultiEdit", "replace", "edit", "str_replace", "str_replace_editor", "apply_patch"},
		{"Write", "write_file", "create", "WriteFile", "create_file", "apply_patch"},
		{"Read", "read_file", "view", "ReadFile"},
		{"Glob", "glob", "FindFiles"},
		{"Grep", "grep_search", "search_file_content", "grep"},
		{"LS", "list_directory", "ReadFolder"},
		{"WebFetch", "web_fetch"},
		{"WebSearch", "google_web_search", "web_search"},
		{"Agent", "Task", "invoke_agent", "agent", "task", "spawn_agent"},
	}
}

// meant is the event that was probably meant, "" = it cannot be told.
func (r Reader) meant(event string) string {
	same := func(a, b string) bool {
		return strings.EqualFold(strings.ReplaceAll(a, "_", ""), strings.ReplaceAll(b, "_", ""))
	}
	for _, e := range r.events {
		if same(e, event) {
			return e
		}
	}
	mine, _ := agent.Lookup(r.Agent)
	for _, a := range agent.All() {
		for _, e := range a.Events {
			if same(e.Name, event) {
				return mine.Event(e.Kind)
			}
		}
	}
	for _, e := range r.events {
		if len(event) > 3 && (strings.HasPrefix(strings.ToLower(event), strings.ToLower(e)) || strings.HasPrefix(strings.ToLower(e), strings.ToLower(event))) {
			return e
		}
	}
	return ""
}

// unit words the unit of a timeout.
func (r Reader) unit() string {
	if a, _ := agent.Lookup(r.Agent); a.Unit == time.Millisecond {
		return "milliseconds"
	}
	return "seconds"
}

// takes is how long a hook may take that has a timeout of n. Qwen Code reads
// 1000 and more as milliseconds.
func (r Reader) takes(n float64) time.Duration {
	unit := time.Second
	if a, ok := agent.Lookup(r.Agent); ok {
		unit = a.Unit
	}
	if r.Agent == agent.Qwen && n >= 1000 {
		unit = time.Millisecond
	}
	if n*float64(unit) >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(n * float64(unit))
}

// judgeTimeout says what is wrong with the timeout of a hook.
func (in *inspector) judgeTimeout(h *Registration) (p Problem, bad bool) {
	d := in.takes(h.Timeout)
	a, _ := agent.Lookup(in.Agent)
	say := func(code string, s Severity, n float64, format string, args ...any) (Problem, bool) {
		mend := fmt.Sprintf(`write "timeout": %v`, n)
		return Problem{Code: code, Severity: s, Mend: mend, Text: fmt.Sprintf(format, args...)}, true
	}
	wanted := float64(30 * time.Second / max(a.Unit, time.Millisecond))
	switch {
	case h.Timeout < 0, h.Timeout == 0 && in.Agent != agent.Codex:
		cost := ""
		if in.whole {
			cost = in.cost()
		}
		return say("timeout", Error, wanted, "%v: the hook is ended at once%s", h.Timeout, strings.Replace(cost, ":", ",", 1))
	case in.Agent == agent.Codex && h.Timeout != math.Trunc(h.Timeout):
		return say("timeout", Error, wanted, "%v is no whole number of seconds%s", h.Timeout, in.cost())
	case a.Unit == time.Millisecond && d < time.Second:
		return say("timeout-unit", Error, h.Timeout*1000, "%v: the unit is milliseconds, so that the hook is ended before it answers", h.Timeout)
	case in.Agent == agent.Qwen && h.Timeout >= 1000:
		return say("timeout-unit", Warning, math.Ceil(h.Timeout/1000), "%v: the unit is seconds, and Qwen Code takes 1000 and more for milliseconds: it waits %v s", h.Timeout, d.Seconds())
	case h.Own && d < minTimeout:
		return say("timeout", Error, wanted, "%v s is less than the %v s that a judge may need: the hook is ended before it answers", d.Seconds(), minTimeout.Seconds())
	case a.Unit == time.Second && d >= time.Hour:
		return say("timeout-unit", Warning, math.Ceil(h.Timeout/1000), "%v: the unit is seconds, not milliseconds", h.Timeout)
	}
	return p, false
}
