package builtin

import (
	"strings"
	"unicode"
)

// A deferral is a part of the work that the agent itself leaves out or moves to
// later. Three frames carry it: a verb of leaving out in the first person ("I
// skipped", 見送りました), a part that goes to a later place ("comes in a second
// phase", 別 PR で対応します), and an own verb denied with a reason of scope ("I did
// not migrate … out of scope"). What the program under work skips or delays, what
// the user decided, advice and questions are none.

// deferMood reports whether a sentence drops or puts off a part of the work.
func deferMood(s, lang string) (Mood, bool) {
	switch lang {
	case "ja":
		return Announce, deferJA(s)
	case "zh":
		return Announce, deferZH(s)
	case "ko":
		return Announce, anyConj(s, defersKO)
	case "de":
		return Announce, !has(s, notOursDE) && (anyConj(s, defersDE) || has(s, laterOfDE) && follows(s, laterDE, laterThingsDE, 1))
	}
	return Announce, deferEN(s)
}

var (
	// selfEN and didEN make the perfect and the past of a verb in the first person.
	selfDidEN = []string{"i", "i've", "i'm", "we", "we've", "i'll", "have"}
	// leavesEN leave something out, whatever it is; partly do when a word of time or
	// of place stands by.
	leavesEN = []string{"deferred", "deferring", "defer", "postponed", "postponing", "postpone", "descoped"}
	partlyEN = []string{
		"skipped", "skipping", "dropped", "dropping", "stubbed", "limited", "restricted", "reduced", "narrowed", "moved", "kept", "cut", "excluded", "held", "hard-coded", "left", "leave", "leaving", "put", "only", "simplified", "omitted", "parked",
	}
	// worksEN are what is done to a part of the work.
	worksEN = []string{"migrate", "implement", "add", "cover", "convert", "port", "include", "support", "update", "handle", "wire", "build", "rename", "translate", "remove", "document", "extend", "tackle", "touch", "address", "finish", "write", "migrated", "implemented", "added", "covered", "converted", "ported", "included", "supported", "updated", "handled", "wired", "built", "translated", "documented", "extended", "written", "finished"}

	laterFirstEN = []string{"later", "next", "second", "third", "future", "separate", "follow-up", "followup", "subsequent", "another", "upcoming", "later-on"}
	laterThingEN = []string{"pr", "prs", "phase", "iteration", "change", "changes", "commit", "release", "version", "step", "pass", "round", "sprint", "milestone", "issue", "issues", "ticket", "tickets", "task", "tasks", "increment", "stage", "patch", "pull", "mr", "delivery", "batch"}
	phasesEN     = []string{"2", "two", "ii", "3", "three"}
	laterWordsEN = []string{" follow-up ", " follow-ups ", " followup ", " later ", " for now ", " for the time being ", " backlog ", " out of scope ", " outside the scope ", " out of this change ", " out of this pr ", " out of this version ", " from this change ", " from this pr ", " from this version ", " not included yet "}
	// comesEN take a part to its later place.
	comesEN = []string{
		" will come ", " will follow ", " comes ", " come ", " goes ", " go into ", " i'll ", " i will ", " we'll ", " left for ", " left to ", " left as ", " moved to ", " moved into ", " pushed to ", " i'm leaving ", " i left ", " i've ", " will be added ", " will be done ", " will be handled ", " will be covered ", " will be implemented ", " will be addressed ", " will land ",
		" is deferred ", " are deferred ", " deferred to ", " is postponed ", " are postponed ", " postponed to ", " was postponed ", " can be a ", " can follow ", " can come ", " can be added ", " can be done ", " can be handled ", " can be introduced ", " can be supported ", " will be introduced ", " will be migrated ", " will be supported ", " will be finished ", " will be part of ", " that can ", " this can ", " it can ", " let's ", " we can ", " something for ", " something i'd ", " is left ", " are left ", " put in ",
	}
	judgedEN = []string{" i judged ", " i considered ", " i consider ", " i treated ", " i'm treating ", " i deemed ", " i marked ", " i've marked "}
	// adviceEN make the words an advice, a description or a question.
	adviceEN = []string{
		" ? ", " you can ", " you could ", " you might ", " could be ", " would be ", " might be ", " may be ", " if you ", " if we ", " want me ", " user ", " users ", " when ", " function ", " was deferred ", " were deferred ", " previously ", " already ", " had been ", " reviewer ", " the agent ", " option ", " either ",
		" recommend ", " suggest ", " consider ", " should ", " in case ", " no longer ", " fixed ", " hook ", " is called ", " because the test ", " checked ", " exist", " since they ", " not needed ", " not applicable ",
	}
	// askedEN leave it to the user, or to a case that may come.
	askedEN = []string{" ? ", " if you ", " if we ", " you can ", " you could ", " want me ", " either ", " option "}
)

// labelsEN head a part that is put off; they stand first in their line.
var labelsEN = []string{"deferred : ", "deferred for now : ", "postponed : ", "left for later : ", "left out for now : ", "left for a follow-up : ", "skipped for now : ", "remaining for later : ", "still to do in a follow-up : ", "not included yet : ", "not in this pr : "}

// reasonsEN are why an agent does less than it was asked; lessEN is the less.
var (
	reasonsEN = []string{" in the interest of time ", " for time reasons ", " due to time ", " given the time ", " given the size ", " due to the size ", " given the scope ", " to keep this small ", " to keep it small ", " to keep the diff ", " to keep this pr ", " to keep the pr ", " to keep the change ", " to save time ", " to limit the "}
	lessEN    = []string{" i skipped ", " i left ", " i only ", " i did not ", " i didn't ", " i dropped ", " i haven't ", " i've only ", " i've skipped ", " i've left "}
	// restsEN are what remains, followsEN that it comes another time.
	restsEN   = []string{" the rest ", " remaining ", " the others ", " the other ", " second half ", " other half "}
	followsEN = []string{" can follow ", " can come later ", " can be done later ", " can be added later ", " can be converted later ", " can be migrated later ", " can be handled later ", " will follow ", " follow later ", " follows later ", " come next time ", " comes later ", " come later ", " is left as a ", " are left as a ", " is left as follow-up", " are left as follow-up"}
)

// purposeEN begin what a design makes possible.
var purposeEN = []string{" enough that ", " so that ", " such that ", " enough for "}

// countLabel reports a label with nothing but a number: a row of a summary.
func countLabel(s string) bool {
	_, value, _ := strings.Cut(s, " : ")
	return !strings.ContainsFunc(value, unicode.IsLetter)
}

func deferEN(s string) bool {
	if hasAnyPrefix(strings.TrimLeft(s, " *-•"), labelsEN) && !has(s, []string{" none ", " nothing "}) && !countLabel(s) {
		return true
	}
	s = cutAt(s, purposeEN)
	self := selfLeavesEN(s) || has(s, reasonsEN) && has(s, lessEN)
	if strings.HasPrefix(s, " if ") || has(s, []string{" every future ", " any future ", " all future ", " each future ", " on purpose ", " without touching ", " without changing ", " ideas ", " the idea "}) {
		return false // a case that may come, or a habit
	}
	if i := strings.Index(s, " ( "); i > 0 && has(s[i:], []string{" can be added ", " can come ", " can follow "}) && !has(s[:i], []string{" i ", " i've ", " for now ", " only "}) {
		s = s[:i+1] // in brackets: what is possible besides
	}
	if has(s, askedEN) || has(s, adviceEN) && !(self && has(s, []string{" for now ", " for the time being ", " not included yet ", " out of scope "})) {
		return false
	}
	return self || has(s, restsEN) && has(s, followsEN) && !has(s, []string{" once ", " automatically ", " same style "}) || comesLaterEN(s) || anyConj(s, defersEN) ||
		has(s, []string{" i'll ", " we'll ", " i will "}) && hasAnySuffix(s, []string{" later . ", " later "}) && !has(s, []string{" check ", " see ", " back ", " explain "})
}

// selfLeavesEN finds a verb of leaving out, or a denied one of doing, in the
// first person.
func selfLeavesEN(s string) bool {
	place := has(s, laterWordsEN) || laterEN(s)
	switch {
	case follows(s, selfDidEN, leavesEN, 2), follows(s, []string{"i", "i've", "i'm", "we"}, []string{"out"}, 6) && follows(s, []string{"left", "leaving", "leave"}, []string{"out"}, 5):
		return true
	case place && (follows(s, selfDidEN, partlyEN, 2) || has(s, []string{" decided to skip ", " chose to skip ", " opted to skip ", " decided to leave out ", " decided to drop "})):
		return true
	}
	denied := follows(s, []string{"not", "didn't", "haven't", "don't"}, worksEN, 2) && has(s, []string{" i ", " i've ", " i'm ", " i haven't ", " i didn't "})
	return denied && has(s, []string{" for now ", " for the time being ", " out of scope ", " later ", " follow-up ", " backlog ", " a ticket ", " an issue ", " acceptance criteria "})
}

// comesLaterEN finds a part that goes to a later change.
func comesLaterEN(s string) bool {
	if has(s, []string{" can be merged ", " reads ", " returns ", " right away ", " next step is ", " next step : ", " i'll start ", " i'll continue ", " i'll go on "}) {
		return false
	}
	for _, w := range comesEN {
		if i := strings.Index(s, w); i >= 0 {
			to := cutLong(s[i:], 70)
			if laterEN(to) || has(to, []string{" follow-up ", " backlog ", " added later ", " come later ", " comes later ", " left for later ", " add later ", " do that later ", " do it later ", " later on "}) {
				return true
			}
		}
	}
	return laterEN(cutAt(s, []string{" , ", " and "})) && has(s, []string{" will come ", " will follow ", " is where ", " i'll "})
}

// laterEN finds the name of a later piece of work: "a second phase", "phase 2".
func laterEN(s string) bool {
	return follows(s, laterFirstEN, laterThingEN, 2) || follows(s, []string{"phase", "part", "stage"}, phasesEN, 1)
}

var defersEN = []conj{
	{all: [][]string{{" is postponed ", " are postponed "}, {" to ", " for now "}}, not: []string{" until ", " when ", " while "}},
	{all: [][]string{{" skipped for now ", " left out for now ", " omitted for now ", " deferred for now ", " to be scheduled later ", " to be done later ", " to be added later "}}, not: []string{" test ", " tests "}},
	{all: [][]string{{" those ", " the other ", " the remaining "}, {" are not included ", " is not included ", " are left out ", " is left out ", " are not covered "}}},
	{all: [][]string{{" narrowed the scope ", " reduced the scope ", " limited the scope ", " cut the scope "}, {" i ", " i've ", " we "}}},
	{all: [][]string{{" stubbed out for now ", " stubbed for now ", " is a stub for now ", " are stubs for now ", " hard-coded for now ", " i decided to leave "}, {" out of ", " for now "}}},
	{all: [][]string{{" i left a todo ", " i've left a todo ", " i added a todo ", " i've added a todo ", " i left todos ", " left as todo"}, {" for the ", " for ", " where "}}},
	{all: [][]string{{" i limited ", " i restricted ", " i've limited ", " i kept it minimal "}, {" can follow ", " comes later ", " come later ", " will follow ", " yet "}}},
	{all: [][]string{{" i've put it in the backlog ", " i put it in the backlog ", " i moved it to the backlog "}}},
	{all: [][]string{{" backlog . ", " the backlog "}, {" i've put ", " i put ", " i moved ", " i've moved ", " i added ", " i've added "}}},
	{all: [][]string{judgedEN, {" out of scope ", " outside the scope ", " not worth "}}},
	{all: [][]string{{" todo ", " todos ", " placeholder", " stub ", " stubs "}, {" i've put ", " i put ", " i left ", " i've left ", " i added ", " i've added ", " is a placeholder ", " are placeholders ", " as a todo "}, {" other ", " rest ", " remaining ", " for now ", " later ", " as a todo ", " yet "}}},
	{all: [][]string{{" todo marker", " todo comment", " todos "}, {" other ", " rest ", " remaining "}}},
	{all: [][]string{{" only the ", " i only ", " only implemented ", " i kept it to "}, {" can follow later ", " will follow ", " can come later ", " follow in a ", " left for ", " for now "}}, not: []string{" reads ", " returns "}},
	{all: [][]string{{" only "}, {" supported in this version ", " covered in this version ", " included in this version ", " implemented in this version ", " in this first version ", " in this change "}, {" is ", " are ", " instead of "}}, not: []string{" available "}},
	{all: [][]string{{" simplified version ", " minimal version ", " reduced version ", " cut-down version ", " stripped-down version "}, {" i went with ", " i went for ", " i implemented ", " i've implemented ", " i built ", " i shipped "}}},
	{all: [][]string{{" not included yet ", " not implemented yet ", " not covered yet ", " is not done yet ", " isn't included yet ", " isn't implemented yet "}, {" i left ", " i've left ", " left that ", " future ", " follow-up ", " later "}}},
	{all: [][]string{{" ( deferred - ", " ( deferred — ", " ( deferred ) ", " ( deferred , ", " ( deferred : ", " ( postponed ) "}}},
}

var (
	// dropsJA leave a part out by themselves; partlyJA do beside a word of now.
	dropsJA = []string{
		"見送り", "見送っ", "見送る", "後回しに", "後回しとし", "先送り", "先延ばし", "割愛し", "棚上げ", "延期し", "延期と", "対象外とし", "対象外にし", "スコープ外とし", "スコープ外にし", "範囲外とし", "スコープから外し", "範囲から外し", "対象から外し", "のみ実装しました", "だけ実装しました", "todoにしています", "todoにしました", "todoコメントを残しました", "todoを残しました", "スタブのみ", "スタブだけ", "仮実装です", "仮実装にしています", "仮実装としています", "保留にしました", "保留としました", "保留にしています", "に絞って実装しました", "に絞りました", "縮小しました", "段階的に実装します",
		"実装は省略し", "は省略しました", "は一旦スキップし", "フェーズ2に回し", "と判断して外し", "と判断し外し", "と判断して除", "今回は対象外", "今回は実装しません", "今回は対応しません",
	}
	partlyJA = []string{"省略し", "省きま", "スキップし", "除外し", "外しま", "外してい", "外してあ", "含めませ", "含めてい", "含めず", "入れていません", "手を付けて", "手をつけて", "着手していません", "だけにし", "スタブだけ", "だけ入れて", "だけ実装し", "仮実装", "仮の実装", "ダミーを", "のみにし", "のみとし", "だけとし", "までにし", "までとし", "実装していません", "移行していません", "対応していません", "触れていません", "省きました", "絞りました"}
	nowJA    = []string{"時間の都合", "時間の関係", "規模が大きいため", "分量が多いため", "変更を小さく", "差分を小さく", "工数の都合", "今回は", "今回の", "一旦", "いったん", "ひとまず", "とりあえず", "現時点では", "この変更では", "このprでは", "本prでは", "まずは", "当面"}
	// laterJA are the places that a part goes to, putsJA how it gets there.
	laterJA = []string{
		"次のpr", "次回のpr", "後続", "別pr", "別のpr", "別issue", "別のissue", "別タスク", "別のタスク", "別チケット", "別のチケット", "別途", "は後で", "はあとで", "後日", "次フェーズ", "次のフェーズ", "フェーズ2", "phase 2で", "phase 2に回", "phase 2以降", "phase 2へ", "第2段階", "次の段階", "次のリリース", "次のバージョン", "次の版", "フォローアップ", "今後の課題", "バックログ", "todoとして", "todoに", "将来の", "将来対応", "次回リリース", "次回の",
		"次のスプリント", "次のイテレーション", "第2弾", "第二弾", "次の対応", "次の変更",
	}
	putsJA = []string{
		"回しま", "回して", "回す", "対応しま", "対応とし", "対応する", "対応いたし", "対応です", "行いま", "とします", "としました", "とした", "としており", "にします", "にしました", "実装しま", "追加しま", "管理し", "管理と", "実施しま", "予定です", "譲りま", "残しま", "残して", "積みま", "積んで", "切り出しま", "切り出して", "移しま", "移して", "入れま", "入れて", "起票しま", "起票して",
		"登録しま", "登録して", "持ち越", "取り組みま", "追加予定", "対応予定", "実装予定",
	}
	// laterAtJA are those places as the place of whatever verb ends the sentence.
	laterAtJA = []string{"次のprで", "別prで", "別のprで", "別issueで", "別のissueで", "別タスクで", "別チケットで", "後続のprで", "後続prで", "次フェーズで", "次のフェーズで", "次の段階で", "次のリリースで", "次のバージョンで", "次の版で", "フォローアップで"}
	// notOursJA make it a question, an advice or a matter of others.
	notOursJA = []string{"?", "しますか", "でしょうか", "ユーザー", "場合", "すれば", "ください", "可能です", "できます", "推奨", "提案", "検討", "かもしれ", "にしていた", "になっていた", "としていた"}
)

// ending is the last n bytes of s, cut at a character.
func ending(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[len(s)-n:], "")
}

func deferJA(s string) bool {
	if has(s, notOursJA) {
		return false
	}
	t := strings.TrimRight(s, "。. !)")
	if has(s, []string{"進めません", "できません"}) {
		return false // what cannot go on is not put off
	}
	said := hasAnySuffix(t, []string{"ます", "ました", "です", "ません", "する", "した", "す", "管理", "対応", "進む", "ため", "登録", "予定"})
	return said && (has(s, dropsJA) || has(s, nowJA) && has(s, partlyJA) || has(s, laterJA) && has(ending(t, 75), putsJA) || // the predicate of the sentence itself
		has(ending(t, 60), laterAtJA) && hasAnySuffix(t, []string{"します", "いたします", "きます"}))
}

var (
	// notYetZH and doesZH stand side by side: "this time it is not done yet".
	notYetZH = []string{"先不", "暂不", "暫不", "暂时不", "暫時不", "这次不", "本次不", "先没有", "暂时没有", "先没", "暂未", "这一版没有", "这版没有", "这次没有", "本次没有", "这次没", "本次未"}
	doesZH   = []string{"做", "实现", "實現", "处理", "支持", "改", "加", "迁移", "动", "管", "考虑", "覆盖", "包含", "接入"}
	leavesZH = []string{"先跳过", "暂时跳过了", "暂时先跳过", "先放进了待办", "放进了待办", "加入了待办", "放入待办", "放进了backlog", "加入backlog", "列入待办", "留作后续", "留待"}
	laterZH  = []string{"后续", "後續", "以后", "之后", "下一个迭代", "下个迭代", "下一阶段", "第二阶段", "下一个版本", "下个版本", "单独的pr", "另一个pr", "另外的pr", "下一个pr", "下个pr", "单独的issue", "另外的issue", "下一期", "二期", "下一版", "下版", "下一轮", "下一批"}
	putsZH   = []string{"再补", "再做", "再处理", "再实现", "再支持", "再加", "再完善", "推迟到", "延后到", "延到", "留到", "放到", "移到", "我会", "我将", "补上"}
	defersZH = []conj{
		{all: [][]string{leavesZH}},
		{all: [][]string{laterZH, putsZH}},
		{all: [][]string{{"为了控制", "为了减少", "时间原因", "时间关系", "篇幅"}, {"只", "先", "暂"}}},
	}
	notOursZH = []string{"限制", "目前", "用户", "如果", "您可以", "你可以", "吗", "?", "?", "建议后续", "要不要", "还是", "提交", "推送", "合并", "部署", "构建", "测试", "加载", "渲染", "确认后再", "之后再提交", "可暂不", "可先不", "可以暂不", "可以先不", "以后想", "将来想", "之后想", "后面想"}
)

func deferZH(s string) bool {
	if has(s, notOursZH) {
		return false
	}
	s = strings.ReplaceAll(s, " ", "")
	for _, w := range notYetZH {
		if i := strings.Index(s, w); i >= 0 && hasAnyPrefix(s[i+len(w):], doesZH) {
			return true
		}
	}
	return anyConj(s, defersZH)
}

var (
	defersKO = []conj{
		{all: [][]string{{"나중에", "추후", "이후 버전", "다음 단계", "다음 이터레이션", "다음 스프린트", "후속", "별도 pr", "별도의 pr", "별도 이슈", "별도 작업", "다음 pr", "다음 버전", "2단계", "백로그"}, {"하겠습니다", "진행하", "미루", "미뤘", "추가하겠", "할 예정", "넘겼습니다", "넘기겠", "넣었", "등록해", "추가했", "옮겼", "남겨"}}, not: notOursKO},
		{all: [][]string{{"보류했습니다", "제외했습니다", "미뤘습니다", "생략했습니다", "건너뛰었습니다", "빼 두었습니다", "뺐습니다", "구현하지 않았습니다"}}, not: notOursKO},
	}
	notOursKO = []string{"?", "할까요", "하면", "사용자", "테스트", "로딩", "말씀", "요청하신", "커밋", "푸시", "머지", "배포"}

	laterDE       = []string{"späteren", "nächsten", "separaten", "eigenen", "weiteren", "anderen", "folgenden", "zweiten"}
	laterThingsDE = []string{"pr", "prs", "pull", "phase", "schritt", "version", "iteration", "release", "commit", "issue", "ticket", "ausbaustufe"}
	laterOfDE     = []string{" verschoben ", " verschiebe ", " verschieben ", " folgt ", " folgen ", " kommt ", " kommen ", " nachgezogen ", " nachgeholt ", " nachgereicht ", " erledigt ", " umgesetzt "}
	defersDE      = []conj{
		{all: [][]string{{" ich ", " wir "}, {
			" auf später ", " in einen folge-pr ", " in einem folge-pr ", " zurückgestellt ", " weggelassen ", " ausgelassen ", " verschoben ", " später nach ", " lasse ich vorerst ", " lasse ich erst einmal ", " in den backlog ", " ins backlog ", " auf die nächste ", " ausgespart ", " ausgeklammert ", " aufgeschoben ", " vertagt ", " rausgelassen ", " herausgelassen ", " stelle ich zurück ", " stellen wir zurück ", " lasse ich weg ",
			" lasse ich vorläufig ", " ergänze ich später ", " hole ich später ", " baue ich später ", " mache ich später ", " kommt später ", " habe ich vorerst ",
		}}},
		{all: [][]string{{" vorerst ", " zunächst ", " fürs erste ", " erst einmal ", " in dieser version "}, {" weggelassen ", " ausgelassen ", " nicht umgesetzt ", " nicht migriert ", " nicht enthalten ", " außen vor ", " übersprungen ", " zurückgestellt ", " ausgeklammert ", " aufgeschoben ", " vertagt ", " offen gelassen ", " rausgelassen ", " gestrichen "}}},
		{all: [][]string{{" folgt ", " kommt ", " folgen ", " kommen "}, {" folge-pr ", " folge-prs "}}},
	}
	notOursDE = []string{" ? ", " nutzer ", " nichts ", " wenn ", " falls ", " besprochen ", " gewünscht ", " geladen ", " tests übersprungen "}
)
