package builtin

import "strings"

// hasCause reports whether the message says why the bug happened. It is
// generous: any explaining word frees, except in a sentence that only restates
// the symptom.
func (m *message) hasCause() bool {
	for i := range m.doc.Sentences {
		s := &m.doc.Sentences[i]
		if s.Own == "" {
			continue
		}
		if m.tellsWhy(i) {
			return true
		}
		text := without(searchable(s), effectWords)
		if over(text) {
			text = without(text, []string{" doesn't ", " does not ", " don't ", " do not "})
		}
		switch {
		case onlySymptom(text) || has(text, unknownCause):
		case has(text, causeWords), has(text, pastWords) && !claim(text, s.Lang):
			return true
		}
	}
	return false
}

var (
	causeWords = []string{
		" because ", " root cause ", " cause ", " caused ", " causes ", " causing ", " due to ", " since ", " reason ", " why ", " turned out ", " the problem was ", " the issue was ", " the bug was ", " the culprit ", " was using ", " was calling ", " was passing ", " was missing ", " was being ", " were being ",
		" was never ", " was not ", " wasn't ", " weren't ", " were not ", " didn't ", " did not ", " doesn't ", " does not ", " used to ", " led to ", " meant ", " resulting in ", " resulted in ", " which made ", " without ", " turns out ", " my mistake ", " my previous edit ", " sorry ", " i used the wrong ", " i missed ", " i overlooked ", "我漏了", "我写错", "抱歉", "我刚才", "すみません", "書き間違え", "見落と", "mein fehler ", "제 실수", " came down to ", " comes down to ", " introduced by ", " introduced in ", " regression from ", " which dropped ", " that dropped ", " explanation : ", " the problem : ", " what happened : ", " what went wrong ", " what broke ", " explained by ", " traced it ", " traced to ", " traces back ", " boils down ", " instead of ", " previously ", " originally ", " stale ", " raced ", " overwrote ", " forgot ",
		" was set ", " was only ", " was still ", " was always ", " was evaluated ", " was computed ", " was called ", " comes from ", " came from ", " stems ", " mismatch ", " expected ", " kept ", " never ", " so the ", " so it ", " thus ", " hence ", " the old code ", " before : ", " the actual ", " mechanism ", " whereas ",
		" was the ", " was in ", " was a ", " were ", " ran before ", " got ", " leaves ", " left ", " had ", " hadn't ", " bypass", " was ",
		"原因", "ため", "ので", "からです", "なぜなら", "によって", "により", "せいで", "ことが分か", "ことがわか", "ていました", "ていなかった", "になっていた", "されていた", "抜けて", "漏れて", "取り違え", "参照して", "問題の", "問題点は", "問題は次", "根本", "が逆", "呼ばれて", "古い", "いたのが", "だったのが", "競合",
		" weil ", " ursache ", " grund ", " denn ", " lag daran ", " wegen ", " durch ", " da der ", " da die ", " da das ", "因为", "因為", "问题是", "问题分析", "问题在于", "初始值", "原因", "由于", "由於", "导致", "導致", "根因", "所以", "没有", "之前", "때문", "원인", "으로 인해", "아서", "어서 ",
	}
	// pastWords tell how it was; beside the report itself they tell no cause.
	pastWords = []string{
		" wurde ", " wurden ", " war ", " waren ", " hatte ", " hatten ", " fehlte ", " fehlten ", " blieb ", " bisher ", " lief ", " griff ",
		"状態でした", "状態だった", "てしまって", "てしまい", "たままで", "っていた", "れていた", "のに、", "最後でした", "ていたのは", "고 있었", "는데 ", "但未", "未添加到", "未注册", "不一致", "只支持", "不支持", "缺少", "缺失", "期望", "中不存在", ",但", "误将", "写错", "却", "原本", "本来", "原来", "以前", "旧的", "总是", "始终", "每次都", "被覆盖", "会导致", "冲突", "不匹配", "错误地", "过早", "重复执行", "多次", "本来は", "これまで", "元々", "もともと", "従来", "常に", "毎回", "ままに", "衝突", "不一致", "食い違", "기존", "원래", "항상", "매번", "충돌", "불일치", " bislang ", " ursprünglich ", " immer ", " jedes mal ", " stattdessen ", " kollidier", "했기", "되어 있", "있어서", "였습니다", "이었습니다",
	}
	// effectWords tell what follows from the change, not what caused the bug.
	effectWords  = []string{" i got rid of ", " gets rid of ", "ようにしたので", "ようにしたため", "修正したので", "修正したため", "追加したので", "追加したため", "処理したので", "変更したため", "変更したので", "したことにより", "처리했으니", "처리했기 때문에"}
	unknownCause = []string{"原因は不明", "原因不明", "原因は分か", "原因はわか", " cause is unknown ", " cause is still ", " don't know the cause ", " ursache ist unklar ", " cause remains ", "原因未知", "原因是未知", "定位具体错误原因", "诊断"}
)

// goneWords contrast the symptom with its absence.
var goneWords = []string{
	" and now it doesn't ", " but now it doesn't ", " now it does not ", " and now it works ", " it doesn't anymore ", "出なくなりました", "発生しなくなりました", "起きなくなりました", "なくなりました", "jetzt nicht mehr ", "现在不会了", "现在不会再", "더 이상 나지",
}

// onlySymptom reports whether the sentence's explanation is no more than the
// state that was seen.
func onlySymptom(s string) bool {
	if has(s, goneWords) && len(s) < 120 {
		return true
	}
	if has(s, []string{"だったため", "であるため", "になったため", "だったので", "でした", "であること", " was undefined ", " was null ", " was nil ", " was none ", " was empty ", " is undefined ", " is null ", " war undefined ", " war null ", " ist null "}) {
		return has(s, []string{"undefined", "null", "nil", "none", "空だった", "\uE001が\uE001", "empty", "例外だった", "\uE001 was \uE001"}) && len(s) < 90 ||
			strings.Count(s, "\uE001") == 2 && len(s) < 60 && has(s, []string{"だったため", "であるため", "であること"})
	}
	return has(s, []string{" crashed because it crashed ", "エラーが出ていたため", "エラーになっていたため", "クラッシュしていたため", "例外が出ていたため", "エラーが発生していたため", " because it threw ", " because it crashed ", " because an error ", " because there was an error ", " because it failed ", " because it was broken ", "落ちていたため"}) && len(s) < 120
}
