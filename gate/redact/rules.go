package redact

import (
	"regexp"
	"strings"
	"sync/atomic"
)

// rule is one kind of secret. Rules are data: nothing is computed for them when
// the program starts.
type rule struct {
	kind string
	// literals: one of them stands in every text that the pattern matches. Each
	// has three bytes at least. Letters of either case do unless exact is set.
	literals []string
	exact    bool
	// follows tells by the text behind a literal that the pattern may match; nil
	// means that it always may.
	follows func(rest string) bool
	here    bool // the pattern begins with the literal
	// whole: the literal only says what the text is about.
	whole bool
	// reach is how far the secret goes, over lines: behind the literal when the
	// pattern begins with it, else before it. 0 = within the line.
	reach int
	// A secret has at least so many of these characters in a row.
	least int
	chars set
	expr  string
	// entropy is what a secret has more of, in bits a byte; 0 = not asked.
	entropy float64
	// secret tells a secret from its like by the value and what follows it; nil
	// means that the form is proof enough.
	secret func(value, rest string) bool

	compiled atomic.Pointer[regexp.Regexp]
}

// pattern compiles on the first use: most rules never have one. That of a rule
// which begins with its literal begins with the character before it, for \b to
// see.
func (r *rule) pattern() *regexp.Regexp {
	if p := r.compiled.Load(); p != nil {
		return p
	}
	expr := r.expr
	if r.here {
		expr = `^(?s:.?)(?:` + expr + `)`
	}
	p := regexp.MustCompile(expr)
	r.compiled.Store(p)
	return p
}

// word are the letters, the digits, and the signs within most tokens: + - . / =
// _ and ~.
var word = set{0x23ffe80000000000, 0x47fffffe87fffffe}

// The parts of an armoured private key. Between its lines may stand what quotes
// it: "> ", "+", commas, or "\n" written out.
const (
	keyKind = `(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`
	between = `(?:\s|\\[nr]|[>|"',])`
)

// longestKey bounds an armoured key, in bytes: one of 16,384 bits has 12 KB.
const longestKey = 16 << 10

// own are in order: the known forms first, so that a token in a header or a
// setting is counted as what it is, the mere names last. Forms are the
// providers' own, as their documentation and gitleaks' rules (MIT) give them;
// lengths are lower bounds, because a cut token is still a secret. Each match
// begins and ends where a word does, so that no replacement makes a new one.
var own = [...]rule{
	{
		// With or without its end; without any body it is a mention and stays.
		kind: "private-key", literals: []string{"-----BEGIN "}, exact: true, here: true, reach: longestKey, least: 16, chars: word,
		expr: `-----BEGIN ` + keyKind +
			`(?:` + between + `*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n\\]{0,100}|[A-Za-z0-9+/=]{16,}))+` +
			`(?:` + between + `*[A-Za-z0-9+/=]{0,80}` + between + `*-----END ` + keyKind + `)?`,
	},
	{
		// The rest of one, where a text was cut.
		kind: "private-key", literals: []string{"-----END "}, exact: true, follows: privateKey, reach: longestKey, least: 32, chars: word,
		expr: `(?:[A-Za-z0-9+/]{32,}={0,2}` + between + `+)+(?:[A-Za-z0-9+/=]{1,80}` + between + `+)?-----END ` + keyKind,
	},
	{
		kind: "aws-key", literals: []string{"AKIA", "ASIA", "ABIA", "ACCA", "A3T"}, exact: true, here: true, least: 20, chars: word,
		expr: `\b(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`,
	},
	{
		kind: "github-token", literals: []string{"ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_"}, exact: true, here: true, least: 24, chars: word,
		expr: `\b(?:gh[posur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})\b`,
	},
	{
		kind: "gitlab-token", literals: []string{"glpat-"}, exact: true, here: true, least: 26, chars: word,
		expr: `\bglpat-[A-Za-z0-9_-]{20,}`,
	},
	{
		kind: "anthropic-key", literals: []string{"sk-ant-"}, exact: true, here: true, least: 23, chars: word,
		expr: `\bsk-ant-[A-Za-z0-9_-]{16,}`,
	},
	{
		// Style sheets and packages have names like sk-fading-circle: see key.
		kind: "openai-key", literals: []string{"sk-"}, exact: true, here: true, least: 23, chars: word,
		expr: `\bsk-[A-Za-z0-9_-]{20,}`, secret: key,
	},
	{
		kind: "slack-token", literals: []string{"xox", "xapp-", "hooks.slack.com"}, exact: true, here: true, least: 15, chars: word,
		expr: `\b(?:xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}|hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,})`,
	},
	{
		kind: "google-key", literals: []string{"AIza", "GOCSPX-", "ya29."}, exact: true, here: true, least: 25, chars: word,
		expr: `\b(?:AIza[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})`,
	},
	{
		kind: "stripe-key", literals: []string{"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "whsec_"}, exact: true, here: true,
		least: 24, chars: word, expr: `\b(?:[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})`,
	},
	{
		kind: "registry-token", literals: []string{"npm_", "pypi-", "hf_"}, exact: true, here: true, least: 33, chars: word,
		expr: `\b(?:npm_[A-Za-z0-9]{36,}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,})`,
	},
	{
		kind: "jwt", literals: []string{"eyJ"}, exact: true, here: true, least: 27, chars: word,
		expr: `\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?`,
	},
	{
		kind: "url-password", literals: []string{"://"}, here: true, follows: userinfo,
		expr:   `://[^\s:/?#@"'<>\x60\[\]]*:([^\s/?#@"'<>\x60]+(?:@[^\s/?#@"'<>\x60:]+)*)@[^\s@]`,
		secret: filled,
	},
	{
		// Key-value connection strings (ADO, ODBC, libpq) and queries: what stands
		// beside the password tells that it is one.
		kind: "connection-string", literals: []string{"password", "passwd", "pwd"}, follows: equals,
		expr: `(?i)(?:;[ \t]*(?:password|pwd)[ \t]*=[ \t]*([^;\s"'\x60]{3,})` +
			`|\b(?:password|pwd)[ \t]*=[ \t]*([^;\s"'\x60]{3,})[ \t]*;[ \t]*[a-z][a-z ]{1,24}=` +
			`|\b(?:host|server|user|dbname|port|sslmode)=\S+[ \t]+(?:[a-z_]+=\S+[ \t]+)*(?:password|passwd)=([^\s"'\x60]{3,})` +
			`|[?&](?:password|passwd|pwd)=([^&#\s"'<>\x60]{3,}))`,
		secret: setting,
	},
	{
		kind: "authorization", literals: []string{"authorization"}, here: true,
		expr:   `(?i)\bauthorization["'\x60]?[ \t]*[:=][ \t]*["'\x60]?(?:bearer|basic|token|apikey|bot)[ \t]+([A-Za-z0-9._~+/=-]{8,})`,
		secret: filled,
	},
	{
		kind: "bearer", literals: []string{"bearer"}, here: true, least: 16, chars: word,
		expr: `(?i)\bbearer[ \t]+([A-Za-z0-9._~+/=-]{16,})`, secret: random,
	},
	{
		kind: "curl-user", literals: []string{"curl"}, exact: true, here: true, follows: user,
		expr:   `\bcurl\b[^\n]*?[ \t](?:-u|--user)[ \t=]?[ \t]*["']?[^\s"':]{1,64}:([^\s"'\x60]{3,})`,
		secret: filled,
	},
	{
		// A line of an environment file or a shell: the name alone is proof.
		kind: "env", literals: []string{"KEY", "TOKEN", "SECRET", "PASS", "PWD", "CREDENTIAL", "_PAT"}, exact: true, follows: equalsName,
		expr: `\b(?:(?:[A-Z][A-Z0-9]*_)+(?:[A-Z0-9]*KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIALS?)(?:_(?:BASE|PROD|STAGING|DEV|TEST|OLD|NEW|[0-9]+))?|` +
			`(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY))[ \t]?=[ \t]?` +
			`(?:"([^"\n]{4,})"|'([^'\n]{4,})'|([^\s"'\x60,;|&)]{4,}))`,
		secret: setting,
	},
	{
		kind: "secret", literals: []string{
			"password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "secret", "token", "credential",
			"apikey", "api_key", "api-key", "accesskey", "access_key", "access-key", "privatekey", "private_key", "private-key",
			"signingkey", "signing_key", "signing-key", "encryptionkey", "encryption_key", "encryption-key",
			"パスワード", "トークン", "シークレット", "apiキー", "アクセスキー", "密码", "密碼", "令牌", "密钥", "密鑰", "비밀번호", "토큰",
		}, here: true, follows: assigned,
		expr: `(?i)(?:(?:pass(?:word|wd|phrase|wort)|kennwort|pwd|secret(?:[_-]?key)?|token|credentials?|(?:api|access|private|signing|encryption)[_-]?key)\b|` +
			`パスワード|トークン|シークレット|APIキー|アクセスキー|密码|密碼|令牌|密钥|密鑰|비밀번호|토큰)` +
			`["'\x60*]*[ \t]*(?:=>|:=|[:=：＝は])[ \t]*(?:"([^"\s]{6,})"|'([^'\s]{6,})'|["'\x60*]*[ \t]*([^\s"'\x60,;<>()\[\]{}|&、。]{6,}))`,
		secret: random,
	},
}

// userinfo reports whether an address goes on with a name and a password.
func userinfo(rest string) bool {
	end := strings.IndexAny(rest, " \t\r\n\"'<>`")
	if end < 0 {
		end = len(rest)
	}
	colon := strings.IndexByte(rest[:end], ':')
	return colon >= 0 && strings.IndexByte(rest[colon:end], '@') > 0
}

// privateKey reports whether the end is that of a private key.
func privateKey(rest string) bool {
	line, _, _ := strings.Cut(rest, "-----")
	return strings.HasSuffix(line, "PRIVATE KEY") || strings.HasSuffix(line, "PRIVATE KEY BLOCK")
}

// user reports whether curl is given a user.
func user(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Contains(line, " -u") || strings.Contains(line, " --user")
}

// equals reports whether a value is assigned to the name that ends here.
func equals(rest string) bool {
	return strings.HasPrefix(strings.TrimLeft(rest, " \t"), "=")
}

// equalsName is [equals] for a name that may go on.
func equalsName(rest string) bool {
	return equals(strings.TrimLeft(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"))
}

// assigned reports whether a name that may go on is followed by one of the signs
// between a name and its value.
func assigned(rest string) bool {
	i := 0
	for i < len(rest) && nameByte(rest[i]) {
		i++
	}
	rest = strings.TrimLeft(rest[i:], "\"'`* \t")
	for _, sign := range []string{":", "=", "：", "＝", "は"} {
		if strings.HasPrefix(rest, sign) {
			return true
		}
	}
	return false
}

// operator reports whether the name of a service may be followed by one of the
// signs between a name and its value, as gitleaks' rules have them: within a few
// words.
func operator(rest string) bool {
	for i := range min(len(rest), 40) {
		switch c := rest[i]; {
		case strings.IndexByte("=>:|?", c) >= 0:
			return true
		case !nameByte(c) && strings.IndexByte(" \t\r\n.'\"", c) < 0:
			return false
		}
	}
	return false
}

func nameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
