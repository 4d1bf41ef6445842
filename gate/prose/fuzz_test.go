package prose

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "a\n\n- b\n  ```\n  c\n  ```\n> d\n\n| e |\n|---|\n", "「a。b」c “d” „e\" 'f' \"g\" «h» `i` ``j`k``",
		"\uFEFF<!-- a\n--> b\r\n@@ -1 +1 @@\n-c\n+d\n", "**a** [b](c \"d\") ![e](f) <br> ~~g~~ \\*", "1. a\n\n\tb\n2) c\n   > d\ne",
		"これは commit です。\n次へ\nＡｂ ｶﾞ か\u3099 \u200b\xff\uE000", "<pre>a</pre>\n<code>b</code> <del>c</del> <x>", "A e.g. b... c! 1. d",
		"1. a\n   ```\nb\n   ```\n~~~\n", "---\n===\na\n---\nb\n===\n***\n+ \n-\n*\n", strings.Repeat("> ", 40) + strings.Repeat("- ", 40) + "a",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		d := Parse(in)
		check(t, d)
		if again := Parse(in); again.String() != d.String() {
			t.Error("two readings differ")
		}
		for _, s := range d.Sentences {
			for _, lang := range []string{"en", "de", "ja", "zh", "ko"} {
				checkClauses(t, s.Own, lang)
			}
		}
	})
}

// FuzzQuotes puts a secret in quotes into speech: wherever a pair of corner
// brackets of its own block holds it, it must not be the assistant's.
func FuzzQuotes(f *testing.F) {
	f.Add("a ", " b")
	f.Add("「x」 \"y", "’ z\"")
	f.Add("“", "”")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, s := range []string{before, after} {
			if strings.ContainsAny(s, "「」｢｣﹁﹂`<>[]()*_~\\") || !utf8.ValidString(s) {
				t.Skip("marks that outrank or unbalance the brackets")
			}
		}
		d := Parse("x" + before + "「sEcReT」" + after)
		for _, s := range d.Sentences {
			if d.Blocks[s.Block].Kind.Own() && strings.Contains(s.Own, "sEcReT") {
				t.Errorf("own speech %q", s.Own)
			}
		}
	})
}

func checkClauses(t *testing.T, s, lang string) {
	t.Helper()
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	cs := Clauses(s, lang)
	if got := squeeze(strings.Join(cs, "")); got != squeeze(s) {
		t.Fatalf("Clauses(%q, %s) = %q: letters were lost", s, lang, cs)
	}
	for _, c := range cs {
		if c == "" || strings.TrimSpace(c) != c {
			t.Fatalf("Clauses(%q, %s) = %q", s, lang, cs)
		}
	}
}
