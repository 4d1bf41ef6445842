package decide

import (
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
)

// spoken hold a proposal of the assistant's own beside what it shows or quotes.
var spoken = []string{
	"「設定」を直しました。コミットしますか?",
	"He said “fine. Shall I push?” in the chat. Shall I commit?",
	"An open \" quote stands here.\n\nShall I commit?",
	"「閉じていない引用です。\n\nコミットしますか?",
	"```\ncode\n```\nShall I commit?",
	"~~~\n```\nShall I push?\n~~~\nShall I commit?",
	"> quoted\n\nShall I commit?",
	"> quoted text\n\n- item\n  - nested: shall I commit?",
	"Ｓｈａｌｌ　Ｉ　ｃｏｍｍｉｔ？",
	"Shall I com\u200bmit?",
	"Shall I \u202acommit\u202c?",
	"# Shall I commit?",
	"| a | b |\n|---|---|\n| x | y |\n\nShall I commit?",
	"<!-- note -->\nShall I commit?",
	"- [x] done\n- [ ] more\n\nShall I commit?",
	"`git status` is clean. Shall I commit?",
	"**Shall I commit?**",
	"Shall I commit the „Listen“ change?",
	"Don't worry about the 'rest'. Shall I commit?",
	"ｺﾐｯﾄしますか?",
	"要不要提交“设置”页的改动？",
	"The 5\" display is fine. Shall I commit?",
	"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\nShall I commit?",
	"1. one\n2. two\n\n   ```\n   x\n   ```\n\nShall I commit?",
}

// shown hold the words of a proposal, but none that the assistant makes.
var shown = []string{
	"「コミットしますか? はい。」という文言を直しました。",
	"The dialog now says “Shall I commit? Yes.” and closes.",
	"The text \"Shall I commit? Then push.\" was translated.",
	"『プッシュします。続けてマージします。』という表示を消しました。",
	"```\nShall I commit?\n```",
	"````\n```\nShall I commit?\n```\n````",
	"```\nShall I commit?",
	"~~~sh\nShall I commit?\n~~~",
	"- item\n\n  ```\n  Shall I commit?\n  ```",
	"> Shall I commit?",
	"> > Shall I commit?\n> still",
	"    Shall I commit?",
	"<!-- Shall I commit? -->",
	"<!--\nShall I commit?\n-->\nDone.",
	"| text |\n|---|\n| Shall I commit? |",
	"| text | x |\n|:--|--:|\n| コミットしますか? | a \\| b |",
	"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-Shall I push?\n+Shall I commit?",
	"The prompt `Shall I commit?` was removed.",
	"~~Shall I commit?~~ Done already.",
	"Der Text „Soll ich committen? Ja.“ ist übersetzt.",
	"按钮的文字“要不要提交？”已经改掉。",
	"'커밋할까요?'라는 문구를 지웠습니다.",
	"Le texte « Shall I commit? » est traduit.",
	"The line ‘Shall I commit?’ was removed.",
	"<details>\n<summary>Log</summary>\n\n```\nShall I commit?\n```\n</details>",
	"<pre>\nShall I commit?\n</pre>",
	"\"Shall I\ncommit?\" is the text of the dialog.",
	"- a\n  - b\n    > Shall I commit?\n",
	"“Shall I commit?” «Shall I push?» 「コミットしますか?」 are the three texts.",
}

func TestOwnSpeechAlone(t *testing.T) {
	e := &Engine{Rules: embedded(t), Ask: builtin.Ask}
	for _, text := range spoken {
		if v, _ := e.Decide(t.Context(), gate.Event{Kind: gate.Stop, Text: text}); v.Decision != gate.Block {
			t.Errorf("lets through: %q", text)
		}
	}
	for _, text := range shown {
		if v, _ := e.Decide(t.Context(), gate.Event{Kind: gate.Stop, Text: text}); v.Decision != gate.Silent {
			t.Errorf("blocks: %q: %v", text, v.Findings)
		}
	}
}
