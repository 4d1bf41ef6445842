package decide

import (
	"path"
	"strings"
)

const wildcards = "*?["

// quoted is a pattern that matches nothing but name.
func quoted(name string) string {
	if !strings.ContainsAny(name, wildcards) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune(wildcards, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// fixedPart is what of a pattern stands before its first wildcard.
func fixedPart(pattern string) string {
	if i := strings.IndexAny(pattern, wildcards+`\`); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// globMatch matches a clean path against a pattern: * and ? stay within one
// name, ** spans any number of folders, and what lies below a protected folder
// is named by "folder/**". The folder itself counts as well: replacing it
// replaces all that is in it.
func globMatch(pattern, name string) bool {
	// Most patterns differ before their first wildcard.
	fixed := fixedPart(pattern)
	if fixed != pattern {
		fixed = fixed[:max(0, strings.LastIndexByte(fixed, '/'))]
	}
	if !strings.HasPrefix(name, fixed) {
		return false
	}
	return globParts(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func globParts(p, n []string) bool {
	for len(p) > 0 {
		if p[0] == "**" {
			for i := 0; i <= len(n); i++ {
				if globParts(p[1:], n[i:]) {
					return true
				}
			}
			return false
		}
		if len(n) == 0 {
			return false
		}
		if ok, err := path.Match(p[0], n[0]); err != nil || !ok {
			return false
		}
		p, n = p[1:], n[1:]
	}
	return len(n) == 0
}

// globBase splits a pattern into the folder before its first wildcard (for a
// pattern without one: the folder that holds the file) and the rest.
func globBase(pattern string) (dir, rest string) {
	parts := strings.Split(pattern, "/")
	i := 0
	for i < len(parts)-1 && !strings.ContainsAny(parts[i], wildcards) {
		i++
	}
	return strings.Join(parts[:i], "/"), strings.Join(parts[i:], "/")
}
