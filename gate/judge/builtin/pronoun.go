package builtin

import (
	"strings"

	"github.com/agenthooks/hookctl/gate/prose"
)

// An offer without an object ("OK to proceed?") takes it from what stands before:
// from the list of steps, of which the first is the one that is due, or from the
// sentence that says what is left to do.

var pronounOffers = []string{
	" ok to proceed ? ", " okay to proceed ? ", " ok to go ahead ? ", " okay to go ahead ? ", " shall i proceed ? ", " should i proceed ? ", " shall i go ahead ? ", " should i go ahead ? ", " shall i do that ? ", " should i do that ? ", " shall i do it ? ", " should i do it ? ", " want me to go ahead ? ", " want me to proceed ? ", " want me to do that ? ", " want me to do it ? ", " may i proceed ? ", " can i proceed ? ", " may i go ahead ? ", " can i go ahead ? ", " shall we proceed ? ",
	" soll ich loslegen ? ", " soll ich weitermachen ? ", " soll ich fortfahren ? ", " soll ich das machen ? ", " soll ich das tun ? ", " einverstanden ? ",
}

var pronounOffersCJK = []string{"進めてよいですか", "進めてもよいですか", "進めていいですか", "進めてもよろしいですか", "進めてよろしいですか", "進めてよろしいでしょうか", "実行してよいですか", "可以继续吗", "要继续吗", "是否继续", "진행할까요?", "진행해도 될까요"}

// leftEN say that an action is what is left; leftCJK so too.
var (
	leftEN  = []string{" next step would be ", " next step is ", " next would be ", " that leaves ", " what's left ", " what is left ", " left to do ", " all that's left ", " all that is left ", " i would then ", " i'd then ", " remaining : ", " bleibt nur noch ", " fehlt nur noch ", " als nächstes "}
	leftCJK = []string{"残るは", "あとは", "残りは", "次は", "剩下的就是", "接下来是", "只差", "남은 것은", "다음은"}
	nounsOf = []string{" commit ", " commits ", " push ", " merge ", " pr ", " pull request ", " deploy ", " deployment ", " committing ", " pushing ", " merging ", " deploying ", " release ", "コミット", "プッシュ", "マージ", "デプロイ", "提交", "推送", "合并", "部署", "커밋", "푸시", "머지", "배포"}
)

// pronounOffer reads sentence i as such an offer.
func (m *message) pronounOffer(i int, s *prose.Sentence) (proposal, bool) {
	text := searchable(s)
	if !has(norm(s.Own), pronounOffers) && !has(text, pronounOffersCJK) {
		return proposal{}, false
	}
	block := s.Block
	if k := i - 1; k >= m.doc.Blocks[block].First { // in its own paragraph
		if p, ok := leftAction(&m.doc.Sentences[k]); ok {
			return p, true
		}
	}
	first := -1
	for b := block - 1; b >= max(0, block-maxBack); b-- {
		if m.doc.Blocks[b].Kind == prose.ListItem {
			first = b
			continue
		}
		if first < 0 && m.doc.Blocks[b].N > 0 {
			if last := &m.doc.Sentences[m.doc.Blocks[b].First+m.doc.Blocks[b].N-1]; m.doc.Blocks[b].Kind == prose.Paragraph {
				if p, ok := leftAction(last); ok {
					return p, true
				}
				continue // a remark between the list and the question
			}
		}
		break
	}
	if first < 0 || m.doc.Blocks[first].N == 0 {
		return proposal{}, false
	}
	item := searchable(&m.doc.Sentences[m.doc.Blocks[first].First])
	if act, at := actionEN(cutAt(item, breaksEN), frame{mood: Announce}); act != "" && len(strings.Fields(item[:at])) <= 3 {
		return proposal{action: act, mood: Offer}, true
	}
	for _, w := range []string{"コミット", "プッシュ", "マージ", "デプロイ", "提交", "推送", "合并", "部署", "커밋", "푸시", "머지", "배포", " committen ", " pushen ", " mergen "} {
		if j := strings.Index(item, w); j >= 0 && j <= 18 && !hasAnyPrefix(item[j+len(w):], afterJA) && !hasAnyPrefix(item[j+len(w):], afterZH) {
			return proposal{action: strings.TrimSpace(w), mood: Offer}, true
		}
	}
	return proposal{}, false
}

// leftAction finds the action that a sentence says is left to do.
func leftAction(s *prose.Sentence) (proposal, bool) {
	text := searchable(s)
	if s.Own == "" || !has(text, leftEN) && !has(text, leftCJK) || has(text, negativesEN) || has(text, eventsEN) {
		return proposal{}, false
	}
	w := which(text, nounsOf)
	if w == "" || !notCompound(strings.TrimSpace(text[strings.Index(text, w)+len(w):])) {
		return proposal{}, false
	}
	return proposal{action: strings.TrimSpace(w), mood: Offer}, true
}
