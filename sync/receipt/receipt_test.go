package receipt

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWriteAndRead(t *testing.T) {
	d, k := machine(t)
	if _, err := Last(d); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Last of nothing: %v", err)
	}
	in := sample(1)
	path := must2(Write(nil, d, in, k))(t)
	if path != Path(d, 1) || filepath.Base(path) != "000001.json" {
		t.Errorf("path %s", path)
	}
	out := must2(Last(d))(t)
	want := in
	want.Schema, want.Sequence, want.Machine = Schema, 1, k.Fingerprint()
	want.Time = in.Time.UTC().Round(time.Millisecond)
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
	must2(Write(nil, d, sample(2), k))(t)
	list := must2(List(d))(t)
	if len(list) != 2 || list[1].Sequence != 2 || list[1].Previous != sum(cat(t, path)) {
		t.Errorf("%+v", list)
	}
	good(t, d, Options{Current: generation(2), AtLeast: 2})
	got := must2(VerifyFile(cat(t, path), cat(t, path+".sig"), k.Public()))(t)
	if got.Machine != k.Fingerprint() {
		t.Errorf("machine %s", got.Machine)
	}
}

// What OpenSSH says of a receipt counts more than what our own code says of it.
func TestOpenSSHAgrees(t *testing.T) {
	program, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip(err)
	}
	d, k := machine(t)
	chain(t, d, k, 1)
	signers := filepath.Join(t.TempDir(), "signers")
	put(t, signers, append([]byte("machine "), cat(t, d.Path(PubName))...))
	check := func(file string) ([]byte, error) {
		cmd := exec.Command(program, "-Y", "verify", "-f", signers, "-I", "machine", "-n", Namespace, "-s", Path(d, 1)+".sig")
		cmd.Stdin = must2(os.Open(file))(t)
		return cmd.CombinedOutput()
	}
	if out, err := check(Path(d, 1)); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := check(signers); err == nil {
		t.Errorf("other bytes: %s", out)
	}
	if out, err := exec.Command(program, "-y", "-f", d.Path(KeyName)).Output(); err != nil || !strings.HasPrefix(string(cat(t, d.Path(PubName))), strings.TrimSpace(string(out))) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestWriteRefuses(t *testing.T) {
	tests := []struct {
		name string
		bend func(*Receipt)
	}{
		{"no time", func(r *Receipt) { r.Time = time.Time{} }},
		{"no action", func(r *Receipt) { r.Action = "" }},
		{"an odd action", func(r *Receipt) { r.Action = "sync now" }},
		{"no outcome", func(r *Receipt) { r.Outcome = "" }},
		{"ok with an error", func(r *Receipt) { r.Error = "x" }},
		{"refused without an error", func(r *Receipt) { r.Outcome = Refused }},
		{"a short commit", func(r *Receipt) { r.Commit = "abcdef" }},
		{"a short sum", func(r *Receipt) { r.Files[0].After = "ab" }},
		{"an upper-case sum", func(r *Receipt) { r.Trust = strings.ToUpper(r.Trust) }},
		{"a digest without its prefix", func(r *Receipt) { r.Bundle = hexSum(r.Bundle) }},
		{"a file without a path", func(r *Receipt) { r.Files[1].Path = "" }},
		{"a negative count", func(r *Receipt) { r.Cases.Staged.Failed = -1 }},
		{"a negative time", func(r *Receipt) { r.Durations[0].MS = -1 }},
		{"a signer without a fingerprint", func(r *Receipt) { r.Signers[0].Fingerprint = "lead" }},
		{"a generation without a digest", func(r *Receipt) { r.Pointer.After = &Generation{} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, k := machine(t)
			r := sample(2)
			tt.bend(&r)
			var format *FormatError
			if path, err := Write(nil, d, r, k); !errors.As(err, &format) || path != "" {
				t.Errorf("%q, %v", path, err)
			}
			if exists(Folder(d)) {
				t.Error("something was written")
			}
		})
	}
	d, _ := machine(t)
	var missing *MissingKeyError
	if _, err := Write(nil, d, sample(1), Key{}); !errors.As(err, &missing) {
		t.Errorf("without a key: %v", err)
	}
}

// Write takes sums in both spellings that the callers have, bytes that are not
// UTF-8, and leaves its argument alone.
func TestWriteSettles(t *testing.T) {
	d, k := machine(t)
	r := sample(1)
	r.Files[0].After = digestPrefix + r.Files[0].After
	r.Files[1].Path = "a\xffb"
	r.Protection = Evidence{}
	r.Notes = []string{" ", "n\x00\u2028"}
	was := r.Files[0].After
	must2(Write(nil, d, r, k))(t)
	good(t, d, Options{})
	out := must2(Last(d))(t)
	if out.Files[0].After != hexSum(was) || out.Files[1].Path != "a\ufffdb" || out.Protection.Kind != NoneAsked || len(out.Notes) != 1 {
		t.Errorf("%+v", out)
	}
	if r.Files[0].After != was || len(r.Notes) != 2 {
		t.Error("the caller's receipt was changed")
	}
}

func TestParseRefuses(t *testing.T) {
	d, k := machine(t)
	chain(t, d, k, 1)
	text := string(cat(t, Path(d, 1)))
	swap := func(old, now string) string {
		t.Helper()
		if !strings.Contains(text, old) {
			t.Fatalf("no %q in the sample", old)
		}
		return strings.Replace(text, old, now, 1)
	}
	for name, b := range map[string]string{
		"nothing":             "",
		"null":                "null",
		"an array":            "[]",
		"cut off":             text[:len(text)-3],
		"two objects":         text + text,
		"text behind":         text + "x",
		"unknown field":       swap(`"schema": 1,`, `"schema": 1, "more": 1,`),
		"repeated field":      swap(`"schema": 1,`, `"schema": 1, "schema": 1,`),
		"repeated below":      swap(`"kind": "branch rule"`, `"kind": "branch rule", "kind": "none"`),
		"another case":        swap(`"action"`, `"Action"`),
		"a letter that folds": swap(`"machine"`, `"\u212aind"`),
		"no schema":           swap(`"schema": 1,`, ``),
		"schema zero":         swap(`"schema": 1,`, `"schema": 0,`),
		"a time elsewhere":    swap(`Z",`, `+02:00",`),
		"sequence zero":       swap(`"sequence": 1,`, `"sequence": 0,`),
		"no link":             swap(`"sequence": 1,`, `"sequence": 2,`),
	} {
		var format *FormatError
		if _, err := Parse([]byte(b)); !errors.As(err, &format) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var newer *SchemaError
	if _, err := Parse([]byte(swap(`"schema": 1,`, `"schema": 2, "more": 1,`))); !errors.As(err, &newer) || newer.Schema != 2 {
		t.Errorf("a newer schema: %v", err)
	}
	if _, err := Parse([]byte(text)); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	d, k := machine(f)
	chain(f, d, k, 2)
	f.Add(cat(f, Path(d, 1)))
	f.Add(cat(f, Path(d, 2)))
	f.Add([]byte(`{"schema":1,"schema":1}`))
	f.Add([]byte(`{"a":[{"b":[]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Parse(b)
		if err != nil {
			return
		}
		_ = r.Line()
		once := must2(r.encode())(t)
		again, err := Parse(once)
		if err != nil {
			t.Fatalf("%v:\n%s", err, once)
		}
		if diff := cmp.Diff(once, must2(again.encode())(t)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzSignature(f *testing.F) {
	d, k := machine(f)
	chain(f, d, k, 1)
	b, sig := cat(f, Path(d, 1)), cat(f, Path(d, 1)+".sig")
	f.Add(sig)
	f.Add([]byte("-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n"))
	f.Fuzz(func(t *testing.T, other []byte) {
		if _, err := VerifyFile(b, other, k.Public()); err == nil && string(other) != string(sig) {
			t.Errorf("two texts for one signature:\n%s", other)
		}
	})
}

func TestLine(t *testing.T) {
	r := func(bend func(*Receipt)) Receipt {
		r := sample(7)
		bend(&r)
		return r
	}
	quiet := func(r *Receipt) {
		r.Files, r.Settings, r.Program, r.Cases, r.Pointer.Before = nil, nil, Change{}, Cases{}, r.Pointer.After
	}
	tests := []struct {
		name, want string
		r          Receipt
	}{
		{
			"sync", "sync: release 6 -> 7, commit " + generation(7).Commit[:12] + ", 2 files changed, program " + sum([]byte("old"))[:12] +
				" -> " + sum([]byte("new"))[:12] + ", 1 settings file changed, 84 cases passed",
			r(func(*Receipt) {}),
		},
		{"nothing", "sync: nothing changed", r(quiet)},
		{"first, embedded", "install: release 1, 1 case passed", r(func(r *Receipt) {
			quiet(r)
			r.Action, r.Cases.Wired.Passed = Install, 1
			r.Pointer = Move{After: &Generation{Digest: "sha256:1", Release: 1}}
		})},
		{"other rules", "sync: release 7 compiled again, commit " + generation(7).Commit[:12], r(func(r *Receipt) {
			quiet(r)
			g := *r.Pointer.After
			g.Rules = "sha256:2"
			r.Pointer.Before = &g
		})},
		{"removed", "uninstall: release 6 removed", r(func(r *Receipt) {
			quiet(r)
			r.Action, r.Pointer = Uninstall, Move{Before: generation(6)}
		})},
		{"refused", "sync refused: lock: not signed ; release 6 runs on", r(func(r *Receipt) {
			r.Outcome, r.Error, r.Pointer.After = Refused, "lock: not\nsigned\x1b\u202e", r.Pointer.Before
		})},
		{"failed at first", "install failed: no room; nothing is installed", r(func(r *Receipt) {
			r.Action, r.Outcome, r.Error, r.Pointer = Install, Failed, "no room", Move{}
		})},
		{"key", "new-key: machine key b instead of a", r(func(r *Receipt) { r.Action, r.Machine, r.Formerly = NewKey, "b", "a" })},
	}
	for _, tt := range tests {
		if got := tt.r.Line(); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
	long := r(func(r *Receipt) { r.Outcome, r.Error = Failed, strings.Repeat("ü", 2000) }).Line()
	if n := len([]rune(long)); n != maxLine {
		t.Errorf("%d characters", n)
	}
}

func TestSummary(t *testing.T) {
	ok, refused := sample(2), sample(3)
	ok.Files, ok.Settings, ok.Program, ok.Cases = nil, nil, Change{}, Cases{}
	refused.Outcome, refused.Error, refused.Pointer = Refused, "not signed", Move{ok.Pointer.After, ok.Pointer.After}
	first := "sync: release 1 -> 2, commit " + generation(2).Commit[:12]
	then := "sync refused: not signed; release 2 runs on"
	for _, tt := range []struct {
		list []Receipt
		want string
	}{
		{nil, ""},
		{[]Receipt{ok}, first},
		{[]Receipt{refused}, then},
		{[]Receipt{refused, ok}, first},
		{[]Receipt{ok, refused}, first + "; since then " + then},
		{[]Receipt{ok, refused, refused}, first + "; since then 2 times without success, the last: " + then},
	} {
		if got := Summary(tt.list); got != tt.want {
			t.Errorf("\n got %q\nwant %q", got, tt.want)
		}
	}
}

func TestRepeats(t *testing.T) {
	d, k := machine(t)
	r := sample(3)
	r.Outcome, r.Error = Refused, "fetch https://u:pw@git.example/x: not signed"
	r.Source.URL = "https://u:pw@git.example/x"
	r.Files, r.Settings, r.Program, r.Pointer.Before = nil, nil, Change{}, r.Pointer.After
	must2(Write(nil, d, r, k))(t)
	last := must2(Last(d))(t)
	if !r.Repeats(last) {
		t.Error("the same refusal is news")
	}
	for name, bend := range map[string]func(*Receipt){
		"another error":  func(r *Receipt) { r.Error = "expired" },
		"another head":   func(r *Receipt) { r.Head = r.Head[1:] + "0" },
		"another action": func(r *Receipt) { r.Action = Install },
		"a change":       func(r *Receipt) { r.Files = []Change{{"a", "", "b"}} },
		"success":        func(r *Receipt) { r.Outcome, r.Error = OK, "" },
		"another trust":  func(r *Receipt) { r.Trust = "" },
		"another branch": func(r *Receipt) { r.Source.Branch = "b" },
		"nothing runs":   func(r *Receipt) { r.Pointer = Move{} },
	} {
		other := r
		if bend(&other); other.Repeats(last) {
			t.Errorf("%s is no news", name)
		}
	}
}
