package builtin

import "strings"

// A deferral is a part of the work that the agent itself leaves out or moves to
// later: a verb of leaving in the first person, or a part that "will be handled"
// or "is left" in another change. What the program under work skips or delays,
// what the user decided, advice and questions are none.

// deferMood reports whether a sentence drops or puts off a part of the work.
func deferMood(s, lang string) (Mood, bool) {
	switch lang {
	case "ja":
		return deferJA(s)
	case "zh":
		return Announce, anyConj(s, defersZH)
	case "ko":
		return Announce, anyConj(s, defersKO)
	case "de":
		return Announce, anyConj(s, defersDE)
	}
	return deferEN(s)
}

var (
	deferSelfEN = []string{
		" i left out ", " i've left out ", " i have left out ", " i skipped ", " i've skipped ", " i have skipped ", " i deferred ", " i've deferred ", " i have deferred ", " i postponed ", " i've postponed ", " i dropped ", " i've dropped ", " i'm deferring ", " i'm leaving out ", " i'm skipping ",
		" we can defer ", " let's defer ", " i'll defer ", " i'd defer ", " i'd leave ", " i put off ", " i've put off ", " i descoped ", " i've moved ", " i stubbed ", " i've stubbed ", " i only implemented ", " i've only implemented ", " i held back ", " i hard-coded ", " i limited ", " i restricted ", " is a placeholder ", " are placeholders ", " decided to skip ", " chose to skip ", " decided to leave out ",
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
		" recommend ", " suggest ", " consider ", " should ", " in case ", " no longer ", " fixed ", " hook ", " is called ", " because the test ", " checked ", " exist", " since they ", " not needed ", " not applicable ",
	}
)

func deferEN(s string) (Mood, bool) {
	self := has(s, deferSelfEN)
	if has(s, askedEN) || has(s, adviceEN) && !(self && has(s, []string{" for now ", " for the time being ", " not included yet "})) {
		return "", false
	}
	return Announce, anyConj(s, defersEN) ||
		strings.Contains(s, " i left ") && strings.Contains(s, " out ") ||
		has(s, []string{" i'll ", " we'll ", " i will "}) && hasAnySuffix(s, []string{" later . ", " later "}) && !has(s, []string{" check ", " see ", " back ", " explain "})
}

var (
	// askedEN leave it to the user, or to a case that may come.
	askedEN  = []string{" ? ", " if you ", " if we ", " you can ", " you could ", " want me ", " either ", " option "}
	defersEN = []conj{
		{all: [][]string{postponedEN}},
		{all: [][]string{{" i dropped ", " i've dropped ", " i cut ", " i've cut ", " i took ", " i removed "}, {" from this change ", " from this pr ", " from this version ", " from the scope ", " out of this change ", " out of this pr "}}},
		{all: [][]string{laterThingEN, {" will come ", " will follow ", " comes ", " goes ", " go into ", " i'll ", " we'll ", " left for ", " moved ", " i'm leaving ", " will be added ", " will be done ", " will be handled ", " will be covered ", " will be implemented ", " will be addressed ", " will land ", " as a todo "}}},
		{all: [][]string{{" backlog . ", " the backlog "}, {" i've put ", " i put ", " i moved ", " i've moved ", " i added ", " i've added "}}},
		{all: [][]string{deferAllEN}},
		{all: [][]string{deferSelfEN, laterEN}},
		{all: [][]string{laterDoEN, {" i'll ", " i will ", " we'll ", " we will ", " i've ", " i left ", " let's ", " i have ", " that can ", " this can ", " it can ", " is deferred ", " are deferred ", " is postponed ", " are postponed ", " was postponed ", " is left ", " are left ", " will follow ", " will come ", " will be handled ", " will be done ", " will be added "}}},
		{all: [][]string{{" i'll add ", " i'll do ", " i'll implement ", " i'll handle ", " i'll finish ", " i'll wire ", " i'll localise ", " we'll add ", " we'll do ", " we can add ", " we can do ", " i will add "}, {" later . ", " later on ", " at a later "}}},
		{all: [][]string{{" i limited ", " i restricted ", " i reduced ", " i narrowed ", " i kept it to ", " only the ", " i only "}, {" can follow later ", " will follow ", " can come later ", " follow in a ", " left for ", " for now "}}, not: []string{" reads ", " returns "}},
		{all: [][]string{{" simplified version ", " minimal version ", " reduced version ", " cut-down version ", " stripped-down version "}, {" i went with ", " i implemented ", " i've implemented ", " i built ", " i shipped "}}},
		{all: [][]string{{" not included yet ", " not implemented yet ", " not covered yet ", " is not done yet ", " isn't included yet ", " isn't implemented yet "}, {" i left ", " i've left ", " left that ", " future ", " follow-up ", " later "}}},
		{all: [][]string{{" ( deferred - ", " ( deferred — ", " ( deferred ) ", " ( deferred , ", " ( deferred : ", " ( postponed ) "}}},
	}
)

func deferJA(s string) (Mood, bool) {
	t := strings.TrimRight(s, "。. !")
	if has(s, []string{"?", "?", "しますか", "でしょうか", "ユーザー", "場合", "すれば", "ください", "可能です", "できます", "推奨", "提案", "検討", "かもしれ"}) {
		return "", false
	}
	strong := has(s, []string{
		"別途対応と", "別途対応します", "別途対応する", "別途実装します", "別途行います", "後回しにします", "後回しにしました", "後回しとし", "見送りました", "見送ります", "見送りとし", "先送りとし", "先送りにし", "先送りします", "延期しました", "延期します", "延期とし", "割愛しました", "割愛します",
		"今回はスキップし", "今回は含めず", "バックログに積み", "フェーズ2に回し", "次フェーズで", "次フェーズに回し", "次のフェーズに回し", "次のフェーズで対応", "別issueとして管理", "別issueで対応", "別issueに", "別prで対応", "別prに", "別prとし", "別タスクとし", "別チケットに", "バックログに", "フォローアップで対応", "フォローアップとし", "後続のprで", "後続prで", "後日対応",
		"今回は対象外と", "対象外としました", "今回は見送", "今回は省略", "今回は実装しません", "今回は対応しません", "スコープから外しました", "範囲から外しました", "範囲から外します", "スコープから外します", "実装は省略し", "は一旦スキップし", "は省略しました", "のみ実装しました", "だけ実装しました", "に絞って実装しました", "段階的に実装します", "後回しにして、", "別issueとして切り出し", "別のissueに切り出し", "別prに切り出し", "は後で追加します", "は後日追加します",
		"に絞りました", "縮小しました",
	})
	forNow := has(s, []string{"今回は", "一旦", "いったん", "ひとまず", "とりあえず"}) && has(s, []string{"省略しました", "スキップしました", "見送りました", "外しました", "除外しました", "省きました"})
	if forNow {
		return Announce, true
	}
	if !strong {
		return Announce, has(s, []string{"次のpr", "次回のpr", "後続", "別pr", "別のpr", "別issue", "別のissue", "別タスク", "別途", "は後で", "はあとで", "後日", "次フェーズ", "次のフェーズ", "フェーズ2", "フォローアップ", "今後の課題"}) &&
			hasAnySuffix(t, []string{"回します", "対応します", "行います", "とします", "実装します", "追加します", "管理します", "実施します", "予定です", "対応とします", "回しました", "としました", "対応いたします", "対応です", "譲ります"})
	}
	return Announce, hasAnySuffix(t, []string{"ます", "ました", "す", "管理", "対応", "する", "とした", "した", "進む", "です", "ため", "登録", "ました)", "ます)", "実装しません", "対応しません"})
}

var (
	defersZH = []conj{
		{all: [][]string{{
			"先不做", "先不实现", "先不支持", "先不处理", "暂不实现", "暂不处理", "暂不支持", "暂时不做", "暂时不实现", "后续再", "後續再", "以后再", "之后再做", "之后再补", "留到后续", "留到下", "留到以后", "推迟到", "延后到下", "延后到后续", "放到后续",
			"这次先跳过", "这次我先跳过", "本次先跳过", "先跳过了", "先放进了待办", "放进了待办", "加入了待办", "放入待办", "放进了 backlog", "放进了backlog",
		}}, not: notOursZH},
		{all: [][]string{{"单独的 pr", "单独的pr", "另一个 pr", "另一个pr", "另外的pr", "后续pr", "后续的pr", "后续 pr", "下一个pr", "另外的 issue", "单独的issue", "下一阶段", "第二阶段", "下一个版本"}, {"我会", "我将", "会放到", "放到", "处理", "实现", "再做", "补上"}}, not: notOursZH},
		{all: [][]string{{"为了控制", "为了减少", "时间原因", "时间关系"}, {"只", "先", "暂"}}, not: notOursZH},
	}
	notOursZH = []string{"用户", "如果", "您可以", "你可以", "吗", "?", "?", "建议后续", "要不要", "还是", "提交", "推送", "合并", "部署", "构建", "测试", "加载", "渲染", "确认后再", "之后再提交"}

	defersKO = []conj{
		{all: [][]string{{"나중에", "추후", "다음 단계", "후속", "별도 pr", "별도의 pr", "다음 pr", "다음 버전", "2단계"}, {"하겠습니다", "진행하", "미루", "미뤘", "추가하겠", "할 예정", "넘겼습니다", "넘기겠"}}, not: notOursKO},
		{all: [][]string{{"보류했습니다", "제외했습니다", "미뤘습니다", "백로그에 넣었", "백로그에 추가했", "백로그로 옮겼", "생략했습니다", "건너뛰었습니다", "빼 두었습니다"}}, not: notOursKO},
	}
	notOursKO = []string{"?", "할까요", "하면", "사용자", "테스트", "로딩", "말씀", "요청하신", "커밋", "푸시", "머지", "배포"}

	defersDE = []conj{
		{all: [][]string{{" ich ", " wir "}, {
			" auf später ", " in einen folge-pr ", " in einem folge-pr ", " zurückgestellt ", " weggelassen ", " ausgelassen ", " verschoben ", " später nach ", " lasse ich vorerst ", " lasse ich erst einmal ", " in den backlog ", " ins backlog ", " auf die nächste ", " ausgespart ", " stelle ich zurück ", " stellen wir zurück ", " lasse ich weg ",
			" lasse ich vorläufig ", " ergänze ich später ", " hole ich später ", " baue ich später ", " mache ich später ", " kommt später ", " habe ich vorerst ",
		}}, not: notOursDE},
		{all: [][]string{{" folgt ", " kommt ", " folgen ", " kommen "}, {" folge-pr ", " folge-prs ", " separaten pr ", " separaten pull ", " eigenen pr ", " eigenen pull ", " späteren pr ", " späteren pull ", " nächsten pr ", " nächsten pull ", " nächsten phase ", " anderen pr "}}, not: notOursDE},
	}
	notOursDE = []string{" ? ", " nutzer ", " nichts ", " wenn ", " falls ", " besprochen ", " gewünscht ", " geladen ", " tests übersprungen "}
)
