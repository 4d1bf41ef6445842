package builtin

import "strings"

var (
	nounsZH   = []string{"测试", "測試", "用例", "构建", "構建", "编译", "編譯", "lint", "检查", "檢查", "ci", "验证", "驗證", "npm", "tsc", "pytest", "jest", "test", "vet", "build", "类型", "健康", "流水线", "控制台", "试运行", "回归", "实测", "e2e", "go "}
	resultsZH = []string{"通过", "通過", "成功", "正常", "全绿", "绿了", "没问题", "没有问题", "无误", "✅", "一致", "符合预期", "passed", "ok", "显示出来", "无误"}
	goodZH    = []string{"没有告警", "没有错误", "没有报错", "无错误", "0失败", "0 失败", "无告警", "无报错", "没有警告", "没有差异", "没有变更", "没有发现问题", "没有问题", "未发现问题", "没有失败", "无警告", "无失败", "没有变化", "没有区别"}
	voidZH    = []string{"未", "没有", "还没", "没跑", "没测", "应该", "应能", "应可", "如果", "请", "需要", "尚", "待", "不能", "无法", "失败", "之后", "后再", "后才", "建议", "可以", "将", "测试一下", "确保", "校验", "时会", "是否", "吗", "会弹出", "会变"}
	// triedZH are ways to use a thing; cameZH what came of it.
	triedZH = []string{"验证过", "测试过", "已验证", "已测试", "已在本地", "在本地", "本地验证", "本地测试", "运行了", "跑了", "跑过", "试了", "实测", "手动测试", "在浏览器", "重启", "接口", "服务", "对比", "试运行", "截图显示"}
	cameZH  = []string{"正常", "通过", "成功", "符合预期", "没问题", "没有问题", "一致", "200", "显示出来", "没有差异", "没有变更", "没有报错", "没有变化"}
)

func checkedZH(s string) bool {
	s = without(s, []string{"之前失败的", "原本失败的", "原来失败的", "此前失败的"})
	for _, c := range splitCJK(s) {
		ok := has(c, goodZH)
		rest := without(c, append(goodZH, "后端"))
		if has(rest, voidZH) {
			continue
		}
		if has(c, nounsZH) && (ok || has(rest, resultsZH) || ofSame(strings.Fields(norm(c)))) || strings.Contains(c, "返回") && strings.Contains(c, "200") {
			return true
		}
	}
	whole := without(s, append(goodZH, "可以正常", "后端", "修改前", "之前"))
	return has(s, triedZH) && has(s, cameZH) && !has(whole, voidZH) && !has(s, []string{"添加", "修改了", "更新了", "调整", "新增", "实现"})
}

var (
	nounsKO   = []string{"테스트", "빌드", "ci", "lint", "동작", "확인", "test", "tsc", "vet", "타입", "린트", "검사", "e2e", "컴파일", "화면", "검증", "출력", "서버", "응답", "브라우저", "실행", "비교"}
	resultsKO = []string{"통과했", "통과하였", "통과합니다", "통과하고", "통과.", "통과,", "이상 없", "오류 없", "오류가 없", "경고도 없", "경고 없", "실패 0", "문제없이", "문제 없이", "정상", "성공했", "성공입니다", "성공.", "성공하", "모두 통과", "초록", "일치하는 것을 확인", "일치합니다", "동일합니다", "차이가 없", "것을 확인했", "동작을 확인했", "확인 완료", "출력됩니다", "반환되는 것을"}
	voidKO    = []string{"않았", "않습", "못", "아직", "하면", "예정", "되면", "것으로 보", "것입니다", "겠습니다", "주세요", "실패하", "실패합", "할까요", "해야", "한 사용자", "메시지"}
)

func checkedKO(s string) bool {
	s = without(s, []string{"실패하던", "실패했던"})
	return has(s, nounsKO) && (has(s, resultsKO) || strings.HasSuffix(strings.TrimRight(s, " .!"), "통과") || strings.HasSuffix(strings.TrimRight(s, " .!"), "성공")) && !has(s, voidKO)
}

var (
	nounsDE   = []string{" test ", " tests ", " testlauf ", " testfälle ", " build ", " ci ", " lint ", " linter ", " prüfung ", " prüfungen ", " testsuite ", " suite ", " unit-tests ", " kompiliert ", " baut ", " vergleich ", " make ", " go ", " pipeline ", " npm ", " fälle ", " tsc ", " typprüfung ", " compiler ", " typfehler ", " lint-fehler ", " konsole ", " probelauf ", " plan "}
	resultsDE = []string{" grün ", " grünen ", " bestanden ", " erfolgreich ", " durchgelaufen ", " laufen durch ", " läuft durch ", " geht durch ", " gehen durch ", " ist durch ", " sind durch ", " laufen weiterhin ", " laufen weiter ", " keine fehler ", " ohne fehler ", " ohne warnungen ", " ohne warnung ", " sauber ", " fehlerfrei ", " in ordnung ", " ok ", " identisch ", " stimmt überein ", " keine typfehler ", " keine lint-fehler ", " keinen unterschied ", " keine änderungen ", " keine änderung ", " keine abweichung "}
	goodDE    = []string{" keine fehler ", " noch immer grün ", " keine typfehler ", " keine lint-fehler ", " keinen unterschied ", " keine änderungen ", " keine änderung ", " keine abweichung ", " vorher rote "}
	voidDE    = []string{
		" nicht ", " noch ", " nur ", " sollte ", " sollten ", " wenn ", " sobald ", " nachdem ", " muss ", " müssen ", " bitte ", " kein ", " keine ", " keinen ", " werde ", " wird ", " werden ", " bis ", " falls ", " ob ", " ungetestet ", " würde ", " soll ",
	}
	triedDE = []string{" getestet ", " ausprobiert ", " verifiziert ", " durchgeklickt ", " nachgeprüft ", " durchgespielt "}
	// lookedDE take a result or a place beside them.
	lookedDE = []string{" geprüft ", " kontrolliert ", " verglichen ", " ausgeführt ", " gestartet ", " angesehen ", " laufen lassen "}
	cameDE   = []string{" funktioniert ", " stimmen ", " stimmt ", " identisch ", " gut ", " erscheinen ", " erscheint ", " öffnet sich ", " wie erwartet ", " fehlerfrei ", " ohne fehler ", " 200 ", " passt ", " korrekt ", " sauber ", " keine fehler "}
)

func checkedDE(s string) bool {
	for _, c := range splitAt(s, []string{" ; ", " — ", " – ", " aber "}) {
		if has(without(c, goodDE), voidDE) {
			continue
		}
		switch {
		case has(c, nounsDE) && (has(c, resultsDE) || ofSame(strings.Fields(c))):
			return true
		case has(c, triedDE), has(c, lookedDE) && has(c, cameDE):
			return true
		case has(c, []string{" alles grün ", " alles läuft durch ", " läuft alles durch ", " antwortet mit 200 ", " kompiliert . ", " baut . "}):
			return true
		case has(c, []string{" ausgabe ", " ausgaben ", " screenshot ", " screenshots "}) && has(c, []string{" identisch ", " stimmt ", " stimmen ", " unverändert "}):
			return true
		}
	}
	return false
}
