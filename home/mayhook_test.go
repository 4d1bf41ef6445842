package home

import (
	"os"
	"testing"
)

// A pointer that names executables in either generation is never missed.
func TestMayHook(t *testing.T) {
	d := Dir(t.TempDir())
	if MayHook(d) {
		t.Error("without a pointer the embedded bundle serves, which has none")
	}
	for text, want := range map[string]bool{
		`{"schema":1,"digest":"sha256:a","rules":"sha256:b","release":1}`:                           false,
		`{"schema":1,"digest":"sha256:a","rules":"sha256:b","release":1,"hooks":true}`:              true,
		`{"schema":1,"digest":"sha256:a","previous":{"schema":1,"digest":"sha256:c","hooks":true}}`: true,
		"{\n  \"schema\": 1,\n  \"hooks\": true\n}":                                                 true,
	} {
		if err := os.WriteFile(d.Current(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := MayHook(d); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
