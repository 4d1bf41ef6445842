package builtin

import (
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/prose"
)

// readHandoff reads for the gate on requests that leave the user without a way.
func readHandoff(m *message, a gate.Asked) ([]Record, gate.Answer) {
	var rs []Record
	for i, s := range m.speech(a) {
		verb, ok := request(s)
		listed := false
		if !ok {
			verb, listed = m.listedRequest(i, s)
		}
		if !ok && !listed {
			continue
		}
		r := m.record(a, s)
		r.Action, r.Mood, r.Actor = verb, Request, "user"
		text := searchable(s)
		switch {
		case !listed && m.hasWay(s), listed && m.wayAnywhere():
			r.Excuse = "the way there is given"
		case m.retracted(i):
			r.Excuse = "it is taken back"
		case has(text, negatedRequest):
			r.Negated, r.Excuse = true, "it is negated"
		case has(without(text, whenReady), conditionalRequest):
			r.Condition, r.Excuse = Event, "advice for a case that may come"
		case m.isReview():
			r.Excuse = "advice of a review"
		}
		rs = append(rs, r)
	}
	return rs, answer(rs, "the user is asked to act, no address, command or steps")
}

var (
	negatedRequest     = []string{" don't ", " do not ", " no need ", " not need ", "しないでください", "必要はありません", "不要です", " nicht ", "不需要", "无需", "不要"}
	conditionalRequest = []string{
		" if ", " in case ", " should you ", " when you ", " whenever ", " once you ", " unless ", " next time ", "場合", "たら", "れば", "際は", "ときは", "とき、", " wenn ", " falls ", " sobald ", "如果", "若", "时,", "的话", "하면", "경우",
	}
)

// whenReady only say when the request is due: they make no case that may come.
var whenReady = []string{
	" once that's in place ", " once this is in place ", " once that is in place ", " once that's done ", " once this is done ", " once you're ready ", " when you're ready ", " when you are ready ", " when you have time ", " when you get a chance ",
	"準備ができたら", "準備が整ったら", "準備でき次第", "終わったら", "済んだら", "完了したら", "お手すきの", "お時間のあるとき", "よろしければ", " wenn du zeit hast ", " sobald du bereit bist ", "준비가 되면", "준비되시면",
}

// request finds an imperative to the user that takes a way there, and its verb.
func request(s *prose.Sentence) (string, bool) {
	switch s.Lang {
	case "ja":
		return requestJA(searchable(s))
	case "zh":
		return requestZH(searchable(s))
	case "ko":
		return requestKO(searchable(s))
	case "de":
		return requestDE(searchable(s))
	}
	return requestEN(searchable(s))
}

var (
	askEN = []string{
		" please ", " you need to ", " you'll need to ", " you will need to ", " you have to ", " you'll have to ", " you must ", " you'd have to ", " you'd need to ", " you still need to ", " you should ", " make sure to ", " remember to ", " don't forget to ", " could you ", " can you ",
	}
	// actEN are verbs whose doing takes a place or a command.
	actEN = []string{
		" open ", " restart ", " deploy ", " redeploy ", " migrate ", " rotate ", " configure ", " enable ", " disable ", " log in ", " log into ", " sign in ", " visit ", " reboot ", " upload ", " register ", " run the migration ", " run the migrations ", " run the script ", " set up ", " rerun ", " provision ",
		" turn on ", " turn off ", " go to ", " set the ", " update the environment ", " add the secret ", " add the key ", " install ", " apply the migration ", " start the ", " revoke ", " invite ", " grant ", " register ", " reinstall ", " roll back ", " roll out ", " switch the ", " switch your ", " switch on ", " switch off ", " run the deploy", " connect ", " rebuild the ", " activate ", " renew ", " allowlist ", " unlock ", " uninstall ", " plug ", " replace ", " take a backup ", " back up ", " point the ",
	}
	// lookEN are checks; they take a place when they name one.
	lookEN  = []string{" check ", " verify ", " test ", " confirm ", " try ", " create ", " add ", " update ", " change ", " generate ", " whitelist "}
	placeEN = []string{
		" production ", " prod ", " staging ", " dashboard ", " console ", " server ", " screen ", " page ", " browser ", " device ", " app ", " site ", " website ", " portal ", " admin ", " environment ", " bucket ", " account ", " provider", " real device ", " phone ", " cloud ", " registrar ", " dns ", " panel ", " hoster ", " printer ", " router ", " firewall ", " settings ",
	}
	// plainEN are what needs no way.
	plainEN = []string{
		" screenshot", " let me know ", " tell me ", " send me ", " paste ", " share ", " decide ", " choose ", " confirm which ", " confirm whether ", " confirm if ", " review ", " refresh ", " reload ", " your answer ", " attach ", " try again ", " provide ", " log in again ", " sign in again ", " note that ", " install the dependencies ",
	}
)

func requestEN(s string) (string, bool) {
	ask := which(s, askEN)
	if ask == "" {
		return "", false
	}
	rest := s[strings.Index(s, ask)+len(ask)-1:]
	verb, at := firstOf(rest, actEN)
	if verb == "" || at > 40 {
		verb, at = firstOf(rest, lookEN)
		if verb == "" || at > 24 || !has(rest[at:], placeEN) || ask == " you should " {
			return "", false
		}
		if verb == " check " && has(rest, []string{" console ", " network tab ", " devtools ", " browser "}) && has(rest, []string{" tell me ", " share ", " let me know ", " send me ", " paste ", " for errors ", " for any errors "}) {
			return "", false // a look, and an answer
		}
	}
	if p, i := firstOf(rest, plainEN); p != "" && i <= at {
		return "", false
	}
	if has(cutLong(rest[at:], 60), ownToolsEN) && slices.Contains([]string{" restart ", " start the ", " reboot ", " open ", " rerun ", " rebuild the "}, verb) {
		return "", false
	}
	if has(s, []string{" can you " + "see ", " you can "}) || strings.Contains(ask, " you ") && strings.Contains(s, " ? ") && ask != " could you " {
		return "", false
	}
	return strings.TrimSpace(verb), true
}

// firstOf returns the word that stands first in s, and where.
func firstOf(s string, words []string) (string, int) {
	word, at := "", len(s)
	for _, w := range words {
		if i := strings.Index(s, w); i >= 0 && i < at {
			word, at = w, i
		}
	}
	return word, at
}

// ownToolsEN are what every developer starts and opens, many times a day.
var ownToolsEN = []string{
	" dev server ", " development server ", " your editor ", " the editor ", " your ide ", " vs code ", " your browser ", " the browser ", " your terminal ", " the terminal ", " your shell ", " your computer ", " your machine ", " the app ", " your app ", " your application ", " the application ", " claude code ", " cursor ",
	" another session ", " a new session ", " a new chat ", " an issue ", " your local server ",
}

var (
	askJA = []string{"てください", "て下さい", "ていただけますか", "て頂けますか", "ていただけますでしょうか", "てもらえますか", "お願いします", "お願いいたします", "お願いできますか", "ていただく必要があります", "ていただきたい", "てもらう必要があります", "する必要があります", "ご確認ください", "ご確認願います", "ご設定ください", "ご登録ください", "ご実行ください", "ご対応ください", "お試しください", "お試しいただ", "をご確認いただ", "ていただけると", "てもらえると", "お願い🙏", "お願いです", "をお願い", "でください"}
	actJA = []string{
		"開い", "起動し", "再起動", "デプロイし", "設定し", "登録し", "有効にし", "無効にし", "ログインし", "アクセスし", "インストールし", "適用し", "切り替え", "差し替え", "発行し", "移行し", "ローテ", "実行し", "押し", "クリックし", "追加し", "変更し", "叩い", "付与し", "発行を", "再ビルド", "再インストール", "接続し", "招待し", "オンにし", "オフにし", "反映を", "デプロイを", "設定を", "登録を", "実行を", "再起動を", "マイグレーション", "入れ直し", "許可し", "有効化し", "無効化し", "解除し", "申請し", "更新し", "公開し", "承認し", "つなぎ", "繋ぎ", "差し込", "許可を", "発行し",
	}
	lookJA  = []string{"動作確認を", "動作確認お願い", "動作確認してください", "実機で確認し", "画面で確認し", "画面を確認し", "ブラウザで確認し", "本番で確認し", "サーバーを確認し", "ログを確認し", "本番環境で確認", "ステージングで確認", "表示を確認し", "試してください", "テストしてください"}
	plainJA = []string{"教えて", "知らせて", "指摘", "決めて", "選んで", "ご判断", "レビュー", "ブラウザを更新", "ページを更新", "画面を更新", "アプリを再起動", "アプリケーションを再起動", "エディタを再起動", "開発サーバーを再起動", "codeを再起動", "ターミナルを再起動", "pcを再起動", "ブラウザを再起動", "お聞かせ", "共有して", "送って", "貼って", "ご覧", "再読み込み", "リロード", "コミットして", "プッシュして", "待ち", "ご検討", "仰って", "おっしゃって", "指示", "返信"}
)

func requestJA(s string) (string, bool) {
	if !has(s, askJA) {
		return "", false
	}
	for _, when := range []string{"た後、", "たあと、", "た後に", "た後は"} {
		if i := strings.Index(s, when); i >= 0 && has(s[i:], askJA) {
			s = s[i+len(when):] // what comes before is when, not what
		}
	}
	verb, at := firstOf(s, actJA)
	if verb == "" {
		if verb, at = firstOf(s, lookJA); verb == "" {
			return "", false
		}
	}
	ask, end := firstOf(s[at:], askJA)
	if ask == "" {
		return "", false
	}
	// An action before the plain part still needs its way: "open the page and
	// paste the picture".
	if p, i := firstOf(s, plainJA); p != "" && i < at {
		return "", false
	}
	if end > 120 || has(s, []string{"という文", "という案内", "という表示", "というメッセージ", "と表示", "ようにしてください、と", "追加してください、", "お申し付け", "遠慮なく"}) {
		return "", false
	}
	return verb, true
}

func requestZH(s string) (string, bool) {
	s = without(s, []string{"请求", "申请", "邀请", "請求"})
	if has(s, []string{"重启应用", "重启编辑器", "重启浏览器", "重启开发服务器", "重启终端", "重启 ide", "重启电脑"}) {
		return "", false
	}
	ask, at := firstOf(s, []string{"请", "請", "麻烦", "需要您", "需要你", "您需要", "你需要", "建议检查", "去前端"})
	if ask == "" {
		return "", false
	}
	verb, i := firstOf(s[at:], []string{"打开", "打開", "重启", "重啟", "部署", "检查后端", "检查服务", "检查一下", "配置", "启用", "开启", "关闭", "创建一个", "创建", "注册", "授予", "授权", "重新部署", "登录", "登入", "执行", "執行", "运行", "運行", "更新环境变量", "安装", "添加一个"})
	if verb == "" || i > 60 || has(s, []string{"吗?", "吗?"}) {
		return "", false
	}
	// What stands behind the action does not take its way from it.
	if p, k := firstOf(s[at:], []string{"告诉我", "截图", "刷新", "发给我", "提供", "发一张", "确认是否", "是否符合", "是否正确", "选择"}); p != "" && k <= i+len(verb)+12 {
		return "", false
	}
	return verb, true
}

var (
	actKO   = []string{"열어", "재시작", "배포해", "재배포", "실행해", "설정해", "등록해", "활성화", "비활성화", "추가해", "변경해", "로그인해", "설치해", "부여해", "발급", "켜", "꺼", "만들어", "넣어", "입력해", "생성해", "눌러", "연결해", "교체해", "허용해", "설정하고", "추가하고", "접속해", "업로드해", "적용해"}
	plainKO = []string{"알려", "스크린샷", "보내 주", "골라", "선택해", "새로고침", "공유해"}
)

func requestKO(s string) (string, bool) {
	if !has(s, []string{"주세요", "주십시오", "부탁", "하셔야 합니다", "해야 합니다", "주시면 됩니다"}) {
		return "", false
	}
	verb, at := firstOf(s, actKO)
	if p, i := firstOf(s, plainKO); p != "" && i < at {
		return "", false
	}
	return verb, verb != ""
}

// actDE are the verbs of a request, whole or cut in two.
var actDE = []string{
	" öffne ", " öffnen ", " starte ", " neu starten ", " deploye ", " rotiere ", " installiere ", " aktiviere ", " deaktiviere ", " melde ", " einrichten ", " eintragen ", " führe ", " ausführen ", " rolle ", " setze ", " starten ",
	" lege ", " anlegen ", " trage ", " erstelle ", " erstellen ", " registriere ", " registrieren ", " freischalten ", " schalte ", " erteile ", " migriere ", " richte ", " verbinde ", " lade ",
}

func requestDE(s string) (string, bool) {
	if !has(s, []string{" bitte ", " du musst ", " sie müssen ", " müsstest du ", " musst du "}) {
		return "", false
	}
	verb, at := firstOf(s, actDE)
	if p, i := firstOf(s, []string{" screenshot ", " bildschirmfoto ", " sag mir ", " gib mir ", " entscheide ", " bescheid ", " schick mir ", " schicke mir ", " seite neu ", " nenne mir "}); p != "" && i < at {
		return "", false
	}
	return strings.TrimSpace(verb), verb != ""
}

// hasWay reports whether the message gives an address, a command, a path or the
// steps for the request in s. It looks at the original text: in the sentence, in
// its block, in what follows it; a command block or an address counts anywhere.
func (m *message) hasWay(s *prose.Sentence) bool {
	if strings.Contains(m.doc.Text, "://") || pathShown(m.doc.Text[s.Start:s.End]) {
		return true
	}
	for i, b := range m.doc.Blocks {
		switch b.Kind {
		case prose.Fence, prose.Code:
			return true
		case prose.Cell:
			if i > s.Block && strings.HasSuffix(strings.TrimSpace(m.doc.Text[s.Start:s.End]), ":") {
				return true // the values that are to be set
			}
			if i > s.Block && pathShown(m.doc.Text[b.Start:b.End]) {
				return true
			}
		case prose.ListItem:
			if i > s.Block && b.Ordered || i > s.Block && pathShown(m.doc.Text[b.Start:b.End]) {
				return true
			}
		}
	}
	if has(searchable(s), []string{"上記", "以下の", "下記", "次のように", " as follows ", " the following ", " above ", " below ", " wie folgt ", "如下", "以下", "上述", "上面的", "下面的", "위의", "다음과 같이", "아래"}) {
		return true // it stands in the message
	}
	b := m.doc.Blocks[s.Block]
	if pathShown(m.doc.Text[b.Start:b.End]) {
		return true
	}
	return b.Ordered || namedDocument(searchable(s))
}

// pathShown reports a command, an address or a menu path in original text.
func pathShown(text string) bool {
	return strings.Contains(text, "`") || strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, "localhost") ||
		strings.Contains(text, " > ") || strings.Contains(text, "→") || strings.Contains(text, "->") || strings.Contains(text, " › ") || strings.Contains(text, "](") ||
		strings.Contains(text, "」ボタン") || strings.Contains(text, "”按钮") || strings.Contains(text, "」按钮") ||
		has(strings.ToLower(text), []string{"cmd+", "ctrl+", "ctrl-", "メニューの", ".md", "/settings", "menu"})
}

func namedDocument(s string) bool {
	return has(s, []string{" readme ", " runbook ", " as described in ", " see docs ", " section ", "手順書", "手順は", "readme", "に記載", " siehe ", "文档"})
}
