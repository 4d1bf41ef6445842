package builtin

import (
	"strings"

	"github.com/agenthooks/hookctl/gate"
)

// readSplit reads for the gate on work that is moved to another session.
func readSplit(m *message, a gate.Asked) ([]Record, gate.Answer) {
	rs := m.readScope(a, "split", splitMood)
	return rs, answer(rs, "work is moved to another session or to next time")
}

// readDeferral reads for the gate on parts of the scope that are put off.
func readDeferral(m *message, a gate.Asked) ([]Record, gate.Answer) {
	rs := m.readScope(a, "defer", deferMood)
	return rs, answer(rs, "a part of the work is left out or put off")
}

// readScope makes the records of a scope gate; mood finds the gate's frame in a
// sentence, in the form that its language is searched in.
func (m *message) readScope(a gate.Asked, action string, mood func(s, lang string) (Mood, bool)) []Record {
	var rs []Record
	for i, s := range m.speech(a) {
		text := searchable(s)
		how, ok := mood(text, s.Lang)
		if !ok {
			continue
		}
		r := m.record(a, s)
		r.Action, r.Mood = action, how
		r.Negated = has(text, scopeNegated)
		r.Choice = m.choice(i, s) || strings.HasSuffix(strings.TrimSpace(text), "?") && has(text, []string{" or ", " oder ", "それとも", "还是"})
		switch {
		case m.retracted(i):
			r.Excuse = "it is taken back"
		case r.Negated:
			r.Excuse = "it is negated"
		case has(text, userSaid):
			r.Actor, r.Excuse = "user", "the user decided so"
		case r.Choice:
			r.Excuse = "a choice that is put to the user"
		case has(text, outsideWords) || has(m.heading(s.Block), outsideWords):
			r.Excuse = "it was never part of the request"
		case action == "defer" && has(text, otherThings):
			r.Excuse = "it speaks of something else than the scope"
		}
		rs = append(rs, r)
	}
	return rs
}

var (
	scopeNegated = []string{
		" not be deferred ", " no need ", " nothing was skipped ", " nothing is deferred ", " nothing deferred ", " nothing was left out ", " didn't skip ", " did not skip ", " won't ", " not left out ", " instead of ", " rather than ", " not need ", " without a new session ",
		" don't need another ", " don't need a new ", " no longer deferred ", " nothing left ", " nothing is left ", " not defer ",
		"回さず", "分けず", "後回しにせず", "見送りません", "後回しにしません", "回しません", "しないで", "分けません", "スキップせず", "必要はありません", "はありません", "なくなりました", "続けずに", "ないよう",
		" nicht auf später ", " nichts ", "不会推迟", "不再推迟", "没有跳过", "미루지 않",
	}
	userSaid = []string{
		" as you asked ", " as you requested ", " as requested ", " as agreed ", " as discussed ", " as you said ", " as you wanted ", " as you decided ", " per your ", " you asked ", " you approved ", " you agreed ", " you decided ", " you said ", " you wanted ",
		" you told ", " your decision ", " your call ", " your instruction ", " your request ", " as instructed ", " we agreed ", " as planned ", " user asked ", " user requested ", " user decided ", " user approved ", " you chose ", " per the plan ", " per the spec ", " by design ",
		"ご指示", "ご判断", "ご希望", "ご要望", "ご依頼のとおり", "ご依頼どおり", "ご依頼通り", "とのこと", "合意", "承認済み", "ご承認", "おっしゃ", "指定どおり", "指示どおり", "指示通り", "了承", "計画どおり", "仕様どおり", "伺って", "ご相談のとおり", "決めていただ",
		" wie gewünscht ", " wie besprochen ", " wie vereinbart ", " auf deinen wunsch ", " wie abgesprochen ", "按您", "按照您", "您要求", "你要求", "按你", "按照你", "요청하신", "말씀하신",
	}
	outsideWords = []string{
		" outside the request ", " outside your request ", " outside of the request ", " beyond the request ", " not part of ", " was out of scope from ", " unrelated ", " pre-existing ", " nice-to-have ", " optional ", "future improvements", "future ideas", "out of scope",
		"範囲外", "依頼外", "対象外の", "オプション", "任意", "参考", "将来的な改善", " nicht teil ", " außerhalb ", "范围之外", "可选",
	}
	// otherThings share the words of putting off with the scope, and are none.
	otherThings = []string{
		" test was skipped ", " tests were skipped ", " tests skipped ", " skipped tests ", " defer statement ", " defer func", " deferred call", " defer ( ", " skipped because ", " lazily ", " commit ", " push ", " merge ",
		"コミット", "プッシュ", "commit", "push", "マージ", "テストはスキップ", "テストをスキップ", "処理をスキップ", "スキップする", "スキップされ", "件スキップ", "チェックをスキップ", "件skipped", "跳过测试",
	}
)

func splitMood(s, lang string) (Mood, bool) {
	switch lang {
	case "ja":
		return splitJA(s)
	case "zh":
		if has(s, []string{"下次", "下一次", "下个会话", "下個會話", "新会话", "新的会话", "新对话", "新的对话", "另一个会话", "下次会话", "下次对话"}) && has(s, []string{"继续", "繼續", "再做", "处理", "處理", "完成", "剩下", "剩余", "其余"}) {
			return Announce, has(s, []string{"剩", "其余", "我", "余下", "未完成"}) && !has(s, []string{"用户", "已完成了", "点击"})
		}
		return "", false
	case "ko":
		return Announce, has(s, []string{"다음 세션", "새 세션", "다른 세션", "다음 대화"}) && has(s, []string{"하겠습니다", "진행", "계속", "이어"}) && has(s, []string{"나머지", "남은", "이어", "계속"})
	case "de":
		if has(s, []string{" nächste sitzung ", " nächsten sitzung ", " neue sitzung ", " neuen sitzung ", " andere sitzung ", " anderen sitzung ", " nächste session ", " nächsten session ", " neuen session ", " nächstes mal ", " separaten sitzung ", " weiteren sitzung ", " separate sitzung "}) {
			return Announce, has(s, []string{" ich ", " wir ", " rest ", " übrigen ", " restlichen ", " verbleibenden "}) && has(s, []string{" auf ", " fort ", " weiter ", " verschiebe ", " verschieben ", " mache ", " machen ", " erledige ", " erledigen ", " hebe ", " setze ", " folgt ", " folgen "})
		}
		return "", false
	}
	return splitEN(s)
}

var (
	sessionsEN = []string{
		" next session ", " another session ", " new session ", " separate session ", " fresh session ", " future session ", " later session ", " follow-up session ", " different session ", " next time ", " another conversation ", " new conversation ",
		" next conversation ", " fresh conversation ", " new chat ", " another day ", " tomorrow ", " fresh context ", " next chat ", " separate conversation ",
	}
	moveEN = []string{
		" continue ", " continued ", " pick up ", " pick this up ", " pick it up ", " picked up ", " resume ", " leave ", " leaving ", " left for ", " save ", " finish ", " tackle ", " handle ", " handled ", " defer ", " deferred ", " postpone ", " move ", " moved ", " do the ",
		" do it ", " do this ", " do them ", " best done ", " be done in ", " better done ", " split ", " carry on ", " come back ", " take on ", " take up ", " wait for ", " for the next session ", " complete ",
	}
	restEN = []string{
		" rest ", " remaining ", " remainder ", " remains ", " left ", " other ", " others ", " unfinished ", " outstanding ", " continue ", " pick ", " resume ", " come back ", " this ", " it ", " them ", " that ", " part ", " second half ", " work ",
	}
	selfEN = []string{
		" i'll ", " i will ", " let's ", " we'll ", " we can ", " we should ", " i'd ", " i would ", " i suggest ", " i recommend ", " i propose ", " i'm leaving ", " i am leaving ", " i'm going to ", " i've left ", " i left ", " better to ", " makes sense to ", " best done ",
		" should be done ", " left for ", " leaving ", " shall i ", " shall we ", " want me to ", " can be done ", " can be continued ", " will be done ", " will continue ", " will be continued ", " best handled ", " better done ", " deferred to ", " moved to ", " be handled ",
	}
	contextEN = []string{
		" running low on context ", " running out of context ", " context is running ", " context window is ", " context is nearly ", " context is almost ", " low on context ", " limited context ", " context budget ", " context limit ", " context is getting ", " not enough context ", " short on context ",
		" out of context ", " conversation is getting long ", " conversation has become long ", " context is limited ", " context is tight ", " token budget ", " running low on tokens ", " context usage ",
	}
	stopEN = []string{" stop here ", " pause here ", " i'll stop ", " stopping here ", " pausing here ", " wrap up here ", " i'll pause ", " leave the rest ", " leave it here ", " only did ", " only covered ", " cut ", " call it a day "}
	// productEN make a session a thing of the product.
	productEN = []string{
		" user ", " users ", " hook ", " hooks ", " cli ", " starts ", " started ", " creates ", " created ", " checkpoint", " when a new session ", " each new session ", " every new session ", " in a new session ? ", " transcript", " restart", " loads ", " take effect ", " takes effect ", " picks up ", " session id ",
		" session's ", " agent ", " agents ", " if you start ", " start a new session ", " starting a new session ", " sessions ", " event ", " cache", " token expires ", " login ",
	}
)

func splitEN(s string) (Mood, bool) {
	if has(s, []string{" i recommend ", " i suggest ", " i'd suggest ", " i'd recommend "}) && has(s, sessionsEN) && has(s, []string{" rest ", " remaining ", " remainder ", " other ", " next steps "}) {
		return Announce, true
	}
	if has(s, productEN) {
		return "", false
	}
	if has(s, sessionsEN) && has(s, moveEN) && has(s, selfEN) && has(s, restEN) {
		return Announce, true
	}
	if has(s, contextEN) && (has(s, stopEN) || has(s, sessionsEN) || has(s, selfEN) && has(s, []string{" rest ", " remaining ", " later "})) {
		return Announce, true
	}
	return Announce, has(s, []string{" i'll stop here ", " let's stop here ", " i'm stopping here ", " i'll pause here ", " call it a day "}) && has(s, []string{" rest ", " remaining ", " next ", " long ", " today "})
}

func splitJA(s string) (Mood, bool) {
	if has(s, []string{"ユーザーが次", "起動時", "開始時", "セッションid", "セッション開始", "セッションを開始", "フック", "反映されます", "有効になります", "読み込まれ", "ログイン", "適用されます", "すると", "ましたか"}) {
		return "", false
	}
	place := has(s, []string{
		"次のセッション", "別のセッション", "別セッション", "次セッション", "次回セッション", "次回のセッション", "新しいセッション", "新規セッション", "他のセッション", "別の会話", "新しい会話", "次の会話", "別チャット", "新しいチャット", "別session", "次のsession",
		"次回に", "次回へ", "次回は", "次回の", "次回以降", "次回、", "次回続", "次回対応", "次回実施", "明日に", "後日に", "また明日", "日を改め",
	})
	verbs := []string{
		"続け", "続き", "行い", "対応", "進め", "実施し", "回し", "回す", "引き継", "再開", "着手", "持ち越", "送り", "やり", "取り組", "分け", "分割", "お願いします", "続行", "残し", "残す", "がよい", "が良い", "と思います", "ましょう", "どうでしょう", "いかがでしょう", "としたい", "完成させ", "実装し", "仕上げ", "しますか", "予定", "とします", "にします",
	}
	past := hasAnySuffix(strings.TrimRight(s, "。. "), []string{"ました", "済みです", "でした", "ていました"})
	if place && has(s, verbs) && !past {
		return Announce, true
	}
	short := has(s, []string{"コンテキストが", "コンテキストの", "コンテキスト残", "トークンが", "トークンの", "会話が長く", "contextが", "コンテキスト上限", "コンテキスト量"}) &&
		has(s, []string{"残り少", "不足", "足り", "少なく", "逼迫", "限界", "上限", "長く", "節約", "残りわずか", "いっぱい", "圧迫"})
	if short && has(s, []string{"ここまで", "残り", "分け", "分割", "中断", "区切", "次", "省略", "割愛", "打ち切", "絞"}) {
		return Announce, true
	}
	return Announce, !past && has(s, []string{"今日はここまで", "本日はここまで", "今回はここまで", "いったんここまで", "一旦ここまで", "ここで区切", "ここで中断"}) && has(s, []string{"残り", "続き", "次", "します", "がよい", "ましょう"})
}

func deferMood(s, lang string) (Mood, bool) {
	switch lang {
	case "ja":
		return deferJA(s)
	case "zh":
		return Announce, has(s, []string{"先不做", "先不实现", "先不支持", "先不处理", "暂不实现", "暂不处理", "暂不支持", "暂时不做", "后续再", "後續再", "以后再做", "之后再做", "留到后续", "留到下", "推迟到", "延后到", "放到后续"}) &&
			!has(s, []string{"用户", "如果", "您可以", "吗", "?", "?", "建议后续"})
	case "ko":
		return Announce, has(s, []string{"나중에", "추후", "다음 단계", "후속"}) && has(s, []string{"하겠습니다", "진행하", "미루", "추가하겠"}) || has(s, []string{"보류했습니다", "제외했습니다", "미뤘습니다"})
	case "de":
		return Announce, has(s, []string{" ich ", " wir "}) && has(s, []string{
			" auf später ", " in einen folge-pr ", " in einem folge-pr ", " zurückgestellt ", " weggelassen ", " ausgelassen ", " verschoben ", " später nach ", " lasse ich vorerst ", " lasse ich erst einmal ", " in den backlog ", " ins backlog ", " auf die nächste ", " ausgespart ", " stelle ich zurück ", " stellen wir zurück ", " lasse ich weg ",
		}) && !has(s, []string{" ? "}) || has(s, []string{" folgt in einem folge-pr ", " kommt in einem folge-pr "})
	}
	return deferEN(s)
}

var (
	deferSelfEN = []string{
		" i left out ", " i've left out ", " i have left out ", " i skipped ", " i've skipped ", " i have skipped ", " i deferred ", " i've deferred ", " i have deferred ", " i postponed ", " i've postponed ", " i dropped ", " i've dropped ", " i'm deferring ", " i'm leaving out ", " i'm skipping ",
		" we can defer ", " let's defer ", " i'll defer ", " i'd defer ", " i'd leave ", " i put off ", " i've put off ", " i descoped ", " i've moved ", " i stubbed ", " i've stubbed ", " i only implemented ", " i've only implemented ", " i held back ", " decided to skip ", " chose to skip ", " decided to leave out ",
	}
	deferAllEN = []string{
		" i left out ", " i've left out ", " i have left out ", " i deferred ", " i've deferred ", " i have deferred ", " i postponed ", " i've postponed ", " i'm deferring ", " i'm leaving out ", " we can defer ", " let's defer ", " i'll defer ", " i put off ", " i've put off ", " i descoped ", " i'd leave ",
	}
	laterEN = []string{
		" follow-up ", " followup ", " later ", " for now ", " backlog ", " next phase ", " next iteration ", " future pr ", " separate pr ", " separate issue ", " subsequent ", " next pr ", " for the time being ", " phase 2 ", " second pr ", " another pr ", " next release ", " phase two ", " out of this ",
	}
	laterDoEN = []string{
		" can be a follow-up ", " as a follow-up ", " in a follow-up ", " left for later ", " deferred to ", " postponed to ", " for a follow-up ", " moved to the backlog ", " put in the backlog ", " into the backlog ", " in a later pr ", " in a separate pr ", " in a future pr ",
		" left for a ", " to a follow-up ", " to a later ", " come later ", " comes later ", " follow later ", " will follow in ", " add later ", " do that later ", " do it later ", " added later ", " as a separate ", " to the next phase ", " to phase ", " into a later ", " in the next iteration ",
	}
	postponedEN  = []string{" is postponed ", " are postponed ", " i've put it in the backlog ", " i put it in the backlog ", " i moved it to the backlog "}
	laterThingEN = []string{
		" later change ", " later pr ", " follow-up pr ", " follow-up change ", " separate pr ", " separate change ", " future change ", " future pr ", " next pr ", " subsequent pr ", " later commit ", " later release ", " second pr ", " follow-up commit ", " later iteration ",
	}
	// adviceEN make the words an advice, a description or a question.
	adviceEN = []string{
		" ? ", " you can ", " you could ", " you might ", " could be ", " would be ", " might be ", " may be ", " if you ", " if we ", " want me ", " user ", " users ", " when ", " function ", " was deferred ", " were deferred ", " previously ", " already ", " had been ", " reviewer ", " the agent ", " option ", " either ",
		" recommend ", " suggest ", " consider ", " should ", " in case ", " no longer ", " fixed ", " hook ", " is called ", " because the test ", " checked ", " exist", " since they ", " since it ", " not needed ", " not applicable ",
	}
)

func deferEN(s string) (Mood, bool) {
	if has(s, adviceEN) {
		return "", false
	}
	if has(s, postponedEN) || has(s, []string{" i dropped ", " i've dropped ", " i cut ", " i've cut ", " i took "}) && has(s, []string{" from this change ", " from this pr ", " from this version ", " from the scope ", " out of this change ", " out of this pr "}) {
		return Announce, true
	}
	if has(s, laterThingEN) && has(s, []string{" will come ", " will follow ", " comes ", " goes ", " go into ", " i'll ", " we'll ", " left for ", " moved ", " i'm leaving ", " will be added ", " will be done ", " will land "}) {
		return Announce, true
	}
	if has(s, []string{" backlog . ", " the backlog "}) && has(s, []string{" i've put ", " i put ", " i moved ", " i've moved ", " i added ", " i've added "}) {
		return Announce, true
	}
	if has(s, []string{" i'll ", " we'll ", " i will "}) && hasAnySuffix(s, []string{" later . ", " later "}) && !has(s, []string{" check ", " see ", " back ", " explain "}) {
		return Announce, true
	}
	if has(s, deferAllEN) || has(s, deferSelfEN) && has(s, laterEN) {
		return Announce, true
	}
	if strings.Contains(s, " i left ") && strings.Contains(s, " out ") {
		return Announce, true
	}
	if has(s, laterDoEN) && has(s, []string{" i'll ", " i will ", " we'll ", " we will ", " i've ", " i left ", " let's ", " i have ", " that can ", " this can ", " it can ", " is deferred ", " are deferred ", " is postponed ", " are postponed ", " was postponed ", " is left ", " are left ", " will follow ", " will come "}) {
		return Announce, true
	}
	if has(s, []string{" i'll add ", " i'll do ", " i'll implement ", " i'll handle ", " i'll finish ", " we'll add ", " we'll do ", " we can add ", " we can do ", " i will add "}) && has(s, []string{" later . ", " later on ", " at a later "}) {
		return Announce, true
	}
	return Announce, has(s, []string{" ( deferred - ", " ( deferred — ", " ( deferred ) ", " ( deferred , ", " ( deferred : ", " ( postponed ) "})
}

func deferJA(s string) (Mood, bool) {
	t := strings.TrimRight(s, "。. !")
	if has(s, []string{"?", "?", "しますか", "でしょうか", "ユーザー", "場合", "すれば", "ください", "可能です", "できます", "推奨", "提案", "検討", "かもしれ"}) {
		return "", false
	}
	strong := has(s, []string{
		"別途対応と", "別途対応します", "別途対応する", "別途実装します", "別途行います", "後回しにします", "後回しにしました", "後回しとし", "見送りました", "見送ります", "見送りとし", "先送りとし", "先送りにし", "先送りします", "延期しました", "延期します", "延期とし", "割愛しました", "割愛します",
		"次フェーズで", "次フェーズに回し", "次のフェーズに回し", "次のフェーズで対応", "別issueとして管理", "別issueで対応", "別issueに", "別prで対応", "別prに", "別prとし", "別タスクとし", "別チケットに", "バックログに", "フォローアップで対応", "フォローアップとし", "後続のprで", "後続prで", "後日対応",
		"今回は対象外と", "対象外としました", "今回は見送", "今回は省略", "今回は実装しません", "今回は対応しません", "スコープから外しました", "範囲から外しました", "範囲から外します", "スコープから外します", "実装は省略し", "は一旦スキップし", "は省略しました", "のみ実装しました", "だけ実装しました", "に絞って実装しました", "段階的に実装します", "後回しにして、", "別issueとして切り出し", "別のissueに切り出し", "別prに切り出し", "は後で追加します", "は後日追加します",
		"に絞りました", "縮小しました",
	})
	if !strong {
		return Announce, has(s, []string{"次のpr", "次回のpr", "後続", "別pr", "別のpr", "別issue", "別のissue", "別タスク", "別途", "後日", "次フェーズ", "次のフェーズ", "フェーズ2", "フォローアップ", "今後の課題"}) &&
			hasAnySuffix(t, []string{"回します", "対応します", "行います", "とします", "実装します", "追加します", "管理します", "実施します", "予定です", "対応とします", "回しました", "としました", "対応いたします", "対応です", "譲ります"})
	}
	return Announce, hasAnySuffix(t, []string{"ます", "ました", "す", "管理", "対応", "する", "とした", "した", "進む", "です", "ため", "登録", "ました)", "ます)"})
}
