package builtin

import (
	"strings"

	"github.com/agenthooks/hookctl/gate/prose"
)

// hasReproduction reports whether the text since the user's turn shows the bug as
// it was seen.
func (m *message) hasReproduction() bool {
	d := m.ctx
	for i := range d.Sentences {
		s := &d.Sentences[i]
		if s.Plain == "" {
			continue
		}
		kind := d.Blocks[s.Block].Kind
		n, low := norm(cutLong(s.Plain, maxSentence)), without(strings.ToLower(s.Plain), noLogs)
		if kind == prose.Fence || kind == prose.Code {
			if has(low, []string{"error", "fail", "panic", "traceback", "exception", "exit", "fatal", "assert"}) {
				return true
			}
			continue
		}
		if unseen(n) || unseen(low) || untried(n) || untried(low) {
			continue
		}
		if quotedError(s.Plain) {
			return true
		}
		if claim(n, s.Lang) { // the error that is gone was not seen by that
			n = without(n, seenInPassing)
		}
		if has(n, seenWords) || has(low, seenWordsCJK) {
			return true
		}
	}
	return false
}

// quotedError finds the words of an error, in quotes beside the noun: what was
// printed, not what is said of it.
func quotedError(s string) bool {
	low := strings.ToLower(s)
	for _, mark := range []string{"\" error", "” error", "\" exception", "\" warning", "」エラー", "”错误", "\"错误", "\"的错误", "”的错误", "\" 错误", "」というエラー", "」のエラー"} {
		if i := strings.Index(low, mark); i > 12 && strings.ContainsAny(low[:i], " ._'(") {
			return true
		}
	}
	return false
}

// noLogs hold the word for a log and are none.
var noLogs = []string{"ログイン", "ログアウト", "カタログ", "ブログ", "プログラム", "ダイアログ", "プログレス", "로그인", "로그아웃", "프로그램", "블로그"}

// seenInPassing are words that name the trouble itself in a sentence that reports
// its fix.
var seenInPassing = []string{" the error ", " output ", " log ", " logs ", " seen ", " saw ", " trace ", " steps ", " red ", " exit code "}

// unseen reports a sentence that says the bug was not seen: a word of seeing it,
// denied, in whatever language.
func unseen(s string) bool {
	if has(s, seenGone) {
		return false
	}
	return has(s, neverSeen) ||
		near(s, []string{" reproduc", " repro ", " trigger it ", " trigger the "}, []string{" not ", "n't ", " unable ", " never ", " without ", " cannot "}, 28, 0) ||
		near(s, []string{"reproduzier", "nachstell", "nachgestellt"}, []string{" nicht ", " nie ", " ohne "}, 28, 36) ||
		near(s, []string{"再現"}, []string{"ません", "なかった", "せず", "できず", "ていない", "至らず", "至って", "未", "なし"}, 0, 50) ||
		near(s, []string{"复现", "復現", "重现"}, []string{"没", "未", "无法", "不能", "無法"}, 15, 0) ||
		near(s, []string{"재현"}, []string{"못", "않", "안 "}, 0, 30)
}

var (
	// neverSeen deny it without the word.
	neverSeen = []string{
		" never saw ", " from reading the code ", " by reading the code ", " by inspection ", "コードを読んで", "コードを読む限り", "コードを見ただけ",
	}
	// seenGone say that it does not come any more, which takes having seen it; or
	// that it could not be seen to begin with and was left alone.
	seenGone = []string{
		" reproduce anymore ", " reproduce any more ", " reproduces anymore ", " reproducible anymore ", " no longer reproduc", "再現しないことを", "再現しなくな", "再現されなくな", "再現手順", "不再复现", "더 이상 재현",
	}
	// untriedWords say that nothing was run, or that the cause is a guess. Beside
	// them a reproduction still counts.
	untriedWords = []string{
		" haven't run ", " have not run ", " didn't run ", " did not run ", " untested ", " not tested ", " haven't tested ", " haven't tried ", " did not try ", " didn't try ", " no such device ", " don't have access ", " no access ", " couldn't see ", " went by the description ", " probably ", " most likely ", " presumably ", " i suspect ", " my guess ",
		"おそらく", "たぶん", "推測", "動かしていません", "未確認", "未検証", "未テスト", "試していません", "端末がない", "環境がない", "実機がない", "説明から判断", "見られません", "見られなかった", "動作確認はしていません", "動作確認はできていません",
		" vermutlich ", " wahrscheinlich ", " ungetestet ", " nicht getestet ", " keinen zugriff ", " nach der beschreibung ", " nicht ausprobiert ", " solches gerät habe ich nicht ",
		"大概", "可能是", "估计", "猜测", "没有测试", "没测试", "尚未测试", "未测试", "未经测试", "没有这种设备", "没有该设备", "没有设备", "按描述", "没有权限",
		"아마", "것 같아", "추측", "실행해 보지", "테스트하지", "확인하지 못", "기기가 없", "설명만",
	}
)

// untried reports a sentence by which nothing was run.
func untried(s string) bool {
	return has(s, untriedWords) || strings.Contains(s, "手元では") && strings.Contains(s, "ませんでした") ||
		near(s, []string{" getestet ", " ausprobiert "}, []string{" nicht "}, 30, 40)
}

var (
	seenWords = []string{
		" reproduc", " repro ", " failing test ", " failed before ", " fails before ", " fails on ", " failed on main ", " fails without ", " failed without ", " before the fix ", " before the change ", " before this change ", " before this fix ", " before : ", " before / after ", " red ", " seen ", " observed ", " regression test", " log ", " logs ", " trace ", " stack ", " saw ",
		" traceback ", " confirmed ", " without the fix ", " previously failed ", " previously returned ", " used to return ", " output ", " screenshot ", " failed with ", " fails with ", " failing with ", " exit code ", " steps ", " the error ", " error : ", " debugg", " traced ", " reverting ", " old code ", " on my machine ", " here too ", " here as well ", " showed up ", " shows up ", " printed ", " console shows ", " console showed ", " on main the ", " on the main branch ", " without the patch ", " without the change ", " without this change ", " bisect", " profiler ", " debugger ", " failed at first ", " really ", " now it gives ", " now gives ", " gave a ", " answered 500 ", " answers 500 ", " run failed ", " same error ", " from your report ", " from the ticket ", " tests for ", " new test ", " added test", " test covers ",
		" test that ", " tests that ", " added a test ", " unit test for ", " vorher ", "nachgestellt ", " reproduzier", " fehlschlug ", " schlug ", " war rot ",
	}
	seenWordsCJK = []string{"再現", "修正前", "失敗する", "失敗を確認", "失敗していた", "落ちることを確認", "ログ", "スタックトレース", "回帰テスト", "テストを追加", "テストケースを追加", "テスト追加", "エラーメッセージ", "赤", "复现", "復現", "日志", "修复前", "报错信息", "截图", "재현", "로그", "수정 전"}
)

// declaredC reports an explicit class C: not reproducible, and said so.
func (m *message) declaredC() bool {
	return m.says(func(text string) bool {
		return has(text, []string{" class c ", " klasse c ", "classc", "クラスc", "c類", "分類c", "class c(", "class c,", "class c:", "class cと", "class cで", "再現不能と", "再現不能("})
	})
}

// thinReport is the length in bytes up to which a report without a cause is
// little enough to say that it holds no reproduction either.
const thinReport = 700
