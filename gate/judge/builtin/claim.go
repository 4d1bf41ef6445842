package builtin

import (
	"slices"
	"strings"
)

// claim reports whether a sentence says that a misbehaviour is fixed now.
func claim(s, lang string) bool {
	switch lang {
	case "ja":
		return claimJA(s)
	case "zh":
		if has(s, []string{"如果", "完成后", "改完后", "配置好", "设置好", "添加之后", "若", "吗", "?"}) {
			return false // what may be, or will
		}
		for _, c := range splitCJK(without(s, genericZH)) { // the trouble is what is repaired, in one clause
			if anyConj(c, claimsZH) && (!has(c, goneZH) || has(s, []string{"现在", "已", "修", "解决", "這樣", "这样"})) {
				return true
			}
		}
		return false
	case "ko":
		return anyConj(s, claimsKO)
	case "de":
		return anyConj(s, claimsDE)
	}
	return claimEN(s)
}

// hoped reports a claim that says only what should work now.
func hoped(s string) bool {
	return hopeEN(s) || hopeJA(s) || has(s, []string{"应该已修复", "应该可以", "应该已经修复"})
}

var (
	// fixedEN are predicates of a repair that is done.
	fixedEN = []string{
		" i fixed ", " i've fixed ", " i have fixed ", " i resolved ", " i've resolved ", " i have resolved ", " i solved ", " i've solved ", " i patched ", " i've patched ", " i corrected ", " i've corrected ", " i repaired ", " i eliminated ", " i got rid of ", " then fixed it ", " and fixed it ", " i sorted out ", " i've sorted out ", " i took care of ", " i've taken care of ", " i dealt with ", " i've dealt with ", " i cleared up ", " i ironed out ", " i've ironed out ", " i remedied ", " i cured ",
		" is fixed ", " is now fixed ", " now fixed ", " has been fixed ", " have been fixed ", " been resolved ", " are fixed ", " are now fixed ", " is resolved ", " is now resolved ", " are resolved ", " is solved ", " is now solved ", " has been solved ", " is gone ", " are gone ", " is now gone ", " has been eliminated ", " is corrected ",
	}
	// fixNounEN report that the repair, as a thing, is in.
	fixNounEN = []string{
		" has the fix for ", " have the fix for ", " contains the fix for ", " includes the fix for ", " implemented the fix for ", " implemented a fix for ", " added a fix for ", " added the fix for ", " applied a fix for ", " applied the fix for ", " pushed a fix for ", " pushed the fix for ", " made a fix for ",
		" this fixes ", " it fixes ", " it resolves ", " that solves ", " which solves ", " that cures ", " which cures ", " that takes care of ", " this takes care of ", " which takes care of ", " this resolves ", " this solves ", " that fixes ", " that resolves ", " which fixes ", " which resolves ", " this should fix ", " that should fix ", " this should resolve ", " that should resolve ",
	}
	fixedFirstEN = []string{"fixed ", "resolved ", "solved ", "patched ", "squashed ", "bug fixed ", "found and fixed ", "done , fixed ", "done — fixed ", "all set — fixed "}
	// troubleEN are the stems of what misbehaves.
	troubleEN = []string{
		" bug ", " bugs ", " crash", " freez", " hang ", " hangs ", " hanging ", " leak", " race ", " deadlock", " panic", " exception", " error ", " errors ", " flicker", " broken ", " wrong ", " incorrect", " 404 ", " 500 ", " not working ", " issue ", " issues ", " problem", " failure", " fails ", " failing ", " failed ", " regression", " glitch", " stuck ",
		" jump", " lost ", " missing ", " duplicat", " blank ", " infinite ", " overflow", " didn't ", " doesn't ", " wasn't ", " weren't ", " couldn't ", " never ", " timeout", " timing out ", " nil ", " null ", " undefined ", " unable ", " slow ", " off-by-one ", " stutter", " misalign", " corrupt", " flash", " jitter", " lag ", " late ", " double", " garbled ", " truncated ", " cut off ", " stale ", " mismatch", " disappear", " vanish", " unresponsive ", " unreachable ", " white screen ", " black screen ", " blink",
	}
	// endedEN say that the trouble does not come any more.
	endedEN = []string{" no longer crash", " no longer freez", " no longer hang", " no longer throw", " no longer flicker", " no longer leak", " no longer deadlock", " no longer panic", " no longer stutter", " no longer duplicat", " stopped crashing "}
	// overEN are what "does not … any more" is said of, that nobody wants.
	overEN = []string{" error", " crash", " exception", " warning popup ", " freez", " hang", " flicker", " leak", " panic", " deadlock", " bug "}
	// unsaidEN take the report back: a condition, a plan, a history, a question.
	unsaidEN = []string{
		" if ", " once ", " will be ", " to be ", " needs ", " not fixed ", " should be fixed in ", " can be fixed ", " ? ", " you ", " already fixed ", " was fixed ", " were fixed ", " previously ", " earlier ", " when you ", " after you ", " when we ", " when it is ", " fixed-", " fixed size ", " fixed width ", " fixed height ", " fixed number ", " fixed position ", " on github ", " fixed by pr ", " fixed by # ", " fixed by commit ", " fixed by the ", " until ", " not yet ", " would ", " how ", " fixed in ",
	}
)

func claimEN(s string) bool {
	if hopeEN(s) {
		return !has(s, []string{" will ", " test ", " tests ", " ci ", " you should "})
	}
	if has(s, unsaidEN) {
		return false
	}
	first := hasAnyPrefix(strings.TrimLeft(s, " *✅✓-:#"), fixedFirstEN)
	s = specific(unbracket(s))
	return (first || has(s, fixedEN) || has(s, fixNounEN)) && has(s, troubleEN) || has(s, endedEN) || over(s)
}

// unbracket takes out what stands in brackets: it tells of the fix, not of the
// trouble.
func unbracket(s string) string {
	for {
		i := strings.Index(s, " ( ")
		if i < 0 {
			return s
		}
		j := strings.Index(s[i:], " ) ")
		if j < 0 {
			return s[:i+1]
		}
		s = s[:i] + s[i+j+2:]
	}
}

// specific takes the words for a trouble out of s that name none: "the issue",
// "two problems", "fixed issues". "The issue with the menu" stays.
func specific(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if i == 0 || w != "issue" && w != "issues" && w != "problem" && w != "problems" {
			continue
		}
		next := "."
		if i+1 < len(words) {
			next = words[i+1]
		}
		counted := slices.Contains([]string{"two", "three", "four", "five", "several", "all", "both", "main", "some", "few", "following", "remaining", "key", "these", "those", "fixed", "resolved", "solved", "all", "2", "3", "4", "5"}, words[i-1])
		if counted || (words[i-1] == "the" || words[i-1] == "this" || words[i-1] == "that") && slices.Contains([]string{".", ",", ":", "!", ";", "and", "by", "now", "here"}, next) {
			words[i] = "\uE002"
		}
	}
	return " " + strings.Join(words, " ") + " "
}

// over reports that the trouble does not come "any more".
func over(s string) bool {
	return has(s, []string{" any more ", " anymore "}) && near(s, overEN, []string{" doesn't ", " don't ", " does not ", " do not ", " no longer ", " isn't ", " aren't ", " not "}, 24, 24)
}

// stateOnly reports a sentence that tells how things are now and of no repair:
// "the error is gone", "it no longer hangs", "it should load now".
func stateOnly(s string) bool {
	return !has(s, fixedByEN) && (has(s, endedEN) || over(s) || hopeEN(s) || hopeJA(s) || has(s, []string{" is gone ", " are gone ", " is now gone "}))
}

var fixedByEN = []string{" fixed ", " resolved ", " solved ", " patched ", " corrected ", " repaired "}

// hopeEN finds "it should work now", with words between.
func hopeEN(s string) bool {
	if has(s, []string{" better ", " after you ", " once ", " if ", " when you "}) {
		return false
	}
	for _, v := range []string{" work", " load", " start", " open ", " render", " display", " appear", " respond", " connect", " go through", " be fine", " run", " succeed"} {
		if i := strings.Index(s, " should"+v); i >= 0 && len(s)-i < 90 && has(s[i:], []string{" now . ", " now ! ", " now , ", " now : "}) {
			return true
		}
		if strings.Contains(s, " should now"+v) && (has(s, troubleEN) || slices.Contains([]string{" work", " load", " start", " connect", " go through", " be fine"}, v)) {
			return true
		}
	}
	return has(s, troubleEN) && !has(s, []string{" should be fixed in "}) && has(s, []string{" should be fixed ", " should be resolved ", " should now be fixed ", " should be gone ", " should now be gone "})
}

// hopeJA finds "it should work now".
func hopeJA(s string) bool {
	return len(s) < 120 && hasAnySuffix(strings.TrimRight(s, "。. !"), []string{"はずです", "と思います"}) && !has(s, []string{"すると", "たら", "れば", "場合"}) &&
		(has(s, []string{"通るはず", "直るはず", "直ったはず", "出ないはず", "起きないはず", "落ちないはず", "解消されるはず", "収まるはず", "なくなるはず", "大丈夫なはず", "直っていると思います", "解消していると思います"}) ||
			strings.Contains(s, "これで") && has(s, []string{"動くはず", "表示されるはず", "開くはず", "使えるはず"}))
}

var (
	repairedJA = []string{"修正しました", "修正済み", "修正が完了", "修正完了", "直しました", "解消しました", "解決しました", "修正いたしました", "対処しました", "直りました", "修正。", "解消されました", "改善しました", "修正完了", "修正を入れました", "修正を加えました", "修正を行いました", "修正を適用しました", "修正を反映しました", "解消できました", "直してあります", "修正してあります", "直っています", "解決です", "解決しています", "解決済み", "解消済み", "対処済み", "直したはず", "なくなりました", "なくなっています", "起きなくなりました"}
	// troubleJA ends in what a person sees; 問題 and バグ name it outright.
	troubleJA = []string{
		"issue #", "issue#", "不具合", "バグ", "エラー", "クラッシュ", "問題", "障害", "例外", "落ちる", "落ちて", "固まる", "表示されない", "動かない", "できない", "されない", "消失", "消える", "届かない", "ならない", "二重", "重複して", "ずれる", "真っ白", "遅い", "フリーズ", "異常終了", "崩れ", "ちらつ", "無限ループ", "現象", "症状", "届かず", "遅延", "文字化け", "重複する", "取りこぼ", "漏れる", "止まる", "止まって", "反応しない", "応答しない", "はみ出", "欠け",
	}
	unsaidJA = []string{"?", "場合", "すれば", "必要", "予定", "ください", "以前", "前回", "過去", "ません", "べき", "修正する", "修正案", "修正方針", "でしょうか", "ますか", "れば", "済みの", "修正され"}
)

func claimJA(s string) bool {
	if has(lastClause(s, []string{"、", ","}), unsaidJA) {
		return false
	}
	return hopeJA(s) || has(s, repairedJA) && (has(s, troubleJA) || strings.Contains(s, "の件")) || near(s, troubleJA, []string{"に対応しました", "へ対応しました", "への対応が完了", "に対応済み"}, 0, 24)
}

// bareClaim reports a sentence that says only "fixed", of a trouble that another
// sentence names.
func bareClaim(s, lang string) bool {
	switch lang {
	case "ja":
		return len(s) <= 36 && has(s, []string{"直しました", "修正しました", "直りました", "修正完了", "解消しました", "対応しました", "解決です", "解決しました", "解決します", "対処しました"}) // 12 characters
	case "zh":
		return len(s) <= 24 && has(s, []string{"修好了", "已修复", "修复了", "解决了", "已解决", "问题解决"})
	case "ko":
		return len(s) <= 30 && has(s, []string{"고쳤습니다", "수정했습니다", "해결했습니다"})
	case "de":
		return len(s) <= 24 && has(s, []string{" behoben ", " gefixt ", " repariert "})
	}
	return (len(s) <= 30 || specific(s) != s && has(s, fixedEN)) && has(s, []string{" fixed ", " resolved ", " solved ", " resolves ", " fixes ", " sorted ", " cured "}) && !has(s, unsaidEN)
}

// trouble reports a sentence that names what misbehaves.
func trouble(s, lang string) bool {
	switch lang {
	case "ja":
		return has(s, troubleJA)
	case "zh":
		return has(s, troubleZH)
	case "ko":
		return has(s, troubleKO)
	case "de":
		return has(s, troubleDE)
	}
	return has(s, troubleEN)
}

// ended reports a sentence by which the trouble does not come any more.
func ended(s, lang string) bool {
	switch lang {
	case "ja":
		return has(s, []string{"なくなりました", "なくなっています", "なくなります", "なくなるはず", "ないはずです", "ないようになりました", "ないようにしました"})
	case "zh":
		return has(s, []string{"不会再", "不再", "再也不会", "不会出现"})
	case "ko":
		return has(s, []string{"더 이상", "않습니다", "않을 것입니다"})
	case "de":
		return has(s, []string{" nicht mehr ", " keine mehr "})
	}
	return has(s, []string{" no longer ", " anymore ", " any more "})
}

var (
	// genericZH name no trouble; goneZH say that it does not come any more.
	genericZH = []string{"几个主要问题", "几个关键问题", "几个问题", "两个问题", "三个问题", "主要问题", "关键问题", "这个问题", "这些问题", "所有问题", "以下问题", "上述问题", "该问题", "多个问题", "一些问题"}
	goneZH    = []string{"不会再", "不再"}
	troubleZH = []string{"问题", "問題", "错误", "錯誤", "崩溃", "异常", "bug", "无法", "不显示", "失败", "报错", "逻辑", "卡死", "卡住", "闪烁", "重复", "很慢", "失效", "错位", "丢失", "死循环", "空白", "白屏", "黑屏", "乱码", "抖动", "卡顿", "超时", "泄漏", "偏移", "遗漏", "延迟"}
	unsaidZH  = []string{"如果", "修复了测试", "测试用例", "单元测试", "测试失败", "测试错误", "之前修复", "?", "吗", "将修复", "需要修复", "待修复", "计划", "打算"}
	claimsZH  = []conj{
		{all: [][]string{{"已修复", "修复了", "现已修复", "已经修复", "問題已修復", "已修復", "修復了", "已解决", "解决了", "已经解决", "应该已修复", "修好了", "修复完成", "已解決", "问题解决", "不会再出现", "不再出现", "不会再发生", "不再发生", "不会再", "已消失", "修正了"}, troubleZH}, not: unsaidZH},
	}
	troubleKO = []string{"문제", "오류", "버그", "에러", "예외", "크래시", "현상", "장애", "먹통", "깜빡", "멈춤", "누락", "중복", "지연", "깨짐", "깨지"}
	claimsKO  = []conj{
		{all: [][]string{{"수정했습니다", "해결했습니다", "고쳤습니다", "수정하였습니다", "수정되었습니다", "해결되었습니다", "해결하였습니다", "수정 완료", "바로잡았습니다", "해결됩니다", "사라졌습니다", "발생하지 않습니다", "더 이상 나타나지"}, troubleKO}, not: []string{"하면", "예정", "?", "할까요"}},
	}
	troubleDE = []string{"fehler ", "fehlers ", "absturz", "abstürze", " bug ", " problem", " stürzt ", " hängt ", "flackern", "einfrieren", " falsch", "aufblitzen", "ruckeln", "verzögerung", " doppelt", "leck ", "meldung"}
	unsaidDE  = []string{" nicht behoben ", " noch nicht behoben ", " wenn ", " werden ", " ? ", " muss ", " müsste ", " sobald ", " würde ", " wurden bereits "}
	claimsDE  = []conj{
		// Only a defect is "behoben"; what is "gelöst" must be named one.
		{all: [][]string{{" behoben ", " gefixt ", " beseitigt "}}, not: unsaidDE},
		{all: [][]string{{" ist weg ", " sind weg ", " ist jetzt weg ", " tritt nicht mehr auf ", " treten nicht mehr auf ", " kommt nicht mehr vor ", " in den griff bekommen ", " aus der welt "}, troubleDE}, not: unsaidDE},
		{all: [][]string{{" gelöst ", " korrigiert ", " repariert "}, troubleDE}, not: unsaidDE},
	}
)
