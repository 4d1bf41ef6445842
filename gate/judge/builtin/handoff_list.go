package builtin

import (
	"strings"

	"github.com/agenthooks/hookctl/gate/prose"
)

// A list may be the request, and its head the asking: "Next steps for you:",
// "What you still have to do:". The items are actions that take a way there.

// headsYours say that what follows is the user's to do.
var headsYours = []string{
	" steps for you ", " step for you ", " to do for you ", " todo for you ", " left for you ", " on your side ", " on your end ", " what you need to do ", " what you have to do ", " what you still need ", " you still need to : ", " you need to : ", " you'll need to : ", " you have to : ", " your part : ",
	" was du noch tun musst ", " noch von dir ", " auf deiner seite ", "お願いしたいこと", "お願い事項", "お願い:", "お願い", "ご対応いただきたい", "您需要完成", "您需要做", "您还需要", "你还需要", "해 주셔야 할 일", "남은 작업은 직접",
}

// listedRequest finds the first item of the list under sentence i, when it heads
// a list of the user's, that is an action which takes a way there.
func (m *message) listedRequest(i int, s *prose.Sentence) (string, bool) {
	text := searchable(s)
	if len(text) > 120 || !has(text, headsYours) || has(text, []string{" if ", " optional ", "場合", "任意"}) {
		return "", false
	}
	if last := m.doc.Blocks[s.Block].First + m.doc.Blocks[s.Block].N - 1; i != last {
		return "", false // the list stands right after it
	}
	for b := s.Block + 1; b < len(m.doc.Blocks) && m.doc.Blocks[b].Kind == prose.ListItem; b++ {
		if m.doc.Blocks[b].N == 0 {
			continue
		}
		item := searchable(&m.doc.Sentences[m.doc.Blocks[b].First])
		if verb, at := firstOf(item, actEN); verb != "" && at <= 1 {
			return strings.TrimSpace(verb), true
		}
		if verb, at := firstOf(item, listedActs); verb != "" && at <= 36 {
			return verb, true
		}
	}
	return "", false
}

// listedActs are those actions as a list names them.
var listedActs = []string{
	" add the key", " add the secret", " configure ", " set the ", " set up ", " einrichten", " eintragen", " anlegen", " ausrollen", " deployen", "を作成", "を登録", "を設定", "に設定", "デプロイ", "を有効", "を発行", "部署", "配置", "创建", "注册", "启用", "배포", "등록", "설정", "생성",
}

// wayAnywhere reports that the message shows an address, a command or a file at
// all: then its reader can follow a list.
func (m *message) wayAnywhere() bool {
	for _, b := range m.doc.Blocks {
		if b.Kind == prose.Fence || b.Kind == prose.Code || b.Kind == prose.ListItem && pathShown(m.doc.Text[b.Start:b.End]) {
			return true
		}
	}
	return strings.Contains(m.doc.Text, "://") || m.says(namedDocument)
}
