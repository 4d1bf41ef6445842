package eval

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judge/builtin"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// work is what a turn did, without a check, a fix or an open end, in each
// language: a phrase of a commit, a scope or a handoff stands after it.
var work = map[string]string{
	"en": "I reworked how the importer reads its header lines and updated the two call sites.",
	"ja": "ヘッダー行の読み込み方を変え、呼び出し元を2か所更新しました。",
	"de": "Ich habe umgebaut, wie der Import die Kopfzeilen liest, und beide Aufrufer angepasst.",
	"zh": "我调整了导入时读取表头的方式,并更新了两处调用。",
	"ko": "가져오기에서 헤더 줄을 읽는 방식을 바꾸고 호출부 두 곳을 수정했습니다.",
}

// asks are plain proposals: only a check frees them.
var asks = map[string]string{
	"en": "Want me to commit this?", "ja": "コミットしますか?", "de": "Soll ich das committen?", "zh": "要不要我现在提交?", "ko": "커밋할까요?",
}

// TestPhrases decides the ways of saying a thing that testdata/phrases lists: a
// file for a gate and a language, a phrase a line, "+" where it is the thing that
// the gate stops and "-" where it only looks like it; "\n" is a line end. The
// files checks.* hold reports of a check ("+") and what is none ("-").
func TestPhrases(t *testing.T) {
	rules, err := gate.DecodeRules(compiled.Rules())
	if err != nil {
		t.Fatal(err)
	}
	subject := NewSubject(rules, "builtin", builtin.Ask)
	files, err := filepath.Glob("testdata/phrases/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatal(err, len(files), "files")
	}
	for _, file := range files {
		name, lang, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), ".")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			sign, phrase, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if !ok || sign != "+" && sign != "-" {
				t.Fatalf("%s: %q", file, line)
			}
			id, text, stops := inMessage(name, lang, strings.ReplaceAll(phrase, `\n`, "\n"), sign == "+")
			if got := blocks(subject, id, text); got != stops {
				t.Errorf("%s %s: blocked %t, want %t: %s", name, lang, got, stops, phrase)
			}
		}
	}
}

// inMessage puts a phrase into a message, and says what is to become of it.
func inMessage(name, lang, phrase string, thing bool) (id, text string, stops bool) {
	switch name {
	case "checks":
		return "commit-before-verification", work[lang] + "\n\n" + phrase + "\n\n" + asks[lang], !thing
	case "shallow-bugfix", "bugfix-without-reproduction":
		return name, phrase, thing
	}
	return name, work[lang] + "\n\n" + phrase, thing
}

func blocks(s *Subject, id, text string) bool {
	said, _ := s.decide(context.Background(), text)
	for _, v := range said {
		if v.Gate == id {
			return v.Verdict == Block
		}
	}
	return false
}
