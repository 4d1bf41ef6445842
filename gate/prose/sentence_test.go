package prose

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"points", "One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		{"lower case may begin one", "It works. hookctl is ready.", []string{"It works.", "hookctl is ready."}},
		{"abbreviations", "Use e.g. make, i.e. the tool. Ask Mr. Smith vs. me, etc. and go.", []string{"Use e.g. make, i.e. the tool.", "Ask Mr. Smith vs. me, etc. and go."}},
		{"German ones", "Wir nehmen z.B. make, d.h. das Werkzeug, bzw. Go usw. und mehr. Fertig.", []string{"Wir nehmen z.B. make, d.h. das Werkzeug, bzw. Go usw. und mehr.", "Fertig."}},
		{"German ordinals", "Am 3. Mai läuft die 2. und letzte Stufe. Danach nicht.", []string{"Am 3. Mai läuft die 2. und letzte Stufe.", "Danach nicht."}},
		{"names and numbers", "v1.2.3 of main.go took 0.5 s at x.y/z?q=1. Next", []string{"v1.2.3 of main.go took 0.5 s at x.y/z?q=1.", "Next"}},
		{"a number ends one", "It failed 3. Pushing now.", []string{"It failed 3.", "Pushing now."}},
		{"number of a heading", "**1. Build** it", []string{"1. Build it"}},
		{"hidden files", "See .env and ... now", []string{"See .env and ... now"}},
		{"ellipsis", "wait… then push… Now I stop", []string{"wait... then push...", "Now I stop"}},
		{"closers stay", "(It works.) **Done.** Next", []string{"(It works.)", "Done.", "Next"}},
		{"several ends", "Really?! Yes!!! ok", []string{"Really?!", "Yes!!!", "ok"}},
		{"an end in a quote closes", `He said "It works." Then I left.`, []string{`He said "Q"`, "Then I left."}},
		{"Japanese", "直しました。コミットしますか？はい！次へ", []string{"直しました。", "コミットしますか?", "はい!", "次へ"}},
		{"bracket after the end", "（直しました。）次です。", []string{"(直しました。)", "次です。"}},
		{"emoji stays", "完了しました！🎉 ✅ 全テスト成功", []string{"完了しました!🎉", "✅ 全テスト成功"}},
		{"question in a quote", "「コミットしますか？」と聞かない。次", []string{"「Q」と聞かない。", "次"}},
		{"soft line end, Latin", "I will\npush it. Now\nwait", []string{"I will push it.", "Now wait"}},
		{"soft line end, Japanese", "次の\n作業", []string{"次の作業"}},
		{"soft line end, Korean", "바로\n커밋", []string{"바로 커밋"}},
		{"soft line end, mixed", "この\nPR を\n出す", []string{"このPRを出す"}},
		{"line complete by its form", "まだ回していません\nコミットします\n- 次", []string{"まだ回していません", "コミットします", "次"}},
		{"line complete in Korean", "수정했습니다\n커밋할까요", []string{"수정했습니다", "커밋할까요"}},
		{"hard line ends", "one  \ntwo\\\nthree<br>four", []string{"one", "two", "three", "four"}},
		{"colon before an entry", "To do:\npush it", []string{"To do:", "push it"}},
		{"entries without marks of a list", "Result\n✅ one\n→ two\n① three", []string{"Result", "✅ one", "→ two", "1 three"}},
		{"labels", "Step one is done\nTests: pass\n確認: 済み\nこれは", []string{"Step one is done", "Tests: pass", "確認: 済みこれは"}},
		{"a colon in running text", "I ran it with the flag\nand then: nothing", []string{"I ran it with the flag and then: nothing"}},
		{"code does not end one", "Run `a. B` and `c?` now", []string{"Run C and C now"}},
		{"only marks", "![x](y)\n\n<b></b>", nil},
		{"Chinese", "已完成。是否现在提交？好", []string{"已完成。", "是否现在提交?", "好"}},
		{"Chinese, traditional", "已經修好了。要不要現在提交？", []string{"已經修好了。", "要不要現在提交?"}},
		{"Korean", "수정했습니다. 커밋할까요? 네! 다음", []string{"수정했습니다.", "커밋할까요?", "네!", "다음"}},
		{"German with a quote", "Er schrieb „Fertig. Weiter.“ und ging. Danach kam nichts.", []string{"Er schrieb „Q“ und ging.", "Danach kam nichts."}},
		{"cells stand alone", "| 直しました。次 | “a |\n|---|---|\n| b” | push |\n\nEnde.", []string{"Ende."}},
		{"exclamation in code words", "a != b, x?.y", []string{"a != b, x?.y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(tt.in)
			if diff := cmp.Diff(tt.want, own(d)); diff != "" {
				t.Errorf("Parse(%q): sentences differ (-want +got)\n%s", tt.in, diff)
			}
			check(t, d)
		})
	}
}

func TestShownIsTheOriginal(t *testing.T) {
	in := "- [x] **再現**： ｺﾐｯﾄ  しました。 \r\n  次の\r\n  作業です。"
	d := Parse(in)
	want := []string{"**再現**： ｺﾐｯﾄ  しました。", "次の\r\n  作業です。"}
	var got []string
	for _, s := range d.Sentences {
		got = append(got, in[s.Start:s.End])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shown sentences differ (-want +got)\n%s", diff)
	}
}

// What cannot be seen, or was folded, is in the sentence that is shown.
func TestShownHoldsWhatIsFolded(t *testing.T) {
	for _, want := range []string{"ＣＯＭＭＩＴ　しますか？", "com\u200bmit\u2060 now?", "\u202ecommit\u202c now?", "de\u0301ploy now?", "ﬁx it now?"} {
		in := "前。\n\n「a」と**b**。\n\n" + want + "\n\n後。"
		found := false
		for _, s := range Parse(in).Sentences {
			found = found || in[s.Start:s.End] == want
		}
		if !found {
			t.Errorf("%q is shown as %v", want, Parse(in))
		}
	}
}

func TestFold(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"full width", "ＣＯＭＭＩＴ：１２", "COMMIT:12"},
		{"half-width kana", "ｺﾐｯﾄしてﾃﾞﾌﾟﾛｲ", "コミットしてデプロイ"},
		{"decomposed kana", "デプロイ", "デプロイ"},
		{"decomposed umlaut", "gru\u0308n", "grün"},
		{"zero width", "com\u200bmit\u2060 \ufeffnow", "commit now"},
		{"bidi", "\u202ecommit\u202c \u2066now\u2069", "commit now"},
		{"tags and selectors", "⚠\ufe0f a\U000E0041b", "⚠ ab"},
		{"controls", "a\x00\x1b[0m b", "a[0m b"},
		{"soft hyphen and others", "non\u2011com\u00admittal", "non-committal"},
		{"apostrophes", "I’ll don't won’t", "I'll don't won't"},
		{"white space", "a \t b\u00a0c\u3000d", "a b c d"},
		{"border of CJK", "commit しました と PR を 2 件", "commitしました とPRを2件"},
		{"punctuation keeps its space", "完了 (3) です", "完了 (3) です"},
		{"hangul keeps its space", "PR 을 2 개 커밋", "PR 을 2 개 커밋"},
		{"code at the border", "設定 `x` を", "設定Cを"},
		{"case", "CoMmIt", "CoMmIt"},
		{"emphasis", "**a** *b* __c__ _d_ ***e***", "a b c d e"},
		{"emphasis at CJK marks", "これは**「重要」**です", "これは「Q」です"},
		{"no emphasis", "snake_case_name 2*3*4 a * b", "snake_case_name 2*3*4 a * b"},
		{"escapes", `\*a\* \"b\" C:\dir`, `*a* "Q" C:\dir`},
		{"links", "see [a **b**](http://x.test/(1)) and <http://y.test>", "see a b and http://y.test"},
		{"reference link", "[a][ref] and [y/N] and [^1]", "a and [y/N] and [^1]"},
		{"no link", "f[i](a b)", "f[i](a b)"},
		{"no link over lines", "[a](b\nc)", "[a](b c)"},
		{"image in a link", "[![ci](a.svg)](b) c", "c"},
		{"tags", "a <b>c</b> API=<token> <kbd>x</kbd>", "a c API=<token> C"},
		{"struck", "a ~~b~~ c ~ d", "a c ~ d"},
		{"forged masks", "a\uE000b\uE001", "a\uFFFDb\uFFFD"},
		{"invalid bytes", "a\xffb", "a\uFFFDb"},
		{"code spans of other lengths", "``a`b`` c `d", "C c `d"},
		{"ligature and circled", "ﬁx ①", "fix 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(tt.in)
			got := ""
			for _, s := range own(d) {
				got += s
			}
			if got != tt.want {
				t.Errorf("Parse(%q): own %q, want %q", tt.in, got, tt.want)
			}
			check(t, d)
		})
	}
}
