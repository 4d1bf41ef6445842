package builtin

import "strings"

// actionsJA are the words of the actions, longest first where one holds another.
var actionsJA = []string{"コミット", "commit", "プッシュ", "push", "マージ", "merge", "デプロイ", "deploy", "プルリクエスト", "プルリク", "pull request", "pr", "ready for review", "反映", "リリース", "本番", "公開", "main"}

// afterJA make a compound of an action: another thing than doing it.
var afterJA = []string{
	"メッセージ", "message", "履歴", "ハッシュ", "hash", "ログ", "log", "id", "番号", "通知", "ノート", "note", "コンフリクト", "conflict", "先", "手順", "環境", "スクリプト", "本文",
	"タイトル", "説明", "テンプレ", "フック", "hook", "前", "時", "用", "数", "単位", "対象", "方法", "ルール", "戦略", "元", "後の", "内容", "済", "後", "待ち", "されて", "された", "コメント", "レビュー",
	"ボタン", "イベント", "サイズ", "タイミング", "型", "量", "率", "担当", "先の", "方針", "可否", "判断", "推奨",
}

// proposalJA reads a Japanese sentence in lower case, without spaces at the
// border of scripts. The predicate's end decides.
func proposalJA(s string) (proposal, bool) {
	for from := 0; from < len(s); {
		act, pos, end := nextActionJA(s, from)
		if act == "" {
			break
		}
		from = end
		if p, ok := predicateJA(s, pos, end, act); ok {
			return p, true
		}
	}
	if i := strings.Index(s, "完走"); i >= 0 && has(s, []string{"反映まで", "本番まで", "リリースまで", "デプロイまで", "マージまで", "deployまで"}) {
		if strings.Contains(s[i:], "します") || strings.Contains(s[i:], "させます") || strings.HasSuffix(s, "完走") || strings.HasSuffix(s, "完走。") {
			return proposal{action: "反映", mood: Announce, condition: conditionJA(s[:i])}, true
		}
	}
	return proposal{}, false
}

// nextActionJA finds the next action word that is no part of a compound.
func nextActionJA(s string, from int) (act string, pos, end int) {
	pos = len(s)
	for _, w := range actionsJA {
		for at := from; ; {
			i := strings.Index(s[at:], w)
			if i < 0 {
				break
			}
			i += at
			at = i + len(w)
			if latinInside(s, i, at) {
				continue
			}
			if i < pos || i == pos && at > end {
				act, pos, end = w, i, at
			}
			break
		}
	}
	return act, pos, end
}

// latinInside reports whether s[i:j], when it is in Latin letters, is a part of
// a longer word.
func latinInside(s string, i, j int) bool {
	letter := func(c byte) bool { return 'a' <= c && c <= 'z' || c == '_' || c == '-' || c == '/' }
	return letter(s[i]) && (i > 0 && letter(s[i-1]) || j < len(s) && letter(s[j]))
}

func predicateJA(s string, pos, end int, act string) (proposal, bool) {
	p := proposal{action: act}
	tail := s[end:]
	for _, w := range afterJA {
		if strings.HasPrefix(tail, w) {
			return p, false
		}
	}
	verb := tail
	switch act {
	default:
		if !doneJA(tail) || notOfRepoJA(s[:pos], act) {
			return p, false
		}
	case "pr", "プルリク", "プルリクエスト", "pull request":
		if hasAnyPrefix(tail, []string{"にします", "にしましょう", "にしてよ", "にしておき", "にまとめます"}) {
			if hasAnySuffix(s[:pos], []string{"別", "別の", "次の", "後続の", "別々の", "1つの", "一つの"}) {
				return p, false // how it is cut, not that it is made
			}
			break
		}
		if hasAnyPrefix(tail, []string{"が", "は", "マージ", "で", "に"}) {
			return p, false // the PR itself is spoken of
		}
		tail = strings.TrimPrefix(tail, "の")
		verb = cutLong(tail, 60)
		if !has(verb, []string{"作成", "作り", "作っ", "出し", "出す", "上げ", "あげ", "立て", "開き", "開く", "開い", "オープン", "発行", "送り", "送っ", "切り", "マージ", "merge", "open", "create", "ready"}) {
			return p, false
		}
	case "ready for review":
		if !hasAnyPrefix(tail, []string{"にします", "にしましょ", "にしてよ", "に変更", "に切り替え"}) {
			return p, false
		}
	case "main":
		if !hasAnyPrefix(tail, []string{"に入れ", "へ入れ", "に取り込", "へ取り込", "に統合", "ブランチに入れ", "ブランチへ入れ", "ブランチに取り込"}) {
			return p, false
		}
	case "公開":
		if !has(s, []string{"タグ", "リリース", "バージョン", "npm", "pypi", "パッケージ", "ストア"}) || !hasAnyPrefix(tail, []string{"します", "しましょ", "していき", "しても", "してよ", "を行い"}) {
			return p, false
		}
	case "反映", "リリース", "本番":
		if !has(s, []string{"本番", "main", "完走", "リリースし", "リリースを", "リリースも行", "リリースで", "反映まで一気に", "反映まで進め"}) || !has(tail, []string{"します", "ますか", "進めます", "行います", "していきます", "させます", "させていきます", "させていただ", "いたします", "してよろし", "してよい", "してもよ", "して良い", "してもいい", "しても大丈夫", "してよさそう", "しましょうか", "に出せます", "に上げられます", "できます", "に出します", "に上げます", "に入れます"}) && !hasAnyPrefix(tail, []string{"でよろしい", "でよい", "でいい"}) {
			return p, false
		}
	}
	mood, ok := moodJA(s, verb)
	if !ok {
		return p, false
	}
	p.mood = mood
	before := s[:pos]
	if i := strings.LastIndexAny(before, "。;"); i >= 0 {
		before = before[i:]
	}
	p.negated = negatedJA(tail)
	p.condition = conditionJA(before)
	if p.condition != Event && has(tail, []string{"たら進", "たらコミット", "のはテスト", "のは検証"}) {
		p.condition = Event
	}
	if has(lastClause(before, []string{"が、", "ので、", "ため、"}), thirdJA) && mood != Offer {
		p.actor = "other"
	}
	p.choice = has(without(s, bothJA), whichCJK) || has(before, []string{"どの", "どこ"}) || has(s, []string{"それとも", "あるいは", "もしくは"}) && mood == Offer || strings.Count(s, "するか") > 1 || strings.Count(s, "ますか") > 1
	return p, true
}

// notOfRepoJA reports a merge, or a commit, of things of the product: the object
// stands right before the verb.
func notOfRepoJA(before, act string) bool {
	clause := lastClause(before, []string{"。", "、"})
	if has(clause, []string{"pr", "#", "ブランチ", "main", "master", "develop", "変更", "プルリク", "修正", "差分", "これ", "この"}) {
		return false
	}
	switch act {
	case "マージ", "merge":
		return has(clause, []string{"設定", "リスト", "関数", "節", "配列", "辞書", "オブジェクト", "テーブル", "データ", "ファイル", "セル", "行を", "項目", "クラス", "型を", "コンポーネント", "つの", "重複", "結果を", "値を", "キーを", "コンフリクト", "1つに", "一つに", "メソッド", "セクション"})
	case "コミット", "commit":
		return has(clause, []string{"オフセット", "トランザクション", "セッションを", "レコード"})
	case "プッシュ", "push":
		return has(clause, []string{"配列", "スタック", "要素", "通知", "キューに", "メッセージを", "イベントを"})
	}
	return false
}

// doneJA reports whether what follows an action word does the action, rather than
// something with its result ("コミットを調べます").
func doneJA(tail string) bool {
	for _, particle := range []string{"を", "も", "まで", "へ", "に", "は", "の"} {
		if rest, ok := strings.CutPrefix(tail, particle); ok {
			tail = rest
			break
		}
	}
	return hasAnyPrefix(tail, []string{
		"し", "する", "行", "実行", "進", "移", "入", "でよろしい", "でよい", "でいい", "で良い", "済ませ", "いたし", "させ", "やっ", "やり", "かけ", "作", "が必要", "どうし", "準備", "できます", "可能な", "できる状態", "いきま", "回し", "取りかか", "取り掛か", "私の", "こちらで", "ok", "?", "作業に", "対応し", "切りま", "切っておき", "がよければ", "をご希望", "希望",
	})
}

// moodJA decides by the sentence's last predicate; what stands right after the
// action rules out clauses that only modify or depend.
func moodJA(s, tail string) (Mood, bool) {
	t := strings.TrimRight(s, " 。.!🙏🚀✨")
	question := strings.HasSuffix(t, "?") || strings.HasSuffix(t, "か")
	t = strings.TrimRight(t, "?)")
	if has(tail, []string{"準備ができ", "準備が整", "準備完了", "準備ok", "できる状態", "可能な状態"}) || hasAnyPrefix(tail, []string{"できます", "に出せます", "に上げられます", "に反映できます"}) && has(s, []string{"いつでも", "この状態で", "すぐに", "もう"}) {
		return Ready, true
	}
	if question && hasAnyPrefix(tail, []string{"でよろしい", "でよい", "でいい", "で良い", "で問題ない"}) {
		return Offer, true // "a commit, is that all right?"
	}
	if strings.HasSuffix(t, "させてください") {
		return Offer, true
	}
	if hasAnyPrefix(strings.TrimPrefix(tail, "を"), []string{"してもよければ", "してよければ", "して良ければ", "してもよろしければ", "してよろしければ"}) {
		return Offer, true // "if I may, tell me"
	}
	switch {
	case hasAnyPrefix(tail, []string{"まで一気に進めます", "まで進めます"}):
		return Announce, true
	case strings.Contains(s, "あとは") && hasAnyPrefix(strings.TrimPrefix(tail, "を"), []string{"するだけです", "するのみです", "するだけ。"}):
		return Ready, true
	case hasAnySuffix(t, tellJA) && hasAnyPrefix(tail, wishedJA):
		return Offer, true // "if you want it committed, tell me"
	case hasAnyPrefix(tail, []string{"してください", "をお願いします", "してプッシュしてください", "してpushしてください"}) && len(tail) < 60 && !has(s, laterStepJA):
		return Ready, true // the immediate step, put to the user
	}
	for _, w := range subordinateJA {
		if strings.HasPrefix(tail, w) || strings.HasPrefix(tail, "を"+w) {
			return "", false
		}
	}
	if hasAnyPrefix(strings.TrimPrefix(tail, "を"), []string{"しますので", "しますから", "しますね", "しますが、"}) {
		return Announce, true
	}
	if hasAnySuffix(t, pastJA) {
		return "", false
	}
	switch {
	case hasAnySuffix(t, offersJA), question && hasAnySuffix(t, []string{"ます", "します", "か"}):
		return Offer, true
	case strings.Contains(s, "してよさそう"), strings.Contains(s, "してもよさそう"), strings.Contains(s, "そろそろ") && strings.Contains(tail, "して"):
		return Announce, true
	case hasAnySuffix(t, announcesJA):
		return Announce, true
	}
	return "", false
}

var (
	tellJA   = []string{"お知らせください", "教えてください", "お申し付けください", "ご指示ください", "お声がけください", "言ってください", "ご連絡ください", "お伝えください", "おっしゃってください"}
	wishedJA = []string{"が必要であれば", "が必要なら", "が必要でしたら", "が必要な場合", "をご希望", "を希望", "したい場合", "してほしい場合", "して欲しい場合", "する場合", "してよければ", "してほしければ", "してもよければ", "まで必要", "も必要"}
	// laterStepJA make a request one for later, or another's first.
	laterStepJA = []string{"れば", "たら", "後に", "後、", "前に", "から", "場合", "なら", "ないで", "ときに", "際に", "まず", "という", "たうえで", "た上で", "必ず", "毎回", "都度", "こまめ", "、と", "手動", "ご自身"}
	// offersJA end a question or a word of asking.
	offersJA = []string{
		"ますか", "ましょうか", "よいですか", "いいですか", "良いですか", "よいでしょうか", "よろしいでしょうか", "よろしいですか", "いいでしょうか", "進めてよい", "どうしますか",
		"お任せします", "任せます", "しとく", "しとこうか", "しようか", "していい", "してもいい", "いかがでしょうか", "いかがですか", "構いませんか", "かまいませんか", "構わないですか", "大丈夫ですか", "大丈夫でしょうか", "問題ないですか", "問題ないでしょうか", "差し支えないですか",
	}
	announcesJA = []string{
		"ます", "ましょう", "ますね", "しますね", "する", "しておく", "してしまう", "しよう", "していきます", "予定です", "進めます", "移ります", "てよ", "ですね", "必要です", "てください", "完走", "たいです", "つもりです", "してね",
	}
	pastJA = []string{
		"ました", "済みです", "済み", "完了です", "完了", "ていません", "ません", "ません。", "ない", "でした", "されます", "られます", "されています", "しています", "ています", "てあります", "ていました",
		"ください", "下さい", "なります", "あります", "走ります", "動きます", "と思います?", "とのことです", "可能性があります", "失敗します", "伝えます", "待ちます", "止めます", "控えます", "できるようになります", "避けます", "残します", "留めます", "戻します", "お願いします", "お願いいたします", "お願いします🙏",
	}
	// subordinateJA follow an action that another clause only names.
	subordinateJA = []string{
		"する前", "するまで", "する際", "する場合", "するとき", "する時", "するため", "するのは", "するよう", "するかどうか", "するルール", "するという", "すると", "すれば", "したら", "した後", "したあと",
		"した", "しました", "しない", "していない", "していません", "しません", "せず", "しておらず", "しないで", "は保留", "を保留", "も保留", "は見送", "は控え", "を控え", "は行", "は、", "されている", "されます", "されると", "され", "し忘れ", "してよいかは", "していいかは", "してよいかを", "してよいかどうか", "すべきか",
		"するには", "しなくて", "できない", "できません", "できなかった", "するだけで", "する機能", "する仕組", "する処理", "するコマンド", "するフロー", "するもの", "するこ", "による", "で", "と", "や", "の", "が必要な",
	}
	thirdJA = []string{
		"自動で", "自動的に", "スクリプトが", "スクリプトは", "フックが", "フックは", "エージェントは", "エージェントが", "ワーカーは", "ワーカーが", "プラグインが", "プラグインは", "ciが", "ciは", "ワークフローが", "ワークフローは", "ツールが", "ツールは", "actionsが", "actionsは", "ジョブが", "ジョブは", "コマンドが", "コマンドは",
		"ユーザーが", "ユーザが", "ユーザーは", "\uE001は", "\uE001が", "システムが", "システムは", "関数は", "関数が", "メソッドは", "bot が", "botが", "ボットが", "サーバーが", "サーバーは",
	}
)

func conditionJA(before string) Condition {
	rest := without(before, permissionJA)
	switch {
	case has(rest, eventsJA), has(before, []string{"問題なければ", "問題がなければ"}) && has(before, []string{"実行", "確認し", "検証し", "テストし", "回し"}):
		return Event
	case rest != before:
		return Permission
	}
	return ""
}

var (
	permissionJA = []string{
		"よければ", "良ければ", "よろしければ", "宜しければ", "問題なければ", "問題がなければ", "差し支えなければ", "ご希望であれば", "ご希望なら", "必要であれば", "必要なら", "okなら", "okであれば", "okでしたら",
		"異論がなければ", "異論なければ", "よかったら", "よろしかったら", "でしたら", "ご指示いただければ", "指示をいただければ", "ご指示があれば", "指示があれば", "ご希望いただければ", "言っていただければ", "教えていただければ", "お知らせいただければ", "この後", "このあと", "区切りがよいため", "それでは", "では", "ひとまず", "今のうちに", "この状態で",
	}
	eventsJA = []string{
		"後に", "後、", "あとで", "あとに", "たら", "れば", "てから", "次第", "場合", "承認", "その後", "そのあと", "したうえで", "した上で", "が済み", "になりましたら", "いただいてから", "もらってから", "完了後", "通過後", "確認後",
		"まで待", "最後に", "いずれ", "将来", "後日", "ときに", "時に", "際に", "押すと", "わると", "了すると", "ると、", "なら、", "ならば", "後の", "成功後",
	}
)

func negatedJA(tail string) bool {
	return has(cutLong(tail, 45), []string{"ません", "しない", "せず", "ないで", "控え", "見送", "保留", "不要", "なくて", "禁止"}) && !has(tail, []string{"ませんか", "問題ありません"})
}

func hasAnySuffix(s string, words []string) bool {
	for _, w := range words {
		if strings.HasSuffix(s, w) {
			return true
		}
	}
	return false
}

// cutLong is the head of s, at most n bytes, cut at a character.
func cutLong(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
