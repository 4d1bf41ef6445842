package redact

import (
	"math"
	"slices"
	"strings"
)

// key tells a key from a name in kebab-case: a key has digits among its letters,
// and either both cases or a long part without a dash.
func key(v, _ string) bool {
	letters, digits := classes(v)
	if letters == 0 || digits == 0 {
		return false
	}
	long := slices.ContainsFunc(strings.FieldsFunc(v, func(r rune) bool { return r == '-' || r == '_' }), func(part string) bool {
		return len(part) >= 16
	})
	return long || strings.ToLower(v) != v && strings.ToUpper(v) != v
}

// filled reports whether a value is more than a place to fill in.
func filled(v, _ string) bool {
	if strings.Trim(v, "*.xX-_#") == "" {
		return false
	}
	low := strings.ToLower(v)
	for _, sign := range []string{"<", "${", "$(", "{{", "%(", "your", "xxx", "***", "...", "…"} {
		if strings.Contains(low, sign) {
			return false
		}
	}
	if v[0] == '[' { // one pair of brackets, of this package's own too
		return strings.IndexByte(v, ']') != len(v)-1
	}
	return v[0] != '$' && v[0] != '{' && v[0] != '%'
}

// setting reports whether the value of NAME_KEY=… is a secret: everything but
// a number, a switch, a path, a place to fill in and a look-up.
func setting(v, rest string) bool {
	switch strings.ToLower(v) {
	case "true", "false", "null", "none", "undefined", "string":
		return false
	}
	letters, digits := classes(v)
	if number(v) || letters == 0 && digits < 6 {
		return false
	}
	return filled(v, rest) && !path(v) && !code(v, rest)
}

// random reports whether the value that follows a mere name looks made by a
// machine or to be typed as a password: letters and digits, many different. A
// short commit hash, a UUID and a digest with its algorithm do not count.
func random(v, rest string) bool {
	v = strings.TrimRight(v, ".:!?*")
	letters, digits := classes(v)
	if len(v) < 6 || letters == 0 || digits == 0 || !ascii(v) || entropy(v) < 2.5 {
		return false
	}
	return filled(v, rest) && !path(v) && !code(v, rest) && !hash(v) && !number(v)
}

// number reports whether v is one for a program: 0xc0506617, 1.2.840.113549.
func number(v string) bool {
	v = strings.ToLower(strings.TrimLeft(v, "-"))
	if hex, ok := strings.CutPrefix(v, "0x"); ok {
		return len(hex) <= 16 && strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Contains(v, ".") && strings.Trim(v, "0123456789.") == ""
}

func classes(v string) (letters, digits int) {
	for i := range len(v) {
		switch c := v[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		}
	}
	return letters, digits
}

func ascii(v string) bool {
	for i := range len(v) {
		if v[i] <= ' ' || v[i] > '~' {
			return false
		}
	}
	return true
}

// entropy is Shannon's, in bits a byte.
func entropy(v string) float64 {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	h := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// path reports whether v names a file or an address. Base64 may begin with a
// slash too, but then seldom has no other sign of it.
func path(v string) bool {
	if strings.ContainsAny(v, "+=") {
		return false
	}
	for _, prefix := range []string{"/", "./", "../", "~/", `.\`, "http://", "https://", "file://", "git@"} {
		if strings.HasPrefix(v, prefix) {
			return true
		}
	}
	if len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/') {
		return true
	}
	// src/auth/token2.go: words with a slash and an extension
	slash, dot := strings.LastIndexByte(v, '/'), strings.LastIndexByte(v, '.')
	return slash > 0 && dot > slash && len(v)-dot <= 6
}

// code reports whether v is a piece of a program: a call, an index, or words
// joined by dots (process.env.API_KEY_2).
func code(v, rest string) bool {
	if rest != "" && strings.IndexByte("([{<", rest[0]) >= 0 || strings.Contains(v, "::") || strings.Contains(v, "->") {
		return true
	}
	words := strings.Split(v, ".")
	for _, word := range words {
		if word == "" || len(word) > 24 || !strings.ContainsRune(letters, rune(word[0])) || strings.ContainsAny(word, "/+=-~!@#%^&*") {
			return false
		}
	}
	return len(words) > 1
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$"

// hash reports whether v is a short commit hash, a UUID, or a digest that names
// its algorithm. A long bare hash after "secret:" is rather a key.
func hash(v string) bool {
	low := strings.ToLower(v)
	for _, algorithm := range []string{"sha1", "sha256", "sha384", "sha512", "md5"} {
		if strings.HasPrefix(low, algorithm+":") || strings.HasPrefix(low, algorithm+"-") {
			return true
		}
	}
	groups := strings.Split(low, "-")
	if strings.Trim(low, "0123456789abcdef-") != "" {
		return false
	}
	uuid := len(groups) == 5 && len(low) == 36 && len(groups[0]) == 8 && len(groups[4]) == 12
	return uuid || len(groups) == 1 && len(low) <= 12
}

// made reports whether a value beside the name of a service looks made by a
// machine: one without a digit is a word, and one before a bracket a function.
func made(v, rest string) bool {
	letters, digits := classes(v)
	return digits > 0 && letters > 0 && filled(v, rest) && !strings.HasPrefix(rest, "(")
}
