package gate_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

func TestHarmless(t *testing.T) {
	for _, line := range []string{
		"ls", "ls -la src", "go test ./... 2>&1 | tail -20", "go test -count=1 ./gate/... >/dev/null", "cat a.txt; head -n 5 b | wc -l", "git status && git diff -- a.go | head",
		"grep -rn 'rm -rf x > y' .", `echo "it is done"`, "cd sub && ls *.go", "test -f a && cat a || echo none", "rg -n foo src 2> /dev/null", "ls $HOME/x", "pwd\nls", "", "git log --oneline -5",
	} {
		if !gate.Harmless(line) {
			t.Errorf("%q is not told to be harmless", line)
		}
	}
	for _, line := range []string{
		"rm a", "ls > a", "ls >a", "ls 2>a", "ls 2> a", "ls &> a", "ls>/dev/nullx", "ls > /dev/null/../../tmp/a", "ls 2>&1a", "ls >&a", "cat a | tee b", "echo $(rm a)", "echo `rm a`", `echo "$(rm a)"`, `echo "\$(rm a)"`, "ls; rm a", "ls\nrm a", "ls & rm a",
		"ls &&rm a", `l\s`, `"ls"; r"m" a`, "$X a", "X=1 rm a", "X=1 ls", "(ls)", "{ ls; }", "ls <<EOF\nEOF", "ls <(rm a)", "cat < a", "! ls", "# x", "git push", "git -c a=b log", "git diff --output=a", "git diff -o a", "git log --ext-diff",
		"go test -o x", "go test -exec rm", "go test -coverprofile=x ./...", "go run .", "go", "git", "rg --pre rm a", "find . -delete", "sort -o a b", "uniq a b", "/bin/ls", "ls |& tee a", "echo $'\\n'", "echo \"a\nb\"; rm x", "if ls; then rm a; fi", "for x in a; do ls; done",
		"echo ${X:=a}", "ls\x00; rm a", "ls\r", "ｌｓ", "ls　a", "type rm; eval x", "~/ls", "a*", "echo 'x", `echo "x`,
	} {
		if gate.Harmless(line) {
			t.Errorf("%q is told to be harmless", line)
		}
	}
}

// What is told to be harmless at a glance has nothing in it for the full analysis
// either: no file, and no command that a guard is about.
func TestHarmlessAgreesWithTheAnalysis(t *testing.T) {
	words := []string{
		"ls", "cat", "git", "go", "rg", "echo", "status", "test", "push", "rm", "a", "-o", "-n", "--no-verify", "'x y'", `"z"`, `"$A"`, "$B", "*", "~/a", "x=1", ">", ">>", "2>&1", ">/dev/null", "2>", "&>", "|", "||", "&&", "&", ";", "\n", "tee", "-delete", "cd", "$(rm a)", "`rm b`",
		`\`, "(", ")", "{", "}", "<", "<<E", "#", "!", "sed", "-i", "'", `"`, "if", "then", "fi", "1", "2", "commit",
	}
	r := rand.New(rand.NewPCG(3, 4))
	harmless := 0
	for range 200000 {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(words[r.IntN(len(words))])
			if r.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		line := b.String()
		if !gate.Harmless(line) {
			continue
		}
		harmless++
		a, err := shell.Analyze(line, shell.Options{})
		if len(a.Effects) > 0 && a.Effects[0].Kind == shell.Code && a.Effects[0].By == "bash" {
			continue // "| ls" is no command line: bash refuses it
		}
		if err != nil || len(a.Effects) > 0 {
			t.Fatalf("%q: %v, %v", line, a.Effects, err)
		}
		for _, c := range a.Commands {
			var argv []string
			for _, x := range c.Args {
				argv = append(argv, string(x))
			}
			if len(argv) > 0 && !gate.OnlyReads(argv) {
				t.Fatalf("%q runs %q", line, argv)
			}
		}
	}
	if harmless < 1000 {
		t.Errorf("only %d lines were harmless: nothing was tested", harmless)
	}
}
