package builtin

import "strings"

var (
	nounsJA = []string{
		"テスト", "test", "ビルド", "build", "lint", "リント", "型チェック", "型検査", "tsc", "ci", "e2e", "検証", "動作確認", "cmp", "diff", "比較", "コンパイル", "スモーク", "vet", "パイプライン", "pytest", "jest", "チェック", "unit", "実機", "回帰",
		"ワークフロー", "workflow", "コンソール", "pipeline", "フック", "clippy", "eslint", "ヘルスチェック", "ドライラン", "型エラー", "スナップショット", "プレコミット", "動作テスト", "curl", "ベンチ",
	}
	resultsJA = []string{
		"pass", "パスしました", "パスしています", "パスした", "パスして", "パス。", "通過", "成功", "通りました", "通っています", "通った", "通ります", "通るようになりました", "緑", "グリーン", "クリーン", "green", "✅", "問題なし", "問題なく", "問題ありません", "エラーなし", "エラー0", "エラーはありません", "エラーは出ていません", "エラーも出ていません", "警告は出ていません", "エラーゼロ", "失敗0", "失敗なし", "完了", "済み", "一致", "ok",
		"クリア", "通し、", "通しました", "100%", "警告なし", "確認できました", "正常", "済んでいます", "200でした", "200 でした", "期待どおり", "期待通り", "想定どおり", "想定通り",
	}
	byHandJA = []string{
		"動作を確認しました", "動作確認しました", "動作確認済み", "表示を確認しました", "動くことを確認", "表示されることを確認", "なることを確認", "通ることを確認", "成功することを確認", "手元で確認", "実機で確認", "ブラウザで確認", "パターン確認", "検証済み", "動作することを確認", "正常に動作することを",
		"されることを確認しました", "ことを見ました", "いずれも動作しました", "すべて動作しました", "正しく動作しました", "で計測", "計測したところ", "計測しました", "1ピクセルの違いも", "ことを目視", "ことを確かめました", "のを確認しました", "のを見ました", "いずれも200", "200が返", "200を返し", "起動を確認しました", "一致を確認", "再現しないことを確認", "差分がないことを確認", "差異がないことを確認", "違いがないことを確認", "変化がないことを確認", "件成功", "件pass", "件すべて成功", "件すべて通", "件通過", "件パス", "全pass", "すべてpass", "全てpass", "全件成功", "全件pass", "全件グリーン", "すべてグリーン", "全てグリーン", "オールグリーン", "rc=0", "fail=0",
		"動作を確かめました", "挙動を確かめました", "表示を確かめました", "ことを確認済み", "正常動作。", "正常に動きました", "正常に動いています", "正常に応答しています", "正常に表示され", "問題なく動いています", "問題なく動きました", "型エラーはありません", "型エラーなし", "リグレッションなし", "デグレなし", "リグレッションはありません",
	}
	voidJA = []string{
		"未", "ません", "しない", "していない", "できない", "できていない", "だけ", "のみ", "これから", "予定", "はず", "たら", "れば", "後に", "てから", "ください", "お願い", "必要", "場合", "次第", "ないまま", "まだ", "見込み", "想定", "だろう", "か。", "ましょう", "でしょう", "失敗", "確認します", "実行します", "します。",
		"しますか", "するため", "保証", "する前", "かどうか", "思います", "べき", "方針", "計画", "よう", "書きました", "すると", "した場合", "待ち", "たい。",
	}
	// positiveJA hold a word that voids, and are good news all the same.
	positiveJA = []string{
		"問題ありません", "エラーはありません", "エラーはなく", "失敗はありません", "差分はありません", "差分がない", "差分なし", "差異がない", "差異なし", "違いがない", "変化がない", "差分は出ません", "警告はありません", "警告も出ていません", "警告は出ていません", "失敗なし", "失敗0", "失敗は0", "0件失敗", "0失敗", "0 失敗", "リグレッションはありません", "回帰はありません", "問題なければ", "commitしますか", "コミットしますか", "ようになりました", "未使用", "必要な", "だけでなく", "したら成功",
		"差はありません", "差はなく", "指摘は0", "指摘はありません", "指摘なし", "影響もありません", "影響はありません", "変更なし", "差分はゼロ", "差分ゼロ", "想定どおり", "想定通り", "エラーも警告もありません",
	}
	// failedJA name what failed before, in front of its noun.
	failedJA = []string{"失敗していた", "失敗してた", "落ちていた", "赤だった"}
	// triedJA are ways to use a thing, cameJA what came of it.
	triedJA = []string{"動かし", "実行し", "実行して", "実行結果", "走らせ", "流し", "流した", "叩い", "叩く", "開いて", "開き", "操作し", "起動し", "試し", "アクセスし", "クリックし", "比べ", "比較し", "手元で", "ブラウザで", "実機で", "シミュレータ", "エミュレータ", "スクリーンショット"}
	cameJA  = []string{"表示されました", "出力されました", "表示されています", "になりました", "返りました", "返ってきました", "返っています", "動きました", "動いています", "応答しました", "応答しています", "開きました", "一致しました", "一致しています", "成功しました", "なりました", "期待どおり", "期待通り", "問題ありませんでした", "問題なし", "差はありませんでした", "差分はありませんでした", "エラーは出ませんでした", "失敗はありません", "正常でした", "正常に"}
)

// checkedJA reads a sentence clause by clause, then as a whole: what was tried
// and what came of it may stand on either side of a comma.
func checkedJA(s string) bool {
	s = without(s, failedJA)
	for _, c := range splitCJK(s) {
		good := has(c, positiveJA)
		rest := without(c, positiveJA)
		if has(rest, voidJA) {
			continue
		}
		if has(c, []string{"表示", "動作", "画面", "出力", "挙動", "起動"}) && has(rest, []string{"確認しました", "確認済み", "確認できました", "を確認しています", "確認も済んで"}) {
			return true
		}
		if has(c, []string{"一致しました", "一致しています", "一致した", "同じでした", "同一でした", "差はありません", "差分はゼロ", "差分はありません", "差分なし"}) && has(c, []string{"行数", "件数", "ハッシュ", "チェックサム", "出力", "結果", "前後", "バイト", "差分"}) {
			return true
		}
		if has(c, []string{"計測", "ベンチ", "実測", "測定"}) && strings.ContainsAny(c, "0123456789") && has(c, []string{"でした", "になりました", "→", "->"}) {
			return true
		}
		if has(c, byHandJA) || has(c, nounsJA) && strings.HasSuffix(c, "通り") || has(c, nounsJA) && (good || has(rest, resultsJA)) {
			return true
		}
		if good && has(c, []string{"警告も出て", "警告は出て", "エラーも警告も"}) {
			return true
		}
	}
	whole := without(s, append(positiveJA, "ませんでした。"))
	return has(s, triedJA) && has(s, cameJA) && !has(whole, voidJA) && !has(s, []string{"追加し", "変更し", "修正し", "実装し", "ようにし"}) || paired(s)
}

// paired finds a test that was seen on both sides of the change.
func paired(s string) bool {
	return has(s, []string{"修正前は失敗", "変更前は失敗", "修正前に失敗", "修正前は落ち", "修正なしでは失敗"}) && has(s, []string{"修正後は成功", "変更後は成功", "修正後に成功", "修正後は通", "変更後は通", "通りました"}) && !has(s, []string{"はず", "予定", "ください"})
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
