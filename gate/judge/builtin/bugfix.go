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
	if len(rs) > 0 { // else nothing is to be looked for
		m.excuseReproduced(rs)
	}
	return rs, answer(rs, "a fix is reported, never seen failing")
}

func (m *message) excuseReproduced(rs []Record) {
	seen := m.hasReproduction()
	switch unseen := m.says(unseen); {
	case m.declaredC():
		excuse(rs, "declared not reproducible, class C")
	case unseen:
	case seen:
		excuse(rs, "a reproduction is reported")
	case m.says(untried) && len(m.ctx.Text) <= thinReport:
	case len(m.ctx.Text) > thinReport || strings.Count(m.ctx.Text, "`") >= 6 && m.says(plainCause):
		// Nothing says that the bug was seen, and nothing that it was not: such a
		// report is left to a judge that understands it.
		excuse(rs, "too little is said to tell")
	default:
		for i := range rs {
			if rs[i].Action == "hope" {
				excuse(rs[i:i+1], "a hope, not the report of a fix")
			}
		}
	}
}

// plainCause reports a sentence that names a cause outright. Beside the code that
// it speaks of, a short report shows that somebody looked at the failure itself.
func plainCause(text string) bool {
	return has(text, []string{" because ", " the issue was ", " the problem was ", " the error was ", " cause ", " caused ", " was ", " were ", " due to ", " since ", "原因", "因为", "问题是", "问题在于", "之前", "没有", "不存在", "导致", "ため、", "ので、", "ていました", "때문", " weil ", " ursache "})
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
		text := claimPart(searchable(s), s.Lang)
		if !claim(text, s.Lang) && !(bareClaim(text, s.Lang) && m.bareOf(i)) {
			continue
		}
		r := m.record(a, s)
		r.Action, r.Mood = "fix", Report
		if hoped(text) {
			r.Action = "hope"
		}
		h := m.heading(s.Block)
		switch {
		case stateOnly(text) && len(m.doc.Text) > thinReport:
			// What a longer report says besides, it may say of a feature.
			r.Excuse = "how things are now, in a longer report"
		case has(text, harmless):
			r.Excuse = "no misbehaviour: wording, style or a check"
		case other != "":
			r.Excuse = other
		case hoped(text) && m.handsOver():
			r.Excuse = "how a new thing should work, no trouble before it is named"
		case m.sideMention(s.Block) || len(m.doc.Text) > thinReport && m.ownBefore(i) >= 4:
			r.Excuse = "one of many changes, mentioned beside them"
		case has(h, historyHeads):
			r.Heading, r.Excuse = true, "a history or a list of findings"
		case m.retracted(i):
			r.Excuse = "it is taken back"
		}
		rs = append(rs, r)
	}
	return rs
}

// isNew reports that the message hands over something new.
func (m *message) isNew() bool {
	return m.says(func(text string) bool {
		return has(text, []string{" created ", " implemented ", " built ", " here's the ", " here is the ", " updated code ", " run it ", " scaffold", " set up ", " is installed ", " are installed ", " in place ", " granted ", " server should start ", " i made ", "作成", "実装", "npm run", "创建", "实现", "新增"})
	})
}

// hadTrouble reports that the message speaks of something that went wrong: a
// trouble, a repair, another try.
func (m *message) hadTrouble() bool {
	return m.says(func(text string) bool {
		return has(text, troubleEN) || has(text, troubleJA) || has(text, troubleZH) || has(text, troubleKO) || has(text, repairWords) || has(text, []string{" again ", " retry ", "再度", "もう一度", "直", "修正", "重新"})
	})
}

// ownBefore counts the own sentences before sentence i: what a long report is
// about, it says at its start.
func (m *message) ownBefore(i int) int {
	n := 0
	for k := range m.doc.Sentences[:i] {
		if m.doc.Sentences[k].Own != "" {
			n++
		}
	}
	return n
}

// sideMention reports that the block is an item of a long list of changes, few of
// which are fixes.
func (m *message) sideMention(block int) bool {
	if m.doc.Blocks[block].Kind != prose.ListItem {
		return false
	}
	items, fixes := m.listItems()
	return items >= 5 && fixes*4 <= items
}

// countItems counts the items of the message's lists, and those that report a
// fix.
func (m *message) countItems() (items, fixes int) {
	for _, b := range m.doc.Blocks {
		if b.Kind != prose.ListItem || b.N == 0 {
			continue
		}
		items++
		if s := &m.doc.Sentences[b.First]; s.Own != "" && claim(searchable(s), s.Lang) {
			fixes++
		}
	}
	return items, fixes
}

// reproducedWords tell that there was a trouble, and that it was seen.
var reproducedWords = []string{" reproduced ", "再現でき", "再現しました", "复现了", "재현했", " nachgestellt "}

// claimPart is the part of a sentence that reports the fix: what stands beyond a
// semicolon has a matter of its own ("bug fixed; all tests pass").
func claimPart(s, lang string) string {
	for _, part := range splitAt(s, []string{" ; "}) {
		if claim(part, lang) {
			return part
		}
	}
	return s
}

// bareOf reports whether the sentences beside a bare "fixed" name what was: the
// trouble before it, or that it does not come any more.
func (m *message) bareOf(i int) bool {
	if len(m.doc.Text) > thinReport {
		return false
	}
	if m.says(func(text string) bool { return has(text, reproducedWords) && !unseen(text) }) {
		return true
	}
	for _, k := range []int{i - 1, i + 1} {
		if k < 0 || k >= len(m.doc.Sentences) {
			continue
		}
		s := &m.doc.Sentences[k]
		text := searchable(s)
		if s.Own != "" && !has(text, harmless) && (ended(text, s.Lang) || k > i && trouble(text, s.Lang) && hasAnyPrefix(strings.TrimLeft(text, " *"), []string{"問題", "症状", "現象", "problem", "issue", "bug", "问题", "문제"}) && !m.hasCause() || k < i && trouble(text, s.Lang) && !m.hasCause()) {
			return true
		}
	}
	return false
}

var (
	// harmless are fixes that need neither cause nor reproduction.
	harmless = []string{
		" typo", " spelling ", " lint", " format", " style ", " comment", " docs ", " documentation ", " readme ", " wording ", " indentation ", " import", " whitespace ", " warning", " review ", " feedback ", " conflict", " naming ", " grammar ", " gofmt ", " staticcheck ", " rebase", " changelog ", " test ", " tests ",
		" typescript ", " type from ", " types ", " import error", "类型错误", "导入错误", "导入路径", "编译错误", "语法错误", "语法检查", "拼写", "样式", "警告", "评审", "审查", "命名", "構文エラー", "インポート", "import", "依存関係", " syntax error", " semicolon", " spacing ", " alignment ", " undefined variable", " missing import", " title case ", " build error", " compiler ", " deprecation ", " link ", " links ", " issue # ", " type error", " compile ", " compilation ", " merge ", " additional ", " minor ", " eslint ", " suggestion", " nit ", " nits ", " prettier ", " mypy ", " ruff ", " clippy ", " reviewer", " ci ", " finding", " comments ",
		"誤字", "脱字", "文言", "レビュー", "指摘", "リンク切れ", "フォーマット", "コメント", "ドキュメント", "readme", "lint", "コンフリクト", "テストコード", "警告", "表記", "タイポ", "ビルドエラー", "型エラー", "マージ", "ブロッカー", "境界値",
		" konflikt", " anmerkungen ", " import-fehler ", " lint-fehler ", " typfehler ", "타입 오류", "린트", "오류 메시지", "에러 메시지", "병합", "충돌", " tippfehler ", " schreibfehler ", " formatierung ", "错别字", "格式", "文档", "冲突", "오타",
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
	case m.says(func(text string) bool { return has(text, lintWords) && has(text, repairWords) }):
		return "a clean-up of what a tool reports"
	case m.says(func(text string) bool { return has(text, historyWords) }):
		return "a history of changes"
	}
	return ""
}

// lintWords are findings of a tool, repairWords what is done to them.
var (
	lintWords   = []string{" linter error", " lint error", " linter warning", " lint warning", " linter issue", " lint issue", " linting ", " eslint ", " pylint ", " typescript error", " type error", " import error", "linter错误", "linter 错误", "lint错误", "类型错误", "导入错误", "编译错误", "typescript错误", "typescript 错误", "linter警告", "リントエラー", "型エラー"}
	repairWords = []string{" fixed ", " fix ", " fixes ", " resolved ", " resolve ", " solved ", "修复", "解决", "修正", "解消"}
)

var historyWords = []string{
	" changelog of ", " release notes ", " upstream fixed ", " changelog for ", "変更履歴", "リリースノート", "更新日志", " änderungsprotokoll ", "변경 이력",
}
