package builtin

import (
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate/prose"
)

// findCheck finds the sentence since the user's turn that reports a check with
// its result. It looks at tables and code too, but not at quotes.
func (m *message) findCheck() string {
	d := m.ctx
	row := ""
	for i := range d.Sentences {
		s := &d.Sentences[i]
		kind := d.Blocks[s.Block].Kind
		if s.Plain == "" || kind == prose.Diff {
			continue
		}
		text := cutLong(s.Plain, maxSentence)
		if kind == prose.Cell {
			if cellChecked(row, text) {
				return d.Text[s.Start:s.End]
			}
			text = row + " : " + tick.Replace(text) // "| pnpm test | 412 passed |"
			row = s.Plain
		} else {
			row = ""
		}
		code := kind == prose.Fence || kind == prose.Code
		if checked(text, s.Lang) || (code || strings.HasPrefix(d.Text[s.Start:], "`")) && runLine(text) || !code && kind != prose.Cell && bareResult(norm(text)) || shown(text) && i+1 < len(d.Sentences) && d.Blocks[d.Sentences[i+1].Block].Kind == prose.Fence {
			return d.Text[s.Start:s.End]
		}
	}
	return ""
}

// tick keeps a mark in a cell from cutting it: there it is an answer to the cell
// before.
var tick = replacer{pairs: []string{"✅", "yes", "✓", "yes", "✔", "yes"}}

// cellChecked reports a cell that is a result, beside one that is no more than a
// check's name: "| Lint | ✅ |".
func cellChecked(name, result string) bool {
	words, res := strings.Fields(norm(name)), strings.Fields(norm(result))
	if len(words) == 0 || len(words) > 3 || len(res) == 0 || len(res) > 4 {
		return false
	}
	if !slices.Contains([]string{"✅", "✓", "✔", "ok", "pass", "passed", "green", "clean", "passing", "success", "grün", "成功", "通过"}, res[0]) {
		return false
	}
	low := strings.ToLower(name)
	if has(low, []string{"テスト", "ビルド", "リント", "型チェック", "测试", "构建", "编译", "테스트", "빌드"}) {
		return len(low) <= 30 // ten characters
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return !has(" "+w+" ", nounsEN) && !slices.Contains([]string{"unit", "all", "e2e", "type", "production", "&", "/", "+", "the", "full"}, w)
	})
}

// shown reports a sentence that introduces what a run printed.
func shown(s string) bool {
	n := norm(s)
	return strings.HasSuffix(n, " : ") && len(n) < 160 && !has(n, voidEN) &&
		has(n, []string{" now shows ", " now prints ", " now outputs ", " now looks like ", " now renders ", " the output ", " sample run ", " test run ", " here is the run ", " here's the run ", " here's the output ", " here is the output ", "実行結果", "出力結果", "输出如下", "运行结果", "실행 결과"})
}

// checked reports whether a folded sentence reports a check with a result.
func checked(s, lang string) bool {
	n := norm(s)
	for _, c := range splitAt(n, clausesEN) {
		if checkedEN(c) && (lang == "en" || !has(s, voidJA) && !has(c, voidDE)) {
			return true
		}
	}
	low := strings.ToLower(s)
	if lang == "en" && strings.IndexFunc(low, func(r rune) bool { return r > 0x2E80 }) < 0 {
		return false
	}
	switch lang {
	case "ja":
		return checkedJA(low)
	case "zh":
		return checkedZH(low)
	case "ko":
		return checkedKO(low)
	case "de":
		return checkedDE(n)
	}
	return checkedJA(low) || checkedZH(low)
}

func splitAt(s string, marks []string) []string {
	parts := []string{s}
	for _, m := range marks {
		var next []string
		for _, p := range parts {
			for _, q := range strings.Split(p, m) {
				next = append(next, " "+strings.TrimSpace(q)+" ")
			}
		}
		parts = next
	}
	return parts
}
