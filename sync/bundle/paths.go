package bundle

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Limits of one path, below those of every common file system.
const (
	maxPath    = 1024 // bytes
	maxSegment = 200  // bytes
)

// checkPaths refuses a list of sorted paths that cannot be laid out in the same
// way on every system. A name in NFD form (as macOS writes it) is good; the same
// name in both forms is not.
func checkPaths(paths []string) error {
	// Every path and every folder of it, folded, to how it is spelled.
	spelled := map[string]string{}
	files := map[string]bool{}
	for _, p := range paths {
		if err := checkPath(p); err != nil {
			return err
		}
		for i := 0; i <= len(p); i++ {
			if i < len(p) && p[i] != '/' {
				continue
			}
			part := p[:i]
			key := folded(part)
			if was, ok := spelled[key]; ok && was != part {
				return &CollisionError{A: was, B: part}
			}
			if files[key] {
				return &CollisionError{A: part, B: p} // a file and a folder, or one file twice
			}
			spelled[key] = part
		}
		files[folded(p)] = true
	}
	return nil
}

var foldCase = sync.OnceValue(func() cases.Caser { return cases.Fold() })

func folded(p string) string {
	return norm.NFC.String(foldCase().String(norm.NFD.String(p)))
}

func checkPath(p string) error {
	if !Owns(p) {
		return &PathError{Path: p, Why: "outside " + Manifest + ", gates/, hooks/ and cases/"}
	}
	return checkName(p)
}

// checkName refuses a path that is not a plain one on every system.
func checkName(p string) error {
	bad := func(why string) error { return &PathError{Path: p, Why: why} }
	switch {
	case !utf8.ValidString(p):
		return bad("not UTF-8")
	case len(p) > maxPath:
		return bad("too long")
	}
	for _, r := range p {
		switch {
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co):
			return bad("a control character")
		case strings.ContainsRune(`\:*?"<>|`, r):
			return bad("the character " + string(r))
		}
	}
	for seg := range strings.SplitSeq(p, "/") {
		switch {
		case seg == "":
			return bad("an empty segment")
		case seg == "." || seg == "..":
			return bad("the segment " + seg)
		case len(seg) > maxSegment:
			return bad("too long a segment")
		case strings.HasSuffix(seg, ".") || strings.HasSuffix(seg, " ") || strings.HasPrefix(seg, " "):
			return bad("a segment that begins or ends with a space, or ends with a dot")
		case reserved(seg):
			return bad("a device's name on Windows")
		case strings.EqualFold(seg, ".git"):
			return bad("Git's own folder")
		}
	}
	return nil
}

// reserved tells the names that are devices on Windows, with any extension
// (Microsoft, "Naming Files, Paths, and Namespaces").
func reserved(seg string) bool {
	name, _, _ := strings.Cut(seg, ".")
	name = strings.ToUpper(strings.TrimRight(name, " "))
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if n, ok := strings.CutPrefix(name, port); ok && utf8.RuneCountInString(n) == 1 && strings.ContainsAny(n, "0123456789¹²³") {
			return true
		}
	}
	return false
}
