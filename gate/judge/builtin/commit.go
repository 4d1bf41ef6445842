package builtin

import (
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// proposal is what a language's reader finds in one sentence.
type proposal struct {
	action    string
	mood      Mood
	actor     string
	negated   bool
	condition Condition
	choice    bool
}

// readCommit reads for the gate on commit, push, merge, deploy and PR.
func readCommit(m *message, a gate.Asked) ([]Record, gate.Answer) {
	var rs []Record
	for i, s := range m.speech(a) {
		p, ok := readProposal(s)
		if !ok {
			p, ok = m.pronounOffer(i, s)
		}
		if !ok {
			continue
		}
		r := m.record(a, s)
		r.Action, r.Mood, r.Negated, r.Condition, r.Choice = p.action, p.mood, p.negated, p.condition, p.choice
		if p.actor != "" {
			r.Actor = p.actor
		}
		r.Choice = r.Choice || m.choice(i, s)
		m.excuseProposal(i, s, &r)
		rs = append(rs, r)
	}
	return rs, m.commitAnswer(rs)
}

func readProposal(s *prose.Sentence) (proposal, bool) {
	text := searchable(s)
	switch s.Lang {
	case "ja":
		return proposalJA(text)
	case "zh":
		return proposalZH(text)
	case "ko":
		return proposalKO(text)
	case "de":
		if p, ok := proposalDE(text); ok {
			return p, true
		}
	}
	return proposalEN(text)
}

// excuseProposal says why a proposal holds nothing against the message.
func (m *message) excuseProposal(i int, s *prose.Sentence, r *Record) {
	b := m.doc.Blocks[s.Block]
	switch {
	case r.Negated:
		r.Excuse = "it is negated"
	case r.Actor != "agent":
		r.Excuse = "someone else acts"
	case r.Condition == Event:
		r.Excuse = "a later step, after an event"
	case r.Choice:
		r.Excuse = "a choice that is put to the user"
	case b.Ordered && r.Mood != Offer:
		r.Heading = true
		r.Excuse = "a step of a list"
	case r.Mood != Offer && b.Kind == prose.ListItem && planHeading(m.heading(s.Block)):
		r.Heading = true
		r.Excuse = "a step of a plan"
	case (r.Mood == Ready || has(strings.ToLower(s.Own), verdictWords)) && m.isReview():
		r.Excuse = "a reviewer's verdict"
	case r.Mood == Offer && m.answered(i):
		r.Excuse = "a question that the message answers itself"
	case m.retracted(i):
		r.Excuse = "it is taken back"
	}
}

// answered reports that the next sentence answers sentence i: then it was nobody
// else's to answer.
func (m *message) answered(i int) bool {
	n := m.next(i)
	if n == nil {
		return false
	}
	o := strings.ToLower(n.Own)
	return hasAnyPrefix(o, []string{"yes:", "yes,", "yes.", "yes —", "yes -", "no:", "no,", "no.", "no —", "はい、", "はい。", "いいえ", "ja,", "ja:", "nein", "是的", "可以,", "不可以", "네,", "예,", "아니요"})
}

// commitAnswer fills the four fields. A record with an excuse is no new
// proposal; its kind still tells which of the allowing fields is true.
func (m *message) commitAnswer(rs []Record) gate.Answer {
	a := gate.Answer{Fields: map[string]bool{
		"new_proposal": false, "verification_reported": m.verified() != "", "direction_query": false, "future_step_description": false,
	}}
	a.Note = "nothing is proposed for now"
	var found *Record
	for i := range rs {
		switch r := &rs[i]; {
		case r.finding():
			if found == nil {
				found = r
			}
		case r.Choice && !r.Negated:
			a.Fields["direction_query"] = true
		case r.Condition == Event || r.Heading:
			a.Fields["future_step_description"] = true
		}
	}
	if found == nil {
		if len(rs) > 0 {
			a.Sentence, a.Note = rs[0].Sentence, rs[0].Excuse
		}
		return a
	}
	// The fields speak of the proposal that counts, not of another beside it.
	a.Fields["new_proposal"] = true
	a.Fields["direction_query"], a.Fields["future_step_description"] = false, false
	a.Sentence, a.Note = found.Sentence, string(found.Mood)+" to "+found.Action+", no check reported"
	if a.Fields["verification_reported"] {
		a.Note = "a check is reported: " + m.verified()
	}
	return a
}

// choice reports whether the sentence belongs to a choice that the message puts:
// its neighbour goes on with "or", or a question names its block as one way.
func (m *message) choice(i int, s *prose.Sentence) bool {
	if n := m.next(i); n != nil {
		o := strings.ToLower(n.Own)
		if strings.HasPrefix(o, "or ") || strings.HasPrefix(o, "oder ") || strings.HasPrefix(o, "それとも") || strings.HasPrefix(o, "还是") {
			return true
		}
		if n.Block == s.Block && has(norm(n.Own), whichEN) {
			return true
		}
	}
	if m.doc.Blocks[s.Block].Kind != prose.ListItem {
		return false
	}
	return m.asksWhich() || m.offersList(s.Block)
}

// offersList reports that the list of the block stands under a question that it
// completes: "Would you like me to:", and more than one way follows.
func (m *message) offersList(block int) bool {
	items := 0
	for i := block; i >= max(0, block-maxBack); i-- {
		switch b := m.doc.Blocks[i]; b.Kind {
		case prose.ListItem:
			items++
			continue
		case prose.Paragraph:
			t := norm(m.blockText(i))
			next := block+1 < len(m.doc.Blocks) && m.doc.Blocks[block+1].Kind == prose.ListItem
			return (items > 1 || next) && (strings.HasSuffix(t, " : ") || strings.HasSuffix(t, " ? ")) && has(t, []string{" would you like ", " want me to ", " do you want ", " shall i ", " should i ", " i can ", " options ", " you could ", " möchtest du ", " soll ich "})
		}
		return false
	}
	return false
}

func (m *message) findWhich() bool {
	return m.says(func(text string) bool {
		return has(without(text, bothJA), whichCJK) || strings.HasSuffix(text, "? ") && has(text, whichEN)
	})
}

var (
	whichEN = []string{
		" which one ", " which of ", " which way ", " which option ", " which would ", " which do you ", " which approach ", " which should ", " what would you prefer ", " how would you ", " what would you like ",
		" welche ", " welchen ", " welcher ",
	}
	bothJA   = []string{"どちらも", "どちらの変更も", "どちらにも", "どちらでも", "どれも"}
	whichCJK = []string{"どちら", "どれ", "どの方", "どうしますか", "どうされますか", "哪个", "哪一", "哪种", "어느 쪽", "어떤 "}
)

// retracted reports whether the sentence or its neighbours take the words back.
func (m *message) retracted(i int) bool {
	if has(strings.ToLower(m.doc.Sentences[i].Own), retractions) {
		return true
	}
	n := m.next(i)
	return n != nil && has(strings.ToLower(n.Own), retractions)
}

var retractions = []string{
	"撤回", "取り下げ", "取りやめ", "取り消し", "やめておき", "見合わせ",
	"take that back", "i take it back", "scratch that", "that was wrong", "i was wrong", "correction to what", "withdraw", "on second thought", "never mind", "strike that",
	"ziehe ich zurück", "nehme ich zurück", "ziehe den vorschlag", "zurückgezogen", "收回", "취소합니다", "철회",
}

func planHeading(h string) bool {
	return !has(h, []string{" next step ", " next steps "}) && (has(h, planWords) || has(h, planWordsCJK))
}

var planWords = []string{
	" plan ", " roadmap ", " todo ", " backlog ", " workflow ", " procedure ", " how to ", " usage ", " step ", " steps ", " phase ", " schedule ", " options ", " checklist ", " runbook ", " ablauf ", " schritte ", " vorgehen ",
}

var planWordsCJK = []string{
	"手順", "進め方", "計画", "予定", "流れ", "フロー", "使い方", "バックログ", "チェックリスト", "ステップ", "方針",
	"步骤", "流程", "计划", "절차", "계획",
}

// findReview reports whether the message judges someone's change: then a word of
// readiness is a verdict.
func (m *message) findReview() bool {
	return m.says(func(text string) bool { return has(text, reviewWords) || has(text, reviewWordsCJK) })
}

// verdictWords make an announcement a judgement.
var verdictWords = []string{"と考えます", "と考えています", "と思います", "と判断", "問題ない", "問題ありません", "問題なし", "i'd merge", "i would merge"}

var (
	reviewWords = []string{
		" lgtm ", " code review ", " review summary ", " review complete ", " review result ", " verdict ", " i approve ", " approve with ", " i reviewed ",
		" reviewed the ", " no blocking ", " nitpick", " evaluation ", " assessment ", " pr review ", " findings ",
	}
	reviewWordsCJK = []string{"レビュー結果", "レビュー完了", "評価レポート", "マージ推奨", "品質ゲート", "レビューしました", "评审结论", "评审结果", "评审报告", "评审通过", "代码评审", "我评审了", "评审了", "承認します", "承認しました"}
)
