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
		for _, part := range splitAt(text, []string{" ; "}) { // a negation counts in its own part
			if _, ok := mood(part, s.Lang); ok {
				text = part
				break
			}
		}
		r := m.record(a, s)
		r.Action, r.Mood = action, how
		r.Negated = has(text, scopeNegated) || s.Lang == "ja" && deniedJA(text)
		r.Choice = m.choice(i, s) || strings.HasSuffix(strings.TrimSpace(text), "?") && has(text, []string{" or ", " oder ", "それとも", "还是"})
		switch {
		case m.retracted(i):
			r.Excuse = "it is taken back"
		case r.Negated:
			r.Excuse = "it is negated"
		case has(text, userSaid) && !against(text), m.next(i) != nil && has(searchable(m.next(i)), []string{"仕様どおり", "仕様通り", " as specified ", " as the spec ", " as agreed "}):
			r.Actor, r.Excuse = "user", "the user decided so"
		case r.Choice:
			r.Excuse = "a choice that is put to the user"
		case has(text, outsideWords) && !has(text, judgedEN) || has(m.heading(s.Block), outsideWords):
			r.Excuse = "it was never part of the request"
		case action == "defer" && has(text, otherThings):
			r.Excuse = "it speaks of something else than the scope"
		}
		rs = append(rs, r)
	}
	return rs
}

// against reports that the sentence goes on against what the user said: "you
// approved the whole tool, but".
func against(s string) bool {
	w := which(s, userSaid)
	rest := s[strings.Index(s, w):]
	return has(rest, []string{" but ", " however ", " although ", "が、", " aber ", ",但", "지만"}) && !has(rest, []string{" so i did ", " as you "})
}

var (
	scopeNegated = []string{
		" not be deferred ", " no need ", " nothing was skipped ", " nothing is deferred ", " nothing deferred ", " nothing was left out ", " didn't skip ", " did not skip ", " won't ", " not left out ", " not need ", " without a new session ",
		" don't need another ", " don't need a new ", " no longer deferred ", " nothing left ", " nothing is left ", " not defer ",
		"回さず", "分けず", "後回しにせず", "見送りません", "後回しにしません", "回しません", "しないで", "分けません", "スキップせず", "必要はありません", "はありません", "なくなりました", "続けずに", "ないよう", "たりはしません", "たりしません", "没有任何", "没有一项", "无一", "미룬 항목은 없", "남기지 않",
		" nicht auf später ", " nichts ", "不会推迟", "不再推迟", "没有跳过", "미루지 않",
	}
	userSaid = []string{
		" as you asked ", " as you requested ", " as requested ", " as agreed ", " as discussed ", " as you said ", " as you wanted ", " as you decided ", " per your ", " you asked ", " you approved ", " you agreed ", " you decided ", " you said ", " you wanted ",
		" you told ", " your decision ", " your call ", " your instruction ", " your request ", " as instructed ", " we agreed ", " as planned ", " user asked ", " user requested ", " user decided ", " user approved ", " you chose ", " per the plan ", " per the spec ", " by design ",
		"ご指示", "ご指定", "指定のとおり", "指定の通り", "お伝えいただいた", "ご判断", "ご希望", "ご要望", "ご依頼のとおり", "ご依頼どおり", "ご依頼通り", "とのこと", "合意", "承認済み", "ご承認", "おっしゃ", "指定どおり", "指示どおり", "指示通り", "了承", "計画どおり", "仕様どおり", "伺って", "ご相談のとおり", "決めていただ",
		" wie gewünscht ", " wie besprochen ", " wie vereinbart ", " auf deinen wunsch ", " wie abgesprochen ", "按您", "按照您", "您要求", "你要求", "按你", "按照你", "요청하신", "말씀하신",
	}
	outsideWords = []string{
		" outside the request ", " outside your request ", " outside of the request ", " beyond the request ", " not part of ", " was out of scope from ", " unrelated ", " pre-existing ", " nice-to-have ", " optional ", " called out in ", " as documented ", "future improvements", "future ideas", "out of scope",
		"範囲外", "依頼外", "対象外の", "オプション", "任意", "参考", "将来的な改善", " nicht teil ", " außerhalb ", "范围之外", "可选",
	}
	// otherThings share the words of putting off with the scope, and are none.
	otherThings = []string{
		" test was skipped ", " tests were skipped ", " tests skipped ", " skipped tests ", " defer statement ", " defer func", " deferred call", " defer ( ", " skipped because ", " lazily ", " commit ", " push ", " merge ",
		"コミット", "プッシュ", "commit", "push", "マージ", "テストはスキップ", "テストをスキップ", "処理をスキップ", "スキップする", "スキップされ", "件スキップ", "チェックをスキップ", "件skipped", "跳过测试",
	}
)

// deniedJA reports a predicate that ends in a denial and asks nothing.
func deniedJA(s string) bool {
	t := strings.TrimRight(s, "。. !")
	return hasAnySuffix(t, []string{"しません", "ません", "ませんでした"}) && hasAnySuffix(t, []string{"分けません", "分けはしません", "回しません", "移しません", "持ち越しません", "終わりません"})
}
