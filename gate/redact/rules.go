package redact

import (
	"regexp"
	"sync"
)

// rule is one kind of secret.
type rule struct {
	kind string
	// literals: one of them stands in every text that the pattern matches. They
	// are lower case when fold is set.
	literals []string
	fold     bool
	whole    bool // the secret spans lines
	expr     func() *regexp.Regexp
	// secret tells a secret from its like by the value and what follows it; nil
	// means that the form is proof enough.
	secret func(value, rest string) bool
}

// lazy compiles on the first text with a literal: most texts have none.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// names of values that are secrets, without a separator in front.
const names = `pass(?:word|wd|phrase)|passwort|kennwort|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|` +
	`client[_-]?secret|auth[_-]?token|access[_-]?token|refresh[_-]?token|token|credentials?`

// rules are in order: the known forms first, so that a token in a header or a
// setting is counted as what it is, the mere names last. Forms are the
// providers' own, as their documentation and gitleaks' rules (MIT) give them;
// lengths are lower bounds, because a cut token is still a secret. Each match
// begins and ends where a word does, so that no replacement makes a new one.
var rules = []rule{
	{
		kind: "private-key", literals: []string{"PRIVATE KEY"}, whole: true,
		// With or without its end. The separator allows quoting, diffs and "\n"
		// written out; without any body it is a mention and stays.
		expr: lazy(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----` +
			`(?:(?:\s|\\[nr]|[>|"',])*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n\\]{0,100}|[A-Za-z0-9+/=]{16,}))+` +
			`(?:(?:\s|\\[nr]|[>|"',])*[A-Za-z0-9+/=]{0,80}(?:\s|\\[nr]|[>|"',])*-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?`),
	},
	{
		kind: "aws-key", literals: []string{"AKIA", "ASIA", "ABIA", "ACCA", "A3T"},
		expr: lazy(`\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`),
	},
	{
		kind: "github-token", literals: []string{"ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_"},
		expr: lazy(`\b(?:gh[posur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})\b`),
	},
	{
		kind: "gitlab-token", literals: []string{"glpat-"},
		expr: lazy(`\bglpat-[A-Za-z0-9_-]{20,}`),
	},
	{
		kind: "anthropic-key", literals: []string{"sk-ant-"},
		expr: lazy(`\bsk-ant-[A-Za-z0-9_-]{16,}`),
	},
	{
		// Style sheets and packages have names like sk-fading-circle: see key.
		kind: "openai-key", literals: []string{"sk-"},
		expr: lazy(`\bsk-[A-Za-z0-9_-]{20,}`), secret: key,
	},
	{
		kind: "slack-token", literals: []string{"xox", "xapp-", "hooks.slack.com"},
		expr: lazy(`\b(?:xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}|hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9+/]{20,})`),
	},
	{
		kind: "google-key", literals: []string{"AIza", "GOCSPX-", "ya29."},
		expr: lazy(`\b(?:AIza[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})`),
	},
	{
		kind: "stripe-key", literals: []string{"_live_", "_test_", "whsec_"},
		expr: lazy(`\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})`),
	},
	{
		kind: "registry-token", literals: []string{"npm_", "pypi-", "hf_"},
		expr: lazy(`\b(?:npm_[A-Za-z0-9]{36,}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,})`),
	},
	{
		kind: "jwt", literals: []string{"eyJ"},
		expr: lazy(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?`),
	},
	{
		kind: "url-password", literals: []string{"://"},
		expr:   lazy(`\b[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s:/?#@"'<>\x60\[\]]*:([^\s/?#@"'<>\x60]+(?:@[^\s/?#@"'<>\x60:]+)*)@[^\s@]`),
		secret: filled,
	},
	{
		kind: "authorization", literals: []string{"authorization"}, fold: true,
		expr:   lazy(`(?i)\bauthorization["'\x60]?[ \t]*[:=][ \t]*["'\x60]?(?:bearer|basic|token|apikey|bot)[ \t]+([A-Za-z0-9._~+/=-]{8,})`),
		secret: filled,
	},
	{
		kind: "bearer", literals: []string{"bearer"}, fold: true,
		expr: lazy(`(?i)\bbearer[ \t]+([A-Za-z0-9._~+/=-]{16,})`), secret: random,
	},
	{
		// A line of an environment file or a shell: the name alone is proof.
		kind: "env", literals: []string{"KEY", "TOKEN", "SECRET", "PASSW", "PWD", "CREDENTIAL"},
		expr: lazy(`\b(?:[A-Z][A-Z0-9]*_)+(?:[A-Z0-9]*KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)(?:_(?:BASE|PROD|STAGING|DEV|TEST|OLD|NEW|[0-9]+))?[ \t]?=[ \t]?` +
			`(?:"([^"\n]{4,})"|'([^'\n]{4,})'|([^\s"'\x60,;|&)]{4,}))`),
		secret: setting,
	},
	{
		kind: "secret", literals: []string{
			"pass", "kennwort", "pwd", "secret", "key", "token", "credential",
			"パスワード", "トークン", "密码", "密碼", "令牌", "비밀번호", "토큰",
		}, fold: true,
		expr: lazy(`(?i)(?:\b[a-z0-9_-]*(?:` + names + `)\b|パスワード|トークン|密码|密碼|令牌|비밀번호|토큰)` +
			`["'\x60*]*[ \t]*(?:=>|:=|[:=：＝は])[ \t]*(?:"([^"\s]{6,})"|'([^'\s]{6,})'|["'\x60*]*[ \t]*([^\s"'\x60,;<>()\[\]{}|&、。]{6,}))`),
		secret: random,
	},
}
