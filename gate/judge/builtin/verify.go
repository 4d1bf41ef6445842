package builtin

import (
	"strings"

	"github.com/agenthooks/hookctl/gate/prose"
)

// findCheck finds the sentence since the user's turn that reports a check with
// its result. It looks at tables and code too, but not at quotes.
func (m *message) findCheck() string {
	d := m.ctx
	row := ""
	for i := range d.Sentences {
		s := &d.Sentences[i]
		kind := d.Blocks[s.Block].Kind
		if s.Plain == "" || kind == prose.Diff {
			continue
		}
		text := cutLong(s.Plain, maxSentence)
		if kind == prose.Cell {
			text = row + " : " + text // "| pnpm test | 412 passed |"
			row = s.Plain
		} else {
			row = ""
		}
		if checked(text, s.Lang) {
			return d.Text[s.Start:s.End]
		}
	}
	return ""
}

// checked reports whether a folded sentence reports a check with a result.
func checked(s, lang string) bool {
	n := norm(s)
	for _, c := range splitAt(n, []string{" ; ", " · ", " — ", " – ", " but ", " , but ", " • ", " | ", " ✅ ", " ✓ ", " , so ", " so i'll ", " , and i'll ", " and i'll "}) {
		if checkedEN(c) && (lang == "en" || !has(s, voidJA) && !has(c, voidDE)) {
			return true
		}
	}
	low := strings.ToLower(s)
	if lang == "en" && strings.IndexFunc(low, func(r rune) bool { return r > 0x2E80 }) < 0 {
		return false
	}
	switch lang {
	case "ja":
		return checkedJA(low)
	case "zh":
		return checkedZH(low)
	case "ko":
		return has(low, []string{"테스트", "빌드", "ci", "lint", "동작", "확인", "test", "tsc", "vet", "타입", "린트", "검사", "e2e", "컴파일", "화면"}) && has(low, []string{"통과했", "통과하였", "통과합니다", "통과하고", "이상 없", "오류 없", "정상", "성공했", "성공입니다", "모두 통과", "정상 동작을 확인"}) &&
			!has(low, []string{"않", "못", "아직", "하면", "예정", "되면"})
	case "de":
		return checkedDE(n)
	}
	return checkedJA(low) || checkedZH(low)
}

func splitAt(s string, marks []string) []string {
	parts := []string{s}
	for _, m := range marks {
		var next []string
		for _, p := range parts {
			for _, q := range strings.Split(p, m) {
				next = append(next, " "+strings.TrimSpace(q)+" ")
			}
		}
		parts = next
	}
	return parts
}

var (
	nounsEN = []string{
		" test ", " tests ", " suite ", " specs ", " spec ", " ci ", " build ", " builds ", " lint ", " linter ", " linting ", " typecheck ", " type-check ", " typechecks ", " type checks ", " tsc ", " check ", " checks ",
		" pipeline ", " pipelines ", " workflow ", " e2e ", " hooks ", " vet ", " pytest ", " jest ", " vitest ", " mypy ", " ruff ", " eslint ", " clippy ", " compile ", " compilation ", " compiles ", " typescript ",
		" cmp ", " diff ", " compared ", " comparison ", " golangci-lint ", " gofmt ", " cargo ", " npm ", " pnpm ", " yarn ", " make ", " unit ", " integration ", " smoke ", " jobs ", " staticcheck ", " tsc ", " pre-commit ", " validation ", " verification ",
		" testsuite ", " counts ", " checksum ", " checksums ", " hashes ", " playwright ", " rspec ", " phpunit ", " swift ", " xcodebuild ", " gradle ", " regression ",
	}
	resultsEN = []string{
		" pass ", " passes ", " passed ", " passing ", " green ", " clean ", " cleanly ", " succeed ", " succeeds ", " succeeded ", " success ", " successful ", " successfully ", " ok ", " match ", " matches ",
		" identical ", " no errors ", " no error ", " no failures ", " no warnings ", " no issues ", " zero errors ", " zero failures ", " zero warnings ", " 0 failed ", " 0 failures ", " 0 errors ", " 0 issues ", " 0 warnings ",
		" without errors ", " without error ", " without warnings ", " all good ", " ✅ ", " ✓ ", " 100 % ", " completed ", " complete ", " no regressions ", " no differences ", " no difference ", " passe ", " is happy ", " are happy ", " is quiet ", " no complaints ", " nothing to complain ",
	}
	// byHandEN report a check without a tool's name.
	byHandEN = []string{
		" verified that ", " verified the ", " verified : ", " verified by ", " verified with ", " verified locally ", " verified in ", " verified on ", " verified it ", " i verified ", " i've verified ", " and verified ", " verified against ",
		" verified end-to-end ", " verified manually ", " confirmed that ", " i confirmed ", " confirmed by ", " confirmed working ", " confirmed it ", " tested locally ", " tested it ", " i tested ", " i've tested ", " tested with ", " tested against ",
		" tested on ", " tested manually ", " tested and ", " compiles clean ", " compiles cleanly ", " compiles without ", " builds clean ", " builds cleanly ", " builds without ", " exit code 0 ", " exited 0 ", " exits 0 ", " exit 0 ", " rc = 0 ",
		" byte-identical ", " pixel-identical ", " checked by hand ", " tried by hand ", " tested by hand ", " checked manually ", " measured with ", " measured : ", " outputs are identical ", " screenshots are identical ", " byte for byte ", " fail = 0 ", " hooks passed ", " dry-run succeeded ", " works end-to-end ", " works end to end ", " smoke-tested ", " all passing ", " all pass ", " all passed ", " all green ", " clicked through ", " i ran the app ", " http 200 ", " returns 200 ", " verified working ",
	}
	voidEN = []string{
		" not ", " don't ", " didn't ", " haven't ", " hasn't ", " couldn't ", " can't ", " cannot ", " isn't ", " aren't ", " wasn't ", " weren't ", " won't ", " doesn't ", " never ", " without running ", " untested ", " unverified ", " should ", " would ",
		" will ", " once ", " if ", " until ", " unless ", " when ", " make sure ", " ensure ", " ensures ", " only ", " need ", " needs ", " expected ", " expect ", " pending ", " may ", " might ", " please ", " must ", " can you ", " want me ", " shall ", " i'll ",
		" to pass ", " to be ", " yet ", " unable ", " let me ", " waiting ", " wait for ", " after tests ", " after the tests ", " after ci ", " before ", " fails ", " failing ", " let's ", " going to ", " whether ", " so that ", " tbd ", " todo ", " supposed ", " hopefully ", " assume ", " assuming ", " i think ", " i believe ", " hope ", " presumably ", " so far ", " probably ", " ? ",
		" requires ", " required ", " passes in ", " pass in ",
	}
)

// checkedEN reads one clause.
func checkedEN(c string) bool {
	c = without(c, []string{" not only ", " only known ", " did not break ", " , unrelated ", " if needed ", " pre-existing failing ", " not related ", " before and after ", " before / after "})
	if explained(c) || has(c, nounsEN) && has(c, []string{" didn't touch ", " found nothing ", " no findings ", " nothing to report ", " no complaints ", " reports nothing "}) {
		return true
	}
	if has(c, voidEN) {
		return false
	}
	if has(c, byHandEN) || counted(c) || has(c, usedEN) && has(c, usedWhereEN) && has(c, usedResultEN) {
		return true
	}
	return has(c, nounsEN) && has(c, resultsEN)
}

// A use of the thing itself, where, and what came of it: "loaded the page in
// Firefox, the menu opens".
var (
	usedEN       = []string{" loaded ", " opened ", " clicked ", " started ", " ran ", " hit ", " called ", " curled ", " requested ", " played ", " walked through ", " tried ", " exercised ", " drove "}
	usedWhereEN  = []string{" in firefox ", " firefox ", " chrome ", " safari ", " browser ", " page ", " app ", " simulator ", " emulator ", " device ", " locally ", " staging ", " server ", " endpoint ", " \uE001 ", " url ", " script ", " container ", " image ", " by hand "}
	usedResultEN = []string{" opens ", " works ", " work ", " loads ", " renders ", " shows ", " appears ", " responds ", " comes up ", " 200 ", " as expected ", " as it should ", " no errors ", " without errors ", " correctly ", " worked "}
)

// explained reports a run whose failures are old and named as such: it is a
// check all the same.
func explained(c string) bool {
	return counted(c) && has(c, []string{" pre-existing ", " unrelated ", " known ", " as before ", " already failing ", " also fail on main ", " fails on main "}) && !has(c, []string{" should ", " will ", " would "})
}

// counted finds a number beside a result: "412 passed", "27/27 pass", "41 tests
// pass".
func counted(c string) bool {
	f := strings.Fields(c)
	for i, w := range f {
		switch w {
		case "passed", "passing", "pass", "green", "ok", "succeeded":
			for j := i - 1; j >= 0 && j >= i-4; j-- {
				if f[j][0] >= '0' && f[j][0] <= '9' {
					return true
				}
			}
		}
	}
	return false
}

var (
	nounsJA = []string{
		"テスト", "test", "ビルド", "build", "lint", "型チェック", "型検査", "tsc", "ci", "e2e", "検証", "動作確認", "cmp", "diff", "比較", "コンパイル", "スモーク", "vet", "パイプライン", "pytest", "jest", "vitest", "チェック", "unit", "実機", "回帰",
		"ワークフロー", "workflow", "コンソール", "pipeline", "フック", "clippy", "eslint",
	}
	resultsJA = []string{
		"pass", "通過", "成功", "通りました", "通っています", "通った", "通ります", "緑", "グリーン", "green", "✅", "問題なし", "問題なく", "問題ありません", "エラーなし", "エラー0", "エラーはありません", "エラーは出ていません", "エラーも出ていません", "警告は出ていません", "エラーゼロ", "失敗0", "失敗なし", "完了", "済み", "一致", "ok",
		"クリア", "通し、", "通しました", "100%", "警告なし", "確認できました", "正常",
	}
	byHandJA = []string{
		"動作を確認しました", "動作確認しました", "動作確認済み", "表示を確認しました", "動くことを確認", "表示されることを確認", "なることを確認", "通ることを確認", "手元で確認", "実機で確認", "ブラウザで確認", "パターン確認", "検証済み", "動作することを確認", "正常に動作することを",
		"されることを確認しました", "ことを見ました", "いずれも動作しました", "すべて動作しました", "正しく動作しました", "で計測", "計測したところ", "計測しました", "1ピクセルの違いも", "ことを目視", "ことを確かめました", "のを確認しました", "のを見ました", "いずれも200", "200が返", "200を返し", "起動を確認しました", "一致を確認", "再現しないことを確認", "差分がないことを確認", "差異がないことを確認", "違いがないことを確認", "変化がないことを確認", "件成功", "件pass", "件すべて成功", "件すべて通", "件通過", "全pass", "すべてpass", "全てpass", "全件成功", "全件pass", "rc=0", "fail=0",
	}
	voidJA = []string{
		"未", "ません", "しない", "していない", "できない", "できていない", "だけ", "のみ", "これから", "予定", "はず", "たら", "れば", "後に", "てから", "ください", "お願い", "必要", "場合", "次第", "ないまま", "まだ", "見込み", "想定", "だろう", "か。", "ましょう", "でしょう", "失敗", "確認します", "実行します", "します。",
		"しますか", "するため", "保証", "する前", "かどうか", "思います", "べき", "方針", "計画", "よう", "書きました",
	}
	positiveJA = []string{
		"問題ありません", "エラーはありません", "エラーはなく", "失敗はありません", "差分はありません", "差分がない", "差分なし", "差異がない", "差異なし", "違いがない", "変化がない", "差分は出ません", "警告はありません", "失敗なし", "失敗0", "失敗は0", "0件失敗", "0失敗", "0 失敗", "リグレッションはありません", "回帰はありません", "問題なければ", "commitしますか", "コミットしますか", "ようになりました", "未使用", "必要な", "だけでなく", "したら成功",
	}
)

// checkedJA reads a sentence clause by clause.
func checkedJA(s string) bool {
	for _, c := range splitCJK(s) {
		good := has(c, positiveJA)
		rest := without(c, positiveJA)
		if has(rest, voidJA) {
			continue
		}
		if has(c, []string{"表示", "動作", "画面", "出力", "挙動", "起動"}) && has(rest, []string{"確認しました", "確認済み", "確認できました"}) {
			return true
		}
		if has(c, []string{"一致しました", "一致しています", "一致した", "同じでした", "同一でした"}) && has(c, []string{"行数", "件数", "ハッシュ", "チェックサム", "出力", "結果", "前後", "バイト"}) {
			return true
		}
		if has(c, byHandJA) || has(c, nounsJA) && strings.HasSuffix(c, "通り") || has(c, nounsJA) && (good || has(rest, resultsJA)) {
			return true
		}
	}
	return false
}

// splitCJK cuts at commas and dashes. A result that stands alone keeps the noun
// of the clause before it: "テスト 214 件、すべて成功".
func splitCJK(s string) []string {
	f := strings.FieldsFunc(joinNumbers(s), func(r rune) bool { return strings.ContainsRune("、,,。;;—·", r) })
	if len(f) < 2 {
		return f
	}
	for i := 1; i < len(f); i++ {
		if !has(f[i], nounsJA) && has(f[i], []string{"すべて", "全て", "全件", "いずれも"}) {
			f[i] = f[i-1] + f[i]
		}
	}
	return f
}

// joinNumbers takes the commas out of numbers: "48,112" is no two clauses.
func joinNumbers(s string) string {
	digit := func(i int) bool { return i >= 0 && i < len(s) && '0' <= s[i] && s[i] <= '9' }
	if !strings.Contains(s, ",") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] != ',' || !digit(i-1) || !digit(i+1) {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func checkedZH(s string) bool {
	for _, c := range splitCJK(s) {
		ok := has(c, []string{"没有告警", "没有错误", "没有报错", "无错误", "0失败", "0 失败", "无告警", "无报错", "没有警告"})
		rest := without(c, []string{"没有告警", "没有错误", "没有报错", "无错误", "0失败", "0 失败", "没有警告", "后端"})
		if has(rest, []string{"未", "没有", "还没", "应该", "如果", "请", "需要", "尚", "待", "不能", "无法", "失败", "之后", "后再", "建议", "可以", "将", "测试一下", "确保"}) {
			continue
		}
		noun := has(c, []string{"测试", "測試", "用例", "构建", "構建", "编译", "編譯", "lint", "检查", "ci", "验证", "npm", "tsc", "pytest", "jest", "test", "vet", "build", "类型检查", "健康"})
		if noun && (ok || has(rest, []string{"通过", "通過", "成功", "正常", "全绿", "没问题", "无误", "✅", "一致"})) {
			return true
		}
	}
	return false
}

var voidDE = []string{
	" nicht ", " noch ", " nur ", " sollte ", " sollten ", " wenn ", " sobald ", " nachdem ", " muss ", " müssen ", " bitte ", " kein ", " werde ", " wird ", " bis ", " falls ", " ob ", " ungetestet ",
}

func checkedDE(s string) bool {
	for _, c := range splitAt(s, []string{" ; ", " — ", " – ", " aber "}) {
		c = without(c, []string{" keine fehler ", " noch immer grün "})
		if has(c, voidDE) {
			continue
		}
		noun := has(c, []string{" test ", " tests ", " testlauf ", " testfälle ", " build ", " ci ", " lint ", " linter ", " prüfung ", " prüfungen ", " testsuite ", " unit-tests ", " kompiliert ", " vergleich ", " make ", " go ", " pipeline ", " npm ", " fälle "})
		if noun && has(c, []string{" grün ", " grünen ", " bestanden ", " erfolgreich ", " durchgelaufen ", " laufen durch ", " ohne fehler ", " sauber ", " fehlerfrei ", " in ordnung ", " ok ", " identisch ", " stimmt überein "}) || noun && ofTotal(c) {
			return true
		}
	}
	return false
}

// ofTotal finds "66 von 66".
func ofTotal(c string) bool {
	f := strings.Fields(c)
	for i, w := range f {
		if w == "von" && i > 0 && i+1 < len(f) && f[i-1] == f[i+1] {
			return true
		}
	}
	return false
}
