package judge

import (
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"unicode"
)

const (
	// maxValue bounds one JSON value, in bytes; a verdict has some hundred.
	maxValue = 64 << 10
	// maxWaste bounds the bytes read for what only began like JSON, so that a
	// megabyte of open brackets is not read again from each of them.
	maxWaste = 1 << 20
	// tryCost is what one try costs beside its bytes, in bytes read.
	tryCost = 128
	// maxDepth is how deep a value may nest; a verdict needs three.
	maxDepth = 32
)

// values yields the JSON objects and arrays that stand on lines of their own:
// nothing but white space, a code fence or a spinner's dots before them, nothing
// but white space or a fence after them. What lies inside a value is part of it
// and never yielded alone. Numbers are json.Number, objects are [object].
func values(s string) iter.Seq[any] {
	return func(yield func(any) bool) {
		for waste := 0; s != "" && waste < maxWaste; {
			line, rest, _ := strings.Cut(s, "\n")
			start := opening(line)
			if start < 0 {
				s = rest
				continue
			}
			v, n, ok := value(s[start:])
			waste += tryCost
			if !ok {
				waste += n
				s = rest
				continue
			}
			tail, after, _ := strings.Cut(s[start+n:], "\n")
			s = after
			if strings.Trim(strings.TrimSpace(tail), "`") == "" && !yield(v) {
				return
			}
		}
	}
}

// opening returns where a value begins on line, -1 when something else stands
// before it.
func opening(line string) int {
	rest := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || 0x2800 <= r && r <= 0x28FF })
	if inner := strings.TrimLeft(rest, "`"); len(inner) < len(rest) {
		if len(rest)-len(inner) >= 3 { // the language of a fence on one line
			inner = strings.TrimLeftFunc(inner, func(r rune) bool { return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) })
		}
		rest = strings.TrimLeftFunc(inner, unicode.IsSpace)
	}
	if rest == "" || rest[0] != '{' && rest[0] != '[' {
		return -1
	}
	// Most lines that are no JSON ("[INFO] …") tell by the next character.
	if next := strings.TrimLeft(rest[1:], " \t"); next != "" {
		may := "\"}"
		if rest[0] == '[' {
			may = "\"[]{tfn-0123456789"
		}
		if strings.IndexByte(may, next[0]) < 0 {
			return -1
		}
	}
	return len(line) - len(rest)
}

// value reads the JSON value that s begins with and returns its length in bytes.
func value(s string) (v any, n int, ok bool) {
	if len(s) > maxValue {
		s = s[:maxValue]
	}
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	v, _, err := decodeValue(dec, 0)
	return v, int(dec.InputOffset()), err == nil
}

// object keeps a JSON object's keys as they were written: exact in case, and
// whether one, here or further in, stands twice, which the standard decoder
// hides. The first of two is kept.
type object struct {
	keys  map[string]any
	twice bool
}

func (o object) get(key string) any { return o.keys[key] }

func (o object) has(key string) bool { _, ok := o.keys[key]; return ok }

var errDepth = errors.New("the value nests too deep")

func decodeValue(dec *json.Decoder, depth int) (v any, twice bool, err error) {
	if depth > maxDepth {
		return nil, false, errDepth
	}
	tok, err := dec.Token()
	if err != nil {
		return nil, false, err
	}
	switch tok {
	case json.Delim('{'):
		o, err := decodeObject(dec, depth)
		return o, o.twice, err
	case json.Delim('['):
		list, twice := []any{}, false
		for dec.More() {
			e, t, err := decodeValue(dec, depth+1)
			if err != nil {
				return nil, false, err
			}
			list, twice = append(list, e), twice || t
		}
		_, err := dec.Token()
		return list, twice, err
	}
	return tok, false, nil
}

func decodeObject(dec *json.Decoder, depth int) (object, error) {
	o := object{keys: map[string]any{}}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return o, err
		}
		key, _ := tok.(string) // the decoder lets nothing else stand here
		e, twice, err := decodeValue(dec, depth+1)
		if err != nil {
			return o, err
		}
		if o.has(key) {
			twice = true
		} else {
			o.keys[key] = e
		}
		o.twice = o.twice || twice
	}
	_, err := dec.Token()
	return o, err
}
