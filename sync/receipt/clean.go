package receipt

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// hidden stands for what was taken out.
const hidden = "…"

// StripURL is a remote's address without user, password, query and fragment.
// Where it cannot tell which part is the password, only the scheme is left.
func StripURL(u string) string {
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok {
		return stripScp(u)
	}
	if strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
		return hidden
	}
	if _, err := url.Parse(u); err != nil {
		return scheme + "://" + hidden
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, path := rest[:end], rest[end:]
	host := authority[strings.LastIndex(authority, "@")+1:]
	if strings.EqualFold(scheme, "file") {
		return scheme + "://" + host + path // any character may stand in a path
	}
	if host == authority && strings.Contains(host, ":") && strings.Contains(path, "@") {
		return scheme + "://" + hidden // "user:1/2@host": a slash in a password makes the user look like a host
	}
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	return scheme + "://" + host + path
}

// stripScp takes the user off "user@host:path", and a password with it, and
// leaves the path of a folder as it is.
func stripScp(u string) string {
	at := strings.LastIndex(u, "@")
	drive := len(u) > 2 && u[1] == ':' && (u[2] == '\\' || u[2] == '/')
	if at < 0 || drive || strings.IndexByte(`/.~\`, u[0]) >= 0 {
		return u
	}
	if !strings.Contains(u, ":") && strings.ContainsAny(u[:at], `/\`) {
		return u
	}
	return u[at+1:]
}

var userinfo = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`://[^\s"'<>]*@`) })

var secretQuery = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)([?&;][a-z_-]*(?:token|key|secret|passw|auth|sig)[a-z_-]*=)[^\s&;"'<>]+`)
})

// cleanText takes passwords of URLs out of free text. It would rather lose a path
// with an @ in it than keep a password with a slash.
func cleanText(s string) string {
	if strings.Contains(s, "://") {
		s = userinfo().ReplaceAllString(s, "://")
	}
	return secretQuery().ReplaceAllString(s, "${1}"+hidden)
}

// CleanDiff keeps the form of a unified diff of a settings file, its names and
// what hookctl itself registers, and hides every other value: the lines around
// ours, or the one line of a file without line breaks, may hold the user's keys.
func CleanDiff(diff string) string {
	var out strings.Builder
	inHunk := false
	for line := range strings.Lines(diff) {
		body := strings.TrimRight(line, "\r\n")
		end := line[len(body):]
		switch {
		case strings.HasPrefix(body, "@@ "):
			inHunk = true
			if i := strings.Index(body[2:], "@@"); i >= 0 {
				body = body[:i+4] // what may follow is a line of the file
			}
		case !inHunk, body == "", body == `\ No newline at end of file`:
		case strings.ContainsRune("+- ", rune(body[0])):
			body = body[:1] + maskLine(body[1:])
		default:
			body = hidden
		}
		out.WriteString(body + end)
	}
	return out.String()
}

// maskLine hides the values in one line of JSON, JSON with comments or TOML.
func maskLine(s string) string {
	var out strings.Builder
	header := isHeader(s)
	for s != "" {
		n := 1
		switch c := s[0]; {
		case c == '"' || c == '\'':
			if n = quotedLen(s); n == 0 {
				return out.String() + hidden
			}
			if isName(s[n:]) || registered(s[1:n-1]) {
				out.WriteString(s[:n])
			} else {
				out.WriteString(s[:1] + hidden + s[n-1:n])
			}
		case strings.IndexByte(" \t{}[],:=", c) >= 0:
			out.WriteByte(c)
		case isWord(rune(c)):
			if n = strings.IndexFunc(s, func(c rune) bool { return !isWord(c) }); n < 0 {
				n = len(s)
			}
			if w := s[:n]; header || plainWord(w) || isName(s[n:]) && len(w) <= 40 {
				out.WriteString(w)
			} else {
				out.WriteString(hidden)
			}
		default: // a comment, or no such file
			return out.String() + hidden
		}
		s = s[n:]
	}
	return out.String()
}

// isHeader knows a table of TOML: "[a.b]" or "[[a.b]]".
func isHeader(s string) bool {
	s = strings.TrimSpace(s)
	inner := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "["), "["), "]"), "]")
	return len(s) < 80 && strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && strings.IndexFunc(inner, func(c rune) bool { return !isWord(c) }) < 0
}

// quotedLen is the length of the string that s begins with, 0 when it does not
// end in this line.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if s[0] == '"' {
				i++
			}
		case s[0]:
			return i + 1
		}
	}
	return 0
}

// isName reports whether what stands before rest is a name and rest its value.
func isName(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	if strings.HasPrefix(rest, ":") {
		return true
	}
	value, ok := strings.CutPrefix(rest, "=")
	return ok && value != "" && value[0] != '='
}

func isWord(c rune) bool {
	return c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// plainWord are the values that tell nothing: a time limit, a switch.
func plainWord(w string) bool {
	const digits = 6
	return w == "true" || w == "false" || w == "null" || len(w) <= digits && strings.Trim(w, "0123456789") == ""
}

var command = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^=@?]*hookctl(?:\.exe)?['"\\]*(?: gate(?: --[a-z]+[ =]?[a-z]*)*)?$`)
})

// registered knows the values of hookctl's own entries. A command of somebody
// else that only mentions hookctl may carry anything.
func registered(v string) bool {
	switch v {
	case "", "command", "gate", "*":
		return true
	}
	program, _, _ := strings.Cut(v, "hookctl")
	return command().MatchString(v) && !strings.Contains(program, " -") && !strings.Contains(program, "://")
}
