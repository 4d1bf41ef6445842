package decide

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/shell"
)

var benchLines = map[string]string{
	"test":    "npm test",
	"commit":  `git commit -m "x"`,
	"build":   "go build ./... && go test ./...",
	"heredoc": "cat > docs/guide.md <<'EOF'\n" + strings.Repeat("A line of the guide, with `code` and a path such as src/main.go.\n", 40) + "EOF\ngit add docs && git commit -m 'Write the guide'",
	"hundred": strings.Repeat("sed -i 's/a/b/' src/x.go && go vet ./... | tee out.txt; ", 34),
}

// BenchmarkLine decides a line as a new process does it, the rules decoded before.
func BenchmarkLine(b *testing.B) {
	rules := embedded(b)
	m := unix()
	for name, line := range benchLines {
		raw, _ := json.Marshal(map[string]string{"command": line})
		ev := gate.Event{Kind: gate.PreTool, CWD: m.project, Tool: gate.Tool{Name: "Bash", Input: raw}}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e := m.engine(b)
				e.Rules = rules
				if v, _ := e.Decide(b.Context(), ev); v.Decision != gate.Silent {
					b.Fatal(v)
				}
			}
		})
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for name, line := range benchLines {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := shell.Analyze(line, shell.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
