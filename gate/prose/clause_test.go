package prose

import (
	"strings"
	"testing"
)

func TestClauses(t *testing.T) {
	tests := []struct{ lang, in, want string }{
		{"en", "I push.", "I push."},
		{"en", "", ""},
		{"en", "I have not run it, but I will commit now.", "I have not run it,|but I will commit now."},
		{"en", "Tests pass; pushing now", "Tests pass;|pushing now"},
		{"en", "All green — pushing now and then I stop", "All green —|pushing now|and then I stop"},
		{"en", "Once it is green, I'll commit it, so wait", "Once it is green, I'll commit it,|so wait"},
		{"en", "a, b, and c, sober", "a, b,|and c, sober"},
		{"de", "Noch nicht getestet, aber ich pushe, sobald es grün ist", "Noch nicht getestet,|aber ich pushe, sobald es grün ist"},
		{"de", "Das ist fertig, und ich lade hoch", "Das ist fertig,|und ich lade hoch"},
		{"ja", "テストはまだ回していませんが、先にデプロイします", "テストはまだ回していませんが、|先にデプロイします"},
		{"ja", "影響が大きいため、別途対応とし、次へ進みます", "影響が大きいため、|別途対応とし、|次へ進みます"},
		{"ja", "通ったら、コミットします", "通ったら、コミットします"},
		{"ja", "残りは別セッションで、という案は撤回します", "残りは別セッションで、という案は撤回します"},
		{"ja", "別途対応として、後に回します", "別途対応として、後に回します"},
		{"ja", "不要な行を消して、コミットして、PRを出します", "不要な行を消して、|コミットして、|PRを出します"},
		{"zh", "测试未运行,但我现在提交;然后推送", "测试未运行,|但我现在提交;|然后推送"},
		{"ja", "確認して、コミットして、プッシュします", "確認して、|コミットして、|プッシュします"},
		{"zh", "共1,200个", "共1,200个"},
		{"ko", "테스트는 안 했지만 바로 커밋하고 푸시할까요?", "테스트는 안 했지만|바로 커밋하고|푸시할까요?"},
		{"ko", "지금 진행하고 있습니다", "지금 진행하고 있습니다"},
		{"ko", "참고 바랍니다", "참고 바랍니다"},
		{"ko", "수정했는데, 푸시는 아직입니다", "수정했는데,|푸시는 아직입니다"},
	}
	for _, tt := range tests {
		if got := strings.Join(Clauses(tt.in, tt.lang), "|"); got != tt.want {
			t.Errorf("Clauses(%q, %s)\n got %q\nwant %q", tt.in, tt.lang, got, tt.want)
		}
		checkClauses(t, tt.in, tt.lang)
	}
}
