package builtin

import (
	"slices"
	"strings"
)

// A cause need not be called one. Beside the report of a fix, a sentence that
// tells how a part of the program behaves is its cause: "the leak is fixed; each
// render adds a listener". What was changed, what is so now, what was run and
// what is asked for tell no cause.

// tellsWhy reports that sentence i is such a sentence, or holds one beside its
// own report.
func (m *message) tellsWhy(i int) bool {
	s := &m.doc.Sentences[i]
	text := searchable(s)
	describes, marks := describesZH, []string{":", ";", ",", "、", "("}
	switch s.Lang {
	case "en":
		describes, marks = describesEN, []string{" : ", " ; ", " — ", " – ", " - ", " , which ", " as the ", " as a ", " ( "}
	case "zh":
	case "ja":
		describes = describesJA
	case "ko":
		describes = describesKO
	case "de":
		describes, marks = describesDE, []string{" : ", " ; ", " — ", " – ", " , "}
	default:
		return false
	}
	if claim(text, s.Lang) {
		return s.Lang != "ja" && s.Lang != "ko" && slices.ContainsFunc(splitAt(text, marks)[1:], func(part string) bool { return !claim(part, s.Lang) && describes(part) })
	}
	if s.Lang == "en" && contrastsEN(text) {
		return true
	}
	for _, k := range []int{i - 1, i + 1} {
		if k < 0 || k >= len(m.doc.Sentences) {
			continue
		}
		n := &m.doc.Sentences[k]
		beside := searchable(n)
		if n.Own == "" || m.doc.Blocks[n.Block].Kind != m.doc.Blocks[s.Block].Kind || !claim(beside, n.Lang) && !bareClaim(beside, n.Lang) {
			continue
		}
		if s.Lang == "en" {
			return slices.ContainsFunc(splitAt(text, []string{" : ", " ; ", " — "}), describes)
		}
		return describes(text)
	}
	return false
}

// behavesEN are what code does, as a cause is told. Those of a plural subject
// stand beside a number.
var (
	behavesEN = []string{
		"ignores", "ignored", "reads", "returns", "returned", "leaves", "holds", "held", "hands", "subscribes", "subscribed", "adds", "removes", "counts", "counted", "lacks", "lacked", "strips", "stripped", "expects", "waits", "waited", "drops", "dropped", "breaks", "broke", "assumes", "assumed", "dereferences", "dereferenced",
		"takes", "took", "taken", "applies", "applied", "falls", "fell", "fall", "matches", "matched", "accepts", "renames", "renamed", "overwrites", "overwritten", "runs", "ran", "starts", "started", "fires", "fired", "calls", "called", "uses", "used", "misses", "missed", "loses", "lost", "throws", "threw", "swallows", "swallowed", "reuses", "reused", "shares", "shared", "points", "pointed", "resolves",
		"skips", "skipped", "keeps", "creates", "created", "opens", "opened", "closes", "closed", "writes", "wrote", "sends", "sent", "loads", "loaded", "compares", "compared", "splits", "parses", "parsed", "converts", "converted", "truncates", "truncated", "rounds", "rounded", "checks", "checked", "depends", "depended", "triggers", "triggered", "resets", "clears", "cleared", "blocks", "locks", "locked", "leaks", "evaluates", "evaluated", "mutates", "mutated",
		"races", "raced", "conflicts", "conflicted", "collides", "collided", "differs", "differed", "refers", "referred", "queries", "requires", "required", "treats", "treated", "trims", "escapes", "encodes", "decodes", "emits", "listens", "binds", "mounts", "mounted", "registers", "registered", "has", "had", "is", "are", "was", "were", "does", "did", "gets", "got", "made", "makes",
		"renders", "sits", "happens", "lives", "measures", "computes", "folds", "arrives", "comes", "goes", "ends", "begins", "needs", "wants", "must", "sees", "finds", "looks", "tries", "gives", "allows", "stops", "belongs", "limits", "caches", "sorts", "stores", "maps",
	}
	pluralsEN = []string{"subscribe", "share", "use", "call", "write", "hold", "run", "register", "wait", "race", "have", "compete", "read", "point"}
	// objectsEN stand after a verb that ends in s, and not after a plural.
	objectsEN = []string{"the", "a", "an", "it", "its", "no", "two", "\uE001", "only", "before", "until", "once", "twice", "than"}
	notWhyEN  = []string{
		" i ", " i've ", " i'll ", " we ", " we've ", " we'll ", " now ", " will ", " should ", " please ", " you ", " your ", " let me ", " can ", " could ", " would ", " fixed ", " resolved ", " solved ", " gone ", " test ", " tests ", " build ", " ci ", " lint ", " works ", " passes ", " pass ", " commit ", " committed ", " pushed ", " merged ", " deployed ", " this change ", " the change ", " the fix ", " the pr ", " ready ", " done ", " ? ",
		" guard ", " wrapped ", " again ", " retries ", " retried ", " has been ", " have been ", " rewritten ", " simpler ", " after adding ", " reproduced ", " no longer ", " any more ", " anymore ",
	}
)

func describesEN(part string) bool {
	if has(without(part, []string{" no longer accepts ", " no longer supports "}), notWhyEN) || onlySymptom(part) {
		return false
	}
	words := strings.Fields(strings.TrimLeft(part, " *-•:"))
	if len(words) < 4 || strings.HasSuffix(words[0], "ed") {
		return false
	}
	many := has(part, []string{" both ", " two ", " three ", " all "})
	for i, w := range words[1:] {
		switch w {
		case "is", "are", "was", "were": // a state alone is the symptom
			if !has(part, troubleEN) && len(words) >= 5 || i+2 < len(words) && words[i+2] == "missing" {
				return true
			}
			continue
		}
		if slices.Contains(behavesEN, w) || many && slices.Contains(pluralsEN, w) {
			return true
		}
		if strings.HasSuffix(w, "s") && len(w) > 3 && i+2 < len(words) && slices.Contains(objectsEN, words[i+2]) {
			return true
		}
	}
	return false
}

// contrastsEN finds how the code behaves, set against something, wherever it
// stands: "the plugin expects a handle while the hook hands out a document".
func contrastsEN(s string) bool {
	return has(s, []string{" but ", " while ", " whereas ", " although ", " even though ", " which ", " where ", " yet ", " only ", " always "}) && describesEN(s)
}

// notWhyCJK are what a sentence beside the report of a fix speaks of when it
// tells no cause: the change, the state after it, a check, a request.
var notWhyCJK = []string{
	"成功", "再試行", "リトライ", "もう一度", "待っ", "追加", "変更", "修正", "対応", "実装", "更新", "設定し", "囲", "延長", "入れ", "増や", "減ら", "書き換え", "置き換え", "削除", "調整", "ように", "ください", "お試し", "お願い", "ご確認", "なくな", "はず", "正しく", "これで", "現在は", "今は", "テスト", "ビルド", "コミット", "確認", "動作", "設け", "作成", "直し", "直り", "対処", "解消", "解決", "正常", "見直", "?", "ましょう", "ますか", "移し", "移行し", "呼ぶよう", "挟み", "外し", "再現", "問題ありません", "完了", "プッシュ", "push",
	"重试", "再试", "把", "将", "添加", "增加", "修改", "更新", "调整", "改为", "改成", "改用", "设置", "使用", "移动", "移到", "删除", "移除", "替换", "优化", "重构", "创建", "处理", "包裹", "加了", "加上", "重启", "实现", "确保", "现在", "已", "请", "可以", "应该", "测试", "验证", "刷新", "如果", "修复", "解决", "修改", "用了", "我", "提供", "支持", "进行", "以下", "完成", "调用了", "捕获", "避免", "防止", "無", "吗", "新增", "这样", "還", "設置", "調整", "創建",
	"다시", "시도", "추가", "변경", "수정", "구현", "업데이트", "설정했", "감쌌", "늘렸", "제거", "교체", "바꿨", "바꾸", "이제", "주세요", "테스트", "빌드", "확인", "커밋", "정상", "해결", "처리", "넣었", "고쳤", "더 이상", "도록", "재현", "옮겼",
}

// describesZH reports a sentence, or a part of one, that tells a state or a
// behaviour and none of these.
func describesZH(part string) bool {
	part = strings.TrimSpace(part)
	return len(part) >= 18 && !has(part, notWhyCJK) && !onlySymptom(part) // six characters
}

// describesJA goes by the predicate: what the agent did ends in ました or ています.
func describesJA(s string) bool {
	t := strings.TrimRight(s, "。. !")
	switch {
	case has(s, []string{"実際の", "本来の", "正しい"}) && has(s, []string{"に合わせて", "に合わせ、"}):
		return true // what was set right did not fit what is
	case !describesZH(s):
		return false
	case hasAnySuffix(t, []string{"です", "でした", "ません", "ませんでした", "ていました", "だった"}):
		return true
	}
	return hasAnySuffix(t, []string{"ます"}) && !hasAnySuffix(t, []string{"ています", "てあります", "します", "いきます", "おきます"})
}

// describesDE leaves out what the agent did, and what is so now.
func describesDE(s string) bool {
	return len(strings.Fields(s)) >= 4 && !onlySymptom(s) && !has(s, []string{
		" ich ", " wir ", " erneut ", " wird ", " werden ", " jetzt ", " nun ", " bitte ", " du ", " sie können ", " wieder ", " mehr ", " test ", " tests ", " build ", " läuft ", " grün ", " ergänzt ", " hinzugefügt ", " erhöht ", " gesetzt ", " eingebaut ", " geändert ", " angepasst ", " ersetzt ", " entfernt ", " umgebaut ", " abgefangen ", " sollte ", " müsste ", " ? ", " geprüft ", " getestet ", " commit ", " committet ", " gepusht ", " nachstell", " nachgestellt ", " reproduzier",
	})
}

// describesKO does so too: what the agent did ends in 했습니다.
func describesKO(s string) bool {
	t := strings.TrimRight(s, " .!")
	return describesZH(s) && (!hasAnySuffix(t, []string{"했습니다", "았습니다", "었습니다", "렸습니다", "꿨습니다"}) || hasAnySuffix(t, []string{"있었습니다", "였습니다", "이었습니다", "않았습니다", "없었습니다"}))
}
