package builtin

import "strings"

// A split has a place (another session, another day), a move (continue, leave,
// hand over) and a rest that is moved; or it is offered outright. A sentence in
// which the session is a thing of the product has the place alone.

// splitMood reports whether a sentence moves work to another session or day.
func splitMood(s, lang string) (Mood, bool) {
	switch lang {
	case "ja":
		return splitJA(s)
	case "zh":
		return Announce, anyConj(s, splitsZH)
	case "ko":
		return Announce, anyConj(s, splitsKO)
	case "de":
		return Announce, anyConj(s, splitsDE)
	}
	return splitEN(s)
}

var (
	// laterSessionsEN and talksEN name another talk side by side; daysEN another day.
	laterSessionsEN = []string{"next", "another", "new", "separate", "fresh", "future", "later", "follow-up", "different"}
	talksEN         = []string{"session", "sessions", "conversation", "chat", "context", "thread"}
	daysEN          = []string{" next time ", " another day ", " tomorrow "}
	moveEN          = []string{
		" continue ", " continued ", " pick up ", " pick this up ", " pick it up ", " picked up ", " resume ", " leave ", " leaving ", " left for ", " save ", " finish ", " tackle ", " handle ", " handled ", " defer ", " deferred ", " postpone ", " move ", " moved ", " do the ",
		" do it ", " do this ", " do them ", " best done ", " be done in ", " better done ", " split ", " carry on ", " come back ", " take over ", " taken over ", " open a ", " split it ", " take on ", " take up ", " wait for ", " wait until ", " wait till ", " to wait ", " begin ", " start ", " for the next session ", " complete ",
	}
	restEN = []string{
		" rest ", " remaining ", " remainder ", " remains ", " left ", " other ", " others ", " unfinished ", " outstanding ", " continue ", " pick ", " resume ", " come back ", " this ", " it ", " them ", " that ", " part ", " second half ", " work ",
	}
	selfEN = []string{
		" i'll ", " i will ", " let's ", " we'll ", " we can ", " we should ", " i'd ", " i would ", " i suggest ", " i recommend ", " i propose ", " i'm leaving ", " i am leaving ", " i'm going to ", " i've left ", " i left ", " better to ", " makes sense to ", " best done ",
		" should be done ", " left for ", " leaving ", " shall i ", " shall we ", " want me to ", " will have to ", " has to ", " have to ", " i'd rather ", " i would rather ", " can be done ", " can be continued ", " will be done ", " will continue ", " will be continued ", " best handled ", " better done ", " deferred to ", " moved to ", " be handled ", " would be best ", " it's best ", " would be better ", " is best ", " i've written ", " i wrote ", " i've noted ", " i noted ",
	}
	// roomEN is what runs short, shortEN how.
	roomEN  = []string{" context ", " token budget ", " tokens ", " context window ", " conversation "}
	shortEN = []string{" low on ", " running out ", " is running ", " out of ", " limits ", " due to ", " given the remaining ", " nearly ", " almost ", " limited ", " getting long ", " become long ", " is long ", " already long ", " so long ", " very long ", " quite long ", " tight ", " not enough ", " short on ", " used up ", " is full ", " getting full ", " limit ", " end of my ", " budget ", " to save ", " usage ", " much of the ", " manageable "}
	stopEN  = []string{" stop ", " stopping ", " pausing ", " pause ", " split ", " break here ", " hand over ", " stop here ", " pause here ", " i'll stop ", " stopping here ", " pausing here ", " wrap up here ", " i'll pause ", " leave the rest ", " leave it here ", " only did ", " only covered ", " cut ", " skipped ", " left the ", " call it a day "}
	// productEN make a session a thing of the product.
	productEN = []string{
		" user ", " users ", " hook ", " hooks ", " cli ", " starts ", " started ", " creates ", " created ", " checkpoint", " when a new session ", " each new session ", " every new session ", " in a new session ? ", " transcript", " restart", " loads ", " take effect ", " takes effect ", " picks up ", " session id ",
		" session's ", " agent ", " agents ", " if you start ", " start a new session ", " starting a new session ", " sessions ", " event ", " cache", " token expires ", " login ",
	}
)

// sessionLabelsEN head what is left for another session, first in their line.
var sessionLabelsEN = []string{"next session : ", "for the next session : ", "for next session : ", "remaining for next session : ", "remaining for the next session : ", "left for the next session : ", "to be continued in the next session ", "to be continued in a new session "}

func splitEN(s string) (Mood, bool) {
	if hasAnyPrefix(strings.TrimLeft(s, " *-•"), sessionLabelsEN) || has(s, []string{" suggest starting a new session ", " recommend starting a new session ", " suggest starting a fresh session ", " recommend starting a fresh session ", " suggest we start a new session ", " suggest a new session "}) && !has(s, productSplitEN) {
		return Announce, true
	}
	if anotherTalkEN(s) && (has(s, []string{" i recommend ", " i suggest ", " i'd suggest ", " i'd recommend "}) && has(s, []string{" rest ", " remaining ", " remainder ", " other ", " next steps ", " split "}) || has(s, offersSplitEN) && has(s, moveEN)) && !has(s, productSplitEN) {
		return Announce, true
	}
	if shortOfRoomEN(s) && !has(s, []string{" hook", " user ", " users ", " window size ", " model's "}) && (has(s, stopEN) || anotherTalkEN(s) || has(s, selfEN) && has(s, []string{" rest ", " remaining ", " later "})) {
		return Announce, true
	}
	if has(s, []string{" split ", " spread "}) && has(s, []string{" two sessions ", " several sessions ", " multiple sessions ", " more than one session ", " separate sessions ", " two conversations "}) {
		return Announce, !has(s, productSplitEN)
	}
	if has(s, productEN) || has(s, []string{" remember this ", " remember that ", " in mind "}) {
		return "", false
	}
	if anotherTalkEN(s) && has(s, moveEN) && has(s, selfEN) && has(s, restEN) {
		return Announce, true
	}
	return Announce, has(s, []string{" i'll stop here ", " let's stop here ", " i'm stopping here ", " i'll pause here ", " call it a day ", " stopping point for today ", " stop for today ", " i'll stop for now ", " moment to pause ", " moment to stop ", " point to stop ", " stopping point ", " place to stop ", " point to pause ", " place to pause "}) && has(s, []string{" rest ", " remaining ", " next ", " long ", " today ", " open "})
}

// anotherTalkEN finds another session or another day.
func anotherTalkEN(s string) bool { return follows(s, laterSessionsEN, talksEN, 1) || has(s, daysEN) }

// shortOfRoomEN finds that the context runs short, or that the talk is long.
func shortOfRoomEN(s string) bool { return near(s, roomEN, shortEN, 34, 34) }

var (
	offersSplitEN = []string{" shall i ", " should i ", " shall we ", " should we ", " want me to ", " would you like me to ", " i'll pick up ", " i'll do ", " i'll finish ", " i'll continue ", " i will continue ", " i'll tackle ", " i'll take up ", " i'll leave ", " let's leave "}
	// productSplitEN make even an offer one about the product.
	productSplitEN = []string{" remember ", " in mind ", " hook", " user ", " users ", " token ", " cookie", " login ", " transcript", " database ", " resume the session ", " every session ", " each session ", " if you "}
)

func splitJA(s string) (Mood, bool) {
	if has(s, productJA) {
		return "", false
	}
	t := strings.TrimRight(s, "。. ")
	past := hasAnySuffix(t, []string{"ました", "済みです", "でした", "ていました"}) && !has(s, []string{"引き継ぐため", "引き継ぐので", "引き継げるよう", "続けるため"})
	if has(s, placesJA) && has(s, movesJA) && !past {
		return Announce, true
	}
	if has(s, []string{"次のセッションで着手してください", "引き継ぎ資料にまとめ"}) && has(s, []string{"残り", "未着手", "未完了", "続き"}) {
		return Announce, true
	}
	if has(s, placesJA) && has(s, []string{"残り", "続き", "残件", "残作業", "未着手", "未完了"}) && hasAnySuffix(t, []string{"ます", "ましょう", "たいです", "ください"}) {
		return Announce, true // any verb, when the rest is named
	}
	short := has(s, []string{"コンテキストが", "コンテキストの", "コンテキスト残", "トークンが", "トークンの", "トークンを", "会話が長く", "やり取りが長く", "contextが", "コンテキスト上限", "コンテキスト量"}) &&
		has(s, []string{"残り少", "不足", "足り", "少なく", "逼迫", "限界", "上限", "長く", "節約", "残りわずか", "いっぱい", "圧迫"})
	cut := has(s, []string{"ここまで", "分け", "分割", "中断", "区切", "省略", "割愛", "打ち切", "絞", "とどめ", "留め", "だけに", "のみに"})
	if short && (cut || !past && has(s, []string{"残り", "次"})) {
		return Announce, true
	}
	return Announce, !past && has(s, []string{"今日はここまで", "本日はここまで", "今回はここまで", "いったんここまで", "一旦ここまで", "ここで区切", "ここで中断", "ここで一旦区切", "いったん区切", "一旦区切"}) && has(s, []string{"残り", "続き", "次", "します", "がよい", "ましょう"})
}

var (
	// productJA make the session, or what is read in it, a thing of the product.
	productJA = []string{
		"ユーザーが次", "起動時", "開始時", "セッションid", "セッション開始", "セッションを開始", "フック", "反映されます", "有効になります", "読み込まれ", "ログイン", "適用されます", "すると", "ましたか", "人のため", "読めるよう", "使えるよう", "参照できるよう", "有効期限",
	}
	placesJA = []string{
		"次のセッション", "別のセッション", "別セッション", "次セッション", "次回セッション", "次回のセッション", "新しいセッション", "新規セッション", "他のセッション", "別の会話", "新しい会話", "次の会話", "別チャット", "新しいチャット", "別session", "次のsession", "セッションを分け", "別のチャット", "次のチャット", "新しいスレッド", "別のスレッド", "次のスレッド",
		"次回に", "次回へ", "次回は", "次回の", "次回以降", "次回、", "次回続", "次回対応", "次回実施", "明日に", "後日に", "また明日", "日を改め", "明日続け", "明日の作業", "残りは明日", "続きは明日",
	}
	movesJA = []string{
		"続け", "続き", "行い", "対応", "進め", "実施し", "回し", "回す", "引き継", "再開", "着手", "持ち越", "送り", "やり", "取り組", "分け", "分割", "お願いします", "続行", "残し", "残す", "がよい", "が良い", "と思います", "ましょう", "どうでしょう", "いかがでしょう", "としたい", "完成させ", "実装し", "仕上げ", "始め", "開始し", "お待ち", "進行", "仕切り直", "しますか", "予定", "とします", "にします",
	}

	splitsZH = []conj{
		{all: [][]string{sessionsZH, {"继续", "繼續", "再做", "处理", "處理", "完成", "接着", "再说", "再處理"}, {"剩", "其余", "余下", "未完成", "后面的", "我"}}, not: productZH},
		{all: [][]string{sessionsZH, {"要不要", "是否", "建议", "吗"}, {"放到", "留到", "继续", "再做", "处理", "拆"}}, not: productZH},
		{all: [][]string{{"上下文", "token"}, {"快用完", "用完", "不足", "不够", "有限", "快满", "耗尽"}, {"只", "留到", "先到", "剩", "其余", "下次"}}, not: productZH},
		{all: [][]string{{"明天", "改天"}, {"继续", "再做", "接着", "完成"}, {"我们", "我", "剩", "其余"}}, not: productZH},
		{all: [][]string{{"今天先到这", "今天就到这", "先到此为止", "先停在这里"}}, not: productZH},
	}
	sessionsZH = []string{"下次", "下一次", "下个会话", "下個會話", "下一个会话", "新会话", "新的会话", "新对话", "新的对话", "另一个会话", "另开一个会话", "单独的会话", "另一个对话"}
	productZH  = []string{"用户", "已完成了", "点击", "登录", "失效", "启动时", "钩子"}

	splitsKO = []conj{
		{all: [][]string{sessionsKO, {"하겠습니다", "진행", "계속", "이어", "하시죠", "하죠"}, {"나머지", "남은", "이어", "계속", "끝내지 못한", "미완료"}}, not: productKO},
		{all: [][]string{sessionsKO, {"할까요", "하는 게 좋", "하는 것이 좋", "제안", "나누", "하시죠", "시작하", "진행하겠", "이어가"}}, not: productKO},
		{all: [][]string{{"컨텍스트", "토큰"}, {"부족", "얼마 남지", "거의 다", "한계"}, {"만 ", "남은", "나머지", "여기까지", "다음"}}, not: productKO},
		{all: [][]string{{"오늘은 여기까지", "이번에는 여기까지", "일단 여기까지"}, {"하겠습니다", "할게요", "하시죠", "마치"}}, not: productKO},
	}
	sessionsKO = []string{"다음 세션", "새 세션", "다른 세션", "다음 대화", "새 대화", "다음번에", "내일"}
	productKO  = []string{"사용자", "로그인", "만료", "시작될 때", "훅"}

	splitsDE = []conj{
		{all: [][]string{sessionsDE, {" ich ", " wir ", " rest ", " übrigen ", " restlichen ", " verbleibenden "}, {" auf ", " fort ", " weiter ", " verschiebe ", " verschieben ", " mache ", " machen ", " erledige ", " erledigen ", " hebe ", " setze ", " folgt ", " folgen ", " vor ", " fortsetzen ", " weitermachen ", " angehen ", " beginnen ", " anfangen ", " übernehmen ", " weiterführen ", " verlagern ", " aufgreifen ", " erledigen "}}, not: productDE},
		{all: [][]string{sessionsDE, {" soll ich ", " sollen wir ", " ich schlage vor ", " schlage ich vor ", " am besten "}}, not: productDE},
		{all: [][]string{{" kontext ", " kontextfenster "}, {" voll ", " knapp ", " begrenzt ", " ende ", " fast "}, {" rest ", " übrigen ", " höre ", " nur ", " sitzung ", " später "}}, not: productDE},
		{all: [][]string{{" für heute mache ich schluss ", " für heute höre ich ", " für heute ist schluss ", " ich höre hier auf ", " hier mache ich schluss "}}, not: productDE},
		{all: [][]string{{" morgen "}, {" können wir ", " mache ich ", " machen wir ", " setze ich ", " lass uns "}, {" weiter ", " fertigstellen ", " fortsetzen ", " rest ", " weitermachen "}}, not: productDE},
	}
	sessionsDE = []string{
		" nächste sitzung ", " nächsten sitzung ", " neue sitzung ", " neuen sitzung ", " andere sitzung ", " anderen sitzung ", " nächste session ", " nächsten session ", " neuen session ", " weitere sitzungen ", " mehrere sitzungen ", " zwei sitzungen ", " weiteren sitzungen ", " nächstes mal ", " separaten sitzung ", " weiteren sitzung ", " separate sitzung ", " eigenen sitzung ", " neuen chat ", " anderes mal ",
	}
	productDE = []string{" nutzer ", " anmelden ", " anmeldung ", " läuft ab ", " beim start ", " hook ", " wie gewünscht ", " wolltest "}
)
