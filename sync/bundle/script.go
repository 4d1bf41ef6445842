package bundle

import (
	"strings"
	"unicode"
)

// chinese are frequent characters of simplified Chinese that JIS X 0208, the
// character set of Japanese, does not have.
const chinese = "们这对时说为么过还进让给该应请问题页单开关闭测试验证确认结执错误发现实际动态线连续终级编译运维护传输择检查记录读库变换图标签处节类样组织统计" +
	"别仅经边达远适选递逻辑轻转载软较辆车贝负责费资质赖购贴吗呢哪谁办见觉识语话词设许论访详调谈谢议讨训诉讲谓谨欢乐书买卖亲爱两严丧临丽举义习乡产亿优伤众伟华协压历县" +
	"团园围圆场块坚坛备复够头夹夺奋妇孙宁审宽宾导层岁岛岭币师带帮庆废张弹强归彻怀总恶恼悬惊惯戏战户扩扫扬报拟拥挡损敌显术权杂杨极构枪栋树桥毁毕汇汉汤沟洁济" +
	"满滚滤灭灵灾炼热烧环电畅疗监盘矿码础离种积稳穷笔简紧纠红约纪纯纲纳纵纷纸纹练细绑绕绘络绝继绩绪绿缓缩罗罚职联胜脑药获蓝虑虽补袭观规视览订讯评课谱财败账货贵赏赞赢赶跃轮迁违迟遗邮邻释" +
	"针钉钟钱铁链销锁键长门闲间闻阅队阳阴阶陆险难雾顶项顺须顾预领频颜额风飞饭饮馆驱骂骗鱼鲜鸟齐龙"

// words finds characters of a foreign script in a Japanese text. Where a field has
// no language, lang is "" and a text with kana is Japanese.
func (l *linter) words(file, path, lang, text string) {
	if lang != "ja" && (lang != "" || !strings.ContainsFunc(text, isKana)) {
		return
	}
	if odd := foreign(text); odd != "" {
		l.addAt(file, path, "foreign-script", "this is not written in Japanese: %s", odd)
	}
}

func isKana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// foreign lists what Japanese is not written with: simplified characters, other
// scripts, and 的 where の is meant. 的 ends a word of Chinese origin or a loan
// word (基本的, テスト的); after hiragana it does so only in "の的", a target.
func foreign(text string) string {
	var odd []string
	prev := ' '
	for _, r := range text {
		switch {
		case r == '的' && prev != 'の' && unicode.In(prev, unicode.Hiragana, unicode.Latin):
			odd = append(odd, string(prev)+"的")
		case strings.ContainsRune(chinese, r),
			unicode.In(r, unicode.Hangul, unicode.Cyrillic, unicode.Greek, unicode.Thai, unicode.Arabic, unicode.Hebrew, unicode.Bopomofo):
			odd = append(odd, string(r))
		}
		prev = r
	}
	return strings.Join(odd, " ")
}
