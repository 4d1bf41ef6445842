package receipt

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"
)

func TestStripURL(t *testing.T) {
	for in, want := range map[string]string{
		"":                                      "",
		"https://git.example/a/b":               "https://git.example/a/b",
		"https://tok@git.example/a":             "https://git.example/a",
		"https://u:tok@git.example:8443/a":      "https://git.example:8443/a",
		"https://u:t%40k@git.example/a":         "https://git.example/a",
		"https://u:t@k@git.example/a":           "https://git.example/a",
		"https://u:tok/en@git.example/a":        "https://…",
		"https://u:12/tok@git.example/a":        "https://…",
		"https://u:tok@git.example/a?token=x#y": "https://git.example/a",
		"https://git.example/a?private=tok":     "https://git.example/a",
		"https://git.example?tok@x":             "https://git.example",
		"https://git.example/@scope/a":          "https://git.example/@scope/a",
		"https://u:tok@[::1]:8443/a":            "https://[::1]:8443/a",
		"https://u:tok @git.example/a":          "https://…",
		"HTTPS://u:tok@git.example/a":           "HTTPS://git.example/a",
		"to ken://x":                            "…",
		"ssh://git@git.example:22/a":            "ssh://git.example:22/a",
		"git@git.example:a/b":                   "git.example:a/b",
		"u:tok@git.example:a/b":                 "git.example:a/b",
		"u:t/ok@git.example:a/b":                "git.example:a/b",
		"tok@git.example/a":                     "git.example/a",
		"git.example:a/b":                       "git.example:a/b",
		"/srv/a@b:c":                            "/srv/a@b:c",
		"./a@b:c":                               "./a@b:c",
		"dir/a@b":                               "dir/a@b",
		`C:\a@b\c`:                              `C:\a@b\c`,
		"C:/a@b/c":                              "C:/a@b/c",
		"file:///srv/a@b?c":                     "file:///srv/a@b?c",
		"file://u:tok@h/srv":                    "file://h/srv",
	} {
		if got := StripURL(in); got != want {
			t.Errorf("StripURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzStripURL(f *testing.F) {
	f.Add("u:p@h:x")
	f.Add("https://h/a")
	f.Fuzz(func(t *testing.T, u string) {
		once := StripURL(u)
		if twice := StripURL(once); twice != once && !strings.Contains(once, hidden) && strings.Contains(twice, "@") {
			t.Errorf("%q: %q and then %q", u, once, twice)
		}
	})
}

// A password in a URL is in no byte that Write leaves, wherever it came in.
func TestNoSecretStored(t *testing.T) {
	d, k := machine(t)
	const secret = "hunter2-s3cr3t"
	u := "https://robot:" + secret + "@git.example/a?access_token=" + secret
	r := sample(1)
	r.Source.URL = u
	r.Outcome, r.Error = Failed, fmt.Sprintf("fetch %q: %v", u, errors.New("refused by "+u+"/x"))
	r.Notes = []string{"tried " + u, "and ssh://" + secret + "@git.example, <" + u + ">"}
	r.Protection = Evidence{Host: u, Kind: "branch rule", Text: "asked " + u}
	r.Settings = []Setting{{
		"settings.json", sum(nil), sum([]byte("x")),
		udiff.Unified("a", "b", `{"env":{"KEY":"`+secret+`"}}`, `{"env":{"KEY":"`+secret+`"},"hooks":{}}`),
	}}
	must2(Write(nil, d, r, k))(t)
	noSecret(t, d, secret, "robot")
	good(t, d, Options{})
	if last := must2(Last(d))(t); last.Source.URL != "https://git.example/a" || !strings.Contains(last.Error, "git.example/a") {
		t.Errorf("%+v", last)
	}
}

func TestCleanDiff(t *testing.T) {
	const before = `{
  // the old key was SECRET1
  "env": {"API_KEY": "SECRET2"},
  "mcp": ["--token", "SECRET3", 'SECRET4', 12345678901],
  "hooks": {
    "Stop": [{"hooks": [{"type": "command", "command": "curl -H 'X: SECRET5' https://x/hookctl"}]}]
  }
}
`
	after := strings.Replace(before, "hookctl\"}]}]\n", "hookctl\"}]}],\n    \"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"'/home/a b/.hookctl/bin/hookctl' gate --host claude\", \"timeout\": 10}]}]\n", 1)
	got := CleanDiff(udiff.Unified("a/settings.json", "b/settings.json", before, after))
	const want = `--- a/settings.json
+++ b/settings.json
@@ -3,6 +3,7 @@
   "env": {"API_KEY": "…"},
   "mcp": ["…", "…", '…', …],
   "hooks": {
-    "Stop": [{"hooks": [{"type": "command", "command": "…"}]}]
+    "Stop": [{"hooks": [{"type": "command", "command": "…"}]}],
+    "PreToolUse": [{"hooks": [{"type": "command", "command": "'/home/a b/.hookctl/bin/hookctl' gate --host claude", "timeout": 10}]}]
   }
 }
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for in, want := range map[string]string{
		`// SECRET`:                       "…",
		`  # SECRET`:                      "  …",
		`"a": "SECRET`:                    `"a": …`,
		`SECRET`:                          "…",
		`SECRET=`:                         "…=",
		`SECRET==`:                        "…==",
		`[hooks.stop]`:                    `[hooks.stop]`,
		`[[hooks]]`:                       `[[hooks]]`,
		`command = "/bin/hookctl"`:        `command = "/bin/hookctl"`,
		`token = 'SEC\'`:                  `token = '…'`,
		`"a": "x\"SECRET"`:                `"a": "…"`,
		`"command": "K=SECRET hookctl"`:   `"command": "…"`,
		`"command": "x --k S hookctl"`:    `"command": "…"`,
		`"command": "C:\\x\\hookctl.exe"`: `"command": "C:\\x\\hookctl.exe"`,
		`"args": ["gate"]`:                `"args": ["gate"]`,
		`"a": -1.5e9, "b": true`:          `"a": …, "b": true`,
	} {
		if got := maskLine(in); got != want {
			t.Errorf("maskLine(%s) = %s, want %s", in, got, want)
		}
	}
	if got := CleanDiff("@@ -1 +1 @@ SECRET\n-\"SECRET\"\n\\ No newline at end of file\n--- \"SECRET\"\n"); strings.Contains(got, "SECRET") {
		t.Error(got)
	}
}

// Whatever JSON a user's settings are, no value of it survives.
func TestCleanDiffHidesEveryValue(t *testing.T) {
	const secret = "Zx9Secret"
	rapid.Check(t, func(t *rapid.T) {
		var value func(depth int) any
		value = func(depth int) any {
			switch n := rapid.IntRange(0, 5).Draw(t, "kind"); {
			case depth > 2 || n < 3:
				pre := rapid.StringMatching(`[ -~]{0,8}`).Draw(t, "pre")
				return pre + secret + rapid.StringMatching(`[ -~]{0,8}`).Draw(t, "post")
			case n == 3:
				return []any{value(depth + 1), value(depth + 1)}
			default:
				return map[string]any{"env": value(depth + 1), "headers": value(depth + 1)}
			}
		}
		old := map[string]any{"a": value(0), "b": value(0)}
		now := map[string]any{"a": old["a"], "b": value(0), "hooks": map[string]any{"Stop": []any{}}}
		text := func(v any) string {
			var b []byte
			if rapid.Bool().Draw(t, "indent") {
				b, _ = json.MarshalIndent(v, "", "  ")
			} else {
				b, _ = json.Marshal(v)
			}
			return string(b)
		}
		if got := CleanDiff(udiff.Unified("a", "b", text(old), text(now))); strings.Contains(got, secret) {
			t.Fatal(got)
		}
	})
}
