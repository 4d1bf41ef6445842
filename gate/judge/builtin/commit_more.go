package builtin

import "strings"

// German: the verb stands at the clause's end, or is cut in two.

var (
	offersDE    = []string{" soll ich ", " sollen wir ", " darf ich ", " kann ich ", " möchtest du ", " möchten sie ", " willst du ", " wollen wir ", " magst du ", " schlage vor , ", " ich kann das gerne ", " ich kann gerne ", " kann ich gerne ", " gerne "}
	announcesDE = []string{" ich werde ", " ich würde ", " lass mich ", " lass uns ", " werde ich ", " können wir ", " kann ich ", " wird jetzt ", " zeit zum ", " zeit zu ", " zeit , ", " nächster schritt : ", " nächste schritte : "}
	readyDE     = []string{" bereit zum ", " bereit für ", " bereit , ", " kann jetzt ", " kann gemergt ", " kann committet ", " kann so ", " kannst jetzt ", " kannst das jetzt ", " kannst es jetzt ", " kannst nun ", " können jetzt ", " der branch kann ", " der pr kann ", " kann direkt "}
	// infinitives and nouns that a frame governs
	infinitivesDE = []string{
		" committen ", " commiten ", " committe ", " zu committen ", " einchecken ", " einzuchecken ", " pushen ", " hochladen ", " mergen ", " deployen ", " ausrollen ", " ausliefern ", " zu pushen ", " zu mergen ",
		" commit ", " push ", " merge ", " deploy ", " deployment ", " gemergt werden ", " committet werden ", " gepusht werden ", " deployt werden ", " zusammenführen ", " git-commit ", " git-push ", " committet ", " gepusht ", " gemergt ", " eingecheckt ", " ausgerollt ", " deployt ", " veröffentlichen ", " zu deployen ", " auszurollen ", " zusammenzuführen ",
	}
	finitesDE   = []string{" committe ", " commite ", " pushe ", " merge ", " deploye ", " merge ", " commit ", " push "}
	negativesDE = []string{" nicht ", " nichts ", " kein ", " keine ", " keinen ", " ohne ", " noch nie ", " niemals "}
	eventsDE    = []string{" sobald ", " wenn ", " nachdem ", " falls ", " nach dem ", " nach den ", " nach der ", " erst ", " bis ", " sofern ", " danach ", " später ", " nach deinem ", " nach deiner ", " nach ihrem ", " nach ihrer ", " warten wir ", " warte auf ", " dann kann "}
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
	w := which(s, infinitivesDE)
	if strings.HasSuffix(w, "zusammenführen ") && !has(s, []string{" main ", " branch ", " pr ", " master ", " develop "}) {
		w = "" // two functions, not two branches
	}
	if w != "" {
		return w
	}
	if has(s, []string{" release ", " tag "}) && has(s, []string{" machen ", " bauen ", " setzen ", " erstellen ", " schneiden ", " anlegen "}) {
		return "release"
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
	for _, v := range [][2]string{{" checke ", " ein "}, {" lade ", " hoch "}, {" rolle ", " aus "}, {" liefere ", " aus "}, {" führe ", " zusammen "}, {" spiele ", " ein "}, {" bringe ", " live "}, {" stelle ", " online "}, {" schiebe ", " raus "}, {" nehme ", " in betrieb "}, {" schiebe ", " hoch "}} {
		if i := strings.Index(s, v[0]); i >= 0 && strings.Contains(s[i:], v[1]) {
			return v[0]
		}
	}
	if strings.Contains(s, " schließe ich den merge ") || strings.Contains(s, " schließe den merge ") {
		return "merge"
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
	framesZH = []string{"要不要", "要我", "让我", "讓我", "是否需要我", "是否现在", "是否現在", "是否要", "需要我", "需不需要", "我现在", "我現在", "我这就", "我這就", "现在就", "現在就", "接下来", "接下來", "下一步", "我来", "我來", "我会", "我會", "我将", "我將", "帮您", "幫您", "帮你", "幫你", "可以直接", "可以现在", "是否", "我直接", "我就", "可以部署", "可以提交", "可以推送", "可以合并", "准备好", "马上", "建议现在", "建议立即"}
	// askZH stand right before the action in a question, beginsZH begin a sentence
	// that does it: "要提交吗?", "现在提交并推送".
	askZH    = []string{"要", "需要", "现在", "現在", "可以", "能否", "可否"}
	beginsZH = []string{"现在", "現在", "准备", "準備", "那我就", "那我直接"}
	// mergedZH are merged as things of the product.
	mergedZH  = []string{"函数", "列表", "两个", "表格", "数据", "单元格", "为一个", "成一个", "配置", "数组", "对象", "字段", "方法", "文件", "逻辑", "重复"}
	repoZH    = []string{"pr", "分支", "main", "master", "主干", "更改", "改动", "代码", "修改"}
	actionsZH = []string{"提交", "推送", "合并", "合併", "部署", "发布", "發佈", "上线", "上線", "commit", "push", "merge", "deploy", "创建pr", "提pr", "建pr", "提个pr", "提一个pr", "开pr", "开个pr", "开一个pr", "建一个pr", "发pr", "发个pr", "建个pr", "创建一个pr"}
	afterZH   = []string{"表单", "按钮", "成功", "失败", "消息", "通知", "记录", "信息", "历史", "数据", "后", "时", "到服务端", "的", "订单", "至后端", "给后端", "请求", "給", "脚本", "流程", "冲突", "配置", "文件", "环境", "方式", "步骤", "文档", "策略", "权限", "规则", "说明", "函数", "前", "日志", "哈希", "者", "草稿", "文章", "改成", "改为", "到队列", "到任何", "到任意", "空", "功能"}
	eventsZH  = []string{"后再", "後再", "之后", "之後", "通过后", "通過後", "确认后", "確認後", "完成后", "完成後", "如果", "等您", "等你", "等待", "等到", "等测试", "等ci", "等 ci", "等审", "等确认", "等评审", "的话", "一旦", "做完", "弄好", "配置好", "告诉我就", "之后就", "再提交", "再推送", "再合并", "再部署", "再发布", "再创建"}
	negatesZH = []string{"不提交", "不推送", "不会", "不會", "没有", "沒有", "未", "暂不", "暫不", "先不", "不部署", "不合并", "无需", "尚未", "不再", "不需要", "不要提交", "别"}
	usersZH   = []string{"用户", "用戶", "系统会", "前端", "管理员", "脚本", "您可以", "你可以", "后端会"}
)

func proposalZH(s string) (proposal, bool) {
	for _, f := range framesZH {
		i := strings.Index(s, f)
		if i < 0 || f == "是否" && !strings.Contains(s, "?") {
			continue
		}
		if p, ok := completeZH(s, i, f, 45); ok {
			return p, true
		}
	}
	if strings.ContainsAny(s, "吗嗎") || strings.HasSuffix(strings.TrimSpace(s), "?") {
		for _, f := range askZH {
			if i := strings.Index(s, f); i >= 0 {
				if p, ok := completeZH(s, i, f, len(f)); ok { // right before it
					return p, true
				}
			}
		}
	}
	for _, f := range beginsZH {
		if strings.HasPrefix(strings.TrimSpace(s), f) {
			return completeZH(s, strings.Index(s, f), f, len(f))
		}
	}
	return proposal{}, false
}

// completeZH reads what follows the frame at i; the action stands at most reach
// bytes after its begin.
func completeZH(s string, i int, f string, reach int) (proposal, bool) {
	seg := strings.ReplaceAll(cutAt(s[i:], []string{"。", ";", ";"}), " ", "")
	act, j := firstOf(seg, actionsZH)
	if act == "" || has(s, usersZH) || j > reach || hasAnyPrefix(seg[j+len(act):], afterZH) {
		return proposal{}, false
	}
	if (act == "合并" || act == "合併") && has(s, mergedZH) && !has(s, repoZH) {
		return proposal{}, false
	}
	if mid := seg[min(len(f), j):j]; has(mid, verbsZH) && !has(mid, chainsZH) {
		return proposal{}, false // another verb is what the frame governs
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
	if has(without(s, permitZH), eventsZH) {
		p.condition = Event
	}
	p.choice = strings.Contains(s, "还是") || strings.Contains(s, "還是") || has(s, whichCJK) || has(strings.ReplaceAll(s, " ", ""), []string{"是否只", "要不要只", "只提交", "仅提交"}) && p.mood == Offer
	return p, true
}

// verbsZH take the action for an object or an attribute; chainsZH put it after
// them as another step.
var (
	verbsZH  = []string{"支持", "查看", "检查", "写", "加", "实现", "允许", "修改", "更新", "解决", "处理", "看", "弹出", "批量", "定时", "自动", "最近", "说明", "解释", "优化", "数据", "结果", "消息"}
	chainsZH = []string{"并", "然后", "后", "再", "和", ",", "、", "代码", "更改"}
)

var permitZH = []string{"需要的话", "如果您同意", "如果你同意", "如果需要", "如果你愿意", "如果您愿意", "如果没问题", "如果可以", "如有需要", "您同意的话", "同意的话", "没问题的话", "可以的话", "确认无误的话", "方便的话", "等你一句话", "再次", "等待", "等文件", "等内容"}

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
	actionsKO = []string{"릴리스", "커밋", "푸시", "머지", "병합", "배포", "pr", "풀 리퀘스트"}
	// doKO begin what follows an action that is done; what else follows makes a
	// compound ("커밋 메시지") or a topic of it.
	doKO     = []string{"하", "해", "할", "진행", "드리", "준비", "및", "작업", "부탁", "도록", "원하", "하나로"}
	createKO = []string{"만들", "올리", "올려", "올릴", "생성", "보내", "보낼", "열", "작성", "내겠", "낼까"}
	offersKO = []string{"할까요", "드릴까요", "만들까요", "올릴까요", "볼까요", "될까요", "괜찮을까요", "진행할까요", "보낼까요", "열까요", "해도 되나요", "해도 될까", "낼까요", "생성할까요", "하시겠습니까", "하시겠어요", "원하시나요", "원하십니까", "원하시면 알려", "싶으시면 알려", "원하시면 말씀", "필요하시면 말씀", "필요하시면 알려"}
	saysKO   = []string{"하겠습니다", "할게요", "만들겠습니다", "올리겠습니다", "진행하겠습니다", "드리겠습니다", "보내겠습니다", "열겠습니다", "하려고 합니다", "할 예정입니다", "내겠습니다", "하죠", "합시다"}
	readyKO  = []string{"할 수 있습니다", "해도 됩니다", "가능합니다", "할 준비가", "준비가 되", "준비가 끝", "준비 완료", "준비가 완료", "하시면 됩니다", "하면 됩니다"}
	nowKO    = []string{"이제", "바로", "언제든", "지금", "준비"}
	eventsKO = []string{"하면", "되면", "나면", "주시면", "한 뒤", "한 후", "된 후", "후에", "다음에", "그때", "이후"}
	permitKO = []string{"괜찮으시면", "원하시면", "필요하시면", "좋으시면", "괜찮다면", "동의하시면", "말씀해 주시면", "말씀만 하시면", "알려 주시면", "싶으시면", "하시면 됩니다", "하면 됩니다"}
	othersKO = []string{"사용자가", "서버가", "서버는", "시스템이", "스크립트가", "ci가", "워크플로가", "자동으로"}
)

func proposalKO(s string) (proposal, bool) {
	for _, act := range actionsKO {
		i := strings.Index(s, act)
		if i < 0 || !governedKO(act, s[i+len(act):]) {
			continue
		}
		if (act == "병합" || act == "머지") && has(s[:i], []string{"함수", "목록", "배열", "데이터", "두 ", "설정", "파일", "리스트"}) && !has(s, []string{"브랜치", "main", "pr", "변경"}) {
			continue
		}
		tail := s[i:]
		p := proposal{action: act, negated: has(tail, []string{"하지 않", "지 않", "안 하", "못", "지 말"})}
		switch {
		case has(tail, offersKO):
			p.mood = Offer
		case has(tail, saysKO):
			p.mood = Announce
		case has(tail, readyKO) && (has(s, nowKO) || len(s) <= 36): // 12 characters
			p.mood = Ready
		default:
			continue
		}
		if has(s, othersKO) {
			p.actor = "other"
		}
		switch rest := without(s, permitKO); {
		case has(rest, eventsKO):
			p.condition = Event
		case rest != s:
			p.condition = Permission
		}
		p.choice = strings.Contains(s, "아니면") || has(s, whichCJK) || strings.Count(s, "까요") > 1
		return p, true
	}
	return proposal{}, false
}

// governedKO reports whether what follows an action word does it.
func governedKO(act, rest string) bool {
	rest = strings.TrimLeft(rest, " \uE001")
	for _, p := range []string{"까지", "을", "를", "도", "과", "와", "이", "가"} {
		if r, ok := strings.CutPrefix(rest, p); ok {
			rest = strings.TrimLeft(r, " ")
			break
		}
	}
	if act == "pr" || act == "풀 리퀘스트" {
		return has(cutLong(rest, 40), createKO) && !hasAnyPrefix(rest, []string{"에서", "에 ", "의 "})
	}
	return hasAnyPrefix(rest, doKO) || hasAnyPrefix(rest, createKO) || hasAnyPrefix(rest, actionsKO)
}
