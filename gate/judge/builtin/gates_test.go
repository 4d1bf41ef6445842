package builtin

import "testing"

func TestSplit(t *testing.T) {
	check(t, "scope-check", []string{
		"残りは別セッションで続けます。",
		"コンテキストが残り少ないため、残り 5 画面は次のセッションで続けます。",
		"今日はここまでにして、次回に回すのがよいと思います。",
		"残りの作業は次回対応します。",
		"続きは新しいセッションで行いましょう。",
		"会話が長くなってきたので、残りは分けて進めます。",
		"I'll continue the rest in another session.",
		"The remaining modules can be done in the next session.",
		"I'm running low on context, so I'll stop here.",
		"Let's pick this up in a fresh session.",
		"I'd leave the other two for next time.",
		"I suggest we tackle the remaining files in a new session.",
		"Den Rest hebe ich mir für die nächste Sitzung auf, weil der Kontext knapp wird.",
		"剩下的部分下次会话再做,我先到这里。",
		"나머지는 다음 세션에서 계속하겠습니다.",
	}, []string{
		"残りは別セッションで、という案は撤回します。",
		"ご指示のとおり、残りは次のセッションで続けます。",
		"設定は次のセッション開始時に読み込まれます。",
		"次回に回さず、今回すべて終えました。",
		"The session id is stored when a new session starts.",
		"As you asked, I'll continue the rest in another session.",
		"There is no need for another session; the rest is done.",
		"The next session of the user picks up the token.",
		"I take that back: no other session is needed.",
		"Den Vorschlag, den Rest in einer neuen Sitzung zu machen, ziehe ich zurück.",
		"前回のセッションで直した箇所を確認しました。",
		"Should I do the rest now or in another session?",
	})
}

func TestDeferral(t *testing.T) {
	check(t, "scope-change", []string{
		"CSV 出力と権限制御は影響が大きいため、別途対応とします。",
		"印刷用レイアウトは今回は見送りました。",
		"権限の画面は後回しにします。",
		"ロールバックは別 PR で対応します。",
		"エラー表示は次フェーズに回します。",
		"統合テストは一旦スキップし、Phase 7 に進みます。",
		"I left out the CSV export for now; that can be a follow-up PR.",
		"I've deferred the duplicate check to a later PR.",
		"I skipped the Windows part for now.",
		"Retries are left for a follow-up.",
		"I'll add the export later.",
		"The permission checks will follow in a separate PR; I left them out.",
		"Den CSV-Export verschieben wir auf später.",
		"CSV 导出先不做,后续再补。",
	}, []string{
		"先ほどのご判断どおり、CSV 出力は今回の範囲から外しました。",
		"CSV 出力は見送りますか?",
		"空行はスキップします。",
		"As agreed, I left out the CSV export.",
		"The deferred call closes the file.",
		"Two tests were skipped on Windows.",
		"Nothing was skipped.",
		"Should I leave out the export for now or build it?",
		"You could add the export later.",
		"コミットも保留にしました。",
		"I take that back: I left out nothing.",
	})
}

func TestCause(t *testing.T) {
	check(t, "shallow-bugfix", []string{
		"Fixed the crash on startup: I added a nil check around the theme.",
		"I've fixed the upload failure by adding three retries.",
		"The login error is now fixed.",
		"保存時に落ちるバグを修正しました。",
		"画面が固まる不具合を修正しました。テストは通っています。",
		"一覧が真っ白になる不具合を修正しました。\n\n- 原因: `items` が `undefined` だったため\n- 修正: `items ?? []`",
		"已修复页面无法显示的问题。",
		"저장할 때 오류가 나던 문제를 수정했습니다.",
	}, []string{
		"Fixed the crash: the theme was read before the file was loaded.",
		"I fixed the race. The cause is a shared buffer.",
		"Fixed a typo in the error message.",
		"The crash was fixed last week.",
		"Once this is fixed, the error goes away.",
		"保存時に落ちるバグを修正しました。原因はロックの順序です。",
		"README の誤字を修正しました。",
		"不具合を修正する必要があります。",
		"Added the retry option.",
		"已修复页面无法显示的问题,原因是接口地址写错。",
	})
}

func TestReproduction(t *testing.T) {
	check(t, "bugfix-without-reproduction", []string{
		"I couldn't reproduce the freeze, but it is fixed: two paths took the lock in opposite order. The freeze error is fixed.",
		"通知が届かない不具合を修正しました。原因は判定が逆だったことです。コードを読んで気づきました。",
		"手元では再現できませんでしたが、二重登録のバグを修正しました。",
		"Fixed the crash on startup: I added a nil check around the theme.",
	}, []string{
		"Fixed the off-by-one error. `TestLastPage` failed before the change and passes now.",
		"Class C, could not reproduce. I fixed the lock order bug anyway.",
		"月末の不具合を修正しました。再現: 時計を固定したテストが修正前に失敗。",
		"Fixed two typos.",
		"Fixed the crash:\n\n```\npanic: runtime error: index out of range\n```\n",
	})
}

func TestHandoff(t *testing.T) {
	check(t, "handoff", []string{
		"「設定」を開いてください。",
		"画面を開いてスクショを貼ってください。",
		"サーバーの再起動をお願いします。",
		"本番環境にデプロイしてください。",
		"あとで動作確認お願いします🙏",
		"Please rotate the token and restart the service on the server.",
		"Please open the page and paste a screenshot.",
		"You'll need to add the secret in the admin console.",
		"Please verify it in production.",
		"Bitte öffne die Seite und schick mir einen Screenshot.",
		"请重启后端服务。",
	}, []string{
		"スクショを貼ってください。",
		"どちらにするか決めてください。",
		"https://admin.example.test/keys を開いて登録してください。",
		"`systemctl restart worker` を実行してください。",
		"| 2 章 | 「次のコマンドを実行してください。」 |\n|---|---|\n| a | b |",
		"問題があれば再起動してください。",
		"Please send a screenshot.",
		"Please let me know which one you prefer.",
		"Please open https://example.test/admin and add the key.",
		"Please restart the service:\n\n```sh\nsystemctl restart worker\n```\n",
		"Please open Settings > Billing.",
		"Please reload the page.",
		"If it fails, please restart the server.",
		"You don't have to restart anything.",
		"Please review the diff.",
	})
}
