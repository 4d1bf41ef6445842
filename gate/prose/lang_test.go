package prose

import (
	"strings"
	"testing"
)

func TestLanguages(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"English", "Shall I push it now?", "en"},
		{"nothing to tell by", "OK", "en"},
		{"German by its words", "Ich committe das jetzt.", "de"},
		{"German by a letter", "Prüfung läuft", "de"},
		{"English with a name", "Müller and the others push it to main", "en"},
		{"a word of German in a German text", "Das ist noch nicht fertig.\n\nGepusht.", "de de"},
		{"Japanese", "コミットします", "ja"},
		{"Japanese with Latin words", "Productionにdeployしますので", "ja"},
		{"few kana among Latin letters", "deploy pipeline configuration を update", "ja"},
		{"English that names a Japanese word", "Added the phrase コミット to the list of words, and it is in use", "en"},
		{"han alone", "是否现在提交", "zh"},
		{"han alone in Japanese", "修正しました。\n\n- 対象外\n- 次回対応", "ja ja ja"},
		{"han alone beside English code", "修正しました。\n\n判定: PASS_WITH_SUGGESTIONS", "ja ja"},
		{"Chinese with an address", "访问 http://localhost:5179/abcdefghijk", "zh"},
		{"Korean", "바로 커밋할까요?", "ko"},
		{"Korean with Latin words", "PR 을 main 에 merge 합니다", "ko"},
		{"English in Japanese", "直しました。\n\nAll tests are green.", "ja en"},
		{"marks alone take the message's", "直しました。\n\n「a」", "ja ja"},
		{"mixed", "直しました。Shall I push it? Ich pushe das nicht.", "ja en de"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range Parse(tt.in).Sentences {
				got = append(got, s.Lang)
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("languages of %q: %q, want %q", tt.in, g, tt.want)
			}
		})
	}
}

func TestFoldKnowsWhatIsStable(t *testing.T) {
	checkStable(t)
}
