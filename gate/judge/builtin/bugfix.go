package builtin

import (
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// readCause reads for the gate on fixes without a root cause.
func readCause(m *message, a gate.Asked) ([]Record, gate.Answer) {
	rs := m.readClaims(a)
	if m.hasCause() {
		excuse(rs, "the cause is stated")
	}
	return rs, answer(rs, "a fix is reported, no cause")
}

// readReproduction reads for the gate on fixes of what was never seen failing.
func readReproduction(m *message, a gate.Asked) ([]Record, gate.Answer) {
	rs := m.readClaims(a)
	unseen := m.says(func(text string) bool { return has(text, unseenWords) })
	switch {
	case m.declaredC():
		excuse(rs, "declared not reproducible, class C")
	case !unseen && m.hasReproduction():
		excuse(rs, "a reproduction is reported")
	case !unseen && (len(m.ctx.Text) > thinReport || m.hasCause()):
		// Nothing says that the bug was seen, and nothing that it was not: such a
		// report is left to a judge that understands it.
		excuse(rs, "too little is said to tell")
	case !unseen:
		for i := range rs {
			if rs[i].Action == "hope" {
				excuse(rs[i:i+1], "a hope, not the report of a fix")
			}
		}
	}
	return rs, answer(rs, "a fix is reported, never seen failing")
}

func excuse(rs []Record, why string) {
	for i := range rs {
		if rs[i].Excuse == "" {
			rs[i].Excuse = why
		}
	}
}

// readClaims finds the sentences that report, now, a fix of a misbehaviour.
func (m *message) readClaims(a gate.Asked) []Record {
	var rs []Record
	other := m.notABugReport()
	for i, s := range m.speech(a) {
		text := searchable(s)
		if !claim(text, s.Lang) {
			continue
		}
		r := m.record(a, s)
		r.Action, r.Mood = "fix", Report
		if has(text, hopes) {
			r.Action = "hope"
		}
		h := m.heading(s.Block)
		switch {
		case has(text, harmless):
			r.Excuse = "no misbehaviour: wording, style or a check"
		case other != "":
			r.Excuse = other
		case has(h, historyHeads):
			r.Heading, r.Excuse = true, "a history or a list of findings"
		case m.retracted(i):
			r.Excuse = "it is taken back"
		}
		rs = append(rs, r)
	}
	return rs
}

var (
	// harmless are fixes that need neither cause nor reproduction.
	harmless = []string{
		" typo", " spelling ", " lint", " format", " style ", " comment", " docs ", " documentation ", " readme ", " wording ", " indentation ", " import", " whitespace ", " warning", " review ", " feedback ", " conflict", " naming ", " grammar ", " gofmt ", " staticcheck ", " rebase", " changelog ", " test ", " tests ",
		" link ", " links ", " issue # ", " type error", " compile ", " compilation ", " merge ", " eslint ", " suggestion", " nit ", " nits ", " prettier ", " mypy ", " ruff ", " clippy ", " reviewer", " ci ", " pr ", " prs ", " finding", " comments ",
		"誤字", "脱字", "文言", "レビュー", "指摘", "リンク切れ", "フォーマット", "コメント", "ドキュメント", "readme", "lint", "コンフリクト", "テストコード", "警告", "表記", "タイポ", "ビルドエラー", "型エラー", "マージ", "ブロッカー", "境界値",
		" tippfehler ", " schreibfehler ", " formatierung ", "错别字", "格式", "文档", "冲突", "오타",
	}
	historyHeads = []string{
		"changelog", "release notes", "history", "previous", "recap", "earlier", "commits", "findings", "review", "known issues", "fixes in ", "related", "next steps", "tests", "変更履歴", "リリースノート", "これまで", "経緯", "コミット", "レビュー", "指摘", "次のステップ", "更新日志", "变更记录", "변경 이력",
	}
)

// notABugReport says why no fix in this message counts: it tells of another's
// work or judges one.
func (m *message) notABugReport() string {
	switch {
	case m.isReview():
		return "a review or an evaluation"
	case m.says(func(text string) bool { return has(text, historyWords) }):
		return "a history of changes"
	}
	return ""
}

var historyWords = []string{
	" changelog of ", " release notes ", " upstream fixed ", " changelog for ", "変更履歴", "リリースノート", "更新日志", " änderungsprotokoll ", "변경 이력",
}

// claim reports whether a sentence says that a misbehaviour is fixed now.
func claim(s, lang string) bool {
	switch lang {
	case "ja":
		return claimJA(s)
	case "zh":
		return has(s, []string{"已修复", "修复了", "现已修复", "已经修复", "問題已修復", "已修復", "修復了", "已解决", "解决了", "应该已修复"}) &&
			has(s, []string{"问题", "問題", "错误", "崩溃", "异常", "bug", "无法", "不显示", "失败", "报错", "逻辑"}) && !has(s, []string{"如果", "测试", "之前修复", "?", "吗"})
	case "ko":
		return has(s, []string{"수정했습니다", "해결했습니다", "고쳤습니다", "수정하였습니다", "수정되었습니다", "해결되었습니다"}) && has(s, []string{"문제", "오류", "버그", "에러", "예외", "크래시", "현상"})
	case "de":
		return has(s, []string{" behoben ", " gefixt ", " repariert ", " beseitigt "}) && has(s, []string{" fehler ", " absturz ", " bug ", " problem ", " stürzt ", " hängt "}) && !has(s, []string{" nicht ", " noch ", " wenn ", " werden ", " ? "})
	}
	return claimEN(s)
}

// hopes say that something should work now.
var hopes = []string{" should work now ", " should now work ", "应该已修复", "应该可以"}

var (
	fixedEN   = []string{" i fixed ", " i've fixed ", " i have fixed ", " i resolved ", " i've resolved ", " i patched ", " i've patched ", " is fixed ", " is now fixed ", " now fixed ", " has been fixed ", " been resolved ", " are fixed ", " are now fixed ", " i corrected ", " is resolved ", " is now resolved "}
	troubleEN = []string{
		" bug ", " bugs ", " crash ", " crashes ", " crashed ", " crashing ", " freeze ", " hang ", " hangs ", " leak ", " race ", " deadlock ", " panic ", " panics ", " exception ", " error ", " errors ", " flicker ", " broken ", " wrong ", " incorrect ", " 404 ", " 500 ", " not working ", " issue ", " problem ",
		" failure ", " fails ", " failing ", " regression ", " glitch ", " stuck ", " jumped ", " lost ", " missing ", " duplicate ", " duplicated ", " blank ", " infinite ", " overflow ", " didn't ", " doesn't ", " wasn't ", " weren't ", " couldn't ", " never ", " timeout ", " nil ", " null ", " undefined ", " unable ",
	}
	unsaidEN = []string{
		" if ", " once ", " will be ", " to be ", " needs ", " not fixed ", " should be fixed in ", " can be fixed ", " ? ", " you ", " already fixed ", " was fixed ", " were fixed ", " previously ", " earlier ", " when you ", " when we ", " when it is ", " fixed-", " fixed size ", " fixed by pr ", " fixed by # ", " fixed by commit ", " fixed by the ", " until ", " not yet ", " would ", " how ", " fixed in ",
	}
)

func claimEN(s string) bool {
	if has(s, unsaidEN) && !has(s, []string{" should work now ", " should start now "}) {
		return false
	}
	first := hasAnyPrefix(strings.TrimLeft(s, " *✅✓-:"), []string{"fixed ", "resolved ", "solved ", "patched "}) || strings.HasPrefix(s, " bug fixed ") || strings.HasPrefix(s, " done , fixed ") || strings.HasPrefix(s, " done — fixed ")
	if (first || has(s, fixedEN)) && has(s, troubleEN) {
		return true
	}
	return has(s, []string{" should work now ", " it should now work ", " should now work "}) && !has(s, []string{" will "})
}

func claimJA(s string) bool {
	if has(lastClause(s, []string{"、", ","}), []string{"?", "場合", "すれば", "必要", "予定", "ください", "以前", "前回", "過去", "ません", "べき", "修正する", "修正案", "修正方針", "でしょうか", "ますか", "れば", "済みの", "修正され"}) {
		return false
	}
	return has(s, []string{"修正しました", "修正済み", "修正が完了", "修正完了", "直しました", "解消しました", "解決しました", "修正いたしました", "対処しました", "直りました", "修正。"}) &&
		has(s, []string{"不具合", "バグ", "エラー", "クラッシュ", "問題", "障害", "例外", "落ちる", "落ちて", "固まる", "表示されない", "動かない", "できない", "されない", "消失", "消える", "届かない", "ならない", "二重", "重複して", "ずれる", "真っ白", "遅い", "フリーズ", "異常終了", "崩れ"})
}

// hasCause reports whether the message says why the bug happened. It is
// generous: any explaining word frees, except in a sentence that only restates
// the symptom.
func (m *message) hasCause() bool {
	for i := range m.doc.Sentences {
		s := &m.doc.Sentences[i]
		if s.Own == "" {
			continue
		}
		text := without(searchable(s), effectWords)
		if has(text, causeWords) && !onlySymptom(text) && !has(text, unknownCause) {
			return true
		}
	}
	return false
}

var (
	causeWords = []string{
		" because ", " root cause ", " cause ", " caused ", " causes ", " causing ", " due to ", " since ", " reason ", " why ", " turned out ", " the problem was ", " the issue was ", " the bug was ", " the culprit ", " was using ", " was calling ", " was passing ", " was missing ", " was being ", " were being ",
		" was never ", " was not ", " wasn't ", " weren't ", " were not ", " didn't ", " did not ", " doesn't ", " does not ", " used to ", " led to ", " meant ", " resulting in ", " resulted in ", " which made ", " without ", " instead of ", " previously ", " originally ", " stale ", " raced ", " overwrote ", " forgot ",
		" was set ", " was only ", " was still ", " was always ", " was evaluated ", " was computed ", " was called ", " comes from ", " came from ", " stems ", " mismatch ", " expected ", " kept ", " never ", " so the ", " so it ", " thus ", " hence ", " the old code ", " before : ", " the actual ", " mechanism ", " whereas ",
		" was the ", " was in ", " was a ", " ran before ", " got ", " leaves ", " left ", " had ", " hadn't ", " bypass", " was ",
		"原因", "ため", "ので", "からです", "なぜなら", "によって", "により", "せいで", "ことが分か", "ことがわか", "ていました", "ていなかった", "になっていた", "されていた", "抜けて", "漏れて", "取り違え", "参照して", "問題の", "問題点は", "問題は次", "根本", "が逆", "呼ばれて", "古い", "いたのが", "だったのが", "競合",
		" weil ", " ursache ", " grund ", " denn ", " lag daran ", " wegen ", " durch ", " da der ", " da die ", " da das ", "因为", "因為", "问题是", "问题分析", "问题在于", "初始值", "原因", "由于", "由於", "导致", "導致", "根因", "所以", "没有", "之前", "때문", "원인", "으로 인해", "아서", "어서 ",
	}
	// effectWords tell what follows from the change, not what caused the bug.
	effectWords  = []string{"ようにしたので", "ようにしたため", "修正したので", "修正したため", "追加したので", "追加したため", "処理したので", "変更したため", "変更したので", "したことにより", "처리했으니", "처리했기 때문에"}
	unknownCause = []string{"原因は不明", "原因不明", "原因は分か", "原因はわか", " cause is unknown ", " cause is still ", " don't know the cause ", " ursache ist unklar ", " cause remains ", "原因未知", "原因是未知", "定位具体错误原因", "诊断"}
)

// onlySymptom reports whether the sentence's explanation is no more than the
// state that was seen.
func onlySymptom(s string) bool {
	if has(s, []string{"だったため", "であるため", "になったため", "だったので", "でした", "であること", " was undefined ", " was null ", " was nil ", " was none ", " was empty ", " is undefined ", " is null ", " war undefined ", " war null ", " ist null "}) {
		return has(s, []string{"undefined", "null", "nil", "none", "空だった", "\uE001が\uE001", "empty", "例外だった", "\uE001 was \uE001"}) && len(s) < 90 ||
			strings.Count(s, "\uE001") == 2 && len(s) < 60 && has(s, []string{"だったため", "であるため", "であること"})
	}
	return has(s, []string{" crashed because it crashed ", "エラーが出ていたため", "エラーになっていたため", "クラッシュしていたため", "例外が出ていたため", "エラーが発生していたため", " because it threw ", " because it crashed ", " because an error ", " because there was an error ", " because it failed ", " because it was broken ", "落ちていたため"}) && len(s) < 120
}

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
		n, low := norm(cutLong(s.Plain, maxSentence)), strings.ToLower(s.Plain)
		if kind == prose.Fence || kind == prose.Code {
			if has(low, []string{"error", "fail", "panic", "traceback", "exception", "exit", "fatal", "assert"}) {
				return true
			}
			continue
		}
		if has(n, unseenWords) || has(low, unseenWords) {
			continue
		}
		if has(n, seenWords) || has(low, seenWordsCJK) {
			return true
		}
	}
	return false
}

var (
	unseenWords = []string{
		" couldn't reproduce ", " could not reproduce ", " can't reproduce ", " cannot reproduce ", " unable to reproduce ", " didn't reproduce ", " did not reproduce ", " wasn't able to reproduce ", " not able to reproduce ", " never saw ", " not reproduced ", " haven't reproduced ", " without reproducing ", " never reproduced ", " from reading the code ", " by reading the code ",
		"再現できません", "再現はでき", "再現しません", "再現していません", "再現は確認していません", "再現確認はして", "再現できていません", "再現できて", "再現できず", "再現には至", "再現できなかった", "再現しなかった", "再現は取れ", "再現は試し", "再現手順は未", "コードを読んで", "コードを読む限り", "再現せず", "再現なし",
		" nicht reproduzieren ", " nicht nachstellen ", " nicht reproduziert ", "无法复现", "未复现", "没有复现", "재현하지 못", "재현되지 않",
	}
	seenWords = []string{
		" reproduc", " repro ", " failing test ", " failed before ", " fails before ", " fails without ", " failed without ", " before the fix ", " before the change ", " before this change ", " before this fix ", " before : ", " before / after ", " red ", " seen ", " observed ", " regression test", " log ", " logs ", " trace ", " stack ", " saw ",
		" traceback ", " confirmed ", " without the fix ", " previously failed ", " previously returned ", " used to return ", " output ", " screenshot ", " failed with ", " fails with ", " failing with ", " exit code ", " steps ", " the error ", " error : ", " debugg", " traced ", " reverting ", " old code ", " tests for ", " new test ", " added test", " test covers ",
		" test that ", " tests that ", " added a test ", " unit test for ", " vorher ", " nachgestellt ", " reproduzier", " fehlschlug ",
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
