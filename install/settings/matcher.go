package settings

import (
	"regexp"
	"slices"
	"strings"
)

// Match is whether a matcher lets a hook run.
type Match int

// Of a regular expression that only JavaScript has, it cannot be told.
const (
	No Match = iota
	Yes
	Unknown
)

func matchIf(ok bool) Match {
	if ok {
		return Yes
	}
	return No
}

// Matches tells whether a hook with a matcher runs for a tool, by the rules of
// the agent as they were measured (testdata/matchers). A matcher that is left out
// is "*" for no agent but is read as such by all: it is not asked here.
func (r Reader) Matches(event, matcher string, t Tool) Match {
	if r.match != nil {
		return r.match(matcher, t)
	}
	// Copilot: the case of the event tells the dialect.
	if strings.ToLower(event[:1]) == event[:1] {
		return matchCopilot(matcher, t)
	}
	return matchCopilotClaude(matcher, t)
}

// alternatives cuts a matcher at its separators; empty parts are dropped.
func alternatives(m, separators string) (parts []string) {
	for part := range strings.FieldsFuncSeq(m, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

const word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

// only reports that m has no character but those.
func only(m, chars string) bool { return strings.Trim(m, chars) == "" }

// matchClaude: a list of exact names when there is nothing but letters, digits
// and "_- ,|" in it, else an unanchored regular expression.
func matchClaude(m string, t Tool) Match {
	switch {
	case m == "" || m == "*":
		return Yes
	case only(m, word+"- ,|"):
		return matchIf(slices.Contains(alternatives(m, "|,"), t.Name))
	}
	return javaScript(m, t.Name)
}

// matchCodex: exact names when there is nothing but letters, digits and "_|" in
// it, else an unanchored regular expression of Rust, which has no look-around.
// Both are asked of each name of the tool.
func matchCodex(m string, t Tool) Match {
	names := append([]string{t.Name}, t.Alias...)
	switch {
	case m == "" || m == "*":
		return Yes
	case only(m, word+"|"):
		return matchIf(slices.ContainsFunc(strings.Split(m, "|"), func(p string) bool { return slices.Contains(names, p) }))
	}
	re, err := regexp.Compile(m) // the syntax of both comes from RE2
	return matchIf(err == nil && slices.ContainsFunc(names, re.MatchString))
}

// matchGemini: an unanchored regular expression, compared literally when it is
// none.
func matchGemini(m string, t Tool) Match {
	m = strings.TrimSpace(m)
	if m == "" || m == "*" || m == t.Name {
		return Yes
	}
	return javaScript(m, t.Name)
}

// matchQwen: a list of exact names, aliases included, and of regular expressions
// on the tool's own name.
func matchQwen(m string, t Tool) Match {
	names := append([]string{t.Name}, t.Alias...)
	m = strings.TrimSpace(m)
	if m == "" || m == "*" || m == ".*" || slices.Contains(names, m) {
		return Yes
	}
	if strings.Contains(m, "|") && !strings.HasPrefix(m, "^") && !strings.HasPrefix(m, "(") {
		parts := alternatives(m, "|")
		if len(parts) == 0 {
			return No
		}
		if slices.ContainsFunc(parts, func(p string) bool { return p == "*" || p == ".*" || slices.Contains(names, p) }) {
			return Yes
		}
		m = strings.Join(parts, "|")
	}
	return javaScript(m, t.Name)
}

// matchCopilot is the reading under Copilot's own names of events: a regular
// expression that must fit the whole name. "" and "*" fit none.
func matchCopilot(m string, t Tool) Match {
	if m == "" {
		return No
	}
	return javaScript("^(?:"+m+")$", t.Name)
}

// matchCopilotClaude is the reading under the names of Claude Code's events:
// stars, a list of exact names of either kind, or a regular expression that must
// fit the whole of Claude Code's name. "" fits none.
func matchCopilotClaude(m string, t Tool) Match {
	m = strings.TrimSpace(m)
	switch {
	case m == "":
		return No
	case only(m, "*"):
		return Yes
	case only(m, word+"|"):
		names := append([]string{t.Name}, t.Alias...)
		return matchIf(slices.ContainsFunc(alternatives(m, "|"), func(p string) bool { return slices.Contains(names, p) }))
	}
	name := t.Name
	if len(t.Alias) > 0 {
		name = t.Alias[0]
	}
	return javaScript("^(?:"+m+")$", name)
}

// matchRegexp is an unanchored regular expression, and "" and "*" for all.
func matchRegexp(m string, t Tool) Match {
	if m == "" || m == "*" {
		return Yes
	}
	return javaScript(m, t.Name)
}

// javaScript tests a name with a regular expression of JavaScript. One that is no
// expression there fits nothing.
func javaScript(expr, name string) Match {
	if strings.Contains(expr, "(?i)") || strings.Contains(expr, "(?s)") || strings.Contains(expr, "(?P") {
		return No // Go has them, JavaScript refuses them
	}
	if not, rest, ok := lookahead(expr); ok {
		if re, err := regexp.Compile("^(?:" + not + ")"); err != nil || re.MatchString(name) {
			return matchIf(false)
		}
		expr = "^" + rest
	}
	if strings.Contains(expr, "(?=") || strings.Contains(expr, "(?!") || strings.Contains(expr, "(?<") || backReference(expr) {
		return Unknown
	}
	re, err := regexp.Compile(expr)
	return matchIf(err == nil && re.MatchString(name))
}

// lookahead takes the one look-ahead apart that people write in matchers: a
// negative one at the start, "^(?!Bash)…" or "^(?:(?!Bash)…".
func lookahead(expr string) (not, rest string, ok bool) {
	for _, open := range []string{"^(?:^(?!", "^(?:(?!", "^(?!"} {
		tail, found := strings.CutPrefix(expr, open)
		if !found {
			continue
		}
		not, rest, ok = strings.Cut(tail, ")")
		if strings.Contains(not, "(") {
			return "", "", false
		}
		if strings.HasPrefix(open, "^(?:") {
			rest = "(?:" + rest
		}
		return not, rest, ok
	}
	return "", "", false
}

func backReference(expr string) bool {
	for i := 0; i+1 < len(expr); i++ {
		if expr[i] == '\\' {
			if expr[i+1] >= '1' && expr[i+1] <= '9' {
				return true
			}
			i++
		}
	}
	return false
}
