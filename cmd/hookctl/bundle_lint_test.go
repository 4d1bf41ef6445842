package main

import (
	"slices"
	"strconv"
	"testing"
)

func TestLostComments(t *testing.T) {
	const was = "# of the file\nschema: 1\n# one\n# two\nmode: warn # three\n# the end\n"
	for name, tt := range map[string]struct {
		now  string
		want []string
	}{
		"as it was":             {was, nil},
		"all gone":              {"schema: 1\nmode: warn\n", []string{"0 the end", "1 of the file", "2 one", "2 two", "2 three"}},
		"moved":                 {"schema: 1\nmode: warn\n# of the file\n# one\n# two\n# three\n# the end\n", nil},
		"worded anew":           {"# of this file\nschema: 1\n# one\n# two!\nmode: warn # three\n# the end\n", nil},
		"one of several":        {"# of the file\nschema: 1\n# one\nmode: warn # three\n# the end\n", []string{"4 two"}},
		"the line went":         {"# of the file\nschema: 1\n# the end\n", nil},
		"one changed, one gone": {"# of the file\nschema: 1\n# uno\nmode: warn # three\n# the end\n", []string{"4 one", "4 two"}},
	} {
		var got []string
		for _, f := range lost("x.yaml", []byte(was), []byte(tt.now)) {
			got = append(got, strconv.Itoa(f.Line)+" "+f.Message[len("since the last release this comment is gone: # "):])
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
