package builtin

import "strings"

// German: the verb stands at the clause's end, or is cut in two.

var (
	offersDE    = []string{" soll ich ", " sollen wir ", " darf ich ", " kann ich ", " möchtest du ", " möchten sie ", " willst du ", " wollen wir "}
	announcesDE = []string{" ich werde ", " ich würde ", " lass mich ", " lass uns ", " werde ich ", " können wir ", " kann ich ", " wird jetzt ", " zeit zum ", " zeit zu ", " zeit , "}
	readyDE     = []string{" bereit zum ", " bereit für ", " bereit , ", " kann jetzt ", " kann gemergt ", " kann committet "}
	// infinitives and nouns that a frame governs
	infinitivesDE = []string{
		" committen ", " commiten ", " committe ", " zu committen ", " einchecken ", " einzuchecken ", " pushen ", " hochladen ", " mergen ", " deployen ", " ausrollen ", " ausliefern ", " zu pushen ", " zu mergen ",
		" commit ", " push ", " merge ", " deploy ", " deployment ", " gemergt werden ", " committet werden ", " gepusht werden ", " deployt werden ", " zusammenführen ",
	}
	finitesDE   = []string{" committe ", " commite ", " pushe ", " merge ", " deploye ", " merge ", " commit ", " push "}
	negativesDE = []string{" nicht ", " nichts ", " kein ", " keine ", " keinen ", " ohne ", " noch nie ", " niemals "}
	eventsDE    = []string{" sobald ", " wenn ", " nachdem ", " falls ", " nach dem ", " nach den ", " nach der ", " erst ", " bis ", " sofern ", " danach ", " später "}
	permitDE    = []string{
		" wenn du magst ", " wenn du willst ", " wenn du möchtest ", " wenn sie möchten ", " wenn gewünscht ", " falls du magst ", " falls gewünscht ", " wenn du einverstanden bist ", " wenn das passt ", " falls du willst ",
		" wenn es passt ", " wenn du zustimmst ", " nach den änderungen ",
	}
)

func proposalDE(s string) (proposal, bool) {
	p := proposal{}
	switch {
	case has(s, offersDE):
		p.mood = Offer
		p.action = actionDE(s[strings.Index(s, which(s, offersDE)):])
	case has(s, announcesDE):
		p.mood = Announce
		p.action = actionDE(s[strings.Index(s, which(s, announcesDE)):])
	}
	if p.action == "" && (strings.Contains(s, " ich ") || strings.HasPrefix(s, " dann ")) {
		p.mood, p.action = Announce, finiteDE(s)
	}
	if p.action == "" && has(s, readyDE) {
		p.mood, p.action = Ready, actionDE(s[strings.Index(s, which(s, readyDE)):])
	}
	if p.action == "" && strings.HasSuffix(s, " ? ") && len(strings.Fields(s)) <= 8 {
		p.mood, p.action = Offer, actionDE(s)
	}
	if p.action == "" {
		return p, false
	}
	p.action = strings.TrimSpace(p.action)
	p.negated = has(s, negativesDE)
	switch rest := without(s, permitDE); {
	case has(rest, eventsDE) && !strings.Contains(rest, " bis zum release ") && !has(rest, []string{" bis zur ", " bis in "}):
		p.condition = Event
	case rest != s:
		p.condition = Permission
	}
	p.choice = p.mood == Offer && strings.Contains(s, " oder ")
	return p, true
}

func actionDE(s string) string {
	if w := which(s, infinitivesDE); w != "" {
		return w
	}
	if has(s, []string{" pr ", " prs ", " pull request ", " pull-request ", " merge-request "}) &&
		has(s, []string{" erstellen ", " anlegen ", " öffnen ", " aufmachen ", " stellen ", " erstelle ", " öffne ", " aufmache "}) {
		return "PR"
	}
	return ""
}

// finiteDE finds a verb of the first person, whole or cut in two.
func finiteDE(s string) string {
	if w := which(s, finitesDE); w != "" && has(s, []string{" ich" + w, w + "ich ", " ich jetzt" + w, " und" + w, " und pushe "}) {
		return w
	}
	for _, v := range [][2]string{{" checke ", " ein "}, {" lade ", " hoch "}, {" rolle ", " aus "}, {" liefere ", " aus "}, {" führe ", " zusammen "}} {
		if i := strings.Index(s, v[0]); i >= 0 && strings.Contains(s[i:], v[1]) {
			return v[0]
		}
	}
	if has(s, []string{" pr ", " pull request ", " pull-request "}) && has(s, []string{" lege ", " erstelle ", " öffne ", " mache ", " stelle "}) {
		return "PR"
	}
	if has(s, []string{" bis zum release ", " bis in die produktion ", " bis zur produktion ", " bis zum deployment ", " bis zur auslieferung ", " bis ins live-system "}) {
		return "release"
	}
	return ""
}

// Chinese: the actions are words of products too, so a frame is required.

var (
	framesZH  = []string{"要不要", "是否需要我", "是否现在", "是否現在", "是否要", "需要我", "需不需要", "我现在", "我現在", "我这就", "我這就", "现在就", "現在就", "接下来", "接下來", "下一步", "我来", "我來", "我会", "我會", "我将", "我將", "帮您", "幫您", "帮你", "幫你", "可以直接", "可以现在", "是否", "我直接", "可以部署", "可以提交", "可以推送", "可以合并", "准备好", "马上"}
	actionsZH = []string{"提交", "推送", "合并", "合併", "部署", "发布", "發佈", "上线", "上線", "commit", "push", "merge", "deploy", "创建pr", "提pr", "建pr"}
	afterZH   = []string{"表单", "按钮", "成功", "失败", "消息", "通知", "记录", "信息", "历史", "数据", "后", "时", "到服务端", "的", "订单", "至后端", "给后端", "请求", "給"}
	eventsZH  = []string{"后再", "後再", "之后", "之後", "通过后", "通過後", "确认后", "確認後", "完成后", "完成後", "如果", "等", "的话", "一旦", "再"}
	negatesZH = []string{"不提交", "不推送", "不会", "不會", "没有", "沒有", "未", "暂不", "暫不", "先不", "不部署", "不合并", "无需", "尚未", "不再", "不需要", "不要提交", "别"}
	usersZH   = []string{"用户", "用戶", "系统会", "前端", "管理员", "脚本", "您可以", "你可以", "后端会"}
)

func proposalZH(s string) (proposal, bool) {
	for _, f := range framesZH {
		i := strings.Index(s, f)
		if i < 0 || f == "是否" && !strings.Contains(s, "?") {
			continue
		}
		seg := cutAt(s[i:], []string{"。", ";", ";"})
		act := which(strings.ReplaceAll(seg, " ", ""), actionsZH)
		if act == "" || has(s, usersZH) {
			continue
		}
		seg = strings.ReplaceAll(seg, " ", "")
		j := strings.Index(seg, act)
		if j > 45 || hasAnyPrefix(seg[j+len(act):], afterZH) {
			continue
		}
		p := proposal{action: act, mood: Announce, negated: has(strings.ReplaceAll(s, "要不要", ""), negatesZH)}
		if strings.ContainsAny(s, "?吗嗎") {
			p.mood = Offer
		}
		if strings.HasPrefix(f, "可以") || f == "准备好" {
			if p.mood != Offer {
				p.mood = Ready
			}
		}
		if has(without(s, []string{"需要的话", "如果您同意", "如果你同意", "如果需要", "您同意的话", "再次", "等待", "等文件", "等内容"}), eventsZH) {
			p.condition = Event
		}
		p.choice = strings.Contains(s, "还是") || strings.Contains(s, "還是") || has(s, whichCJK)
		return p, true
	}
	return proposal{}, false
}

func hasAnyPrefix(s string, words []string) bool {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// Korean: the ending decides, negation is a suffix.

var (
	actionsKO = []string{"커밋", "푸시", "머지", "병합", "배포", "pr", "풀 리퀘스트"}
	offersKO  = []string{"할까요", "드릴까요", "만들까요", "올릴까요", "볼까요", "될까요", "괜찮을까요"}
	saysKO    = []string{"하겠습니다", "할게요", "만들겠습니다", "올리겠습니다", "진행하겠습니다", "드리겠습니다", "보내겠습니다"}
)

func proposalKO(s string) (proposal, bool) {
	act := which(s, actionsKO)
	if act == "" {
		return proposal{}, false
	}
	tail := s[strings.Index(s, act):]
	p := proposal{action: act, negated: has(tail, []string{"하지 않", "지 않", "안 하", "못"})}
	switch {
	case has(tail, offersKO):
		p.mood = Offer
	case has(tail, saysKO):
		p.mood = Announce
	default:
		return p, false
	}
	if has(s, []string{"하면", "되면", "한 뒤", "후에", "다음에", "통과하면"}) && !has(s, []string{"괜찮으시면", "원하시면"}) {
		p.condition = Event
	}
	p.choice = strings.Contains(s, "아니면") || has(s, whichCJK)
	return p, true
}
