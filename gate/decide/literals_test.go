package decide

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

func TestLiterals(t *testing.T) {
	for _, tt := range []struct {
		expr string
		want [][]string
	}{
		{`commit`, [][]string{{"commit"}}},
		{`([Cc]ommit|コミット).*(お任せ|しますか)`, [][]string{{"commit", "コミット"}, {"お任せ", "しますか"}}},
		{`want me to`, [][]string{{"want  me  to"}}},
		{`shall I (commit|push)\b`, [][]string{{"shall  i  commit ", "shall  i  push "}}},
		{`ready to (merge|push)?`, [][]string{{"ready  to ", "ready  to  merge", "ready  to  push"}}},
		{`\bprs?\b`, [][]string{{" pr ", " prs "}}},
		{`commit ?(しま|する)`, [][]string{{"commit しま", "commit する"}}},
		{`push.*(ok|\?)`, [][]string{{"push"}, {"?", "ok"}}},
		{`(?:foo+|bar)baz`, [][]string{{"bar", "fo"}, {"baz"}}},
	} {
		got, err := Literals(tt.expr)
		if err != nil {
			t.Errorf("Literals(%q): %v", tt.expr, err)
			continue
		}
		if tt.expr == `(?:foo+|bar)baz` { // any sound answer will do here
			continue
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Literals(%q) = %q, want %q", tt.expr, got, tt.want)
		}
	}
	for _, expr := range []string{`.*`, `[a-z]+`, `a|.*`, `x?`, `(`} {
		if got, err := Literals(expr); err == nil {
			t.Errorf("Literals(%q) = %q, want an error", expr, got)
		}
	}
}

// A text that a pattern matches always passes the clauses of that pattern.
func FuzzLiterals(f *testing.F) {
	f.Add(`(?:commit|コミット).*(する|しますか)`, "コミットしますか")
	f.Add(`shall I (commit|push)`, "Shall I **commit**?")
	f.Add(`a|bc`, "bc")
	f.Fuzz(func(t *testing.T, expr, text string) {
		clauses, err := Literals(expr)
		if err != nil {
			return
		}
		re, err := regexp.Compile("(?i)" + expr)
		if err != nil {
			return
		}
		folded, plain := gate.Squeeze(text)
		if !plain || !re.MatchString(text) {
			return
		}
		for _, c := range clauses {
			found := false
			for _, s := range c {
				found = found || strings.Contains(folded, s)
			}
			if !found {
				t.Fatalf("%q matches %q, and %q holds none of %q", expr, text, folded, c)
			}
		}
	})
}
