package gate

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What stands in a text may stand in it, whatever was set before.
func TestGramsMissNothing(t *testing.T) {
	var g Grams
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-c コミ]{0,40}`).Draw(t, "text")
		literal := rapid.StringMatching(`[a-c コミ]{0,6}`).Draw(t, "literal")
		g.Set(text)
		if strings.Contains(text, literal) && !g.May(literal) {
			t.Errorf("%q stands in %q", literal, text)
		}
	})
}

func TestGramsRuleOut(t *testing.T) {
	var g Grams
	g.Set("shall i deploy this")
	g.Set("the printer keeps its keys")
	for _, literal := range []string{"deploy", "コミット", "keyed"} {
		if g.May(literal) {
			t.Errorf("%q may stand there", literal)
		}
	}
}
