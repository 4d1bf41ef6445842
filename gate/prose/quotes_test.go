package prose

import (
	"strings"
	"testing"
)

func TestQuotes(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"label in quotes, verb outside", "「設定」を開いてください", "「Q」を開いてください"},
		{"sentences inside", "「直す。コミットする。」は規則です", "「Q」は規則です"},
		{"nested", "「前に『push』と聞く」と書く", "「Q」と書く"},
		{"double corner", "『次回』は", "『Q』は"},
		{"half-width corner", "｢設定｣を", "「Q」を"},
		{"curly", "the “push now” rule", "the “Q” rule"},
		{"curly, Chinese", "点击“提交”按钮“推送”", "点击“Q”按钮“Q”"},
		{"German", "der „Senden“-Knopf und ‚so‘ auch", "der „Q“-Knopf und ‚Q‘ auch"},
		{"German with the English end", "der „Senden” da", "der „Q” da"},
		{"German with an ASCII end", `jetzt „Wiegen" und nicht „Waage". „Verlauf“ bleibt`, `jetzt „Q" und nicht „Q".|„Q“ bleibt`},
		{"German between English ones", "„a“ and “b” and „c”", "„Q“ and “Q” and „Q”"},
		{"guillemets both ways", "le «oui», das »nein« und ‹x›", "le «Q», das »Q« und ‹Q›"},
		{"single", "the ‘push’ isn’t the users’ word", "the ‘Q’ isn't the users' word"},
		{"apostrophe inside", "the ‘don’t push’ rule", "the ‘Q’ rule"},
		{"apostrophe across", "‘Tis “so users’ push” b", "‘Tis “Q” b"},
		{"curly, the same on both sides", "a “push“ b", "a “Q“ b"},
		{"curly, nested between CJK", "说“他“推送”了”吧", "说“Q”吧"},
		{"single, Chinese", "点击‘提交’按钮", "点击‘Q’按钮"},
		{"ASCII", `He said "push now" and ("so"), "x".`, `He said "Q" and ("Q"), "Q".`},
		{"ASCII between CJK", `次の"コミット"と"プッシュ"を`, `次の"Q"と"Q"を`},
		{"full-width ASCII", "次の＂コミット＂を", `次の"Q"を`},
		{"ASCII with Korean", `"커밋"을 한다`, `"Q"을 한다`},
		{"ASCII single", "the 'push now' rule, don't", "the 'Q' rule, don't"},
		{"apostrophes are none", "don't push the users' files, it's John's", "don't push the users' files, it's John's"},
		{"inches are none", `a 5" and a 7" disk`, `a 5" and a 7" disk`},
		{"emphasis inside and out", `**"push"** and "*now*"`, `"Q" and "Q"`},
		{"code inside", "the “`push` now” rule", "the “Q” rule"},
		{"quote marks in code are none", "`\"` push \"now\" `'`", `C push "Q" C`},
		{"empty", "a 「」 b \"\" c", `a「」b "" c`},
		{"over lines", "he wrote \"push\nnow. Then go\" here", `he wrote "Q" here`},

		{"word used, Japanese", "「コミット」しましょうか", "コミットしましょうか"},
		{"word used, Korean", "이제 '커밋'할까요?", "이제 커밋할까요?"},
		{"word used, Chinese", "要不要“提交”一下?", "要不要提交一下?"},
		{"word used, German", "Soll ich das „committen“?", "Soll ich das committen?"},
		{"word used, English", `Shall I "push" it?`, "Shall I push it?"},
		{"word named, Japanese", "「コミット」するボタン", "「Q」するボタン"},
		{"word named, Korean", "'커밋'하는 기능", "'Q'하는 기능"},
		{"word named, English", `the "push" event`, `the "Q" event`},
		{"sentence with an ending", "「コミットしますか?」します", "「Q」します"},
		{"button that is named", `I pressed "Push" then`, `I pressed "Q" then`},

		{"unbalanced corner", "「コミットします。次へ", "「コミットします。|次へ"},
		{"unbalanced end", "コミットします」次の「設定」を", "コミットします」次の「Q」を"},
		{"unbalanced before a pair", "「push と「設定」を開く", "「pushと「Q」を開く"},
		{"unbalanced curly", "a “ push and “no” then", "a “ push and “Q” then"},
		{"unbalanced ASCII, then a pair", `a "b push. Then "c" d`, `a "b push.|Then "Q" d`},
		{"pair, then unbalanced ASCII", `a "b" push "now`, `a "Q" push "now`},
		{"unbalanced end, then a pair", `a b" push "c" d`, `a b" push "Q" d`},
		{"odd between CJK", `次の"コミットします。そして"設定"を`, `次の"コミットします。|そして"Q"を`},
		{"stray of another kind inside", "“a 「b” push", "“Q” push"},
		{"stray low quote", "„Senden ist aktiv. Ich committe das. \"Verlauf\" bleibt", "„Senden ist aktiv.|Ich committe das.|\"Q\" bleibt"},
		{"apostrophe does not close", "the users’ “that” isn’t push", "the users' “Q” isn't push"},
		{"not across blocks", "“a\n\npush” b", "“a|push” b"},
		{"not across items", "- “a\n- push” b", "“a|push” b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(tt.in)
			if got := strings.Join(own(d), "|"); got != tt.want {
				t.Errorf("Parse(%q): own %q, want %q", tt.in, got, tt.want)
			}
			check(t, d)
		})
	}
}
