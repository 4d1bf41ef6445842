package bundle

import (
	"bytes"
	"testing"

	"github.com/agenthooks/hookctl/manifests/compiled"
)

// The compiled rules that the program carries are those of the gates that it
// carries. When this is red: go generate ./manifests/...
func TestCompiledRulesAreCurrent(t *testing.T) {
	v, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	r, err := v.Compile()
	if err != nil {
		t.Fatal(err)
	}
	want, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(compiled.Rules(), want) {
		t.Error("manifests/compiled/rules is stale: run go generate ./manifests/...")
	}
}
