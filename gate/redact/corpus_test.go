package redact

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fake is a made-up secret as a text shows it, and the part that must go.
type fake struct{ kind, shown, secret string }

// fakes makes n secrets of every rule from the rule's own pattern: whatever the
// pattern leaves open is drawn at random. What a rule takes for a place to fill in
// or a word is drawn anew.
func fakes(t *testing.T, rnd *rand.Rand, n int) (all []fake) {
	t.Helper()
	for _, r := range literals().rules {
		re, err := syntax.Parse(r.expr, syntax.Perl)
		if err != nil {
			t.Fatal(r.kind, err)
		}
		made := 0
		for range 200 * n {
			s := draw(rnd, re)
			m := r.pattern().FindStringSubmatchIndex(s)
			if m == nil {
				continue // an assertion that the draw knows nothing of
			}
			start, end := m[0], m[1]
			if i := slices.IndexFunc(m[2:], func(at int) bool { return at >= 0 }); i >= 0 {
				start, end = m[i+2], m[i+3]
			}
			if secret := s[start:end]; r.is(secret, s[end:]) {
				if r.whole && !strings.Contains(s, r.literals[0]) {
					s = r.literals[0] + " " + s // it need not stand in the secret
				}
				all = append(all, fake{r.kind, s, secret})
				if made++; made == n {
					break
				}
			}
		}
		if made < n {
			t.Errorf("%s: only %d of %d could be made", r.kind, made, n)
		}
	}
	return all
}

// draw gives a string that a pattern matches, assertions aside.
func draw(rnd *rand.Rand, re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		var chars []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for c := max(re.Rune[i], ' '); c <= min(re.Rune[i+1], '~'); c++ {
				chars = append(chars, c)
			}
		}
		if len(chars) == 0 {
			return string(re.Rune[0])
		}
		return string(chars[rnd.IntN(len(chars))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(rune('a' + rnd.IntN(26)))
	case syntax.OpCapture:
		return draw(rnd, re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := re.Min, re.Max
		switch re.Op {
		case syntax.OpStar:
			least, most = 0, 3
		case syntax.OpPlus:
			least, most = 4, 24
		case syntax.OpQuest:
			least, most = 0, 1
		}
		if most < 0 {
			most = least + 8
		}
		var b strings.Builder
		for range least + rnd.IntN(most-least+1) {
			b.WriteString(draw(rnd, re.Sub[0]))
		}
		return b.String()
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(draw(rnd, sub))
		}
		return b.String()
	case syntax.OpAlternate:
		return draw(rnd, re.Sub[rnd.IntN(len(re.Sub))])
	}
	return ""
}

// frames are texts in which an agent shows a secret.
var frames = []string{
	"%s",
	"The value is\n%s\nand I shall remove it.",
	"```sh\n%s\n```\n",
	"- first\n- `%s`\n- last\n",
	"| name | value |\n|---|---|\n| a | %s |\n",
	"設定は %s です。",
	"> %s\r\n> done\r\n",
	strings.Repeat("lorem ipsum ", 300) + "%s " + strings.Repeat("dolor sit amet ", 300),
}

// TestNoSecretRemains puts made-up secrets of every rule into every frame.
func TestNoSecretRemains(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, f := range fakes(t, rnd, 4) {
		for _, frame := range frames {
			in := fmt.Sprintf(frame, f.shown)
			got, counts := Text(in)
			if strings.Contains(got, f.secret) || len(counts) == 0 {
				t.Errorf("%s: %q is left, counts %v\nin  %.300q", f.kind, f.secret, counts, in)
			}
			if again, more := Text(got); again != got || more != nil {
				t.Errorf("%s: twice: %v\nin    %.300q\nonce  %.300q\ntwice %.300q", f.kind, more, in, got, again)
			}
		}
	}
}

// TestManySecrets puts secrets of many kinds into one text, so that windows meet.
func TestManySecrets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	all := fakes(t, rnd, 1)
	for round := range 50 {
		var b strings.Builder
		some := make([]fake, 12)
		for i := range some {
			some[i] = all[rnd.IntN(len(all))]
			b.WriteString("Next: " + some[i].shown + " " + strings.Repeat("word ", rnd.IntN(40)) + "\n")
		}
		got, _ := Text(b.String())
		for _, f := range some {
			if strings.Contains(got, f.secret) {
				t.Errorf("round %d: %s: %q is left in %.2000q", round, f.kind, f.secret, got)
			}
		}
	}
}

// TestHarmlessTextStays joins what coding agents write about, without a secret in
// it, in every order: not a byte may change.
func TestHarmlessTextStays(t *testing.T) {
	pieces := []string{
		"All 41 tests pass", "commit 3f2a91c0fd3b4e5fa9c1d2e3f405162738495a6b", "3f2a91c", hex64, "550e8400-e29b-41d4-a716-446655440000",
		"https://example.com:8443/a?b=c#d", "git@github.com:a/b.git", "/home/dev/.ssh/id_ed25519", "src/auth/token2.go", "`npm_config_cache`",
		"The key of the map is a string", "the token bucket refills", "password reset works", "secrets are read from the vault", "API_KEY", "DB_PASSWORD",
		"パスワードを変更しました", "テストは全て通りました。", "コミットしました", "배포했습니다", "密码已重置", "Das Passwort wird geprüft.",
		"facebook", "twitter", "cloudflare deploy", "jira: PROJ-1234", "the Linear issue", "sentry", "datadog-agent 7.52.1", "curl -s http://localhost:3000",
		"v1.0-rc1", "sk-fading-circle", "eyJ", "AKIA", "test_parse_live_reload_of_the_configuration", "| a | b |\n|---|---|", "```go\nfunc main() {}\n```",
		"\r\n", "\n", "\t", " ", ", ", ". ", "。", "「", "」", "**", "\x00", "\xff\xfe", "\u200b", "1.2.840.113549.1.9.4", "0xc0506617",
	}
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), rapid.SampledFrom([]string{" ", "\n", "  "}).Draw(t, "between"))
		if got, counts := Text(in); got != in || counts != nil {
			t.Fatalf("%v\nin  %q\ngot %q", counts, in, got)
		}
	})
}

// messages are real closing messages of coding agents, which do not belong to
// this tree. What uses them is skipped where they are not beside it.
const messages = "../../../shared/corpus/messages.jsonl"

func readMessages(tb testing.TB) (texts []string) {
	tb.Helper()
	f, err := os.Open(messages)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skip("no messages.jsonl beside the tree")
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var m struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, m.Text)
	}
	if err := lines.Err(); err != nil || len(texts) == 0 {
		tb.Fatalf("%d messages, %v", len(texts), err)
	}
	return texts
}

// BenchmarkMessages reports redactions per 1,000 real messages by kind, and what
// a byte costs. It is skipped where the messages are not there.
func BenchmarkMessages(b *testing.B) {
	texts := readMessages(b)
	size, total, counts := 0, 0, Counts{}
	for _, s := range texts {
		size += len(s)
		_, taken := Text(s)
		for kind, n := range taken {
			counts[kind] += n
			total += n
		}
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, s := range texts {
			Text(s)
		}
	}
	perThousand := func(n int) float64 { return 1000 * float64(n) / float64(len(texts)) }
	b.ReportMetric(perThousand(total), "redactions/1000msg")
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		b.ReportMetric(perThousand(counts[kind]), kind+"/1000msg")
	}
}

// BenchmarkFirst is what the hook pays, which redacts in a process of its own:
// the index is made and every pattern compiled anew each time.
func BenchmarkFirst(b *testing.B) {
	plain := strings.Repeat("- Changed the parser in src/mod.go: tests pass, the token count is fine, key: value, see https://example.com/a?x=1\n", 36)
	// Each rule that a text of a service's name and a run of code could wake.
	code := strings.Repeat("linear sentry datadog cloudflare codecov jira: see build-3f2a91c0fd3b4e5fa9c1d2e3f405162738495a6b-linux-amd64-v1.2.3\n", 36)
	secrets := plain + awsKey + "\n" + ghToken + "\nDB_PASSWORD=hunter2\npostgres://a:b@c/d\ncloudflare_token = " + ghToken + "\n"
	for name, text := range map[string]string{"plain": plain, "code": code, "secrets": secrets} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x := newIndex()
				for _, r := range x.rules {
					r.compiled.Store(nil)
				}
				literals = func() *index { return x }
				Text(text)
			}
		})
	}
}
