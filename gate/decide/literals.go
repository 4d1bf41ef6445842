package decide

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agenthooks/hookctl/gate"
)

const (
	maxExact  = 24 // strings kept apart while a concatenation is followed
	maxClause = 64 // alternatives of one clause
	maxClass  = 8  // characters of a class that are spelled out
)

// Literals derives from a pattern what any text must contain for it to match: a
// conjunction of clauses, each a list of literals of which one must occur.
// Literals are folded by [gate.SqueezeLiteral]. A pattern without any is an error, for
// it would start the regular expression engine on every message.
func Literals(expr string) ([][]string, error) {
	re, err := syntax.Parse("(?i)"+expr, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", expr, err)
	}
	clauses := needOf(re.Simplify()).clauses()
	if len(clauses) == 0 {
		return nil, fmt.Errorf("pattern %q: no literal that every match contains", expr)
	}
	return clauses, nil
}

// need is what a match of an expression must contain. While the expression is a
// small set of strings, exact lists them, not folded yet, since the border of a
// word may lie where two of them meet; else and holds the clauses found.
type need struct {
	exact []string
	and   [][]string
}

var (
	anything = need{}
	empty    = need{exact: []string{""}}
)

func (n need) clauses() [][]string {
	if n.exact == nil {
		return n.and
	}
	if c := clause(n.exact); c != nil {
		return [][]string{c}
	}
	return nil
}

// clause makes a clause of a set of strings, or nil when one of them is too
// short to tell anything.
func clause(set []string) []string {
	if len(set) == 0 || len(set) > maxClause {
		return nil
	}
	var out []string
	for _, s := range set {
		folded, plain := gate.SqueezeLiteral(s)
		if t := strings.TrimSpace(folded); !plain || t == "" || len(t) == 1 && folded == t && isAlnum(t[0]) {
			return nil
		}
		out = append(out, folded)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isAlnum(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' }

func needOf(re *syntax.Regexp) need {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(string(re.Rune))
	case syntax.OpCharClass:
		return class(re.Rune)
	case syntax.OpWordBoundary:
		return need{exact: []string{string(gate.WordBorder)}}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpNoWordBoundary:
		return empty
	case syntax.OpCapture:
		return needOf(re.Sub[0])
	case syntax.OpPlus:
		return need{and: needOf(re.Sub[0]).clauses()}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return need{and: needOf(re.Sub[0]).clauses()}
		}
		return anything
	case syntax.OpQuest:
		if sub := needOf(re.Sub[0]); sub.exact != nil && len(sub.exact) < maxExact {
			return need{exact: append(slices.Clone(sub.exact), "")}
		}
		return anything
	case syntax.OpConcat:
		return concat(re.Sub)
	case syntax.OpAlternate:
		return alternate(re.Sub)
	}
	return anything
}

func literal(s string) need {
	if _, plain := gate.SqueezeLiteral(s); !plain || strings.ContainsRune(s, gate.WordBorder) {
		return anything
	}
	return need{exact: []string{strings.ToLower(s)}}
}

func class(ranges []rune) need {
	var set []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(set) == maxClass || !utf8.ValidRune(r) {
				return anything
			}
			n := literal(string(r))
			if n.exact == nil {
				continue // a case variant outside what Squeeze folds, such as the Kelvin sign
			}
			set = append(set, n.exact[0])
		}
	}
	slices.Sort(set)
	return need{exact: slices.Compact(set)}
}

func concat(subs []*syntax.Regexp) need {
	run := []string{""}
	var and [][]string
	flush := func() {
		if c := clause(run); c != nil {
			and = append(and, c)
		}
		run = []string{""}
	}
	whole := true
	for _, sub := range subs {
		n := needOf(sub)
		if n.exact == nil {
			flush()
			whole = false
			and = append(and, n.and...)
			continue
		}
		if len(run)*len(n.exact) > maxExact {
			flush()
			whole = false
		}
		if len(n.exact) > maxExact {
			and = append(and, n.clauses()...)
			continue
		}
		var next []string
		for _, a := range run {
			for _, b := range n.exact {
				next = append(next, a+b)
			}
		}
		run = next
	}
	if whole {
		return need{exact: run}
	}
	flush()
	return need{and: and}
}

func alternate(subs []*syntax.Regexp) need {
	var exact, merged []string
	whole, each := true, true // every alternative is a set of strings; has a clause
	for _, sub := range subs {
		n := needOf(sub)
		c := strongest(n.clauses())
		whole = whole && n.exact != nil
		each = each && c != nil
		exact = append(exact, n.exact...)
		merged = append(merged, c...)
	}
	if whole && len(exact) <= maxClause {
		return need{exact: exact}
	}
	if c := clause(merged); each && c != nil {
		return need{and: [][]string{c}}
	}
	return anything
}

// strongest is the clause whose shortest literal is longest, spaces and all: a
// border of a word tells more than a letter.
func strongest(clauses [][]string) []string {
	var best []string
	score := 0
	for _, c := range clauses {
		shortest := len(c[0])
		for _, s := range c {
			shortest = min(shortest, len(s))
		}
		if shortest > score {
			best, score = c, shortest
		}
	}
	return best
}
