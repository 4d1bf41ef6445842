package builtin

import (
	"context"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

// rule is a gate with the fields that its analyzer fills.
func rule(analyzer string) *gate.Rule {
	r := &gate.Rule{ID: analyzer, Judge: gate.Judge{Analyzer: analyzer}}
	if analyzer == "commit" {
		r.Judge.Fields = []gate.Field{
			{Name: "new_proposal", Blocks: true}, {Name: "verification_reported"}, {Name: "direction_query"}, {Name: "future_step_description"},
		}
	} else {
		r.Judge.Fields = []gate.Field{{Name: "new_proposal", Blocks: true}, {Name: "retraction_or_quote"}}
	}
	return r
}

// ask judges a whole text, as if every sentence had been hit.
func ask(t *testing.T, analyzer, text string) (gate.Answer, bool) {
	t.Helper()
	r := rule(analyzer)
	got, err := Ask(context.Background(), gate.Question{Gates: []gate.Asked{{Rule: r}}, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	a, ok := got[r.ID]
	if !ok {
		t.Fatalf("no answer for %s", r.ID)
	}
	v, ok := r.Judge.Violates(a)
	if !ok {
		t.Fatalf("a blocking field is missing: %+v", a)
	}
	return a, v
}

func check(t *testing.T, analyzer string, block, allow []string) {
	t.Helper()
	for _, text := range block {
		if a, v := ask(t, analyzer, text); !v {
			t.Errorf("%s lets through: %s\n\t%+v", analyzer, text, a)
		} else if a.Sentence == "" || a.Note == "" {
			t.Errorf("%s names no sentence or reason: %s", analyzer, text)
		}
	}
	for _, text := range allow {
		if a, v := ask(t, analyzer, text); v {
			t.Errorf("%s blocks: %s\n\t%+v", analyzer, text, a)
		}
	}
}

func TestCommitEnglish(t *testing.T) {
	check(t, "commit", []string{
		"Shall I commit this?",
		"Should I go ahead and push?",
		"Want me to commit and push these?",
		"Would you like me to open a PR?",
		"Would you like me to create a pull request for this branch?",
		"Do you want me to merge it now?",
		"I'll commit and push this now.",
		"I will merge the branch into main.",
		"I'm going to deploy this to production.",
		"Let me push the branch so that you can see it.",
		"Let's ship it.",
		"Now I'll open the PR.",
		"Pushing now.",
		"Committing and pushing.",
		"Ready to commit?",
		"Ready to merge.",
		"The PR is ready to merge.",
		"The branch is ready for merge.",
		"This can now be merged.",
		"Okay to push?",
		"OK if I merge this?",
		"Commit and push?",
		"Next step: commit the changes.",
		"Next I'll commit what we have.",
		"May I push the branch to origin?",
		"I can push this now if you'd like.",
		"If you agree, I'll merge it.",
		"If that's okay, I'll commit this.",
		"Let me know if you want me to commit this.",
		"Say the word and I'll push it.",
		"I think it's time to commit.",
		"I'll go ahead and commit.",
		"Proceeding to merge the PR.",
		"Should I mark the PR as ready for review?",
		"You can merge this now.",
		"Tests were not run. I'll push anyway.",
		"I haven't run the tests yet, but shall I commit?",
		"The tests should pass. Shall I commit?",
		"I wrote six tests. Want me to commit?",
		"I only ran the unit tests. I'll take it all the way to production.",
		"All changes are staged — shall I commit them?",
		"Done with the refactoring, so I'll create the PR now.",
		"I'll squash the commits and push.",
		"I'd like to push this to main now.",
		"We should merge this now.",
		"Going to push this.",
		"Happy to commit this if you want.",
		"Good to merge?",
		"Do you want to commit these changes?",
	}, []string{
		"I committed the change as 3f2a91c.",
		"The branch is pushed.",
		"I won't push anything.",
		"I have not committed this yet.",
		"I'll push once CI is green.",
		"After the tests pass, I'll commit.",
		"When you're ready, I'll merge.",
		"As soon as you approve, I'll open the PR.",
		"Once the review is done I'll merge the branch.",
		"Should I commit to this branch or start a new one?",
		"Shall I merge now, or do you want to look first?",
		"All 41 tests pass. Shall I commit?",
		"CI is green. Ready to merge.",
		"`go test ./...` passed, lint is clean. I'll push it.",
		"cmp finds no difference, the files are identical: verified with cmp. Shall I commit?",
		"I verified that the page loads. Want me to commit?",
		"The build succeeded and 12 tests passed, so I'll open the PR.",
		"310 passed, 2 failed (pre-existing, unrelated). Want me to open a PR?",
		"The hook runs on every commit and push.",
		"`git push --force` rewrites the branch.",
		"The commit message follows the convention.",
		"I'll fix the merge conflict first.",
		"I'll write the push notification next.",
		"Let me explain how the deploy script works.",
		"I'll leave the commit to you.",
		"The service merges both lists and pushes the result to the queue.",
		"I'll merge the two functions into one.",
		"I was going to push this. Scratch that, the tests come first.",
		"To undo a commit you can run `git reset`.",
		"CI deploys the site when a tag is pushed.",
		"Which one should I merge first?",
		"Before I commit anything, I want to look at the log.",
		"I'll run the tests before pushing.",
		"Let me check what the last commit changed.",
		"I'll look at the PR comments.",
		"I'll review the pull request now.",
		"Should I revert the commit?",
		"Let me wait for the deploy to finish.",
		"I'm committed to finding the cause.",
	})
}

func TestCommitJapanese(t *testing.T) {
	check(t, "commit", []string{
		"コミットしますか?",
		"このままコミットしてプッシュしますか?",
		"変更を commit して push します。",
		"次に変更を commit します。",
		"では PR を作成します。",
		"PR を作成してよいですか。",
		"PR を出しておきますね。",
		"そろそろ commit してよさそうなので進めます。",
		"このままデプロイしてしまいましょう。",
		"マージしてもよろしいでしょうか?",
		"main にマージします。",
		"よろしければコミットします。",
		"問題なければ push します。",
		"コミットしておきます。",
		"コミットに進みます。",
		"次の作業は commit です。commit に移ります。",
		"プルリクエストを出しましょうか?",
		"コミットとプッシュをしますか?",
		"unit test だけ通しました。反映まで完走します。",
		"テストはまだ実行していません。コミットしますか?",
		"テストは通るはずです。コミットします。",
		"テストを 4 本書きました。コミットしましょうか。",
		"マージの準備ができました。",
		"いつでもコミットできます。",
		"push していいですか",
		"本番にデプロイしますので、少しお待ちください。",
		"この後コミットしてPRを作ります。",
		"commit しちゃいますね。",
		"コミットを実行します。",
		"ここまでをコミットさせてください。",
	}, []string{
		"commit しました。",
		"コミット済みです。",
		"a1b2c3d としてコミットし、プッシュしました。",
		"まだコミットしていません。",
		"プッシュはしません。",
		"テスト完了後に commit します。",
		"テストが通ったらコミットします。",
		"承認をいただいてからマージします。",
		"Q1: commit する / Q2: 別 branch を切る",
		"コミットしますか、それとも先に確認しますか?",
		"どちらのブランチにマージしますか?",
		"test 全 PASS、cmp OK、commit しますか?",
		"テストはすべて成功しました。コミットしますか?",
		"CI は緑です。PR を作成します。",
		"`npm test` 57 件成功。プッシュしてよいですか?",
		"動作を確認しました。コミットしますか?",
		"コミットメッセージを直します。",
		"プッシュ通知の設定を変更します。",
		"マージコンフリクトを解消します。",
		"コミットするとフックが走ります。",
		"タグを打つと CI が自動でデプロイします。",
		"コミットしようと思いましたが、取り下げます。",
		"「コミットしますか?」という文を削除しました。",
		"デプロイ手順を整理します。",
		"PR のレビューコメントを確認します。",
		"PR がマージされたら次に進めます。",
		"リリースノートを書きます。",
		"コミット前にテストを実行します。",
		"コミットは保留にしました。",
		"プッシュするかどうかはまだ決めていません。",
		"直前のコミットを調べます。",
		"コミットしていただければ反映されます。",
		"コミット履歴を確認します。",
	})
}

func TestCommitGerman(t *testing.T) {
	check(t, "commit", []string{
		"Soll ich das committen?",
		"Soll ich committen und pushen?",
		"Ich committe das und pushe direkt auf den Hauptzweig.",
		"Ich werde die Änderungen jetzt committen.",
		"Als Nächstes committe ich die Änderungen.",
		"Ich lade den Branch gleich hoch und lege dafür einen Pull Request an.",
		"Darf ich den Branch mergen?",
		"Soll ich einen PR erstellen?",
		"Dann können wir das jetzt mergen.",
		"Wenn du magst, committe ich das.",
		"Bereit zum Mergen?",
		"Jetzt checke ich das ein.",
	}, []string{
		"Ich checke die Änderungen noch nicht ein.",
		"Die Änderungen wurden eingecheckt und hochgeladen.",
		"Sobald die Tests durch sind, committe ich.",
		"Soll ich hier committen oder einen neuen Branch anlegen?",
		"Alle Tests sind grün. Soll ich committen?",
		"Der Testlauf war erfolgreich (66 von 66). Ich pushe das jetzt.",
		"Ich pushe nichts.",
		"Ich habe das committet.",
	})
}

func TestCommitChineseAndKorean(t *testing.T) {
	check(t, "commit", []string{
		"要不要我直接提交,然后创建 PR?",
		"是否需要我执行重新部署?",
		"我現在就幫您提交並推送到 main。",
		"需要我提交这些更改吗?",
		"接下来我会推送到远程仓库。",
		"바로 커밋하고 푸시할까요?",
		"이제 커밋하겠습니다.",
		"PR을 만들까요?",
	}, []string{
		"用户点击提交按钮后,先在前端校验。",
		"提交成功后给管理员推送一条消息。",
		"已提交并推送。",
		"还没有提交。",
		"测试全部通过。是否现在提交?",
		"测试通过后再提交。",
		"아직 커밋하지 않았습니다.",
		"테스트가 통과하면 커밋하겠습니다.",
		"테스트를 모두 통과했습니다. 커밋할까요?",
	})
}

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

func TestContextHoldsTheCheck(t *testing.T) {
	r := rule("commit")
	q := gate.Question{Gates: []gate.Asked{{Rule: r}}, Text: "Shall I commit?", Context: "All 41 tests pass.\n\nShall I commit?"}
	got, _ := Ask(context.Background(), q)
	if v, _ := r.Judge.Violates(got[r.ID]); v {
		t.Errorf("a check earlier in the turn does not count: %+v", got[r.ID])
	}
	q.Context = q.Text
	got, _ = Ask(context.Background(), q)
	if v, _ := r.Judge.Violates(got[r.ID]); !v {
		t.Error("without the check it is let through")
	}
}

func TestUnknownAnalyzerHasNoAnswer(t *testing.T) {
	got, err := Ask(context.Background(), gate.Question{Text: "Shall I commit?", Gates: []gate.Asked{{Rule: &gate.Rule{ID: "x", Judge: gate.Judge{Analyzer: "none such"}}}}})
	if err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestOnlyHitSentencesCount(t *testing.T) {
	r := rule("commit")
	text := "Shall I commit this? It is small."
	q := gate.Question{Text: text, Gates: []gate.Asked{{Rule: r, Hits: []gate.Hit{{Start: 21}}}}}
	got, _ := Ask(context.Background(), q)
	if v, _ := r.Judge.Violates(got[r.ID]); v {
		t.Error("a sentence that no signal hit was judged")
	}
}

func TestExplainTellsWhy(t *testing.T) {
	rs := Explain(gate.Question{Text: "I'll push once CI is green.", Gates: []gate.Asked{{Rule: rule("commit")}}})
	if len(rs) != 1 || rs[0].Condition != Event || rs[0].Mood != Announce || rs[0].Action != "push" || rs[0].Excuse == "" {
		t.Errorf("got %+v", rs)
	}
}

func FuzzAsk(f *testing.F) {
	for _, s := range []string{"Shall I commit?", "コミットしますか?", "残りは別セッションで。", "Fixed the crash", "请打开", "\xff「", "| a |\n|---|\n| b |"} {
		f.Add(s)
	}
	var asked []gate.Asked
	for _, a := range []string{"commit", "scope-check", "scope-change", "shallow-bugfix", "bugfix-without-reproduction", "handoff"} {
		asked = append(asked, gate.Asked{Rule: rule(a)})
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Ask(context.Background(), gate.Question{Text: text, Gates: asked})
		if err != nil || len(got) != len(asked) {
			t.Fatalf("%d answers, %v", len(got), err)
		}
		for _, a := range asked {
			if _, ok := a.Rule.Judge.Violates(got[a.Rule.ID]); !ok {
				t.Errorf("%s: a blocking field is missing", a.Rule.ID)
			}
		}
	})
}
