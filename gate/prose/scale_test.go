package prose

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
)

// checkStable compares the runes that skip normalising with NFKC itself, alone and
// after one another.
func checkStable(t *testing.T) {
	t.Helper()
	const last = 0x1FFFF
	for r := rune(0x80); r <= last; r++ {
		if !isStable(r) {
			continue
		}
		s := string(r)
		if !norm.NFKC.IsNormalString(s) || norm.NFKC.PropertiesString(s).CCC() != 0 || !norm.NFKC.PropertiesString(s).BoundaryBefore() {
			t.Errorf("%U is taken to be stable and is not", r)
		}
	}
}

// hostile are texts that make a careless scanner walk back and forth.
var hostile = map[string]func(n int) string{
	"quotes":            func(n int) string { return strings.Repeat("\"", n) },
	"quotes and spaces": func(n int) string { return strings.Repeat("\" ", n/2) },
	"open quotes":       func(n int) string { return strings.Repeat(" \"a", n/3) },
	"corners":           func(n int) string { return strings.Repeat("「", n/3) },
	"crossed corners":   func(n int) string { return strings.Repeat("「", n/6) + strings.Repeat("』", n/6) },
	"nested corners":    func(n int) string { return strings.Repeat("「", n/6) + strings.Repeat("」", n/6) },
	"apostrophes":       func(n int) string { return strings.Repeat("‘a’b ", n/9) },
	"low and curly":     func(n int) string { return strings.Repeat("„“", n/6) + strings.Repeat("”", n/6) },
	"backticks":         func(n int) string { return strings.Repeat("`", n) },
	"backticks apart":   func(n int) string { return strings.Repeat("`a``b", n/5) },
	"backticks grow": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat("`", i) + "a")
		}
		return b.String()
	},
	"quote marks":      func(n int) string { return strings.Repeat(">", n) },
	"quote lines":      func(n int) string { return strings.Repeat(strings.Repeat(">", 40)+"\n", n/41) },
	"list marks":       func(n int) string { return strings.Repeat("- ", n/2) },
	"list marks, then": func(n int) string { return strings.Repeat("- ", 40) + strings.Repeat("\n", n) },
	"numbers":          func(n int) string { return strings.Repeat("1. ", n/3) },
	"stars":            func(n int) string { return strings.Repeat("*", n) },
	"stars apart":      func(n int) string { return strings.Repeat("*a **b ", n/7) },
	"underscores":      func(n int) string { return strings.Repeat("_a ", n/3) },
	"tildes":           func(n int) string { return strings.Repeat("~~a", n/3) },
	"brackets":         func(n int) string { return strings.Repeat("[", n) },
	"brackets shut":    func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
	"links":            func(n int) string { return strings.Repeat("[a](", n/4) },
	"links with title": func(n int) string { return strings.Repeat("[a](b \"", n/7) },
	"refs":             func(n int) string { return strings.Repeat("[a][", n/4) },
	"images":           func(n int) string { return strings.Repeat("![", n/4) + strings.Repeat("](a)", n/4) },
	"angles":           func(n int) string { return strings.Repeat("<", n) },
	"tags":             func(n int) string { return strings.Repeat("<a ", n/3) },
	"comments":         func(n int) string { return "a" + strings.Repeat("<!-- ", n/5) },
	"comment lines":    func(n int) string { return strings.Repeat("<!-- -->\n", n/9) },
	"pre":              func(n int) string { return strings.Repeat("<pre>\n\n", n/7) },
	"code tags":        func(n int) string { return "a" + strings.Repeat("<code>", n/6) + strings.Repeat("</code>", n/7) },
	"pipes":            func(n int) string { return strings.Repeat("|", n) + "\n|---|" },
	"tables":           func(n int) string { return strings.Repeat("|a|\n|-|\n", n/8) },
	"delimiters":       func(n int) string { return "|a|\n" + strings.Repeat("|-", n/2) },
	"escapes":          func(n int) string { return strings.Repeat("\\", n) },
	"spaces":           func(n int) string { return strings.Repeat(" ", n) },
	"a and spaces":     func(n int) string { return "a" + strings.Repeat(" \n", n/2) },
	"tabs":             func(n int) string { return "- a\n" + strings.Repeat("\t", n) + "b" },
	"line ends":        func(n int) string { return strings.Repeat("\n", n) },
	"carriage returns": func(n int) string { return strings.Repeat("\r", n) },
	"points":           func(n int) string { return strings.Repeat(".", n) + "a" },
	"ends":             func(n int) string { return strings.Repeat("!)", n/2) + "a" },
	"words and points": func(n int) string { return strings.Repeat("a.", n/2) },
	"ends of lines":    func(n int) string { return strings.Repeat("a\n", n/2) },
	"addresses":        func(n int) string { return strings.Repeat("a://", n/4) },
	"zero width":       func(n int) string { return strings.Repeat("\u200b\"", n/4) },
	"marks to compose": func(n int) string { return "か" + strings.Repeat("\u3099", n/3) },
	"accents":          func(n int) string { return "a" + strings.Repeat("\u0301\u0316", n/4) },
	"fences":           func(n int) string { return strings.Repeat("- ```\na\n", n/8) },
	"fences, one end":  func(n int) string { return strings.Repeat("- ```\na\n- ````\nb\n- ~~~\nc\n", n/25) + "~~~\n````\n```" },
	"fences, too deep": func(n int) string { return strings.Repeat("- a\n      ```\n", n/14) },
	"fences, growing": func(n int) string {
		var b strings.Builder
		for i := 60; b.Len() < n; i-- {
			b.WriteString("- " + strings.Repeat("`", max(i, 3)) + "\na\n")
		}
		return b.String()
	},
	"hunks":      func(n int) string { return strings.Repeat("@@ -1 +1 @@\n", n/12) },
	"diff heads": func(n int) string { return strings.Repeat("--- a\n", n/6) },
	"bytes":      func(n int) string { return strings.Repeat("\xff\x80", n/2) },
	"ja commas":  func(n int) string { return strings.Repeat("て、", n/6) },
}

// TestCostGrowsWithTheText reads each hostile text once, and a tenth of it ten
// times: as much work if cost follows length, a tenth if it follows its square.
// Both take about as long, so that a busy machine slows both, and the best of
// several runs counts.
func TestCostGrowsWithTheText(t *testing.T) {
	const base, factor, limit = 8_000, 10, 4
	for name, text := range hostile {
		small, large := text(base), text(base*factor)
		check(t, Parse(large))
		a, b := time.Hour, time.Hour
		for try := 0; try < 12 && b > limit*a && b > time.Millisecond || try < 1; try++ {
			a, b = min(a, cost(small, factor)), min(b, cost(large, 1))
		}
		if b > limit*a && b > time.Millisecond {
			t.Errorf("%s: %v for %d times %d bytes, %v for %d", name, a, factor, len(small), b, len(large))
		}
	}
}

func cost(text string, times int) time.Duration {
	from := time.Now()
	for range times {
		for _, s := range Parse(text).Sentences {
			Clauses(s.Own, "ja")
		}
	}
	return time.Since(from)
}

// message is about 4 KB of what agents write.
func message(lang string) string {
	part := map[string]string{
		"en": "## Summary\n\nI moved the loader to `config/loader.go`. All 41 tests pass, e.g. `TestLoad`; the “old” path is gone.\n\n" +
			"- **Cause**: the key of each row was its index, so saving re-created all rows\n- See [the log](https://x.test/1)\n\n" +
			"```go\nfunc a() {}\n```\n\n| Check | Result |\n|---|---|\n| `go vet` | ok |\n\n",
		"ja": "## まとめ\n\n設定の読み込みを `config/loader.go` に移しました。テストは 41 件すべて成功、「古い」経路は削除済みです。\n\n" +
			"- **原因**：行のキーが index だったため、保存のたびに作り直していました\n- [ログ](https://x.test/1) を参照\n\n" +
			"```go\nfunc a() {}\n```\n\n| 項目 | 結果 |\n|---|---|\n| `go vet` | 問題なし |\n\n",
	}[lang]
	return strings.Repeat(part, 4096/len(part)+1)[:4096]
}

func BenchmarkParse(b *testing.B) {
	for _, lang := range []string{"en", "ja"} {
		for _, k := range []int{1, 16} {
			text := strings.Repeat(message(lang), k)
			b.Run(lang+map[int]string{1: "/4KB", 16: "/64KB"}[k], func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					Parse(text)
				}
			})
		}
	}
}
