package redact

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rule data is gitleaks' at one version, whose sum the Go checksum database
// vouches for.
const (
	module  = "github.com/zricethezav/gitleaks/v8"
	version = "v8.30.1"
	sum     = "h1:PmEvCfVI7ti9dV3s5aMZUY7sS2GxRvG3yzih7E+cS3w="
)

const generated = "gitleaks.go"

var update = flag.Bool("update", false, "fetch gitleaks' rule data through the Go module proxy and write "+generated)

// TestGenerated makes gitleaks.go from gitleaks' rule data and compares, or
// writes it with -update. Without -update it fetches nothing: it is skipped where
// the module is not in the module cache.
func TestGenerated(t *testing.T) {
	file := ruleFile(t)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(raw)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(generated, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(generated)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Errorf("%s is not what %s %s yields: go generate ./gate/redact", generated, module, version)
	}
}

func ruleFile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module rules\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off")
	if !*update {
		c.Env = append(c.Env, "GOPROXY=off")
	}
	out, err := c.Output()
	var m struct{ Dir, Sum, Error string }
	if jerr := json.Unmarshal(out, &m); err != nil || jerr != nil || m.Error != "" {
		if *update {
			t.Fatalf("%v, %v: %s", err, jerr, m.Error)
		}
		t.Skipf("%s@%s is not in the module cache", module, version)
	}
	if m.Sum != sum {
		t.Fatalf("%s has the sum %s, want %s", module, m.Sum, sum)
	}
	return filepath.Join(m.Dir, "config", "gitleaks.toml")
}

// source is a rule as gitleaks has it.
type source struct {
	id, regex, path string
	keywords        []string
	entropy         float64
}

// table reads the rules: as much of TOML as the file is written in.
func table(raw []byte) (rules []source, err error) {
	var r *source
	lines := strings.Split(string(raw), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") {
			r = nil // a list of what is allowed, until the next rule
			if line == "[[rules]]" {
				rules = append(rules, source{})
				r = &rules[len(rules)-1]
			}
			continue
		}
		name, value, ok := strings.Cut(line, " = ")
		if !ok || r == nil {
			continue
		}
		switch name {
		case "id":
			r.id, err = strconv.Unquote(value)
		case "regex":
			r.regex, err = literalString(value)
		case "path":
			r.path, err = literalString(value)
		case "entropy":
			r.entropy, err = strconv.ParseFloat(value, 64)
		case "keywords":
			for !strings.HasSuffix(value, "]") {
				i++
				value += strings.TrimSpace(lines[i])
			}
			err = json.Unmarshal([]byte(strings.Replace(value, ",]", "]", 1)), &r.keywords)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return rules, nil
}

func literalString(s string) (string, error) {
	const mark = "'''"
	if len(s) < 2*len(mark) || !strings.HasPrefix(s, mark) || !strings.HasSuffix(s, mark) {
		return "", fmt.Errorf("%s is no literal string", s)
	}
	return s[len(mark) : len(s)-len(mark)], nil
}

// left out are rules that this package has no use for.
var leftOut = []struct {
	why string
	ids string
}{
	{"own rules say it, for cut tokens and for prose as well", `generic-api-key aws-access-token github-app-token github-fine-grained-pat github-oauth
		github-pat github-refresh-token gitlab-pat gitlab-pat-routable anthropic-admin-api-key anthropic-api-key openai-api-key slack-app-token
		slack-bot-token slack-config-access-token slack-config-refresh-token slack-legacy-bot-token slack-legacy-token
		slack-legacy-workspace-token slack-user-token slack-webhook-url gcp-api-key stripe-access-token npm-access-token pypi-upload-token
		huggingface-access-token jwt private-key curl-auth-header curl-auth-user`},
	{"a name or a public key, which opens nothing", `adobe-client-id asana-client-id bitbucket-client-id discord-client-id linkedin-client-id
		looker-client-id messagebird-client-id plaid-client-id sendbird-access-id sumologic-access-id new-relic-user-api-id
		flutterwave-public-key lob-pub-api-key mailgun-pub-key`},
}

// keywords in place of gitleaks' own, where those are shorter than the three
// bytes that the index needs, or need not stand near the secret.
var keywords = map[string][]string{
	"airtable-personnal-access-token": {"pat"},
	"azure-ad-client-secret":          each("", "0123456789", "q~"),
	"cloudflare-origin-ca-key":        {"v1.0-"},
	"intra42-client-secret":           {"s-s4t2ud-", "s-s4t2af-"},
	"sourcegraph-access-token":        {"sgp_"},
	"twilio-api-key":                  each("sk", "0123456789abcdef", ""),
	"vault-service-token":             append(each("s.", "0123456789abcdefghijklmnopqrstuvwxyz", ""), "hvs."),
}

// farKeywords are rules whose keyword says only what the text is about.
var farKeywords = []string{"facebook-access-token"}

func each(prefix, chars, suffix string) (all []string) {
	for _, c := range chars {
		all = append(all, prefix+string(c)+suffix)
	}
	return all
}

// gitleaks reads files; these read prose.
var rewrite = strings.NewReplacer(
	// What stands before a service's name is no part of the secret.
	`(?i)[\w.-]{0,50}?(?:`, `(?i)(?:`,
	`[\w.-]{0,50}?(?i:[\w.-]{0,50}?`, `(?i:`,
	// A value ends at any sign that cannot go on with it: 。 and * as well.
	"(?:[\\x60'\"\\s;]|\\\\[nr]|$)", `(?:[^\w+/=.-]|\.(?:\W|$)|$)`,
	// The sign between name and value must not be the comma of a sentence.
	`:=>|\?=|,)`, `:=>|\?=)`,
	`|:|=>|\?=|,)`, `|:|=>|\?=)`,
	// Groups that are not the secret.
	`(login|token)`, `(?:login|token)`,
	`([a-z0-9]{4}-){3}`, `(?:[a-z0-9]{4}-){3}`,
	`SK[0-9a-fA-F]{32}`, `\bSK[0-9a-fA-F]{32}\b`,
	// A commit hash.
	`|[a-fA-F0-9]{40})\b)`, `)\b)`,
	// As the keywords have it.
	`new-york-times,`, `new-york-times`,
	`linked[_-]?in`, `linkedin|linked_in|linked-in`,
	`message[_-]?bird`, `messagebird|message_bird|message-bird`,
	`private[_-]?ai`, `privateai|private_ai|private-ai`,
)

var named = regexp.MustCompile(`\(\?P<\w+>`)

var bound = regexp.MustCompile(`\{(\d+),(\d+)\}`)

// open takes the upper bound from long repeats: a hundred copies of a state take a
// millisecond to compile, and the rest of a long secret is as secret.
func open(expr string) string {
	return bound.ReplaceAllStringFunc(expr, func(s string) string {
		m := bound.FindStringSubmatch(s)
		if most, _ := strconv.Atoi(m[2]); most >= 60 && m[1] != m[2] {
			return "{" + m[1] + ",}"
		}
		return s
	})
}

// generate gives the Go source of the table.
func generate(raw []byte) ([]byte, error) {
	all, err := table(raw)
	if err != nil {
		return nil, err
	}
	skip := map[string]bool{}
	for _, l := range leftOut {
		for _, id := range strings.Fields(l.ids) {
			skip[id] = true
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by TestGenerated from the rule data of %s %s; DO NOT EDIT.\n", module, version)
	b.WriteString("// The data is under the MIT licence, copyright 2019 Zachary Rice; see NOTICE.\n\npackage redact\n\n")
	b.WriteString("//go:generate go test -run ^TestGenerated$ -update .\n\nvar gitleaks = [...]rule{\n")
	seen := map[string]bool{}
	for _, s := range all {
		known := skip[s.id]
		delete(skip, s.id)
		expr := open(named.ReplaceAllString(rewrite.Replace(s.regex), "(?:"))
		// A rule with a path is about one kind of file. A repeated pattern has been
		// counted under its first name.
		if known || s.path != "" || s.regex == "" || seen[expr] {
			continue
		}
		seen[expr] = true
		if err := writeRule(&b, s, expr); err != nil {
			return nil, fmt.Errorf("%s: %w", s.id, err)
		}
	}
	if len(skip) > 0 {
		return nil, fmt.Errorf("no such rules: %v", skip)
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}

func writeRule(b *bytes.Buffer, s source, expr string) error {
	if own := keywords[s.id]; own != nil {
		s.keywords = own
	}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return err
	}
	least, chars := shape(secretOf(re))
	if least < 8 || strings.Contains(expr, "`") || slices.ContainsFunc(s.keywords, func(k string) bool { return len(k) < 3 }) {
		return fmt.Errorf("keywords %q, a secret of %d characters at least", s.keywords, least)
	}
	fmt.Fprintf(b, "\t{kind: %q, literals: %#v, least: %d, chars: set{%#x, %#x}, expr: `%s`", s.id, s.keywords, least, chars[0], chars[1], expr)
	if s.entropy > 0 {
		fmt.Fprintf(b, ", entropy: %v", s.entropy)
	}
	if beginsWith(re, s.keywords) {
		b.WriteString(", here: true")
	}
	beside := strings.Count(expr, `[ \t\w.-]{0,20}`)
	if beside > 0 && !strings.Contains(expr, `)|\b`) && beginsWith(re, s.keywords) {
		b.WriteString(", follows: operator")
	}
	if beside > 0 || s.id == "vault-service-token" {
		b.WriteString(", secret: made")
	}
	if slices.Contains(farKeywords, s.id) {
		b.WriteString(", whole: true")
	}
	b.WriteString("},\n")
	return nil
}

// beginsWith reports whether all that a pattern matches begins with one of the
// keywords, assertions aside.
func beginsWith(re *syntax.Regexp, keywords []string) bool {
	for _, start := range starts(re) {
		if !slices.ContainsFunc(keywords, func(k string) bool { return strings.HasPrefix(start, k) }) {
			return false
		}
	}
	return true
}

// starts are the literals that a pattern begins with, in lower case; one is "" when
// there is none.
func starts(re *syntax.Regexp) (all []string) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for c := re.Rune[i]; c <= min(re.Rune[i+1], 127); c++ {
				if all = append(all, strings.ToLower(string(c))); len(all) > 100 {
					return []string{""}
				}
			}
		}
		return all
	case syntax.OpCapture:
		return starts(re.Sub[0])
	case syntax.OpRepeat, syntax.OpPlus:
		if re.Op == syntax.OpPlus || re.Min > 0 {
			return starts(re.Sub[0])
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			all = append(all, starts(sub)...)
		}
		return all
	case syntax.OpConcat:
		all = []string{""}
		for i, sub := range re.Sub {
			if sub.Op == syntax.OpWordBoundary || sub.Op == syntax.OpEmptyMatch {
				continue
			}
			var longer []string
			next := starts(sub)
			for _, a := range all {
				for _, n := range next {
					longer = append(longer, a+n)
				}
			}
			if len(longer) > 1000 {
				return all
			}
			all = longer
			// Only what is a literal through and through lets the next part count.
			if !fixed(sub) || i > 8 {
				return all
			}
		}
		return all
	}
	return []string{""}
}

// fixed reports whether starts gives all of what a pattern matches.
func fixed(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass:
		return true
	case syntax.OpCapture, syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !fixed(sub) })
	}
	return false
}

// secretOf is the part of a pattern that is the secret: the first group, of every
// alternative if they have groups of their own, or all.
func secretOf(re *syntax.Regexp) *syntax.Regexp {
	if g := group(re); g != nil {
		return g
	}
	return re
}

func group(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return re
	}
	var all []*syntax.Regexp
	for _, sub := range re.Sub {
		if g := group(sub); g != nil {
			all = append(all, g)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if re.Op == syntax.OpAlternate {
		return &syntax.Regexp{Op: syntax.OpAlternate, Sub: all}
	}
	return all[0]
}

// shape gives the least length of what a pattern matches and the ASCII characters
// that it may hold.
func shape(re *syntax.Regexp) (least int, chars set) {
	sub := func(i int) int {
		n, c := shape(re.Sub[i])
		chars[0], chars[1] = chars[0]|c[0], chars[1]|c[1]
		return n
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			chars.put(r)
			if re.Flags&syntax.FoldCase != 0 && ('a' <= r|0x20 && r|0x20 <= 'z') {
				chars.put(r ^ 0x20)
			}
		}
		return len(re.Rune), chars
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= min(re.Rune[i+1], 127); r++ {
				chars.put(r)
			}
		}
		return 1, chars
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, set{1<<64 - 1, 1<<63 - 1}
	case syntax.OpCapture, syntax.OpPlus:
		return sub(0), chars
	case syntax.OpStar, syntax.OpQuest:
		sub(0)
		return 0, chars
	case syntax.OpRepeat:
		return sub(0) * re.Min, chars
	case syntax.OpConcat:
		for i := range re.Sub {
			least += sub(i)
		}
		return least, chars
	case syntax.OpAlternate:
		least = 1 << 20
		for i := range re.Sub {
			least = min(least, sub(i))
		}
		return least, chars
	}
	return 0, chars // an assertion
}

func (c *set) put(r rune) { c[r/64] |= 1 << (r % 64) }

// The shape of a rule is what spares its pattern: that of a simple one is known.
func TestShape(t *testing.T) {
	re, err := syntax.Parse(`(?i)x{3}(?:=|:)(k-[0-9a-f]{4,8}(z|\d\d)?)(?:\s|$)`, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	least, chars := shape(secretOf(re))
	if n := bits.OnesCount64(chars[0]) + bits.OnesCount64(chars[1]); least != 6 || n != 10+12+2+2+1 || !chars.has('K') || chars.has('=') {
		t.Errorf("least %d, %d characters", least, n)
	}
}
