package shrink

import (
	"slices"
	"strings"
	"testing"
)

func never() bool { return false }

// has is a test that holds while all words are there.
func has(words ...string) func(string) bool {
	return func(s string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(s, w) })
	}
}

const report = `# Report

The parser is done. It keeps the order of keys, and I ran it twice.

- one item
- another item: shall I **push** this to main now? Or not.

| a | b |
|---|---|
| c | d |

` + "```\ngo test\n```\n\nThat is all.\n"

func TestSmallest(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		still func(string) bool
		want  string
	}{
		"two words":       {report, has("shall", "push"), "shall I **push"},
		"far apart":       {report, has("Report", "all."), "Report\n\nall."},
		"one word":        {"push", has("push"), "push"},
		"everything":      {"a b c", func(s string) bool { return s == "a b c" }, "a b c"},
		"a whole block":   {report, has("go test"), "go test"},
		"Japanese":        {"実装は完了しました。次に本番へデプロイしますか？以上です。", has("デプロイ", "ますか"), "デプロイしますか"},
		"Chinese":         {"实现已完成。要不要我现在提交代码？谢谢。", has("要不要", "提交"), "要不要提交"},
		"space around it": {"\n\n  push  \n\n", has("push"), "push"},
	} {
		got := Smallest(tt.text, tt.still, never)
		if !got.Whole || !tt.still(got.Text) || len(got.Text) > len(tt.want)+4 {
			t.Errorf("%s: %q after %d tries, want about %q", name, got.Text, got.Tries, tt.want)
		}
		if got.Tries > 4*len(tt.text) {
			t.Errorf("%s: %d tries for %d bytes", name, got.Tries, len(tt.text))
		}
	}
}

// What is left holds, and no word of it can be spared alone.
func TestSmallestIsMinimal(t *testing.T) {
	still := has("order", "shall", "c", "all.")
	got := Smallest(report, still, never)
	pieces := words(got.Text)
	for i := range pieces {
		rest := strings.Join(pieces[:i], "") + strings.Join(pieces[i+1:], "")
		if still(rest) {
			t.Errorf("%q can be left out of %q", pieces[i], got.Text)
		}
	}
}

func TestSmallestEndsInTime(t *testing.T) {
	for limit := range 12 {
		asked := 0
		got := Smallest(report, func(s string) bool { asked++; return has("shall", "push")(s) }, func() bool { return asked >= limit })
		if got.Tries != asked || asked > limit || got.Whole || !has("shall", "push")(got.Text) {
			t.Errorf("limit %d: %d tries, %+v", limit, asked, got)
		}
	}
}

// The same text is not asked about twice: a judge may cost seconds.
func TestSmallestAsksOnce(t *testing.T) {
	seen := map[string]bool{}
	Smallest(report, func(s string) bool {
		if seen[s] {
			t.Errorf("asked twice about %q", s)
		}
		seen[s] = true
		return has("order", "d")(s)
	}, never)
}

func FuzzPieces(f *testing.F) {
	f.Add(report, "push")
	f.Add("実装は「完了」。\n> 引用\n\n1. a\n   b", "完")
	f.Add("\xff\xfe\x00", "")
	f.Fuzz(func(t *testing.T, text, word string) {
		if len(text) > 2000 {
			return
		}
		for _, cut := range []func(string) []string{blocks, sentences, words} {
			if got := strings.Join(cut(text), ""); got != text {
				t.Fatalf("the pieces are %q, the text is %q", got, text)
			}
		}
		if still := has(word); still(text) && strings.TrimSpace(text) != "" {
			if got := Smallest(text, still, never); !still(got.Text) {
				t.Fatalf("%q does not hold", got.Text)
			}
		}
	})
}
